// SPDX-License-Identifier: Apache-2.0
//! Versions and records, call by call: operators, heads, batches and signatures.

use content_fabric_client::{
	chain::{calls, FabricEvent},
	ids,
};
use content_fabric_identifiers::{
	ContentObjectId, Muid, NodeId, RecordKeySyntax, RecordKeyType, VersionId,
};
use content_fabric_primitives::{wrap_payload, ContentRef, DraftVersion, MemberId, TenantLevel};
use content_fabric_tests::{
	client::{commit_versions, create_tenant, VersionCommit},
	fabric::{draft, Fabric},
	process::{fabric_event, fabric_json},
	raw::counts_of,
};

const A: VersionId = VersionId([10; 32]);
const B: VersionId = VersionId([11; 32]);
const C: VersionId = VersionId([12; 32]);
const D: VersionId = VersionId([13; 32]);
/// An object that does not exist.
const MISSING: ContentObjectId = ContentObjectId([7; 10]);

/// Returns the number of events of this name that a transaction deposited.
macro_rules! count {
	($included:expr, $event:ident) => {
		$included
			.fabric_events()
			.filter(|event| matches!(event, FabricEvent::$event { .. }))
			.count()
	};
}

/// Returns the head of the fabric's object.
async fn head(fabric: &Fabric) -> Option<VersionId> {
	let object = fabric.raw.object(fabric.tenant, fabric.object).await;
	object.and_then(|object| object.head_version)
}

/// Commits a version of the fabric's object, which is to become its head.
async fn commit(fabric: &Fabric, node: NodeId, version: VersionId) {
	let commit = fabric.commit(node, &[draft(fabric.object, version)]).await;
	fabric.submit(&fabric.dave, fabric.signed(&fabric.charlie, &commit)).await;
}

/// Finalizes a version of the fabric's object. Returns whether it became the head.
async fn finalizing_moves_head(fabric: &Fabric, node: NodeId, version: VersionId) -> bool {
	let finalize = fabric.finalize(node, [(fabric.object, version)]);
	let included = fabric.submit(&fabric.dave, finalize).await;
	let head_moved = head(fabric).await == Some(version);
	let (tenant, object) = (fabric.tenant, fabric.object);
	let provider = fabric.provider;
	let held = FabricEvent::CopyHeld { tenant, object, version, provider, node };
	let finalized = FabricEvent::VersionFinalized { tenant, object, version, head_moved };
	assert_eq!(included.fabric_events().collect::<Vec<_>>(), [&held, &finalized]);
	head_moved
}

#[tokio::test]
async fn the_operator_of_a_node_acts_for_its_node_alone() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(dir.path(), 0).await;
	let Fabric { bob, charlie, dave, eve, provider, object, .. } = &fabric;
	let [daves, eves] = ["dave", "eve"].map(|name| ids::node(*provider, name));
	for (node, operator) in [(daves, dave), (eves, eve)] {
		fabric.submit(bob, fabric.create_node(node, operator)).await;
	}
	let confirm = |node| calls::ConfirmNode { provider: *provider, node };
	fabric.assert_refused(dave, confirm(eves), "NoPermission").await;
	for (node, operator) in [(daves, dave), (eves, eve)] {
		fabric.submit(operator, confirm(node)).await;
	}

	let commit = fabric.commit(daves, &[draft(*object, A)]).await;
	let commit = fabric.signed(charlie, &commit);
	fabric.assert_refused(eve, commit.clone(), "NoPermission").await;
	fabric.submit(dave, commit).await;
	let finalize = |node| fabric.finalize(node, [(*object, A)]);
	fabric.assert_refused(eve, finalize(daves), "NoPermission").await;
	fabric.assert_refused(eve, finalize(eves), "CopyNotFound").await;

	// It does not manage nodes, not even its own.
	let (provider, operator) = (*provider, *dave.account());
	let keep = calls::SetNodeOperator { provider, node: daves, operator };
	fabric.assert_refused(dave, keep, "NoPermission").await;
	let create = fabric.create_node(ids::node(provider, "other"), dave);
	fabric.assert_refused(dave, create, "NoPermission").await;

	// A node that is given to another operator leaves the former one no authority.
	let (id, node, address) = (provider.to_string(), daves.to_string(), eve.account().to_string());
	let hand_over = ["node", "set-operator", &id, &node, &address, "--signer", "//Bob", "--yes"];
	let handed_over = fabric_event(fabric.url(), &hand_over, "NodeOperatorSet");
	assert_eq!(handed_over["operator"], address);
	let row = fabric.raw.node(provider, daves).await.expect("the node exists");
	assert_eq!(row.operator, eve.account().0);
	fabric.assert_refused(dave, finalize(daves), "NoPermission").await;
	fabric.submit(eve, finalize(daves)).await;
	assert_eq!(head(&fabric).await, Some(A));
}

