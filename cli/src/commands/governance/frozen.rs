// SPDX-License-Identifier: Apache-2.0
//! Deletion of rows of a frozen member by the governance of its space, one by one.

use clap::{ArgGroup, Args};
use content_fabric_client::{
	chain::{
		calls::{self, Call},
		kind, TextLimit,
	},
	record_names::described,
};
use content_fabric_identifiers::{Muid, TenantId};
use content_fabric_primitives::MemberId;

use super::Reason;
use crate::{
	commands::{
		address::account_of, collection, key, kms, node, object, version, Action, Authority,
		Setting,
	},
	record_argument::{self, syntax_of, NamedRecord, RecordArgument},
	Error,
};

/// A row of a frozen member, and the reason for which it is deleted.
#[derive(Debug, Args)]
pub struct Row<Which: Args> {
	#[command(flatten)]
	which: Which,
	#[command(flatten)]
	reason: Reason,
}

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

/// Prepares the call that deletes a row, which `row` describes, of a member of an incarnation for a
/// reason. Checks the lengths of texts, each with its name on the command line.
async fn delete<C: Call>(
	setting: &Setting<'_>,
	member: impl Into<MemberId>,
	(row, reason): (String, Reason),
	texts: &[(TextLimit, &'static str, &str)],
	call: impl FnOnce(Muid, Vec<u8>) -> C,
) -> Result<Action, Error> {
	let member = member.into();
	let at = setting.view().await?;
	for (limit, option, text) in texts {
		limit.ensure(&at, option, text)?;
	}
	let info = reason.governed(&at, member).await?;
	if !info.governance_delete {
		return Err(Error::Refused(format!(
			"the {} {member} is not frozen: freeze it first with `fabric governance freeze`",
			kind(member)
		)));
	}
	let (kind, created) = (kind(member), info.created);
	let summary = format!("delete {row} of the frozen {kind} {member}, created as {created}");
	let call = call(created, reason.to_bytes());
	at.destructive(Authority::Governance(info.space), call, summary)
}

pub async fn node(row: Row<node::Which>, setting: &Setting<'_>) -> Result<Action, Error> {
	let node::Which { provider, node } = row.which;
	let named = (format!("the node {node}"), row.reason);
	delete(setting, provider, named, &[], |created, reason| calls::GovernanceDeleteNode {
		provider,
		created,
		node,
		reason,
	})
	.await
}

pub async fn key(row: Row<key::Which>, setting: &Setting<'_>) -> Result<Action, Error> {
	let key::Which { member, account } = row.which;
	let account = account_of(&*setting.view().await?, &account)?;
	let named = (format!("the access key of {account}"), row.reason);
	match member {
		MemberId::Provider(id) => {
			delete(setting, id, named, &[], |created, reason| calls::GovernanceDeleteProviderKey {
				id,
				created,
				account,
				reason,
			})
			.await
		},
		MemberId::Tenant(id) => {
			delete(setting, id, named, &[], |created, reason| calls::GovernanceDeleteTenantKey {
				id,
				created,
				account,
				reason,
			})
			.await
		},
	}
}

pub async fn kms(row: Row<kms::Which>, setting: &Setting<'_>) -> Result<Action, Error> {
	let kms::Which { tenant, kms } = row.which;
	let named = (format!("the KMS {kms}"), row.reason);
	delete(setting, tenant, named, &[], |created, reason| calls::GovernanceDeleteKms {
		tenant,
		created,
		kms,
		reason,
	})
	.await
}

pub async fn object(row: Row<object::Which>, setting: &Setting<'_>) -> Result<Action, Error> {
	let object::Which { tenant, object } = row.which;
	let object = object.of(tenant)?;
	let named = (format!("the content object {object}"), row.reason);
	delete(setting, tenant, named, &[], |created, reason| calls::GovernanceDeleteContentObject {
		tenant,
		created,
		object,
		reason,
	})
	.await
}

pub async fn version(row: Row<version::Which>, setting: &Setting<'_>) -> Result<Action, Error> {
	let version::Which { tenant, object, version } = row.which;
	let object = object.of(tenant)?;
	let version = setting.view().await?.version_id((tenant, object), version).await?;
	let named = (format!("the version {version} of {object}"), row.reason);
	delete(setting, tenant, named, &[], |created, reason| calls::GovernanceDeleteVersion {
		tenant,
		created,
		object,
		version,
		reason,
	})
	.await
}

pub async fn collection(
	row: Row<collection::Which>,
	setting: &Setting<'_>,
) -> Result<Action, Error> {
	let collection::Which { tenant, name } = row.which;
	let named = (format!("the collection {name}"), row.reason);
	let texts = [(TextLimit::CollectionName, "NAME", &*name)];
	delete(setting, tenant, named, &texts, |created, reason| calls::GovernanceDeleteCollection {
		tenant,
		created,
		name: name.clone().into_bytes(),
		reason,
	})
	.await
}

pub async fn record(row: Row<Record>, setting: &Setting<'_>) -> Result<Action, Error> {
	let Record { tenant, collection, record } = row.which;
	let missing = || Error::Usage("a NAME or --key is missing".into());
	let text = record.into_text().ok_or_else(missing)?;
	let at = setting.view().await?;
	let syntax = syntax_of(&at, tenant, &collection, std::slice::from_ref(&text)).await?;
	let NamedRecord { key, name } = text.found(&at, tenant, &collection, syntax).await?;
	let named = (format!("the record {} of {collection}", described(&key, &name)), row.reason);
	let texts = [
		(TextLimit::CollectionName, "COLLECTION", &*collection),
		(TextLimit::RecordKey, "KEY", &*key),
	];
	delete(setting, tenant, named, &texts, |created, reason| calls::GovernanceDeleteRecord {
		tenant,
		created,
		collection: collection.clone().into_bytes(),
		key: key.clone().into_bytes(),
		reason,
	})
	.await
}
