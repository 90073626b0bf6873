// SPDX-License-Identifier: Apache-2.0
//! A lock that admits one writer at a time.

use core::marker::PhantomData;

#[cfg(not(feature = "std"))]
pub(crate) use self::alone::Gate;
#[cfg(feature = "std")]
pub(crate) use self::threads::Gate;

/// The right to write, until it is dropped. It cannot leave its thread, so that the gate can detect
/// a thread that would wait for itself.
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

/// The gate without the standard library. There are no other threads to wait for.
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
		/// Enters the gate. Returns `None` if it is closed.
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
		/// Mark of the thread that has entered, or 0 if the gate is open.
		holder: AtomicUsize,
		/// Number of waiting threads.
		waiting: AtomicUsize,
		/// Held by a thread between counting itself in `waiting` and its wait, so that it misses no
		/// opening.
		lock: Mutex<()>,
		opened: Condvar,
	}

	/// Returns the mark of this thread: the address of a thread-local variable. It is never 0, and
	/// no other living thread has it. This is cheaper than the thread's id.
	#[inline]
	fn mark() -> usize {
		std::thread_local! {
			static MARK: u8 = const { 0 };
		}
		MARK.with(|mark| ptr::from_ref(mark).addr())
	}

	impl Gate {
		/// Enters the gate, and waits for it as `wait` permits. Returns `None` if it is still
		/// closed then, and at once if this thread has closed it.
		#[inline]
		pub fn enter(&self, wait: Wait) -> Option<Entered<'_>> {
			let thread = mark();
			let entered = match self.holder.compare_exchange(0, thread, SeqCst, SeqCst) {
				Ok(_) => true,
				Err(holder) => holder != thread && self.wait(thread, wait),
			};
			// Lazily, because dropping an `Entered` opens the gate.
			entered.then(|| Entered { gate: self, thread: PhantomData })
		}

		#[cold]
		fn wait(&self, thread: usize, wait: Wait) -> bool {
			let end = match wait {
				Wait::Never => return false,
				Wait::Forever => None,
				// `None` if the clock cannot represent the end.
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

		/// Opens the gate, and wakes a waiting thread. No thread is missed: it has counted itself
		/// before the count is read here, or a later writer has closed the gate and will read the
		/// count.
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
