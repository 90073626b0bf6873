//! Creates what a registry needs and the chain lacks: the space, the provider with its node, the
//! tenant with its KMS and its collections.

use content_fabric_identifiers::{KmsId, RecordKeyType, TenantId};
use content_fabric_primitives::MemberId;
use subxt::utils::AccountId32;

use super::{plan::SYNTAX, publisher::Publisher, NAMES, RUNS};
use crate::{
	chain::{
		calls::{self, BatchAll, EncodedCall, Sudo},
		kind,
		rows::{self, Collection},
		Chain, Snapshot, Wait,
	},
	keys::Signer,
	text::Text,
	Error,
};

impl Publisher<'_> {
	/// Creates what is missing. Returns the number of transactions.
	pub(super) async fn set_up(
		&self,
		chain: &Chain,
		tenant: TenantId,
		kms: KmsId,
	) -> Result<u64, Error> {
		let space = self.create_space(chain).await?;
		let provider = self.create_provider(chain).await?;
		Ok(space + provider + self.create_tenant(chain, tenant, kms).await?)
	}

	async fn create_space(&self, chain: &Chain) -> Result<u64, Error> {
		let at = chain.best().await?;
		if at.get(&rows::spaces(), (self.space.id,)).await?.is_some() {
			return Ok(0);
		}
		let governor = self.governor(chain, &at).await?;
		let create = calls::CreateSpace {
			space: self.space.id,
			governor: *governor.account(),
			rules: self.rules.clone(),
		};
		let call = at.encode(Sudo { call: at.encode(create)? })?;
		self.send(chain, &at, &governor, vec![call]).await
	}

	async fn create_provider(&self, chain: &Chain) -> Result<u64, Error> {
		let (space, provider, node) = (self.space.id, self.provider_id, self.node_id);
		let at = chain.best().await?;
		let signer = &self.provider;
		let mut missing = Vec::new();
		match at.get(&rows::providers(), (provider,)).await? {
			Some(found) => ensure_owner(provider.into(), found.root, signer)?,
			None => missing.push(at.encode(calls::CreateProvider {
				space,
				id: provider,
				max_held: self.max_held,
			})?),
		}
		let found = at.get(&rows::nodes(), (provider, node)).await?;
		if found.is_none() {
			missing.push(at.encode(calls::CreateNode {
				provider,
				node,
				operator: *signer.account(),
				locator: self.node_locator.as_bytes().to_vec(),
			})?);
		}
		if found.is_none_or(|node| node.pending) {
			missing.push(at.encode(calls::ConfirmNode { provider, node })?);
		}
		self.send(chain, &at, signer, missing).await
	}

	async fn create_tenant(
		&self,
		chain: &Chain,
		tenant: TenantId,
		kms: KmsId,
	) -> Result<u64, Error> {
		let (space, max_held) = (self.space.id, self.max_held);
		let at = chain.best().await?;
		let mut missing = Vec::new();
		match at.get(&rows::tenants(), (tenant,)).await? {
			Some(found) => ensure_owner(tenant.into(), found.root, &self.tenant)?,
			None => missing.push(at.encode(calls::CreateTenant { space, id: tenant, max_held })?),
		}
		if at.get(&rows::kmses(), (tenant, kms)).await?.is_none() {
			let locator = self.kms_locator.as_bytes().to_vec();
			missing.push(at.encode(calls::AddKms { tenant, kms, locator })?);
		}
		for (name, key_type) in collections() {
			let found = at.get(&rows::collections(), (tenant, Text(name.into()))).await?;
			if is_missing(tenant, name, &key_type, found)? {
				missing.push(at.encode(calls::CreateCollection {
					tenant,
					name: name.into(),
					key_type,
					syntax: SYNTAX,
				})?);
			}
		}
		self.send(chain, &at, &self.tenant, missing).await
	}

	/// Submits calls in one transaction, if there are any. Returns the number of transactions.
	async fn send(
		&self,
		chain: &Chain,
		at: &Snapshot,
		signer: &Signer,
		mut calls: Vec<EncodedCall>,
	) -> Result<u64, Error> {
		let call = match calls.len() {
			0 => return Ok(0),
			1 => calls.remove(0),
			_ => at.encode(BatchAll { calls })?,
		};
		chain.submit(signer, &call, Wait::Best, self.timeout).await?;
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

/// Checks that the signer owns a member.
pub(super) fn ensure_owner(
	member: MemberId,
	owner: AccountId32,
	signer: &Signer,
) -> Result<(), Error> {
	if owner == *signer.account() {
		return Ok(());
	}
	Err(Error::Foreign {
		kind: kind(member),
		id: member.to_string(),
		owner,
		signer: *signer.account(),
	})
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
