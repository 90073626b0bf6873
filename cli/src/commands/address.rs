// SPDX-License-Identifier: Apache-2.0
//! The accounts whose addresses the command line has.

use content_fabric_client::{
	chain::{Error, Snapshot},
	ids::Address,
};
use subxt::utils::AccountId32;

use crate::output::warn;

/// Returns the account of an address. Warns if the address is one of another network, with the
/// address that the account has on this chain.
pub fn account_of(at: &Snapshot, address: &Address) -> Result<AccountId32, Error> {
	if let Some(translated) = address.translated(at.constant("System", "SS58Prefix")?) {
		warn(&format!(
			"warning: {address} is an address of another network, with the prefix {}: on this chain \
			 the account is {translated}",
			address.prefix()
		));
	}
	Ok(address.account)
}
