//! Admission of one writer at a time.

use crate::Wait;

/// Admits one writer at a time; others wait in their threads.
#[cfg(feature = "std")]
#[derive(Debug, Default)]
pub(super) struct Gate {
	taken: std::sync::Mutex<bool>,
	freed: std::sync::Condvar,
}

#[cfg(feature = "std")]
impl Gate {
	/// Enters, unless the time to wait is over before.
	pub fn enter(&self, wait: Wait) -> bool {
		let taken = self.taken.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
		let mut taken = match wait {
			Wait::Never => taken,
			Wait::Forever => self
				.freed
				.wait_while(taken, |taken| *taken)
				.unwrap_or_else(std::sync::PoisonError::into_inner),
			Wait::AtMost(time) => {
				self.freed
					.wait_timeout_while(taken, time, |taken| *taken)
					.unwrap_or_else(std::sync::PoisonError::into_inner)
					.0
			},
		};
		!core::mem::replace(&mut *taken, true)
	}

	pub fn leave(&self) {
		*self.taken.lock().unwrap_or_else(std::sync::PoisonError::into_inner) = false;
		self.freed.notify_one();
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
