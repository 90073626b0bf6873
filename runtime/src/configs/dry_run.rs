// SPDX-License-Identifier: Apache-2.0
//! The calls of other pallets that the runtime dry-runs: those that `fabric` submits.

use pallet_content_fabric_runtime_api::DryRunFilter;

use crate::RuntimeCall;

/// Accepts the calls of other pallets that `fabric` submits.
pub struct DryRuns;

impl DryRunFilter<RuntimeCall> for DryRuns {
	fn accepts(call: &RuntimeCall, is_first: bool) -> bool {
		use frame_system::Call as System;
		use pallet_collator_selection::Call as CollatorSelection;
		use pallet_collective::Call as Collective;
		use pallet_grandpa::Call as Grandpa;
		use pallet_session::Call as Session;
		use pallet_whitelist::Call as Whitelist;
		match call {
			RuntimeCall::Balances(_)
			| RuntimeCall::Session(Session::set_keys { .. } | Session::purge_keys { .. })
			| RuntimeCall::CollatorSelection(
				CollatorSelection::set_invulnerables { .. }
				| CollatorSelection::add_invulnerable { .. }
				| CollatorSelection::remove_invulnerable { .. },
			)
			| RuntimeCall::Council(
				Collective::vote { .. } | Collective::release_proposal_cost { .. },
			)
			| RuntimeCall::Whitelist(Whitelist::whitelist_call { .. })
			| RuntimeCall::System(System::authorize_upgrade { .. })
			| RuntimeCall::Grandpa(Grandpa::note_stalled { .. }) => true,
			// These calls carry out an earlier decision of the chain, which an earlier call of the
			// same dry run must not make. For example, a dry run as root could authorize any code,
			// and `apply_authorized_upgrade` would execute it to read its version.
			// `release_proposal_cost` may follow `close` in a batch.
			RuntimeCall::Council(Collective::close { .. })
			| RuntimeCall::System(System::apply_authorized_upgrade { .. }) => is_first,
			_ => false,
		}
	}
}
