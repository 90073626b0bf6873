// SPDX-License-Identifier: Apache-2.0
//! A fabric with a target for every call, and the senders that may make each call.

use std::path::Path;

use content_fabric_client::{
	chain::calls::{self, EncodedCall},
	ids,
};
use content_fabric_identifiers::{
	ContentObjectId, Muid, NodeId, ProviderId, RecordKeySyntax, RecordKeyType, SpaceId, TenantId,
	VersionId,
};
use content_fabric_primitives::{ContentRef, KmsKey, MemberId, ProviderLevel, Role, TenantLevel};
use content_fabric_tests::{
	client::{create_tenant, rules, signer, MAX_HELD},
	fabric::{draft, Fabric},
};
use subxt::utils::AccountId32;

/// Root, by the sudo key.
pub const ROOT: &str = "root";
/// Has the sudo key, and no role in the fabric.
pub const STRANGER: &str = "//Alice";
pub const GOVERNOR: &str = "//Ferdie";
pub const PROVIDER_ROOT: &str = "//Bob";
pub const TENANT_ROOT: &str = "//Charlie";
/// The nominee for the root of both members.
pub const NOMINEE: &str = "//One";
/// The governor of another space.
const OTHER_GOVERNOR: &str = "//Two";
/// Has an admission to the space, as a tenant.
const ADMITTED: &str = "//Ferdie//stash";
const PROVIDER_ADMIN: &str = "//Bob//stash";
/// The operator of the node and of the KMS.
const OPERATOR: &str = "//Dave";
const TENANT_ADMIN: &str = "//Charlie//stash";
const KMS: &str = "//Eve";
const EDITOR: &str = "//Eve//stash";
const READER: &str = "//Dave//stash";

/// All senders of calls, root first.
pub static SENDERS: [&str; 14] = [
	ROOT,
	GOVERNOR,
	OTHER_GOVERNOR,
	PROVIDER_ROOT,
	PROVIDER_ADMIN,
	OPERATOR,
	TENANT_ROOT,
	TENANT_ADMIN,
	KMS,
	EDITOR,
	READER,
	NOMINEE,
	ADMITTED,
	STRANGER,
];
static OVER_PROVIDER: [&str; 3] = [ROOT, GOVERNOR, PROVIDER_ROOT];
static OVER_TENANT: [&str; 3] = [ROOT, GOVERNOR, TENANT_ROOT];
pub static GOVERNANCE: [&str; 2] = [ROOT, GOVERNOR];
static OF_PROVIDER: [&str; 3] = [PROVIDER_ROOT, PROVIDER_ADMIN, OPERATOR];
static OF_TENANT: [&str; 4] = [TENANT_ROOT, TENANT_ADMIN, KMS, EDITOR];
static OF_KMS: [&str; 3] = [TENANT_ROOT, TENANT_ADMIN, OPERATOR];
static OF_COPY: [&str; 7] =
	[PROVIDER_ROOT, PROVIDER_ADMIN, OPERATOR, TENANT_ROOT, TENANT_ADMIN, KMS, EDITOR];

const ADMIN: Option<ProviderLevel> = Some(ProviderLevel::Admin);
const DRAFT: VersionId = VersionId([1; 32]);
/// A collection with one record.
const NAMES: &str = "names";
const RECORD: &str = "record";
/// A collection without records.
const EMPTY: &str = "empty";

/// Calls, and those who may make them.
pub struct Row {
	pub allowed: &'static [&'static str],
	/// True if both members are suspended.
	pub suspended: bool,
	pub calls: Vec<EncodedCall>,
}

/// Makes a row of calls of different types, which the metadata of a chain encodes.
macro_rules! row {
	[$client:expr, $allowed:expr, $($call:expr),+ $(,)?] => {
		crate::permissions::table::Row {
			allowed: &$allowed[..],
			suspended: false,
			calls: vec![$($client.encode($call)),+],
		}
	};
}
pub(super) use row;

/// A member and the time of its creation.
pub type Incarnation = (MemberId, Muid);

pub struct Parts {
	pub fabric: Fabric,
	pub provider: Incarnation,
	pub tenant: Incarnation,
	/// A node that has committed a draft.
	node: NodeId,
	/// A node without versions.
	mirror: NodeId,
	/// A node that has yet to be confirmed.
	pending: NodeId,
	/// An object without versions.
	empty: ContentObjectId,
}

pub fn account(key: &str) -> AccountId32 {
	*signer(key).account()
}

pub fn freeze((member, created): Incarnation, enabled: bool) -> calls::SetGovernanceDelete {
	calls::SetGovernanceDelete { member, created, enabled, reason: Vec::new() }
}

pub fn suspend((member, created): Incarnation, enabled: bool) -> calls::SetSuspended {
	calls::SetSuspended { member, created, enabled, reason: Vec::new() }
}

pub fn governance_delete((member, created): Incarnation) -> calls::GovernanceDelete {
	calls::GovernanceDelete { member, created, slash: 0, reason: Vec::new() }
}

