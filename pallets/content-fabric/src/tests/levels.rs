//! Keys, their levels, and who may set them.

use frame_support::{assert_noop, assert_ok};

use crate::{
	clock::nth_medallion, identifiers::NodeId, mock::*, Error, Event, ProviderKeys, ProviderLevel,
	Subject, TenantKeys, TenantLevel,
};

/// The account that is tried on, and the levels that it may have before and after.
const SUBJECT: AccountId = 20;

/// Every level sets exactly the levels below it, of accounts whose level is below it.
#[test]
fn a_level_sets_what_is_strictly_below_it() {
	let levels =
		[None, Some(TenantLevel::Content), Some(TenantLevel::Kms), Some(TenantLevel::Admin)];
	let signers = [
		(STRANGER, None),
		(EDITOR, Some(TenantLevel::Content)),
		(KMS_ACCOUNT, Some(TenantLevel::Kms)),
		(TENANT_ADMIN, Some(TenantLevel::Admin)),
		(TENANT_ROOT, Some(TenantLevel::Root)),
	];
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| {
		let rows = || ContentFabric::rows(Subject::Tenant(TENANT));
		let without_key = rows();
		let with_key = without_key.map(|rows| rows + 1);
		for present in levels {
			for new in levels.into_iter().chain([Some(TenantLevel::Root)]) {
				for (signer, own) in signers {
					let root = || signed(TENANT_ROOT);
					assert_ok!(ContentFabric::set_tenant_key(root(), TENANT, SUBJECT, present));
					let set = ContentFabric::set_tenant_key(signed(signer), TENANT, SUBJECT, new);
					let allowed = own.is_some() && present < own && new < own;
					let expected = if allowed { new } else { present };
					let refused = Err(Error::<Test>::NoPermission.into());
					assert_eq!(set, if allowed { Ok(()) } else { refused });
					let key = TenantKeys::<Test>::get(TENANT, SUBJECT);
					assert_eq!(key.map(|key| key.level), expected);
					assert_eq!(ContentFabric::tenant_level(TENANT, SUBJECT), expected);
					assert_eq!(rows(), if expected.is_some() { with_key } else { without_key });
				}
			}
		}
		assert_ok!(ContentFabric::set_tenant_key(signed(TENANT_ROOT), TENANT, SUBJECT, None));
	});
}

#[test]
fn an_admin_makes_no_other_admin_and_unmakes_none() {
	Chain::fabric_with_keys().block(|| {
		let admin = || signed(PROVIDER_ADMIN);
		let set =
			|account, level| ContentFabric::set_provider_key(admin(), PROVIDER, account, level);
		for (account, level) in [
			(SUBJECT, Some(ProviderLevel::Admin)),
			(SUBJECT, Some(ProviderLevel::Root)),
			(PROVIDER_ADMIN, None),
			(PROVIDER_ADMIN, Some(ProviderLevel::Node)),
			(PROVIDER_ROOT, None),
			(PROVIDER_ROOT, Some(ProviderLevel::Node)),
		] {
			assert_noop!(set(account, level), Error::<Test>::NoPermission);
		}
		assert_ok!(set(SUBJECT, Some(ProviderLevel::Node)));
		assert_ok!(set(OPERATOR, None));
		assert_eq!(
			events(),
			[
				Event::ProviderKeySet {
					provider: PROVIDER,
					account: SUBJECT,
					level: Some(ProviderLevel::Node)
				},
				Event::ProviderKeySet { provider: PROVIDER, account: OPERATOR, level: None },
			]
		);
	});
}

#[test]
fn even_the_root_cannot_key_itself_or_make_another_root() {
	Chain::fabric_with_keys().block(|| {
		let root = || signed(PROVIDER_ROOT);
		for (account, level) in [
			(PROVIDER_ROOT, Some(ProviderLevel::Admin)),
			(PROVIDER_ROOT, None),
			(SUBJECT, Some(ProviderLevel::Root)),
		] {
			assert_noop!(
				ContentFabric::set_provider_key(root(), PROVIDER, account, level),
				Error::<Test>::NoPermission
			);
		}
	});
}

