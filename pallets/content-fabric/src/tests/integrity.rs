// SPDX-License-Identifier: Apache-2.0
//! The integrity test: what a runtime may configure, and what is refused by name.

use std::panic::{catch_unwind, AssertUnwindSafe};

use codec::MaxEncodedLen;
use frame_support::{
	assert_ok,
	dispatch::DispatchClass,
	traits::Hooks,
	weights::{constants::RocksDbWeight, Weight},
};
use frame_system::limits::{BlockLength, BlockWeights};

use crate::{
	identifiers::{RecordKeySyntax, RecordKeyType},
	members::{storage_key_len, ID_LEN},
	mock::{
		recorder::NoticeWeights,
		weights::{MapsWeigh, RowsWeigh, ScansWeigh, TooHeavy},
		*,
	},
	Call, KmsInfoOf, Purges, Records, WeightInfo,
};

/// Sets a constant of the mock.
type Set = fn(u32);
/// Sets whether something has a weight.
type SetWeighs = fn(bool);

/// Bytes that an extrinsic may have beside the largest list in its call.
const REST_OF_EXTRINSIC: u32 = 1_024;

/// Runs something that panics. Returns its message.
pub(super) fn panic_message<R>(run: impl FnOnce() -> R) -> String {
	let payload = catch_unwind(AssertUnwindSafe(run)).err().expect("the code panics");
	match payload.downcast::<String>() {
		Ok(message) => *message,
		Err(payload) => payload.downcast_ref::<&str>().expect("a message is a text").to_string(),
	}
}

/// Checks that the configuration of the mock is accepted.
fn accept() {
	ContentFabric::integrity_test();
}

/// Returns the message with which the configuration of the mock is refused.
fn refusal() -> String {
	panic_message(ContentFabric::integrity_test)
}

/// Checks that the configuration of the mock is refused with a message that begins like this.
#[track_caller]
fn assert_refusal_begins(expected: &str) {
	let refusal = refusal();
	assert!(refusal.starts_with(expected), "{refusal}");
}

/// Returns the smallest `MaxIdleWeight`: for the block, for a place in the queue, and for a row.
fn smallest_idle_weight() -> Weight {
	let base = <() as WeightInfo>::on_idle_base();
	base.saturating_mul(2).saturating_add(<() as WeightInfo>::reap(1))
}

/// Makes all lists, and the record keys, as short as possible.
fn set_shortest_lists() {
	MaxCopies::set(1);
	let limits: [Set; 4] =
		[MaxVersionsPerCommit::set, MaxRecordsPerCall::set, MaxAdmissions::set, MinFreeReap::set];
	limits.into_iter().for_each(|set| set(1));
	// A TID has 13 characters.
	MaxRecordKeyLen::set(13);
}

#[test]
fn the_configuration_of_the_mock_is_accepted() {
	accept();
}

#[test]
fn the_smallest_configuration_is_accepted_and_works() {
	set_shortest_lists();
	MaxLocatorLen::set(1);
	MaxCollectionNameLen::set(1);
	MaxSlaLen::set(0);
	MaxReasonLen::set(0);
	DepositBase::set(0);
	DepositPerByte::set(0);
	UnbondingPeriod::set(0);
	MaxIdleWeight::set(smallest_idle_weight());
	accept();

	let mut chain = Chain::empty();
	chain.block(|| {
		assert_ok!(create_space(SPACE, GOVERNOR, rules()));
		make(PROVIDER_ROOT, create(THE_PROVIDER, MAX_HELD));
		let (provider, node, operator, locator) = (PROVIDER, NODE, OPERATOR, || locator("x"));
		make(PROVIDER_ROOT, Call::create_node { provider, node, operator, locator: locator() });
		assert_ok!(confirm_node(PROVIDER, NODE));
		make(TENANT_ROOT, create(THE_TENANT, MAX_HELD));
		make(TENANT_ROOT, add_kms_call(TENANT, KMS, "x"));
		assert_ok!(submit(creating(&[draft(OBJECT, NEW)])));
		let (tenant, key_type, syntax) = (TENANT, RecordKeyType::Tid, RecordKeySyntax::PathSegment);
		make(TENANT_ROOT, Call::create_collection { tenant, name: name("c"), key_type, syntax });
		let (collection, records) = (name("c"), bounded([(None, whole_object())]));
		make(TENANT_ROOT, Call::put_records { tenant, collection, records });
		assert_eq!(ContentFabric::rows(THE_TENANT), Some(5));
		assert_eq!(THE_MEMBERS.map(governance_delete), [Ok(()); 2]);
	});
	// Every block removes a row, so a deletion comes to its end.
	for _ in 0..6 {
		chain.idle();
	}
	chain.block(|| assert_eq!(THE_MEMBERS.map(ContentFabric::rows), [None; 2]));
}

