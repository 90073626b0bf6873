// SPDX-License-Identifier: Apache-2.0
//! The addresses that a server may connect to if strangers choose them: public Internet addresses.

use std::{
	io,
	net::{IpAddr, Ipv4Addr, Ipv6Addr},
	sync::{Mutex, PoisonError},
	time::{Duration, Instant},
};

use ureq::{
	config::Config,
	http::Uri,
	unversioned::{
		resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver},
		transport::NextTimeout,
	},
	Error,
};

/// Time for which the addresses of a name are used again, also after one of them has failed. Otherwise
/// each request would look up its name, in a new thread, even if it needs no new connection.
const FRESH: Duration = Duration::from_secs(60);

/// Resolves names to permitted addresses. The connection is made to one of these, so it cannot be
/// redirected by a later change of the name.
#[derive(Debug, Default)]
pub struct Addresses {
	inner: DefaultResolver,
	private: bool,
	/// The last name and port, with their addresses, and when they were found.
	last: Mutex<Option<(String, ResolvedSocketAddrs, Instant)>>,
}

impl Addresses {
	/// Returns the public addresses, or with `private` all of them, also in the own network.
	pub fn new(private: bool) -> Self {
		Self { private, ..Self::default() }
	}
}

impl Resolver for Addresses {
	fn resolve(
		&self,
		uri: &Uri,
		config: &Config,
		timeout: NextTimeout,
	) -> Result<ResolvedSocketAddrs, Error> {
		let name = uri.scheme().zip(uri.authority());
		let name = name.and_then(|(scheme, name)| DefaultResolver::host_and_port(scheme, name));
		let last = self.last.lock().unwrap_or_else(PoisonError::into_inner).clone();
		if let Some((_, addresses, _)) =
			last.filter(|(last, _, since)| name.as_ref() == Some(last) && since.elapsed() < FRESH)
		{
			return Ok(addresses);
		}
		let all = self.inner.resolve(uri, config, timeout)?;
		let mut allowed = self.empty();
		for address in all.iter().filter(|address| self.private || is_public(address.ip())) {
			allowed.push(*address);
		}
		match allowed.is_empty() {
			true if all.is_empty() => Err(Error::HostNotFound),
			true => Err(Error::Io(io::Error::other("its address is not public"))),
			false => {
				let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
				*last = name.map(|name| (name, allowed.clone(), Instant::now()));
				Ok(allowed)
			},
		}
	}
}

/// Returns whether an address is one of the public Internet, by the registries of special-purpose
/// addresses of IANA. An IPv6 address that stands for an IPv4 one is as public as that.
fn is_public(address: IpAddr) -> bool {
	match address {
		IpAddr::V4(address) => is_public_v4(address),
		IpAddr::V6(address) => is_public_v6(address),
	}
}

fn is_public_v4(address: Ipv4Addr) -> bool {
	let special = match address.octets() {
		// This network, private networks, this machine.
		[0 | 10 | 127, ..] | [172, 16..=31, ..] | [192, 168, ..] => true,
		// Networks behind the NAT of a carrier, and networks of one link.
		[100, 64..=127, ..] | [169, 254, ..] => true,
		// Protocols, relays from IPv6, benchmarks.
		[192, 0, 0, _] | [192, 88, 99, _] | [198, 18..=19, ..] => true,
		// Documentation.
		[192, 0, 2, _] | [198, 51, 100, _] | [203, 0, 113, _] => true,
		// Multicast, reserved addresses, and all machines of a network.
		[224..=255, ..] => true,
		_ => false,
	};
	!special
}

