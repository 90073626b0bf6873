// SPDX-License-Identifier: Apache-2.0
//! Providers and tenants: whether they are open, and can pay for more rows; the levels of accounts
//! in them; and the nodes that hold their content.

use std::collections::{hash_map::Entry, HashMap};

use content_fabric_identifiers::{NodeId, ProviderId, TenantId};
use content_fabric_primitives::{MemberId, Role, TenantLevel};
use subxt::utils::AccountId32;

use super::{Finding, Help, Severity, Topic};
use crate::{
	amount::Units,
	chain::{closed, kind, rows, Error, Snapshot},
	text::count,
};

/// Length of a row with its storage key: more than most rows have.
const ROW_LEN: u128 = 300;
/// Largest number of versions of a tenant whose nodes are looked for.
const VERSIONS: usize = 1_000;

/// A member, with what it must have and can have.
struct Seen<'a> {
	id: MemberId,
	row: &'a rows::Member,
	/// The bond that the rules of its space require.
	required: u128,
	/// The deposit for another row.
	deposit: u128,
	/// The amount that its root can spend.
	spendable: u128,
}

fn topic(member: MemberId) -> Topic {
	match member.role() {
		Role::Provider => Topic::Provider,
		Role::Tenant => Topic::Tenant,
	}
}

/// Examines a provider or a tenant.
pub async fn member(at: &Snapshot, units: &Units, id: MemberId) -> Result<Vec<Finding>, Error> {
	let Some(row) = at.find_member(id).await? else {
		let (kind, block) = (kind(id), at.block_number());
		return Ok(vec![Finding::problem(
			topic(id),
			format!("the chain has no {kind} {id} at block {block}"),
			Help {
				why: "Nothing can be published or read under this id.",
				cure: "Correct the id, or create it with `fabric tenant create` or `fabric provider create`"
					.into(),
				page: "docs/client.md#a-space-and-its-members",
			},
		)]);
	};
	let constant = |name| at.constant::<u128>("ContentFabric", name);
	let per_row = constant("DepositPerByte")?.saturating_mul(ROW_LEN);
	let deposit = constant("DepositBase")?.saturating_add(per_row);
	let (space, spendable) = tokio::try_join!(at.space(row.space), at.spendable(&row.root))?;
	let required = match id.role() {
		Role::Provider => space.rules.provider_bond,
		Role::Tenant => space.rules.tenant_bond,
	};
	Ok(Seen { id, row: &row, required, deposit, spendable }.judge(units))
}

impl Seen<'_> {
	fn judge(&self, units: &Units) -> Vec<Finding> {
		let Self { id, row, required, deposit, spendable } = *self;
		let (kind, topic, root) = (kind(id), topic(id), row.root);
		let mut found = Vec::new();
		if let Some(reason) = closed(row) {
			let purged = row.purge.is_some();
			found.push(Finding::problem(
				topic,
				format!("the {kind} {id} {reason}"),
				Help {
					why: match (purged, id.role()) {
						(true, _) => "Its rows are being removed, and readers find none.",
						(false, Role::Tenant) => {
							"Its rows cannot be changed, and its KMSes give no keys."
						},
						(false, Role::Provider) => {
							"Its rows cannot be changed, and its nodes take no versions in."
						},
					},
					cure: match purged {
						true => format!("Follow the purge with `fabric watch --purge {id}`"),
						false => {
							format!("Ask the governor of the space {} for the reason", row.space)
						},
					},
					page: "docs/client.md#governance-by-a-council",
				},
			));
		}
		if row.bond < required {
			let [bond, required] = [row.bond, required].map(|amount| units.amount(amount));
			found.push(Finding::problem(
				topic,
				format!("the {kind} {id} has a bond of {bond}, and its space requires {required}"),
				Help {
					why: "With less, no rows can be added, and no versions committed.",
					cure: format!("Let its root, {root}, run `fabric member top-up {id} AMOUNT`"),
					page: "docs/client.md#funds-proxies-and-multisigs",
				},
			));
		}
		// Tenants add rows all the time.
		let severity = match id.role() {
			Role::Provider => Severity::Warning,
			Role::Tenant => Severity::Problem,
		};
		let left = row.max_held.saturating_sub(row.held());
		if left < deposit {
			let [left, most] = [left, row.max_held].map(|amount| units.amount(amount));
			found.push(Finding {
				severity,
				..Finding::warning(
					topic,
					format!("the {kind} {id} may have only {left} more on hold, of at most {most}"),
					Help {
						why: "That does not pay the deposit for another row.",
						cure: format!("Let its root run `fabric member set-max-held {id} AMOUNT`"),
						page: "docs/client.md#funds-proxies-and-multisigs",
					},
				)
			});
		} else if spendable < deposit {
			let spendable = units.amount(spendable);
			found.push(Finding {
				severity,
				..Finding::warning(
					topic,
					format!("the root of the {kind} {id}, {root}, can spend {spendable}"),
					Help {
						why: "That does not pay the deposit for another row.",
						cure: format!("Transfer funds to it: `fabric account send AMOUNT {root}`"),
						page: "docs/client.md#funds-proxies-and-multisigs",
					},
				)
			});
		}
		let nomination = row.nomination.as_ref();
		let by_governance =
			nomination.and_then(|found| Some((found.nominee, found.governance_matures?)));
		if let Some((nominee, block)) = by_governance {
			found.push(Finding::warning(
				topic,
				format!("governance has nominated {nominee} as the root of the {kind} {id}, from block {block} on"),
				Help {
					why: "From then on, that account can take it over.",
					cure: "Ask the governor of the space for the reason".into(),
					page: "docs/operations.md#a-thief-who-is-the-root",
				},
			));
		}
		if found.is_empty() {
			let rows = count(row.row_count(), "row", "rows");
			found.push(Finding::ok(topic, format!("the {kind} {id} is open, with {rows}")));
		}
		found
	}
}

