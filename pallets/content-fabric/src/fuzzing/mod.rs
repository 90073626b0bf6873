// SPDX-License-Identifier: Apache-2.0
//! Random calls of the pallet, for fuzzers and model tests.
//!
//! A team that has the pallet in its runtime can fuzz the runtime with the calls of this project's
//! own tests. A [`World`] says which accounts there are. Each [`call`] follows from some bytes and
//! the rows in storage. Most of its arguments name rows that exist, and most origins may make the
//! call, so every call succeeds now and then. Ids are few, so that calls interfere with each other.
//! Sometimes an argument, the signature or the origin is wrong.
//!
//! ```
//! use frame_support::traits::UnfilteredDispatchable;
//! use frame_system::RawOrigin;
//! use pallet_content_fabric::{
//!     fuzzing::{call, Drawn, Draws, Origin, World},
//!     Config,
//! };
//!
//! /// Makes a call for each 24 bytes.
//! fn fuzz<T: Config>(world: &dyn World<T>, input: &[u8]) {
//!     for step in input.chunks(24) {
//!         let Drawn { origin, call, .. } = call(&mut Draws::new(step), world);
//!         let origin = match origin {
//!             Origin::Account(account) => RawOrigin::Signed(account),
//!             Origin::Root | Origin::Council => RawOrigin::Root,
//!         };
//!         // A call that fails must not change anything, which is not checked here.
//!         let _ = call.dispatch_bypass_filter(origin.into());
//!     }
//! }
//! ```

mod calls;
mod draws;
mod rows;
mod versions;

pub use draws::Draws;
use frame_support::{pallet_prelude::Get, BoundedVec, CloneNoBound, DebugNoBound};
pub use rows::{members, Member};

use crate::{
	identifiers::{ProviderId, TenantId},
	types::AccountIdOf,
	BalanceOf, Call, Config, MemberId, ProviderInfoOf, Providers, TenantInfoOf, Tenants,
};

/// The surroundings of the pallet: accounts, signatures, and the unit of amounts.
pub trait World<T: Config> {
	/// Returns the accounts that make calls: at least one, and few, so that each has a part in many
	/// rows.
	fn accounts(&self) -> &[AccountIdOf<T>];

	/// Returns the accounts that can sign a version commit: at least one.
	fn signers(&self) -> &[AccountIdOf<T>] {
		self.accounts()
	}

	/// Returns accounts that become governors of spaces more often than others.
	fn governors(&self) -> Vec<AccountIdOf<T>> {
		Vec::new()
	}

	/// Returns the signature of one of the signers.
	fn sign(&self, signer: &AccountIdOf<T>, bytes: &[u8]) -> T::OffchainSignature;

	/// Returns the unit of amounts. Spaces require bonds of up to 1,000 units, and most members may
	/// have 100,000 on hold. So the deposit of a row should be less than 100, and the funds of most
	/// accounts more than 100,000.
	fn unit(&self) -> BalanceOf<T>;
}

/// The origin of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin<AccountId> {
	/// An account.
	Account(AccountId),
	/// Root.
	Root,
	/// A body that has some of the powers of root, to create and govern spaces. It is root itself
	/// if the runtime has no such body.
	Council,
}

impl<AccountId> Origin<AccountId> {
	/// Returns the account, if it is one.
	pub fn account(&self) -> Option<&AccountId> {
		match self {
			Self::Account(account) => Some(account),
			Self::Root | Self::Council => None,
		}
	}
}

/// A call that was drawn.
#[derive(CloneNoBound, DebugNoBound)]
pub struct Drawn<T: Config> {
	/// The origin, which may make the call most of the time.
	pub origin: Origin<AccountIdOf<T>>,
	/// The call.
	pub call: Call<T>,
	/// False if the call is a version commit without the signature of the account that it names.
	pub is_signed: bool,
}

/// Draws a call from what is in storage now. Panics if the world has no accounts.
pub fn call<T: Config>(draws: &mut Draws, world: &dyn World<T>) -> Drawn<T> {
	let (providers, tenants): (Vec<_>, Vec<_>) =
		(Providers::<T>::iter().collect(), Tenants::<T>::iter().collect());
	let members = rows::of_both_kinds::<T>(providers.clone(), tenants.clone()).collect();
	Generator { draws, world, providers, tenants, members, is_signed: true }.call()
}

/// Draws one call.
struct Generator<'a, T: Config> {
	draws: &'a mut Draws,
	world: &'a dyn World<T>,
	// All members: each kind, and both.
	providers: Vec<(ProviderId, ProviderInfoOf<T>)>,
	tenants: Vec<(TenantId, TenantInfoOf<T>)>,
	members: Vec<(MemberId, Member<T>)>,
	/// False if a commit was drawn without the signature of the account that it names.
	is_signed: bool,
}

/// Returns a list or a text, without what is beyond its bound.
fn bounded<Item, Bound: Get<u32>>(items: impl Into<Vec<Item>>) -> BoundedVec<Item, Bound> {
	BoundedVec::truncate_from(items.into())
}
