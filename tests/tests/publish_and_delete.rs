//! The main job: this workspace's own lock file on a running chain, and the tenancy deleted by
//! governance.

use std::collections::BTreeSet;

use content_fabric_client::{
	calls,
	chain::{Account, Chain},
	ids, storage,
};
use content_fabric_identifiers::{ContentObjectId, SpaceId, TenantId};
use content_fabric_tests::{
	lockfile::{checksums, CRATES_IO},
	process::{fabric, fabric_error, fabric_json, Node},
	raw::{storage_key, Raw},
};

const LOCKFILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../Cargo.lock");

#[tokio::test]
async fn a_lock_file_is_published_and_its_tenancy_deleted() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let node = Node::start(dir.path(), &[]);
	let text = std::fs::read_to_string(LOCKFILE).expect("the workspace has a lock file");
	let expected = checksums(&text, CRATES_IO);
	let versions: usize = expected.values().map(Vec::len).sum();
	assert!(versions > 1_000, "this workspace has many dependencies");

	let published = fabric_json(&node.url, &["publish", LOCKFILE]);
	let registry = &published["registries"][0];
	assert_eq!(published["registries"].as_array().map(Vec::len), Some(1));
	assert_eq!(registry["source"], CRATES_IO);
	for (field, count) in [
		("packages", expected.len()),
		("versions", versions),
		("created", expected.len()),
		("committed", versions),
		("finalized", versions),
	] {
		assert_eq!(registry[field], count, "{field}");
	}
	let skipped = published["skipped"].as_array().expect("a list");
	assert_eq!(skipped.len(), text.matches("name = ").count() - versions);
	assert!(skipped.iter().all(|package| package["reason"].as_str().is_some()));

	let space = ids::space("cargo");
	let tenant = ids::tenant(space, CRATES_IO);
	assert_eq!(registry["tenant"], tenant.to_string());
	holds_exactly(&node, tenant, &expected).await;

	// The same again adds nothing and says so.
	let again = fabric(&node.url, &["publish", LOCKFILE]);
	let again = String::from_utf8(again.stdout).expect("results are text");
	assert!(again.contains("nothing to add: all of it was published before"), "{again}");
	let again = fabric_json(&node.url, &["publish", LOCKFILE]);
	assert_eq!(again["transactions"], 0);

	let totals = &fabric_json(&node.url, &["tree"])["totals"];
	assert_eq!(totals["content_objects"], expected.len());
	assert_eq!(totals["heads"], expected.len());
	assert_eq!(totals["versions"], versions);

	delete(&node, space, tenant, 1 + expected.len() + versions).await;
}

/// That the chain holds these objects and versions under the tenant and no others, by the client
/// library and by raw keys.
async fn holds_exactly(
	node: &Node,
	tenant: TenantId,
	expected: &std::collections::BTreeMap<String, Vec<[u8; 32]>>,
) {
	let at = Chain::connect(&node.url).await.expect("the node answers").best().await;
	let at = at.expect("there is a best block");

	let objects = at.rows(&storage::content_objects(), (tenant.0,)).await.expect("rows");
	let rows: BTreeSet<_> =
		at.rows(&storage::versions(), (tenant.0,)).await.expect("rows").into_iter().collect_keys();
	let expected_objects: BTreeSet<_> =
		expected.keys().map(|name| ids::content_object(tenant, name).0).collect();
	let expected_rows: BTreeSet<_> = expected
		.iter()
		.flat_map(|(name, checksums)| {
			let object = ids::content_object(tenant, name).0;
			checksums.iter().map(move |checksum| (tenant.0, object, *checksum))
		})
		.collect();
	assert_eq!(
		objects.iter().map(|((_, object), _)| *object).collect::<BTreeSet<_>>(),
		expected_objects
	);
	assert_eq!(rows, expected_rows);
	for ((_, object), info) in &objects {
		let head = info.head_version.expect("every object has a head");
		assert!(rows.contains(&(tenant.0, *object, head)), "the head is one of the versions");
	}

	let raw = Raw::connect(&node.url).await;
	let [kmses, object_keys, version_keys] = raw.tenant_keys(tenant).await;
	assert_eq!(kmses.len(), 1);
	let expected_keys = expected_objects
		.iter()
		.map(|object| storage_key("ContentObjects", &[&tenant.0, object]))
		.collect();
	assert_eq!(object_keys, expected_keys);
	let expected_keys = expected_rows
		.iter()
		.map(|(tenant, object, version)| storage_key("Versions", &[tenant, object, version]))
		.collect();
	assert_eq!(version_keys, expected_keys);

	// The view function that says what a deletion takes, asked as any client can.
	let client = subxt::OnlineClient::<subxt::SubstrateConfig>::from_insecure_url(&node.url).await;
	let at = client.expect("the node answers").at_current_block().await.expect("a block");
	let view = at
		.metadata_ref()
		.pallet_by_name("ContentFabric")
		.and_then(|pallet| pallet.view_function_by_name("rows"))
		.map(|view| *view.query_id())
		.expect("the metadata names the view function");
	let rows_under = raw.view_function(&view, (1u8, tenant.0)).await;
	let count = u32::try_from(1 + expected_objects.len() + expected_rows.len()).expect("few rows");
	assert_eq!(rows_under, [&[1], &count.to_le_bytes()[..]].concat());
}

