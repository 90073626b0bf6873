// SPDX-License-Identifier: Apache-2.0
//! Creates what a source needs and the chain lacks: the space, the provider with its node, the
//! tenant with its collections.

use std::sync::Arc;

use content_fabric_identifiers::{RecordKeyType, TenantId};
use content_fabric_primitives::MemberId;
use subxt::utils::AccountId32;

use super::{plan::SYNTAX, publisher::Publisher, state::OwnNodes, Error, NAMES, RUNS};
use crate::{
	amount::Units,
	chain::{
		self,
		calls::{self, BatchAll, EncodedCall, Sudo},
		kind, open_rules,
		rows::{self, Collection},
		Chain, Snapshot, Standing, Wait,
	},
	keys::Signer,
	text::Text,
};

/// A transaction that creates what the chain lacks. It may be empty.
struct Step {
	signer: Arc<Signer>,
	missing: Vec<Missing>,
}

/// Something that the chain lacks.
struct Missing {
	/// The effect of the call, as an instruction in one line.
	text: String,
	call: EncodedCall,
}

impl Publisher {
	/// Creates what is missing. Counts the transactions, also those before an error.
	pub(super) async fn set_up(
		&self,
		chain: &Chain,
		tenant: TenantId,
		sent: &mut u64,
	) -> Result<(), Error> {
		let at = chain.best().await?;
		*sent += self.send(chain, &at, self.missing_space(chain, &at).await?).await?;
		let at = chain.best().await?;
		*sent += self.send(chain, &at, self.missing_provider(chain, &at).await?).await?;
		let at = chain.best().await?;
		let step = self.missing_tenant(chain, &at, tenant).await?;
		*sent += self.send(chain, &at, step).await?;
		Ok(())
	}

	/// Checks that the members can publish, as far as they exist. Returns what is to be created, if
	/// there is anything to publish.
	pub(super) async fn missing(
		&self,
		chain: &Chain,
		at: &Snapshot,
		tenants: &[TenantId],
	) -> Result<Vec<String>, Error> {
		if tenants.is_empty() {
			return Ok(Vec::new());
		}
		let mut steps = vec![self.missing_provider(chain, at).await?];
		for tenant in tenants {
			steps.push(self.missing_tenant(chain, at, *tenant).await?);
		}
		// The members' state matters more than a key that is not there.
		steps.insert(0, self.missing_space(chain, at).await?);
		let missing = steps.into_iter().flat_map(|step| step.missing);
		Ok(missing.map(|missing| missing.text).collect())
	}

	/// Returns the nodes of the provider for which the key may act. A content node acts for itself.
	pub(super) async fn own_nodes(&self, at: &Snapshot) -> Result<OwnNodes, chain::Error> {
		let provider = self.provider_id;
		let account = self.keys.provider.account();
		let nodes = at.rows(rows::nodes(), (provider,)).await?.into_iter().map(|(_, node)| node);
		let refusal = match at.find_member(provider.into()).await? {
			Some(row) if !self.is_put() => {
				let standing = at.standing(provider.into(), &row, account).await?;
				standing.refusal::<calls::FinalizeVersions>()
			},
			_ => None,
		};
		let own = nodes.filter(|node| refusal.is_none() || node.operator == *account);
		Ok(OwnNodes(own.map(|node| node.medallion).collect()))
	}

	async fn missing_space(&self, chain: &Chain, at: &Snapshot) -> Result<Step, Error> {
		let id = self.options.space;
		if at.get(rows::spaces(), (id,)).await?.is_some() {
			return Ok(Step { signer: self.keys.provider.clone(), missing: Vec::new() });
		}
		let governor = self.governor(at).await?;
		let (account, units) = (*governor.account(), &chain.identity().units);
		let rules = open_rules(self.options.provider_bond, self.options.tenant_bond);
		let missing = Missing {
			text: format!(
				"create the space {id}, governed by {account}, with the provider bond {} and the tenant \
				 bond {}, as root",
				units.amount(rules.provider_bond),
				units.amount(rules.tenant_bond)
			),
			call: at.encode(Sudo {
				call: at.encode(calls::CreateSpace { space: id, governor: account, rules })?,
			})?,
		};
		Ok(Step { signer: governor, missing: vec![missing] })
	}

