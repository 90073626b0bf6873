// SPDX-License-Identifier: Apache-2.0
//! Admission of one writer at a time.

use crate::Wait;

/// Admits one writer at a time; others wait in their threads.
#[cfg(feature = "std")]
#[derive(Debug, Default)]
pub(super) struct Gate {
	state: std::sync::Mutex<State>,
	freed: std::sync::Condvar,
}

#[cfg(feature = "std")]
#[derive(Debug, Default)]
struct State {
	taken: bool,
	/// Number of threads that wait, as waking none of them costs a system call, too.
	waiting: usize,
}

#[cfg(feature = "std")]
impl Gate {
	fn state(&self) -> std::sync::MutexGuard<'_, State> {
		self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
	}

	/// Enters, unless the time to wait is over before.
	pub fn enter(&self, wait: Wait) -> bool {
		let mut state = self.state();
		if state.taken && wait != Wait::Never {
			state.waiting += 1;
			let taken = |state: &mut State| state.taken;
			state = match wait {
				Wait::AtMost(time) => {
					let waited = self.freed.wait_timeout_while(state, time, taken);
					waited.unwrap_or_else(std::sync::PoisonError::into_inner).0
				},
				_ => {
					let waited = self.freed.wait_while(state, taken);
					waited.unwrap_or_else(std::sync::PoisonError::into_inner)
				},
			};
			state.waiting -= 1;
		}
		!core::mem::replace(&mut state.taken, true)
	}

	pub fn leave(&self) {
		let mut state = self.state();
		state.taken = false;
		if state.waiting > 0 {
			self.freed.notify_one();
		}
	}
}

/// Admits one writer at a time; there is no thread that could wait.
#[cfg(not(feature = "std"))]
#[derive(Debug, Default)]
pub(super) struct Gate(core::cell::Cell<bool>);

#[cfg(not(feature = "std"))]
impl Gate {
	pub fn enter(&self, _wait: Wait) -> bool {
		!self.0.replace(true)
	}

	pub fn leave(&self) {
		self.0.set(false);
	}
}
