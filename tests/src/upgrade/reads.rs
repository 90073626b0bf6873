// SPDX-License-Identifier: Apache-2.0
//! Reads of the chain, before and after the upgrade.

use std::collections::BTreeMap;

use content_fabric_client::ids;
use content_fabric_identifiers::TenantId;
use subxt::{
	client::OnlineClient,
	dynamic::{self, Value},
	ext::scale_value::Composite,
	utils::H256,
	SubstrateConfig,
};
use tokio::task::block_in_place;

use super::{Upgrade, SUDO};
use crate::{
	manifest::{checksums, synthetic, CRATES_IO},
	process::fabric_json,
	published::tenant,
	validators::account,
};

impl Upgrade {
	/// Reads what was made before the upgrade with the client.
	pub(super) fn read_with_the_client(&self) {
		let read = |arguments: &[&str]| block_in_place(|| fabric_json(&self.url, arguments));
		let (space, tenant) = (ids::space("cargo").to_string(), tenant().to_string());
		for (id, kind) in [(&space, "space"), (&tenant, "tenant")] {
			let shown = read(&["show", id]);
			assert_eq!((&shown[0]["kind"], &shown[0]["id"]), (&kind.into(), &id.as_str().into()));
		}
		let tree = read(&["tree", &tenant]);
		let tree = &tree["tenants"][0];
		let packages = checksums(&synthetic(self.faults.packages()), CRATES_IO);
		let objects = tree["content_objects"].as_array().expect("a list").len();
		assert_eq!(objects, packages.len());
		let shown = read(&["account", &account(SUDO).to_string()]);
		assert_eq!(shown["governs"], serde_json::json!([space]));
		self.print("the client reads everything that was made before the upgrade");
	}
}

/// Reads all events, and the row of a tenant, at each block.
///
/// The state after a block has the metadata of the runtime that makes the next one. Its events come
/// from the runtime that made it.
pub(super) async fn read_all(url: &str, blocks: &BTreeMap<u64, H256>, tenant: TenantId) {
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
		let key = (Value::from_bytes(tenant.0),);
		let row = at.storage().try_fetch(&rows, key).await.expect("the map is known");
		if let Some(row) = row {
			row.decode().expect("the row decodes");
		}
	}
}