#[test]
fn a_root_can_take_the_key_that_it_had_before() {
	Chain::fabric_with_keys().block(|| {
		let admin = || signed(PROVIDER_ADMIN);
		let hand_over = signed(PROVIDER_ROOT);
		assert_ok!(ContentFabric::set_provider_root(hand_over, PROVIDER, PROVIDER_ADMIN));
		let keys = || ProviderKeys::<Test>::iter_prefix(PROVIDER).count();
		assert_eq!(keys(), 2);
		let set = |origin, level| {
			ContentFabric::set_provider_key(origin, PROVIDER, PROVIDER_ADMIN, level)
		};
		for level in [ProviderLevel::Node, ProviderLevel::Admin] {
			assert_noop!(set(admin(), Some(level)), Error::<Test>::NoPermission);
		}
		assert_noop!(set(signed(OPERATOR), None), Error::<Test>::NoPermission);
		assert_ok!(set(admin(), None));
		assert_eq!(keys(), 1);
		let level = ContentFabric::provider_level(PROVIDER, PROVIDER_ADMIN);
		assert_eq!(level, Some(ProviderLevel::Root));
	});
}

#[test]
fn handing_over_moves_the_root_level() {
	Chain::fabric_with_keys().block(|| {
		assert_ok!(ContentFabric::set_provider_root(
			signed(PROVIDER_ROOT),
			PROVIDER,
			PROVIDER_ADMIN
		));
		assert_eq!(events(), [Event::ProviderRootSet { provider: PROVIDER, root: PROVIDER_ADMIN }]);
		let level = |account| ContentFabric::provider_level(PROVIDER, account);
		assert_eq!(level(PROVIDER_ADMIN), Some(ProviderLevel::Root));
		assert_eq!(level(PROVIDER_ROOT), None);
		// The new root had a key, which counts again when it hands over in turn.
		assert_ok!(ContentFabric::set_provider_root(RuntimeOrigin::root(), PROVIDER, STRANGER));
		assert_eq!(level(PROVIDER_ADMIN), Some(ProviderLevel::Admin));
		assert_noop!(
			ContentFabric::set_provider_root(signed(PROVIDER_ADMIN), PROVIDER, PROVIDER_ADMIN),
			sp_runtime::DispatchError::BadOrigin
		);
	});
}

#[test]
fn a_node_gives_its_operator_the_lowest_level_and_lowers_none() {
	Chain::fabric_with_keys().block(|| {
		let create = |id, operator| {
			let root = signed(PROVIDER_ROOT);
			let node = NodeId([id; 10]);
			assert_ok!(ContentFabric::create_node(root, PROVIDER, node, operator, locator("x")));
		};
		let rows = || ContentFabric::rows(Subject::Provider(PROVIDER)).expect("exists");
		let before = rows();
		create(10, PROVIDER_ROOT);
		create(11, PROVIDER_ADMIN);
		create(12, OPERATOR);
		assert_eq!(rows(), before + 3);
		create(13, SUBJECT);
		assert_eq!(rows(), before + 5);
		assert_eq!(
			[PROVIDER_ADMIN, OPERATOR, SUBJECT]
				.map(|who| ProviderKeys::<Test>::get(PROVIDER, who).map(|key| key.level)),
			[ProviderLevel::Admin, ProviderLevel::Node, ProviderLevel::Node].map(Some)
		);
		assert_eq!(ProviderKeys::<Test>::get(PROVIDER, PROVIDER_ROOT), None);
		let medallion = nth_medallion(5).expect("is in range");
		assert_eq!(
			events()[3..],
			[
				Event::ProviderKeySet {
					provider: PROVIDER,
					account: SUBJECT,
					level: Some(ProviderLevel::Node)
				},
				Event::NodeCreated { provider: PROVIDER, node: NodeId([13; 10]), medallion },
			]
		);
	});
}

#[test]
fn keys_go_with_their_provider_or_tenant() {
	let mut chain = Chain::fabric_with_keys();
	chain.block(|| {
		assert_noop!(
			ContentFabric::delete_provider(signed(PROVIDER_ROOT), PROVIDER),
			Error::<Test>::ProviderNotEmpty
		);
		assert_ok!(ContentFabric::governance_delete_provider(signed(GOVERNOR), PROVIDER, 0, 100));
		assert_ok!(ContentFabric::governance_delete_tenant(signed(GOVERNOR), TENANT, 0, 100));
	});
	chain.block(|| {
		for map in ["ProviderKeys", "TenantKeys"] {
			assert_eq!(keys_under(&raw_key(map, &[])), 0);
		}
		assert_ok!(ContentFabric::create_tenant(signed(STRANGER), SPACE, TENANT));
		assert_eq!(ContentFabric::tenant_level(TENANT, TENANT_ADMIN), None);
		assert_eq!(ContentFabric::tenant_level(TENANT, STRANGER), Some(TenantLevel::Root));
		assert_eq!(ContentFabric::provider_level(PROVIDER, PROVIDER_ROOT), None);
	});
}
