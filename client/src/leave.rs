//! `fabric leave`: the root deletes its own member, which must be empty.

use std::io::{self, Write};

use serde::Serialize;

use crate::{
	calls,
	member::{self, ByRoot},
	output::{Amount, Report},
	Error,
};

/// A member whose root has left.
#[derive(Clone, Debug, Serialize)]
pub struct Left {
	/// The kind of member: a tenant or a provider.
	pub kind: &'static str,
	/// Its id.
	pub id: String,
	/// The amount that was released, bond and deposit together.
	pub released: Amount,
}

impl Report for Left {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		let Self { kind, id, released } = self;
		writeln!(out, "deleted {kind} {id}; released {released}; its id is free again")
	}
}

/// Deletes the member.
pub async fn run(by: ByRoot, url: &str) -> Result<Left, Error> {
	let (member, signer, chain) = by.connect(url).await?;
	let at = chain.best().await?;
	let info = member::get(member, &at).await?;
	if let Err(error) = chain.submit(&signer, calls::delete_member(member)).await {
		let period = at.constant::<u64>("ContentFabric", "UnbondingPeriod");
		return Err(match (info.empty_since, period) {
			(Some(since), Ok(period)) if error.is_fabric("UnbondingPeriodNotOver") => {
				let block = since.saturating_add(period);
				error.with_hint(format!("it can be deleted from block {block} on"))
			},
			_ => error,
		});
	}
	let released = Amount(info.held());
	Ok(Left { kind: member::kind(member), id: by.id, released })
}
