// SPDX-License-Identifier: Apache-2.0
//! Fabrics for the benchmarks: worst cases, whatever the configuration.

use alloc::{vec, vec::Vec};

use content_fabric_identifiers::{
	ContentObjectId, HashKind, KmsId, Medallion, Muid, NodeId, ProviderId, RecordKeySyntax,
	RecordKeyType, SpaceId, TenantId, VersionId,
};
use frame_benchmarking::v2::*;
use frame_support::{
	pallet_prelude::{BoundedVec, DispatchResult, Get},
	traits::{
		fungible::{Balanced, Inspect, MutateHold},
		tokens::Precision,
		EnsureOrigin, EnsureOriginWithArg, Time,
	},
	weights::Weight,
};
use frame_system::{pallet_prelude::OriginFor, RawOrigin};
use sp_runtime::traits::{Bounded, One, Saturating};

use super::BenchmarkHelper;
use crate::*;

pub const SPACE: SpaceId = SpaceId([1; 10]);
pub const PROVIDER: ProviderId = ProviderId([2; 10]);
pub const NODE: NodeId = NodeId([3; 10]);
pub const TENANT: TenantId = TenantId([4; 10]);
pub const KMS: KmsId = KmsId([5; 10]);
pub const KMS_KEY: KmsKey = KmsKey([5; 32]);
pub const OBJECT: ContentObjectId = ContentObjectId([6; 10]);
pub const VERSION: VersionId = VersionId([7; 32]);
/// The member with the largest row.
pub const MEMBER: MemberId = MemberId::Tenant(TENANT);

/// Returns any text of a length.
pub fn text<MaxLen: Get<u32>>(len: u32) -> BoundedVec<u8, MaxLen> {
	vec![b'x'; len as usize].try_into().unwrap_or_default()
}

/// Returns a text of a length that differs from the texts of other numbers, if it is long enough.
pub fn numbered_text<MaxLen: Get<u32>>(number: u32, len: u32) -> BoundedVec<u8, MaxLen> {
	let mut text = vec![b'x'; len as usize];
	let mut rest = number;
	for byte in &mut text {
		*byte = b'a' + (rest % 26) as u8;
		rest /= 26;
	}
	text.try_into().unwrap_or_default()
}

pub fn longest_locator<T: Config>() -> LocatorOf<T> {
	text(T::MaxLocatorLen::get())
}

pub fn longest_name<T: Config>() -> CollectionNameOf<T> {
	text(T::MaxCollectionNameLen::get())
}

pub fn longest_key<T: Config>() -> RecordKeyOf<T> {
	text(T::MaxRecordKeyLen::get())
}

pub fn longest_reason<T: Config>() -> ReasonOf<T> {
	text(T::MaxReasonLen::get())
}

/// Returns a bond that cannot be left out.
pub fn bond<T: Config>() -> BalanceOf<T> {
	T::Currency::minimum_balance().saturating_mul(100u32.into()).max(One::one())
}

pub fn unlimited<T: Config>() -> BalanceOf<T> {
	Bounded::max_value()
}

pub fn rules<T: Config>(sla: u32) -> SpaceRulesOf<T> {
	SpaceRules {
		provider_bond: bond::<T>(),
		tenant_bond: bond::<T>(),
		admission: AdmissionPolicy::Approval,
		partitions: u32::MAX,
		sla: text(sla),
	}
}

/// Gives an account enough for all bonds and deposits.
pub fn endow<T: Config>(account: &T::AccountId) -> DispatchResult {
	let amount = BalanceOf::<T>::max_value() / 1_000_000u32.into();
	let _ = T::Currency::deposit(account, amount, Precision::Exact)?;
	Ok(())
}

/// Returns the root of both the provider and the tenant.
pub fn root_account<T: Config>() -> T::AccountId {
	account("root", 0, 0)
}

pub fn root<T: Config>() -> OriginFor<T> {
	RawOrigin::Signed(root_account::<T>()).into()
}

