// SPDX-License-Identifier: Apache-2.0
//! Checks of a runtime's configuration.

use codec::MaxEncodedLen;
use content_fabric_identifiers::{ContentObjectId, RecordKey, Tid, VersionId};
use content_fabric_primitives::{DraftVersion, Role};
use frame_support::{
	dispatch::DispatchClass,
	pallet_prelude::{Get, Weight},
	traits::fungible::Inspect,
};
use sp_runtime::traits::Zero;

use crate::{
	content::{
		add_copies_weight, commit_versions_weight, deleted_version_weight,
		finalize_versions_weight, remove_copies_weight,
	},
	deletion::{governance_delete_weight, reap_weight},
	members::{storage_key_len, ID_LEN},
	observer::Observer,
	records::{delete_records_weight, put_records_weight},
	types::{AccountIdOf, MAX_RAW_KEY_LEN},
	CollectionNameOf, Config, KmsInfoOf, MaxOtherCopies, NodeInfoOf, Pallet, RecordInfoOf,
	RecordKeyOf, RecordPutOf, VersionInfoOf, WeightInfo,
};

/// Bytes of an extrinsic beside the largest list in its call: signature, transaction extensions,
/// and the other arguments.
const MAX_REST_OF_EXTRINSIC: usize = 1_024;

impl<T: Config> Pallet<T> {
	pub(crate) fn do_integrity_test() {
		for (name, limit) in [
			("MaxLocatorLen", T::MaxLocatorLen::get()),
			("MaxAdmissions", T::MaxAdmissions::get()),
			("MaxCollectionNameLen", T::MaxCollectionNameLen::get()),
			("MaxRecordKeyLen", T::MaxRecordKeyLen::get()),
			("MaxVersionsPerCommit", T::MaxVersionsPerCommit::get()),
			("MaxCopies", T::MaxCopies::get()),
			("MaxRecordsPerCall", T::MaxRecordsPerCall::get()),
			("MinFreeReap", T::MinFreeReap::get()),
		] {
			assert!(limit > 0, "{name} must be above zero");
		}
		assert!(!T::MaxCommitAge::get().is_zero(), "MaxCommitAge must be above zero");
		// The offsets of a commit's versions count from 1.
		assert!(
			i32::try_from(T::MaxVersionsPerCommit::get()).is_ok(),
			"MaxVersionsPerCommit must be at most {}",
			i32::MAX
		);
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
			"MaxCollectionNameLen and MaxRecordKeyLen must leave storage keys of at most \
			 {MAX_RAW_KEY_LEN} bytes, not {}",
			longest_raw_key::<T>()
		);
		let (base, minimum) = (T::DepositBase::get(), T::Currency::minimum_balance());
		assert!(
			base.is_zero() || base >= minimum,
			"DepositBase must be zero or at least the minimum balance, {minimum:?}: a release of less \
			 could fail"
		);
		test_idle_weight::<T>();
		test_rows::<T>();
		test_extrinsics::<T>();
		#[cfg(feature = "std")]
		super::nesting::test_nesting::<T>();
	}
}

/// Checks that weight bounds every step of a purge, and that purges come to an end.
fn test_idle_weight<T: Config>() {
	let one = T::WeightInfo::reap(1);
	for (name, none, one) in [
		("reap", T::WeightInfo::reap(0), one),
		("clear_prefix", T::WeightInfo::clear_prefix(0), T::WeightInfo::clear_prefix(1)),
	] {
		assert!(
			one.all_gt(none),
			"{name}: every row must have a weight, or a step could remove any number of them"
		);
	}
	// A scan looks at changes that are not in the state yet, so it has no proof.
	assert!(
		T::WeightInfo::overlay_scan(1).ref_time() > T::WeightInfo::overlay_scan(0).ref_time(),
		"overlay_scan: every scan must have a weight, or a step could clear any number of maps"
	);
	// Once for the block, and once for a place in the queue.
	let step = T::WeightInfo::on_idle_base().saturating_mul(2).saturating_add(reap_weight::<T>(1));
	assert!(
		T::MaxIdleWeight::get().all_gte(step),
		"MaxIdleWeight must leave room for the removal of a row, {step:?}{}",
		with_observer::<T>()
	);
}

/// Returns a note for a weight that includes the observer's. Empty without one.
fn with_observer<T: Config>() -> &'static str {
	if T::Observer::IS_ENABLED {
		" (including the weight of Observer)"
	} else {
		""
	}
}