	async fn missing_provider(&self, chain: &Chain, at: &Snapshot) -> Result<Step, Error> {
		if self.is_put() {
			return Ok(Step { signer: self.keys.tenant.clone(), missing: Vec::new() });
		}
		let (provider, node, signer) = (self.provider_id, self.node_id, &self.keys.provider);
		let (mut missing, standing) =
			self.missing_member(chain, at, provider.into(), signer).await?;
		let locator = &self.options.node_locator;
		let found = at.get(rows::nodes(), (provider, node)).await?;
		if self.options.node.is_some() && found.is_none() {
			return Err(chain::Error::unknown("node", node).into());
		}
		let operates = found.as_ref().is_some_and(|node| node.operator == *signer.account());
		let refusal = standing.and_then(|standing| standing.refusal::<calls::FinalizeVersions>());
		if let Some(refusal) = refusal.filter(|_| !operates) {
			return Err(Error::Refused(refusal));
		}
		if found.is_none() {
			missing.push(Missing {
				text: format!("create the node {node} of {provider}, at {locator}"),
				call: at.encode(calls::CreateNode {
					provider,
					node,
					operator: *signer.account(),
					locator: locator.as_bytes().to_vec(),
				})?,
			});
		}
		if found.is_none_or(|node| node.pending) {
			missing.push(Missing {
				text: format!("confirm the node {node}"),
				call: at.encode(calls::ConfirmNode { provider, node })?,
			});
		}
		Ok(Step { signer: signer.clone(), missing })
	}

	async fn missing_tenant(
		&self,
		chain: &Chain,
		at: &Snapshot,
		tenant: TenantId,
	) -> Result<Step, Error> {
		let signer = &self.keys.tenant;
		let (mut missing, standing) = self.missing_member(chain, at, tenant.into(), signer).await?;
		if let Some(refusal) = standing.and_then(|standing| standing.refusal::<calls::PutRecords>())
		{
			return Err(Error::Refused(refusal));
		}
		let mut commands = Vec::new();
		// Names of packages, alone and with a version, and runs.
		for (name, key_type) in [(NAMES, RecordKeyType::Any), (RUNS, RecordKeyType::Tid)] {
			let found = at.get(rows::collections(), (tenant, Text(name.into()))).await?;
			if is_missing(tenant, name, &key_type, found)? {
				let key_type_name = shown(&key_type);
				commands.push(format!(
					"`fabric collection create {tenant} {name} --key-type {key_type_name}`"
				));
				missing.push(Missing {
					text: format!("create the collection {name} of {tenant}"),
					call: at.encode(calls::CreateCollection {
						tenant,
						name: name.into(),
						key_type,
						syntax: SYNTAX,
					})?,
				});
			}
		}
		match standing.and_then(|standing| standing.refusal::<calls::CreateCollection>()) {
			Some(refusal) if !commands.is_empty() => Err(Error::Refused(format!(
				"the tenant {tenant} lacks collections, which {} would create: {refusal}",
				commands.join(" and ")
			))),
			_ => Ok(Step { signer: signer.clone(), missing }),
		}
	}

	/// Returns a member that is missing, or else the standing of the signer in it. Checks that one
	/// which exists can publish.
	async fn missing_member(
		&self,
		chain: &Chain,
		at: &Snapshot,
		member: MemberId,
		signer: &Signer,
	) -> Result<(Vec<Missing>, Option<Standing>), Error> {
		let (id, units) = (self.options.space, &chain.identity().units);
		let space = at.get(rows::spaces(), (id,)).await?;
		let found = at.find_member(member).await?;
		let of_node = self.options.node.filter(|(provider, _)| member == (*provider).into());
		if let (Some(_), Some(found)) = (of_node, found.as_ref().filter(|found| found.space != id))
		{
			return Err(Error::Refused(format!(
				"the {} {member} is in the space {1}, not in {id}: pass --space {1}",
				kind(member),
				found.space
			)));
		}
		let bond = match (found, space, member) {
			(Some(found), Some(space), _) => {
				let required = space.rules.bond(member.role());
				let standing = at.standing(member, &found, signer.account()).await?;
				ensure_usable(member, &found, required, space.governor, units)?;
				return Ok((Vec::new(), Some(standing)));
			},
			(None, Some(space), _) => space.rules.bond(member.role()),
			(_, None, MemberId::Provider(_)) => self.options.provider_bond,
			(_, None, MemberId::Tenant(_)) => self.options.tenant_bond,
		};
		let text = format!(
			"create the {} {member} of {}, with a bond of {} and at most {} on hold",
			kind(member),
			signer.account(),
			units.amount(bond),
			units.amount(self.options.max_held)
		);
		let call = at.create_member(id, member, self.options.max_held)?;
		Ok((vec![Missing { text, call }], None))
	}

