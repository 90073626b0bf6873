// SPDX-License-Identifier: Apache-2.0
//! Calls of the runtime, typed. Arguments are encoded by the chain's metadata, which matches them
//! by their names, so a call whose arguments the chain does not have is refused before it is
//! signed.

use std::any::Any;

use codec::Encode;
use content_fabric_identifiers::{
	ContentObjectId, KmsId, Muid, NodeId, ProviderId, RecordKeySyntax, RecordKeyType, SpaceId,
	TenantId, VersionId,
};
use content_fabric_primitives::{ContentRef, KmsKey, MemberId, ProviderLevel, Role, TenantLevel};
use scale_encode::{
	EncodeAsFields, EncodeAsType, Error as EncodeError, Field, FieldIter, TypeResolver,
};
use subxt::{
	metadata::Metadata,
	tx::Payload,
	utils::{AccountId32, MultiAddress, MultiSignature},
};

pub use super::rows::Rules;
use super::{blake2_256, Error, Weight};

/// A call with its arguments.
pub trait Call: EncodeAsFields {
	/// The name of the pallet.
	const PALLET: &'static str;
	/// The name of the call in the pallet.
	const NAME: &'static str;
	/// The lowest level in its member that lets an account make the call. `None` if the call depends
	/// on no level.
	const LEVEL: Option<TenantLevel> = None;

	/// Returns the member that the call is about: the first that its arguments name.
	fn member(&self) -> Option<MemberId> {
		None
	}
}

/// Returns the member that an argument names.
fn member_of(argument: &dyn Any) -> Option<MemberId> {
	let provider = || argument.downcast_ref::<ProviderId>().map(|id| (*id).into());
	let tenant = || argument.downcast_ref::<TenantId>().map(|id| (*id).into());
	argument.downcast_ref().copied().or_else(provider).or_else(tenant)
}

