// SPDX-License-Identifier: Apache-2.0
//! Benchmarks of every call and of every step of a purge, each at its worst case: longest texts,
//! largest rows, deposits that are really held. They hold for every configuration that the
//! integrity test accepts.

#[cfg(test)]
mod configurations;
pub(crate) mod setup;

use alloc::vec::Vec;

use content_fabric_identifiers::{RecordKeySyntax, RecordKeyType};
use frame_benchmarking::v2::*;
use frame_support::{
	pallet_prelude::{BoundedVec, Get},
	storage::unhashed,
	weights::WeightMeter,
	Blake2_128, StorageHasher,
};
use frame_system::pallet_prelude::OriginFor;
use setup::*;
use sp_core::crypto::key_types::DUMMY;
use sp_runtime::{
	traits::{One, Saturating, Zero},
	AccountId32, MultiSignature,
};

use crate::*;

/// Signs version commits in benchmarks, for a runtime's type of signatures.
pub trait BenchmarkHelper<AccountId, Signature> {
	/// Returns an account that can sign. Its signatures should be those that take longest to check.
	fn signer() -> AccountId;

	/// Returns the signature of the account under these bytes.
	fn sign(account: &AccountId, bytes: &[u8]) -> Signature;
}

/// Signs with sr25519, the most expensive scheme for payloads of this length: see
/// `docs/benchmarks.md` in the repository.
impl BenchmarkHelper<AccountId32, MultiSignature> for () {
	fn signer() -> AccountId32 {
		sp_io::crypto::sr25519_generate(DUMMY, None).0.into()
	}

	fn sign(account: &AccountId32, bytes: &[u8]) -> MultiSignature {
		let key = sp_core::sr25519::Public::from_raw(*AsRef::<[u8; 32]>::as_ref(account));
		let signature = sp_io::crypto::sr25519_sign(DUMMY, &key, bytes);
		MultiSignature::Sr25519(signature.expect("the keystore has the key that it made; qed"))
	}
}

#[benchmarks]
mod benchmarks {
	use super::*;

	/// The first call that mints, which draws the order of medallions.
	#[benchmark]
	fn create_space(s: Linear<0, { T::MaxSlaLen::get() }>) -> Result<(), BenchmarkError> {
		frame_system::Pallet::<T>::set_block_number(One::one());
		LastMuid::<T>::kill();
		Medallions::<T>::kill();
		let origin = creator::<T>()?;
		#[extrinsic_call]
		_(origin as OriginFor<T>, SPACE, whitelisted_caller(), rules::<T>(s));
		assert!(Spaces::<T>::contains_key(SPACE));
		Ok(())
	}

	#[benchmark]
	fn set_space_rules(s: Linear<0, { T::MaxSlaLen::get() }>) -> Result<(), BenchmarkError> {
		space::<T>()?;
		let origin = governance::<T>()?;
		#[extrinsic_call]
		_(origin as OriginFor<T>, SPACE, rules::<T>(s));
		assert!(Spaces::<T>::get(SPACE).is_some_and(|space| space.rules.sla.len() == s as usize));
		Ok(())
	}

	#[benchmark]
	fn set_space_governor() -> Result<(), BenchmarkError> {
		space::<T>()?;
		let (origin, governor) =
			(governance::<T>()?, account::<T::AccountId>("new governor", 0, 0));
		#[extrinsic_call]
		_(origin as OriginFor<T>, SPACE, governor.clone());
		assert!(Spaces::<T>::get(SPACE).is_some_and(|space| space.governor == governor));
		Ok(())
	}

	#[benchmark]
	fn admit() -> Result<(), BenchmarkError> {
		space::<T>()?;
		let (origin, account) = (governance::<T>()?, account::<T::AccountId>("admitted", 0, 0));
		#[extrinsic_call]
		_(origin as OriginFor<T>, SPACE, account.clone(), Role::Provider);
		assert!(Admissions::<T>::contains_key(SPACE, (account, Role::Provider)));
		Ok(())
	}

