// SPDX-License-Identifier: Apache-2.0
//! The state of the index, as readers see it, and what a search finds.

use content_fabric_client::record_names::name_of;
use content_fabric_identifiers::ContentObjectPath;
use serde::Serialize;
use utoipa::ToSchema;

use super::{content::uri, HashText};
use crate::{
	index::{view, Sums, Total},
	rows::Map,
};

/// The number, the hash and the time of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Point {
	/// The number.
	pub number: u64,
	/// The hash.
	#[schema(value_type = String)]
	pub hash: HashText,
	/// The time, in milliseconds since the Unix epoch.
	pub time: u64,
}

/// The blocks of the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct NodeHeads {
	/// The number of its best block.
	pub best: u64,
	/// The number of its last final block.
	pub finalized: u64,
	/// True if it answered the last question.
	pub connected: bool,
}

/// The blocks of the node, and when it answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct NodeStatus {
	/// The number of its best block.
	pub best: u64,
	/// The number of its last final block.
	pub finalized: u64,
	/// True if it answered the last question.
	pub connected: bool,
	/// The time of its last answer, in milliseconds since the Unix epoch.
	pub heard_at: u64,
}

answers! {
	/// Numbers of rows.
	Totals of Sums = sums => {
		/// Number of spaces.
		spaces: u64 = sums.of(Map::Spaces),
		/// Number of providers.
		providers: u64 = sums.of(Map::Providers),
		/// Number of tenants.
		tenants: u64 = sums.of(Map::Tenants),
		/// Number of nodes.
		nodes: u64 = sums.of(Map::Nodes),
		/// Number of KMSes.
		kmses: u64 = sums.of(Map::Kmses),
		/// Number of content objects.
		objects: u64 = sums.of(Map::ContentObjects),
		/// Number of versions.
		versions: u64 = sums.of(Map::Versions),
		/// Number of collections.
		collections: u64 = sums.of(Map::Collections),
		/// Number of records.
		records: u64 = sums.of(Map::Records),
		/// Number of access keys.
		keys: u64 = sums.of(Map::ProviderKeys).saturating_add(sums.of(Map::TenantKeys)),
		/// Number of unused admissions.
		admissions: u64 = sums.of(Map::Admissions),
	}

	/// The totals of an hour.
	Hour of (u64, Total) = (hour, Total { rows, members, commits }) => {
		/// The start of the hour, in milliseconds since the Unix epoch.
		hour: u64 = hour,
		/// Number of rows at its end.
		rows: u64 = rows,
		/// Number of commits in it.
		commits: u64 = commits,
		/// Number of members at its end.
		members: u64 = members,
	}
}

/// The state of the index.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Status {
	/// The kind of chain: `Development`, `Local` or `Live`.
	pub chain: String,
	/// The hash of the first block.
	#[schema(value_type = String)]
	pub genesis: HashText,
	/// The symbol of the currency.
	pub token: String,
	/// Number of decimal places of the currency.
	pub decimals: u8,
	/// The last block of the index.
	pub best: Point,
	/// The last final block of the index.
	pub finalized: Point,
	/// The node.
	pub node: NodeStatus,
	/// Number of final blocks of the node that the index has yet to read.
	pub behind: u64,
	/// The first block whose events the index has. `null` if it has those of all blocks.
	pub history_since: Option<u64>,
	/// The ranges of blocks after that whose events are missing: the first and the last of each.
	pub gaps: Vec<(u64, u64)>,
	/// The version of the runtime that made the last block.
	pub spec_version: u32,
	/// The version of the pallet's storage.
	pub storage_version: u16,
	/// Numbers of rows.
	pub totals: Totals,
	/// Number of purges under way.
	pub purges: u64,
	/// The length of the file of the index, in bytes.
	pub index_bytes: u64,
	/// The version of the program.
	pub version: &'static str,
}

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
	/// Makes a hit of the search for a text, without white space around it.
	pub(crate) fn new(hit: view::Hit, query: &str) -> Self {
		let (kind, id, path) = match &hit {
			view::Hit::Space(id) => ("space", id.to_string(), format!("/spaces/{id}")),
			view::Hit::Member(id) => {
				let kind = content_fabric_client::chain::kind(*id);
				(kind, id.to_string(), format!("/members/{id}"))
			},
			view::Hit::Node(provider, id) => {
				("node", id.to_string(), format!("/providers/{provider}/nodes/{id}"))
			},
			// It has no page of its own.
			view::Hit::Kms(tenant, id) => ("kms", id.to_string(), format!("/members/{tenant}")),
			view::Hit::Object(tenant, object) => {
				let path = ContentObjectPath { tenant: *tenant, object: *object }.to_string();
				let id = if path == query { path } else { object.to_string() };
				("object", id, format!("/tenants/{tenant}/objects/{object}"))
			},
			view::Hit::Version(tenant, object, id) => {
				let path = format!("/tenants/{tenant}/objects/{object}/versions/{id}");
				("version", id.to_string(), path)
			},
			view::Hit::Account(id) => ("account", id.to_string(), format!("/accounts/{id}")),
			view::Hit::Block(number, hash) => {
				let path = format!("/blocks/{number}");
				let is_number = query.parse() == Ok(*number);
				let id = if is_number { number.to_string() } else { HashText(*hash).to_string() };
				("block", id, path)
			},
			view::Hit::Record(tenant, collection, key) => {
				let (collection, key) = (collection.raw(), key.raw());
				let (c, k) = (encoded(&collection), encoded(&key));
				let path = format!("/tenants/{tenant}/collections/{c}/records/{k}");
				("record", uri(*tenant, &collection, &key), path)
			},
			view::Hit::Collection(tenant, name) => {
				let name = name.raw();
				let path = format!("/tenants/{tenant}/collections/{}", encoded(&name));
				("collection", name.into_owned(), path)
			},
		};
		let title = match &hit {
			view::Hit::Block(number, _) => format!("Block {number}"),
			view::Hit::Record(_, _, key) => name_of(&key.raw()).into_owned(),
			// The explorer goes to the only hit whose id or title is the text.
			view::Hit::Version(..) => query.to_owned(),
			_ => id.clone(),
		};
		Self { kind, id, title, path }
	}
}

/// Returns a text as a part of a path.
fn encoded(text: &str) -> String {
	let mut encoded = String::with_capacity(text.len());
	for byte in text.bytes() {
		match byte {
			b'-' | b'.' | b'_' | b'~' => encoded.push(char::from(byte)),
			byte if byte.is_ascii_alphanumeric() => encoded.push(char::from(byte)),
			byte => encoded.push_str(&format!("%{byte:02X}")),
		}
	}
	encoded
}