/// Returns an account with an access key that makes it an Admin of both: its level has to be looked
/// up, unlike the root's.
pub fn admin<T: Config>() -> OriginFor<T> {
	RawOrigin::Signed(whitelisted_caller()).into()
}

pub fn creator<T: Config>() -> Result<OriginFor<T>, BenchmarkError> {
	T::CreateSpaceOrigin::try_successful_origin().map_err(|()| BenchmarkError::Weightless)
}

pub fn governance<T: Config>() -> Result<OriginFor<T>, BenchmarkError> {
	// The space's governor has to be looked up, unlike root.
	if let Some(space) = Spaces::<T>::get(SPACE) {
		let governor: OriginFor<T> = RawOrigin::Signed(space.governor).into();
		if T::GovernanceOrigin::try_origin(governor.clone(), &SPACE).is_ok() {
			return Ok(governor);
		}
	}
	T::GovernanceOrigin::try_successful_origin(&SPACE).map_err(|()| BenchmarkError::Weightless)
}

/// A space, unless there is one already.
pub fn space<T: Config>() -> DispatchResult {
	if Spaces::<T>::contains_key(SPACE) {
		return Ok(());
	}
	// Past the genesis, where clocks stand at zero.
	frame_system::Pallet::<T>::set_block_number(One::one());
	for account in [root_account::<T>(), whitelisted_caller()] {
		endow::<T>(&account)?;
	}
	Pallet::<T>::do_create_space(SPACE, account("governor", 0, 0), rules::<T>(T::MaxSlaLen::get()))
}

/// A space with an admission of an account, whatever `MaxAdmissions` is.
pub fn admission<T: Config>(account: T::AccountId, role: Role) -> DispatchResult {
	space::<T>()?;
	Admissions::<T>::insert(SPACE, (account, role), ());
	Spaces::<T>::mutate(SPACE, |space| {
		if let Some(space) = space {
			space.admission_count += 1;
		}
	});
	Ok(())
}

/// A provider without rows in a space.
pub fn empty_provider<T: Config>() -> DispatchResult {
	admission::<T>(root_account::<T>(), Role::Provider)?;
	Pallet::<T>::create_provider(root::<T>(), SPACE, PROVIDER, unlimited::<T>())
}

/// A provider with an Admin.
pub fn provider<T: Config>() -> DispatchResult {
	empty_provider::<T>()?;
	let level = Some(ProviderLevel::Admin);
	Pallet::<T>::set_provider_key(root::<T>(), PROVIDER, whitelisted_caller(), level)
}

/// The provider with a node.
pub fn pending_node<T: Config>() -> DispatchResult {
	provider::<T>()?;
	let operator = account("operator", 0, 0);
	Pallet::<T>::create_node(admin::<T>(), PROVIDER, NODE, operator, longest_locator::<T>())
}

/// A tenant without rows in a space.
pub fn empty_tenant<T: Config>() -> DispatchResult {
	admission::<T>(root_account::<T>(), Role::Tenant)?;
	Pallet::<T>::create_tenant(root::<T>(), SPACE, TENANT, unlimited::<T>())
}

/// A tenant with an Admin.
pub fn tenant<T: Config>() -> DispatchResult {
	empty_tenant::<T>()?;
	let level = Some(TenantLevel::Admin);
	Pallet::<T>::set_tenant_key(root::<T>(), TENANT, whitelisted_caller(), level)
}

/// The tenant with a KMS.
pub fn kms<T: Config>() -> DispatchResult {
	tenant::<T>()?;
	let operator = account("operator", 0, 0);
	Pallet::<T>::add_kms(admin::<T>(), TENANT, KMS, operator, longest_locator::<T>(), KMS_KEY)
}

/// Returns one of the nodes that have a copy of each version, with its provider. The first one is
/// the node that the versions are committed to.
pub fn holder(number: u32) -> (ProviderId, NodeId) {
	let mut provider = PROVIDER;
	for (byte, changed) in provider.0.iter_mut().zip(number.to_be_bytes()) {
		*byte ^= changed;
	}
	(provider, NODE)
}

