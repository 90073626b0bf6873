//! URLs of nodes.

use std::{fmt, str::FromStr};

use url::{Host, Url};

/// The URL of a node's JSON-RPC server, `ws://` or `wss://`.
///
/// `Display` and `Debug` omit the user name and password, so only [`as_str`](Self::as_str) has the
/// whole URL.
#[derive(Clone, PartialEq, Eq)]
pub struct NodeUrl(Url);

/// An error of the URL of a node. It does not contain the user name and password.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum UrlError {
	/// The text is not the URL of a node.
	#[error("`{url}` is not the URL of a node: expected ws:// or wss:// and a host")]
	Invalid {
		/// The text without user name and password.
		url: String,
	},
	/// The connection would not be encrypted.
	#[error("{url} is not encrypted and not on this machine: use wss://, or pass --insecure")]
	Insecure {
		/// The URL.
		url: NodeUrl,
	},
}

impl NodeUrl {
	/// Returns the whole URL for connecting, with user name and password. Do not print it.
	pub fn as_str(&self) -> &str {
		self.0.as_str()
	}

	/// Checks whether the host is this machine: `localhost` or a loopback address.
	pub fn is_local(&self) -> bool {
		match self.0.host() {
			Some(Host::Domain(name)) => name == "localhost",
			Some(Host::Ipv4(address)) => address.is_loopback(),
			Some(Host::Ipv6(address)) => address.to_canonical().is_loopback(),
			None => false,
		}
	}

	/// Checks that the connection is encrypted, or local, or `insecure` is set.
	pub fn ensure_secure(&self, insecure: bool) -> Result<(), UrlError> {
		if self.0.scheme() == "wss" || self.is_local() || insecure {
			Ok(())
		} else {
			Err(UrlError::Insecure { url: self.clone() })
		}
	}
}

impl FromStr for NodeUrl {
	type Err = UrlError;

	fn from_str(text: &str) -> Result<Self, UrlError> {
		match Url::parse(text) {
			Ok(url) if matches!(url.scheme(), "ws" | "wss") => Ok(Self(url)),
			_ => Err(UrlError::Invalid { url: redact(text) }),
		}
	}
}

impl fmt::Display for NodeUrl {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		let shown = redact(self.0.as_str());
		// The parser adds a slash where there is no path.
		f.write_str(shown.strip_suffix('/').filter(|_| self.0.path() == "/").unwrap_or(&shown))
	}
}

impl fmt::Debug for NodeUrl {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		write!(f, "NodeUrl({self})")
	}
}

/// Returns a text without user name and password, in one line. A text that is not a URL has no
/// clear end of them: everything up to its last `@` is removed.
pub(super) fn redact(text: &str) -> String {
	let (scheme, rest) = text.split_once("://").unwrap_or(("", text));
	let authority = match Url::parse(text) {
		Ok(url) if url.has_host() => rest.find(['/', '?', '#']).unwrap_or(rest.len()),
		_ => rest.len(),
	};
	let Some(at) = rest.get(..authority).and_then(|authority| authority.rfind('@')) else {
		return text.escape_debug().to_string();
	};
	let host = rest.get(at + 1..).unwrap_or_default().escape_debug();
	match text.contains("://") {
		true => format!("{}://{host}", scheme.escape_debug()),
		false => host.to_string(),
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	fn url(text: &str) -> NodeUrl {
		text.parse().expect("the text is the URL of a node; qed")
	}

	#[test]
	fn urls_are_printed_without_user_and_password() {
		for (text, shown) in [
			("ws://127.0.0.1:9944", "ws://127.0.0.1:9944"),
			("WSS://RPC.example.com/", "wss://rpc.example.com"),
			("wss://rpc.example.com/a/?b", "wss://rpc.example.com/a/?b"),
			("wss://me:sesame@rpc.example.com/a@b", "wss://rpc.example.com/a@b"),
			("wss://me@rpc.example.com", "wss://rpc.example.com"),
		] {
			let read = url(text);
			assert_eq!(read.to_string(), shown);
			assert_eq!(format!("{read:?}"), format!("NodeUrl({shown})"));
		}
		assert!(url("wss://me:sesame@rpc.example.com").as_str().contains("me:sesame@"));
	}

	#[test]
	fn other_schemes_and_texts_are_refused_without_their_password() {
		for text in [
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
		let error = NodeUrl::from_str("http://x").expect_err("it is not the URL of a node; qed");
		let expected = "`http://x` is not the URL of a node: expected ws:// or wss:// and a host";
		assert_eq!(error.to_string(), expected);
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
