// SPDX-License-Identifier: Apache-2.0
//! Signed requests: an account asks a content node or a KMS for something in a tenant.
//!
//! The account signs a short text, which wallets show, and sends the signature in the header
//! `Authorization`. It is good for one server, tenant and account until the time in it.

use alloc::{
	string::{String, ToString},
	vec::Vec,
};
use core::{fmt, str::FromStr};

use content_fabric_identifiers::{KmsId, NodeId, TenantId};

use crate::KmsKey;

/// The first line of what is signed: its purpose and its format.
pub const REQUEST_CONTEXT: &str = "content-fabric/request/v1";
/// Longest time for which a request is valid, in seconds.
pub const MAX_REQUEST_TIME: u64 = 3_600;
/// Largest difference between the clocks of a client and a server, in seconds.
pub const REQUEST_CLOCK_DRIFT: u64 = 60;
/// Largest length of the value of the header `Authorization`, in bytes.
pub const MAX_AUTHORIZATION: usize = 512;

/// The scheme of the header.
const SCHEME: &str = "Fabric";
/// The parameters of the header.
const PARAMETERS: [&str; 3] = ["account", "until", "signature"];
/// Largest number of characters of an account: no SS58 address is longer.
const MAX_ACCOUNT: usize = 64;

/// A request that an account signs. The account is an SS58 address with any prefix, written as in
/// the [`Authorization`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Request<'a> {
	/// The hash of the chain's genesis block.
	pub genesis_hash: &'a [u8; 32],
	/// The server.
	pub to: Receiver,
	/// The tenant.
	pub tenant: TenantId,
	/// The account.
	pub account: &'a str,
	/// The end of the request's validity.
	pub until: Until,
}

/// The server that a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receiver {
	/// A content node.
	Node(NodeId),
	/// A KMS. If it is to release file keys, they are wrapped for this one-time recipient alone.
	Kms(KmsId, Option<KmsKey>),
}

impl Request<'_> {
	/// Returns the text that the account signs: as it is, or
	/// [between `<Bytes>` and `</Bytes>`](crate::wrap_payload).
	pub fn text(&self) -> String {
		self.to_string()
	}
}

impl fmt::Display for Request<'_> {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		let Self { genesis_hash, to, tenant, account, until } = self;
		write!(f, "{REQUEST_CONTEXT}\ngenesis 0x{}\nto ", hex::encode(genesis_hash))?;
		match to {
			Receiver::Node(node) => write!(f, "{node}")?,
			Receiver::Kms(kms, _) => write!(f, "{kms}")?,
		}
		write!(f, "\ntenant {tenant}\naccount {account}\n")?;
		if let Receiver::Kms(_, Some(recipient)) = to {
			writeln!(f, "for {recipient}")?;
		}
		write!(f, "until {until}")
	}
}

/// The end of a request's validity: a second in UTC. The text form is `2026-11-27T05:00:00Z`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Until(u64);

/// The end of a request's validity is not within the time in which a server accepts it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Untimely {
	/// The request has expired.
	Expired,
	/// The request is valid for too long.
	TooLong,
}

impl Until {
	/// The last second with a text form: the end of the year 9999.
	const LAST: u64 = 253_402_300_799;

	/// Returns the time of a number of seconds since the Unix epoch. Later times than the end of the
	/// year 9999 have no text form, and stand for that.
	pub fn new(seconds: u64) -> Self {
		Self(seconds.min(Self::LAST))
	}

	/// Returns the number of seconds since the Unix epoch.
	pub fn seconds(self) -> u64 {
		self.0
	}

	/// Checks that a server accepts a request until this time. `now` is the time of its clock, in
	/// seconds since the Unix epoch.
	pub fn ensure_timely(self, now: u64) -> Result<(), Untimely> {
		if self.0.saturating_add(REQUEST_CLOCK_DRIFT) <= now {
			return Err(Untimely::Expired);
		}
		match self.0 <= now.saturating_add(MAX_REQUEST_TIME + REQUEST_CLOCK_DRIFT) {
			true => Ok(()),
			false => Err(Untimely::TooLong),
		}
	}
}

