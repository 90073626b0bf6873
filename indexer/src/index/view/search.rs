//! The search: anything by its id, its hash or its name.

use std::collections::BTreeSet;

use content_fabric_client::{ids, text::Text};
use content_fabric_identifiers::{
	Authority, ContentObjectId, ContentObjectPath, KmsId, NodeId, ProviderId, RecordUri, SpaceId,
	TenantId, VersionId,
};
use content_fabric_okvs::{disk::DiskError, Read};
use content_fabric_primitives::{MemberId, Role};
use subxt::utils::AccountId32;

use super::page::{ReadError, Slice};
use super::{NameFilter, RecordItem, View};
use crate::{
	index::{error::Error, keys},
	rows::{Map, RowKey},
	source::Hash,
};

/// The most hits of a search.
pub const MAX_HITS: usize = 20;
/// The most collections that a search looks at in one tenant.
const MAX_COLLECTIONS: usize = 3;

/// A hit of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hit {
	/// A space.
	Space(SpaceId),
	/// A provider or a tenant.
	Member(MemberId),
	/// A node of a provider.
	Node(ProviderId, NodeId),
	/// A KMS of a tenant.
	Kms(TenantId, KmsId),
	/// A content object of a tenant.
	Object(TenantId, ContentObjectId),
	/// A version of a content object.
	Version(TenantId, ContentObjectId, VersionId),
	/// An account.
	Account(AccountId32),
	/// A block.
	Block(u64, Hash),
	/// A record of a collection.
	Record(TenantId, Text, Text),
	/// A collection of a tenant.
	Collection(TenantId, Text),
}

impl<R: Read<Error = DiskError>> View<R> {
	/// Returns what a text names, ids and hashes before names: at most `limit` hits.
	pub fn search(&self, query: &str, limit: usize) -> Result<Vec<Hit>, ReadError> {
		let query = query.trim();
		let mut hits = self.search_ids(query, limit)?;
		hits.truncate(limit);
		if hits.len() < limit {
			self.search_names(query, limit, &mut hits)?;
		}
		Ok(hits)
	}

	fn search_ids(&self, query: &str, limit: usize) -> Result<Vec<Hit>, ReadError> {
		let slice = Slice { after: None, limit };
		if let Some(digits) = query.strip_prefix("0x") {
			let mut hash = [0; 32];
			if hex::decode_to_slice(digits, &mut hash).is_ok() {
				let block = self.number_of(&hash)?.map(|number| Hit::Block(number, hash));
				let versions = self.version_hits(VersionId(hash), &slice)?;
				return Ok(block.into_iter().chain(versions).collect());
			}
		}
		if query.starts_with(SpaceId::PREFIX) {
			if let Ok(id) = query.parse() {
				return Ok(self.space(id)?.map(|_| Hit::Space(id)).into_iter().collect());
			}
		}
		if let Ok(id) = query.parse::<MemberId>() {
			return Ok(self.member_row(id)?.map(|_| Hit::Member(id)).into_iter().collect());
		}
		if let Ok(id) = query.parse::<NodeId>() {
			let mut hits = Vec::new();
			for provider in self.providers_of(id)? {
				hits.extend(self.node(provider, id)?.map(|_| Hit::Node(provider, id)));
			}
			return Ok(hits);
		}
		if let Ok(id) = query.parse::<KmsId>() {
			let tenants = self.tenants_of(id)?;
			return Ok(tenants.into_iter().map(|tenant| Hit::Kms(tenant, id)).collect());
		}
		if let Ok(id) = query.parse::<ContentObjectId>() {
			let objects = self.objects_with_id(id, &slice)?.items;
			return Ok(objects.into_iter().map(|object| Hit::Object(object.tenant, id)).collect());
		}
		if let Ok(ContentObjectPath { tenant, object }) = query.parse() {
			let found = self.object(tenant, object)?;
			return Ok(found.map(|_| Hit::Object(tenant, object)).into_iter().collect());
		}
		if let Ok(id) = ids::parse_version(query) {
			return self.version_hits(id, &slice);
		}
		if let Ok(number) = query.parse::<u64>() {
			let block = self.block(number)?;
			return Ok(block.map(|block| Hit::Block(number, block.hash)).into_iter().collect());
		}
		if let Ok(uri) = RecordUri::parse(query) {
			let Authority::Tenant(tenant) = uri.authority() else { return Ok(Vec::new()) };
			let (collection, key) = (uri.path().collection(), uri.path().key());
			let record = self.record(tenant, collection.as_str(), key.as_str())?;
			return Ok(record.map(hit).into_iter().collect());
		}
		Ok(ids::parse_account(query).ok().map(Hit::Account).into_iter().collect())
	}

	fn version_hits(&self, id: VersionId, slice: &Slice) -> Result<Vec<Hit>, ReadError> {
		let holders = self.holders(id, slice)?.items;
		Ok(holders.into_iter().map(|found| Hit::Version(found.tenant, found.object, id)).collect())
	}

	fn search_names(
		&self,
		query: &str,
		limit: usize,
		hits: &mut Vec<Hit>,
	) -> Result<(), ReadError> {
		let all = NameFilter::default();
		let collections = self.members_with(Role::Tenant, |m, member| {
			let MemberId::Tenant(tenant) = member else { return Ok(None) };
			self.collections_like(m, tenant, query).map(Some)
		})?;
		hits.extend(collections.into_iter().flatten());
		hits.truncate(limit);
		let slice = Slice { after: None, limit };
		let mut known: BTreeSet<(TenantId, Text, Text)> = BTreeSet::new();
		let mut add = |items: Vec<RecordItem>| {
			for RecordItem { tenant, collection, key, .. } in items {
				if hits.len() < limit && known.insert((tenant, collection.clone(), key.clone())) {
					hits.push(Hit::Record(tenant, collection, key));
				}
			}
		};
		add(self.names_by_prefix(query, all, &slice)?.items);
		add(self.names_by_words(query, all, &slice)?.items);
		Ok(())
	}

	/// Returns collections of a tenant whose names begin with a text.
	fn collections_like(
		&self,
		m: keys::Incarnation,
		tenant: TenantId,
		query: &str,
	) -> Result<Vec<Hit>, Error> {
		let mut start = keys::rows(Map::Collections, m).pack(&(query.as_bytes(),));
		// The byte that ends the name.
		start.pop();
		let options = content_fabric_okvs::RangeOptions::default().limit(MAX_COLLECTIONS);
		let mut hits = Vec::new();
		for pair in self.read.range_with(&start, options)? {
			let (key, _) = pair?;
			let row = keys::read_row(Map::Collections, m, Some(tenant.into()), &key);
			if let Some(RowKey::Collection(tenant, name)) = row {
				hits.push(Hit::Collection(tenant, name));
			}
		}
		Ok(hits)
	}
}

fn hit(record: RecordItem) -> Hit {
	Hit::Record(record.tenant, record.collection, record.key)
}
