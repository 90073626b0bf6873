// SPDX-License-Identifier: Apache-2.0
//! Waits for states that come about.

use std::time::{Duration, Instant};

/// Time between two looks.
const PAUSE: Duration = Duration::from_millis(100);

/// Calls a closure until it returns `true`. Panics with a text if that takes longer than a time.
pub async fn until(longest: Duration, otherwise: &str, mut is_so: impl AsyncFnMut() -> bool) {
	let start = Instant::now();
	while !is_so().await {
		assert!(start.elapsed() < longest, "{otherwise}");
		tokio::time::sleep(PAUSE).await;
	}
}
