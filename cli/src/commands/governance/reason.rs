// SPDX-License-Identifier: Apache-2.0
//! The reason of an act of governance.

use clap::Args;
use content_fabric_client::chain::{rows, Snapshot, TextLimit};
use content_fabric_primitives::MemberId;

use crate::Error;

#[derive(Debug, Args)]
pub struct Reason {
	/// The reason, or a link to it. The chain's events carry it. Not blank, and at most as long as
	/// the chain permits: 256 bytes in the reference runtime
	#[arg(long = "reason", value_name = "TEXT", value_parser = not_blank)]
	text: String,
}

/// Returns the text without the spaces around it, if anything is left.
fn not_blank(text: &str) -> Result<String, &'static str> {
	match text.trim() {
		"" => Err("it is blank: say why, or where the reason stands"),
		reason => Ok(reason.to_owned()),
	}
}

impl Reason {
	/// Returns the row of the member that governance acts on, which must exist. Checks the length of
	/// the reason.
	pub async fn governed(&self, at: &Snapshot, member: MemberId) -> Result<rows::Member, Error> {
		TextLimit::Reason.ensure(at, "--reason", &self.text)?;
		Ok(at.member(member).await?)
	}

	/// Returns the bytes of the reason, as calls have them.
	pub fn to_bytes(&self) -> Vec<u8> {
		self.text.clone().into_bytes()
	}
}

#[cfg(test)]
mod tests {
	use clap::Parser;
	use subxt::utils::AccountId32;

	use crate::cli::Cli;

	#[test]
	fn every_act_with_a_reason_refuses_a_blank_one() {
		let (tenant, provider) = ("iten1111111111", "iprv1111111111");
		let account = AccountId32([7; 32]).to_string();
		let version = "00".repeat(32);
		for act in [
			&["suspend", tenant][..],
			&["resume", provider],
			&["freeze", tenant],
			&["unfreeze", tenant],
			&["slash", provider, "1"],
			&["purge", tenant],
			&["delete-node", provider, "inod1111111111"],
			&["delete-key", tenant, &account],
			&["delete-kms", tenant, "ikms1111111111"],
			&["delete-object", tenant, "iq__1111111111"],
			&["delete-version", tenant, "iq__1111111111", &version],
			&["delete-collection", tenant, "names"],
			&["delete-record", tenant, "names", "name"],
		] {
			let parse = |reason| {
				let line = [&["fabric", "governance"], act, &["--reason", reason]].concat();
				Cli::try_parse_from(line).map(drop).map_err(|error| error.to_string())
			};
			assert_eq!(parse(" x "), Ok(()), "{act:?}");
			for blank in ["", " ", "\t\n", "\u{2003}"] {
				let error = parse(blank).expect_err("it is blank");
				assert!(error.contains("'--reason <TEXT>': it is blank: say why"), "{error}");
			}
		}
	}

	#[test]
	fn a_reason_loses_the_spaces_around_it() {
		assert_eq!(super::not_blank(" unpaid since May\n"), Ok("unpaid since May".into()));
	}
}