#[test]
fn limits_of_zero_are_refused() {
	let limits: [(&str, Set, u32); 7] = [
		("MaxLocatorLen", MaxLocatorLen::set, MaxLocatorLen::get()),
		("MaxAdmissions", MaxAdmissions::set, MaxAdmissions::get()),
		("MaxCollectionNameLen", MaxCollectionNameLen::set, MaxCollectionNameLen::get()),
		("MaxRecordKeyLen", MaxRecordKeyLen::set, MaxRecordKeyLen::get()),
		("MaxVersionsPerCommit", MaxVersionsPerCommit::set, MaxVersionsPerCommit::get()),
		("MaxRecordsPerCall", MaxRecordsPerCall::set, MaxRecordsPerCall::get()),
		("MinFreeReap", MinFreeReap::set, MinFreeReap::get()),
	];
	for (constant, set, valid) in limits {
		set(0);
		assert_eq!(refusal(), format!("{constant} must be above zero"));
		set(valid);
	}
	MaxCommitAge::set(0);
	assert_eq!(refusal(), "MaxCommitAge must be above zero");
	MaxCommitAge::set(1);
	accept();
}

#[test]
fn more_versions_in_a_commit_than_offsets_are_refused() {
	MaxVersionsPerCommit::set(1 << 31);
	assert_eq!(refusal(), "MaxVersionsPerCommit must be at most 2147483647");
}

#[test]
fn names_and_record_keys_beyond_the_specification_are_refused() {
	let too_short = "MaxRecordKeyLen must leave room for the 13 bytes of a TID";
	let limits: [(Set, u32, u32, &str); 3] = [
		(MaxCollectionNameLen::set, 513, 128, "MaxCollectionNameLen must be at most 512"),
		(MaxRecordKeyLen::set, 513, 512, "MaxRecordKeyLen must be at most 512"),
		(MaxRecordKeyLen::set, 12, 13, too_short),
	];
	for (set, invalid, valid, message) in limits {
		set(invalid);
		assert_eq!(refusal(), message);
		set(valid);
		accept();
	}
}

#[test]
fn raw_storage_keys_of_more_than_1024_bytes_are_refused() {
	MaxRecordKeyLen::set(512);
	// The longest NSID.
	MaxCollectionNameLen::set(317);
	accept();
	// The longest name of all with such record keys. The weights are not measured with it.
	let unmeasured = "MaxCollectionNameLen and MaxRecordKeyLen: a row can have 1107 bytes, but ";
	MaxCollectionNameLen::set(418);
	assert_refusal_begins(unmeasured);
	MaxCollectionNameLen::set(419);
	assert_eq!(
		refusal(),
		"MaxCollectionNameLen and MaxRecordKeyLen must leave storage keys of at most 1024 bytes, \
		 not 1025"
	);
	// Both limits count.
	MaxRecordKeyLen::set(511);
	assert_refusal_begins(unmeasured);
}

#[test]
fn the_longest_raw_storage_key_of_names_that_are_nsids_has_923_bytes_and_can_be_purged() {
	MaxCollectionNameLen::set(317);
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		let (tenant, longest_name) = (TENANT, "n".repeat(317));
		assert_ok!(create_collection(tenant, &longest_name));
		let collection = name(&longest_name);
		let keys = ["x", "y", "z"].map(|text| key(&text.repeat(512)));
		for key in &keys {
			let raw_key = Records::<Test>::hashed_key_for((tenant, &collection, key));
			assert_eq!(raw_key.len(), 923);
		}
		let records = bounded(keys.map(|key| (Some(key), whole_object())));
		make(TENANT_ROOT, Call::put_records { tenant, collection, records });
		assert_ok!(governance_delete(THE_TENANT));
	});
	// A step continues after the raw key at which the one before it stopped.
	let mut longest_cursor = 0;
	for _ in 0..4 {
		chain.block(|| {
			assert_ok!(reap(THE_TENANT, 1));
			let purge = Purges::<Test>::get(THE_TENANT).expect("the purge is under way");
			longest_cursor = longest_cursor.max(purge.cursor.len());
		});
	}
	assert_eq!(longest_cursor, 923);
	chain.block(|| {
		assert_eq!(Records::<Test>::iter().count(), 0);
		// The small fabric has lost its record. The new collection is still there.
		assert_eq!(ContentFabric::rows(THE_TENANT), Some(TENANT_ROWS - 1 + 1));
	});
}