/// Judges whether an account may publish in a tenant. Nothing is found if there is no such tenant.
pub async fn standing(
	at: &Snapshot,
	tenant: TenantId,
	account: &AccountId32,
) -> Result<Vec<Finding>, Error> {
	let Some(row) = at.find_member(tenant.into()).await? else { return Ok(Vec::new()) };
	let standing = at.standing(tenant.into(), &row, account).await?;
	let lacks = standing.lacks(TenantLevel::Content);
	let found = lacks.map(|lack| {
		Finding::warning(
			Topic::Account,
			lack,
			Help {
				why: "Without that level, it cannot publish there.",
				cure: "Ask an admin, or sign with another key".into(),
				page: "docs/client.md#with-your-own-key",
			},
		)
	});
	Ok(found.into_iter().collect())
}

/// Finds the nodes that hold the versions of a tenant, among its first versions, and judges whether
/// each final version has one.
pub async fn holders(
	at: &Snapshot,
	tenant: TenantId,
) -> Result<(Vec<(ProviderId, NodeId)>, Vec<Finding>), Error> {
	let rows = at.first_rows(rows::versions(), (tenant,), VERSIONS).await?;
	let (mut nodes, mut lost) = (Vec::new(), 0u64);
	// Many versions have the same nodes.
	let mut known = HashMap::new();
	for (_, row) in &rows {
		let mut is_held = false;
		for copy in &row.copies {
			let id = (copy.provider, copy.node);
			if let Entry::Vacant(unknown) = known.entry(id) {
				let (node, purge) = tokio::try_join!(
					at.get(rows::nodes(), id),
					at.get(rows::purges(), (copy.provider.into(),))
				)?;
				unknown.insert(node.filter(|_| purge.is_none()).map(|node| node.medallion));
			}
			let is_present = known.get(&id).is_some_and(|medallion| copy.is_of(*medallion));
			is_held |= is_present && copy.held.is_some();
			if is_present && !nodes.contains(&id) {
				nodes.push(id);
			}
		}
		lost += u64::from(row.finalized.is_some() && !is_held);
	}
	let found =
		(lost > 0).then(|| {
			let of = count(rows.len(), "version", "versions");
			Finding::problem(
			Topic::Tenant,
			format!("no node of the chain holds {lost} of {of} of the tenant {tenant}"),
			Help {
				why: "Nobody can get their bytes.",
				cure: format!("List them with `fabric copies missing {tenant}`, and put their files again"),
				page: "docs/client.md#copies",
			},
		)
		});
	Ok((nodes, found.into_iter().collect()))
}

#[cfg(test)]
mod tests {
	use super::*;
	use crate::{
		chain::rows::{Nomination, PurgeScope},
		doctor::server::tests::assert_found,
		samples,
	};

	#[test]
	fn members_must_be_open_and_able_to_pay() {
		use Severity::{Ok, Problem, Warning};
		let (tenant, provider) = (TenantId([1; 10]).into(), ProviderId([1; 10]).into());
		let row = samples::member;
		let nominee = AccountId32([9; 32]);
		// The sample has a bond of 300, a deposit of 20, and at most 1,000 on hold.
		for (id, row, required, spendable, expected) in [
			(tenant, row(), 300, 50, &[(Ok, "the tenant iten")][..]),
			(provider, row(), 300, 50, &[(Ok, "is open, with 0 rows")]),
			(
				tenant,
				rows::Member { suspended: true, ..row() },
				300,
				50,
				&[(Problem, "is suspended by governance")],
			),
			(
				tenant,
				rows::Member { purge: Some(PurgeScope::Rows), ..row() },
				300,
				50,
				&[(Problem, "is being purged")],
			),
			(
				tenant,
				row(),
				301,
				50,
				&[(Problem, "has a bond of 300 UNIT, and its space requires 301 UNIT")],
			),
			(
				tenant,
				rows::Member { max_held: 369, ..row() },
				300,
				0,
				&[(Problem, "may have only 49 UNIT more on hold, of at most 369 UNIT")],
			),
			(tenant, row(), 300, 49, &[(Problem, "can spend 49")]),
			(provider, row(), 300, 49, &[(Warning, "can spend 49")]),
			(
				tenant,
				rows::Member {
					nomination: Some(Nomination { nominee, governance_matures: Some(7) }),
					..row()
				},
				300,
				50,
				&[(Warning, "governance has nominated")],
			),
			(
				tenant,
				rows::Member {
					nomination: Some(Nomination { nominee, governance_matures: None }),
					..row()
				},
				300,
				50,
				&[(Ok, "is open")],
			),
		] {
			let seen = Seen { id, row: &row, required, deposit: 50, spendable };
			assert_found(&seen.judge(&Units::new(0, "UNIT")), expected);
		}
	}
}
