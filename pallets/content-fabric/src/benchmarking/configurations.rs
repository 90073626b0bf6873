// SPDX-License-Identifier: Apache-2.0
//! The benchmarks hold for every configuration that the integrity test accepts.

use frame_benchmarking::v2::Benchmarking;
use frame_support::traits::Hooks;

use super::benchmarks::test;
use crate::mock::*;

/// Runs all benchmarks with the configuration that the caller has set.
fn run_all(what: &str) {
	empty().execute_with(<ContentFabric as Hooks<u64>>::integrity_test);
	for benchmark in ContentFabric::benchmarks(true) {
		let outcome = empty().execute_with(|| test(&benchmark.name));
		let name = String::from_utf8_lossy(&benchmark.name);
		assert!(outcome.is_ok(), "{name} with {what}: {outcome:?}");
	}
}

#[test]
fn benchmarks_hold_for_the_smallest_configuration() {
	ExistentialDeposit::set(1);
	DepositBase::set(0);
	DepositPerByte::set(0);
	UnbondingPeriod::set(0);
	MinFreeReap::set(1);
	MaxVersionsPerCommit::set(1);
	MaxCopies::set(1);
	MaxRecordsPerCall::set(1);
	MaxAdmissions::set(1);
	MaxReasonLen::set(0);
	MaxLocatorLen::set(1);
	MaxSlaLen::set(0);
	MaxCollectionNameLen::set(1);
	MaxRecordKeyLen::set(13);
	run_all("the smallest limits");
}

#[test]
fn benchmarks_hold_for_a_large_configuration() {
	ExistentialDeposit::set(1_000);
	DepositBase::set(1_000);
	DepositPerByte::set(10);
	UnbondingPeriod::set(u64::MAX / 2);
	MaxVersionsPerCommit::set(500);
	MaxCopies::set(20);
	MaxRecordsPerCall::set(500);
	MaxAdmissions::set(1_000);
	MaxReasonLen::set(1_024);
	MaxLocatorLen::set(900);
	MaxSlaLen::set(4_096);
	MaxCollectionNameLen::set(317);
	MaxRecordKeyLen::set(512);
	run_all("large limits");
}

#[test]
fn benchmarks_hold_for_each_limit_of_admissions() {
	for limit in 1..=5 {
		MaxAdmissions::set(limit);
		for name in
			["admit", "revoke_admissions", "create_provider", "create_tenant", "accept_root"]
		{
			let outcome = empty().execute_with(|| test(name.as_bytes()));
			assert!(outcome.is_ok(), "{name} with {limit} admissions: {outcome:?}");
		}
	}
}
