// SPDX-License-Identifier: Apache-2.0
//! Panics of `redb` in damaged files, as errors.

use std::{
	cell::Cell,
	panic::{catch_unwind, set_hook, take_hook, AssertUnwindSafe},
	sync::Once,
};

use super::DiskErrorKind;

thread_local! {
	/// `true` while the thread reads a file that may be damaged.
	static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Reads a file that may be damaged: some damage makes `redb` panic. That is an error, and nothing
/// is printed.
///
/// The first call wraps the panic hook of the process. The wrapper passes on the panics of all other
/// threads, and those of this one at other times.
pub(super) fn quietly<T>(
	read: impl FnOnce() -> Result<T, DiskErrorKind>,
) -> Result<T, DiskErrorKind> {
	static WRAPPED: Once = Once::new();
	WRAPPED.call_once(|| {
		// In a panic the hook cannot be changed; this one is printed then.
		if std::thread::panicking() {
			return;
		}
		let hook = take_hook();
		set_hook(Box::new(move |panic| {
			if !QUIET.try_with(Cell::get).unwrap_or(false) {
				hook(panic);
			}
		}));
	});
	let outer = QUIET.replace(true);
	let done = catch_unwind(AssertUnwindSafe(read));
	QUIET.set(outer);
	done.unwrap_or_else(|_| Err(DiskErrorKind::Corrupted("redb panicked while reading it".into())))
}

#[cfg(test)]
mod tests {
	use super::*;

	/// The hook of the process hears of other panics, before, meanwhile in other threads, and after.
	#[test]
	fn only_panics_of_the_reading_are_silenced() {
		use std::sync::{Arc, Mutex};

		let heard = Arc::new(Mutex::new(Vec::new()));
		let former = take_hook();
		set_hook({
			let heard = heard.clone();
			Box::new(move |panic| {
				let message = panic.payload().downcast_ref::<&str>().map(ToString::to_string);
				heard.lock().expect("no panic").extend(message);
			})
		});
		let quiet = quietly::<()>(|| {
			let other = std::thread::spawn(|| panic!("another thread"));
			assert!(other.join().is_err());
			panic!("the reading");
		});
		assert!(matches!(quiet, Err(DiskErrorKind::Corrupted(_))), "{quiet:?}");
		assert!(catch_unwind(|| panic!("after it")).is_err());
		set_hook(former);
		let heard = heard.lock().expect("no panic");
		// Tests of other threads may panic meanwhile, too.
		assert!(heard.iter().any(|message| message == "another thread"), "{heard:?}");
		assert!(heard.iter().any(|message| message == "after it"), "{heard:?}");
		assert!(!heard.iter().any(|message| message == "the reading"), "{heard:?}");
	}
}
