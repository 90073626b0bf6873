// SPDX-License-Identifier: Apache-2.0
//! Answers to wallets that ask for the fee of a call beyond the limit of nesting. No block accepts
//! such a call. Its weight is not computed, because that can take long: some calls encode the calls
//! within them.

use frame_support::{dispatch::DispatchClass, weights::Weight};
use pallet_transaction_payment::{FeeDetails, InclusionFee, RuntimeDispatchInfo};

use crate::Balance;

/// A weight that no block has room for, and a fee that nobody can pay.
pub(crate) const UNPAYABLE: RuntimeDispatchInfo<Balance> = RuntimeDispatchInfo {
	weight: Weight::MAX,
	class: DispatchClass::Normal,
	partial_fee: Balance::MAX,
};

/// The parts of the fee of [`UNPAYABLE`].
pub(crate) const UNPAYABLE_DETAILS: FeeDetails<Balance> = FeeDetails {
	inclusion_fee: Some(InclusionFee {
		base_fee: Balance::MAX,
		len_fee: 0,
		adjusted_weight_fee: 0,
	}),
	tip: 0,
};
