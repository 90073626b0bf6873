// SPDX-License-Identifier: Apache-2.0
//! The behaviour of the pallet, one file per theme.

mod admissions;
mod batches;
mod bombs;
mod bonds;
mod clock;
mod content;
mod docs;
mod extremes;
mod genesis;
mod governance;
mod heads;
mod integrity;
mod invariants;
mod keys;
mod kmses;
mod model;
mod nesting;
mod nodes;
mod permissions;
mod purges;
mod reading;
mod records;
mod replay;
mod roots;
mod signing;
mod spaces;
mod storage;
mod tours;
mod weights;
