//! From version 0, of chains that were made before there were rules, bonds and deposits, to version 1.

use codec::{Compact, Decode, Encode};
use content_fabric_identifiers::{KmsId, Medallion, Muid, NodeId, ProviderId, SpaceId, VersionId};
#[cfg(feature = "try-runtime")]
use frame_support::ensure;
use frame_support::{
	migrations::VersionedMigration,
	pallet_prelude::{Get, Weight},
	traits::UncheckedOnRuntimeUpgrade,
	BoundedVec,
};
use sp_runtime::traits::Zero;
#[cfg(feature = "try-runtime")]
use sp_runtime::TryRuntimeError;

use crate::{
	types::AccountIdOf, BalanceOf, Config, ContentObjectInfo, ContentObjects, KeyInfo, KmsInfo,
	Kmses, MemberInfo, MemberInfoOf, MomentOf, NodeInfo, Nodes, Pallet, ProviderKeys,
	ProviderLevel, Providers, SpaceInfo, SpaceRulesOf, Spaces, TenantKeys, TenantLevel, Tenants,
	VersionInfo, Versions, LOG_TARGET,
};

/// The migration, which does nothing on storage of another version than 0. The spaces that there are
/// get `Rules`.
///
/// Members get no bond and their rows no deposits, so nothing is taken from any account: their root
/// becomes the depositor, of nothing so far. Nodes get medallions.
///
/// It goes through the whole storage of the pallet in one block.
pub type MigrateToV1<T, Rules> = VersionedMigration<
	0,
	1,
	InnerMigrateToV1<T, Rules>,
	Pallet<T>,
	<T as frame_system::Config>::DbWeight,
>;

/// The migration without the check of the version. Use [`MigrateToV1`].
pub struct InnerMigrateToV1<T, Rules>(core::marker::PhantomData<(T, Rules)>);

/// The values of version 0.
pub(crate) mod v0 {
	use super::*;

	#[derive(Encode, Decode)]
	pub struct SpaceInfo<AccountId> {
		pub governor: AccountId,
		pub provider_count: u32,
		pub tenant_count: u32,
		pub created: Muid,
	}

	#[derive(Encode, Decode)]
	pub struct MemberInfo<AccountId> {
		pub space: SpaceId,
		pub root: AccountId,
		pub rows: u32,
		pub governance_delete: bool,
		pub created: Muid,
	}

	#[derive(Encode, Decode)]
	pub struct NodeInfo<MaxLocatorLen: Get<u32>> {
		pub pending: bool,
		pub locator: BoundedVec<u8, MaxLocatorLen>,
	}

	#[derive(Encode, Decode)]
	pub struct KmsInfo<MaxLocatorLen: Get<u32>> {
		pub locator: BoundedVec<u8, MaxLocatorLen>,
	}

	#[derive(Encode, Decode)]
	pub struct ContentObjectInfo {
		pub head_version: Option<VersionId>,
		pub version_count: u32,
		pub created: Muid,
	}

	#[derive(Encode, Decode)]
	pub struct VersionInfo<Moment> {
		pub originator: ProviderId,
		pub node: NodeId,
		pub size: Compact<u64>,
		pub committed: Muid,
		pub finalized: Option<Moment>,
		pub set_head_on_finalize: bool,
		pub kms: KmsId,
	}
}

/// A member with nothing held for it.
fn member<T: Config>(old: v0::MemberInfo<AccountIdOf<T>>) -> MemberInfoOf<T> {
	let v0::MemberInfo { space, root, rows, governance_delete, created } = old;
	MemberInfo {
		space,
		depositor: root.clone(),
		root,
		bond: Zero::zero(),
		deposit: Zero::zero(),
		rows,
		governance_delete,
		being_deleted: false,
		created,
	}
}

/// A key with nothing held for it.
fn key<T: Config, Level>(level: Level) -> KeyInfo<Level, BalanceOf<T>> {
	KeyInfo { level, deposit: Zero::zero() }
}