	#[benchmark]
	fn revoke_admissions(a: Linear<1, { T::MaxAdmissions::get() }>) -> Result<(), BenchmarkError> {
		let list: Vec<(T::AccountId, _)> =
			(0..a).map(|number| (account("admitted", number, 0), Role::Provider)).collect();
		for (account, role) in &list {
			admission::<T>(account.clone(), *role)?;
		}
		let list: BoundedVec<_, T::MaxAdmissions> =
			list.try_into().map_err(|_| "there are too many admissions")?;
		let origin = governance::<T>()?;
		#[extrinsic_call]
		_(origin as OriginFor<T>, SPACE, list);
		assert_eq!(Admissions::<T>::iter_prefix(SPACE).count(), 0);
		Ok(())
	}

	#[benchmark]
	fn delete_space() -> Result<(), BenchmarkError> {
		space::<T>()?;
		let origin = governance::<T>()?;
		#[extrinsic_call]
		_(origin as OriginFor<T>, SPACE);
		assert!(!Spaces::<T>::contains_key(SPACE));
		Ok(())
	}

	#[benchmark]
	fn create_provider() -> Result<(), BenchmarkError> {
		admission::<T>(whitelisted_caller(), Role::Provider)?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, SPACE, PROVIDER, unlimited::<T>());
		assert!(Providers::<T>::contains_key(PROVIDER));
		Ok(())
	}

	#[benchmark]
	fn create_tenant() -> Result<(), BenchmarkError> {
		admission::<T>(whitelisted_caller(), Role::Tenant)?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, SPACE, TENANT, unlimited::<T>());
		assert!(Tenants::<T>::contains_key(TENANT));
		Ok(())
	}

	#[benchmark]
	fn top_up_bond() -> Result<(), BenchmarkError> {
		empty_tenant::<T>()?;
		#[extrinsic_call]
		_(root::<T>() as OriginFor<T>, MEMBER, bond::<T>());
		assert!(Tenants::<T>::get(TENANT).is_some_and(|tenant| tenant.bond > bond::<T>()));
		Ok(())
	}

	#[benchmark]
	fn set_max_held() -> Result<(), BenchmarkError> {
		empty_tenant::<T>()?;
		let amount = unlimited::<T>() / 2u32.into();
		#[extrinsic_call]
		_(root::<T>() as OriginFor<T>, MEMBER, amount);
		assert!(Tenants::<T>::get(TENANT).is_some_and(|tenant| tenant.max_held == amount));
		Ok(())
	}

	#[benchmark]
	fn nominate_root() -> Result<(), BenchmarkError> {
		empty_tenant::<T>()?;
		let origin = governance::<T>()?;
		#[extrinsic_call]
		_(origin as OriginFor<T>, MEMBER, created::<T>(), Some(whitelisted_caller()));
		assert!(Tenants::<T>::get(TENANT).is_some_and(|tenant| tenant.nomination.is_some()));
		Ok(())
	}

	/// The nominee of the root, which needs an admission and has an access key.
	#[benchmark]
	fn accept_root() -> Result<(), BenchmarkError> {
		tenant::<T>()?;
		let nominee = whitelisted_caller::<T::AccountId>();
		admission::<T>(nominee.clone(), Role::Tenant)?;
		let created = created::<T>();
		Pallet::<T>::nominate_root(root::<T>(), MEMBER, created, Some(nominee.clone()))?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, MEMBER, unlimited::<T>());
		assert!(Tenants::<T>::get(TENANT).is_some_and(|tenant| tenant.root == nominee));
		assert!(!TenantKeys::<T>::contains_key(TENANT, nominee));
		Ok(())
	}

	#[benchmark]
	fn purge_member() -> Result<(), BenchmarkError> {
		tenant::<T>()?;
		#[extrinsic_call]
		_(root::<T>() as OriginFor<T>, MEMBER);
		assert!(Purges::<T>::contains_key(MEMBER));
		Ok(())
	}

	#[benchmark]
	fn delete_member() -> Result<(), BenchmarkError> {
		empty_tenant::<T>()?;
		let now = frame_system::Pallet::<T>::block_number();
		let unbonded = now.saturating_add(T::UnbondingPeriod::get());
		frame_system::Pallet::<T>::set_block_number(unbonded);
		#[extrinsic_call]
		_(root::<T>() as OriginFor<T>, MEMBER);
		assert!(!Tenants::<T>::contains_key(TENANT));
		Ok(())
	}

	/// A new access key.
	#[benchmark]
	fn set_provider_key() -> Result<(), BenchmarkError> {
		empty_provider::<T>()?;
		let (account, level) = (account::<T::AccountId>("key", 0, 0), ProviderLevel::Admin);
		#[extrinsic_call]
		_(root::<T>() as OriginFor<T>, PROVIDER, account.clone(), Some(level));
		assert!(ProviderKeys::<T>::get(PROVIDER, account).is_some_and(|key| key.level == level));
		Ok(())
	}

	/// A new access key.
	#[benchmark]
	fn set_tenant_key() -> Result<(), BenchmarkError> {
		tenant::<T>()?;
		let (account, level) = (account::<T::AccountId>("key", 0, 0), TenantLevel::Content);
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, account.clone(), Some(level));
		assert!(TenantKeys::<T>::get(TENANT, account).is_some_and(|key| key.level == level));
		Ok(())
	}

	#[benchmark]
	fn create_node() -> Result<(), BenchmarkError> {
		provider::<T>()?;
		let operator = account("operator", 0, 0);
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, PROVIDER, NODE, operator, longest_locator::<T>());
		assert!(Nodes::<T>::contains_key(PROVIDER, NODE));
		Ok(())
	}

	#[benchmark]
	fn confirm_node() -> Result<(), BenchmarkError> {
		pending_node::<T>()?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, PROVIDER, NODE);
		assert!(Nodes::<T>::get(PROVIDER, NODE).is_some_and(|node| !node.pending));
		Ok(())
	}

	#[benchmark]
	fn set_node_locator() -> Result<(), BenchmarkError> {
		provider::<T>()?;
		let (operator, shortest) = (whitelisted_caller(), text(1));
		Pallet::<T>::create_node(admin::<T>(), PROVIDER, NODE, operator, shortest)?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, PROVIDER, NODE, longest_locator::<T>());
		let locator = Nodes::<T>::get(PROVIDER, NODE).map(|node| node.locator);
		assert_eq!(locator, Some(longest_locator::<T>()));
		Ok(())
	}

	#[benchmark]
	fn set_node_operator() -> Result<(), BenchmarkError> {
		pending_node::<T>()?;
		let operator = whitelisted_caller::<T::AccountId>();
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, PROVIDER, NODE, operator.clone());
		assert!(Nodes::<T>::get(PROVIDER, NODE).is_some_and(|node| node.operator == operator));
		Ok(())
	}

	#[benchmark]
	fn remove_node() -> Result<(), BenchmarkError> {
		pending_node::<T>()?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, PROVIDER, NODE);
		assert!(!Nodes::<T>::contains_key(PROVIDER, NODE));
		Ok(())
	}

	#[benchmark]
	fn add_kms() -> Result<(), BenchmarkError> {
		tenant::<T>()?;
		let (operator, locator) = (account("operator", 0, 0), longest_locator::<T>());
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, KMS, operator, locator, KMS_KEY);
		assert!(Kmses::<T>::contains_key(TENANT, KMS));
		Ok(())
	}

	#[benchmark]
	fn set_kms() -> Result<(), BenchmarkError> {
		tenant::<T>()?;
		// Not the signer, whose level has to be looked up.
		let operator = account("operator", 0, 0);
		Pallet::<T>::add_kms(admin::<T>(), TENANT, KMS, operator, text(1), KmsKey([6; 32]))?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, KMS, longest_locator::<T>(), KMS_KEY);
		let kms = Kmses::<T>::get(TENANT, KMS).map(|kms| (kms.locator, kms.key));
		assert_eq!(kms, Some((longest_locator::<T>(), KMS_KEY)));
		Ok(())
	}

	#[benchmark]
	fn remove_kms() -> Result<(), BenchmarkError> {
		kms::<T>()?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, KMS);
		assert!(!Kmses::<T>::contains_key(TENANT, KMS));
		Ok(())
	}

	#[benchmark]
	fn create_content_object() -> Result<(), BenchmarkError> {
		tenant::<T>()?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, OBJECT);
		assert!(ContentObjects::<T>::contains_key(TENANT, OBJECT));
		Ok(())
	}

	/// Each version creates an object of its own, and each node that is asked has a provider of its
	/// own.
	#[benchmark]
	fn commit_versions(
		v: Linear<1, { T::MaxVersionsPerCommit::get() }>,
		c: Linear<0, { MaxOtherCopies::<T>::get() }>,
	) -> Result<(), BenchmarkError> {
		committers::<T>()?;
		let (signer, commit, signature) = signed_commit::<T>((0..v).map(numbered_object), c)?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, signer, commit, signature);
		assert_eq!(Versions::<T>::iter_prefix((TENANT,)).count(), v as usize);
		Ok(())
	}

	/// Each version becomes the head of an object of its own.
	#[benchmark]
	fn finalize_versions(
		v: Linear<1, { T::MaxVersionsPerCommit::get() }>,
	) -> Result<(), BenchmarkError> {
		versions::<T>((0..v).map(numbered_object))?;
		let ((provider, node), list) = (last_holder::<T>(), version_list::<T>(v)?);
		#[extrinsic_call]
		_(manager::<T>() as OriginFor<T>, provider, node, TENANT, list);
		for number in 0..v {
			let object = ContentObjects::<T>::get(TENANT, numbered_object(number));
			assert_eq!(object.and_then(|object| object.head_version), Some(VERSION));
		}
		Ok(())
	}

	/// The last copy that each version can have.
	#[benchmark]
	fn add_copies(v: Linear<1, { T::MaxVersionsPerCommit::get() }>) -> Result<(), BenchmarkError> {
		versions::<T>((0..v).map(numbered_object))?;
		let ((provider, node), list) = (last_holder::<T>(), version_list::<T>(v)?);
		Pallet::<T>::remove_copies(admin::<T>(), TENANT, provider, node, list.clone())?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, provider, node, list);
		for number in 0..v {
			assert_eq!(copies_of::<T>(numbered_object(number)), Some(T::MaxCopies::get()));
		}
		Ok(())
	}

	/// A node removes its copies: that reads more than a removal by the tenant.
	#[benchmark]
	fn remove_copies(
		v: Linear<1, { T::MaxVersionsPerCommit::get() }>,
	) -> Result<(), BenchmarkError> {
		versions::<T>((0..v).map(numbered_object))?;
		let ((provider, node), list) = (last_holder::<T>(), version_list::<T>(v)?);
		#[extrinsic_call]
		_(manager::<T>() as OriginFor<T>, TENANT, provider, node, list);
		for number in 0..v {
			let left = MaxOtherCopies::<T>::get();
			assert_eq!(copies_of::<T>(numbered_object(number)), Some(left));
		}
		Ok(())
	}

	#[benchmark]
	fn set_head_version() -> Result<(), BenchmarkError> {
		head::<T>()?;
		Pallet::<T>::set_head_version(admin::<T>(), TENANT, OBJECT, None)?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, OBJECT, Some(VERSION));
		let head = ContentObjects::<T>::get(TENANT, OBJECT).and_then(|object| object.head_version);
		assert_eq!(head, Some(VERSION));
		Ok(())
	}

	#[benchmark]
	fn delete_version() -> Result<(), BenchmarkError> {
		version::<T>()?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, OBJECT, VERSION);
		assert!(!Versions::<T>::contains_key((TENANT, OBJECT, VERSION)));
		Ok(())
	}

	#[benchmark]
	fn delete_content_object() -> Result<(), BenchmarkError> {
		tenant::<T>()?;
		Pallet::<T>::create_content_object(admin::<T>(), TENANT, OBJECT)?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, OBJECT);
		assert!(!ContentObjects::<T>::contains_key(TENANT, OBJECT));
		Ok(())
	}

	#[benchmark]
	fn create_collection(
		n: Linear<1, { T::MaxCollectionNameLen::get() }>,
	) -> Result<(), BenchmarkError> {
		tenant::<T>()?;
		let name: CollectionNameOf<T> = text(n);
		let key_type = RecordKeyType::Literal(longest_key::<T>());
		let syntax = RecordKeySyntax::PathSegment;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, name.clone(), key_type, syntax);
		assert!(Collections::<T>::contains_key(TENANT, name));
		Ok(())
	}

	#[benchmark]
	fn delete_collection(
		n: Linear<1, { T::MaxCollectionNameLen::get() }>,
	) -> Result<(), BenchmarkError> {
		let name: CollectionNameOf<T> = text(n);
		largest_collection::<T>(name.clone())?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, name.clone());
		assert!(!Collections::<T>::contains_key(TENANT, name));
		Ok(())
	}

	/// New records with the shortest keys.
	#[benchmark]
	fn put_records(r: Linear<1, { T::MaxRecordsPerCall::get() }>) -> Result<(), BenchmarkError> {
		collection::<T>()?;
		let records = records::<T>(keys::<T>(r, 0))?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, longest_name::<T>(), records);
		assert_eq!(Records::<T>::iter_prefix((TENANT,)).count(), r as usize);
		Ok(())
	}

	/// As many new records as a call can have, with keys of this many bytes in all.
	#[benchmark]
	fn put_records_key_bytes(
		b: Linear<0, { T::MaxRecordsPerCall::get().saturating_mul(T::MaxRecordKeyLen::get()) }>,
	) -> Result<(), BenchmarkError> {
		collection::<T>()?;
		let records = records::<T>(keys::<T>(T::MaxRecordsPerCall::get(), b))?;
		let count = records.len();
		#[extrinsic_call]
		put_records(admin::<T>() as OriginFor<T>, TENANT, longest_name::<T>(), records);
		assert_eq!(Records::<T>::iter_prefix((TENANT,)).count(), count);
		Ok(())
	}

	/// Records with the shortest keys.
	#[benchmark]
	fn delete_records(r: Linear<1, { T::MaxRecordsPerCall::get() }>) -> Result<(), BenchmarkError> {
		collection::<T>()?;
		put::<T>(keys::<T>(r, 0))?;
		let keys: RecordsOf<T, _> =
			keys::<T>(r, 0).try_into().map_err(|_| "there are too many records")?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, longest_name::<T>(), keys);
		assert_eq!(Records::<T>::iter_prefix((TENANT,)).count(), 0);
		Ok(())
	}

	/// As many records as a call can have, with keys of this many bytes in all.
	#[benchmark]
	fn delete_records_key_bytes(
		b: Linear<0, { T::MaxRecordsPerCall::get().saturating_mul(T::MaxRecordKeyLen::get()) }>,
	) -> Result<(), BenchmarkError> {
		collection::<T>()?;
		let keys = keys::<T>(T::MaxRecordsPerCall::get(), b);
		put::<T>(keys.clone())?;
		let keys: RecordsOf<T, _> = keys.try_into().map_err(|_| "there are too many records")?;
		#[extrinsic_call]
		delete_records(admin::<T>() as OriginFor<T>, TENANT, longest_name::<T>(), keys);
		assert_eq!(Records::<T>::iter_prefix((TENANT,)).count(), 0);
		Ok(())
	}

	#[benchmark]
	fn slash() -> Result<(), BenchmarkError> {
		empty_tenant::<T>()?;
		let (origin, created) = (governance::<T>()?, created::<T>());
		#[extrinsic_call]
		_(origin as OriginFor<T>, MEMBER, created, bond::<T>(), longest_reason::<T>());
		assert!(Tenants::<T>::get(TENANT).is_some_and(|info| info.bond.is_zero()));
		Ok(())
	}

	#[benchmark]
	fn set_suspended() -> Result<(), BenchmarkError> {
		empty_tenant::<T>()?;
		let (origin, created) = (governance::<T>()?, created::<T>());
		#[extrinsic_call]
		_(origin as OriginFor<T>, MEMBER, created, true, longest_reason::<T>());
		assert!(Tenants::<T>::get(TENANT).is_some_and(|tenant| tenant.suspended));
		Ok(())
	}

	#[benchmark]
	fn set_governance_delete() -> Result<(), BenchmarkError> {
		empty_tenant::<T>()?;
		let (origin, created) = (governance::<T>()?, created::<T>());
		#[extrinsic_call]
		_(origin as OriginFor<T>, MEMBER, created, true, longest_reason::<T>());
		assert!(Tenants::<T>::get(TENANT).is_some_and(|tenant| tenant.governance_delete));
		Ok(())
	}

	#[benchmark]
	fn governance_delete_node() -> Result<(), BenchmarkError> {
		pending_node::<T>()?;
		freeze::<T>(PROVIDER.into())?;
		let (origin, created) = (governance::<T>()?, created_of::<T>(PROVIDER.into()));
		#[extrinsic_call]
		_(origin as OriginFor<T>, PROVIDER, created, NODE, longest_reason::<T>());
		assert!(!Nodes::<T>::contains_key(PROVIDER, NODE));
		Ok(())
	}

	#[benchmark]
	fn governance_delete_provider_key() -> Result<(), BenchmarkError> {
		provider::<T>()?;
		freeze::<T>(PROVIDER.into())?;
		let account = whitelisted_caller::<T::AccountId>();
		let (origin, created) = (governance::<T>()?, created_of::<T>(PROVIDER.into()));
		#[extrinsic_call]
		_(origin as OriginFor<T>, PROVIDER, created, account.clone(), longest_reason::<T>());
		assert!(!ProviderKeys::<T>::contains_key(PROVIDER, account));
		Ok(())
	}

	#[benchmark]
	fn governance_delete_tenant_key() -> Result<(), BenchmarkError> {
		tenant::<T>()?;
		freeze::<T>(MEMBER)?;
		let account = whitelisted_caller::<T::AccountId>();
		let (origin, created) = (governance::<T>()?, created_of::<T>(TENANT.into()));
		#[extrinsic_call]
		_(origin as OriginFor<T>, TENANT, created, account.clone(), longest_reason::<T>());
		assert!(!TenantKeys::<T>::contains_key(TENANT, account));
		Ok(())
	}

	#[benchmark]
	fn governance_delete_kms() -> Result<(), BenchmarkError> {
		kms::<T>()?;
		freeze::<T>(MEMBER)?;
		let (origin, created) = (governance::<T>()?, created_of::<T>(TENANT.into()));
		#[extrinsic_call]
		_(origin as OriginFor<T>, TENANT, created, KMS, longest_reason::<T>());
		assert!(!Kmses::<T>::contains_key(TENANT, KMS));
		Ok(())
	}

	#[benchmark]
	fn governance_delete_content_object() -> Result<(), BenchmarkError> {
		tenant::<T>()?;
		Pallet::<T>::create_content_object(admin::<T>(), TENANT, OBJECT)?;
		freeze::<T>(MEMBER)?;
		let (origin, created) = (governance::<T>()?, created_of::<T>(TENANT.into()));
		#[extrinsic_call]
		_(origin as OriginFor<T>, TENANT, created, OBJECT, longest_reason::<T>());
		assert!(!ContentObjects::<T>::contains_key(TENANT, OBJECT));
		Ok(())
	}

	/// The head of its object.
	#[benchmark]
	fn governance_delete_version() -> Result<(), BenchmarkError> {
		head::<T>()?;
		freeze::<T>(MEMBER)?;
		let (origin, created) = (governance::<T>()?, created_of::<T>(TENANT.into()));
		#[extrinsic_call]
		_(origin as OriginFor<T>, TENANT, created, OBJECT, VERSION, longest_reason::<T>());
		assert!(!Versions::<T>::contains_key((TENANT, OBJECT, VERSION)));
		Ok(())
	}

	#[benchmark]
	fn governance_delete_collection(
		n: Linear<1, { T::MaxCollectionNameLen::get() }>,
	) -> Result<(), BenchmarkError> {
		let name: CollectionNameOf<T> = text(n);
		largest_collection::<T>(name.clone())?;
		freeze::<T>(MEMBER)?;
		let (origin, created) = (governance::<T>()?, created_of::<T>(TENANT.into()));
		#[extrinsic_call]
		_(origin as OriginFor<T>, TENANT, created, name.clone(), longest_reason::<T>());
		assert!(!Collections::<T>::contains_key(TENANT, name));
		Ok(())
	}

	#[benchmark]
	fn governance_delete_record(
		n: Linear<1, { T::MaxCollectionNameLen::get() }>,
		k: Linear<1, { T::MaxRecordKeyLen::get() }>,
	) -> Result<(), BenchmarkError> {
		let (name, key): (CollectionNameOf<T>, RecordKeyOf<T>) = (text(n), text(k));
		collection_of::<T>(name.clone(), key.clone())?;
		bare_targets::<T>();
		let put = records::<T>(alloc::vec![key.clone()])?;
		Pallet::<T>::put_records(admin::<T>(), TENANT, name.clone(), put)?;
		freeze::<T>(MEMBER)?;
		let (origin, created) = (governance::<T>()?, created_of::<T>(TENANT.into()));
		#[extrinsic_call]
		_(origin as OriginFor<T>, TENANT, created, name, key, longest_reason::<T>());
		assert_eq!(Records::<T>::iter_prefix((TENANT,)).count(), 0);
		Ok(())
	}

	/// A member with a row. Half of the bond is slashed, so that the call both slashes and
	/// releases.
	#[benchmark]
	fn governance_delete() -> Result<(), BenchmarkError> {
		tenant::<T>()?;
		let (origin, created) = (governance::<T>()?, created::<T>());
		let half = (bond::<T>() / 2u32.into()).max(One::one());
		#[extrinsic_call]
		_(origin as OriginFor<T>, MEMBER, created, half, longest_reason::<T>());
		assert!(Purges::<T>::contains_key(MEMBER));
		Ok(())
	}

	/// The last step of a purge, row by row. It releases the deposits of the rows.
	#[benchmark]
	fn reap(r: Linear<1, 1_000>) -> Result<(), BenchmarkError> {
		bare_records::<T>(r)?;
		purge_by_root::<T>()?;
		// As if a step of this block had removed a row before, so that the map is not cleared
		// whole.
		Purges::<T>::mutate(MEMBER, |purge| {
			if let Some(purge) = purge {
				let prefix = Records::<T>::iter_key_prefix((TENANT,)).prefix().to_vec();
				purge.cursor = prefix.try_into().unwrap_or_default();
				purge.cursor_block = frame_system::Pallet::<T>::block_number();
			}
		});
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, MEMBER, r);
		let is_open = |tenant: TenantInfoOf<T>| tenant.purge.is_none() && tenant.deposit.is_zero();
		assert!(Tenants::<T>::get(TENANT).is_some_and(is_open));
		Ok(())
	}

	/// The base cost of each block, and of each place of the queue that it visits: reading the
	/// place, and moving on if it is empty.
	#[benchmark]
	fn on_idle_base() -> Result<(), BenchmarkError> {
		DeletionQueueBounds::<T>::put(QueueBounds { first: 0, next: 1 });
		let weight = T::WeightInfo::on_idle_base().saturating_mul(2);
		let mut meter = WeightMeter::with_limit(weight);
		#[block]
		{
			Pallet::<T>::run_purges(&mut meter);
		}
		assert_eq!(DeletionQueueBounds::<T>::get(), QueueBounds { first: 1, next: 1 });
		Ok(())
	}

	/// Rows with the longest keys, removed with their whole map.
	#[benchmark]
	fn clear_prefix(r: Linear<0, 1_000>) -> Result<(), BenchmarkError> {
		bare_records::<T>(r)?;
		let prefix = Records::<T>::iter_key_prefix((TENANT,)).prefix().to_vec();
		#[block]
		{
			let _ = unhashed::clear_prefix(&prefix, None, None);
		}
		assert_eq!(Records::<T>::iter_prefix((TENANT,)).count(), 0);
		Ok(())
	}

	/// Deletions of prefixes without rows, in a block with as many changes as a full one has, which
	/// are not made in the order of their keys. Only the slope counts.
	#[benchmark]
	fn overlay_scan(s: Linear<0, 200>) -> Result<(), BenchmarkError> {
		let changes = changes_of_a_full_block::<T>();
		let prefix = Records::<T>::iter_key_prefix((TENANT,)).prefix().to_vec();
		// Keys that share at least as much with the prefix as keys of other pallets do.
		let other = ContentObjects::<T>::iter_key_prefix(TENANT).prefix().to_vec();
		#[block]
		{
			for number in 0..changes {
				let key = [&other[..], &Blake2_128::hash(&number.to_be_bytes())].concat();
				unhashed::put_raw(&key, &[]);
			}
			for _ in 0..s {
				let _ = unhashed::clear_prefix(&prefix, None, None);
			}
		}
		Ok(())
	}

	/// Not the weight of a call: rows removed one by one, to be compared with `clear_prefix`.
	#[benchmark(extra)]
	fn rows_by_key(r: Linear<0, 1_000>) -> Result<(), BenchmarkError> {
		bare_records::<T>(r)?;
		#[block]
		{
			let _ = Records::<T>::iter_key_prefix((TENANT,)).drain().count();
		}
		assert_eq!(Records::<T>::iter_prefix((TENANT,)).count(), 0);
		Ok(())
	}

	impl_benchmark_test_suite!(Pallet, mock::empty(), mock::Test);

	/// Runs a benchmark once for each end of its ranges.
	#[cfg(test)]
	pub(super) fn test(name: &[u8]) -> Result<(), BenchmarkError> {
		Pallet::<mock::Test>::test_bench_by_name(name)
	}
}