/// Declares the calls of a pallet. `for` names the lowest level that permits a call; providers use
/// `Admin` and `Root` only. The operator of a node or a KMS may make some calls without the level. A
/// commit depends on no level: the operator of a node or an Admin of its provider submits it, and an
/// account with the level `Content` signs it. `as` names a list of the calls, which is declared too.
macro_rules! calls {
	(@level) => { None };
	(@level $level:ident) => { Some(TenantLevel::$level) };
	($pallet:literal as $all:ident: $($(#[$doc:meta])* $name:ident = $call:literal $(for $level:ident)? { $($field:tt)* })*) => {
		/// The name of each call of the pallet, and the level that permits it.
		#[cfg(any(feature = "encryption", test))]
		pub(crate) const $all: &[(&str, Option<TenantLevel>)] = &[$(($call, $name::LEVEL)),*];

		calls! { $pallet: $($(#[$doc])* $name = $call $(for $level)? { $($field)* })* }
	};
	($pallet:literal: $($(#[$doc:meta])* $name:ident = $call:literal $(for $level:ident)? { $($field:ident: $type:ty),* $(,)? })*) => {$(
		#[doc = concat!("`", $pallet, ".", $call, "`")]
		$(#[$doc])*
		#[derive(Clone, Debug, EncodeAsType)]
		// The pallet documents its arguments.
		#[allow(missing_docs)]
		pub struct $name { $(pub $field: $type,)* }

		impl Call for $name {
			const PALLET: &'static str = $pallet;
			const NAME: &'static str = $call;
			const LEVEL: Option<TenantLevel> = calls!(@level $($level)?);

			fn member(&self) -> Option<MemberId> {
				let arguments: &[&dyn Any] = &[$(&self.$field),*];
				arguments.iter().find_map(|argument| member_of(*argument))
			}
		}
	)*};
}

calls! { "ContentFabric" as FABRIC:
	CreateSpace = "create_space" { space: SpaceId, governor: AccountId32, rules: Rules }
	SetSpaceRules = "set_space_rules" { space: SpaceId, rules: Rules }
	SetSpaceGovernor = "set_space_governor" { space: SpaceId, governor: AccountId32 }
	Admit = "admit" { space: SpaceId, account: AccountId32, role: Role }
	RevokeAdmissions = "revoke_admissions" { space: SpaceId, admissions: Vec<(AccountId32, Role)> }
	DeleteSpace = "delete_space" { space: SpaceId }
	CreateProvider = "create_provider" { space: SpaceId, id: ProviderId, max_held: u128 }
	CreateTenant = "create_tenant" { space: SpaceId, id: TenantId, max_held: u128 }
	TopUpBond = "top_up_bond" for Root { member: MemberId, amount: u128 }
	SetMaxHeld = "set_max_held" for Root { member: MemberId, amount: u128 }
	NominateRoot = "nominate_root" for Root {
		member: MemberId, created: Muid, nominee: Option<AccountId32>,
	}
	AcceptRoot = "accept_root" { member: MemberId, max_held: u128 }
	PurgeMember = "purge_member" for Root { member: MemberId }
	DeleteMember = "delete_member" for Root { member: MemberId }
	SetProviderKey = "set_provider_key" for Admin {
		id: ProviderId, account: AccountId32, level: Option<ProviderLevel>,
	}
	SetTenantKey = "set_tenant_key" for Admin {
		id: TenantId, account: AccountId32, level: Option<TenantLevel>,
	}
	CreateNode = "create_node" for Admin {
		provider: ProviderId, node: NodeId, operator: AccountId32, locator: Vec<u8>,
	}
	ConfirmNode = "confirm_node" for Admin { provider: ProviderId, node: NodeId }
	SetNodeLocator = "set_node_locator" for Admin {
		provider: ProviderId, node: NodeId, locator: Vec<u8>,
	}
	SetNodeOperator = "set_node_operator" for Admin {
		provider: ProviderId, node: NodeId, operator: AccountId32,
	}
	RemoveNode = "remove_node" for Admin { provider: ProviderId, node: NodeId }
	AddKms = "add_kms" for Admin {
		tenant: TenantId, kms: KmsId, operator: AccountId32, locator: Vec<u8>, key: KmsKey,
	}
	SetKms = "set_kms" for Admin { tenant: TenantId, kms: KmsId, locator: Vec<u8>, key: KmsKey }
	RemoveKms = "remove_kms" for Admin { tenant: TenantId, kms: KmsId }
	CreateContentObject = "create_content_object" for Content {
		tenant: TenantId, object: ContentObjectId,
	}
	/// The commit is a [`VersionCommit`](content_fabric_primitives::VersionCommit), encoded: what
	/// goes to the chain is what the tenant has signed, byte by byte.
	CommitVersions = "commit_versions" {
		tenant_signer: AccountId32, commit: Encoded, signature: MultiSignature,
	}
	FinalizeVersions = "finalize_versions" for Admin {
		provider: ProviderId,
		node: NodeId,
		tenant: TenantId,
		versions: Vec<(ContentObjectId, VersionId)>,
	}
	AddCopies = "add_copies" for Content {
		tenant: TenantId,
		provider: ProviderId,
		node: NodeId,
		versions: Vec<(ContentObjectId, VersionId)>,
	}
	RemoveCopies = "remove_copies" for Content {
		tenant: TenantId,
		provider: ProviderId,
		node: NodeId,
		versions: Vec<(ContentObjectId, VersionId)>,
	}
	SetHeadVersion = "set_head_version" for Content {
		tenant: TenantId, object: ContentObjectId, version: Option<VersionId>,
	}
	DeleteVersion = "delete_version" for Content {
		tenant: TenantId, object: ContentObjectId, version: VersionId,
	}
	DeleteContentObject = "delete_content_object" for Content {
		tenant: TenantId, object: ContentObjectId,
	}
	CreateCollection = "create_collection" for Admin {
		tenant: TenantId, name: Vec<u8>, key_type: RecordKeyType<Vec<u8>>, syntax: RecordKeySyntax,
	}
	DeleteCollection = "delete_collection" for Admin { tenant: TenantId, name: Vec<u8> }
	PutRecords = "put_records" for Content {
		tenant: TenantId, collection: Vec<u8>, records: Vec<RecordPut>,
	}
	DeleteRecords = "delete_records" for Content {
		tenant: TenantId, collection: Vec<u8>, keys: Vec<Vec<u8>>,
	}
	Slash = "slash" { member: MemberId, created: Muid, amount: u128, reason: Vec<u8> }
	SetSuspended = "set_suspended" {
		member: MemberId, created: Muid, enabled: bool, reason: Vec<u8>,
	}
	SetGovernanceDelete = "set_governance_delete" {
		member: MemberId, created: Muid, enabled: bool, reason: Vec<u8>,
	}
	GovernanceDeleteNode = "governance_delete_node" {
		provider: ProviderId, created: Muid, node: NodeId, reason: Vec<u8>,
	}
	GovernanceDeleteProviderKey = "governance_delete_provider_key" {
		id: ProviderId, created: Muid, account: AccountId32, reason: Vec<u8>,
	}
	GovernanceDeleteTenantKey = "governance_delete_tenant_key" {
		id: TenantId, created: Muid, account: AccountId32, reason: Vec<u8>,
	}
	GovernanceDeleteKms = "governance_delete_kms" {
		tenant: TenantId, created: Muid, kms: KmsId, reason: Vec<u8>,
	}
	GovernanceDeleteContentObject = "governance_delete_content_object" {
		tenant: TenantId, created: Muid, object: ContentObjectId, reason: Vec<u8>,
	}
	GovernanceDeleteVersion = "governance_delete_version" {
		tenant: TenantId,
		created: Muid,
		object: ContentObjectId,
		version: VersionId,
		reason: Vec<u8>,
	}
	GovernanceDeleteCollection = "governance_delete_collection" {
		tenant: TenantId, created: Muid, name: Vec<u8>, reason: Vec<u8>,
	}
	GovernanceDeleteRecord = "governance_delete_record" {
		tenant: TenantId, created: Muid, collection: Vec<u8>, key: Vec<u8>, reason: Vec<u8>,
	}
	GovernanceDelete = "governance_delete" {
		member: MemberId, created: Muid, slash: u128, reason: Vec<u8>,
	}
	Reap = "reap" { member: MemberId, limit: u32 }
}

calls! { "Balances":
	/// Moves funds. Fails if the sender would keep less than the existential deposit.
	TransferKeepAlive = "transfer_keep_alive" { dest: MultiAddress<AccountId32, ()>, value: u128 }
}

calls! { "Utility":
	/// Several calls that succeed or fail together.
	BatchAll = "batch_all" { calls: Vec<EncodedCall> }
	/// A call, and another one in its place if it fails.
	IfElse = "if_else" { main: EncodedCall, fallback: EncodedCall }
}

calls! { "Sudo":
	/// A call as root, on chains that have a sudo key.
	Sudo = "sudo" { call: EncodedCall }
}

calls! { "Proxy":
	/// A call of another account, which has made the signer its proxy.
	Proxy = "proxy" {
		real: MultiAddress<AccountId32, ()>, force_proxy_type: Option<()>, call: EncodedCall,
	}
}

calls! { "Council":
	/// A motion, which `threshold` members must approve.
	Propose = "propose" {
		threshold: u32, proposal: EncodedCall, length_bound: u32,
	}
	Vote = "vote" { proposal: [u8; 32], index: u32, approve: bool }
	Close = "close" {
		proposal_hash: [u8; 32], index: u32, proposal_weight_bound: Weight, length_bound: u32,
	}
	/// Releases the deposit of a motion that has ended. Any account may do that.
	ReleaseProposalCost = "release_proposal_cost" { proposal_hash: [u8; 32] }
}

calls! { "Whitelist":
	/// Lets a call be dispatched as root.
	WhitelistCall = "whitelist_call" { call_hash: [u8; 32] }
	/// Dispatches a whitelisted call as root.
	DispatchWhitelistedCall = "dispatch_whitelisted_call_with_preimage" { call: EncodedCall }
}

calls! { "CollatorSelection":
	/// Names these validators, and no others.
	SetInvulnerables = "set_invulnerables" { new: Vec<AccountId32> }
	/// Names a validator, whose session keys must be registered.
	AddInvulnerable = "add_invulnerable" { who: AccountId32 }
	/// Removes a validator from those that are named.
	RemoveInvulnerable = "remove_invulnerable" { who: AccountId32 }
}

calls! { "Session":
	/// Registers session keys, with a proof that the node that has them knows their owner.
	SetKeys = "set_keys" { keys: Encoded, proof: Vec<u8> }
	/// Removes the session keys of the signer.
	PurgeKeys = "purge_keys" {}
}

calls! { "Grandpa":
	/// Begins a new set of voters although the present one does not finalize blocks any more.
	NoteStalled = "note_stalled" { delay: u32, best_finalized_block_number: u32 }
}

calls! { "System":
	/// Authorizes a runtime by the hash of its code.
	AuthorizeUpgrade = "authorize_upgrade" { code_hash: [u8; 32] }
	/// Replaces the runtime by the one that is authorized. Any account may do that.
	ApplyAuthorizedUpgrade = "apply_authorized_upgrade" { code: Vec<u8> }
}

/// A record and what it leads to. Without a key the chain mints a TID.
pub type RecordPut = (Option<Vec<u8>>, ContentRef);

/// A value that is encoded already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Encoded(Vec<u8>);

impl Encoded {
	/// Encodes a value.
	pub fn new(value: &impl Encode) -> Self {
		Self(value.encode())
	}

	/// Takes bytes that are the encoding of a value.
	pub const fn from_bytes(bytes: Vec<u8>) -> Self {
		Self(bytes)
	}
}

impl EncodeAsType for Encoded {
	fn encode_as_type_to<R: TypeResolver>(
		&self,
		_: R::TypeId,
		_: &R,
		out: &mut Vec<u8>,
	) -> Result<(), EncodeError> {
		out.extend_from_slice(&self.0);
		Ok(())
	}
}

/// A call that the chain's metadata has encoded: ready to be signed, or to be wrapped in another
/// one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EncodedCall {
	pallet: &'static str,
	name: &'static str,
	level: Option<TenantLevel>,
	member: Option<MemberId>,
	bytes: Vec<u8>,
}

impl EncodedCall {
	/// Number of bytes before the arguments: the indices of the pallet and the call.
	const INDICES: usize = 2;

	/// Encodes a call as the metadata of a runtime says.
	pub fn new<C: Call>(call: &C, metadata: &Metadata) -> Result<Self, Error> {
		let (pallet, name) = (C::PALLET, C::NAME);
		let missing = || Error::Metadata(format!("call {pallet}.{name}"));
		let of_pallet = metadata.pallet_by_name(pallet).ok_or_else(missing)?;
		let variant = of_pallet.call_variant_by_name(name).ok_or_else(missing)?;
		let mut bytes = vec![of_pallet.call_index(), variant.index];
		let fields = variant.fields.iter();
		let mut fields = fields.map(|field| Field::new(field.ty.id, field.name.as_deref()));
		call.encode_as_fields_to(&mut fields, metadata.types(), &mut bytes).map_err(|error| {
			Error::Metadata(format!("call {pallet}.{name} as expected: {error}"))
		})?;
		Ok(Self { pallet, name, level: C::LEVEL, member: call.member(), bytes })
	}

	/// Returns the name of the pallet and the call, `ContentFabric.reap`.
	pub fn name(&self) -> String {
		format!("{}.{}", self.pallet, self.name)
	}

	/// Returns the [lowest level](Call::LEVEL) that lets an account make the call.
	pub fn level(&self) -> Option<TenantLevel> {
		self.level
	}

	/// Returns the member that the call is about. `None` for calls that contain others.
	pub fn member(&self) -> Option<MemberId> {
		self.member
	}

	/// Returns whether this is a call of the type `C`.
	pub fn is<C: Call>(&self) -> bool {
		(self.pallet, self.name) == (C::PALLET, C::NAME)
	}

	/// Returns the encoded call: the indices of the pallet and the call, and the arguments.
	pub fn bytes(&self) -> &[u8] {
		&self.bytes
	}

	/// Returns the BLAKE2b-256 hash of the encoded call, by which councils, multisigs and proxies
	/// name it.
	pub fn hash(&self) -> [u8; 32] {
		blake2_256(&self.bytes)
	}
}

impl EncodeAsType for EncodedCall {
	fn encode_as_type_to<R: TypeResolver>(
		&self,
		_: R::TypeId,
		_: &R,
		out: &mut Vec<u8>,
	) -> Result<(), EncodeError> {
		out.extend_from_slice(&self.bytes);
		Ok(())
	}
}

impl EncodeAsFields for EncodedCall {
	fn encode_as_fields_to<R: TypeResolver>(
		&self,
		_: &mut dyn FieldIter<'_, R::TypeId>,
		_: &R,
		out: &mut Vec<u8>,
	) -> Result<(), EncodeError> {
		out.extend_from_slice(self.bytes.get(Self::INDICES..).unwrap_or_default());
		Ok(())
	}
}

impl Payload for EncodedCall {
	type CallData = Self;

	fn pallet_name(&self) -> &str {
		self.pallet
	}

	fn call_name(&self) -> &str {
		self.name
	}

	fn call_data(&self) -> &Self {
		self
	}
}

#[cfg(test)]
mod tests {
	use bounded_collections::{BoundedVec, ConstU32};
	use content_fabric_primitives::{
		AdmissionPolicy, DraftVersion, HashKind, SpaceRules, VersionCommit,
	};
	use scale_info::{meta_type, PortableRegistry, Registry, TypeInfo};

	use super::*;
	use crate::text::Text;

	type List<Item> = BoundedVec<Item, ConstU32<500>>;

	fn list<Item>(items: Vec<Item>) -> List<Item> {
		items.try_into().map_err(drop).expect("the list is short")
	}

	/// Asserts that a chain whose argument has the type of `meant` reads `argument` as that.
	fn assert_read_as<T: TypeInfo + Encode + 'static>(argument: &impl EncodeAsType, meant: &T) {
		let mut registry = Registry::new();
		let id = registry.register_type(&meta_type::<T>()).id;
		let registry = PortableRegistry::from(registry);
		let encoded = argument.encode_as_type(id, &registry).expect("the argument is of the type");
		assert_eq!(encoded, meant.encode());
	}

	const TENANT: TenantId = TenantId([3; 10]);
	const OBJECT: ContentObjectId = ContentObjectId([4; 10]);
	const VERSION: VersionId = VersionId([5; 32]);

	#[test]
	fn ids_and_levels_are_encoded_as_the_chains_own_types() {
		for member in [MemberId::from(ProviderId([1; 10])), MemberId::from(TENANT)] {
			assert_read_as(&member, &member);
		}
		let muid = Muid::from_u128(0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10);
		assert_read_as(&muid, &muid);
		for level in [None, Some(TenantLevel::Read), Some(TenantLevel::Admin)] {
			assert_read_as(&level, &level);
		}
		assert_read_as(&Some(ProviderLevel::Admin), &Some(ProviderLevel::Admin));
		assert_read_as(&Some(AccountId32([6; 32])), &Some([6u8; 32]));
		assert_read_as(&VERSION, &VERSION);
		assert_read_as(&KmsKey([7; 32]), &KmsKey([7; 32]));
	}

	#[test]
	fn lists_are_encoded_as_bounded_lists() {
		for count in [0, 1, 2] {
			let versions = vec![(OBJECT, VERSION); count];
			assert_read_as(&versions, &list(versions.clone()));
			let target = ContentRef { object: OBJECT, version: Some(VERSION) };
			for key in [None, Some(b"k".to_vec()), Some(b"names".to_vec())] {
				let records: Vec<RecordPut> = vec![(key.clone(), target); count];
				assert_read_as(&records, &list(vec![(key.map(list), target); count]));
			}
			let keys = vec![b"k".to_vec(); count];
			assert_read_as(&keys, &list(vec![list(b"k".to_vec()); count]));
			let admissions = vec![(AccountId32([6; 32]), Role::Tenant); count];
			assert_read_as(&admissions, &list(vec![([6u8; 32], Role::Tenant); count]));
		}
	}

	#[test]
	fn rules_and_types_of_keys_are_encoded_as_the_shared_types() {
		for sla in ["", "a", "https://example.com/sla"] {
			let (admission, sla) = (AdmissionPolicy::Approval, sla.as_bytes().to_vec());
			let rules = Rules {
				provider_bond: 1,
				tenant_bond: u128::MAX,
				admission,
				partitions: 3,
				sla: Text(sla.clone()),
			};
			let meant = SpaceRules {
				provider_bond: 1,
				tenant_bond: u128::MAX,
				admission,
				partitions: 3,
				sla,
			};
			assert_read_as(&rules, &meant);
		}
		for (key_type, meant) in [
			(RecordKeyType::Any, RecordKeyType::Any),
			(
				RecordKeyType::Literal(b"self".to_vec()),
				RecordKeyType::Literal(list(b"self".to_vec())),
			),
		] {
			assert_read_as(&key_type, &meant);
		}
	}

	#[test]
	fn commits_go_to_the_chain_as_they_were_signed() {
		let draft = |number: u8| DraftVersion {
			object: OBJECT,
			version: VersionId([number; 32]),
			hash: HashKind::Sha256,
			size: 7,
			set_head_on_finalize: number == 2,
		};
		let commit = VersionCommit::<ConstU32<500>, ConstU32<7>> {
			muid: Muid::from_u128(15),
			originator: ProviderId([1; 10]),
			node: NodeId([2; 10]),
			copies: BoundedVec::truncate_from(vec![(ProviderId([3; 10]), NodeId([4; 10]))]),
			tenant: TENANT,
			kms: Some(KmsId([7; 10])),
			create_objects: true,
			versions: list(vec![draft(1), draft(2)]),
		};
		assert_read_as(&Encoded::new(&commit), &commit);
		assert!(commit.payload([1; 32]).ends_with(&commit.encode()));
	}

	#[test]
	fn calls_know_the_member_that_they_are_about() {
		let (provider, node, tenant) = (ProviderId([1; 10]), NodeId([2; 10]), TENANT);
		let finalize = FinalizeVersions { provider, node, tenant, versions: Vec::new() };
		assert_eq!(finalize.member(), Some(provider.into()));
		assert_eq!(RemoveKms { tenant, kms: KmsId([3; 10]) }.member(), Some(tenant.into()));
		let member = MemberId::Tenant(tenant);
		assert_eq!(TopUpBond { member, amount: 1 }.member(), Some(member));
		assert_eq!(DeleteSpace { space: SpaceId([4; 10]) }.member(), None);
		assert_eq!(PurgeKeys {}.member(), None);
	}

	#[test]
	fn calls_keep_their_bytes_when_they_are_wrapped() {
		let types = registry_of_lists();
		let call = EncodedCall {
			pallet: "A",
			name: "b",
			level: None,
			member: None,
			bytes: vec![50, 0, 1, 2, 3],
		};
		let arguments = call.call_data().encode_as_fields(&mut std::iter::empty(), &types);
		assert_eq!((call.name().as_str(), arguments.ok()), ("A.b", Some(vec![1, 2, 3])));
		let wrapped = vec![call.clone(), call.clone()].encode_as_type(0, &types);
		assert_eq!(wrapped.ok(), Some([&[8][..], call.bytes(), call.bytes()].concat()));
	}

	fn registry_of_lists() -> PortableRegistry {
		let mut registry = Registry::new();
		registry.register_type(&meta_type::<Vec<u8>>());
		let registry = PortableRegistry::from(registry);
		assert!(matches!(
			registry.resolve(0).map(|found| &found.type_def),
			Some(scale_info::TypeDef::Sequence(_))
		));
		registry
	}
}
