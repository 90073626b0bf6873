// SPDX-License-Identifier: Apache-2.0
//! Benchmarks of the ordered store beside what it is built on; see `benches`.