/// Returns the last of these nodes.
pub fn last_holder<T: Config>() -> (ProviderId, NodeId) {
	holder(MaxOtherCopies::<T>::get())
}

/// Returns an account with an access key that makes it an Admin of every provider, and nothing else.
pub fn manager<T: Config>() -> OriginFor<T> {
	RawOrigin::Signed(account("manager", 0, 0)).into()
}

/// All that a version needs: nodes for as many copies as it can have, tenant and KMS. Each node has
/// a provider of its own.
pub fn committers<T: Config>() -> DispatchResult {
	kms::<T>()?;
	pending_node::<T>()?;
	for (provider, node) in (1..T::MaxCopies::get()).map(holder) {
		admission::<T>(root_account::<T>(), Role::Provider)?;
		Pallet::<T>::create_provider(root::<T>(), SPACE, provider, unlimited::<T>())?;
		let operator = account("operator", 0, 0);
		Pallet::<T>::create_node(root::<T>(), provider, node, operator, longest_locator::<T>())?;
	}
	let (manager, level) = (account::<T::AccountId>("manager", 0, 0), Some(ProviderLevel::Admin));
	for (provider, node) in (0..T::MaxCopies::get()).map(holder) {
		Pallet::<T>::set_provider_key(root::<T>(), provider, manager.clone(), level)?;
		Pallet::<T>::confirm_node(root::<T>(), provider, node).map_err(|failed| failed.error)?;
	}
	Ok(())
}

pub fn numbered_object(number: u32) -> ContentObjectId {
	let mut object = OBJECT;
	object.0[..4].copy_from_slice(&number.to_be_bytes());
	object
}

/// The account of a tenant's key, a commit, and its signature by that key.
pub type SignedCommit<T> = (AccountIdOf<T>, VersionCommitOf<T>, <T as Config>::OffchainSignature);

/// Returns a signed commit. Each version creates an object of its own. The signature has the most
/// expensive scheme. It covers the payload as wallets wrap it, because that form is tried last.
pub fn signed_commit<T: Config>(
	objects: impl Iterator<Item = ContentObjectId>,
	copies: u32,
) -> Result<SignedCommit<T>, BenchmarkError> {
	let signer = T::BenchmarkHelper::signer();
	let level = Some(TenantLevel::Content);
	Pallet::<T>::set_tenant_key(root::<T>(), TENANT, signer.clone(), level)?;
	let medallion =
		Nodes::<T>::get(PROVIDER, NODE).map_or(Medallion::FIRST_ASSIGNABLE, |node| node.medallion);
	// Later than the grant of the signer's level.
	let last = LastMuid::<T>::get().map_or(0, Muid::timestamp);
	let time = T::Time::now().saturating_mul(1_000).max(last).saturating_add(1);
	let version = |object| DraftVersion {
		object,
		version: VERSION,
		hash: HashKind::Blake3,
		size: u64::MAX,
		set_head_on_finalize: true,
	};
	let versions: Vec<_> = objects.map(version).collect();
	let commit = VersionCommit {
		muid: Muid::new(time, medallion, 0).unwrap_or_default(),
		originator: PROVIDER,
		node: NODE,
		copies: (1..=copies)
			.map(holder)
			.collect::<Vec<_>>()
			.try_into()
			.map_err(|_| "the commit asks too many nodes")?,
		tenant: TENANT,
		kms: Some(KMS),
		create_objects: true,
		versions: versions.try_into().map_err(|_| "the commit has too many versions")?,
	};
	let payload = wrap_payload(&Pallet::<T>::commit_payload(&commit));
	let signature = T::BenchmarkHelper::sign(&signer, &payload);
	Ok((signer, commit, signature))
}

/// Versions of objects of their own, each with as many copies as it can have, none of them held.
pub fn versions<T: Config>(
	objects: impl Iterator<Item = ContentObjectId>,
) -> Result<(), BenchmarkError> {
	committers::<T>()?;
	let (signer, commit, signature) = signed_commit::<T>(objects, MaxOtherCopies::<T>::get())?;
	Pallet::<T>::commit_versions(admin::<T>(), signer, commit, signature)?;
	Ok(())
}

