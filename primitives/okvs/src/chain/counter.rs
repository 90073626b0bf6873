// SPDX-License-Identifier: Apache-2.0
//! Counters of all stores of a runtime call.

/// Without the standard library the runtime is alone; with it several may run at once, each in a
/// thread of its own.
#[cfg(not(feature = "std"))]
pub(super) struct Counter(core::sync::atomic::AtomicU32);

#[cfg(not(feature = "std"))]
impl Counter {
	pub const fn new() -> Self {
		Self(core::sync::atomic::AtomicU32::new(0))
	}

	pub fn get(&self) -> u32 {
		self.0.load(core::sync::atomic::Ordering::Relaxed)
	}

	pub fn set(&self, count: u32) {
		self.0.store(count, core::sync::atomic::Ordering::Relaxed);
	}
}

/// Makes counters that begin at zero.
macro_rules! counter {
	($($(#[$doc:meta])* $name:ident)*) => {$(
		$(#[$doc])*
		#[cfg(not(feature = "std"))]
		static $name: Counter = Counter::new();
		#[cfg(feature = "std")]
		std::thread_local! {
			$(#[$doc])*
			static $name: core::cell::Cell<u32> = const { core::cell::Cell::new(0) };
		}
	)*};
}
pub(super) use counter;
