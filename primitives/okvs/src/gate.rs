// SPDX-License-Identifier: Apache-2.0
//! Admits one writer at a time.

use core::marker::PhantomData;

#[cfg(not(feature = "std"))]
pub(crate) use self::alone::Gate;
#[cfg(feature = "std")]
pub(crate) use self::threads::Gate;

/// The writer that a gate has admitted, until this is dropped. Bound to its thread: a gate knows a
/// thread that waits for itself.
#[derive(Debug)]
#[must_use = "the gate opens when this is dropped"]
pub(crate) struct Entered<'gate> {
	gate: &'gate Gate,
	thread: PhantomData<*const ()>,
}

impl Drop for Entered<'_> {
	#[inline]
	fn drop(&mut self) {
		self.gate.leave();
	}
}

/// Without the standard library there are no other threads, and so nobody to wait for.
#[cfg(not(feature = "std"))]
mod alone {
	use core::{cell::Cell, marker::PhantomData};

	use super::Entered;
	use crate::Wait;

	#[derive(Debug, Default)]
	pub(crate) struct Gate {
		closed: Cell<bool>,
	}

	impl Gate {
		/// Returns `None` if a writer has entered before.
		pub fn enter(&self, _wait: Wait) -> Option<Entered<'_>> {
			let closed = self.closed.replace(true);
			(!closed).then(|| Entered { gate: self, thread: PhantomData })
		}

		pub(super) fn leave(&self) {
			self.closed.set(false);
		}
	}
}

#[cfg(feature = "std")]
mod threads {
	use core::{
		marker::PhantomData,
		ptr,
		sync::atomic::{AtomicUsize, Ordering::SeqCst},
	};
	use std::{
		sync::{Condvar, Mutex, PoisonError},
		time::Instant,
	};

	use super::Entered;
	use crate::Wait;

	#[derive(Debug, Default)]
	pub(crate) struct Gate {
		/// The thread that has entered, by its mark. 0 if the gate is open.
		holder: AtomicUsize,
		/// Number of threads that wait.
		waiting: AtomicUsize,
		/// Held from the count as one that waits until the wait, so that no opening is missed.
		lock: Mutex<()>,
		opened: Condvar,
	}

	/// Returns a number that no other thread has at the same time, and that is not 0: an address.
	/// Cheaper than the id of the thread.
	#[inline]
	fn mark() -> usize {
		std::thread_local! {
			static MARK: u8 = const { 0 };
		}
		MARK.with(|mark| ptr::from_ref(mark).addr())
	}

	impl Gate {
		/// Returns `None` if the gate stays closed for as long as `wait` permits, and at once if
		/// the thread itself has closed it.
		#[inline]
		pub fn enter(&self, wait: Wait) -> Option<Entered<'_>> {
			let thread = mark();
			let entered = match self.holder.compare_exchange(0, thread, SeqCst, SeqCst) {
				Ok(_) => true,
				Err(holder) => holder != thread && self.wait(thread, wait),
			};
			// Made only then, as it leaves when it is dropped.
			entered.then(|| Entered { gate: self, thread: PhantomData })
		}

		#[cold]
		fn wait(&self, thread: usize, wait: Wait) -> bool {
			let end = match wait {
				Wait::Never => return false,
				Wait::Forever => None,
				// No end, if it is later than the clock can tell.
				Wait::AtMost(time) => Instant::now().checked_add(time),
			};
			let mut lock = self.lock.lock().unwrap_or_else(PoisonError::into_inner);
			self.waiting.fetch_add(1, SeqCst);
			let entered = loop {
				if self.holder.compare_exchange(0, thread, SeqCst, SeqCst).is_ok() {
					break true;
				}
				let left = end.map(|end| end.saturating_duration_since(Instant::now()));
				lock = match left {
					None => self.opened.wait(lock).unwrap_or_else(PoisonError::into_inner),
					Some(left) if left.is_zero() => break false,
					Some(left) => {
						let waited = self.opened.wait_timeout(lock, left);
						waited.unwrap_or_else(PoisonError::into_inner).0
					},
				};
			};
			self.waiting.fetch_sub(1, SeqCst);
			entered
		}

		/// Opens the gate. A thread that finds it closed after this is counted before the count is
		/// read here, or finds another writer, who will look at the count.
		#[inline]
		pub(super) fn leave(&self) {
			self.holder.store(0, SeqCst);
			if self.waiting.load(SeqCst) > 0 {
				drop(self.lock.lock().unwrap_or_else(PoisonError::into_inner));
				self.opened.notify_one();
			}
		}
	}
}
