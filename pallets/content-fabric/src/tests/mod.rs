// SPDX-License-Identifier: Apache-2.0
//! The behaviour of the pallet, one file per theme, in the order in which to read them. Blank lines
//! keep rustfmt from sorting them.

// Three stories, from a space to its end.
mod tours;

// Those who take part, and what each of them may do.
mod spaces;

mod admissions;

mod roots;

mod keys;

mod permissions;

mod zero_account;

mod nodes;

mod medallions;

mod kmses;

// Content, its versions and its names.
mod content;

mod signing;

mod grants;

mod replay;

mod heads;

mod copies;

mod records;

mod batches;

// Calls that are free of charge, and notifications to other pallets.
mod free_calls;
mod observers;

// Funds on hold.
mod bonds;

// Governance, and the deletion of whole members.
mod governance;
mod purges;

// Readers, the genesis, and the chain's own ids.
mod reading;

mod genesis;

mod clock;

// The limits: of a runtime, of weights, of numbers and of input.
mod integrity;

mod weights;

mod bombs;

mod nesting;

mod extremes;

// The whole: its storage, its events, its invariants, and random calls beside a model.
mod storage;

mod events;

mod invariants;

mod model;

// The tables of the pages, against the code.
mod docs;
