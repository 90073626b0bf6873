// SPDX-License-Identifier: Apache-2.0
//! The behaviour of the pallet, one file per theme, in the order in which to read them.

// Three stories, from a space to its end.
mod tours;

// Those who take part, and what each of them may do.
mod admissions;
mod keys;
mod kmses;
mod medallions;
mod nodes;
mod permissions;
mod roots;
mod spaces;

// Content, its versions and its names.
mod batches;
mod content;
mod grants;
mod heads;
mod records;
mod replay;
mod signing;

// Calls that are free of charge, and notifications to other pallets.
mod free_calls;
mod observers;

// Funds on hold.
mod bonds;

// Governance, and the deletion of whole members.
mod governance;
mod purges;

// Readers, the genesis, and the chain's own ids.
mod clock;
mod genesis;
mod reading;

// The limits: of a runtime, of weights, of numbers and of input.
mod bombs;
mod extremes;
mod integrity;
mod nesting;
mod weights;

// The whole: its storage, its invariants, and random calls beside a model.
mod docs;
mod invariants;
mod model;
mod storage;