/// Checks that the weight of a removal covers the longest row that the limits allow.
fn test_rows<T: Config>() {
	let removal = T::WeightInfo::reap(1).saturating_sub(T::WeightInfo::reap(0)).proof_size();
	let record = longest_raw_key::<T>().saturating_add(RecordInfoOf::<T>::max_encoded_len());
	let child = storage_key_len(&[ID_LEN, ID_LEN]);
	let version = storage_key_len(&[ID_LEN, ID_LEN, VersionId::LEN]);
	for (name, len) in [
		("MaxLocatorLen", child.saturating_add(NodeInfoOf::<T>::max_encoded_len())),
		("MaxLocatorLen", child.saturating_add(KmsInfoOf::<T>::max_encoded_len())),
		("MaxCopies", version.saturating_add(VersionInfoOf::<T>::max_encoded_len())),
		("MaxCollectionNameLen and MaxRecordKeyLen", record),
	] {
		assert!(
			len as u64 <= removal,
			"{name}: a row can have {len} bytes, but `reap` counts {removal} bytes of proof for each \
			 row: reduce the limit, or measure the weights with it"
		);
	}
}

/// Checks that the largest list of each call fits an extrinsic, in weight and in length.
fn test_extrinsics<T: Config>() {
	let (versions, records) = (T::MaxVersionsPerCommit::get(), T::MaxRecordsPerCall::get());
	let (admissions, reap) = (T::MaxAdmissions::get(), T::MinFreeReap::get());
	let longest_keys = records.saturating_mul(T::MaxRecordKeyLen::get());
	let version_len = <(ContentObjectId, VersionId)>::max_encoded_len();
	let lists: [(&str, Weight, u32, usize); 12] = [
		(
			"commit_versions with MaxVersionsPerCommit and MaxCopies",
			commit_versions_weight::<T>(versions, MaxOtherCopies::<T>::get()),
			versions.saturating_add(MaxOtherCopies::<T>::get()),
			DraftVersion::max_encoded_len(),
		),
		(
			"finalize_versions with MaxVersionsPerCommit",
			finalize_versions_weight::<T>(versions),
			versions,
			version_len,
		),
		(
			"add_copies with MaxVersionsPerCommit",
			add_copies_weight::<T>(versions),
			versions,
			version_len,
		),
		(
			"remove_copies with MaxVersionsPerCommit",
			remove_copies_weight::<T>(versions),
			versions,
			version_len,
		),
		(
			"put_records with MaxRecordsPerCall",
			put_records_weight::<T>(records, longest_keys),
			records,
			RecordPutOf::<T>::max_encoded_len(),
		),
		(
			"delete_records with MaxRecordsPerCall",
			delete_records_weight::<T>(records, longest_keys),
			records,
			RecordKeyOf::<T>::max_encoded_len(),
		),
		(
			"revoke_admissions with MaxAdmissions",
			T::WeightInfo::revoke_admissions(admissions),
			admissions,
			<(AccountIdOf<T>, Role)>::max_encoded_len(),
		),
		("reap with MinFreeReap", reap_weight::<T>(reap), 0, 0),
		("governance_delete with Observer", governance_delete_weight::<T>(), 0, 0),
		(
			"create_tenant with Observer",
			T::WeightInfo::create_tenant().saturating_add(T::Observer::member_created_weight()),
			0,
			0,
		),
		(
			"governance_delete_version with Observer",
			T::WeightInfo::governance_delete_version()
				.saturating_add(T::Observer::head_moved_weight())
				.saturating_add(deleted_version_weight::<T>()),
			0,
			0,
		),
		(
			"governance_delete_node with Observer",
			T::WeightInfo::governance_delete_node()
				.saturating_add(T::Observer::node_removed_weight()),
			0,
			0,
		),
	];
	let weights = T::BlockWeights::get();
	let weights = weights.get(DispatchClass::Normal);
	let max_weight = weights.max_extrinsic.or(weights.max_total).unwrap_or(Weight::MAX);
	let with = with_observer::<T>();
	let max_len = *T::BlockLength::get().max.get(DispatchClass::Normal) as usize;
	for (name, weight, count, item_len) in lists {
		assert!(
			max_weight.all_gte(weight),
			"{name}: the weight {weight:?}{with} must fit an extrinsic, {max_weight:?}"
		);
		let len = (count as usize).saturating_mul(item_len).saturating_add(MAX_REST_OF_EXTRINSIC);
		assert!(len <= max_len, "{name}: {len} bytes must fit an extrinsic, {max_len}");
	}
}

/// Returns the length of the longest storage key of a row that a purge removes, which is a record.
fn longest_raw_key<T: Config>() -> usize {
	storage_key_len(&[
		ID_LEN,
		CollectionNameOf::<T>::max_encoded_len(),
		RecordKeyOf::<T>::max_encoded_len(),
	])
}
