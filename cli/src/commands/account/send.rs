// SPDX-License-Identifier: Apache-2.0
//! `fabric account send`: transfers funds to another account.

use clap::Args;
use content_fabric_client::{
	amount::AmountText,
	chain::{calls::TransferKeepAlive, rows},
	ids::Address,
};
use subxt::utils::{AccountId32, MultiAddress};

use crate::{
	commands::{address::account_of, Action, Authority, Context, Submit, View},
	Error,
};

#[derive(Debug, Args)]
pub struct Transfer {
	/// The amount: '10 UNIT', or a whole number of the smallest unit
	amount: AmountText,
	/// The address of the account that gets it
	to: Address,
}

pub async fn run(command: Submit<Transfer>, context: &Context) -> Result<(), Error> {
	let Submit { command: Transfer { amount, to }, act } = command;
	let at = context.view().await?;
	let (to, amount) = (account_of(&at, &to)?, amount.resolve(at.units())?);
	if amount == 0 {
		return Err(Error::Usage("the amount is 0: nothing would be sent".into()));
	}
	let summary = format!("send {} to {to}", at.units().amount(amount));
	let call = TransferKeepAlive { dest: MultiAddress::Id(to), value: amount };
	let action = at.destructive(Authority::Anyone, call, summary)?;
	let signer = act.load_signer(context, &at.chain, action.authority)?;
	let own = signer.as_ref().map(|signer| *signer.account());
	if let Some(payer) = act.real().copied().or(own).filter(|_| act.council.is_none()) {
		let pays_fee = own == Some(payer);
		ensure_possible(&at, &action, pays_fee, (&payer, &to, amount)).await?;
	}
	act.run_as(context, action, signer.as_ref()).await?.report(context)
}

/// Checks that the payer has the amount and the fee besides the existential deposit, and that the
/// other account exists with the amount.
async fn ensure_possible(
	at: &View,
	action: &Action,
	pays_fee: bool,
	(payer, to, amount): (&AccountId32, &AccountId32, u128),
) -> Result<(), Error> {
	let units = at.units();
	let minimum: u128 = at.constant("Balances", "ExistentialDeposit")?;
	let fee = if pays_fee { at.fee(&action.call).await?.unwrap_or_default() } else { 0 };
	let (needed, spendable) = (amount.saturating_add(fee), at.spendable(payer).await?);
	if needed > spendable {
		return Err(Error::Refused(format!(
			"FundsUnavailable: {payer} can send {}, and needs {} for the amount and {} for the fee; the \
			 existential deposit, {}, and what is frozen stay on the account",
			units.amount(spendable),
			units.amount(amount),
			units.amount(fee),
			units.amount(minimum)
		)));
	}
	let found = at.get(rows::accounts(), (*to,)).await?;
	let has = found.map_or(0, |row| row.data.free);
	if has.saturating_add(amount) < minimum {
		return Err(Error::Refused(format!(
			"BelowMinimum: {to} would have {}, less than the existential deposit, {}, without which no \
			 account exists: send more",
			units.amount(has.saturating_add(amount)),
			units.amount(minimum)
		)));
	}
	Ok(())
}
