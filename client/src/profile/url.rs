// SPDX-License-Identifier: Apache-2.0
//! URLs of nodes, and the rules that all URLs share.

use std::{fmt, str::FromStr};

use sha2::{Digest, Sha256};
use url::{Host, Url};

use crate::text::printable;

/// The URL of a node's JSON-RPC server, `ws://` or `wss://`.
///
/// Its user name, password, path and query may hold secrets. `Display` and `Debug` omit them, so
/// only [`as_str`](Self::as_str) has the whole URL.
#[derive(Clone, PartialEq, Eq)]
pub struct NodeUrl(Url);

/// An error of the URL of a node or an index. It has no user name, password, path or query.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UrlError {
	/// The text is not the URL of a node or an index.
	#[error("{url} is not the URL of {expected}")]
	Invalid {
		/// The text, without what may be secret in it.
		url: String,
		/// The service whose URL is needed, and the form of that URL.
		expected: &'static str,
	},
	/// The connection would not be encrypted.
	#[error("{url} is not encrypted and not on this machine: use {scheme}://, or pass --insecure")]
	Insecure {
		/// The scheme, the host and the port.
		url: String,
		/// The scheme of an encrypted connection.
		scheme: &'static str,
	},
}

impl NodeUrl {
	/// Returns the whole URL for connecting, with its secrets. Do not print it.
	pub fn as_str(&self) -> &str {
		self.0.as_str()
	}

	/// Returns the host, an address of IPv6 without brackets, and the port.
	pub fn host_and_port(&self) -> (String, u16) {
		// URLs of these schemes have both.
		let host = self.0.host_str().unwrap_or_default().trim_matches(['[', ']']);
		(host.to_owned(), self.0.port_or_known_default().unwrap_or(0))
	}

	/// Returns whether the connection is encrypted.
	pub fn is_encrypted(&self) -> bool {
		self.0.scheme() == "wss"
	}

	/// Returns the name under which the chain of the node is pinned: the URL, or, where it may hold
	/// secrets, its public part and the SHA-256 hash of the whole.
	pub fn pin_key(&self) -> String {
		match self.is_public() {
			true => self.to_string(),
			false => format!("{self}#{}", hex::encode(Sha256::digest(self.as_str()))),
		}
	}

	/// Returns whether the URL has nothing but a scheme, a host and a port.
	fn is_public(&self) -> bool {
		let url = &self.0;
		let has_user = !url.username().is_empty() || url.password().is_some();
		let has_path = !matches!(url.path(), "" | "/");
		!(has_user || has_path || url.query().is_some() || url.fragment().is_some())
	}

	/// Checks whether the host is this machine: `localhost` or a loopback address.
	pub fn is_local(&self) -> bool {
		is_local(&self.0)
	}

	/// Checks that the connection is encrypted, or local, or `insecure` is set.
	pub fn ensure_secure(&self, insecure: bool) -> Result<(), UrlError> {
		ensure_secure(&self.0, "wss", insecure)
	}
}

impl FromStr for NodeUrl {
	type Err = UrlError;

	fn from_str(text: &str) -> Result<Self, UrlError> {
		match Url::parse(text) {
			Ok(url) if matches!(url.scheme(), "ws" | "wss") => Ok(Self(url)),
			_ => Err(invalid(text, "a node: expected ws:// or wss:// and a host")),
		}
	}
}

impl fmt::Display for NodeUrl {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.write_str(&public_part(&self.0))
	}
}

impl fmt::Debug for NodeUrl {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		write!(f, "NodeUrl({self})")
	}
}

/// Checks whether the host of a URL is this machine.
fn is_local(url: &Url) -> bool {
	match url.host() {
		Some(Host::Domain(name)) => name == "localhost",
		Some(Host::Ipv4(address)) => address.is_loopback(),
		Some(Host::Ipv6(address)) => address.to_canonical().is_loopback(),
		None => false,
	}
}

/// Returns the scheme, the host and the port of a URL.
pub(super) fn public_part(url: &Url) -> String {
	let host = url.host_str().unwrap_or_default();
	let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
	format!("{}://{host}{port}", url.scheme())
}

/// Checks that a connection is encrypted, or local, or `insecure` is set.
pub(super) fn ensure_secure(
	url: &Url,
	scheme: &'static str,
	insecure: bool,
) -> Result<(), UrlError> {
	match url.scheme() == scheme || is_local(url) || insecure {
		true => Ok(()),
		false => Err(UrlError::Insecure { url: public_part(url), scheme }),
	}
}

/// Returns the error of a text that is not the URL that is `expected`.
pub(super) fn invalid(text: &str, expected: &'static str) -> UrlError {
	UrlError::Invalid { url: format!("`{}`", shown(text)), expected }
}

