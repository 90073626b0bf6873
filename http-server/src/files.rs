// SPDX-License-Identifier: Apache-2.0
//! The limit of open files.

use rustix::process::{getrlimit, setrlimit, Resource, Rlimit};
use tracing::{info, warn};

/// Raises the limit of open files to the highest one allowed, if `needed` files may be open at once
/// and it is lower. Warns if that does not suffice.
pub fn raise_file_limit(needed: usize) {
	let needed = u64::try_from(needed).unwrap_or(u64::MAX);
	let is_enough = |limit: Option<u64>| limit.is_none_or(|limit| limit >= needed);
	let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
	if is_enough(current) {
		return;
	}
	let reached = match setrlimit(Resource::Nofile, Rlimit { current: maximum, maximum }) {
		Ok(()) => {
			info!("raised the limit of open files from {} to {}", shown(current), shown(maximum));
			maximum
		},
		Err(error) => {
			warn!("the limit of open files cannot be raised: {error}");
			current
		},
	};
	if !is_enough(reached) {
		warn!(
			"the limit of open files is {}, and {needed} may be open at once: raise it with \
			 `ulimit -Hn`, or with `LimitNOFILE` in systemd",
			shown(reached)
		);
	}
}

/// Returns a limit as text.
fn shown(limit: Option<u64>) -> String {
	limit.map_or("unlimited".into(), |limit| limit.to_string())
}
