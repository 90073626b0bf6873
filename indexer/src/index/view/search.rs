// SPDX-License-Identifier: Apache-2.0
//! The search: anything by its id, its hash or its name.

use std::collections::BTreeSet;

use content_fabric_client::{ids, text::Text};
use content_fabric_identifiers::{
	Authority, ContentObjectId, ContentObjectPath, KmsId, NodeId, ProviderId, RecordUri, SpaceId,
	TenantId, VersionId,
};
use content_fabric_okvs::{
	disk::DiskBytes,
	tuple_store::{Free, Pattern, Prefix, Row, TupleStore},
};
use content_fabric_primitives::MemberId;
use subxt::utils::AccountId32;

use super::page::Owners;
use super::{NameFilter, RecordItem, Slice, View};
use crate::{
	index::{error::Error, keys::text, orders::FOUND, read::Owner},
	source::Hash,
};

/// The most hits of a search.
pub const MAX_HITS: usize = 20;
/// The most of them that are collections: many tenants have one of the same name.
const MAX_COLLECTIONS: usize = 5;

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

impl View<'_> {
	/// Returns what a text names, ids and hashes before names: at most `limit` hits.
	pub fn search(&self, query: &str, limit: usize) -> Result<Vec<Hit>, Error> {
		let query = query.trim();
		let mut hits = self.search_ids(query, limit)?;
		hits.truncate(limit);
		if hits.len() < limit {
			self.search_names(query, limit, &mut hits)?;
		}
		Ok(hits)
	}

	fn search_ids(&self, query: &str, limit: usize) -> Result<Vec<Hit>, Error> {
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
			return self.owned(&FOUND.nodes, &(id, Free), limit, |owner, _| {
				Ok(owner.provider().map(|provider| Hit::Node(provider, id)))
			});
		}
		if let Ok(id) = query.parse::<KmsId>() {
			return self.owned(&FOUND.kmses, &(id, Free), limit, |owner, _| {
				Ok(owner.tenant().map(|tenant| Hit::Kms(tenant, id)))
			});
		}
		if let Ok(id) = query.parse::<ContentObjectId>() {
			let objects = self.objects_with_id(id, &slice)?.items;
			return Ok(objects.into_iter().map(|object| Hit::Object(object.member, id)).collect());
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

	fn version_hits(&self, id: VersionId, slice: &Slice) -> Result<Vec<Hit>, Error> {
		let holders = self.holders(id, slice)?.items;
		Ok(holders.into_iter().map(|found| Hit::Version(found.tenant, found.object, id)).collect())
	}

	fn search_names(&self, query: &str, limit: usize, hits: &mut Vec<Hit>) -> Result<(), Error> {
		let all = NameFilter::default();
		let pattern = (Prefix(query.as_bytes()), Free);
		let most = limit.saturating_sub(hits.len()).min(MAX_COLLECTIONS);
		hits.extend(self.owned(&FOUND.collections, &pattern, most, |owner, row| {
			let name = text(row.item(0)?);
			Ok(owner.tenant().map(|tenant| Hit::Collection(tenant, name)))
		})?);
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

	/// Returns hits among the rows of present members that match a pattern, whose second item is the
	/// incarnation.
	fn owned(
		&self,
		store: &TupleStore<2>,
		pattern: &impl Pattern<2>,
		limit: usize,
		hit: impl Fn(Owner, &Row<DiskBytes<'_>, 2>) -> Result<Option<Hit>, Error>,
	) -> Result<Vec<Hit>, Error> {
		let mut slice = Slice { after: None, limit };
		let mut owners = Owners::new(self);
		let mut hits = Vec::new();
		// A page ends early after many rows of members that are gone.
		loop {
			let rows = self.found(store, pattern, &slice, false)?;
			let page = self.collect(&slice, rows, |row| match owners.get(row.item(1)?)? {
				Some(owner) => hit(owner, &row),
				None => Ok(None),
			})?;
			slice.limit -= page.items.len();
			slice.after = page.next;
			hits.extend(page.items);
			if slice.limit == 0 || slice.after.is_none() {
				return Ok(hits);
			}
		}
	}
}

fn hit(record: RecordItem) -> Hit {
	Hit::Record(record.tenant, record.collection, record.key)
}
