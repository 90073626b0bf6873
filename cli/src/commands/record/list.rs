// SPDX-License-Identifier: Apache-2.0
//! `fabric record list`: the records of a collection, from the chain or from an index.

use std::collections::HashSet;

use clap::Args;
use content_fabric_client::{chain::rows, text::Text};
use content_fabric_identifiers::TenantId;

use crate::{
	commands::{
		listing::{Limit, ListedRecord, Records, Seen},
		Context,
	},
	record_argument,
	time::parse_millis,
	Error,
};

#[derive(Debug, Args)]
pub struct List {
	/// The tenant, iten…
	tenant: TenantId,
	/// The name of the collection
	#[arg(value_parser = record_argument::parse_collection)]
	collection: String,
	/// Print the newest records first. Needs an index
	#[arg(long)]
	newest: bool,
	/// Print only records whose names or keys start with this. Needs an index. Not with --newest,
	/// --since or --until
	#[arg(long, value_name = "TEXT", conflicts_with_all = ["newest", "since", "until"])]
	prefix: Option<String>,
	/// Print records whose last put was at this time or later only, the newest first. Needs an index
	#[arg(long, value_name = "TIME", value_parser = parse_millis)]
	since: Option<u64>,
	/// Print records whose last put was at this time or earlier only, the newest first. Needs an index
	#[arg(long, value_name = "TIME", value_parser = parse_millis)]
	until: Option<u64>,
	/// Print only records that lead nowhere: their content was deleted. Reads the chain
	#[arg(long, conflicts_with_all = ["newest", "prefix", "since", "until"])]
	dangling: bool,
	#[command(flatten)]
	limit: Limit,
}

impl List {
	pub(super) async fn run(self, context: &Context) -> Result<Records, Error> {
		// A light client is asked for by name, and proves what it reads.
		let reads_chain = self.dangling || !context.names_index() || context.is_light();
		match self.needs_index() {
			None if reads_chain => self.read_chain(context).await,
			what => self.read_index(context, what.unwrap_or("fabric record list")).await,
		}
	}

	/// Returns the command with the option that needs an index.
	fn needs_index(&self) -> Option<&'static str> {
		[
			(self.newest, "fabric record list --newest"),
			(self.prefix.is_some(), "fabric record list --prefix"),
			(self.since.is_some(), "fabric record list --since"),
			(self.until.is_some(), "fabric record list --until"),
		]
		.into_iter()
		.find_map(|(is_given, what)| is_given.then_some(what))
	}

	fn query(&self) -> Vec<(&'static str, String)> {
		let is_newest = self.newest || self.since.is_some() || self.until.is_some();
		let order = if is_newest { "newest" } else { "key" };
		[
			("order", Some(order.to_owned())),
			("prefix", self.prefix.clone()),
			("since", self.since.map(|millis| millis.to_string())),
			("until", self.until.map(|millis| millis.to_string())),
		]
		.into_iter()
		.filter_map(|(name, value)| Some((name, value?)))
		.collect()
	}

	async fn read_index(self, context: &Context, what: &'static str) -> Result<Records, Error> {
		let index = context.index(what).await?;
		let Self { tenant, collection, limit, .. } = &self;
		let id = tenant.to_string();
		let path = ["tenants", &id, "collections", collection, "records"];
		let query = self.query();
		let query: Vec<_> = query.iter().map(|(name, value)| (*name, value.as_str())).collect();
		let list = index.list::<crate::index::Record>(&path, &query, limit.limit).await?;
		let name = Text(collection.clone().into_bytes());
		if list.items.iter().any(|found| (found.tenant, &found.collection) != (*tenant, &name)) {
			return Err(index.unasked("a record of a collection").into());
		}
		Ok(Records { one_collection: true, ..list.into() })
	}

	async fn read_chain(self, context: &Context) -> Result<Records, Error> {
		let Self { tenant, collection, dangling, limit, .. } = self;
		let at = context.view().await?;
		at.ensure_whole(tenant).await?;
		at.collection(tenant, &collection).await?;
		let name = Text(collection.into_bytes());
		let mut found = at.rows(rows::records(), (tenant, name)).await?;
		if dangling {
			let (objects, versions) = tokio::try_join!(
				at.rows(rows::content_objects(), (tenant,)),
				at.rows(rows::versions(), (tenant,)),
			)?;
			let objects: HashSet<_> = objects.into_iter().map(|((_, object), _)| object).collect();
			let versions: HashSet<_> =
				versions.into_iter().map(|((_, object, version), _)| (object, version)).collect();
			found.retain(|(_, record)| match record.target.version {
				None => !objects.contains(&record.target.object),
				Some(version) => !versions.contains(&(record.target.object, version)),
			});
		}
		let limit = usize::try_from(limit.limit).unwrap_or(usize::MAX);
		let more = found.len() > limit;
		found.truncate(limit);
		let records = found.into_iter().map(|((tenant, collection, key), record)| {
			let times = (&record).into();
			ListedRecord::new(tenant, collection, key, record.target, times)
		});
		Ok(Records {
			seen: Seen { block: at.block_number(), is_final: at.chain.is_light(), age: None },
			records: records.collect(),
			more,
			one_collection: true,
		})
	}
}

