// SPDX-License-Identifier: Apache-2.0
//! Amounts of the chain's currency.

use std::{fmt, str::FromStr, sync::Arc};

use serde::{Serialize, Serializer};

use crate::text::{grouped, printable};

/// The currency of a chain: its name, and the number of decimals of one unit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Units {
	decimals: u8,
	symbol: Arc<str>,
}

impl Units {
	/// Largest number of decimals for which one unit fits into 128 bits.
	const MAX_DECIMALS: u8 = 38;

	/// Returns the currency with this name. One unit has `decimals` digits after the point.
	pub fn new(decimals: u8, symbol: &str) -> Self {
		Self { decimals, symbol: printable(symbol).into() }
	}

	/// Returns the number of digits after the point.
	pub fn decimals(&self) -> u8 {
		self.decimals
	}

	/// Returns the name, such as `UNIT`.
	pub fn symbol(&self) -> &str {
		&self.symbol
	}

	/// Returns this many of the smallest unit.
	pub fn amount(&self, value: u128) -> Amount {
		Amount { value, units: self.clone() }
	}
}

/// An amount, in the smallest unit of a currency.
///
/// Its text is in whole units with a point, `1.5 UNIT`. In JSON it is a string of digits, in the
/// smallest unit: many readers of JSON take numbers for floating-point ones, which are not exact at
/// this size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Amount {
	value: u128,
	units: Units,
}

impl Amount {
	/// Returns the number of smallest units.
	pub fn value(&self) -> u128 {
		self.value
	}
}

/// Returns the text of fees, which not every runtime computes.
pub fn known(fees: Option<&Amount>) -> String {
	fees.map_or_else(|| "unknown".into(), Amount::to_string)
}

impl fmt::Display for Amount {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		let Units { decimals, symbol } = &self.units;
		if *decimals > Units::MAX_DECIMALS || symbol.is_empty() {
			return f.pad(&grouped(self.value));
		}
		let one = 10u128.pow((*decimals).into());
		let (whole, part) = (self.value / one, self.value % one);
		let mut text = grouped(whole);
		if part > 0 {
			let digits = format!("{part:0width$}", width = usize::from(*decimals));
			text += ".";
			text += digits.trim_end_matches('0');
		}
		f.pad(&format!("{text} {symbol}"))
	}
}

impl Serialize for Amount {
	fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
		serializer.collect_str(&self.value)
	}
}

/// An amount on the command line: a whole number of the smallest unit, `1500000`, or units of the
/// currency with its name, `1.5 UNIT`. Commas separate whole groups of three digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AmountText {
	text: String,
	/// The digits before the point.
	whole: String,
	/// The digits after it.
	part: String,
	/// The name of the currency. Empty for an amount in the smallest unit.
	symbol: String,
}

/// A text is not an amount.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum AmountError {
	/// The text has another form.
	#[error(
		"`{0}` is not an amount: expected a whole number of the smallest unit, such as 1,500,000, \
		 or an amount with the currency, such as '1.5 UNIT'"
	)]
	Form(String),
	/// Commas do not separate groups of three digits.
	#[error(
		"`{0}` is not an amount: commas separate groups of three digits, and decimals follow a point"
	)]
	Commas(String),
	/// A point without the name of the currency.
	#[error("`{0}` has decimals, so it needs the currency: '{0} UNIT'")]
	NoSymbol(String),
	/// The chain has another currency.
	#[error("`{text}` is not in the chain's currency, which is {symbol}")]
	Symbol {
		/// The text.
		text: String,
		/// The name of the chain's currency.
		symbol: String,
	},
	/// The currency has fewer decimals.
	#[error("`{text}` has {found} decimals, expected at most {decimals} for {symbol}")]
	Decimals {
		/// The text.
		text: String,
		/// The number of decimals in the text.
		found: usize,
		/// The name of the currency.
		symbol: String,
		/// The number of its decimals.
		decimals: u8,
	},
	/// The number has more than 128 bits.
	#[error("`{0}` is too large: an amount is below 2^128 of the smallest unit")]
	TooLarge(String),
}

impl FromStr for AmountText {
	type Err = AmountError;

	fn from_str(text: &str) -> Result<Self, AmountError> {
		let form = || AmountError::Form(text.to_owned());
		let trimmed = text.trim();
		let end = trimmed.find(|mark: char| !matches!(mark, '0'..='9' | ',' | '.' | '_'));
		let (number, symbol) = trimmed.split_at(end.unwrap_or(trimmed.len()));
		let symbol = symbol.trim();
		if symbol.chars().any(|mark| !mark.is_alphanumeric()) {
			return Err(form());
		}
		let (whole, part) =
			number.split_once('.').map_or((number, None), |(whole, part)| (whole, Some(part)));
		let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
		let whole = ungrouped(whole).filter(|_| part.is_none_or(|part| !part.contains([',', '_'])));
		let whole = whole.ok_or_else(|| AmountError::Commas(text.to_owned()))?;
		if !is_digits(&whole) || part.is_some_and(|part| !is_digits(part)) {
			return Err(form());
		}
		if part.is_some() && symbol.is_empty() {
			return Err(AmountError::NoSymbol(text.to_owned()));
		}
		Ok(Self {
			text: text.to_owned(),
			whole,
			part: part.unwrap_or_default().to_owned(),
			symbol: symbol.to_owned(),
		})
	}
}