#[test]
fn deposits_below_the_minimum_balance_are_refused() {
	let base = DepositBase::get();
	ExistentialDeposit::set(base);
	accept();
	ExistentialDeposit::set(base + 1);
	let message = format!("DepositBase must be zero or at least the minimum balance, {}", base + 1);
	assert_refusal_begins(&message);
	// Without a base there are no deposits, or deposits that grow with the bytes.
	DepositBase::set(0);
	accept();
}

#[test]
fn an_idle_weight_with_which_no_deletion_ends_is_refused() {
	let smallest = smallest_idle_weight();
	MaxIdleWeight::set(smallest);
	accept();
	let short = [Weight::from_parts(1, 0), Weight::from_parts(0, 1)].map(|less| smallest - less);
	for weight in short {
		MaxIdleWeight::set(weight);
		let message = "MaxIdleWeight must leave room for the removal of a row, ";
		assert_refusal_begins(message);
	}

	let mut chain = Chain::small_fabric();
	chain.block(|| assert_eq!(governance_delete(THE_TENANT), Ok(())));
	for weight in short {
		MaxIdleWeight::set(weight);
		chain.idle();
		chain.block(|| assert_eq!(ContentFabric::rows(THE_TENANT), Some(TENANT_ROWS)));
	}
	MaxIdleWeight::set(smallest);
	chain.idle();
	chain.block(|| assert_eq!(ContentFabric::rows(THE_TENANT), Some(TENANT_ROWS - 1)));
}

#[test]
fn rows_maps_and_scans_without_a_weight_are_refused() {
	let (rows, scans) = (
		"every row must have a weight, or a step could remove any number of them",
		"every scan must have a weight, or a step could clear any number of maps",
	);
	let weights: [(SetWeighs, &str, &str); 3] = [
		(RowsWeigh::set, "reap", rows),
		(MapsWeigh::set, "clear_prefix", rows),
		(ScansWeigh::set, "overlay_scan", scans),
	];
	for (set, name, expected) in weights {
		set(false);
		assert_eq!(refusal(), format!("{name}: {expected}"));
		set(true);
	}
	accept();
}

#[test]
fn rows_that_are_longer_than_the_measured_ones_are_refused() {
	let removal = <() as WeightInfo>::reap(1) - <() as WeightInfo>::reap(0);
	let length = MaxLocatorLen::get();
	let row = storage_key_len(&[ID_LEN, ID_LEN]) + KmsInfoOf::<Test>::max_encoded_len();
	let longest = length + (removal.proof_size() - row as u64) as u32;
	MaxLocatorLen::set(longest);
	accept();
	MaxLocatorLen::set(longest + 1);
	let refusal = refusal();
	let expected = format!(
		"MaxLocatorLen: a row can have {} bytes, but `reap` counts {} bytes of proof for each row: \
		 reduce the limit, or measure the weights with it",
		removal.proof_size() + 1,
		removal.proof_size()
	);
	assert_eq!(refusal, expected);
}

#[test]
fn lists_too_heavy_for_an_extrinsic_are_refused() {
	set_max_extrinsic(Weight::from_parts(u64::MAX / 2, u64::MAX / 2));
	accept();
	for (call, list) in [
		("commit_versions", "commit_versions with MaxVersionsPerCommit and MaxCopies"),
		("finalize_versions", "finalize_versions with MaxVersionsPerCommit"),
		("add_copies", "add_copies with MaxVersionsPerCommit"),
		("remove_copies", "remove_copies with MaxVersionsPerCommit"),
		("put_records", "put_records with MaxRecordsPerCall"),
		("delete_records", "delete_records with MaxRecordsPerCall"),
		("revoke_admissions", "revoke_admissions with MaxAdmissions"),
		("reap", "reap with MinFreeReap"),
	] {
		TooHeavy::set(call);
		let refusal = refusal();
		assert!(refusal.starts_with(&format!("{list}: the weight ")), "{refusal}");
		assert!(refusal.contains("must fit an extrinsic"), "{refusal}");
	}
	TooHeavy::set("");
	accept();
}

#[test]
fn what_an_observer_adds_must_fit_an_extrinsic_and_an_idle_block() {
	let room = Weight::from_parts(u64::MAX / 2, u64::MAX / 2);
	set_max_extrinsic(room);
	MaxIdleWeight::set(room);
	for (kind, call) in [
		(0, "commit_versions with MaxVersionsPerCommit and MaxCopies"),
		(1, "finalize_versions with MaxVersionsPerCommit"),
		(2, "finalize_versions with MaxVersionsPerCommit"),
		(3, "put_records with MaxRecordsPerCall"),
		(4, "delete_records with MaxRecordsPerCall"),
		(5, "create_tenant with Observer"),
		(7, "MaxIdleWeight must leave room for the removal of a row, "),
		(8, "governance_delete with Observer"),
		(9, "governance_delete_version with Observer"),
		(10, "governance_delete_node with Observer"),
		(11, "finalize_versions with MaxVersionsPerCommit"),
		(12, "add_copies with MaxVersionsPerCommit"),
	] {
		let mut weights = [Weight::zero(); 13];
		weights[kind] = Weight::MAX;
		NoticeWeights::set(weights);
		let refusal = refusal();
		assert!(refusal.starts_with(call), "{refusal}");
		assert!(refusal.contains(" (including the weight of Observer)"), "{refusal}");
	}
	NoticeWeights::set([Weight::zero(); 13]);
	accept();
}

