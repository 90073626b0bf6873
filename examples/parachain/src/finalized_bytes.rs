// SPDX-License-Identifier: Apache-2.0
//! Counts the bytes that the nodes of each provider have finalized, as an observer of the content
//! fabric. A pallet for billing would read them.

pub use pallet::*;

#[frame_support::pallet]
pub mod pallet {
	use frame_support::pallet_prelude::*;
	use pallet_content_fabric::{
		identifiers::{Muid, ProviderId},
		MemberId, ObservedVersion, Observer, PurgeScope,
	};

	/// Bytes that prove a row of a map with up to a million of them.
	const PROOF: u64 = 4_096;

	#[pallet::pallet]
	pub struct Pallet<T>(_);

	#[pallet::config]
	pub trait Config: frame_system::Config {}

	/// The bytes of all versions that a provider has finalized, by the sizes that tenants signed.
	/// Versions that were deleted since count, too.
	#[pallet::storage]
	pub type Bytes<T> = StorageMap<_, Blake2_128Concat, ProviderId, u128, ValueQuery>;

	impl<T: Config, Balance> Observer<T::AccountId, Balance> for Pallet<T> {
		fn on_version_finalized(version: &ObservedVersion) {
			Bytes::<T>::mutate(version.provider, |bytes| {
				*bytes = bytes.saturating_add(version.size.into());
			});
		}

		fn version_finalized_weight() -> Weight {
			row::<T>()
		}

		fn on_member_deleted(member: MemberId, _: Muid) {
			forget::<T>(member);
		}

		fn member_deleted_weight() -> Weight {
			row::<T>()
		}

		fn on_member_purged(member: MemberId, _: Muid, scope: PurgeScope) {
			if scope == PurgeScope::Member {
				forget::<T>(member);
			}
		}

		fn member_purged_weight() -> Weight {
			row::<T>()
		}
	}

	/// Forgets a provider that no longer exists: another one may take its id.
	fn forget<T: Config>(member: MemberId) {
		if let MemberId::Provider(provider) = member {
			Bytes::<T>::remove(provider);
		}
	}

	/// Returns the weight of changing a row. The database takes nearly all of the time.
	fn row<T: Config>() -> Weight {
		T::DbWeight::get().reads_writes(1, 1).saturating_add(Weight::from_parts(5_000_000, PROOF))
	}
}
