// SPDX-License-Identifier: Apache-2.0
//! Asks a content node whether it serves.

use std::{io::Read, time::Duration};

use content_fabric_client::{
	content_node::{server, Status},
	http::{config, Addresses},
};
use content_fabric_identifiers::{NodeId, ProviderId};
use tracing::debug;
use ureq::{unversioned::transport::DefaultConnector, Agent};

/// Largest number of bytes of an answer that are read: of its head, and of its body.
const HEAD: usize = 8 << 10;
const BODY: u64 = 1 << 10;

/// The answer of a node to a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
	/// It serves the node that it should.
	Good,
	/// It answered with this status, which is an error or a redirect.
	Status(u16),
	/// It is not a content node, or serves another node.
	Other,
	/// No answer in time, a failed connection, or an address that is not allowed.
	None,
	/// Its locator names no HTTP server.
	Locator,
}

/// A client that asks nodes at addresses that strangers chose.
#[derive(Clone)]
pub(super) struct Client(Agent);

impl Client {
	/// Makes a client that waits at most `time` for an answer. `private` lets it connect to any
	/// address, also in its own network.
	pub fn new(time: Duration, private: bool) -> Self {
		let config = config(false)
			.timeout_global(Some(time))
			.max_response_header_size(HEAD)
			.max_idle_connections(0);
		let resolver = Addresses::new(private);
		Self(Agent::with_parts(config.build(), DefaultConnector::default(), resolver))
	}

	/// Asks a node for its status. Blocks.
	pub fn ask(&self, provider: ProviderId, node: NodeId, locator: &str) -> Answer {
		let Ok(url) = server(locator) else { return Answer::Locator };
		let asked = self.0.get(url.to(&["status"], &[])).call();
		let answer = match asked {
			Ok(answer) => answer,
			Err(error) => {
				debug!("{node} does not answer at {url}: {error}");
				return Answer::None;
			},
		};
		let status = answer.status().as_u16();
		if status != 200 {
			return Answer::Status(status);
		}
		let mut body = Vec::new();
		if let Err(error) = answer.into_body().into_reader().take(BODY).read_to_end(&mut body) {
			debug!("{node} does not answer to the end at {url}: {error}");
			return Answer::None;
		}
		match serde_json::from_slice::<Status>(&body) {
			Ok(status) if (status.provider, status.node) == (provider, node) => Answer::Good,
			_ => Answer::Other,
		}
	}
}