fn is_public_v6(address: Ipv6Addr) -> bool {
	let ends_in_v4 = |segments: [u16; 2]| {
		let [[a, b], [c, d]] = segments.map(u16::to_be_bytes);
		is_public_v4(Ipv4Addr::new(a, b, c, d))
	};
	match address.segments() {
		// IPv4-mapped, and NAT64.
		[0, 0, 0, 0, 0, 0xffff, a, b] | [0x64, 0xff9b, 0, 0, 0, 0, a, b] => ends_in_v4([a, b]),
		// 6to4.
		[0x2002, a, b, ..] => ends_in_v4([a, b]),
		// Protocols, among them Teredo, and documentation.
		[0x2001, 0..=0x01ff | 0xdb8, ..] | [0x3fff, 0..=0x0fff, ..] => false,
		// All other public addresses begin with these three bits.
		[first, ..] => first >> 13 == 1,
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	fn resolve(addresses: &Addresses, uri: &str) -> Result<Vec<String>, Error> {
		let uri = uri.parse().expect("it is a URI; qed");
		let found = addresses.resolve(&uri, &Config::default(), NextTimeout::default())?;
		Ok(found.iter().map(ToString::to_string).collect())
	}

	#[test]
	fn addresses_are_used_again_for_a_minute() {
		let addresses = Addresses::new(true);
		for (uri, expected) in [
			("http://127.0.0.1:1/a", "127.0.0.1:1"),
			("http://127.0.0.1:1/b", "127.0.0.1:1"),
			("http://127.0.0.1", "127.0.0.1:80"),
			("https://127.0.0.1", "127.0.0.1:443"),
		] {
			assert_eq!(resolve(&addresses, uri).expect("it is an address"), [expected]);
		}
		let now = Instant::now();
		for (age, expected) in [(59, "9.9.9.9:1"), (61, "127.0.0.1:1")] {
			let mut known = addresses.empty();
			known.push(([9, 9, 9, 9], 1).into());
			let since = now.checked_sub(Duration::from_secs(age)).expect("it is a time");
			*addresses.last.lock().expect("nothing panics") =
				Some(("127.0.0.1:1".into(), known, since));
			let found = resolve(&addresses, "http://127.0.0.1:1").expect("it is an address");
			assert_eq!(found, [expected]);
		}
		let public = Addresses::new(false);
		for _ in 0..2 {
			let refused = resolve(&public, "http://127.0.0.1:1").expect_err("it is private");
			assert!(refused.to_string().contains("its address is not public"), "{refused}");
		}
	}

	fn public(text: &str) -> bool {
		is_public(text.parse().expect("it is an address; qed"))
	}

	#[test]
	fn public_addresses_are_accepted() {
		// Around the ranges that are refused. The last three stand for public IPv4 addresses.
		let addresses =
			"1.1.1.1 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 126.255.255.255 128.0.0.0 \
			 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0 192.0.1.0 192.0.3.0 \
			 192.88.98.255 192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 198.51.99.255 \
			 203.0.112.255 223.255.255.255 2001:200::1 2001:db7:ffff:: 2001:db9:: \
			 2606:4700:4700::1111 2a00::1 3ffe::1 3fff:1000:: ::ffff:1.1.1.1 64:ff9b::1.1.1.1 \
			 2002:101:101::1";
		for address in addresses.split_whitespace() {
			assert!(public(address), "{address}");
		}
	}

	#[test]
	fn all_other_addresses_are_refused() {
		// The ends of ranges, addresses that stand for IPv4 ones, and IPv4-compatible addresses,
		// which are used no more.
		let addresses =
			"0.0.0.0 0.255.255.255 10.0.0.0 10.255.255.255 100.64.0.0 100.127.255.255 127.0.0.1 \
			 127.255.255.255 169.254.0.0 169.254.169.254 169.254.255.255 172.16.0.0 \
			 172.31.255.255 192.0.0.0 192.0.0.255 192.0.2.1 192.88.99.1 192.168.0.0 \
			 192.168.255.255 198.18.0.0 198.19.255.255 198.51.100.1 203.0.113.1 224.0.0.1 \
			 239.255.255.255 240.0.0.1 255.255.255.255 :: ::1 ::1.1.1.1 ::ffff:127.0.0.1 \
			 ::ffff:10.0.0.1 ::ffff:0:1.1.1.1 64:ff9b::127.0.0.1 64:ff9b::192.168.0.1 \
			 64:ff9b::169.254.169.254 64:ff9b:1::1.1.1.1 100::1 2001::1 2001:1ff:ffff:: \
			 2001:db8::1 2002:7f00:1::1 2002:c0a8:1::1 3fff::1 3fff:fff:ffff:: 4000::1 fc00::1 \
			 fdff:ffff::1 fe80::1 febf::1 fec0::1 ff02::1";
		for address in addresses.split_whitespace() {
			assert!(!public(address), "{address}");
		}
	}
}
