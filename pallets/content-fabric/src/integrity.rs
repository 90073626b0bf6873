//! What must hold of a runtime's configuration.

use codec::MaxEncodedLen;
use content_fabric_identifiers::{RecordKey, Tid};
use frame_support::{
	dispatch::DispatchClass,
	pallet_prelude::{Get, Weight},
};
use sp_runtime::traits::Zero;

use crate::{
	bonds::storage_key_len, members::ID_LEN, types::MAX_RAW_KEY_LEN, CollectionNameOf, Config,
	Pallet, RecordKeyOf, WeightInfo,
};

impl<T: Config> Pallet<T> {
	pub(crate) fn do_integrity_test() {
		for (name, limit) in [
			("MaxLocatorLen", T::MaxLocatorLen::get()),
			("MaxSlaLen", T::MaxSlaLen::get()),
			("MaxAdmissions", T::MaxAdmissions::get()),
			("MaxCollectionNameLen", T::MaxCollectionNameLen::get()),
			("MaxRecordKeyLen", T::MaxRecordKeyLen::get()),
		] {
			assert!(limit > 0, "{name} must be above zero");
		}
		assert!(!T::MaxCommitAge::get().is_zero(), "MaxCommitAge must be above zero");
		for (name, limit) in [
			("MaxCollectionNameLen", T::MaxCollectionNameLen::get()),
			("MaxRecordKeyLen", T::MaxRecordKeyLen::get()),
		] {
			assert!(
				limit as usize <= RecordKey::MAX_LEN,
				"{name} must be at most {}",
				RecordKey::MAX_LEN
			);
		}
		assert!(
			T::MaxRecordKeyLen::get() as usize >= Tid::TEXT_LEN,
			"MaxRecordKeyLen must leave room for the {} bytes of a TID",
			Tid::TEXT_LEN
		);
		assert!(
			longest_raw_key::<T>() <= MAX_RAW_KEY_LEN as usize,
			"MaxCollectionNameLen and MaxRecordKeyLen must leave storage keys of at most {MAX_RAW_KEY_LEN} bytes"
		);
		assert!(
			!T::ChainMedallion::get().is_assignable(),
			"ChainMedallion must not be one that a node can be given"
		);
		Self::test_weights();
	}

	/// That weight bounds every deletion, and that deletions come to an end.
	fn test_weights() {
		for (name, weight) in [
			(
				"governance_delete_provider",
				T::WeightInfo::governance_delete_provider as fn(u32) -> Weight,
			),
			("governance_delete_tenant", T::WeightInfo::governance_delete_tenant),
			("reap", T::WeightInfo::reap),
		] {
			assert!(
				weight(1).all_gt(weight(0)),
				"{name}: every deleted row must have a weight, or one call could delete without bounds"
			);
		}
		let step = T::WeightInfo::reap(1);
		// Once for the block, and once for a place in the queue.
		let idle = T::WeightInfo::on_idle_base().saturating_mul(2).saturating_add(step);
		assert!(
			T::MaxIdleWeight::get().all_gte(idle),
			"MaxIdleWeight must leave room for the removal of a row, {idle:?}"
		);
		let extrinsic =
			T::BlockWeights::get().get(DispatchClass::Normal).max_extrinsic.unwrap_or(Weight::MAX);
		assert!(
			extrinsic.all_gte(step),
			"an extrinsic must be able to remove a row, with the weight {step:?}"
		);
	}
}

/// Bytes of the longest storage key of a row that a deletion removes: that of a record.
fn longest_raw_key<T: Config>() -> usize {
	storage_key_len(&[
		ID_LEN,
		CollectionNameOf::<T>::max_encoded_len(),
		RecordKeyOf::<T>::max_encoded_len(),
	])
}
