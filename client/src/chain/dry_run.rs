// SPDX-License-Identifier: Apache-2.0
//! Dry runs: what a call would do, without a signature.

use codec::Encode;
use subxt::{
	ext::scale_value::{scale::decode_as_type, At, ValueDef},
	utils::AccountId32,
};

use super::{
	calls::EncodedCall,
	events::{to_json, ChainEvent},
	transaction::inner_error,
	Error, Snapshot,
};

/// The runtime API with the dry run.
const API: &str = "ContentFabricApi";
/// Number of bytes of a signed transaction besides the call: the account, the signature, the
/// extensions, and the lengths.
const ENVELOPE: usize = 112;

/// The outcome of a call if an account signed it now.
#[derive(Clone, Debug)]
pub struct DryRun {
	/// The error with which it would fail.
	pub error: Option<String>,
	/// The events that it would deposit.
	pub events: Vec<ChainEvent>,
	/// The fee, in the smallest unit. `None` if the runtime does not offer to compute it.
	pub fee: Option<u128>,
	/// The amounts put on hold, less those released, by account: positive or negative, in
	/// the smallest unit.
	pub held: Vec<(AccountId32, i128)>,
}

impl Snapshot {
	/// Dispatches a call as if `account` had signed it, and undoes it. `None` if the runtime does
	/// not offer that.
	///
	/// Fails with [`Error::NeedsNode`] for some calls with a light client.
	pub async fn dry_run(
		&self,
		account: &AccountId32,
		call: &EncodedCall,
	) -> Result<Option<DryRun>, Error> {
		let Some(answer) = self.call_dry_run(account, call).await? else { return Ok(None) };
		let fee = self.fee(call).await?;
		self.read(&answer, fee).map(Some).ok_or_else(unreadable)
	}

	/// Makes a dry run as [`dry_run`](Self::dry_run) does. Returns the error with which the call
	/// would fail.
	pub async fn outcome(
		&self,
		account: &AccountId32,
		call: &EncodedCall,
	) -> Result<Option<Result<(), String>>, Error> {
		let Some(answer) = self.call_dry_run(account, call).await? else { return Ok(None) };
		let DryRun { error, .. } = self.read(&answer, None).ok_or_else(unreadable)?;
		Ok(Some(error.map_or(Ok(()), Err)))
	}

	/// Returns the encoded answer of a dry run.
	async fn call_dry_run(
		&self,
		account: &AccountId32,
		call: &EncodedCall,
	) -> Result<Option<Vec<u8>>, Error> {
		let mut arguments = account.encode();
		arguments.extend_from_slice(call.bytes());
		match self.call_api(API, "dry_run", &arguments).await {
			Err(error) if error.is_unproven() => Err(Error::NeedsNode {
				what: "the dry run of this call",
				reason: "the proof that nodes give lacks a part of what it reads",
			}),
			answer => answer,
		}
	}

	/// Returns the fee of a transaction with a call. `None` if the runtime does not offer to compute
	/// it.
	pub async fn fee(&self, call: &EncodedCall) -> Result<Option<u128>, Error> {
		let estimate = self.weight_and_fee(call, call.bytes().len() + ENVELOPE).await?;
		Ok(estimate.map(|(_, fee)| fee))
	}

	/// Dispatches a call as [`dry_run`](Self::dry_run) does. Fails if the runtime does not offer
	/// that.
	pub async fn rehearse(
		&self,
		account: &AccountId32,
		call: &EncodedCall,
	) -> Result<DryRun, Error> {
		self.dry_run(account, call).await?.ok_or_else(no_dry_run)
	}

