// SPDX-License-Identifier: Apache-2.0
//! The calls that do the items of a plan, and the muids of commits.

use std::collections::BTreeMap;

use content_fabric_identifiers::{KmsId, Muid, NodeId, ProviderId, TenantId};
use content_fabric_primitives::DraftVersion;
use subxt::utils::{AccountId32, MultiSignature};

use super::{copies::NodePlace, plan::Item, state::VersionKey, NAMES, RUNS};
use crate::{
	chain::{
		calls::{
			AddCopies, BatchAll, CommitVersions, DeleteContentObject, DeleteRecords, DeleteVersion,
			Encoded, EncodedCall, FinalizeVersions, IfElse, PutRecords, RemoveCopies,
			SetHeadVersion,
		},
		Error, Snapshot, VersionCommit,
	},
	keys::Signer,
};

/// The identifiers that calls need.
#[derive(Clone, Debug)]
pub(super) struct Names {
	pub genesis_hash: [u8; 32],
	pub provider: ProviderId,
	pub node: NodeId,
	/// Other nodes that commits ask to hold the data.
	pub copies: Vec<NodePlace>,
	pub tenant: TenantId,
	/// The KMS for which the data is encrypted, if it is.
	pub kms: Option<KmsId>,
	/// The account of the tenant, which signs commits.
	pub tenant_signer: AccountId32,
}

impl Names {
	/// Returns the call that commits versions and finalizes them. Both succeed or fail together.
	/// Without a signer the signature is empty, for estimates.
	pub(super) fn commit(
		&self,
		at: &Snapshot,
		muid: Muid,
		drafts: Vec<DraftVersion>,
		signer: Option<&Signer>,
	) -> Result<EncodedCall, Error> {
		let calls = self.commit_calls(at, muid, drafts, signer)?.into();
		at.encode(BatchAll { calls })
	}

	/// Returns the calls of such a commit and of the finalization.
	pub(super) fn commit_calls(
		&self,
		at: &Snapshot,
		muid: Muid,
		drafts: Vec<DraftVersion>,
		signer: Option<&Signer>,
	) -> Result<[EncodedCall; 2], Error> {
		let versions: Vec<_> = drafts.iter().map(|draft| (draft.object, draft.version)).collect();
		let too_many =
			|_| Error::Usage(format!("a commit cannot have {} versions", versions.len()));
		let commit = VersionCommit {
			muid,
			originator: self.provider,
			node: self.node,
			copies: self.copies.clone().try_into().map_err(|_| {
				Error::Usage(format!("a commit cannot ask {} nodes", self.copies.len()))
			})?,
			tenant: self.tenant,
			kms: self.kms,
			create_objects: true,
			versions: drafts.try_into().map_err(too_many)?,
		};
		let payload = commit.payload(self.genesis_hash);
		let signature = signer.map_or([0; 64], |signer| signer.sign(&payload));
		let commit = at.encode(CommitVersions {
			tenant_signer: self.tenant_signer,
			commit: Encoded::new(&commit),
			signature: MultiSignature::Sr25519(signature),
		})?;
		Ok([commit, self.finalize(at, self.node, versions)?])
	}

	fn finalize(
		&self,
		at: &Snapshot,
		node: NodeId,
		versions: Vec<VersionKey>,
	) -> Result<EncodedCall, Error> {
		let (provider, tenant) = (self.provider, self.tenant);
		at.encode(FinalizeVersions { provider, node, tenant, versions })
	}

	/// Returns the call that does items of one kind, other than commits.
	pub(super) fn call<'a>(
		&self,
		at: &Snapshot,
		items: impl IntoIterator<Item = &'a Item>,
	) -> Result<EncodedCall, Error> {
		let mut calls = Vec::new();
		let mut records = Vec::new();
		let mut collection = NAMES;
		let mut finalize = Vec::<(NodeId, Vec<VersionKey>)>::new();
		let mut deleted = BTreeMap::<&str, Vec<Vec<u8>>>::new();
		let mut copies = BTreeMap::<(bool, NodePlace), Vec<VersionKey>>::new();
		let tenant = self.tenant;
		for item in items {
			match item {
				// Each node has a call of its own.
				Item::Finalize { node, version, .. } => {
					match finalize.iter_mut().find(|(found, _)| found == node) {
						Some((_, versions)) => versions.push(*version),
						None => finalize.push((*node, vec![*version])),
					}
				},
				Item::Head { version: (object, version), .. } => {
					let version = Some(*version);
					calls.push(at.encode(SetHeadVersion { tenant, object: *object, version })?);
				},
				Item::Name { key, target, .. } => {
					records.push((Some(key.as_bytes().to_vec()), *target));
				},
				Item::Run { key, target } => {
					collection = RUNS;
					records.push((Some(key.to_string().into_bytes()), *target));
				},
				Item::Commit { .. } => {},
				Item::DeleteVersion { version: (object, version), is_head, .. } => {
					let (object, version) = (*object, *version);
					let delete = at.encode(DeleteVersion { tenant, object, version })?;
					match is_head {
						true => {
							let clear = SetHeadVersion { tenant, object, version: None };
							calls.extend(clear_and(at, clear, delete)?);
						},
						false => calls.push(delete),
					}
				},
				Item::DeleteObject { object, .. } => {
					calls.push(at.encode(DeleteContentObject { tenant, object: *object })?);
				},
				Item::DeleteRecord { record: (collection, key), .. } => {
					deleted.entry(collection).or_default().push(key.as_bytes().to_vec());
				},
				Item::Copy { version, lack, removes, .. } => {
					copies.entry((*removes, lack.node)).or_default().push(*version);
				},
			}
		}
		for (collection, keys) in deleted {
			let collection = collection.as_bytes().to_vec();
			calls.push(at.encode(DeleteRecords { tenant, collection, keys })?);
		}
		for ((removes, (provider, node)), versions) in copies {
			calls.push(match removes {
				true => at.encode(RemoveCopies { tenant, provider, node, versions })?,
				false => at.encode(AddCopies { tenant, provider, node, versions })?,
			});
		}
		for (node, versions) in finalize {
			calls.push(self.finalize(at, node, versions)?);
		}
		if !records.is_empty() {
			let collection = collection.as_bytes().to_vec();
			calls.push(at.encode(PutRecords { tenant, collection, records })?);
		}
		match calls.len() {
			1 => Ok(calls.remove(0)),
			_ => at.encode(BatchAll { calls }),
		}
	}
}

/// Returns the calls that delete a version which is the head. Where the runtime offers it, they clear
/// the head only if that is still this version: otherwise, the version can be deleted as it is.
fn clear_and(
	at: &Snapshot,
	clear: SetHeadVersion,
	delete: EncodedCall,
) -> Result<Vec<EncodedCall>, Error> {
	let calls = vec![at.encode(clear)?, delete.clone()];
	if !at.has_call::<IfElse>() {
		return Ok(calls);
	}
	let fallback = at.encode(BatchAll { calls })?;
	Ok(vec![at.encode(IfElse { main: delete, fallback })?])
}
