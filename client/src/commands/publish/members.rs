// SPDX-License-Identifier: Apache-2.0
//! Checks that a member can publish, before anything is sent: a call that fails costs its fee.

use content_fabric_primitives::MemberId;

use crate::{
	amount::Units,
	chain::{
		kind,
		rows::{Member, Space},
	},
	keys::Signer,
	Error,
};

/// Checks that a member belongs to the signer, that it is neither frozen nor suspended, and not being
/// purged, and that its bond suffices.
pub(super) fn ensure_usable(
	member: MemberId,
	info: &Member,
	space: &Space,
	signer: &Signer,
	units: &Units,
) -> Result<(), Error> {
	let (kind, id) = (kind(member), member.to_string());
	if info.root != *signer.account() {
		return Err(Error::Foreign { kind, id, owner: info.root, signer: *signer.account() });
	}
	if info.purge.is_some() {
		return Err(Error::BeingPurged { kind, id }.with_hint(format!(
			"`fabric watch --purge {member}` follows that: run the command again when it has ended"
		)));
	}
	let barred = match (info.governance_delete, info.suspended) {
		(true, _) => Some(("frozen", "unfreeze")),
		(false, true) => Some(("suspended", "resume")),
		(false, false) => None,
	};
	if let Some((state, command)) = barred {
		return Err(Error::Barred { state, kind, id }.with_hint(format!(
			"the governor of its space, {}, can lift that with `fabric governance {command} {member} \
			 --reason TEXT`, and the council with --council propose",
			space.governor
		)));
	}
	let required = space.rules.bond(member.role());
	if info.bond < required {
		let (bond, lacking) = (units.amount(info.bond), units.amount(required - info.bond));
		let under_bonded = Error::UnderBonded { kind, id, bond, required: units.amount(required) };
		let cure = format!("add to it with `fabric member top-up {member} '{lacking}'`");
		return Err(under_bonded.with_hint(cure));
	}
	Ok(())
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::{Muid, TenantId};
	use content_fabric_primitives::AdmissionPolicy;
	use subxt::utils::AccountId32;

	use super::*;
	use crate::{
		chain::rows::{PurgeScope, Rules},
		class::Class,
		text::Text,
	};

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
			created: Muid::from_u128(1),
		}
	}

	/// Returns the error of a tenant of the signer that was changed.
	fn refusal(change: impl FnOnce(&mut Member)) -> Option<String> {
		let signer = Signer::from(subxt_signer::sr25519::dev::alice());
		let mut info = Member { root: *signer.account(), ..Member::sample() };
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
