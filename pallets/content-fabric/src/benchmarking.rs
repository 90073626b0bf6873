//! Benchmarks of every call and of every step of a deletion, each at its worst case: longest texts,
//! deposits that are really held, and rows in the map with the longest keys.

use alloc::vec;

use content_fabric_identifiers::{
	ContentObjectId, KmsId, Medallion, Muid, NodeId, ProviderId, RecordKeySyntax, RecordKeyType,
	SpaceId, TenantId, VersionId,
};
use frame_benchmarking::v2::*;
use frame_support::{
	pallet_prelude::{BoundedVec, DispatchResult, Get},
	traits::{
		fungible::{Balanced, Inspect},
		tokens::Precision,
		EnsureOrigin, EnsureOriginWithArg,
	},
	weights::WeightMeter,
};
use frame_system::{pallet_prelude::OriginFor, RawOrigin};
use sp_core::crypto::key_types::DUMMY;
use sp_runtime::{
	traits::{Bounded, One, Saturating, Zero},
	AccountId32, MultiSignature,
};

use crate::*;

const SPACE: SpaceId = SpaceId([1; 10]);
const PROVIDER: ProviderId = ProviderId([2; 10]);
const NODE: NodeId = NodeId([3; 10]);
const TENANT: TenantId = TenantId([4; 10]);
const KMS: KmsId = KmsId([5; 10]);
const OBJECT: ContentObjectId = ContentObjectId([6; 10]);
const VERSION: VersionId = VersionId([7; 32]);

/// Signs version commits in benchmarks, for a runtime's type of signatures.
pub trait BenchmarkHelper<AccountId, Signature> {
	/// An account that can sign.
	fn signer() -> AccountId;

	/// Its signature under these bytes.
	fn sign(account: &AccountId, bytes: &[u8]) -> Signature;
}

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

/// Any text, so long.
fn text<MaxLen: Get<u32>>(len: u32) -> BoundedVec<u8, MaxLen> {
	vec![b'x'; len as usize].try_into().unwrap_or_default()
}

fn longest_locator<T: Config>() -> LocatorOf<T> {
	text(T::MaxLocatorLen::get())
}

fn longest_name<T: Config>() -> CollectionNameOf<T> {
	text(T::MaxCollectionNameLen::get())
}

fn longest_key<T: Config>() -> RecordKeyOf<T> {
	text(T::MaxRecordKeyLen::get())
}

/// What is asked as a bond: so much that it cannot be left out.
fn bond<T: Config>() -> BalanceOf<T> {
	T::Currency::minimum_balance().saturating_mul(100u32.into()).max(One::one())
}

fn rules<T: Config>(sla: u32) -> SpaceRulesOf<T> {
	SpaceRules {
		provider_bond: bond::<T>(),
		tenant_bond: bond::<T>(),
		admission: AdmissionPolicy::Approval,
		partitions: u32::MAX,
		sla: text(sla),
	}
}

/// Gives an account enough for all bonds and deposits.
fn endow<T: Config>(account: &T::AccountId) -> DispatchResult {
	let amount = BalanceOf::<T>::max_value() / 1_000_000u32.into();
	let _ = T::Currency::deposit(account, amount, Precision::Exact)?;
	Ok(())
}

/// The root account of both the provider and the tenant.
fn root<T: Config>() -> OriginFor<T> {
	RawOrigin::Signed(account("root", 0, 0)).into()
}

/// An account with a key that makes it an admin of both: other than for the root, its level has to
/// be looked up.
fn admin<T: Config>() -> OriginFor<T> {
	RawOrigin::Signed(whitelisted_caller()).into()
}

fn creator<T: Config>() -> Result<OriginFor<T>, BenchmarkError> {
	T::CreateSpaceOrigin::try_successful_origin().map_err(|()| BenchmarkError::Weightless)
}

fn governance<T: Config>() -> Result<OriginFor<T>, BenchmarkError> {
	// The space's governor has to be looked up, which root, for one, has not.
	if let Some(space) = Spaces::<T>::get(SPACE) {
		let governor: OriginFor<T> = RawOrigin::Signed(space.governor).into();
		if T::GovernanceOrigin::try_origin(governor.clone(), &SPACE).is_ok() {
			return Ok(governor);
		}
	}
	T::GovernanceOrigin::try_successful_origin(&SPACE).map_err(|()| BenchmarkError::Weightless)
}

