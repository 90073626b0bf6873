// SPDX-License-Identifier: Apache-2.0
//! Creates what a registry needs and the chain lacks: the space, the provider with its node, the
//! tenant with its KMS and its collections.

use std::{fmt::Display, sync::Arc};

use content_fabric_identifiers::{KmsId, RecordKeyType, TenantId};
use content_fabric_primitives::Role;

use super::{members::ensure_usable, plan::SYNTAX, publisher::Publisher, NAMES, RUNS};
use crate::{
	amount::Units,
	chain::{
		calls::{self, BatchAll, EncodedCall, Sudo},
		role_name,
		rows::{self, Collection, Space},
		Chain, Snapshot, Wait,
	},
	keys::Signer,
	text::Text,
	Error,
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

impl Publisher<'_> {
	/// Creates what is missing. Counts the transactions, also those before an error.
	pub(super) async fn set_up(
		&self,
		chain: &Chain,
		tenant: TenantId,
		kms: KmsId,
		sent: &mut u64,
	) -> Result<(), Error> {
		let at = chain.best().await?;
		*sent += self.send(chain, &at, self.missing_space(chain, &at).await?).await?;
		let at = chain.best().await?;
		*sent += self.send(chain, &at, self.missing_provider(chain, &at).await?).await?;
		let at = chain.best().await?;
		let step = self.missing_tenant(chain, &at, tenant, kms).await?;
		*sent += self.send(chain, &at, step).await?;
		Ok(())
	}

	/// Checks that the members can publish, as far as they exist. Returns what is to be created, if
	/// there is anything to publish.
	pub(super) async fn missing(
		&self,
		chain: &Chain,
		at: &Snapshot,
		tenants: &[(TenantId, KmsId)],
	) -> Result<Vec<String>, Error> {
		if tenants.is_empty() {
			return Ok(Vec::new());
		}
		let mut steps = vec![self.missing_provider(chain, at).await?];
		for (tenant, kms) in tenants {
			steps.push(self.missing_tenant(chain, at, *tenant, *kms).await?);
		}
		// The members' state matters more than a key that is not there.
		steps.insert(0, self.missing_space(chain, at).await?);
		let missing = steps.into_iter().flat_map(|step| step.missing);
		Ok(missing.map(|missing| missing.text).collect())
	}

	async fn space_row(&self, at: &Snapshot) -> Result<Option<Space>, Error> {
		Ok(at.get(&rows::spaces(), (self.space.id,)).await?)
	}

	async fn missing_space(&self, chain: &Chain, at: &Snapshot) -> Result<Step, Error> {
		if self.space_row(at).await?.is_some() {
			return Ok(Step { signer: self.provider.clone(), missing: Vec::new() });
		}
		let governor = self.governor(chain, at).await?;
		let (id, account) = (self.space.id, *governor.account());
		let units = &chain.identity().units;
		let create = calls::CreateSpace { space: id, governor: account, rules: self.rules.clone() };
		let missing = Missing {
			text: format!(
				"create the space {id}, governed by {account}, with the provider bond {} and the tenant \
				 bond {}, as root",
				units.amount(self.rules.provider_bond),
				units.amount(self.rules.tenant_bond)
			),
			call: at.encode(Sudo { call: at.encode(create)? })?,
		};
		Ok(Step { signer: governor, missing: vec![missing] })
	}

	async fn missing_provider(&self, chain: &Chain, at: &Snapshot) -> Result<Step, Error> {
		if self.is_put {
			return Ok(Step { signer: self.tenant.clone(), missing: Vec::new() });
		}
		let (provider, node) = (self.provider_id, self.node_id);
		let (signer, units) = (&self.provider, &chain.identity().units);
		let space = self.space_row(at).await?;
		let mut missing = Vec::new();
		match (at.get(&rows::providers(), (provider,)).await?, &space) {
			(Some(found), Some(space)) => {
				ensure_usable(provider.into(), &found, space, signer, units)?
			},
			_ => missing.push(Missing {
				text: self.member_text(Role::Provider, provider, space.as_ref(), signer, units),
				call: at.encode(calls::CreateProvider {
					space: self.space.id,
					id: provider,
					max_held: self.max_held,
				})?,
			}),
		}
		let found = at.get(&rows::nodes(), (provider, node)).await?;
		if found.is_none() {
			missing.push(Missing {
				text: format!("create the node {node} of {provider}, at {}", self.node_locator),
				call: at.encode(calls::CreateNode {
					provider,
					node,
					operator: *signer.account(),
					locator: self.node_locator.as_bytes().to_vec(),
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
		kms: KmsId,
	) -> Result<Step, Error> {
		let (signer, units) = (&self.tenant, &chain.identity().units);
		let space = self.space_row(at).await?;
		let mut missing = Vec::new();
		match (at.get(&rows::tenants(), (tenant,)).await?, &space) {
			(Some(found), Some(space)) => {
				ensure_usable(tenant.into(), &found, space, signer, units)?
			},
			_ => missing.push(Missing {
				text: self.member_text(Role::Tenant, tenant, space.as_ref(), signer, units),
				call: at.encode(calls::CreateTenant {
					space: self.space.id,
					id: tenant,
					max_held: self.max_held,
				})?,
			}),
		}
		if at.get(&rows::kmses(), (tenant, kms)).await?.is_none() {
			let locator = self.kms_locator.as_bytes().to_vec();
			missing.push(Missing {
				text: format!("create the KMS {kms} of {tenant}, at {}", self.kms_locator),
				call: at.encode(calls::AddKms { tenant, kms, locator })?,
			});
		}
		for (name, key_type) in collections() {
			let found = at.get(&rows::collections(), (tenant, Text(name.into()))).await?;
			if is_missing(tenant, name, &key_type, found)? {
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
		Ok(Step { signer: signer.clone(), missing })
	}

	/// Describes a member that is missing.
	fn member_text(
		&self,
		role: Role,
		id: impl Display,
		space: Option<&Space>,
		signer: &Signer,
		units: &Units,
	) -> String {
		let bond = match (role, space) {
			(role, Some(space)) => space.rules.bond(role),
			(Role::Provider, None) => self.rules.provider_bond,
			(Role::Tenant, None) => self.rules.tenant_bond,
		};
		format!(
			"create the {} {id} of {}, with a bond of {} and at most {} on hold",
			role_name(role),
			signer.account(),
			units.amount(bond),
			units.amount(self.max_held)
		)
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
		chain.submit(&signer, &call, Wait::Best, self.timeout).await?;
		Ok(1)
	}
}

/// Returns the collections that a registry needs, with the types of their keys: names of packages,
/// alone and with a version, and runs.
fn collections() -> [(&'static str, RecordKeyType<Vec<u8>>); 2] {
	[(NAMES, RecordKeyType::Any), (RUNS, RecordKeyType::Tid)]
}

/// Returns whether a collection has to be created. One with other rules for keys is an error.
fn is_missing(
	tenant: TenantId,
	name: &str,
	key_type: &RecordKeyType<Vec<u8>>,
	found: Option<Collection>,
) -> Result<bool, Error> {
	let Some(found) = found else { return Ok(true) };
	let is_same = std::mem::discriminant(key_type)
		== std::mem::discriminant(&match found.key_type {
			RecordKeyType::Any => RecordKeyType::Any,
			RecordKeyType::Tid => RecordKeyType::Tid,
			RecordKeyType::Nsid => RecordKeyType::Nsid,
			RecordKeyType::Literal(ref text) => RecordKeyType::Literal(text.0.clone()),
		});
	if is_same && found.syntax == SYNTAX {
		return Ok(false);
	}
	Err(Error::Collection {
		tenant,
		collection: name.into(),
		found: format!("{} in the syntax {}", shown(&found.key_type), found.syntax),
		needed: format!("{} in the syntax {SYNTAX}", shown(key_type)),
	})
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

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::RecordKeySyntax;

	use super::*;

	#[test]
	fn missing_collections_are_created_and_those_of_another_type_are_refused() {
		let check = |found: Option<RecordKeyType<Text>>, syntax| {
			let found =
				found.map(|key_type| Collection { key_type, syntax, record_count: 0, deposit: 0 });
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
}