/// Number of days in 400 years, after which the calendar repeats.
const ERA: u64 = 146_097;
/// Number of days from 1 March of the year 0 to 1970.
const EPOCH: u64 = 719_468;

/// Returns the number of days from 1970 to a date of the Gregorian calendar.
fn days_of(year: u64, month: u64, day: u64) -> Option<u64> {
	// Years that begin in March have their leap day at the end.
	let (year, month) =
		if month > 2 { (year, month - 3) } else { (year.checked_sub(1)?, month + 9) };
	let of_year = (153 * month + 2) / 5 + day - 1;
	let in_era = year % 400;
	let of_era = in_era * 365 + in_era / 4 - in_era / 100 + of_year;
	(year / 400 * ERA + of_era).checked_sub(EPOCH)
}

/// Returns the year, month and day of the date that is some days after 1970.
fn date_of(days: u64) -> (u64, u64, u64) {
	let days = days + EPOCH;
	let of_era = days % ERA;
	let in_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
	let of_year = of_era - (365 * in_era + in_era / 4 - in_era / 100);
	let month = (5 * of_year + 2) / 153;
	let day = of_year - (153 * month + 2) / 5 + 1;
	let year = days / ERA * 400 + in_era;
	if month < 10 {
		(year, month + 3, day)
	} else {
		(year + 1, month - 9, day)
	}
}

impl fmt::Display for Until {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		let (days, seconds) = (self.0 / 86_400, self.0 % 86_400);
		let (year, month, day) = date_of(days);
		let (hour, minute, second) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
		write!(f, "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
	}
}

impl FromStr for Until {
	type Err = ParseAuthorizationError;

	fn from_str(text: &str) -> Result<Self, ParseAuthorizationError> {
		parse_time(text).ok_or(ParseAuthorizationError::Until)
	}
}

fn parse_time(text: &str) -> Option<Until> {
	/// The form, in which 0 stands for a digit.
	const FORM: &[u8] = b"0000-00-00T00:00:00Z";
	let fits = |(found, form): (u8, &u8)| match form {
		b'0' => found.is_ascii_digit(),
		form => found == *form,
	};
	if text.len() != FORM.len() || !text.bytes().zip(FORM).all(fits) {
		return None;
	}
	let number = |from: usize, to: usize| text.get(from..to)?.parse::<u64>().ok();
	let (year, month, day) = (number(0, 4)?, number(5, 7)?, number(8, 10)?);
	let (hour, minute, second) = (number(11, 13)?, number(14, 16)?, number(17, 19)?);
	if !(1..=12).contains(&month) || day == 0 || hour > 23 || minute > 59 || second > 59 {
		return None;
	}
	let days = days_of(year, month, day)?;
	// A day that the month does not have is one of the next month.
	(date_of(days) == (year, month, day))
		.then(|| Until(days * 86_400 + hour * 3_600 + minute * 60 + second))
}

/// The value of the header `Authorization` of a signed request:
/// `Fabric account="…", until="…", signature="0x…"`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Authorization {
	/// The account, as in the [`Request`].
	pub account: String,
	/// The end of the request's validity.
	pub until: Until,
	/// The signature: the SCALE encoding of a `MultiSignature`.
	pub signature: Vec<u8>,
}

impl fmt::Display for Authorization {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		let Self { account, until, signature } = self;
		let signature = hex::encode(signature);
		write!(f, r#"{SCHEME} account="{account}", until="{until}", signature="0x{signature}""#)
	}
}

impl FromStr for Authorization {
	type Err = ParseAuthorizationError;

