// SPDX-License-Identifier: Apache-2.0
//! The answers to wallets that ask for the fee of a call beyond the limit of nesting. No block
//! accepts such a call, and computing its weight can take long, as some calls encode those in them.

use frame_support::{dispatch::DispatchClass, weights::Weight};
use pallet_transaction_payment::{FeeDetails, InclusionFee, RuntimeDispatchInfo};

use crate::Balance;

/// The weight that no block has room for, and the fee that nobody can pay.
pub(crate) const UNPAYABLE: RuntimeDispatchInfo<Balance> = RuntimeDispatchInfo {
	weight: Weight::MAX,
	class: DispatchClass::Normal,
	partial_fee: Balance::MAX,
};

/// The parts of that fee.
pub(crate) const UNPAYABLE_DETAILS: FeeDetails<Balance> = FeeDetails {
	inclusion_fee: Some(InclusionFee {
		base_fee: Balance::MAX,
		len_fee: 0,
		adjusted_weight_fee: 0,
	}),
	tip: 0,
};
