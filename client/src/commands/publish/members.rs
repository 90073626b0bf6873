// SPDX-License-Identifier: Apache-2.0
//! Checks that a member can publish, before anything is sent: a call that fails costs its fee.

use content_fabric_primitives::MemberId;

use crate::{
	amount::Units,
	chain::rows::{Member, Space},
	keys::Signer,
	Error,
};

/// Checks that a member belongs to the signer, and that rows can be added to it.
pub(super) fn ensure_usable(
	member: MemberId,
	info: &Member,
	space: &Space,
	signer: &Signer,
	units: &Units,
) -> Result<(), Error> {
	ensure_owner(member, info, signer)?;
	ensure_open(member, info, space)?;
	ensure_bonded(member, info, space, units)
}

fn ensure_owner(member: MemberId, info: &Member, signer: &Signer) -> Result<(), Error> {
	if info.root == *signer.account() {
		return Ok(());
	}
	Err(Error::Foreign { member, owner: info.root, signer: *signer.account() })
}

/// Checks that the member is neither frozen nor suspended, and not being purged.
fn ensure_open(member: MemberId, info: &Member, space: &Space) -> Result<(), Error> {
	let barred = |state, command| {
		let barred = Error::Barred { state, member };
		barred.with_hint(format!(
			"the governor of its space, {}, can lift that with `fabric governance {command} {member} \
			 --reason TEXT`, and the council with --council propose",
			space.governor
		))
	};
	if info.purge.is_some() {
		let purged = Error::BeingPurged(member);
		return Err(purged.with_hint(format!(
			"`fabric watch --purge {member}` follows that: run the command again when it has ended"
		)));
	}
	if info.governance_delete {
		return Err(barred("frozen", "unfreeze"));
	}
	if info.suspended {
		return Err(barred("suspended", "resume"));
	}
	Ok(())
}

fn ensure_bonded(
	member: MemberId,
	info: &Member,
	space: &Space,
	units: &Units,
) -> Result<(), Error> {
	let required = space.rules.bond(member.role());
	if info.bond >= required {
		return Ok(());
	}
	let under_bonded = Error::UnderBonded {
		member,
		bond: units.amount(info.bond),
		required: units.amount(required),
	};
	Err(under_bonded.with_hint(format!(
		"add to it with `fabric member top-up {member} '{}'`",
		units.amount(required - info.bond)
	)))
}

#[cfg(test)]
mod tests {
	use std::collections::BTreeMap;

	use content_fabric_identifiers::{Medallion, Muid, SpaceId, TenantId};
	use content_fabric_primitives::AdmissionPolicy;
	use subxt::utils::AccountId32;

	use super::*;
	use crate::{
		chain::rows::{PurgeScope, Rules},
		class::Class,
		text::Text,
	};

	fn muid() -> Muid {
		Muid::new(1, Medallion::FIRST_ASSIGNABLE, 0).expect("it is within range; qed")
	}

	fn space() -> Space {
		Space {
			governor: AccountId32([7; 32]),
			rules: Rules {
				provider_bond: 900,
				tenant_bond: 300,
				admission: AdmissionPolicy::Open,
				partitions: 1,
				sla: Text(Vec::new()),
			},
			provider_count: 0,
			tenant_count: 1,
			admission_count: 0,
			created: muid(),
		}
	}

	fn tenant(root: AccountId32) -> Member {
		Member {
			space: SpaceId([1; 10]),
			root,
			nomination: None,
			max_held: 1_000,
			bond: 300,
			own_deposit: 1,
			deposit: 0,
			rows: BTreeMap::new(),
			empty_since: None,
			governance_delete: false,
			suspended: false,
			purge: None,
			created: muid(),
		}
	}

	/// Returns the error of a tenant of the signer that was changed.
	fn refusal(change: impl FnOnce(&mut Member)) -> Option<String> {
		let signer = Signer::from(subxt_signer::sr25519::dev::alice());
		let mut info = tenant(*signer.account());
		change(&mut info);
		let member = TenantId([2; 10]).into();
		let usable = ensure_usable(member, &info, &space(), &signer, &Units::new(2, "UNIT"));
		let error = usable.err()?;
		assert_eq!(error.class(), Class::Refused, "{error}");
		Some(error.to_string())
	}

	#[test]
	fn a_member_that_cannot_publish_is_refused_with_the_way_out() {
		assert_eq!(refusal(|_| {}), None);
		let id = TenantId([2; 10]);
		let (signer, governor) = (subxt_signer::sr25519::dev::alice(), AccountId32([7; 32]));
		let signer = *Signer::from(signer).account();
		let other = AccountId32([9; 32]);
		assert_eq!(
			refusal(|info| info.root = other),
			Some(format!("the tenant {id} belongs to {other}, not to {signer}"))
		);
		let lift = |state: &str, command: &str| {
			Some(format!(
				"governance has {state} the tenant {id}; the governor of its space, {governor}, can \
				 lift that with `fabric governance {command} {id} --reason TEXT`, and the council with \
				 --council propose"
			))
		};
		assert_eq!(refusal(|info| info.suspended = true), lift("suspended", "resume"));
		assert_eq!(refusal(|info| info.governance_delete = true), lift("frozen", "unfreeze"));
		let purged = refusal(|info| info.purge = Some(PurgeScope::Rows)).unwrap_or_default();
		assert!(purged.starts_with(&format!("the tenant {id} is being purged; ")), "{purged}");
		assert_eq!(
			refusal(|info| info.bond = 125),
			Some(format!(
				"the bond of the tenant {id} is 1.25 UNIT, and its space requires 3 UNIT; add to it \
				 with `fabric member top-up {id} '1.75 UNIT'`"
			))
		);
	}
}
