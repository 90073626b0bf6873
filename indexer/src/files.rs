// SPDX-License-Identifier: Apache-2.0
//! The limit of open files.

use rustix::process::{getrlimit, setrlimit, Resource, Rlimit};
use tracing::{info, warn};

use crate::api::Limits;

/// Number of files besides the clients' connections: the index, the connection to the node, the
/// log, and those of the runtime.
const OTHERS: u64 = 64;

/// Raises the limit of open files to the highest one allowed, if the connections may need more.
/// Warns if that does not suffice.
pub(crate) fn raise_limit(limits: &Limits) {
	let connections = u64::try_from(limits.connections).unwrap_or(u64::MAX);
	let needed = connections.saturating_add(OTHERS);
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
			"the limit of open files is {}, and {connections} connections need {needed}: raise it \
			 with `ulimit -Hn`, or with `LimitNOFILE` in systemd",
			shown(reached)
		);
	}
}

/// Returns a limit as text.
fn shown(limit: Option<u64>) -> String {
	limit.map_or("unlimited".into(), |limit| limit.to_string())
}