	/// Reads a `DryRun`: the result, the weight, whether a fee is paid, the events.
	fn read(&self, answer: &[u8], fee: Option<u128>) -> Option<DryRun> {
		let metadata = self.0.metadata();
		let api = metadata.runtime_api_trait_by_name(API)?;
		let output = api.method_by_name("dry_run")?.output_ty();
		let value = decode_as_type(&mut &answer[..], output, metadata.types()).ok()?;
		let result = to_json(value.at("result")?, &metadata);
		let pays = to_json(value.at("pays_fee")?, &metadata);
		let ValueDef::Composite(events) = &value.at("events")?.value else { return None };
		let events: Option<Vec<_>> =
			events.values().map(|event| ChainEvent::from_value(event, &metadata)).collect();
		let events = events?;
		let error = result.get("Err").and_then(|error| error.as_str()).map(str::to_owned);
		Some(DryRun {
			error: error.or_else(|| events.iter().find_map(inner_error)),
			fee: due(pays == "No", fee),
			held: held(&events)?,
			events,
		})
	}
}

/// Returns the fee that is due: none for a call that is free.
fn due(is_free: bool, fee: Option<u128>) -> Option<u128> {
	match is_free {
		true => Some(0),
		false => fee,
	}
}

fn unreadable() -> Error {
	Error::Metadata(format!("function {API}_dry_run of the expected type"))
}

/// Returns the error of a runtime that cannot show what a call would do.
pub fn no_dry_run() -> Error {
	Error::Metadata(format!("function {API}_dry_run"))
}

/// Sums up what events put on hold and release. `None` if one of them does not name an account.
fn held(events: &[ChainEvent]) -> Option<Vec<(AccountId32, i128)>> {
	let mut sums: Vec<(AccountId32, i128)> = Vec::new();
	let mut add = |account: &str, amount: i128| {
		let account = account.parse().ok()?;
		match sums.iter_mut().find(|(found, _)| *found == account) {
			Some((_, sum)) => *sum = sum.saturating_add(amount),
			None => sums.push((account, amount)),
		}
		Some(())
	};
	for event in events.iter().filter(|event| event.pallet == "Balances") {
		let amount = event.text("amount").parse::<i128>().unwrap_or(i128::MAX);
		match event.name.as_str() {
			"Held" => add(event.text("who"), amount)?,
			"Released" | "BurnedHeld" => add(event.text("who"), -amount)?,
			"TransferOnHold" => {
				add(event.text("source"), -amount)?;
				add(event.text("dest"), amount)?;
			},
			_ => {},
		}
	}
	sums.retain(|(_, sum)| *sum != 0);
	Some(sums)
}

#[cfg(test)]
mod tests {
	use super::*;

	fn event(name: &str, fields: &[(&str, &str)]) -> ChainEvent {
		let fields = fields.iter().map(|(name, value)| ((*name).into(), (*value).into()));
		let (pallet, name) = ("Balances".into(), name.into());
		ChainEvent { pallet, name, fields: fields.collect(), fabric: Ok(None) }
	}

	#[test]
	fn holds_are_summed_up_by_account() {
		let [a, b] = [1, 2].map(|byte| AccountId32([byte; 32]));
		let (a_text, b_text) = (a.to_string(), b.to_string());
		let events = [
			event("Held", &[("who", &a_text), ("amount", "7")]),
			event("Released", &[("who", &a_text), ("amount", "2")]),
			event("TransferOnHold", &[("source", &a_text), ("dest", &b_text), ("amount", "1")]),
		];
		assert_eq!(held(&events), Some(vec![(a, 4), (b, 1)]));
	}

	#[test]
	fn what_is_not_an_account_is_not_shown_as_one() {
		let who = "\u{1b}[1A5Grw";
		assert_eq!(held(&[event("Held", &[("who", who), ("amount", "7")])]), None);
		assert_eq!(held(&[event("Held", &[("amount", "7")])]), None);
	}

	#[test]
	fn an_unknown_fee_is_not_zero_except_for_free_calls() {
		assert_eq!(due(false, Some(7)), Some(7));
		assert_eq!(due(false, None), None);
		assert_eq!(due(true, Some(7)), Some(0));
		assert_eq!(due(true, None), Some(0));
	}
}
