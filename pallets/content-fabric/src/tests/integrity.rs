// SPDX-License-Identifier: Apache-2.0
//! The integrity test: what a runtime may configure, and what is refused by name.

use std::panic::{catch_unwind, AssertUnwindSafe};

use codec::MaxEncodedLen;
use frame_support::{assert_ok, dispatch::DispatchClass, traits::Hooks, weights::Weight};
use frame_system::limits::{BlockLength, BlockWeights};

use crate::{
	identifiers::{Medallion, RecordKeySyntax, RecordKeyType},
	members::{storage_key_len, ID_LEN},
	mock::{recorder::NoticeWeights, *},
	Call, NodeInfoOf, Purges, Records, WeightInfo,
};

/// A runtime like that of the mock, whose blocks, weights, commit age and medallion can be changed,
/// too. Some of its calls contain others.
pub mod adjustable {
	use frame_support::{
		derive_impl, parameter_types, traits::AsEnsureOriginWithArg, weights::Weight,
	};
	use frame_system::{
		limits::{BlockLength, BlockWeights},
		EnsureRoot,
	};

	use crate::{identifiers::Medallion, mock, tests::nesting::wrappers, NestingLimit};

	#[frame_support::runtime]
	mod runtime {
		#[runtime::runtime]
		#[runtime::derive(
			RuntimeCall,
			RuntimeEvent,
			RuntimeError,
			RuntimeOrigin,
			RuntimeFreezeReason,
			RuntimeHoldReason,
			RuntimeSlashReason,
			RuntimeLockId,
			RuntimeTask,
			RuntimeViewFunction
		)]
		pub struct Adjustable;

		#[runtime::pallet_index(0)]
		pub type System = frame_system;
		#[runtime::pallet_index(1)]
		pub type Balances = pallet_balances;
		#[runtime::pallet_index(2)]
		pub type ContentFabric = pallet_content_fabric;
		#[runtime::pallet_index(3)]
		pub type Wrappers = wrappers;
	}

	parameter_types! {
		pub static Weights: BlockWeights = BlockWeights::simple_max(Weight::MAX);
		pub static Length: BlockLength = BlockLength::default();
		pub static MaxCommitAge: u64 = 600_000;
		pub static ChainMedallion: Medallion = Medallion::MAX;
	}

	#[derive_impl(frame_system::config_preludes::TestDefaultConfig)]
	impl frame_system::Config for Adjustable {
		type Block = frame_system::mocking::MockBlock<Adjustable>;
		type AccountData = pallet_balances::AccountData<mock::Balance>;
		type BlockWeights = Weights;
		type BlockLength = Length;
		type BaseCallFilter = NestingLimit;
	}

	impl wrappers::Config for Adjustable {
		type Inner = RuntimeCall;
	}

	#[derive_impl(pallet_balances::config_preludes::TestDefaultConfig)]
	impl pallet_balances::Config for Adjustable {
		type AccountStore = System;
	}

	#[derive_impl(pallet_content_fabric::config_preludes::TestDefaultConfig)]
	impl pallet_content_fabric::Config for Adjustable {
		type Currency = Balances;
		type CreateSpaceOrigin = EnsureRoot<mock::AccountId>;
		type GovernanceOrigin = AsEnsureOriginWithArg<EnsureRoot<mock::AccountId>>;
		type Time = mock::BlockTime;
		type OffchainSignature = mock::Signature;
		type WeightInfo = super::weights::Adjustable;
		type Observer = mock::recorder::Recorder;
		type MaxCommitAge = MaxCommitAge;
		type ChainMedallion = ChainMedallion;
		type MinFreeReap = mock::MinFreeReap;
		type MaxVersionsPerCommit = mock::MaxVersionsPerCommit;
		type MaxRecordsPerCall = mock::MaxRecordsPerCall;
		type MaxAdmissions = mock::MaxAdmissions;
		type MaxRecordKeyLen = mock::MaxRecordKeyLen;
		#[cfg(feature = "runtime-benchmarks")]
		type BenchmarkHelper = mock::Signers;
	}
}

