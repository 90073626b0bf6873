// SPDX-License-Identifier: Apache-2.0
//! A state that threads share, and the admission of one writer at a time to it.

use super::State;

/// The state of a [`MemoryDatabase`](super::MemoryDatabase), shared by threads.
#[cfg(feature = "std")]
#[derive(Debug, Default)]
pub(super) struct Shared {
	state: std::sync::Mutex<State>,
	left: std::sync::Condvar,
}

#[cfg(feature = "std")]
impl Shared {
	fn lock(&self) -> std::sync::MutexGuard<'_, State> {
		self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
	}

	/// Uses the state, which takes a short time only.
	#[inline]
	pub fn with<R>(&self, run: impl FnOnce(&mut State) -> R) -> R {
		run(&mut self.lock())
	}

	/// Waits for the writer to leave, and enters. Returns `true`.
	pub fn enter(&self) -> bool {
		let state = self.left.wait_while(self.lock(), |state| state.open);
		state.unwrap_or_else(std::sync::PoisonError::into_inner).open = true;
		true
	}

	pub fn leave(&self) {
		self.with(|state| state.open = false);
		self.left.notify_one();
	}
}

/// The state of a [`MemoryDatabase`](super::MemoryDatabase), used by one thread.
#[cfg(not(feature = "std"))]
#[derive(Debug, Default)]
pub(super) struct Shared(core::cell::RefCell<State>);

#[cfg(not(feature = "std"))]
impl Shared {
	/// Uses the state.
	#[inline]
	pub fn with<R>(&self, run: impl FnOnce(&mut State) -> R) -> R {
		run(&mut self.0.borrow_mut())
	}

	/// Returns `false` if there is a writer, for whom nobody can wait.
	pub fn enter(&self) -> bool {
		self.with(|state| !core::mem::replace(&mut state.open, true))
	}

	pub fn leave(&self) {
		self.with(|state| state.open = false);
	}
}
