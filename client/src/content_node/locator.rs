// SPDX-License-Identifier: Apache-2.0
//! The HTTP server that a locator names.

use multiaddr::{Multiaddr, Protocol};

use super::NodeError;
use crate::profile::IndexUrl;

/// Returns the server that a locator names: by its URL, or by a multiaddress of a TCP port with
/// `http` or `https` after it.
pub fn server(locator: &str) -> Result<IndexUrl, NodeError> {
	let unusable = || NodeError::Locator(locator.into());
	let url = match locator.starts_with('/') {
		true => from_multiaddress(locator).ok_or_else(unusable)?,
		false => locator.to_owned(),
	};
	url.parse().map_err(|_| unusable())
}

fn from_multiaddress(text: &str) -> Option<String> {
	let address: Multiaddr = text.parse().ok()?;
	let mut parts = address.iter();
	let host = match parts.next()? {
		Protocol::Dns(name) | Protocol::Dns4(name) | Protocol::Dns6(name) => name.into_owned(),
		Protocol::Ip4(address) => address.to_string(),
		Protocol::Ip6(address) => format!("[{address}]"),
		_ => return None,
	};
	let Protocol::Tcp(port) = parts.next()? else { return None };
	let scheme = match (parts.next()?, parts.next(), parts.next()) {
		(Protocol::Http, None, None) => "http",
		(Protocol::Https, None, None) | (Protocol::Tls, Some(Protocol::Http), None) => "https",
		_ => return None,
	};
	Some(format!("{scheme}://{host}:{port}"))
}

#[cfg(test)]
mod tests {
	use super::*;

	fn resource(locator: &str) -> Option<String> {
		server(locator).ok().map(|url| url.to(&["x"], &[]))
	}

	#[test]
	fn urls_and_multiaddresses_name_a_server() {
		for (locator, expected) in [
			("/dns4/example.org/tcp/443/https", "https://example.org/v1/x"),
			("/dns/example.org/tcp/8443/tls/http", "https://example.org:8443/v1/x"),
			("/dns6/example.org/tcp/80/http", "http://example.org/v1/x"),
			("/ip4/127.0.0.1/tcp/8090/http", "http://127.0.0.1:8090/v1/x"),
			("/ip6/::1/tcp/8090/http", "http://[::1]:8090/v1/x"),
			("https://example.org/store", "https://example.org/store/v1/x"),
			("http://127.0.0.1:8090", "http://127.0.0.1:8090/v1/x"),
		] {
			assert_eq!(resource(locator).as_deref(), Some(expected), "{locator}");
		}
	}

	#[test]
	fn locators_without_an_http_server_are_refused_with_their_text() {
		for locator in [
			"/ip4/127.0.0.1/tcp/30333",
			"/ip4/127.0.0.1/udp/443/quic-v1",
			"/dns4/example.org/tcp/443/https/http",
			"/dns4/example.org/tcp/443/wss",
			"/dns4/example.org/tcp/99999/http",
			"/dns4/a?b/tcp/80/http",
			"/unix/tmp",
			"wss://example.org",
			"https://example.org?a=b",
			"example.org",
			"",
		] {
			let error = server(locator).expect_err("it names no server").to_string();
			assert!(error.contains(&format!("`{locator}`")), "{error}");
		}
	}
}