#[tokio::test]
async fn a_late_finalization_does_not_turn_the_head_back() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(dir.path(), 0).await;
	let Fabric { charlie, dave, tenant, object, .. } = &fabric;
	let node = fabric.add_node("node", dave).await;
	for version in [A, B] {
		commit(&fabric, node, version).await;
	}
	assert!(finalizing_moves_head(&fabric, node, B).await);
	assert!(!finalizing_moves_head(&fabric, node, A).await);
	assert_eq!(head(&fabric).await, Some(B));

	// The tenant sets the head back. A commit that the provider held back until then does not undo
	// that.
	let held_back = fabric.commit(node, &[draft(*object, C)]).await;
	let held_back = fabric.signed(charlie, &held_back);
	let set_head = calls::SetHeadVersion { tenant: *tenant, object: *object, version: Some(A) };
	fabric.submit(charlie, set_head).await;
	fabric.submit(dave, held_back).await;
	assert!(!finalizing_moves_head(&fabric, node, C).await);
	assert_eq!(head(&fabric).await, Some(A));

	commit(&fabric, node, D).await;
	assert!(finalizing_moves_head(&fabric, node, D).await);
}

#[tokio::test]
async fn a_version_listed_twice_is_refused_and_changes_nothing() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(dir.path(), 0).await;
	let Fabric { charlie, dave, object, .. } = &fabric;
	let node = fabric.add_node("node", dave).await;
	let again = DraftVersion { size: 1, ..draft(*object, A) };
	for list in [
		&[draft(*object, A), draft(*object, B), again][..],
		// The first of them would create the object.
		&[draft(MISSING, A), draft(MISSING, A)],
	] {
		let commit = fabric.commit(node, list).await;
		let commit = fabric.signed(charlie, &commit);
		fabric.assert_refused(dave, commit, "VersionAlreadyExists").await;
	}
	// The same version of two objects is two versions, and a new object named twice is one.
	let list = [draft(*object, A), draft(MISSING, A), draft(MISSING, B)];
	let commit = fabric.commit(node, &list).await;
	let included = fabric.submit(dave, fabric.signed(charlie, &commit)).await;
	assert_eq!(count!(included, ContentObjectCreated), 1);
	assert_eq!(count!(included, VersionCommitted), 3);
	assert_eq!(counts_of(&fabric.tenant_row().await), [0, 1, 2, 3, 0, 0]);

	let twice = fabric.finalize(node, [(*object, A), (MISSING, A), (*object, A)]);
	fabric.assert_refused(dave, twice, "CopyAlreadyHeld").await;
	let once = fabric.finalize(node, [(*object, A), (MISSING, A), (MISSING, B)]);
	let included = fabric.submit(dave, once).await;
	assert_eq!(count!(included, VersionFinalized), 3);
}