fn space<T: Config>() -> DispatchResult {
	// Past the genesis, where clocks stand at zero.
	frame_system::Pallet::<T>::set_block_number(One::one());
	for account in [account("root", 0, 0), whitelisted_caller()] {
		endow::<T>(&account)?;
		for role in [Role::Provider, Role::Tenant] {
			Admissions::<T>::insert(SPACE, (&account, role), ());
		}
	}
	Pallet::<T>::do_create_space(
		SPACE,
		account("governor", 0, 0),
		rules::<T>(T::MaxSlaLen::get()),
	)?;
	Spaces::<T>::mutate(SPACE, |space| {
		if let Some(space) = space {
			space.admission_count = 4;
		}
	});
	Ok(())
}

/// A provider without rows in a space.
fn empty_provider<T: Config>() -> DispatchResult {
	space::<T>()?;
	Pallet::<T>::create_provider(root::<T>(), SPACE, PROVIDER)
}

fn provider_admin<T: Config>() -> DispatchResult {
	let level = Some(ProviderLevel::Admin);
	Pallet::<T>::set_provider_key(root::<T>(), PROVIDER, whitelisted_caller(), level)
}

/// A provider with an admin.
fn provider<T: Config>() -> DispatchResult {
	empty_provider::<T>()?;
	provider_admin::<T>()
}

fn pending_node<T: Config>(node: NodeId) -> DispatchResult {
	let operator = whitelisted_caller();
	Pallet::<T>::create_node(admin::<T>(), PROVIDER, node, operator, longest_locator::<T>())
}

/// A tenant without rows in a space.
fn empty_tenant<T: Config>() -> DispatchResult {
	space::<T>()?;
	Pallet::<T>::create_tenant(root::<T>(), SPACE, TENANT)
}

/// A tenant with an admin.
fn tenant<T: Config>() -> DispatchResult {
	empty_tenant::<T>()?;
	let level = Some(TenantLevel::Admin);
	Pallet::<T>::set_tenant_key(root::<T>(), TENANT, whitelisted_caller(), level)
}

fn kms<T: Config>() -> DispatchResult {
	Pallet::<T>::add_kms(admin::<T>(), TENANT, KMS, longest_locator::<T>())
}

/// A message that the node can have drafted in the block.
fn message<T: Config>() -> VersionCommitMessage {
	let medallion =
		Nodes::<T>::get(PROVIDER, NODE).map_or(Medallion::FIRST_ASSIGNABLE, |node| node.medallion);
	VersionCommitMessage {
		originator: PROVIDER,
		node: NODE,
		tenant: TENANT,
		object: OBJECT,
		version: VERSION,
		size: u64::MAX,
		muid: Muid::new(Pallet::<T>::now_micros(), medallion, 1)
			.unwrap_or(Muid::from_bytes([0; 16])),
		set_head_on_finalize: true,
		kms: KMS,
	}
}

/// All that a version needs: provider, confirmed node, tenant, KMS and object.
fn object<T: Config>() -> DispatchResult {
	tenant::<T>()?;
	kms::<T>()?;
	Pallet::<T>::create_provider(root::<T>(), SPACE, PROVIDER)?;
	provider_admin::<T>()?;
	pending_node::<T>(NODE)?;
	Pallet::<T>::confirm_node(admin::<T>(), PROVIDER, NODE)?;
	Pallet::<T>::create_content_object(admin::<T>(), TENANT, OBJECT)
}

/// A key of the tenant that signs.
fn tenant_signer<T: Config>() -> Result<T::AccountId, sp_runtime::DispatchError> {
	let signer = T::BenchmarkHelper::signer();
	let level = Some(TenantLevel::Content);
	Pallet::<T>::set_tenant_key(root::<T>(), TENANT, signer.clone(), level)?;
	Ok(signer)
}

fn version<T: Config>() -> DispatchResult {
	object::<T>()?;
	let (signer, message) = (tenant_signer::<T>()?, message::<T>());
	let signature = T::BenchmarkHelper::sign(&signer, &Pallet::<T>::commit_payload(&message));
	Pallet::<T>::commit_version(admin::<T>(), signer, message, signature)
}