/// Returns [`VERSION`] of this many objects.
pub fn version_list<T: Config>(
	count: u32,
) -> Result<VersionsOf<T, (ContentObjectId, VersionId)>, BenchmarkError> {
	let list: Vec<_> = (0..count).map(|number| (numbered_object(number), VERSION)).collect();
	list.try_into().map_err(|_| "there are too many versions".into())
}

/// Returns the number of copies that the version of an object has.
pub fn copies_of<T: Config>(object: ContentObjectId) -> Option<u32> {
	Versions::<T>::get((TENANT, object, VERSION)).map(|info| info.copies.len() as u32)
}

/// [`VERSION`] of [`OBJECT`].
pub fn version<T: Config>() -> Result<(), BenchmarkError> {
	versions::<T>([OBJECT].into_iter())
}

/// [`VERSION`] as the head of [`OBJECT`].
pub fn head<T: Config>() -> Result<(), BenchmarkError> {
	version::<T>()?;
	let versions = vec![(OBJECT, VERSION)].try_into().map_err(|_| "there are too many versions")?;
	Pallet::<T>::finalize_versions(admin::<T>(), PROVIDER, NODE, TENANT, versions)
		.map_err(|failed| failed.error)?;
	Ok(())
}

/// The tenant with a collection of one key.
pub fn collection_of<T: Config>(name: CollectionNameOf<T>, key: RecordKeyOf<T>) -> DispatchResult {
	tenant::<T>()?;
	let (key_type, syntax) = (RecordKeyType::Literal(key), RecordKeySyntax::PathSegment);
	Pallet::<T>::create_collection(admin::<T>(), TENANT, name, key_type, syntax)
}

/// The tenant with a collection whose row is as large as it can be.
pub fn largest_collection<T: Config>(name: CollectionNameOf<T>) -> DispatchResult {
	collection_of::<T>(name, longest_key::<T>())
}

/// The tenant with a collection of any keys with the longest name, and targets for its records.
pub fn collection<T: Config>() -> DispatchResult {
	tenant::<T>()?;
	bare_targets::<T>();
	let (key_type, syntax) = (RecordKeyType::Any, RecordKeySyntax::PathSegment);
	let name = longest_name::<T>();
	Pallet::<T>::create_collection(admin::<T>(), TENANT, name, key_type, syntax)
}

/// Returns this many keys with this many bytes in all, each long enough to be distinct.
pub fn keys<T: Config>(count: u32, bytes: u32) -> Vec<RecordKeyOf<T>> {
	// Six letters make more keys than any list has.
	let shortest = T::MaxRecordKeyLen::get().min(6);
	let spare = bytes.saturating_sub(count.saturating_mul(shortest));
	let (each, rest) = (spare / count.max(1), spare % count.max(1));
	let len = |number: u32| {
		let len = shortest + each + u32::from(number < rest);
		len.min(T::MaxRecordKeyLen::get())
	};
	(0..count).map(|number| numbered_text(number, len(number))).collect()
}

/// Returns the target of the record with a number: the larger of the two kinds of target.
pub fn target(number: u32) -> ContentRef {
	ContentRef { object: numbered_object(number), version: Some(VERSION) }
}

/// Content objects with a version each, for as many records as a call can have. They are written
/// directly, so that it does not matter how many versions a commit can have.
pub fn bare_targets<T: Config>() {
	let now = Muid::from_bytes([0xff; 16]);
	let copy = |number| {
		let (provider, node) = holder(number);
		Copy { provider, node, medallion: Medallion::MAX, held: Some(u64::MAX) }
	};
	let copies = CopiesOf::<T>::truncate_from((0..T::MaxCopies::get()).map(copy).collect());
	for number in 0..T::MaxRecordsPerCall::get() {
		let object = ContentObjectInfo {
			head_version: None,
			head_since: now,
			head_set: now,
			version_count: 1,
			deposit: BalanceOf::<T>::default(),
			created: now,
		};
		ContentObjects::<T>::insert(TENANT, numbered_object(number), object);
		let version = VersionInfo {
			copies: copies.clone(),
			kms: Some(KMS),
			muid: now,
			hash: HashKind::Blake3,
			size: u64::MAX.into(),
			committed: now,
			finalized: None,
			set_head_on_finalize: false,
			deposit: BalanceOf::<T>::default(),
		};
		Versions::<T>::insert((TENANT, numbered_object(number), VERSION), version);
	}
}