	/// Reads the value of the header. The parameters may have any order, and spaces around their
	/// commas. The scheme may have any case.
	fn from_str(text: &str) -> Result<Self, ParseAuthorizationError> {
		use ParseAuthorizationError::{
			Account, Length, Missing, Scheme, Signature, Syntax, Twice, Unknown,
		};

		if text.len() > MAX_AUTHORIZATION {
			return Err(Length { found: text.len() });
		}
		let (scheme, mut rest) = text.split_once(' ').unwrap_or((text, ""));
		if !scheme.eq_ignore_ascii_case(SCHEME) {
			return Err(Scheme);
		}
		let mut values: [Option<&str>; 3] = [None; 3];
		loop {
			rest = rest.trim_start_matches(' ');
			let at = || Syntax { position: text.len() - rest.len() };
			let (name, value) = rest.split_once("=\"").ok_or_else(at)?;
			let place = PARAMETERS.iter().position(|known| *known == name);
			let place =
				place.ok_or_else(|| match name.bytes().all(|byte| byte.is_ascii_lowercase()) {
					true => Unknown(name.into()),
					false => at(),
				})?;
			let (value, after) = value.split_once('"').ok_or_else(at)?;
			if values[place].replace(value).is_some() {
				return Err(Twice(PARAMETERS[place]));
			}
			rest = after.trim_start_matches(' ');
			match rest.strip_prefix(',') {
				Some(next) => rest = next,
				None if rest.is_empty() => break,
				None => return Err(Syntax { position: text.len() - rest.len() }),
			}
		}
		let value = |place: usize| values[place].ok_or(Missing(PARAMETERS[place]));
		let (account, until, signature) = (value(0)?, value(1)?, value(2)?);
		let is_account = (1..=MAX_ACCOUNT).contains(&account.len())
			&& account.bytes().all(|byte| byte.is_ascii_alphanumeric());
		if !is_account {
			return Err(Account);
		}
		let digits = signature.strip_prefix("0x").ok_or(Signature)?;
		let signature = hex::decode(digits).map_err(|_| Signature)?;
		// ed25519 and sr25519, and ECDSA with the recovery id.
		match (signature.first(), signature.len()) {
			(Some(0 | 1), 65) | (Some(2), 66) => {},
			_ => return Err(Signature),
		}
		Ok(Self { account: account.into(), until: until.parse()?, signature })
	}
}

/// The value of the header `Authorization` is not one of a signed request.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseAuthorizationError {
	/// The scheme is another one.
	Scheme,
	/// The value is too long.
	Length {
		/// Number of bytes.
		found: usize,
	},
	/// A parameter does not have the form `name="value"`, or there is no comma after it.
	Syntax {
		/// The position of the parameter, or of what is after it, in bytes.
		position: usize,
	},
	/// There is no such parameter.
	Unknown(String),
	/// A parameter is given twice.
	Twice(&'static str),
	/// A parameter is missing.
	Missing(&'static str),
	/// The account has characters that addresses do not have, or too many or none.
	Account,
	/// The time has another form, or is not in the calendar.
	Until,
	/// The signature is not a `MultiSignature` in hex.
	Signature,
}

impl fmt::Display for ParseAuthorizationError {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		match self {
			Self::Scheme => write!(f, "the scheme is not `{SCHEME}`"),
			Self::Length { found } => {
				write!(f, "it has {found} bytes, expected at most {MAX_AUTHORIZATION}")
			},
			Self::Syntax { position } => {
				write!(f, "expected `name=\"value\"`, separated by commas, at byte {position}")
			},
			Self::Unknown(name) => write!(
				f,
				"it has no parameter `{name}`, expected `account`, `until` and `signature`"
			),
			Self::Twice(name) => write!(f, "`{name}` is given twice"),
			Self::Missing(name) => write!(f, "`{name}` is missing"),
			Self::Account => f.write_str("`account` is not an SS58 address"),
			Self::Until => f.write_str("`until` is not a time in UTC such as 2026-11-27T05:00:00Z"),
			Self::Signature => f.write_str(
				"`signature` is not a MultiSignature: expected 0x01 and 64 bytes of an sr25519 \
				 signature in hex, 0x00 and 64 bytes of ed25519, or 0x02 and 65 bytes of ECDSA",
			),
		}
	}
}

impl core::error::Error for ParseAuthorizationError {}
