// SPDX-License-Identifier: Apache-2.0
//! The pallets that the benchmark command measures. Not `pallet-migrations`: its benchmarks demand
//! mocked migrations in the runtime, with which the tests could not migrate anything.

frame_benchmarking::define_benchmarks!(
	[frame_benchmarking, BaselineBench::<Runtime>]
	[frame_system, SystemBench::<Runtime>]
	[frame_system_extensions, SystemExtensionsBench::<Runtime>]
	[pallet_balances, Balances]
	[pallet_collective, Council]
	[pallet_content_fabric, ContentFabric]
	[pallet_multisig, Multisig]
	[pallet_proxy, Proxy]
	[pallet_sudo, Sudo]
	[pallet_timestamp, Timestamp]
	[pallet_utility, Utility]
	[pallet_whitelist, Whitelist]
);

impl frame_system_benchmarking::Config for crate::Runtime {}
impl frame_benchmarking::baseline::Config for crate::Runtime {}
