// SPDX-License-Identifier: Apache-2.0
//! The settings and the errors that all HTTP clients share, and how they read answers.

mod address;
mod arriving;
mod refusal;

use std::{sync::Arc, time::UNIX_EPOCH};

use tokio_rustls::rustls::crypto::ring;
use ureq::{
	config::ConfigBuilder,
	http::Response,
	tls::{RootCerts, TlsConfig},
	typestate::AgentScope,
	Agent, Body,
};

use crate::text::printable;

pub use address::Addresses;
pub use arriving::Arriving;
pub(crate) use refusal::Refusal;

/// Largest number of characters of a server's own words that an error repeats.
const MAX_MESSAGE: usize = 300;

/// Returns the settings of a client. `https_only` forbids connections without encryption.
pub fn config(https_only: bool) -> ConfigBuilder<AgentScope> {
	let tls = TlsConfig::builder()
		.root_certs(RootCerts::PlatformVerifier)
		.unversioned_rustls_crypto_provider(Arc::new(ring::default_provider()));
	Agent::config_builder()
		.tls_config(tls.build())
		.https_only(https_only)
		// Servers are asked directly, and at their own addresses only.
		.proxy(None)
		.max_redirects(0)
		.max_redirects_will_error(false)
		.http_status_as_error(false)
		.user_agent(concat!("fabric/", env!("CARGO_PKG_VERSION")))
}

/// Returns the reason why there is no answer. It does not repeat the URL.
pub fn reason(error: &ureq::Error) -> String {
	match error {
		ureq::Error::Timeout(_) => "the time is over".into(),
		ureq::Error::Io(error) => error.to_string(),
		ureq::Error::BadUri(_) => "its URL is not one of HTTP".into(),
		error => error.to_string(),
	}
}

/// Returns the number of seconds by which the clock of a server is ahead of this machine's, by the
/// header `Date` of an answer that has just come.
pub(crate) fn clock(answer: &Response<Body>) -> Option<i64> {
	let date = answer.headers().get("date")?.to_str().ok()?;
	let time = httpdate::parse_http_date(date).ok()?.duration_since(UNIX_EPOCH).ok()?;
	let now = crate::chain::wall_clock() / 1_000_000;
	time.as_secs().checked_signed_diff(now)
}

/// Returns the words of a server, escaped and not too many.
pub fn shown(words: &str) -> String {
	let short: String = words.chars().take(MAX_MESSAGE).collect();
	printable(&short)
}