/// Weights like those of the mock, except that rows, whole maps or scans may weigh nothing, and a list
/// of one call more than any block has room for.
pub mod weights {
	use frame_support::{parameter_types, weights::Weight};

	use crate::WeightInfo;

	parameter_types! {
		pub static RowsWeigh: bool = true;
		pub static MapsWeigh: bool = true;
		pub static ScansWeigh: bool = true;
		pub static TooHeavy: &'static str = "";
	}

	pub struct Adjustable;

	macro_rules! as_in_the_mock {
		($($call:ident($($number:ident),*);)*) => {$(
			fn $call($($number: u32),*) -> Weight {
				// One item is never too heavy.
				let is_long = [$($number),*].iter().any(|number: &u32| *number > 1);
				match is_long && TooHeavy::get() == stringify!($call) {
					true => Weight::MAX,
					false => <() as WeightInfo>::$call($($number),*),
				}
			}
		)*};
	}

	impl WeightInfo for Adjustable {
		fn reap(r: u32) -> Weight {
			<() as WeightInfo>::reap(if RowsWeigh::get() { r } else { 0 })
		}

		fn clear_prefix(r: u32) -> Weight {
			<() as WeightInfo>::clear_prefix(if MapsWeigh::get() { r } else { 0 })
		}

		fn overlay_scan(s: u32) -> Weight {
			<() as WeightInfo>::overlay_scan(if ScansWeigh::get() { s } else { 0 })
		}

		as_in_the_mock! {
			create_space(s);
			set_space_rules(s);
			set_space_governor();
			admit();
			revoke_admissions(a);
			delete_space();
			create_provider();
			create_tenant();
			top_up_bond();
			set_max_held();
			nominate_root();
			accept_root();
			purge_member();
			delete_member();
			set_provider_key();
			set_tenant_key();
			create_node();
			confirm_node();
			set_node_locator();
			set_node_operator();
			remove_node();
			add_kms();
			set_kms_locator();
			remove_kms();
			create_content_object();
			commit_versions(v);
			finalize_versions(v);
			set_head_version();
			delete_version();
			delete_content_object();
			create_collection(n);
			delete_collection(n);
			put_records(r);
			put_records_key_bytes(b);
			delete_records(r);
			delete_records_key_bytes(b);
			slash();
			set_suspended();
			set_governance_delete();
			governance_delete_node();
			governance_delete_provider_key();
			governance_delete_tenant_key();
			governance_delete_kms();
			governance_delete_content_object();
			governance_delete_version();
			governance_delete_collection(n);
			governance_delete_record(n, k);
			governance_delete();
			on_idle_base();
		}
	}
}

/// The pallet of a runtime whose blocks, weights, commit age and medallion can be changed.
type Adjusted = adjustable::ContentFabric;
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

/// Checks that a configuration is accepted.
fn accept<Pallet: Hooks<u64>>() {
	Pallet::integrity_test();
}

/// Returns the message with which a configuration is refused.
fn refusal<Pallet: Hooks<u64>>() -> String {
	panic_message(Pallet::integrity_test)
}

/// Checks that a configuration is refused with a message that begins like this.
#[track_caller]
fn assert_refusal_begins<Pallet: Hooks<u64>>(expected: &str) {
	let refusal = refusal::<Pallet>();
	assert!(refusal.starts_with(expected), "{refusal}");
}

/// Returns the smallest `MaxIdleWeight`: for the block, for a place in the queue, and for a row.
fn smallest_idle_weight() -> Weight {
	let base = <() as WeightInfo>::on_idle_base();
	base.saturating_mul(2).saturating_add(<() as WeightInfo>::reap(1))
}

/// Makes all lists, and the record keys, as short as possible.
fn set_shortest_lists() {
	let limits: [Set; 4] =
		[MaxVersionsPerCommit::set, MaxRecordsPerCall::set, MaxAdmissions::set, MinFreeReap::set];
	limits.into_iter().for_each(|set| set(1));
	// A TID has 13 characters.
	MaxRecordKeyLen::set(13);
}

