//! Transactions of governance.

use content_fabric_identifiers::SpaceId;

use crate::{
	calls::Call,
	chain::{Account, Chain, Events},
	storage, Error,
};

/// Submits a call for the governor of a space to sign. If the chain refuses the signer, the error
/// names the governor.
pub async fn submit(
	chain: &Chain,
	signer: &Account,
	space: SpaceId,
	call: Call,
) -> Result<Events, Error> {
	match chain.submit(signer, call).await {
		Err(error) if error.is_bad_origin() => Err(explain(error, chain, signer, space).await),
		submitted => submitted,
	}
}

async fn explain(error: Error, chain: &Chain, signer: &Account, space: SpaceId) -> Error {
	let info = async { chain.best().await?.get(&storage::spaces(), (space.0,)).await };
	match info.await {
		Ok(Some(info)) if info.governor != signer.id => error.with_hint(format!(
			"{} signed, but the governor of {space} is {}",
			signer.id, info.governor
		)),
		// The refusal matters more than a failure to explain it.
		_ => error,
	}
}