/// Returns a number without separators. `None` if they do not separate groups of three digits, of
/// which the first has one to three.
fn ungrouped(text: &str) -> Option<String> {
	let Some(separator) = [',', '_'].into_iter().find(|mark| text.contains(*mark)) else {
		return Some(text.to_owned());
	};
	let mut groups = text.split(separator);
	let first = groups.next()?;
	let is_group = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
	let fits = matches!(first.len(), 1..=3)
		&& is_group(first)
		&& groups.all(|group| group.len() == 3 && is_group(group));
	fits.then(|| text.replace(separator, ""))
}

impl AmountText {
	/// Returns the amount in the currency of a chain.
	pub fn resolve(&self, units: &Units) -> Result<u128, AmountError> {
		let text = || self.text.clone();
		let too_large = || AmountError::TooLarge(text());
		let whole: u128 = self.whole.parse().map_err(|_| too_large())?;
		if self.symbol.is_empty() {
			return Ok(whole);
		}
		if self.symbol != units.symbol() {
			return Err(AmountError::Symbol { text: text(), symbol: units.symbol().into() });
		}
		let part = self.part.trim_end_matches('0');
		let decimals = usize::from(units.decimals());
		if part.len() > decimals {
			return Err(AmountError::Decimals {
				text: text(),
				found: part.len(),
				symbol: self.symbol.clone(),
				decimals: units.decimals(),
			});
		}
		let scaled: u128 = format!("0{part:0<decimals$}").parse().map_err(|_| too_large())?;
		10u128
			.checked_pow(units.decimals().into())
			.and_then(|one| whole.checked_mul(one))
			.and_then(|whole| whole.checked_add(scaled))
			.ok_or_else(too_large)
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	fn units() -> Units {
		Units::new(12, "UNIT")
	}

	fn read(text: &str) -> Result<u128, AmountError> {
		text.parse::<AmountText>()?.resolve(&units())
	}

	#[test]
	fn amounts_are_whole_numbers_of_the_smallest_unit_or_have_the_currency() {
		for (text, value) in [
			("0", 0),
			("15", 15),
			("1,500", 1_500),
			("1_500", 1_500),
			("12,345,678", 12_345_678),
			("1.5 UNIT", 1_500_000_000_000),
			("1.5UNIT", 1_500_000_000_000),
			("1.50000000000000 UNIT", 1_500_000_000_000),
			("2 UNIT", 2_000_000_000_000),
			("1,000.000000000001 UNIT", 1_000_000_000_000_001),
			("340282366920938463463374607431768211455", u128::MAX),
		] {
			assert_eq!(read(text), Ok(value), "{text}");
		}
	}

	#[test]
	fn other_texts_are_refused_with_what_is_wrong() {
		for (text, named) in [
			("1,5", "groups of three"),
			("1,5 UNIT", "groups of three"),
			(",500", "groups of three"),
			("1,,500", "groups of three"),
			("1,5000", "groups of three"),
			("1234,567", "groups of three"),
			("1,500_000", "groups of three"),
			("1.5", "needs the currency"),
			("1.000,5 UNIT", "groups of three"),
			("1.5 DOT", "not in the chain's currency"),
			("1.0000000000001 UNIT", "has 13 decimals, expected at most 12 for UNIT"),
			("", "is not an amount"),
			("UNIT", "is not an amount"),
			("-1", "is not an amount"),
			("1e3", "not in the chain's currency"),
			("1.", "is not an amount"),
			(".5 UNIT", "is not an amount"),
			("1.2.3 UNIT", "is not an amount"),
			("0x10", "not in the chain's currency"),
			("1 UNIT UNIT", "is not an amount"),
			("340282366920938463463374607431768211456", "too large"),
			("340282366920938463463374608 UNIT", "too large"),
		] {
			let error = read(text).expect_err(text).to_string();
			assert!(error.contains(named), "{text}: {error}");
		}
	}

	#[test]
	fn amounts_are_read_as_they_are_printed() {
		let one = 1_000_000_000_000;
		for (value, text) in [
			(0, "0 UNIT"),
			(1, "0.000000000001 UNIT"),
			(one, "1 UNIT"),
			(one * 3 / 2, "1.5 UNIT"),
			(one * 1_234_567 + one / 100, "1,234,567.01 UNIT"),
			(u128::MAX, "340,282,366,920,938,463,463,374,607.431768211455 UNIT"),
		] {
			assert_eq!(units().amount(value).to_string(), text);
			assert_eq!(read(text), Ok(value));
		}
		assert_eq!(Units::new(0, "").amount(1_500).to_string(), "1,500");
		let json = serde_json::to_string(&units().amount(1_500)).ok();
		assert_eq!(json.as_deref(), Some("\"1500\""));
	}
}
