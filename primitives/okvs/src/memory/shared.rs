// SPDX-License-Identifier: Apache-2.0
//! Pairs that threads share, and change for a short time only.

use core::convert::Infallible;

use super::MemorySnapshot;
use crate::{
	overlay::{Batch, Store},
	CommitOptions, Error,
};

/// The pairs of a [`MemoryDatabase`](super::MemoryDatabase), shared by threads.
#[cfg(feature = "std")]
#[derive(Debug, Default)]
pub struct Shared(std::sync::Mutex<MemorySnapshot>);

#[cfg(feature = "std")]
impl Shared {
	fn with<R>(&self, run: impl FnOnce(&mut MemorySnapshot) -> R) -> R {
		run(&mut self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
	}
}

/// The pairs of a [`MemoryDatabase`](super::MemoryDatabase), used by one thread.
#[cfg(not(feature = "std"))]
#[derive(Debug, Default)]
pub struct Shared(core::cell::RefCell<MemorySnapshot>);

#[cfg(not(feature = "std"))]
impl Shared {
	fn with<R>(&self, run: impl FnOnce(&mut MemorySnapshot) -> R) -> R {
		run(&mut self.0.borrow_mut())
	}
}

impl Store for Shared {
	type Error = Infallible;
	type Snapshot<'s> = MemorySnapshot;

	fn snapshot(&self) -> Result<MemorySnapshot, Error<Infallible>> {
		Ok(self.with(|pairs| pairs.clone()))
	}

	fn apply(&self, batch: Batch, _options: CommitOptions) -> Result<(), Error<Infallible>> {
		self.with(|pairs| pairs.apply(batch.0));
		Ok(())
	}
}