/// Returns the part of a text between what would be a user and a path: the others may be secret. An
/// ellipsis stands for what is left out.
fn shown(text: &str) -> String {
	let (scheme, rest) = match text.split_once("://") {
		Some((scheme, rest)) if !scheme.contains('@') => (format!("{scheme}://"), rest),
		_ => (String::new(), text),
	};
	let (user, host) = rest.rsplit_once('@').map_or(("", rest), |(_, host)| ("…@", host));
	let end = host.find(['/', '?', '#']);
	let (host, path) = end.map_or((host, ""), |end| (&host[..end], "…"));
	printable(&format!("{scheme}{user}{host}{path}"))
}

#[cfg(test)]
mod tests {
	use super::*;

	fn url(text: &str) -> NodeUrl {
		text.parse().expect("the text is the URL of a node; qed")
	}

	#[test]
	fn urls_are_printed_without_user_password_path_and_query() {
		for (text, shown) in [
			("ws://127.0.0.1:9944", "ws://127.0.0.1:9944"),
			("WSS://RPC.example.com/", "wss://rpc.example.com"),
			("wss://rpc.example.com/sesame/?b", "wss://rpc.example.com"),
			("wss://rpc.example.com?key=sesame#b", "wss://rpc.example.com"),
			("wss://me:sesame@rpc.example.com:8443/a@b", "wss://rpc.example.com:8443"),
			("wss://me@rpc.example.com", "wss://rpc.example.com"),
			("ws://[::1]:9944/sesame", "ws://[::1]:9944"),
		] {
			let read = url(text);
			assert_eq!(read.to_string(), shown);
			assert_eq!(format!("{read:?}"), format!("NodeUrl({shown})"));
		}
		assert!(url("wss://me:sesame@rpc.example.com").as_str().contains("me:sesame@"));
	}

	#[test]
	fn pins_name_urls_with_secrets_by_their_hash() {
		for text in ["wss://host", "wss://host:8443/", "ws://127.0.0.1:9944"] {
			assert_eq!(url(text).pin_key(), url(text).to_string());
		}
		let secret =
			["wss://host/sesame", "wss://host?sesame", "wss://me:sesame@host", "wss://host#sesame"];
		let keys: std::collections::BTreeSet<_> =
			secret.iter().map(|text| url(text).pin_key()).collect();
		assert_eq!(keys.len(), secret.len(), "each has a key of its own");
		assert!(keys.iter().all(|key| key.starts_with("wss://host#") && !key.contains("sesame")));
	}

	#[test]
	fn other_schemes_and_texts_are_refused_without_their_secrets() {
		for text in [
			"https://host/sesame",
			"wss//host/sesame",
			"host/sesame",
			"wss://ho st/sesame",
			"http://me:sesame@host",
			"me:sesame@host",
			"ws://me:se/same@host",
			"ws://me:sesame@",
			"://me:sesame@host",
			"ws://",
			"host:9944",
			"",
			"ws://a b\nc",
		] {
			let error = NodeUrl::from_str(text).expect_err("it is not the URL of a node; qed");
			let shown = format!("{error} {error:?}");
			assert!(!shown.contains("same") && !shown.contains('\n'), "{shown}");
		}
		for (text, shown) in [
			("http://x", "http://x"),
			("localhost:9944", "localhost:9944"),
			("wss//host/sesame", "wss…"),
			("https://me:sesame@host:1/a?b", "https://…@host:1…"),
			("http://me:se/same@host", "http://…@host"),
			("", ""),
		] {
			let error = NodeUrl::from_str(text).expect_err("it is not the URL of a node; qed");
			let reason = "is not the URL of a node: expected ws:// or wss:// and a host";
			assert_eq!(error.to_string(), format!("`{shown}` {reason}"));
		}
	}

	#[test]
	fn loopback_hosts_are_local() {
		for text in [
			"ws://localhost:9944",
			"ws://LOCALHOST",
			"ws://127.1.2.3",
			"ws://127.1",
			"ws://[::1]:9944",
			"ws://[::ffff:127.0.0.1]",
		] {
			assert!(url(text).is_local(), "{text}");
		}
		for text in ["ws://localhost.example.com", "ws://10.0.0.1", "ws://[::2]", "ws://0.0.0.0"] {
			assert!(!url(text).is_local(), "{text}");
		}
	}

	#[test]
	fn a_plain_connection_to_another_host_needs_consent() {
		let plain = url("ws://me:sesame@rpc.example.com");
		let error = plain.ensure_secure(false).expect_err("it is refused; qed");
		assert!(error.to_string().starts_with("ws://rpc.example.com is not encrypted"), "{error}");
		assert!(!format!("{error:?}").contains("sesame"), "{error:?}");
		assert!(plain.ensure_secure(true).is_ok());
		assert!(url("wss://rpc.example.com").ensure_secure(false).is_ok());
		assert!(url("ws://127.0.0.1").ensure_secure(false).is_ok());
	}
}