/// A collection that has room for one key, the larger the longer that is.
fn collection<T: Config>(name: CollectionNameOf<T>, key: RecordKeyOf<T>) -> DispatchResult {
	let (key_type, syntax) = (RecordKeyType::Literal(key), RecordKeySyntax::PathSegment);
	Pallet::<T>::create_collection(admin::<T>(), TENANT, name, key_type, syntax)
}

/// The version as what a record names: the larger of the two kinds.
const TARGET: ContentRef = ContentRef { object: OBJECT, version: Some(VERSION) };

fn record<T: Config>(name: CollectionNameOf<T>, key: RecordKeyOf<T>) -> DispatchResult {
	version::<T>()?;
	collection::<T>(name.clone(), key.clone())?;
	Pallet::<T>::put_record(admin::<T>(), TENANT, name, Some(key), TARGET)
}

/// Puts so many of the records with the longest keys under the tenant, without all that there would be
/// with them, so that their number alone makes the difference.
fn bare_records<T: Config>(count: u32) {
	let now = Muid::from_bytes([0xff; 16]);
	let info = RecordInfo { target: TARGET, created: now, updated: now, deposit: Zero::zero() };
	for number in 0..count {
		let mut key = longest_key::<T>().into_inner();
		let digits = alloc::format!("{number:08}");
		let len = digits.len().min(key.len());
		key[..len].copy_from_slice(&digits.as_bytes()[digits.len() - len..]);
		let key: RecordKeyOf<T> = key.try_into().unwrap_or_default();
		Records::<T>::insert((TENANT, longest_name::<T>(), key), &info);
	}
	Tenants::<T>::mutate(TENANT, |tenant| {
		if let Some(tenant) = tenant {
			tenant.rows += count;
		}
	});
}

/// What is held for rows of the tenant that a benchmark has put there by hand.
fn hold_deposit<T: Config>() -> DispatchResult {
	let deposit = bond::<T>();
	crate::bonds::hold::<T>(HoldReason::StorageDeposit, &account("root", 0, 0), deposit)?;
	Tenants::<T>::mutate(TENANT, |info| {
		if let Some(info) = info {
			info.deposit = deposit;
		}
	});
	Ok(())
}

fn head<T: Config>() -> DispatchResult {
	version::<T>()?;
	Pallet::<T>::finalize_version(admin::<T>(), TENANT, OBJECT, VERSION)
}

fn given_up<T: Config>(subject: Subject) -> Result<(), BenchmarkError> {
	Pallet::<T>::set_governance_delete(governance::<T>()?, subject, true)?;
	Ok(())
}

#[benchmarks]
mod benchmarks {
	use super::*;

	#[benchmark]
	fn create_space(s: Linear<0, { T::MaxSlaLen::get() }>) -> Result<(), BenchmarkError> {
		frame_system::Pallet::<T>::set_block_number(One::one());
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
	fn admit() -> Result<(), BenchmarkError> {
		space::<T>()?;
		let (origin, account) = (governance::<T>()?, account::<T::AccountId>("admitted", 0, 0));
		#[extrinsic_call]
		_(origin as OriginFor<T>, SPACE, account.clone(), Role::Provider);
		assert!(Admissions::<T>::contains_key(SPACE, (account, Role::Provider)));
		Ok(())
	}

	#[benchmark]
	fn revoke_admission() -> Result<(), BenchmarkError> {
		space::<T>()?;
		let (origin, account) = (governance::<T>()?, whitelisted_caller::<T::AccountId>());
		#[extrinsic_call]
		_(origin as OriginFor<T>, SPACE, account.clone(), Role::Provider);
		assert!(!Admissions::<T>::contains_key(SPACE, (account, Role::Provider)));
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
	fn delete_space(a: Linear<0, { T::MaxAdmissions::get() }>) -> Result<(), BenchmarkError> {
		space::<T>()?;
		let _ = Admissions::<T>::clear_prefix(SPACE, u32::MAX, None);
		for number in 0..a {
			let account = account::<T::AccountId>("admitted", number, 0);
			Admissions::<T>::insert(SPACE, (account, Role::Provider), ());
		}
		Spaces::<T>::mutate(SPACE, |space| {
			if let Some(space) = space {
				space.admission_count = a;
			}
		});
		let origin = governance::<T>()?;
		#[extrinsic_call]
		_(origin as OriginFor<T>, SPACE);
		assert!(!Spaces::<T>::contains_key(SPACE));
		Ok(())
	}

	#[benchmark]
	fn create_provider() -> Result<(), BenchmarkError> {
		space::<T>()?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, SPACE, PROVIDER);
		assert!(Providers::<T>::contains_key(PROVIDER));
		Ok(())
	}

	#[benchmark]
	fn top_up_provider_bond() -> Result<(), BenchmarkError> {
		provider::<T>()?;
		// A new root takes over, the dearest case.
		let root = whitelisted_caller::<T::AccountId>();
		Pallet::<T>::set_provider_root(self::root::<T>(), PROVIDER, root.clone())?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, PROVIDER, bond::<T>());
		assert!(Providers::<T>::get(PROVIDER).is_some_and(|provider| provider.depositor == root));
		Ok(())
	}

