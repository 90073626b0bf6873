//! Shared state that is changed for a short time only.

/// By threads, where there are any.
#[cfg(feature = "std")]
#[derive(Debug, Default)]
pub(super) struct Lock<T>(std::sync::Mutex<T>);

#[cfg(feature = "std")]
impl<T> Lock<T> {
	pub fn with<R>(&self, run: impl FnOnce(&mut T) -> R) -> R {
		let mut state = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
		run(&mut state)
	}
}

/// By one thread.
#[cfg(not(feature = "std"))]
#[derive(Debug, Default)]
pub(super) struct Lock<T>(core::cell::RefCell<T>);

#[cfg(not(feature = "std"))]
impl<T> Lock<T> {
	pub fn with<R>(&self, run: impl FnOnce(&mut T) -> R) -> R {
		run(&mut self.0.borrow_mut())
	}
}
