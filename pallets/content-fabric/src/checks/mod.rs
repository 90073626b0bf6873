// SPDX-License-Identifier: Apache-2.0
//! Checks of the configuration, when a runtime is built, and of the storage, at any time.

mod integrity;
#[cfg(feature = "std")]
mod nesting;
#[cfg(feature = "std")]
mod places;
#[cfg(any(feature = "std", feature = "try-runtime"))]
mod try_state;