	/// Submits the calls of a step in one transaction, if there are any. Returns the number of
	/// transactions.
	async fn send(&self, chain: &Chain, at: &Snapshot, step: Step) -> Result<u64, Error> {
		let Step { signer, missing } = step;
		missing.iter().try_for_each(|missing| self.ensure_agreed(&missing.text))?;
		let mut calls: Vec<_> = missing.into_iter().map(|missing| missing.call).collect();
		let call = match calls.len() {
			0 => return Ok(0),
			1 => calls.remove(0),
			_ => at.encode(BatchAll { calls })?,
		};
		chain.submit(&signer, &call, Wait::Best, self.options.patience).await?;
		Ok(1)
	}
}

/// Returns whether a collection has to be created. One with other rules for keys is an error.
fn is_missing(
	tenant: TenantId,
	name: &str,
	key_type: &RecordKeyType<Vec<u8>>,
	found: Option<Collection>,
) -> Result<bool, Error> {
	let Some(found) = found else { return Ok(true) };
	if shown(key_type) == shown(&found.key_type) && found.syntax == SYNTAX {
		return Ok(false);
	}
	Err(Error::Refused(format!(
		"the collection `{name}` of {tenant} has keys of the type {} in the syntax {}, not {} in \
		 the syntax {SYNTAX}",
		shown(&found.key_type),
		found.syntax,
		shown(key_type)
	)))
}

/// Returns the name of a type of keys.
fn shown<Literal>(key_type: &RecordKeyType<Literal>) -> &'static str {
	match key_type {
		RecordKeyType::Any => "any",
		RecordKeyType::Tid => "tid",
		RecordKeyType::Nsid => "nsid",
		RecordKeyType::Literal(_) => "literal",
	}
}

/// Checks that a member is neither frozen nor suspended nor being purged, and that it has the
/// `required` bond, before a call fails and costs its fee.
fn ensure_usable(
	member: MemberId,
	info: &rows::Member,
	required: u128,
	governor: AccountId32,
	units: &Units,
) -> Result<(), Error> {
	let kind = kind(member);
	if info.purge.is_some() {
		let advice = format!(
			"`fabric watch --purge {member}` follows that: run the command again when it has ended"
		);
		return Err(Error::Advised { error: chain::Error::BeingPurged(member), advice });
	}
	let barred = match (info.governance_delete, info.suspended) {
		(true, _) => Some(("frozen", "unfreeze")),
		(false, true) => Some(("suspended", "resume")),
		(false, false) => None,
	};
	if let Some((state, command)) = barred {
		return Err(Error::Refused(format!(
			"governance has {state} the {kind} {member}; the governor of its space, {governor}, \
			 can lift that with `fabric governance {command} {member} --reason TEXT`, and the \
			 council with --council propose"
		)));
	}
	if info.bond < required {
		return Err(Error::Refused(format!(
			"the bond of the {kind} {member} is {}, and its space requires {}; its root, {}, can add to \
			 it with `fabric member top-up {member} '{}'`",
			units.amount(info.bond),
			units.amount(required),
			info.root,
			units.amount(required - info.bond)
		)));
	}
	Ok(())
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::{Muid, RecordKeySyntax};

	use super::*;
	use crate::{chain::rows::PurgeScope, samples};

	#[test]
	fn missing_collections_are_created_and_those_of_another_type_are_refused() {
		let check = |found: Option<RecordKeyType<Text>>, syntax| {
			let created = Muid::from_bytes([1; 16]);
			let found = found.map(|key_type| Collection {
				key_type,
				syntax,
				record_count: 0,
				deposit: 0,
				created,
			});
			is_missing(TenantId([1; 10]), NAMES, &RecordKeyType::Any, found)
		};
		assert_eq!(check(None, SYNTAX).ok(), Some(true));
		assert_eq!(check(Some(RecordKeyType::Any), SYNTAX).ok(), Some(false));
		assert!(check(Some(RecordKeyType::Any), RecordKeySyntax::Unreserved).is_err());
		let refused = check(Some(RecordKeyType::Nsid), SYNTAX).expect_err("its keys are NSIDs");
		assert!(refused
			.to_string()
			.ends_with("nsid in the syntax path-segment, not any in the syntax path-segment"));
	}

	#[test]
	fn a_member_that_is_being_purged_cannot_publish() {
		let purged = rows::Member { purge: Some(PurgeScope::Rows), ..samples::member() };
		let (member, units) = (TenantId([2; 10]).into(), Units::new(2, "UNIT"));
		let usable = ensure_usable(member, &purged, 300, AccountId32([7; 32]), &units);
		let error = usable.expect_err("its rows do not count any more").to_string();
		assert!(error.starts_with(&format!("the tenant {member} is being purged; ")), "{error}");
	}
}