fn create_space(space: SpaceId, governor: &str) -> calls::CreateSpace {
	calls::CreateSpace { space, governor: account(governor), rules: rules(0) }
}

pub fn revoke_admission(space: SpaceId) -> calls::RevokeAdmissions {
	calls::RevokeAdmissions { space, admissions: vec![(account(ADMITTED), Role::Tenant)] }
}

fn nominate((member, created): Incarnation, nominee: &str) -> calls::NominateRoot {
	calls::NominateRoot { member, created, nominee: Some(account(nominee)) }
}

fn set_provider_key(
	id: ProviderId,
	key: &str,
	level: Option<ProviderLevel>,
) -> calls::SetProviderKey {
	calls::SetProviderKey { id, account: account(key), level }
}

fn create_collection(tenant: TenantId, name: &str) -> calls::CreateCollection {
	let (key_type, syntax) = (RecordKeyType::Any, RecordKeySyntax::Unreserved);
	calls::CreateCollection { tenant, name: name.into(), key_type, syntax }
}

impl Parts {
	/// Starts a chain with the fabric.
	pub async fn start(dir: &Path) -> Self {
		let fabric = Fabric::start(dir, 0).await;
		let Fabric { client, raw, alice, bob, charlie, dave, .. } = &fabric;
		let Fabric { space, provider: id, tenant, object, .. } = fabric;
		let governor = calls::SetSpaceGovernor { space, governor: account(GOVERNOR) };
		fabric.submit(alice, client.sudo(governor)).await;
		let other = create_space(ids::space("other"), OTHER_GOVERNOR);
		fabric.submit(alice, client.sudo(other)).await;
		let admit = calls::Admit { space, account: account(ADMITTED), role: Role::Tenant };
		fabric.submit(&signer(GOVERNOR), admit).await;

		let node = fabric.add_node("node", dave).await;
		let mirror = fabric.add_node("mirror", dave).await;
		let commit = fabric.commit(node, &[draft(object, DRAFT)]).await;
		fabric.submit(dave, fabric.signed(charlie, &commit)).await;
		let created = raw.provider(id).await.expect("the provider exists").created;
		let provider = (id.into(), created);
		let pending = ids::node(id, "pending");
		let of_provider = [
			client.encode(set_provider_key(id, PROVIDER_ADMIN, ADMIN)),
			client.encode(fabric.create_node(pending, dave)),
			client.encode(nominate(provider, NOMINEE)),
		];
		fabric.submit(bob, client.batch(of_provider)).await;

		let created = fabric.tenant_row().await.created;
		let parts = Self {
			provider,
			tenant: (tenant.into(), created),
			node,
			mirror,
			pending,
			empty: ids::content_object(tenant, "empty"),
			fabric,
		};
		let Fabric { client, charlie, .. } = &parts.fabric;
		let of_tenant = [
			client.encode(parts.set_tenant_key(TENANT_ADMIN, Some(TenantLevel::Admin))),
			client.encode(parts.set_tenant_key(KMS, Some(TenantLevel::Kms))),
			client.encode(parts.set_tenant_key(EDITOR, Some(TenantLevel::Content))),
			client.encode(parts.set_tenant_key(READER, Some(TenantLevel::Read))),
			client.encode(calls::CreateContentObject { tenant, object: parts.empty }),
			client.encode(create_collection(tenant, NAMES)),
			client.encode(create_collection(tenant, EMPTY)),
			client.encode(parts.put_record(RECORD)),
			client.encode(nominate(parts.tenant, NOMINEE)),
		];
		parts.fabric.submit(charlie, client.batch(of_tenant)).await;
		parts
	}

	fn set_tenant_key(&self, key: &str, level: Option<TenantLevel>) -> calls::SetTenantKey {
		calls::SetTenantKey { id: self.fabric.tenant, account: account(key), level }
	}

	fn put_record(&self, key: &str) -> calls::PutRecords {
		let Fabric { tenant, object, .. } = self.fabric;
		let records = vec![(Some(key.into()), ContentRef { object, version: None })];
		calls::PutRecords { tenant, collection: NAMES.into(), records }
	}

