// SPDX-License-Identifier: Apache-2.0
//! Deletion of rows of a frozen member, one by one. Any account can do it while the freeze lasts.

use clap::{ArgGroup, Args};
use content_fabric_client::{
	chain::{
		calls::{self, Call},
		kind, TextLimit,
	},
	record_names::described,
};
use content_fabric_identifiers::TenantId;
use content_fabric_primitives::MemberId;

use crate::{
	commands::{
		address::account_of, collection, key, kms, node, object, version, Action, Authority,
		Setting,
	},
	record_argument::{self, RecordArgument},
	Error,
};

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("named").args(["name", "key"]).required(true)))]
pub struct Record {
	/// The tenant, iten…
	tenant: TenantId,
	/// The name of the collection
	#[arg(value_parser = record_argument::parse_collection)]
	collection: String,
	/// The record.
	#[command(flatten)]
	record: RecordArgument,
}

/// Prepares the call that deletes a row, which `row` describes. Checks the lengths of texts, each
/// with its name on the command line.
async fn delete(
	setting: &Setting<'_>,
	member: impl Into<MemberId>,
	row: String,
	call: impl Call,
	texts: &[(TextLimit, &'static str, &str)],
) -> Result<Action, Error> {
	let member = member.into();
	// The calls need a signed origin, which the council does not have.
	if setting.act.council.is_some() {
		return Err(Error::Usage(
			"the council cannot delete rows one by one: any account can while the member is \
			 frozen, so leave out --council"
				.into(),
		));
	}
	let at = setting.view().await?;
	for (limit, option, text) in texts {
		limit.ensure(&at, option, text)?;
	}
	if !at.member(member).await?.governance_delete {
		return Err(Error::Usage(format!(
			"the {} {member} is not frozen: freeze it first with `fabric governance freeze`",
			kind(member)
		)));
	}
	let summary = format!("delete {row} of the frozen {} {member}", kind(member));
	at.destructive(Authority::Anyone, call, summary)
}

pub async fn node(node: node::Which, setting: &Setting<'_>) -> Result<Action, Error> {
	let node::Which { provider, node } = node;
	let call = calls::GovernanceDeleteNode { provider, node };
	delete(setting, provider, format!("the node {node}"), call, &[]).await
}

pub async fn key(key: key::Which, setting: &Setting<'_>) -> Result<Action, Error> {
	let key::Which { member, account } = key;
	let account = account_of(&*setting.view().await?, &account)?;
	let row = format!("the access key of {account}");
	match member {
		MemberId::Provider(id) => {
			let call = calls::GovernanceDeleteProviderKey { id, account };
			delete(setting, id, row, call, &[]).await
		},
		MemberId::Tenant(id) => {
			let call = calls::GovernanceDeleteTenantKey { id, account };
			delete(setting, id, row, call, &[]).await
		},
	}
}

pub async fn kms(kms: kms::Which, setting: &Setting<'_>) -> Result<Action, Error> {
	let kms::Which { tenant, kms } = kms;
	let call = calls::GovernanceDeleteKms { tenant, kms };
	delete(setting, tenant, format!("the KMS {kms}"), call, &[]).await
}

pub async fn object(object: object::Which, setting: &Setting<'_>) -> Result<Action, Error> {
	let object::Which { tenant, object } = object;
	let object = object.of(tenant)?;
	let call = calls::GovernanceDeleteContentObject { tenant, object };
	delete(setting, tenant, format!("the content object {object}"), call, &[]).await
}

pub async fn version(version: version::Which, setting: &Setting<'_>) -> Result<Action, Error> {
	let version::Which { tenant, object, version } = version;
	let object = object.of(tenant)?;
	let call = calls::GovernanceDeleteVersion { tenant, object, version };
	delete(setting, tenant, format!("the version {version} of {object}"), call, &[]).await
}

pub async fn collection(
	collection: collection::Which,
	setting: &Setting<'_>,
) -> Result<Action, Error> {
	let collection::Which { tenant, name } = collection;
	let call = calls::GovernanceDeleteCollection { tenant, name: name.clone().into_bytes() };
	let texts = [(TextLimit::CollectionName, "NAME", &*name)];
	delete(setting, tenant, format!("the collection {name}"), call, &texts).await
}

pub async fn record(record: Record, setting: &Setting<'_>) -> Result<Action, Error> {
	let Record { tenant, collection, record } = record;
	let key = record.into_key().unwrap_or_default();
	let row = format!("the record {} of {collection}", described(&key));
	let call = calls::GovernanceDeleteRecord {
		tenant,
		collection: collection.clone().into_bytes(),
		key: key.clone().into_bytes(),
	};
	let texts = [
		(TextLimit::CollectionName, "COLLECTION", &*collection),
		(TextLimit::RecordKey, "KEY", &*key),
	];
	delete(setting, tenant, row, call, &texts).await
}
