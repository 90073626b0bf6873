// SPDX-License-Identifier: Apache-2.0
//! Causes of failed transactions.

/// The way to handle the items of a transaction that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cause {
	/// An item is wrong: the others go without it.
	Item,
	/// The state of the chain has changed: plan anew.
	Stale,
	/// No transaction of the lane can succeed.
	Lane,
}

/// Errors after which another plan may succeed: another publisher was faster, the clock of the
/// chain has advanced, or the signer was given its level anew.
const STALE: [&str; 6] = [
	"VersionAlreadyExists",
	"VersionAlreadyFinalized",
	"MuidTooOld",
	"MuidTooNew",
	"MuidNotMonotonic",
	"MuidBeforeGrant",
];

/// Errors of single items.
const ITEM: [&str; 9] = [
	"ContentObjectNotFound",
	"VersionNotFound",
	"VersionNotFinalized",
	"OriginatorMismatch",
	"InvalidRecordKey",
	"RecordKeyRequired",
	"RecordAlreadyExists",
	"RecordNotFound",
	"ContentObjectAlreadyExists",
];

impl Cause {
	/// Returns the cause of a dispatch error, `Pallet.Name: documentation`.
	///
	/// Errors of other pallets, such as of balances, concern the account, not an item; an
	/// error of this pallet that the client does not know concerns the member.
	pub(super) fn of(reason: &str) -> Self {
		let name = reason.strip_prefix("ContentFabric.").and_then(|rest| rest.split(':').next());
		match name.map(str::trim) {
			Some(name) if STALE.contains(&name) => Self::Stale,
			Some(name) if ITEM.contains(&name) => Self::Item,
			_ => Self::Lane,
		}
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn causes_are_known_by_the_names_of_errors() {
		for (reason, cause) in [
			("ContentFabric.VersionAlreadyExists: The content object has it.", Cause::Stale),
			("ContentFabric.MuidTooOld: The muid is old.", Cause::Stale),
			("ContentFabric.VersionNotFound: There is no such version.", Cause::Item),
			("ContentFabric.InvalidRecordKey: It is not allowed.", Cause::Item),
			("ContentFabric.HeldLimitExceeded: More would be on hold.", Cause::Lane),
			("ContentFabric.TenantSuspended: It is suspended.", Cause::Lane),
			("ContentFabric.BeingPurged: Rows are being removed.", Cause::Lane),
			("Balances.VersionNotFound: It is another pallet's.", Cause::Lane),
			("Bad origin", Cause::Lane),
			("Token error: FundsUnavailable", Cause::Lane),
			("", Cause::Lane),
		] {
			assert_eq!(Cause::of(reason), cause, "{reason}");
		}
	}
}