/// The number of items that an iterator gives of each map that the migration goes through.
#[cfg(feature = "try-runtime")]
macro_rules! in_each_map {
	($T:ty, $iter:ident) => {
		in_each_map!($T, $iter: Spaces, Providers, Tenants, ProviderKeys, TenantKeys, Nodes, Kmses, ContentObjects, Versions)
	};
	($T:ty, $iter:ident: $($map:ident),*) => {
		[$($map::<$T>::$iter().count() as u64),*]
	};
}

impl<T: Config, Rules: Get<SpaceRulesOf<T>>> UncheckedOnRuntimeUpgrade
	for InnerMigrateToV1<T, Rules>
{
	fn on_runtime_upgrade() -> Weight {
		let mut rows = 0u64;
		let mut count = || rows += 1;
		Spaces::<T>::translate(|_, old: v0::SpaceInfo<AccountIdOf<T>>| {
			count();
			let v0::SpaceInfo { governor, provider_count, tenant_count, created } = old;
			let rules = Rules::get();
			let admission_count = 0;
			Some(SpaceInfo {
				governor,
				rules,
				provider_count,
				tenant_count,
				admission_count,
				created,
			})
		});
		Providers::<T>::translate(|_, old| {
			count();
			Some(member::<T>(old))
		});
		Tenants::<T>::translate(|_, old| {
			count();
			Some(member::<T>(old))
		});
		ProviderKeys::<T>::translate(|_, _, level: ProviderLevel| {
			count();
			Some(key::<T, _>(level))
		});
		TenantKeys::<T>::translate(|_, _, level: TenantLevel| {
			count();
			Some(key::<T, _>(level))
		});
		Nodes::<T>::translate(|_, _, old: v0::NodeInfo<T::MaxLocatorLen>| {
			count();
			let v0::NodeInfo { pending, locator } = old;
			let medallion = Pallet::<T>::assign_medallion().unwrap_or_else(|_| {
				log::error!(target: LOG_TARGET, "there are more nodes than medallions");
				Medallion::LAST_ASSIGNABLE
			});
			let deposit = Zero::zero();
			Some(NodeInfo { pending, locator, medallion, last_muid: None, deposit })
		});
		Kmses::<T>::translate(|_, _, old: v0::KmsInfo<T::MaxLocatorLen>| {
			count();
			Some(KmsInfo { locator: old.locator, deposit: Zero::zero() })
		});
		ContentObjects::<T>::translate(|_, _, old: v0::ContentObjectInfo| {
			count();
			let v0::ContentObjectInfo { head_version, version_count, created } = old;
			Some(ContentObjectInfo { head_version, version_count, deposit: Zero::zero(), created })
		});
		Versions::<T>::translate(|_, old: v0::VersionInfo<MomentOf<T>>| {
			count();
			let v0::VersionInfo {
				originator,
				node,
				size,
				committed,
				finalized,
				set_head_on_finalize,
				kms,
			} = old;
			Some(VersionInfo {
				originator,
				node,
				size,
				committed,
				finalized,
				set_head_on_finalize,
				kms,
				deposit: Zero::zero(),
			})
		});
		log::info!(target: LOG_TARGET, "{rows} rows were brought to version 1");
		// The count of medallions is one row more.
		T::DbWeight::get().reads_writes(rows + 1, rows + 1)
	}

	#[cfg(feature = "try-runtime")]
	fn pre_upgrade() -> Result<alloc::vec::Vec<u8>, TryRuntimeError> {
		let keys = in_each_map!(T, iter_keys);
		Ok(keys.encode())
	}

	#[cfg(feature = "try-runtime")]
	fn post_upgrade(before: alloc::vec::Vec<u8>) -> Result<(), TryRuntimeError> {
		let values = in_each_map!(T, iter_values);
		ensure!(
			before == values.encode(),
			"there are rows that cannot be read after the migration"
		);
		Pallet::<T>::do_try_state()
	}
}
