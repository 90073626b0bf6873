//! Benchmarks of every call, each at its worst case: longest locators, and rows in the map with the
//! longest keys.

use alloc::vec;

use content_fabric_identifiers::{
	ContentObjectId, KmsId, Muid, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};
use frame_benchmarking::v2::*;
use frame_support::{
	pallet_prelude::{DispatchResult, Get},
	traits::{EnsureOrigin, EnsureOriginWithArg, Time},
};
use frame_system::{pallet_prelude::OriginFor, RawOrigin};
use sp_runtime::traits::One;

use crate::*;

const SPACE: SpaceId = SpaceId([1; 10]);
const PROVIDER: ProviderId = ProviderId([2; 10]);
const NODE: NodeId = NodeId([3; 10]);
const TENANT: TenantId = TenantId([4; 10]);
const KMS: KmsId = KmsId([5; 10]);
const OBJECT: ContentObjectId = ContentObjectId([6; 10]);
const VERSION: VersionId = VersionId([7; 32]);

fn longest_locator<T: Config>() -> LocatorOf<T> {
	vec![b'x'; T::MaxLocatorLen::get() as usize].try_into().unwrap_or_default()
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
	T::GovernanceOrigin::try_successful_origin(&SPACE).map_err(|()| BenchmarkError::Weightless)
}

fn space<T: Config>() -> DispatchResult {
	// Past the genesis, where clocks stand at zero.
	frame_system::Pallet::<T>::set_block_number(One::one());
	Pallet::<T>::do_create_space(SPACE, account("governor", 0, 0))
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

fn message(version: VersionId) -> VersionCommitMessage {
	VersionCommitMessage {
		originator: PROVIDER,
		node: NODE,
		tenant: TENANT,
		object: OBJECT,
		version,
		size: u64::MAX,
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

fn version<T: Config>() -> DispatchResult {
	object::<T>()?;
	Pallet::<T>::commit_version(admin::<T>(), message(VERSION))
}

fn largest_version<T: Config>() -> VersionInfoOf<T> {
	VersionInfo {
		originator: PROVIDER,
		node: NODE,
		size: u64::MAX.into(),
		committed: Muid::from_bytes([0xff; 16]),
		finalized: Some(T::Time::now()),
		set_head_on_finalize: true,
		kms: KMS,
	}
}

fn head<T: Config>() -> DispatchResult {
	version::<T>()?;
	Pallet::<T>::finalize_version(admin::<T>(), TENANT, OBJECT, VERSION)
}

fn given_up<T: Config>(subject: Subject) -> DispatchResult {
	Pallet::<T>::do_set_governance_delete(subject, true)
}

#[benchmarks]
mod benchmarks {
	use super::*;

	#[benchmark]
	fn create_space() -> Result<(), BenchmarkError> {
		frame_system::Pallet::<T>::set_block_number(One::one());
		let origin = creator::<T>()?;
		#[extrinsic_call]
		_(origin as OriginFor<T>, SPACE, whitelisted_caller());
		assert!(Spaces::<T>::contains_key(SPACE));
		Ok(())
	}

	#[benchmark]
	fn set_space_governor() -> Result<(), BenchmarkError> {
		space::<T>()?;
		let (origin, governor) = (governance::<T>()?, account::<T::AccountId>("governor", 0, 0));
		#[extrinsic_call]
		_(origin as OriginFor<T>, SPACE, governor.clone());
		assert!(Spaces::<T>::get(SPACE).is_some_and(|space| space.governor == governor));
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
		space::<T>()?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, SPACE, PROVIDER);
		assert!(Providers::<T>::contains_key(PROVIDER));
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
		assert_eq!(ProviderKeys::<T>::get(PROVIDER, account), Some(level));
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
		pending_node::<T>(NODE)?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, PROVIDER, NODE, longest_locator::<T>());
		assert!(Nodes::<T>::contains_key(PROVIDER, NODE));
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
		assert_eq!(TenantKeys::<T>::get(TENANT, account), Some(level));
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
		kms::<T>()?;
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, TENANT, KMS, longest_locator::<T>());
		assert!(Kmses::<T>::contains_key(TENANT, KMS));
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
		#[extrinsic_call]
		_(admin::<T>() as OriginFor<T>, message(VERSION));
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
	fn governance_delete_provider(r: Linear<0, 1_000>) -> Result<(), BenchmarkError> {
		// All nodes, the largest rows: the root, who operates them, needs no key.
		empty_provider::<T>()?;
		for node in 0..r {
			let (mut id, operator) = (NODE, account("root", 0, 0));
			id.0[..4].copy_from_slice(&node.to_be_bytes());
			let locator = longest_locator::<T>();
			Pallet::<T>::create_node(root::<T>(), PROVIDER, id, operator, locator)?;
		}
		let origin = governance::<T>()?;
		#[extrinsic_call]
		_(origin as OriginFor<T>, PROVIDER, r);
		assert!(!Providers::<T>::contains_key(PROVIDER));
		assert_eq!(Nodes::<T>::iter_prefix(PROVIDER).count(), 0);
		Ok(())
	}

	#[benchmark]
	fn governance_delete_tenant(r: Linear<0, 1_000>) -> Result<(), BenchmarkError> {
		// All versions, which have the longest keys. So that their number alone makes the difference,
		// they are put there without the object and the KMS that they would have.
		empty_tenant::<T>()?;
		for version in 0..r {
			let mut id = VERSION;
			id.0[..4].copy_from_slice(&version.to_be_bytes());
			Versions::<T>::insert((TENANT, OBJECT, id), largest_version::<T>());
		}
		Tenants::<T>::mutate(TENANT, |tenant| {
			if let Some(tenant) = tenant {
				tenant.rows = r;
			}
		});
		let origin = governance::<T>()?;
		#[extrinsic_call]
		_(origin as OriginFor<T>, TENANT, r);
		assert!(!Tenants::<T>::contains_key(TENANT));
		assert_eq!(Versions::<T>::iter_prefix((TENANT,)).count(), 0);
		Ok(())
	}

	impl_benchmark_test_suite!(Pallet, mock::empty(), mock::Test);
}