	/// Returns the calls that fit the fabric as [`start`](Self::start) leaves it.
	pub async fn open(&self) -> Vec<Row> {
		let Self { fabric, node, mirror, pending, empty, .. } = self;
		let Fabric { client, alice, .. } = fabric;
		let Fabric { space, provider, tenant, kms, object, .. } = *fabric;
		let (node, mirror, pending, empty) = (*node, *mirror, *pending, *empty);
		let versions = || vec![(object, DRAFT)];
		let (stranger, role, max_held) = (account(STRANGER), Role::Tenant, MAX_HELD);
		let locator = || b"https://127.0.0.1/new".to_vec();
		let commit = fabric.commit(node, &[draft(object, VersionId([2; 32]))]).await;
		let mut rows = vec![
			row![client, [ROOT], create_space(ids::space("new"), STRANGER)],
			row![
				client,
				GOVERNANCE,
				calls::SetSpaceRules { space, rules: rules(1) },
				calls::SetSpaceGovernor { space, governor: stranger },
				calls::Admit { space, account: account(EDITOR), role },
				revoke_admission(space),
			],
			row![
				client,
				SENDERS[1..],
				calls::CreateProvider { space, id: ids::provider(space, "new"), max_held },
				create_tenant(space, ids::tenant(space, "new")),
			],
			row![
				client,
				OF_PROVIDER[..1],
				set_provider_key(provider, STRANGER, ADMIN),
				set_provider_key(provider, PROVIDER_ADMIN, None),
			],
			row![
				client,
				OF_PROVIDER[..2],
				fabric.create_node(ids::node(provider, "new"), alice),
				calls::SetNodeLocator { provider, node, locator: locator() },
				calls::SetNodeOperator { provider, node, operator: stranger },
				calls::RemoveNode { provider, node },
			],
			row![
				client,
				OF_PROVIDER,
				calls::ConfirmNode { provider, node: pending },
				fabric.signed(&signer(EDITOR), &commit),
				fabric.finalize(node, [(object, DRAFT)]),
			],
			row![
				client,
				OF_TENANT[..1],
				self.set_tenant_key(STRANGER, Some(TenantLevel::Admin)),
				self.set_tenant_key(TENANT_ADMIN, None),
			],
			row![
				client,
				OF_TENANT[..2],
				self.set_tenant_key(STRANGER, Some(TenantLevel::Kms)),
				self.set_tenant_key(STRANGER, Some(TenantLevel::Content)),
				self.set_tenant_key(STRANGER, Some(TenantLevel::Read)),
				self.set_tenant_key(EDITOR, None),
				calls::AddKms { kms: ids::kms(tenant, "new"), ..fabric.add_kms() },
				calls::RemoveKms { tenant, kms },
				create_collection(tenant, "new"),
				calls::DeleteCollection { tenant, name: EMPTY.into() },
			],
			row![
				client,
				OF_KMS,
				calls::SetKms { tenant, kms, locator: locator(), key: KmsKey([2; 32]) }
			],
			row![
				client,
				OF_COPY,
				calls::RemoveCopies { tenant, provider, node, versions: versions() }
			],
			row![
				client,
				OF_TENANT,
				calls::AddCopies { tenant, provider, node: mirror, versions: versions() },
				calls::CreateContentObject { tenant, object: ids::content_object(tenant, "new") },
				calls::SetHeadVersion { tenant, object, version: None },
				calls::DeleteVersion { tenant, object, version: DRAFT },
				calls::DeleteContentObject { tenant, object: empty },
				self.put_record("new"),
				calls::DeleteRecords {
					tenant,
					collection: NAMES.into(),
					keys: vec![RECORD.into()],
				},
			],
		];
		for (incarnation, over) in [(self.provider, &OVER_PROVIDER), (self.tenant, &OVER_TENANT)] {
			let (member, created) = incarnation;
			let (amount, reason) = (1, Vec::new());
			rows.extend([
				row![
					client,
					over[2..],
					calls::TopUpBond { member, amount },
					calls::SetMaxHeld { member, amount: max_held },
					calls::PurgeMember { member },
				],
				row![client, over, nominate(incarnation, STRANGER)],
				row![client, [NOMINEE], calls::AcceptRoot { member, max_held }],
				row![
					client,
					over[..2],
					calls::Slash { member, created, amount, reason },
					suspend(incarnation, true),
					freeze(incarnation, true),
					governance_delete(incarnation),
				],
			]);
		}
		rows
	}

	/// Returns the calls that fit it while both members are frozen.
	pub fn frozen(&self) -> Row {
		let Fabric { provider, tenant, kms, object, .. } = self.fabric;
		let (of_provider, created, reason) = (self.provider.1, self.tenant.1, Vec::new);
		row![
			self.fabric.client,
			GOVERNANCE,
			calls::GovernanceDeleteNode {
				provider,
				created: of_provider,
				node: self.node,
				reason: reason(),
			},
			calls::GovernanceDeleteProviderKey {
				id: provider,
				created: of_provider,
				account: account(PROVIDER_ADMIN),
				reason: reason(),
			},
			calls::GovernanceDeleteTenantKey {
				id: tenant,
				created,
				account: account(EDITOR),
				reason: reason(),
			},
			calls::GovernanceDeleteKms { tenant, created, kms, reason: reason() },
			calls::GovernanceDeleteContentObject {
				tenant,
				created,
				object: self.empty,
				reason: reason(),
			},
			calls::GovernanceDeleteVersion {
				tenant,
				created,
				object,
				version: DRAFT,
				reason: reason(),
			},
			calls::GovernanceDeleteCollection {
				tenant,
				created,
				name: EMPTY.into(),
				reason: reason(),
			},
			calls::GovernanceDeleteRecord {
				tenant,
				created,
				collection: NAMES.into(),
				key: RECORD.into(),
				reason: reason(),
			},
		]
	}
}
