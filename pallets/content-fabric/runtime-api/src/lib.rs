// SPDX-License-Identifier: Apache-2.0
//! Dry runs of calls, as a runtime API.
//!
//! A runtime implements it with [`dry_run`](fn@dry_run), as the reference runtime does:
//! `impl ContentFabricApi<Block, Runtime> for Runtime`. Clients read everything else from storage,
//! or from the view functions of the pallet.

#![cfg_attr(not(feature = "std"), no_std)]
#![deny(missing_docs)]

extern crate alloc;

mod dry_run;

use pallet_content_fabric::AccountIdOf;

pub use dry_run::{dry_run, CallOf, DryRun, DryRunFilter, EventOf};

sp_api::decl_runtime_apis! {
	/// Dry runs of calls. `Types` is the runtime.
	pub trait ContentFabricApi<Types>
	where
		Types: pallet_content_fabric::Config,
	{
		/// Returns the outcome of a call for an account, for clients that have no signature yet.
		/// The function [`dry_run`](fn@dry_run) implements it, and says which calls it refuses.
		fn dry_run(account: AccountIdOf<Types>, call: CallOf<Types>) -> DryRun<EventOf<Types>>;
	}
}