	#[benchmark]
	fn set_provider_root() -> Result<(), BenchmarkError> {
		empty_provider::<T>()?;
		let (origin, root) = (governance::<T>()?, account::<T::AccountId>("new root", 0, 0));
		#[extrinsic_call]
		_(origin as OriginFor<T>, PROVIDER, root.clone());
		assert!(Providers::<T>::get(PROVIDER).is_some_and(|provider| provider.root == root));
		Ok(())
	}

	#[benchmark]
	fn set_provider_key() -> Result<(), BenchmarkError> {
		provider::<T>()?;
		let (account, level) = (account::<T::AccountId>("key", 0, 0), ProviderLevel::Node);
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, PROVIDER, account.clone(), Some(level));
		assert!(ProviderKeys::<T>::get(PROVIDER, account).is_some_and(|key| key.level == level));
		Ok(())
	}

	#[benchmark]
	fn create_node() -> Result<(), BenchmarkError> {
		provider::<T>()?;
		#[extrinsic_call]
		_(
			admin::<T>() as OriginFor<T>,
			PROVIDER,
			NODE,
			account("operator", 0, 0),
			longest_locator::<T>(),
		);
		assert!(Nodes::<T>::contains_key(PROVIDER, NODE));
		assert_eq!(ProviderKeys::<T>::iter_prefix(PROVIDER).count(), 2);
		Ok(())
	}

	#[benchmark]
	fn confirm_node() -> Result<(), BenchmarkError> {
		provider::<T>()?;
		pending_node::<T>(NODE)?;
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
	fn remove_node() -> Result<(), BenchmarkError> {
		provider::<T>()?;
		pending_node::<T>(NODE)?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, PROVIDER, NODE);
		assert!(!Nodes::<T>::contains_key(PROVIDER, NODE));
		Ok(())
	}

	#[benchmark]
	fn delete_provider() -> Result<(), BenchmarkError> {
		empty_provider::<T>()?;
		#[extrinsic_call]
		_(root::<T>() as OriginFor<T>, PROVIDER);
		assert!(!Providers::<T>::contains_key(PROVIDER));
		Ok(())
	}

	#[benchmark]
	fn create_tenant() -> Result<(), BenchmarkError> {
		space::<T>()?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, SPACE, TENANT);
		assert!(Tenants::<T>::contains_key(TENANT));
		Ok(())
	}

	#[benchmark]
	fn top_up_tenant_bond() -> Result<(), BenchmarkError> {
		tenant::<T>()?;
		let root = whitelisted_caller::<T::AccountId>();
		Pallet::<T>::set_tenant_root(self::root::<T>(), TENANT, root.clone())?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, bond::<T>());
		assert!(Tenants::<T>::get(TENANT).is_some_and(|tenant| tenant.depositor == root));
		Ok(())
	}

	#[benchmark]
	fn set_tenant_root() -> Result<(), BenchmarkError> {
		empty_tenant::<T>()?;
		let (origin, root) = (governance::<T>()?, account::<T::AccountId>("new root", 0, 0));
		#[extrinsic_call]
		_(origin as OriginFor<T>, TENANT, root.clone());
		assert!(Tenants::<T>::get(TENANT).is_some_and(|tenant| tenant.root == root));
		Ok(())
	}

	#[benchmark]
	fn set_tenant_key() -> Result<(), BenchmarkError> {
		tenant::<T>()?;
		let (account, level) = (account::<T::AccountId>("key", 0, 0), TenantLevel::Kms);
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, account.clone(), Some(level));
		assert!(TenantKeys::<T>::get(TENANT, account).is_some_and(|key| key.level == level));
		Ok(())
	}

	#[benchmark]
	fn add_kms() -> Result<(), BenchmarkError> {
		tenant::<T>()?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, KMS, longest_locator::<T>());
		assert!(Kmses::<T>::contains_key(TENANT, KMS));
		Ok(())
	}

	#[benchmark]
	fn set_kms_locator() -> Result<(), BenchmarkError> {
		tenant::<T>()?;
		Pallet::<T>::add_kms(admin::<T>(), TENANT, KMS, text(1))?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, KMS, longest_locator::<T>());
		let locator = Kmses::<T>::get(TENANT, KMS).map(|kms| kms.locator);
		assert_eq!(locator, Some(longest_locator::<T>()));
		Ok(())
	}

	#[benchmark]
	fn remove_kms() -> Result<(), BenchmarkError> {
		tenant::<T>()?;
		kms::<T>()?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, KMS);
		assert!(!Kmses::<T>::contains_key(TENANT, KMS));
		Ok(())
	}

	#[benchmark]
	fn delete_tenant() -> Result<(), BenchmarkError> {
		empty_tenant::<T>()?;
		#[extrinsic_call]
		_(root::<T>() as OriginFor<T>, TENANT);
		assert!(!Tenants::<T>::contains_key(TENANT));
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

	#[benchmark]
	fn commit_version() -> Result<(), BenchmarkError> {
		object::<T>()?;
		let (signer, message) = (tenant_signer::<T>()?, message::<T>());
		// The form that wallets sign is looked for after the other one.
		let payload = Pallet::<T>::commit_payload(&message);
		let wrapped = [&b"<Bytes>"[..], &payload, b"</Bytes>"].concat();
		let signature = T::BenchmarkHelper::sign(&signer, &wrapped);
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, signer, message, signature);
		assert!(Versions::<T>::contains_key((TENANT, OBJECT, VERSION)));
		Ok(())
	}

	#[benchmark]
	fn finalize_version() -> Result<(), BenchmarkError> {
		version::<T>()?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, OBJECT, VERSION);
		let head = ContentObjects::<T>::get(TENANT, OBJECT).and_then(|object| object.head_version);
		assert_eq!(head, Some(VERSION));
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
		object::<T>()?;
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
		#[extrinsic_call]
		_(
			admin::<T>() as OriginFor<T>,
			TENANT,
			name.clone(),
			key_type,
			RecordKeySyntax::PathSegment,
		);
		assert!(Collections::<T>::contains_key(TENANT, name));
		Ok(())
	}

	#[benchmark]
	fn delete_collection(
		n: Linear<1, { T::MaxCollectionNameLen::get() }>,
	) -> Result<(), BenchmarkError> {
		tenant::<T>()?;
		let name: CollectionNameOf<T> = text(n);
		collection::<T>(name.clone(), longest_key::<T>())?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, name.clone());
		assert!(!Collections::<T>::contains_key(TENANT, name));
		Ok(())
	}

	/// A new record with a key of its own.
	#[benchmark]
	fn put_record(
		n: Linear<1, { T::MaxCollectionNameLen::get() }>,
		k: Linear<1, { T::MaxRecordKeyLen::get() }>,
	) -> Result<(), BenchmarkError> {
		version::<T>()?;
		let name: CollectionNameOf<T> = text(n);
		collection::<T>(name.clone(), text(k))?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, name, Some(text(k)), TARGET);
		assert_eq!(Records::<T>::iter_prefix((TENANT,)).count(), 1);
		Ok(())
	}

	/// A new record whose key the chain mints.
	#[benchmark]
	fn put_minted_record(
		n: Linear<1, { T::MaxCollectionNameLen::get() }>,
	) -> Result<(), BenchmarkError> {
		version::<T>()?;
		let name: CollectionNameOf<T> = text(n);
		let (key_type, syntax) = (RecordKeyType::Tid, RecordKeySyntax::PathSegment);
		Pallet::<T>::create_collection(admin::<T>(), TENANT, name.clone(), key_type, syntax)?;
		#[extrinsic_call]
		put_record(admin::<T>() as OriginFor<T>, TENANT, name, None, TARGET);
		assert!(LastTid::<T>::exists());
		Ok(())
	}

	#[benchmark]
	fn delete_record(
		n: Linear<1, { T::MaxCollectionNameLen::get() }>,
		k: Linear<1, { T::MaxRecordKeyLen::get() }>,
	) -> Result<(), BenchmarkError> {
		record::<T>(text(n), text(k))?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, text(n), text(k));
		assert_eq!(Records::<T>::iter_prefix((TENANT,)).count(), 0);
		Ok(())
	}

	#[benchmark]
	fn slash_provider() -> Result<(), BenchmarkError> {
		provider::<T>()?;
		let origin = governance::<T>()?;
		#[extrinsic_call]
		_(origin as OriginFor<T>, PROVIDER, bond::<T>());
		assert!(Providers::<T>::get(PROVIDER).is_some_and(|info| info.bond.is_zero()));
		Ok(())
	}

	#[benchmark]
	fn slash_tenant() -> Result<(), BenchmarkError> {
		tenant::<T>()?;
		let origin = governance::<T>()?;
		#[extrinsic_call]
		_(origin as OriginFor<T>, TENANT, bond::<T>());
		assert!(Tenants::<T>::get(TENANT).is_some_and(|info| info.bond.is_zero()));
		Ok(())
	}

	#[benchmark]
	fn set_governance_delete() -> Result<(), BenchmarkError> {
		tenant::<T>()?;
		let origin = governance::<T>()?;
		#[extrinsic_call]
		_(origin as OriginFor<T>, Subject::Tenant(TENANT), true);
		assert!(Tenants::<T>::get(TENANT).is_some_and(|tenant| tenant.governance_delete));
		Ok(())
	}

	#[benchmark]
	fn governance_delete_node() -> Result<(), BenchmarkError> {
		provider::<T>()?;
		pending_node::<T>(NODE)?;
		given_up::<T>(Subject::Provider(PROVIDER))?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, PROVIDER, NODE);
		assert!(!Nodes::<T>::contains_key(PROVIDER, NODE));
		Ok(())
	}

	#[benchmark]
	fn governance_delete_kms() -> Result<(), BenchmarkError> {
		tenant::<T>()?;
		kms::<T>()?;
		given_up::<T>(Subject::Tenant(TENANT))?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, KMS);
		assert!(!Kmses::<T>::contains_key(TENANT, KMS));
		Ok(())
	}

	#[benchmark]
	fn governance_delete_content_object() -> Result<(), BenchmarkError> {
		object::<T>()?;
		given_up::<T>(Subject::Tenant(TENANT))?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, OBJECT);
		assert!(!ContentObjects::<T>::contains_key(TENANT, OBJECT));
		Ok(())
	}

	#[benchmark]
	fn governance_delete_version() -> Result<(), BenchmarkError> {
		head::<T>()?;
		given_up::<T>(Subject::Tenant(TENANT))?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, OBJECT, VERSION);
		assert!(!Versions::<T>::contains_key((TENANT, OBJECT, VERSION)));
		Ok(())
	}

	#[benchmark]
	fn governance_delete_collection(
		n: Linear<1, { T::MaxCollectionNameLen::get() }>,
	) -> Result<(), BenchmarkError> {
		tenant::<T>()?;
		let name: CollectionNameOf<T> = text(n);
		collection::<T>(name.clone(), longest_key::<T>())?;
		given_up::<T>(Subject::Tenant(TENANT))?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, name.clone());
		assert!(!Collections::<T>::contains_key(TENANT, name));
		Ok(())
	}

	#[benchmark]
	fn governance_delete_record(
		n: Linear<1, { T::MaxCollectionNameLen::get() }>,
		k: Linear<1, { T::MaxRecordKeyLen::get() }>,
	) -> Result<(), BenchmarkError> {
		record::<T>(text(n), text(k))?;
		given_up::<T>(Subject::Tenant(TENANT))?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, text(n), text(k));
		assert_eq!(Records::<T>::iter_prefix((TENANT,)).count(), 0);
		Ok(())
	}

	/// Half of the bond is slashed, so that all that can be done with holds is done. Beside the nodes, the
	/// largest rows, there is one row in the other map: the root, who operates the nodes, needs no key.
	#[benchmark]
	fn governance_delete_provider(r: Linear<0, 1_000>) -> Result<(), BenchmarkError> {
		provider::<T>()?;
		for node in 0..r {
			let (mut id, operator) = (NODE, account("root", 0, 0));
			id.0[..4].copy_from_slice(&node.to_be_bytes());
			let locator = longest_locator::<T>();
			Pallet::<T>::create_node(root::<T>(), PROVIDER, id, operator, locator)?;
		}
		let origin = governance::<T>()?;
		#[extrinsic_call]
		_(origin as OriginFor<T>, PROVIDER, bond::<T>() / 2u32.into(), r + 1);
		assert!(!Providers::<T>::contains_key(PROVIDER));
		assert_eq!(Nodes::<T>::iter_prefix(PROVIDER).count(), 0);
		Ok(())
	}

	/// Beside the records there is a row at least in every other map.
	#[benchmark]
	fn governance_delete_tenant(r: Linear<0, 1_000>) -> Result<(), BenchmarkError> {
		version::<T>()?;
		collection::<T>(longest_name::<T>(), longest_key::<T>())?;
		let others = Pallet::<T>::rows(Subject::Tenant(TENANT)).unwrap_or_default();
		bare_records::<T>(r);
		let origin = governance::<T>()?;
		#[extrinsic_call]
		_(origin as OriginFor<T>, TENANT, bond::<T>() / 2u32.into(), others + r);
		assert!(!Tenants::<T>::contains_key(TENANT));
		assert_eq!(Records::<T>::iter_prefix((TENANT,)).count(), 0);
		Ok(())
	}

	#[benchmark]
	fn start_deletion() -> Result<(), BenchmarkError> {
		empty_tenant::<T>()?;
		bare_records::<T>(1);
		hold_deposit::<T>()?;
		let origin = governance::<T>()?;
		#[extrinsic_call]
		governance_delete_tenant(origin as OriginFor<T>, TENANT, bond::<T>() / 2u32.into(), 0);
		assert!(Deletions::<T>::contains_key(Subject::Tenant(TENANT)));
		Ok(())
	}

	/// A step through all stages, of which the first has all rows but one and the last that one, to the
	/// end.
	#[benchmark]
	fn reap(r: Linear<1, 1_000>) -> Result<(), BenchmarkError> {
		tenant::<T>()?;
		bare_records::<T>(r - 1);
		Tenants::<T>::mutate(TENANT, |tenant| {
			if let Some(tenant) = tenant {
				tenant.rows = r;
			}
		});
		let origin = governance::<T>()?;
		Pallet::<T>::governance_delete_tenant(origin, TENANT, Zero::zero(), 0)
			.map_err(|error| error.error)?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, Subject::Tenant(TENANT), r);
		assert!(!Tenants::<T>::contains_key(TENANT));
		assert!(!Deletions::<T>::contains_key(Subject::Tenant(TENANT)));
		Ok(())
	}

	/// What every block pays, and every place that it looks at: a look at the queue, and to have it
	/// move on from a place that is empty.
	#[benchmark]
	fn on_idle_base() -> Result<(), BenchmarkError> {
		DeletionQueueBounds::<T>::put(QueueBounds { first: 0, next: 1 });
		let weight = T::WeightInfo::on_idle_base().saturating_mul(2);
		let mut meter = WeightMeter::with_limit(weight);
		#[block]
		{
			Pallet::<T>::drive_deletions(&mut meter);
		}
		assert_eq!(DeletionQueueBounds::<T>::get(), QueueBounds { first: 1, next: 1 });
		Ok(())
	}

	/// Not the weight of a call: what a row costs by key prefix, to be compared with `rows_by_key`.
	#[benchmark(extra)]
	fn rows_by_prefix(r: Linear<0, 1_000>) -> Result<(), BenchmarkError> {
		empty_tenant::<T>()?;
		bare_records::<T>(r);
		#[block]
		{
			let _ = Records::<T>::clear_prefix((TENANT,), u32::MAX, None);
		}
		assert_eq!(Records::<T>::iter_prefix((TENANT,)).count(), 0);
		Ok(())
	}

	/// Not the weight of a call: what a row costs key by key.
	#[benchmark(extra)]
	fn rows_by_key(r: Linear<0, 1_000>) -> Result<(), BenchmarkError> {
		empty_tenant::<T>()?;
		bare_records::<T>(r);
		#[block]
		{
			let _ = Records::<T>::iter_key_prefix((TENANT,)).drain().count();
		}
		assert_eq!(Records::<T>::iter_prefix((TENANT,)).count(), 0);
		Ok(())
	}

	impl_benchmark_test_suite!(Pallet, mock::empty(), mock::Test);
}
