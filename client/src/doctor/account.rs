// SPDX-License-Identifier: Apache-2.0
//! The key that signs, and its account: funds, and the parts that it has in the fabric.

use content_fabric_identifiers::{KmsId, NodeId, ProviderId, TenantId};
use content_fabric_primitives::MemberId;
use subxt::utils::AccountId32;

use super::{Finding, Help, Topic};
use crate::{
	amount::{Amount, Units},
	chain::{calls::TransferKeepAlive, rows, Error, Snapshot},
	keys::{ChainKind, Identified, KeyError, KeySource},
	text::count,
};

/// Number of transactions below which an account is short of funds.
const FEW: u128 = 100;
/// The page about keys.
const KEYS: &str = "docs/client.md#keys-and-profiles";

/// Finds the account of a key, without asking for a secret.
pub fn key(source: &KeySource, kind: ChainKind) -> (Option<AccountId32>, Vec<Finding>) {
	let loaded = source.ensure_allowed(kind).and_then(|()| source.identify());
	let account = loaded.as_ref().ok().and_then(|found| found.as_ref().map(|found| found.account));
	(account, judge_key(source, kind, loaded))
}

fn judge_key(
	source: &KeySource,
	kind: ChainKind,
	loaded: Result<Option<Identified>, KeyError>,
) -> Vec<Finding> {
	let found = match loaded {
		Err(error) => {
			let why = "Nothing can be signed.";
			let cure = "Correct the file, the variable or the option".into();
			let help = Help { why, cure, page: KEYS };
			return vec![Finding::problem(Topic::Key, format!("the key {source}: {error}"), help)];
		},
		Ok(None) => {
			let seen =
				"the key - was not read from standard input; name its account with --account";
			return vec![Finding::skipped(Topic::Key, seen)];
		},
		Ok(Some(found)) => found,
	};
	let is_everybodys = found.is_public && kind == ChainKind::Live;
	let public = is_everybodys.then(|| {
		Finding::problem(
			Topic::Key,
			format!("everybody knows the key {source} of {}", found.account),
			Help {
				why: "Anybody can take the funds of the account, and act for it.",
				cure: "Make a key with `fabric key new`".into(),
				page: "docs/client.md#with-your-own-key",
			},
		)
	});
	let unopened = (!found.is_opened).then(|| {
		let seen = format!(
			"the keystore of {} was not decrypted, as no file has its password",
			found.account
		);
		Finding::skipped(Topic::Key, seen)
	});
	public.into_iter().chain(unopened).collect()
}

/// Returns the finding that nothing was named beside the node.
pub fn nobody_named() -> Finding {
	let seen =
		"funds, members and servers: name them with --signer, --account, --tenant, --provider, \
	            --node or --kms";
	Finding::skipped(Topic::Account, seen)
}

/// Judges the funds of an account, by the fee of a small transaction.
pub async fn funds(
	at: &Snapshot,
	units: &Units,
	account: &AccountId32,
) -> Result<Vec<Finding>, Error> {
	let (dest, value) = ((*account).into(), 0);
	let call = at.encode(TransferKeepAlive { dest, value })?;
	let (spendable, fee) = tokio::try_join!(at.spendable(account), at.fee(&call))?;
	let fee = fee.unwrap_or_default();
	Ok(vec![judge_funds(account, units.amount(spendable), units.amount(fee))])
}

fn judge_funds(account: &AccountId32, spendable: Amount, fee: Amount) -> Finding {
	let cure = format!("Transfer funds to it: `fabric account send AMOUNT {account}`");
	let page = "docs/client.md#funds-proxies-and-multisigs";
	let affordable = spendable.value().checked_div(fee.value());
	match affordable {
		_ if spendable.value() == 0 || affordable == Some(0) => Finding::problem(
			Topic::Account,
			format!(
				"the account {account} can spend {spendable}, and a transaction costs about {fee}"
			),
			Help { why: "It cannot pay for a transaction.", cure, page },
		),
		Some(number) if number < FEW => Finding::warning(
			Topic::Account,
			format!(
				"the account {account} can spend {spendable}, enough for about {}",
				count(number, "small transaction", "small transactions")
			),
			Help { why: "Soon it cannot pay for transactions.", cure, page },
		),
		_ => Finding::ok(Topic::Account, format!("the account {account} can spend {spendable}")),
	}
}

