// SPDX-License-Identifier: Apache-2.0
//! The search: anything by its id, its hash or its name.

use content_fabric_client::{
	chain::kind,
	ids::{self, VersionArgument},
};
use content_fabric_identifiers::{
	Authority, ContentObjectId, ContentObjectPath, KmsId, NodeId, RecordUri, SpaceId, VersionId,
};
use content_fabric_okvs::{
	disk::DiskBytes,
	tuple_store::{Free, Pattern, Prefix, Row, TupleStore},
};
use content_fabric_primitives::MemberId;
use percent_encoding::{utf8_percent_encode, AsciiSet, PercentEncode, NON_ALPHANUMERIC};
use serde::Serialize;
use subxt::utils::H256;
use utoipa::ToSchema;

use super::page::Owners;
use super::{NameFilter, RecordItem, Slice, View};
use crate::index::{error::Result, folded::Folded, keys::text, orders::STORES, read::Owner};

/// Largest number of hits of a search.
pub const MAX_HITS: usize = 20;
/// Largest number of hits that are collections: many tenants have one of the same name.
const MAX_COLLECTIONS: usize = 5;

/// The characters that a part of a path does not have as they are.
const ESCAPED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// A hit of a search.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Hit {
	/// The kind: `space`, `provider`, `tenant`, `node`, `kms`, `object`, `version`, `account`,
	/// `block`, `record` or `collection`.
	pub kind: &'static str,
	/// The id. For a record its URI, for a collection its name.
	pub id: String,
	/// The title.
	pub title: String,
	/// The path of its page in the explorer.
	pub path: String,
}

impl Hit {
	/// Makes a hit whose title is its id.
	fn new(kind: &'static str, id: impl ToString, path: String) -> Self {
		let id = id.to_string();
		Self { kind, title: id.clone(), id, path }
	}

	/// Makes the hit of a block, by its number or its hash.
	fn block(number: u64, id: String) -> Self {
		let title = format!("Block {number}");
		Self { title, ..Self::new("block", id, format!("/blocks/{number}")) }
	}

	fn record(record: &RecordItem) -> Self {
		let (collection, key) = (record.collection.raw(), record.key.raw());
		let (c, k) = (escaped(&collection), escaped(&key));
		let path = format!("/tenants/{}/collections/{c}/records/{k}", record.tenant);
		Self { title: record.name(), ..Self::new("record", record.uri(), path) }
	}
}

