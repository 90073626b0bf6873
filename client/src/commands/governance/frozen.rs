// SPDX-License-Identifier: Apache-2.0
//! Deletion of rows of a frozen member, one by one. Any account can do it while the freeze lasts.

use clap::{ArgGroup, Args};
use content_fabric_identifiers::{KmsId, NodeId, ProviderId, TenantId, VersionId};
use content_fabric_primitives::MemberId;
use subxt::utils::AccountId32;

use crate::{
	chain::{
		calls::{self, Call},
		kind, TextLimit,
	},
	commands::{Action, Authority, Setting},
	ids::{self, ObjectArgument},
	record_names::{self, described, RecordArgument},
	Error,
};

/// `fabric governance delete-node`
#[derive(Debug, Args)]
pub struct DeleteNode {
	/// The provider, iprv…
	provider: ProviderId,
	/// The node, inod…
	node: NodeId,
}

/// `fabric governance delete-key`
#[derive(Debug, Args)]
pub struct DeleteKey {
	/// The provider, iprv…, or the tenant, iten…
	member: MemberId,
	/// The account that has the access key
	#[arg(value_parser = ids::parse_account)]
	account: AccountId32,
}

/// `fabric governance delete-kms`
#[derive(Debug, Args)]
pub struct DeleteKms {
	/// The tenant, iten…
	tenant: TenantId,
	/// The KMS, ikms…
	kms: KmsId,
}

/// `fabric governance delete-object`
#[derive(Debug, Args)]
pub struct DeleteObject {
	/// The tenant, iten…
	tenant: TenantId,
	/// The content object, iq__… or itq_…
	object: ObjectArgument,
}

/// `fabric governance delete-version`
#[derive(Debug, Args)]
pub struct DeleteVersion {
	/// The tenant, iten…
	tenant: TenantId,
	/// The content object, iq__… or itq_…
	object: ObjectArgument,
	/// The version, hq__…
	version: VersionId,
}

/// `fabric governance delete-collection`
#[derive(Debug, Args)]
pub struct DeleteCollection {
	/// The tenant, iten…
	tenant: TenantId,
	/// The name of the collection
	#[arg(value_parser = record_names::parse_collection)]
	name: String,
}

/// `fabric governance delete-record`
#[derive(Debug, Args)]
#[command(group(ArgGroup::new("named").args(["name", "key"]).required(true)))]
pub struct DeleteRecord {
	/// The tenant, iten…
	tenant: TenantId,
	/// The name of the collection
	#[arg(value_parser = record_names::parse_collection)]
	collection: String,
	/// The record.
	#[command(flatten)]
	record: RecordArgument,
}

/// The deletion of one row of a frozen member.
struct Deletion<C> {
	/// The member.
	member: MemberId,
	/// The row, in words.
	row: String,
	/// The call that deletes it.
	call: C,
}

impl<C: Call> Deletion<C> {
	/// Prepares the call. Checks the lengths of texts, each with its name on the command line.
	async fn prepare(
		self,
		setting: &Setting<'_>,
		texts: &[(TextLimit, &'static str, &str)],
	) -> Result<Action, Error> {
		let Self { member, row, call } = self;
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
}

impl DeleteNode {
	/// Removes the node.
	pub async fn prepare(self, setting: &Setting<'_>) -> Result<Action, Error> {
		let Self { provider, node } = self;
		let row = format!("the node {node}");
		let call = calls::GovernanceDeleteNode { provider, node };
		Deletion { member: provider.into(), row, call }.prepare(setting, &[]).await
	}
}

impl DeleteKey {
	/// Revokes the access key.
	pub async fn prepare(self, setting: &Setting<'_>) -> Result<Action, Error> {
		let Self { member, account } = self;
		let row = format!("the access key of {account}");
		match member {
			MemberId::Provider(id) => {
				let call = calls::GovernanceDeleteProviderKey { id, account };
				Deletion { member, row, call }.prepare(setting, &[]).await
			},
			MemberId::Tenant(id) => {
				let call = calls::GovernanceDeleteTenantKey { id, account };
				Deletion { member, row, call }.prepare(setting, &[]).await
			},
		}
	}
}

impl DeleteKms {
	/// Removes the KMS.
	pub async fn prepare(self, setting: &Setting<'_>) -> Result<Action, Error> {
		let Self { tenant, kms } = self;
		let row = format!("the KMS {kms}");
		let call = calls::GovernanceDeleteKms { tenant, kms };
		Deletion { member: tenant.into(), row, call }.prepare(setting, &[]).await
	}
}

impl DeleteObject {
	/// Deletes the content object.
	pub async fn prepare(self, setting: &Setting<'_>) -> Result<Action, Error> {
		let Self { tenant, object } = self;
		let object = object.of(tenant)?;
		let row = format!("the content object {object}");
		let call = calls::GovernanceDeleteContentObject { tenant, object };
		Deletion { member: tenant.into(), row, call }.prepare(setting, &[]).await
	}
}

impl DeleteVersion {
	/// Deletes the version.
	pub async fn prepare(self, setting: &Setting<'_>) -> Result<Action, Error> {
		let Self { tenant, object, version } = self;
		let object = object.of(tenant)?;
		let row = format!("the version {version} of {object}");
		let call = calls::GovernanceDeleteVersion { tenant, object, version };
		Deletion { member: tenant.into(), row, call }.prepare(setting, &[]).await
	}
}

impl DeleteCollection {
	/// Deletes the collection.
	pub async fn prepare(self, setting: &Setting<'_>) -> Result<Action, Error> {
		let Self { tenant, name } = self;
		let row = format!("the collection {name}");
		let call = calls::GovernanceDeleteCollection { tenant, name: name.clone().into_bytes() };
		let texts = [(TextLimit::CollectionName, "NAME", &*name)];
		Deletion { member: tenant.into(), row, call }.prepare(setting, &texts).await
	}
}

impl DeleteRecord {
	/// Deletes the record.
	pub async fn prepare(self, setting: &Setting<'_>) -> Result<Action, Error> {
		let Self { tenant, collection, record } = self;
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
		Deletion { member: tenant.into(), row, call }.prepare(setting, &texts).await
	}
}
