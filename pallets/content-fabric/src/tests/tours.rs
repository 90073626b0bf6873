// SPDX-License-Identifier: Apache-2.0
//! Tours of the pallet. The crate's documentation shows them, the tests run them, and the example
//! `tour` prints what happens.

use frame_support::assert_ok;
use pallet_content_fabric::{
	identifiers::{HashKind, RecordKeySyntax, RecordKeyType},
	AdmissionPolicy, ContentRef, DraftVersion, Resolution, Role, SpaceRules, VersionCommit,
};

use crate::mock::*;

/// A space is created, and a provider and a tenant join it.
#[docify::export]
pub fn join(chain: &mut Chain) {
	chain.block(|| {
		// Root creates the space, with a governor and rules.
		let rules = SpaceRules {
			provider_bond: 10_000,
			tenant_bond: 5_000,
			admission: AdmissionPolicy::Approval,
			partitions: 4,
			sla: b"99.9 % of the time".to_vec().try_into().expect("the text is short"),
		};
		assert_ok!(ContentFabric::create_space(RuntimeOrigin::root(), SPACE, GOVERNOR, rules));

		// The governor admits two accounts.
		let governor = || signed(GOVERNOR);
		assert_ok!(ContentFabric::admit(governor(), SPACE, PROVIDER_ROOT, Role::Provider));
		assert_ok!(ContentFabric::admit(governor(), SPACE, TENANT_ROOT, Role::Tenant));
	});
	chain.block(|| {
		// One creates a provider. Its bond and a deposit are on hold from now on, and never more
		// than the limit that it agrees to.
		let root = || signed(PROVIDER_ROOT);
		assert_ok!(ContentFabric::create_provider(root(), SPACE, PROVIDER, MAX_HELD));
		// It adds a node. The operator confirms it, with an account of its own.
		let locator = locator("/dns/node.example.com/tcp/443");
		assert_ok!(ContentFabric::create_node(root(), PROVIDER, NODE, OPERATOR, locator));
		assert_ok!(ContentFabric::confirm_node(signed(OPERATOR), PROVIDER, NODE));
	});
	chain.block(|| {
		// The other creates a tenant, and gives an editor access to its content.
		let root = || signed(TENANT_ROOT);
		assert_ok!(ContentFabric::create_tenant(root(), SPACE, TENANT, MAX_HELD));
		let level = Some(pallet_content_fabric::TenantLevel::Content);
		assert_ok!(ContentFabric::set_tenant_key(root(), TENANT, EDITOR, level));
	});
}

/// A tenant publishes two versions of an object, and gives it a name.
#[docify::export]
pub fn publish(chain: &mut Chain) {
	chain.block(|| {
		// The node drafts a commit, with a muid of its own.
		let version = |version| DraftVersion {
			object: OBJECT,
			version,
			hash: HashKind::Blake3,
			size: 1_000,
			set_head_on_finalize: true,
		};
		let commit = VersionCommit {
			muid: node_muid(PROVIDER, NODE),
			originator: PROVIDER,
			node: NODE,
			// No other node is asked to hold the data.
			copies: Default::default(),
			tenant: TENANT,
			// The data is not encrypted.
			kms: None,
			create_objects: true,
			versions: vec![version(DRAFT), version(HEAD)].try_into().expect("the list is short"),
		};
		// The tenant's editor signs it, and the node's operator submits it.
		let signature = sign(EDITOR, &commit);
		let operator = || signed(OPERATOR);
		assert_ok!(ContentFabric::commit_versions(operator(), EDITOR, commit, signature));
	});
	chain.block(|| {
		// The data of one version is complete. It becomes the head.
		let versions = vec![(OBJECT, HEAD)].try_into().expect("the list is short");
		let operator = signed(OPERATOR);
		assert_ok!(ContentFabric::finalize_versions(operator, PROVIDER, NODE, TENANT, versions));
		assert_eq!(head(), Some(HEAD));
	});
	chain.block(|| {
		// The tenant names the object, and the name leads to the head.
		let (root, any) = (signed(TENANT_ROOT), RecordKeyType::Any);
		let (names, syntax) = (name("com.example.films"), RecordKeySyntax::PathSegment);
		assert_ok!(ContentFabric::create_collection(root, TENANT, names.clone(), any, syntax));
		let target = ContentRef { object: OBJECT, version: None };
		let records = vec![(Some(key("arrival:2016")), target)];
		let records = records.try_into().expect("the list is short");
		assert_ok!(ContentFabric::put_records(signed(EDITOR), TENANT, names.clone(), records));
		let found = ContentFabric::resolve(TENANT, names.into(), key("arrival:2016").into());
		let expected = ContentRef { object: OBJECT, version: Some(HEAD) };
		assert_eq!(found, Some(Resolution::Content(expected)));
	});
}

/// Governance suspends a tenant, decides, and deletes all that it owns with one call.
#[docify::export]
pub fn purge(chain: &mut Chain) {
	chain.block(|| {
		// While the governor looks into a complaint, nobody can act for the tenant.
		let (created, why) = (created(THE_TENANT), || reason("motion 7"));
		let governor = || signed(GOVERNOR);
		assert_ok!(ContentFabric::set_suspended(governor(), THE_TENANT, created, true, why()));
		// It slashes a part of the bond and deletes the tenant: exactly the incarnation that was
		// created then.
		let slash = 1_000;
		assert_ok!(ContentFabric::governance_delete(governor(), THE_TENANT, created, slash, why()));
		let progress = ContentFabric::purge_progress(THE_TENANT).expect("the purge has started");
		assert_eq!(progress.rows_left, progress.rows);
	});
	// The rows are removed in the blocks that follow, as far as these have weight to spare.
	chain.idle();
	chain.block(|| {
		assert_eq!(ContentFabric::rows(THE_TENANT), None);
		// The rest of the bond and all deposits are free again.
		assert_eq!(funds(TENANT_ROOT), (ENDOWMENT - 1_000, 0));
	});
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn a_provider_and_a_tenant_join_a_space() {
		join(&mut Chain::empty());
	}

	#[test]
	fn a_tenant_publishes_a_version_under_a_name() {
		let mut chain = Chain::empty();
		join(&mut chain);
		publish(&mut chain);
	}

	#[test]
	fn governance_deletes_a_tenant_and_all_that_it_owns() {
		let mut chain = Chain::empty();
		join(&mut chain);
		publish(&mut chain);
		purge(&mut chain);
	}
}
