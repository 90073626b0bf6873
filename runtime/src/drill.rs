// SPDX-License-Identifier: Apache-2.0
//! A stepped migration, which only network tests need. No chain should have it.

use frame_support::{
	migrations::{MigrationId, SteppedMigration, SteppedMigrationError},
	traits::{ConstU32, StorageVersion},
	weights::WeightMeter,
	BoundedVec,
};
use pallet_content_fabric::Versions;
use sp_version::{runtime_version, RuntimeVersion};

use crate::{apis, ContentFabric, Runtime};

/// The version after the version of the runtime without the drill.
#[runtime_version]
pub const VERSION: RuntimeVersion = RuntimeVersion {
	spec_name: alloc::borrow::Cow::Borrowed("content-fabric"),
	impl_name: alloc::borrow::Cow::Borrowed("content-fabric"),
	authoring_version: 1,
	spec_version: 2,
	impl_version: 1,
	apis: apis::RUNTIME_API_VERSIONS,
	transaction_version: 1,
	system_version: 1,
};

/// Number of versions that are migrated in a block.
const VERSIONS_IN_A_STEP: usize = 100;

/// Adds a byte to the size of each version. Until the last one, the pallet has no storage version,
/// and so is closed.
pub struct Resize;

impl SteppedMigration for Resize {
	/// The storage key of the version that was migrated last.
	type Cursor = BoundedVec<u8, ConstU32<1_024>>;
	type Identifier = MigrationId<5>;

	fn id() -> Self::Identifier {
		MigrationId { pallet_id: *b"drill", version_from: 1, version_to: 2 }
	}

	fn step(
		cursor: Option<Self::Cursor>,
		meter: &mut WeightMeter,
	) -> Result<Option<Self::Cursor>, SteppedMigrationError> {
		let rows = VERSIONS_IN_A_STEP as u64 + 1;
		let required = <Runtime as frame_system::Config>::DbWeight::get().reads_writes(rows, rows);
		if !meter.can_consume(required) {
			return Err(SteppedMigrationError::InsufficientWeight { required });
		}
		// One step in a block, which then has no weight to spare.
		meter.consume(meter.remaining());
		StorageVersion::new(0).put::<ContentFabric>();
		let versions = match cursor {
			Some(last) => Versions::<Runtime>::iter_from(last.into_inner()),
			None => Versions::<Runtime>::iter(),
		};
		let mut last = None;
		for (key, mut version) in versions.take(VERSIONS_IN_A_STEP) {
			version.size.0 += 1;
			Versions::<Runtime>::insert(key, version);
			last = Some(Versions::<Runtime>::hashed_key_for(key));
		}
		let Some(last) = last else {
			StorageVersion::new(1).put::<ContentFabric>();
			return Ok(None);
		};
		Ok(Some(last.try_into().map_err(|_| SteppedMigrationError::InvalidCursor)?))
	}
}