#[tokio::test]
async fn a_bad_item_in_the_middle_of_a_batch_gives_the_error_and_nothing_changes() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(dir.path(), 0).await;
	let Fabric { client, charlie, dave, tenant, object, .. } = &fabric;
	let node = fabric.add_node("node", dave).await;
	let (tenant, names) = (*tenant, || b"names".to_vec());
	let create = calls::CreateCollection {
		tenant,
		name: names(),
		key_type: RecordKeyType::Any,
		syntax: RecordKeySyntax::Unreserved,
	};
	fabric.submit(charlie, create).await;

	let good = ContentRef { object: *object, version: None };
	let put = |key, target| {
		let records = [(Some("first"), good), (key, target), (Some("last"), good)];
		let records = records.map(|(key, target)| (key.map(|key| key.as_bytes().to_vec()), target));
		calls::PutRecords { tenant, collection: names(), records: records.to_vec() }
	};
	let delete = |keys: &[&str]| {
		let keys = keys.iter().map(|key| key.as_bytes().to_vec()).collect();
		calls::DeleteRecords { tenant, collection: names(), keys }
	};
	for (key, target, error) in [
		(Some("a:b"), good, "InvalidRecordKey"),
		(None, good, "RecordKeyRequired"),
		(Some("middle"), ContentRef { object: MISSING, ..good }, "ContentObjectNotFound"),
		(Some("middle"), ContentRef { version: Some(A), ..good }, "VersionNotFound"),
	] {
		fabric.assert_refused(charlie, put(key, target), error).await;
	}
	// A key that is given twice is put twice.
	let included = fabric.submit(charlie, put(Some("first"), good)).await;
	assert_eq!(count!(included, RecordPut), 3);
	assert_eq!(counts_of(&fabric.tenant_row().await), [0, 1, 1, 0, 1, 2]);
	let missing = delete(&["first", "middle", "last"]);
	fabric.assert_refused(charlie, missing, "RecordNotFound").await;

	let drafts = [draft(*object, A), draft(MISSING, B), draft(*object, C)];
	let commit = fabric.commit(node, &drafts).await;
	let commit = VersionCommit { create_objects: false, ..commit };
	let commit = fabric.signed(charlie, &commit);
	fabric.assert_refused(dave, commit, "ContentObjectNotFound").await;
	let commit = fabric.commit(node, &[draft(*object, A), draft(*object, C)]).await;
	fabric.submit(dave, fabric.signed(charlie, &commit)).await;
	let finalize = fabric.finalize(node, [(*object, A), (*object, B), (*object, C)]);
	fabric.assert_refused(dave, finalize, "VersionNotFound").await;

	let nothing = fabric.commit(node, &[]).await;
	let no_records = calls::PutRecords { tenant, collection: names(), records: Vec::new() };
	let empty = [
		(dave, client.encode(fabric.signed(charlie, &nothing))),
		(dave, client.encode(fabric.finalize(node, []))),
		(charlie, client.encode(no_records)),
		(charlie, client.encode(delete(&[]))),
	];
	fabric.assert_each_refused(empty, "EmptyBatch").await;
}

#[tokio::test]
async fn a_signed_commit_works_once_and_only_as_it_was_signed() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(dir.path(), 0).await;
	let Fabric { charlie, dave, eve, tenant, object, .. } = &fabric;
	let node = fabric.add_node("node", dave).await;
	let commit = fabric.commit(node, &[draft(*object, A)]).await;
	let call = fabric.signed(charlie, &commit);
	fabric.submit(dave, call.clone()).await;
	fabric.assert_refused(dave, call.clone(), "MuidNotMonotonic").await;
	let delete = calls::DeleteVersion { tenant: *tenant, object: *object, version: A };
	fabric.submit(charlie, delete).await;
	fabric.assert_refused(dave, call, "MuidNotMonotonic").await;

	let commit = fabric.commit(node, &[draft(*object, B)]).await;
	let altered = VersionCommit { create_objects: false, ..commit.clone() };
	let altered = commit_versions(charlie, &altered, charlie.sign(&fabric.payload(&commit)));
	fabric.assert_refused(dave, altered, "InvalidSignature").await;
	let stolen = fabric.signed(eve, &commit);
	fabric.assert_refused(dave, stolen, "SignerNotPermitted").await;
	let elsewhere = charlie.sign(&commit.payload([0; 32]));
	let elsewhere = commit_versions(charlie, &commit, elsewhere);
	fabric.assert_refused(dave, elsewhere, "InvalidSignature").await;
	for (muid, error) in [
		(commit.muid.with_offset(1), "InvalidMuidOffset"),
		(Muid::from_u128(commit.muid.to_u128() ^ (1 << 32)), "MedallionMismatch"),
	] {
		let commit = VersionCommit { muid, ..commit.clone() };
		fabric.assert_refused(dave, fabric.signed(charlie, &commit), error).await;
	}
	// Wallets wrap what they sign.
	let wrapped = charlie.sign(&wrap_payload(&fabric.payload(&commit)));
	fabric.submit(dave, commit_versions(charlie, &commit, wrapped)).await;
}