/// Sets the weight that a normal extrinsic may have.
fn set_max_extrinsic(weight: Weight) {
	let mut weights = BlockWeights::simple_max(Weight::MAX);
	weights.per_class.get_mut(DispatchClass::Normal).max_extrinsic = Some(weight);
	TestBlockWeights::set(weights);
}

const COMMITS_ARE_TOO_HEAVY: &str =
	"commit_versions with MaxVersionsPerCommit and MaxCopies: the weight ";

/// Makes lists of versions the heaviest. Returns the weight of the longest commit, and a weight in
/// which all lists fit.
fn set_heavy_commits() -> (Weight, Weight) {
	set_shortest_lists();
	let count = 1_000;
	MaxVersionsPerCommit::set(count);
	let commit = <() as WeightInfo>::commit_versions(count, 0);
	(commit, commit.max(<() as WeightInfo>::finalize_versions(count)))
}

#[test]
fn a_list_must_fit_an_extrinsic_in_time_and_in_proof() {
	let (commit, enough) = set_heavy_commits();
	set_max_extrinsic(enough);
	accept();
	set_max_extrinsic(Weight::from_parts(commit.ref_time() - 1, u64::MAX));
	assert_refusal_begins(COMMITS_ARE_TOO_HEAVY);
	set_max_extrinsic(Weight::from_parts(u64::MAX, commit.proof_size() - 1));
	assert_refusal_begins(COMMITS_ARE_TOO_HEAVY);
}

#[test]
fn where_extrinsics_have_no_limit_of_their_own_a_list_must_fit_their_class() {
	let (commit, enough) = set_heavy_commits();
	// `simple_max` limits only all normal extrinsics of a block together.
	TestBlockWeights::set(BlockWeights::simple_max(enough));
	accept();
	let time = commit.ref_time() - 1;
	TestBlockWeights::set(BlockWeights::simple_max(Weight::from_parts(time, u64::MAX)));
	assert_refusal_begins(COMMITS_ARE_TOO_HEAVY);
}

#[test]
fn the_bytes_of_record_keys_count_for_whether_a_list_fits() {
	set_shortest_lists();
	let records = 100;
	MaxRecordsPerCall::set(records);
	MaxRecordKeyLen::set(512);
	let bytes = <() as WeightInfo>::put_records_key_bytes(512 * records)
		- <() as WeightInfo>::put_records_key_bytes(0);
	// The last TID, which minted keys read and write.
	let minting = RocksDbWeight::get().reads_writes(1, 1);
	let put = <() as WeightInfo>::put_records(records) + bytes + minting;
	set_max_extrinsic(Weight::from_parts(put.ref_time(), u64::MAX));
	accept();
	set_max_extrinsic(Weight::from_parts(put.ref_time() - 1, u64::MAX));
	assert_refusal_begins("put_records with MaxRecordsPerCall: the weight ");
}

#[test]
fn lists_too_long_for_an_extrinsic_are_refused() {
	set_shortest_lists();
	let set_length = |length: u32| {
		let block = BlockLength::builder()
			.modify_max_length_for_class(DispatchClass::Normal, |max| *max = length)
			.build();
		TestBlockLength::set(block);
	};
	let lists: [(&str, Set, u32); 3] = [
		// Object, version, kind of hash, size, and whether it is to become the head.
		(
			"commit_versions with MaxVersionsPerCommit and MaxCopies",
			MaxVersionsPerCommit::set,
			10 + 32 + 1 + 8 + 1,
		),
		// Optional key of 13 bytes; object and optional version.
		(
			"put_records with MaxRecordsPerCall",
			MaxRecordsPerCall::set,
			(1 + 1 + 13) + (10 + 1 + 32),
		),
		// Account and role.
		("revoke_admissions with MaxAdmissions", MaxAdmissions::set, 8 + 1),
	];
	for (list, set, item) in lists {
		let items = 1_000;
		set(items);
		let length = items * item + REST_OF_EXTRINSIC;
		set_length(length);
		accept();
		set_length(length - 1);
		let expected = format!("{list}: {length} bytes must fit an extrinsic, {}", length - 1);
		assert_eq!(refusal(), expected);
		set(1);
	}
}