/// The parts of an account in the fabric.
#[derive(Clone, Debug, Default)]
pub struct Roles {
	/// The members in which it is the root, or has an access key.
	pub members: Vec<MemberId>,
	/// The nodes that it operates.
	pub nodes: Vec<(ProviderId, NodeId)>,
	/// The KMSes that it operates.
	pub kmses: Vec<(TenantId, KmsId)>,
}

impl Roles {
	/// Finds the parts of an account.
	pub async fn of(at: &Snapshot, account: &AccountId32) -> Result<Self, Error> {
		let ((providers, tenants), provider_keys, tenant_keys, nodes, kmses) = futures::try_join!(
			at.members(),
			at.rows(rows::provider_keys(), ()),
			at.rows(rows::tenant_keys(), ()),
			at.rows(rows::nodes(), ()),
			at.rows(rows::kmses(), ()),
		)?;
		let roots = providers.into_iter().chain(tenants);
		let roots = roots.filter(|(_, row)| row.root == *account).map(|(id, _)| id);
		let of_providers = provider_keys.into_iter().map(|((id, of), _)| (MemberId::from(id), of));
		let of_tenants = tenant_keys.into_iter().map(|((id, of), _)| (MemberId::from(id), of));
		let keys = of_providers.chain(of_tenants).filter(|(_, of)| of == account).map(|(id, _)| id);
		let mut members: Vec<_> = roots.chain(keys).collect();
		members.sort_unstable();
		members.dedup();
		let nodes = nodes.into_iter().filter(|(_, row)| row.operator == *account);
		let kmses = kmses.into_iter().filter(|(_, row)| row.operator == *account);
		Ok(Self {
			members,
			nodes: nodes.map(|(id, _)| id).collect(),
			kmses: kmses.map(|(id, _)| id).collect(),
		})
	}
}

#[cfg(test)]
mod tests {
	use super::*;
	use crate::doctor::{server::tests::assert_found, Severity};

	const ACCOUNT: AccountId32 = AccountId32([7; 32]);

	#[test]
	fn funds_must_pay_for_transactions() {
		use Severity::{Ok, Problem, Warning};
		let units = Units::new(0, "UNIT");
		for (spendable, fee, severity) in [
			(0, 10, Problem),
			(0, 0, Problem),
			(9, 10, Problem),
			(10, 10, Warning),
			(999, 10, Warning),
			(1_000, 10, Ok),
			// The chain does not report fees.
			(1, 0, Ok),
		] {
			let found = judge_funds(&ACCOUNT, units.amount(spendable), units.amount(fee));
			assert_eq!(found.severity, severity, "{spendable} {fee}: {}", found.seen);
			assert!(found.seen.contains(&ACCOUNT.to_string()));
		}
	}

	#[test]
	fn keys_must_be_readable_and_secret() {
		use Severity::{Problem, Skipped};
		let Ok(source) = "file:me.key".parse::<KeySource>();
		let found = |is_public, is_opened| Identified { account: ACCOUNT, is_public, is_opened };
		for (kind, loaded, expected) in [
			(ChainKind::Live, Ok(Some(found(false, true))), &[][..]),
			(ChainKind::Development, Ok(Some(found(true, true))), &[]),
			(
				ChainKind::Live,
				Ok(Some(found(true, true))),
				&[(Problem, "everybody knows the key file:me.key")],
			),
			(ChainKind::Live, Ok(Some(found(false, false))), &[(Skipped, "was not decrypted")]),
			(ChainKind::Live, Ok(None), &[(Skipped, "standard input")]),
			(
				ChainKind::Live,
				Err(KeyError::OpenToOthers { path: "me.key".into(), mode: 0o644 }),
				&[(
					Problem,
					"the key file:me.key: me.key is accessible to other users (mode 0644)",
				)],
			),
		] {
			assert_found(&judge_key(&source, kind, loaded), expected);
		}
	}
}