#[cfg(test)]
mod tests {
	use super::*;
	use crate::{
		commands::parsed,
		index::server::{page, status, Server},
	};

	const TENANT: TenantId = TenantId([1; 10]);

	fn list(arguments: &[&str]) -> Result<List, clap::Error> {
		let tenant = TENANT.to_string();
		parsed(&[&[&tenant, "names"], arguments].concat())
	}

	#[test]
	fn times_imply_the_order_and_exclude_a_prefix() {
		let query = |arguments: &[&str]| list(arguments).expect("the options are sound").query();
		assert_eq!(query(&[]), [("order", "key".to_owned())]);
		assert_eq!(query(&["--prefix", "a"])[1], ("prefix", "a".to_owned()));
		assert_eq!(
			query(&["--since", "1970-01-02", "--until", "1970-01-03T00:00:00Z"]),
			[("order", "newest"), ("since", "86400000"), ("until", "172800000")]
				.map(|(name, value)| (name, value.to_owned()))
		);
		for other in ["--newest", "--since=2026-01-01", "--until=2026-01-01"] {
			assert!(list(&["--prefix", "a", other]).is_err(), "{other}");
			assert!(list(&["--dangling", other]).is_err(), "{other}");
		}
		assert!(list(&["--since", "yesterday"]).is_err());
	}

	#[tokio::test]
	async fn options_of_the_index_name_themselves_where_there_is_none() {
		let context = Context::with_index(None);
		for option in ["--newest", "--prefix=a", "--since=2026-01-01", "--until=2026-01-01"] {
			let list = list(&[option]).expect("the options are sound");
			let error = list.run(&context).await.expect_err("none is named").to_string();
			let (name, _) = option.split_once('=').unwrap_or((option, ""));
			assert!(error.starts_with(&format!("fabric record list {name} reads the ")), "{error}");
		}
	}

	#[tokio::test]
	async fn records_of_an_index_are_those_of_the_collection() {
		let record = |collection: &str| {
			let object = content_fabric_identifiers::ContentObjectId([2; 10]);
			format!(
				r#"{{"tenant":"{TENANT}","collection":"{collection}","key":"serde",
				    "object":"{object}","version":null,"createdAt":1000,"updatedAt":2000,"deposit":"1"}}"#
			)
		};
		let answers = |collection| vec![status(), page(9, &[record(collection)], Some("next"))];
		let server = Server::start(answers("names"));
		let context = Context::with_index(Some(&server));
		let newest = list(&["--newest", "--limit", "1"]).expect("the options are sound");
		let records = newest.run(&context).await.expect("the index answers");
		assert_eq!((records.seen.block, records.records.len(), records.more), (9, 1, true));
		assert_eq!(
			server.targets()[1],
			format!("/v1/tenants/{TENANT}/collections/names/records?order=newest&limit=1")
		);

		let context = Context::with_index(Some(&Server::start(answers("others"))));
		let list = list(&["--limit", "1"]).expect("the options are sound");
		let error = list.run(&context).await.expect_err("it is another collection").to_string();
		assert!(error.ends_with("a record of a collection that was not asked for"), "{error}");
	}
}
