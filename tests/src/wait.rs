// SPDX-License-Identifier: Apache-2.0
//! Waits for states that come about.

use std::time::{Duration, Instant};

/// Time between two looks.
const PAUSE: Duration = Duration::from_millis(100);

/// Looks again and again until it is so. Panics with the reason if that takes longer.
pub async fn until(longest: Duration, otherwise: &str, mut is_so: impl AsyncFnMut() -> bool) {
	let start = Instant::now();
	while !is_so().await {
		assert!(start.elapsed() < longest, "{otherwise}");
		tokio::time::sleep(PAUSE).await;
	}
}