trait CollectKeys<Key> {
	fn collect_keys(self) -> BTreeSet<Key>;
}

impl<Key: Ord, Value, I: Iterator<Item = (Key, Value)>> CollectKeys<Key> for I {
	fn collect_keys(self) -> BTreeSet<Key> {
		self.map(|(key, _)| key).collect()
	}
}

/// Has governance delete the tenant, beside one whose id differs in the last byte.
async fn delete(node: &Node, space: SpaceId, tenant: TenantId, rows: usize) {
	let chain = Chain::connect(&node.url).await.expect("the node answers");
	let raw = Raw::connect(&node.url).await;
	let dave: Account = "//Dave".parse().expect("a development key");
	let mut neighbour = tenant;
	neighbour.0[9] ^= 1;
	let kms = ids::kms(neighbour, "kms");
	for call in [
		calls::create_tenant(space, neighbour),
		calls::add_kms(neighbour, kms, "https://127.0.0.1/"),
		calls::create_content_object(neighbour, ContentObjectId([7; 10])),
	] {
		chain.submit(&dave, call).await.expect("Dave has funds");
	}
	let beside = raw.tenant_keys(neighbour).await;
	assert_eq!(beside.each_ref().map(BTreeSet::len), [1, 1, 0]);

	// Not by a stranger, and not over the limit.
	let id = tenant.to_string();
	let refused = fabric_error(&node.url, &["delete-tenant", &id, "--governor", "//Eve"]);
	assert!(refused.contains("governance_delete_tenant failed: Bad origin"), "{refused}");
	let governor: Account = "//Alice".parse().expect("a development key");
	let too_few = calls::governance_delete_tenant(tenant, rows as u32 - 1);
	let refused = chain.submit(&governor, too_few).await.map(drop);
	let refused = refused.expect_err("there is one row more").to_string();
	assert!(refused.contains("ContentFabric.TooManyRows"), "{refused}");
	assert_eq!(raw.tenant_keys(tenant).await.iter().map(BTreeSet::len).sum::<usize>(), rows);

	let deleted = fabric_json(&node.url, &["delete-tenant", &id]);
	assert_eq!(deleted["rows"], rows);
	assert_eq!(raw.tenant_keys(tenant).await.map(|keys| keys.len()), [0, 0, 0]);
	assert_eq!(raw.keys(&storage_key("Tenants", &[&tenant.0])).await.len(), 0);
	assert_eq!(raw.tenant_keys(neighbour).await, beside);
	let unknown = fabric_error(&node.url, &["delete-tenant", &id]);
	assert!(unknown.contains("there is no tenant"), "{unknown}");

	// The id can be used again, by anyone.
	chain.submit(&dave, calls::create_tenant(space, tenant)).await.expect("the id is free");
	let shown = fabric_json(&node.url, &["show", &id]);
	assert_eq!(shown[0]["rows"], 0);
}