#[test]
fn the_configuration_of_the_mock_is_accepted() {
	accept::<ContentFabric>();
	accept::<Adjusted>();
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
	accept::<ContentFabric>();

	let mut chain = Chain::empty();
	chain.block(|| {
		assert_ok!(create_space(SPACE, GOVERNOR, rules()));
		make(PROVIDER_ROOT, create(THE_PROVIDER, MAX_HELD));
		let (provider, node, operator, locator) = (PROVIDER, NODE, OPERATOR, || locator("x"));
		make(PROVIDER_ROOT, Call::create_node { provider, node, operator, locator: locator() });
		assert_ok!(confirm_node(PROVIDER, NODE));
		make(TENANT_ROOT, create(THE_TENANT, MAX_HELD));
		make(TENANT_ROOT, Call::add_kms { tenant: TENANT, kms: KMS, locator: locator() });
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
		assert_eq!(refusal::<ContentFabric>(), format!("{constant} must be above zero"));
		set(valid);
	}
	accept::<ContentFabric>();
}

#[test]
fn a_commit_age_of_zero_is_refused() {
	adjustable::MaxCommitAge::set(0);
	assert_eq!(refusal::<Adjusted>(), "MaxCommitAge must be above zero");
	adjustable::MaxCommitAge::set(1);
	accept::<Adjusted>();
}

#[test]
fn a_chain_medallion_that_a_node_can_be_assigned_is_refused() {
	let [first, last] =
		[Medallion::FIRST_ASSIGNABLE, Medallion::LAST_ASSIGNABLE].map(Medallion::get);
	let set = |number| {
		adjustable::ChainMedallion::set(Medallion::new(number).expect("is in range"));
	};
	for assignable in [first, (first + last) / 2, last] {
		set(assignable);
		assert_eq!(
			refusal::<Adjusted>(),
			"ChainMedallion must not be one that a node can be assigned"
		);
	}
	for other in [0, first - 1, last + 1, Medallion::MAX.get()] {
		set(other);
		accept::<Adjusted>();
	}
}

#[test]
fn more_versions_in_a_commit_than_offsets_are_refused() {
	MaxVersionsPerCommit::set(1 << 31);
	assert_eq!(refusal::<ContentFabric>(), "MaxVersionsPerCommit must be at most 2147483647");
}

#[test]
fn names_and_record_keys_beyond_the_specification_are_refused() {
	let limits: [(&str, Set, u32); 2] = [
		("MaxCollectionNameLen", MaxCollectionNameLen::set, 128),
		("MaxRecordKeyLen", MaxRecordKeyLen::set, 512),
	];
	for (constant, set, valid) in limits {
		set(513);
		assert_eq!(refusal::<ContentFabric>(), format!("{constant} must be at most 512"));
		set(valid);
	}
	accept::<ContentFabric>();
}

#[test]
fn record_keys_too_short_for_a_tid_are_refused() {
	MaxRecordKeyLen::set(12);
	let message = "MaxRecordKeyLen must leave room for the 13 bytes of a TID";
	assert_eq!(refusal::<ContentFabric>(), message);
	MaxRecordKeyLen::set(13);
	accept::<ContentFabric>();
}

#[test]
fn raw_storage_keys_of_more_than_1024_bytes_are_refused() {
	MaxRecordKeyLen::set(512);
	// The longest NSID.
	MaxCollectionNameLen::set(317);
	accept::<ContentFabric>();
	// The longest name of all with such record keys. The weights are not measured with it.
	let unmeasured = "MaxCollectionNameLen and MaxRecordKeyLen: a row can have 1107 bytes, but ";
	MaxCollectionNameLen::set(418);
	assert_refusal_begins::<ContentFabric>(unmeasured);
	MaxCollectionNameLen::set(419);
	assert_eq!(
		refusal::<ContentFabric>(),
		"MaxCollectionNameLen and MaxRecordKeyLen must leave storage keys of at most 1024 bytes, \
		 not 1025"
	);
	// Both limits count.
	MaxRecordKeyLen::set(511);
	assert_refusal_begins::<ContentFabric>(unmeasured);
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
	accept::<ContentFabric>();
	ExistentialDeposit::set(base + 1);
	let message = format!("DepositBase must be zero or at least the minimum balance, {}", base + 1);
	assert_refusal_begins::<ContentFabric>(&message);
	// Without a base there are no deposits, or deposits that grow with the bytes.
	DepositBase::set(0);
	accept::<ContentFabric>();
}

#[test]
fn an_idle_weight_with_which_no_deletion_ends_is_refused() {
	let smallest = smallest_idle_weight();
	MaxIdleWeight::set(smallest);
	accept::<ContentFabric>();
	let short = [Weight::from_parts(1, 0), Weight::from_parts(0, 1)].map(|less| smallest - less);
	for weight in short {
		MaxIdleWeight::set(weight);
		let message = "MaxIdleWeight must leave room for the removal of a row, ";
		assert_refusal_begins::<ContentFabric>(message);
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
		(weights::RowsWeigh::set, "reap", rows),
		(weights::MapsWeigh::set, "clear_prefix", rows),
		(weights::ScansWeigh::set, "overlay_scan", scans),
	];
	for (set, name, expected) in weights {
		set(false);
		assert_eq!(refusal::<Adjusted>(), format!("{name}: {expected}"));
		set(true);
	}
	accept::<Adjusted>();
}

#[test]
fn rows_that_are_longer_than_the_measured_ones_are_refused() {
	let removal = <() as WeightInfo>::reap(1) - <() as WeightInfo>::reap(0);
	let length = MaxLocatorLen::get();
	let row = storage_key_len(&[ID_LEN, ID_LEN]) + NodeInfoOf::<Test>::max_encoded_len();
	let longest = length + (removal.proof_size() - row as u64) as u32;
	MaxLocatorLen::set(longest);
	accept::<ContentFabric>();
	MaxLocatorLen::set(longest + 1);
	let refusal = refusal::<ContentFabric>();
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
	let lists: [(&str, Set, u32); 4] = [
		(
			"commit_versions with MaxVersionsPerCommit",
			MaxVersionsPerCommit::set,
			MaxVersionsPerCommit::get(),
		),
		("put_records with MaxRecordsPerCall", MaxRecordsPerCall::set, MaxRecordsPerCall::get()),
		("revoke_admissions with MaxAdmissions", MaxAdmissions::set, MaxAdmissions::get()),
		("reap with MinFreeReap", MinFreeReap::set, MinFreeReap::get()),
	];
	for (list, set, valid) in lists {
		// More than a second of work, whatever the weight of an item is.
		set(2_000_000);
		let refusal = refusal::<ContentFabric>();
		assert!(refusal.starts_with(&format!("{list}: the weight ")), "{refusal}");
		assert!(refusal.contains("must fit an extrinsic"), "{refusal}");
		set(valid);
	}
	accept::<ContentFabric>();
}

#[test]
fn each_list_alone_must_fit_an_extrinsic() {
	let room = Weight::from_parts(u64::MAX / 2, u64::MAX / 2);
	set_max_extrinsic(room);
	accept::<Adjusted>();
	for (call, list) in [
		("commit_versions", "commit_versions with MaxVersionsPerCommit"),
		("finalize_versions", "finalize_versions with MaxVersionsPerCommit"),
		("put_records", "put_records with MaxRecordsPerCall"),
		("delete_records", "delete_records with MaxRecordsPerCall"),
		("revoke_admissions", "revoke_admissions with MaxAdmissions"),
	] {
		weights::TooHeavy::set(call);
		assert_refusal_begins::<Adjusted>(&format!("{list}: the weight "));
	}
	weights::TooHeavy::set("");
	accept::<Adjusted>();
}

#[test]
fn what_an_observer_adds_must_fit_an_extrinsic_and_an_idle_block() {
	set_max_extrinsic(Weight::from_parts(u64::MAX / 2, u64::MAX / 2));
	for (kind, call) in [
		(0, "commit_versions with MaxVersionsPerCommit"),
		(1, "finalize_versions with MaxVersionsPerCommit"),
		(2, "finalize_versions with MaxVersionsPerCommit"),
		(3, "put_records with MaxRecordsPerCall"),
		(4, "delete_records with MaxRecordsPerCall"),
		(5, "create_tenant with Observer"),
		(7, "MaxIdleWeight must leave room for the removal of a row, "),
		(8, "governance_delete with Observer"),
	] {
		let mut weights = [Weight::zero(); 9];
		weights[kind] = Weight::MAX;
		NoticeWeights::set(weights);
		let refusal = refusal::<Adjusted>();
		assert!(refusal.starts_with(call), "{refusal}");
		assert!(refusal.contains(" (including the weight of Observer)"), "{refusal}");
	}
	NoticeWeights::set([Weight::zero(); 9]);
	accept::<Adjusted>();
}

/// Sets the weight that a normal extrinsic of [`Adjusted`] may have.
fn set_max_extrinsic(weight: Weight) {
	let mut weights = BlockWeights::simple_max(Weight::MAX);
	weights.per_class.get_mut(DispatchClass::Normal).max_extrinsic = Some(weight);
	adjustable::Weights::set(weights);
}

const COMMITS_ARE_TOO_HEAVY: &str = "commit_versions with MaxVersionsPerCommit: the weight ";

/// Makes lists of versions the heaviest. Returns the weight of the longest commit, and a weight in
/// which all lists fit.
fn set_heavy_commits() -> (Weight, Weight) {
	set_shortest_lists();
	let count = 1_000;
	MaxVersionsPerCommit::set(count);
	let commit = <() as WeightInfo>::commit_versions(count);
	(commit, commit.max(<() as WeightInfo>::finalize_versions(count)))
}

#[test]
fn a_list_must_fit_an_extrinsic_in_time_and_in_proof() {
	let (commit, enough) = set_heavy_commits();
	set_max_extrinsic(enough);
	accept::<Adjusted>();
	set_max_extrinsic(Weight::from_parts(commit.ref_time() - 1, u64::MAX));
	assert_refusal_begins::<Adjusted>(COMMITS_ARE_TOO_HEAVY);
	set_max_extrinsic(Weight::from_parts(u64::MAX, commit.proof_size() - 1));
	assert_refusal_begins::<Adjusted>(COMMITS_ARE_TOO_HEAVY);
}

#[test]
fn where_extrinsics_have_no_limit_of_their_own_a_list_must_fit_their_class() {
	let (commit, enough) = set_heavy_commits();
	// `simple_max` limits only all normal extrinsics of a block together.
	adjustable::Weights::set(BlockWeights::simple_max(enough));
	accept::<Adjusted>();
	let time = commit.ref_time() - 1;
	adjustable::Weights::set(BlockWeights::simple_max(Weight::from_parts(time, u64::MAX)));
	assert_refusal_begins::<Adjusted>(COMMITS_ARE_TOO_HEAVY);
}

#[test]
fn the_bytes_of_record_keys_count_for_whether_a_list_fits() {
	set_shortest_lists();
	let records = 100;
	MaxRecordsPerCall::set(records);
	MaxRecordKeyLen::set(512);
	let bytes = <() as WeightInfo>::put_records_key_bytes(512 * records)
		- <() as WeightInfo>::put_records_key_bytes(0);
	let put = <() as WeightInfo>::put_records(records) + bytes;
	set_max_extrinsic(Weight::from_parts(put.ref_time(), u64::MAX));
	accept::<Adjusted>();
	set_max_extrinsic(Weight::from_parts(put.ref_time() - 1, u64::MAX));
	assert_refusal_begins::<Adjusted>("put_records with MaxRecordsPerCall: the weight ");
}

#[test]
fn lists_too_long_for_an_extrinsic_are_refused() {
	set_shortest_lists();
	let set_length = |length: u32| {
		let block = BlockLength::builder()
			.modify_max_length_for_class(DispatchClass::Normal, |max| *max = length)
			.build();
		adjustable::Length::set(block);
	};
	let lists: [(&str, Set, u32); 3] = [
		// Object, version, size, and whether it is to become the head.
		("commit_versions with MaxVersionsPerCommit", MaxVersionsPerCommit::set, 10 + 32 + 8 + 1),
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
		accept::<Adjusted>();
		set_length(length - 1);
		let expected = format!("{list}: {length} bytes must fit an extrinsic, {}", length - 1);
		assert_eq!(refusal::<Adjusted>(), expected);
		set(1);
	}
}
