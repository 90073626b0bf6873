// SPDX-License-Identifier: Apache-2.0
//! Reads of the chain, before and after the upgrade.

use std::collections::BTreeMap;

use content_fabric_identifiers::{TenantId, VersionId};
use subxt::{
	client::OnlineClient,
	dynamic::{self, Value},
	ext::scale_value::Composite,
	utils::H256,
	SubstrateConfig,
};
use tokio::task::block_in_place;

use super::{Earlier, Upgrade, OWNER, PACKAGES};
use crate::{
	lockfile::{checksums, synthetic, CRATES_IO},
	process::fabric_json,
	validators::account,
};

impl Upgrade {
	/// Reads what was made before the upgrade with the present client.
	pub(super) fn read_with_the_client(&self) {
		let Earlier { space, provider, tenant, .. } = self.fabric;
		let read = |arguments: &[&str]| block_in_place(|| fabric_json(&self.url, arguments));
		let owner = account(OWNER).to_string();
		for (id, kind) in [
			(space.to_string(), "space"),
			(provider.to_string(), "provider"),
			(tenant.to_string(), "tenant"),
		] {
			let shown = read(&["show", &id]);
			assert_eq!((&shown[0]["kind"], &shown[0]["id"]), (&kind.into(), &id.into()));
		}
		let tree = read(&["tree", &tenant.to_string()]);
		let tree = &tree["tenants"][0];
		assert_eq!(tree["root"], owner);
		let packages = checksums(&synthetic(PACKAGES.0), CRATES_IO);
		let objects = tree["content_objects"].as_array().expect("a list").len();
		assert_eq!(objects, packages.len());
		assert_eq!(tree["collections"][0]["record_count"], packages.len());

		let shown = read(&["account", &owner]);
		assert_eq!(shown["governs"], serde_json::json!([space.to_string()]));
		// The version that was finalized last is the head.
		for (name, checksums) in packages.iter().take(3) {
			let resolved = read(&["resolve", &tenant.to_string(), self.fabric.collection(), name]);
			let head = checksums.last().expect("every package has a version");
			assert_eq!(resolved["version"], VersionId(*head).to_string(), "{name}");
		}
		self.print("the client reads everything that was made before the upgrade");
	}
}

/// Reads all events, and the row of a tenant, at each block. The row has the fields of version 1
/// before one of these blocks, and those of version 2 from the other one on. Between them, the
/// metadata is ahead of the rows that have yet to be migrated.
///
/// The state after a block has the metadata of the runtime that makes the next one. Its events are
/// those of the runtime that made it.
pub(super) async fn read_all(
	url: &str,
	blocks: &BTreeMap<u64, H256>,
	tenant: TenantId,
	(last_old, migrated): (u64, u64),
) {
	let client = OnlineClient::<SubstrateConfig>::from_insecure_url(url).await;
	let client = client.expect("the node answers");
	let rows = dynamic::storage::<(Value,), Value>("ContentFabric", "Tenants");
	let mut before = None;
	for (number, block) in blocks {
		let at = client.at_block(*block).await.expect("the node has the state of the block");
		let events = at.events().fetch().await.expect("every block has events");
		let maker = before.replace(at.clone()).unwrap_or_else(|| at.clone());
		for event in maker.events().from_bytes(events.bytes().to_vec()).iter() {
			let event = event.expect("events are of known types");
			let fields = event.decode_fields_unchecked_as::<Composite<()>>();
			fields.unwrap_or_else(|error| panic!("an event of block {number}: {error}"));
		}
		if (last_old..migrated).contains(number) {
			continue;
		}
		let key = (Value::from_bytes(tenant.0),);
		let row = at.storage().try_fetch(&rows, key).await.expect("the map is known");
		let Some(row) = row else {
			assert!(*number < last_old, "the tenant is there at the upgrade");
			continue;
		};
		let row = row.decode().expect("the row decodes").to_string();
		assert_eq!(row.contains("depositor"), *number < last_old, "block {number}: {row}");
		assert_eq!(row.contains("max_held"), *number >= migrated, "block {number}: {row}");
	}
}
