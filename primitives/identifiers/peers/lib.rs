// SPDX-License-Identifier: Apache-2.0
//! Nothing but benchmarks is in this crate.
