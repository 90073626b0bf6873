// SPDX-License-Identifier: Apache-2.0
//! Servers that do not answer, and the remedies, by the reasons that the libraries give.

use super::{Finding, Help, Topic};
use crate::profile::UrlError;

/// Parts of reasons in lower case, and the remedy of each. The first one that fits counts.
const CURES: &[(&[&str], &str)] = &[
	(
		&["no ca certificates"],
		"Install the certificates of authorities on this machine, such as Debian's package \
		 ca-certificates, or correct SSL_CERT_FILE",
	),
	(
		&["not valid yet", "notvalidyet"],
		"Check the clocks of this machine, and of the machine that made the certificate",
	),
	(
		&["certificate expired", "expired"],
		"Renew the certificate at the server or at the proxy before it, and check the clock of this \
		 machine",
	),
	(
		&["not valid for name", "notvalidforname"],
		"Use the host name in the certificate, or get a certificate for this one",
	),
	(
		&["unknownissuer", "unknown issuer", "causedasendentity"],
		"Get a certificate of an authority that this machine trusts, or add the issuer to the trusted \
		 ones of its system",
	),
	(&["certificate"], "Correct the certificate at the server or at the proxy before it"),
	(
		&["invalidcontenttype", "corrupt message", "handshake eof", "close_notify"],
		"The server does not speak TLS at this port: correct the scheme or the port of the URL, or put \
		 a proxy with a certificate before it",
	),
	(
		&["connection refused"],
		"No program listens there: start it, or correct the address and the port",
	),
	(
		&["lookup address", "name or service", "host not found", "no address"],
		"The name of the host is not known: correct it, or check the resolver of this machine",
	),
	(
		&["no answer", "time is over", "timed out", "timeout", "deadline", "elapsed"],
		"The program hangs, its machine is off, or a firewall drops the traffic: look at its log, and \
		 at the address and the port",
	),
	(
		&["unreachable", "no route"],
		"No network leads there: check the address, and the network of this machine",
	),
	(
		&["status code", "rejected", "handshake", "protocol", "unexpected"],
		"Another program listens there, or a proxy passes nothing on: correct the port of the URL, or \
		 the proxy",
	),
];

/// Returns the remedy for a server that does not answer for this reason.
pub(super) fn cure(reason: &str) -> String {
	let reason = reason.to_lowercase();
	let fits = |(parts, _): &&(&[&str], &str)| parts.iter().any(|part| reason.contains(part));
	let known = CURES.iter().find(fits).map(|(_, cure)| *cure);
	known.unwrap_or("Check that the program runs, and that the URL leads to it").into()
}

/// Returns the finding of a URL that names no server, or is not safe to use. `origin` is the option
/// or the setting that has it.
pub fn unusable_url(topic: Topic, origin: &str, error: &UrlError) -> Finding {
	let why = match error {
		UrlError::Insecure { .. } => "Somebody in between could read and change everything.",
		UrlError::Invalid { .. } => "Nothing can be asked there.",
	};
	let (cure, page) = ("Correct the URL".into(), "docs/client.md#keys-and-profiles");
	Finding::problem(topic, format!("{origin}: {error}"), Help { why, cure, page })
}

/// Returns the finding of an option or a setting that cannot be used, for this reason.
pub fn unusable(reason: &str) -> Finding {
	let why = "Everything that depends on it was not examined.";
	let cure = "Correct the option, the variable or the file".into();
	let help = Help { why, cure, page: "docs/client.md#keys-and-profiles" };
	Finding::problem(Topic::Settings, reason.into(), help)
}

/// Returns the finding of a chain that is not the pinned one.
pub fn other_chain(reason: &str) -> Finding {
	let why = "The other findings are about another chain than before.";
	let cure = "Name a node of the pinned chain, unless the chain was begun anew".into();
	let help = Help { why, cure, page: "docs/client.md#keys-and-profiles" };
	Finding::problem(Topic::Chain, reason.into(), help)
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn each_reason_has_its_remedy() {
		for (reason, part) in [
			("Connection refused (os error 111)", "No program listens"),
			("failed to lookup address information: Name or service not known", "resolver"),
			("host not found", "resolver"),
			("no answer within 20 seconds", "hangs"),
			("the time is over", "hangs"),
			("Connection timeout exceeded: 10s", "hangs"),
			("invalid peer certificate: certificate expired: verification time 1 (UNIX)", "Renew"),
			("invalid peer certificate: Expired", "Renew"),
			("invalid peer certificate: NotValidYet", "Check the clocks"),
			("unexpected error: No CA certificates were loaded from the system", "ca-certificates"),
			(
				"invalid peer certificate: certificate not valid for name \"localhost\"",
				"Use the host name",
			),
			("invalid peer certificate: UnknownIssuer", "authority"),
			("invalid peer certificate: Other(OtherError(CaUsedAsEndEntity))", "authority"),
			("invalid peer certificate: BadSignature", "Correct the certificate"),
			("received corrupt message of type InvalidContentType", "does not speak TLS"),
			("tls handshake eof", "does not speak TLS"),
			("Connection rejected with status code: 405", "Another program"),
			("Network is unreachable (os error 101)", "No network"),
			("the moon is full", "Check that the program runs"),
		] {
			assert!(cure(reason).contains(part), "{reason}: {}", cure(reason));
		}
	}
}