/// Returns records with these keys, to be put, each with a target of its own.
pub fn records<T: Config>(
	keys: Vec<RecordKeyOf<T>>,
) -> Result<RecordsOf<T, RecordPutOf<T>>, BenchmarkError> {
	let records: Vec<_> =
		(0..).zip(keys).map(|(number, key)| (Some(key), target(number))).collect();
	records.try_into().map_err(|_| "there are too many records".into())
}

/// Puts records into the collection with the longest name.
pub fn put<T: Config>(keys: Vec<RecordKeyOf<T>>) -> DispatchResult {
	let records = records::<T>(keys).map_err(|_| "there are too many records")?;
	Pallet::<T>::put_records(admin::<T>(), TENANT, longest_name::<T>(), records)
}

/// Writes this many records with the longest keys under a tenant, directly, so that only their
/// number makes a difference.
pub fn bare_records<T: Config>(count: u32) -> DispatchResult {
	empty_tenant::<T>()?;
	let now = Muid::from_bytes([0xff; 16]);
	let info =
		RecordInfo { target: target(0), created: now, updated: now, deposit: Default::default() };
	for number in 0..count {
		let key: RecordKeyOf<T> = numbered_text(number, T::MaxRecordKeyLen::get());
		Records::<T>::insert((TENANT, longest_name::<T>(), key), &info);
	}
	Tenants::<T>::mutate(TENANT, |tenant| {
		if let Some(tenant) = tenant {
			tenant.rows.records += count;
			tenant.empty_since = None;
		}
	});
	Ok(())
}

/// Has the root remove the rows of the member, for which a deposit is held.
pub fn purge_by_root<T: Config>() -> Result<(), BenchmarkError> {
	let deposit = BalanceOf::<T>::one();
	T::Currency::hold(&HoldReason::StorageDeposit.into(), &root_account::<T>(), deposit)?;
	Tenants::<T>::mutate(TENANT, |tenant| {
		if let Some(tenant) = tenant {
			tenant.deposit += deposit;
		}
	});
	Pallet::<T>::purge_member(root::<T>(), MEMBER)?;
	let now = frame_system::Pallet::<T>::block_number();
	frame_system::Pallet::<T>::set_block_number(now.saturating_add(One::one()));
	Ok(())
}

/// Returns when the member was created.
pub fn created<T: Config>() -> Muid {
	created_of::<T>(MEMBER)
}

pub fn created_of<T: Config>(member: MemberId) -> Muid {
	let created = match member {
		MemberId::Provider(id) => Providers::<T>::get(id).map(|info| info.created),
		MemberId::Tenant(id) => Tenants::<T>::get(id).map(|info| info.created),
	};
	created.unwrap_or_default()
}

/// Freezes a member.
pub fn freeze<T: Config>(member: MemberId) -> Result<(), BenchmarkError> {
	let (origin, created) = (governance::<T>()?, created_of::<T>(member));
	Pallet::<T>::set_governance_delete(origin, member, created, true, Default::default())?;
	Ok(())
}

/// Returns the number of changes that a full block leaves in the overlay, by the weight of a write.
pub fn changes_of_a_full_block<T: Config>() -> u32 {
	let write = T::DbWeight::get().writes(1).max(Weight::from_parts(1_000_000, 0));
	let changes = T::BlockWeights::get().max_block.ref_time() / write.ref_time();
	// More than any database allows in a block of a few seconds.
	changes.min(100_000) as u32
}