#[tokio::test]
async fn an_unused_commit_ends_with_the_key_of_its_signer_and_with_its_tenant() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(dir.path(), 0).await;
	let Fabric { client, charlie, dave, eve, tenant, object, .. } = &fabric;
	let node = fabric.add_node("node", dave).await;
	let set_key = |level| calls::SetTenantKey { id: *tenant, account: *eve.account(), level };

	fabric.submit(charlie, set_key(Some(TenantLevel::Content))).await;
	let unused = fabric.signed(eve, &fabric.commit(node, &[draft(*object, A)]).await);
	for level in [None, Some(TenantLevel::Content)] {
		fabric.submit(charlie, set_key(level)).await;
	}
	fabric.assert_refused(dave, unused, "MuidBeforeGrant").await;
	// A commit that is signed after the block of the grant is accepted in the next one.
	fabric.submit(dave, fabric.signed(eve, &fabric.commit(node, &[draft(*object, A)]).await)).await;

	let unused = fabric.signed(charlie, &fabric.commit(node, &[draft(*object, B)]).await);
	fabric.delete_tenant().await;
	fabric.submit(dave, calls::Reap { member: MemberId::from(*tenant), limit: 100 }).await;
	fabric.assert_refused(dave, unused.clone(), "TenantNotFound").await;
	let again =
		[client.encode(create_tenant(fabric.space, *tenant)), client.encode(fabric.add_kms())];
	fabric.submit(charlie, client.batch(again)).await;
	fabric.assert_refused(dave, unused, "MuidBeforeGrant").await;
	fabric
		.submit(dave, fabric.signed(charlie, &fabric.commit(node, &[draft(*object, B)]).await))
		.await;
}

/// The commands add and remove a copy, and show who holds a version, who was asked, and that it is
/// lost.
#[tokio::test]
async fn a_version_has_copies_at_the_nodes_that_its_tenant_asks() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(dir.path(), 0).await;
	let Fabric { bob, dave, eve, provider, tenant, object, .. } = &fabric;
	let node = fabric.add_node("node", dave).await;
	let mirror = fabric.add_node("mirror", eve).await;
	commit(&fabric, node, A).await;
	let ids = [tenant.to_string(), object.to_string(), A.to_string(), provider.to_string()];
	let [tenant, object_id, version, provider_id] = &ids;
	let change = |verb, node: NodeId, key, counted| {
		let node = node.to_string();
		let of_node = ["--provider", provider_id, "--node", &node, "--signer", key, "--yes"];
		let arguments = [&["copies", verb, tenant, object_id, version][..], &of_node].concat();
		let report = fabric_json(fabric.url(), &arguments);
		assert_eq!((&report[counted], &report["versions"]), (&1.into(), &1.into()), "{report}");
	};
	let shown = || {
		let shown = fabric_json(fabric.url(), &["show", version])[0].clone();
		let copies = shown["copies"].as_array().expect("a list");
		let states = copies.iter().map(|copy| {
			let held = !copy["held"].is_null();
			(copy["node"].clone(), held, copy["present"] == true)
		});
		(states.collect::<Vec<_>>(), shown["lost"] == true)
	};
	let [first, second] = [node, mirror].map(|node| serde_json::json!(node));
	change("add", mirror, "//Charlie", "copies_added");
	let asked = vec![(first.clone(), false, true), (second.clone(), false, true)];
	assert_eq!(shown(), (asked, false));
	fabric.submit(eve, fabric.finalize(mirror, [(*object, A)])).await;
	assert_eq!(head(&fabric).await, Some(A));
	let held = vec![(first, false, true), (second.clone(), true, true)];
	assert_eq!(shown(), (held, false));
	// The operator removes the copy of its node, and the tenant the last one that is held.
	change("remove", node, "//Dave", "copies_removed");
	fabric.submit(bob, calls::RemoveNode { provider: *provider, node: mirror }).await;
	assert_eq!(shown(), (vec![(second, true, false)], true));
	change("remove", mirror, "//Charlie", "copies_removed");
	assert_eq!(shown(), (vec![], true));
}