impl View<'_> {
	/// Returns what a text names, ids and hashes before names: at most `limit` hits.
	pub fn search(&self, query: &str, limit: usize) -> Result<Vec<Hit>> {
		let query = query.trim();
		let mut hits = self.search_ids(query, limit)?;
		hits.truncate(limit);
		if hits.len() < limit {
			self.search_names(query, limit, &mut hits)?;
		}
		Ok(hits)
	}

	fn search_ids(&self, query: &str, limit: usize) -> Result<Vec<Hit>> {
		let slice = Slice { after: None, limit };
		if let Some(digits) = query.strip_prefix("0x") {
			let mut hash = [0; 32];
			if hex::decode_to_slice(digits, &mut hash).is_ok() {
				let shown = format!("{:?}", H256(hash));
				let block = self.number_of(&hash)?.map(|number| Hit::block(number, shown));
				let versions = self.version_hits(query, VersionId(hash).into(), &slice)?;
				return Ok(block.into_iter().chain(versions).collect());
			}
		}
		if let Ok(id) = query.parse::<SpaceId>() {
			let hit = |_| Hit::new("space", id, format!("/spaces/{id}"));
			return Ok(self.space(id)?.map(hit).into_iter().collect());
		}
		if let Ok(id) = query.parse::<MemberId>() {
			let hit = |_| Hit::new(kind(id), id, format!("/members/{id}"));
			return Ok(self.member_row(id)?.map(hit).into_iter().collect());
		}
		if let Ok(id) = query.parse::<NodeId>() {
			return self.owned(&STORES.nodes, &(id, Free), limit, |owner, _| {
				let path = |provider| format!("/providers/{provider}/nodes/{id}");
				Ok(owner.provider().map(|provider| Hit::new("node", id, path(provider))))
			});
		}
		if let Ok(id) = query.parse::<KmsId>() {
			return self.owned(&STORES.kmses, &(id, Free), limit, |owner, _| {
				let path = |tenant| format!("/tenants/{tenant}/kmses/{id}");
				Ok(owner.tenant().map(|tenant| Hit::new("kms", id, path(tenant))))
			});
		}
		if let Ok(id) = query.parse::<ContentObjectId>() {
			let objects = self.objects_with_id(id, &slice)?.items.into_iter();
			let path = |tenant| format!("/tenants/{tenant}/objects/{id}");
			return Ok(objects.map(|object| Hit::new("object", id, path(object.member))).collect());
		}
		if let Ok(path) = query.parse::<ContentObjectPath>() {
			let ContentObjectPath { tenant, object } = path;
			let hit = |_| Hit::new("object", path, format!("/tenants/{tenant}/objects/{object}"));
			return Ok(self.object(tenant, object)?.map(hit).into_iter().collect());
		}
		if let Ok(named) = query.parse::<VersionArgument>() {
			return self.version_hits(query, named, &slice);
		}
		if let Ok(number) = query.parse::<u64>() {
			let hit = |_| Hit::block(number, number.to_string());
			return Ok(self.block(number)?.map(hit).into_iter().collect());
		}
		if let Ok(uri) = RecordUri::parse(query) {
			let Authority::Tenant(tenant) = uri.authority() else { return Ok(Vec::new()) };
			let (collection, key) = (uri.path().collection(), uri.path().key());
			let record = self.record(tenant, collection.as_str(), key.as_str())?;
			return Ok(record.iter().map(Hit::record).collect());
		}
		let account = ids::parse_account(query).ok();
		let hit = |account| Hit::new("account", account, format!("/accounts/{account}"));
		Ok(account.map(hit).into_iter().collect())
	}

	fn version_hits(&self, query: &str, named: VersionArgument, slice: &Slice) -> Result<Vec<Hit>> {
		let id = named.version;
		let hits = self.holders(named, slice)?.items.into_iter().map(|found| {
			let (tenant, object) = (found.tenant, found.object);
			let path = format!("/tenants/{tenant}/objects/{object}/versions/{id}");
			// The explorer goes to the only hit whose id or title is the text.
			Hit { title: query.to_owned(), ..Hit::new("version", id, path) }
		});
		Ok(hits.collect())
	}

	fn search_names(&self, query: &str, limit: usize, hits: &mut Vec<Hit>) -> Result<()> {
		let all = NameFilter::default();
		let folded = Folded::new(query);
		let pattern = (Prefix(folded.as_bytes()), Free, Free);
		let most = limit.saturating_sub(hits.len()).min(MAX_COLLECTIONS);
		hits.extend(self.owned(&STORES.collections, &pattern, most, |owner, row| {
			let name = text(row.item(2)?);
			let path = |tenant| format!("/tenants/{tenant}/collections/{}", escaped(&name.raw()));
			Ok(owner.tenant().map(|tenant| Hit::new("collection", name.raw(), path(tenant))))
		})?);
		let slice = Slice { after: None, limit };
		let by_prefix = self.names_by_prefix(query, all, &slice)?.items;
		let by_words = self.names_by_words(query, all, &slice)?.items;
		for hit in by_prefix.iter().chain(&by_words).map(Hit::record) {
			if hits.len() < limit && !hits.contains(&hit) {
				hits.push(hit);
			}
		}
		Ok(())
	}

	/// Returns hits among the rows of present members that match a pattern, whose second item is
	/// the incarnation.
	fn owned<const N: usize>(
		&self,
		store: &TupleStore<N>,
		pattern: &impl Pattern<N>,
		limit: usize,
		hit: impl Fn(Owner, &Row<DiskBytes<'_>, N>) -> Result<Option<Hit>>,
	) -> Result<Vec<Hit>> {
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

/// Returns a text as a part of a path.
fn escaped(text: &str) -> PercentEncode<'_> {
	utf8_percent_encode(text, ESCAPED)
}
