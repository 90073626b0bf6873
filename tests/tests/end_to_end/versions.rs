//! Versions and records, call by call: operators, heads, batches, signatures, and dry runs.

use content_fabric_client::{
	calls::{self, VersionCommit},
	ids,
	storage::{ContentRef, Syntax},
};
use content_fabric_identifiers::{ContentObjectId, Muid, NodeId, RecordKeyType, VersionId};
use content_fabric_primitives::{wrap_payload, DraftVersion};
use content_fabric_tests::{
	api,
	fabric::{create_content_object, delete_version, draft, fields, Fabric},
	process::fabric_json,
};

const A: VersionId = VersionId([10; 32]);
const B: VersionId = VersionId([11; 32]);
const C: VersionId = VersionId([12; 32]);
const D: VersionId = VersionId([13; 32]);
/// An object that does not exist.
const MISSING: ContentObjectId = ContentObjectId([7; 10]);

/// Returns the head of the fabric's object.
async fn head(fabric: &Fabric) -> Option<VersionId> {
	let objects = api::content_objects(&fabric.raw, fabric.tenant, None, 10).await;
	let object = objects.items.iter().find(|(object, _)| *object == fabric.object.0);
	object.and_then(|(_, info)| info.head).map(VersionId)
}

/// Commits a version of the fabric's object, which is to become its head.
async fn commit(fabric: &Fabric, node: NodeId, version: VersionId) {
	let commit = fabric.commit(node, &[draft(fabric.object, version)]).await;
	fabric.submit(&fabric.dave, fabric.signed(&fabric.charlie, &commit)).await;
}

/// Finalizes a version of the fabric's object. Returns whether it became the head.
async fn finalizing_moves_head(fabric: &Fabric, node: NodeId, version: VersionId) -> bool {
	let finalize = fabric.finalize(node, &[(fabric.object, version)]);
	let events = fabric.submit(&fabric.dave, finalize).await;
	let (tenant, object) = (fabric.tenant.0, fabric.object.0);
	let event = |moved: bool| [&tenant[..], &object, &version.0, &[moved.into()]].concat();
	let finalized = fields(&events, "VersionFinalized");
	let moved = head(fabric).await == Some(version);
	assert_eq!(finalized, [event(moved)]);
	moved
}

#[tokio::test]
async fn the_operator_of_a_node_acts_for_its_node_alone() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(dir.path(), 0).await;
	let Fabric { bob, charlie, dave, eve, provider, object, .. } = &fabric;
	let [daves, eves] = ["dave", "eve"].map(|name| ids::node(*provider, name));
	for (node, operator) in [(daves, dave), (eves, eve)] {
		let create = calls::create_node(*provider, node, &operator.id, "/ip4/127.0.0.1");
		fabric.submit(bob, create).await;
	}
	let confirm = |node| calls::confirm_node(*provider, node);
	fabric.assert_refused(dave, confirm(eves), "NoPermission").await;
	for (node, operator) in [(daves, dave), (eves, eve)] {
		fabric.submit(operator, confirm(node)).await;
	}

	let commit = fabric.commit(daves, &[draft(*object, A)]).await;
	let commit = fabric.signed(charlie, &commit);
	fabric.assert_refused(eve, commit.clone(), "NoPermission").await;
	fabric.submit(dave, commit).await;
	let finalize = |node| fabric.finalize(node, &[(*object, A)]);
	fabric.assert_refused(eve, finalize(daves), "NoPermission").await;
	fabric.assert_refused(eve, finalize(eves), "OriginatorMismatch").await;

	// It does not manage nodes, not even its own.
	let keep = calls::set_node_operator(*provider, daves, &dave.id);
	fabric.assert_refused(dave, keep, "NoPermission").await;
	let other = ids::node(*provider, "other");
	let create = calls::create_node(*provider, other, &dave.id, "/ip4/127.0.0.1");
	fabric.assert_refused(dave, create, "NoPermission").await;

	// A node that is given to another operator leaves the former one no authority.
	let (provider_id, node_id) = (provider.to_string(), daves.to_string());
	let address = eve.id.to_string();
	let hand_over = ["set-operator", &provider_id, &node_id, &address, "--signer", "//Bob"];
	assert_eq!(fabric_json(fabric.url(), &hand_over)["operator"], address);
	let row = fabric.raw.node(*provider, daves).await.expect("the node exists");
	assert_eq!(row.operator, eve.id.0);
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
	fabric.submit(charlie, calls::set_head_version(*tenant, *object, A)).await;
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
	let events = fabric.submit(dave, fabric.signed(charlie, &commit)).await;
	assert_eq!(fields(&events, "ContentObjectCreated").len(), 1);
	assert_eq!(fields(&events, "VersionCommitted").len(), 3);
	assert_eq!(fabric.tenant_row().await.rows, [0, 1, 2, 3, 0, 0]);

	let twice = fabric.finalize(node, &[(*object, A), (MISSING, A), (*object, A)]);
	fabric.assert_refused(dave, twice, "VersionAlreadyFinalized").await;
	let once = fabric.finalize(node, &[(*object, A), (MISSING, A), (MISSING, B)]);
	let events = fabric.submit(dave, once).await;
	assert_eq!(fields(&events, "VersionFinalized").len(), 3);
}

#[tokio::test]
async fn a_bad_item_in_the_middle_of_a_batch_gives_the_error_and_nothing_changes() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(dir.path(), 0).await;
	let Fabric { charlie, dave, tenant, object, .. } = &fabric;
	let node = fabric.add_node("node", dave).await;
	let any = RecordKeyType::Any;
	let create = calls::create_collection(*tenant, "names", &any, Syntax::Unreserved);
	fabric.submit(charlie, create).await;

	let good = ContentRef { object: object.0, version: None };
	let put = |key, target| {
		let records = [(Some("first"), good), (key, target), (Some("last"), good)];
		calls::put_records(*tenant, "names", records)
	};
	for (key, target, error) in [
		(Some("a:b"), good, "InvalidRecordKey"),
		(None, good, "RecordKeyRequired"),
		(Some("middle"), ContentRef { object: MISSING.0, ..good }, "ContentObjectNotFound"),
		(Some("middle"), ContentRef { version: Some(A.0), ..good }, "VersionNotFound"),
	] {
		fabric.assert_refused(charlie, put(key, target), error).await;
	}
	// A key that is given twice is put twice.
	let events = fabric.submit(charlie, put(Some("first"), good)).await;
	assert_eq!(fields(&events, "RecordPut").len(), 3);
	assert_eq!(fabric.tenant_row().await.rows, [0, 1, 1, 0, 1, 2]);
	let delete = calls::delete_records(*tenant, "names", ["first", "middle", "last"]);
	fabric.assert_refused(charlie, delete, "RecordNotFound").await;

	let drafts = [draft(*object, A), draft(MISSING, B), draft(*object, C)];
	let commit = fabric.commit(node, &drafts).await;
	let commit = VersionCommit { create_objects: false, ..commit };
	let commit = fabric.signed(charlie, &commit);
	fabric.assert_refused(dave, commit, "ContentObjectNotFound").await;
	let commit = fabric.commit(node, &[draft(*object, A), draft(*object, C)]).await;
	fabric.submit(dave, fabric.signed(charlie, &commit)).await;
	let finalize = fabric.finalize(node, &[(*object, A), (*object, B), (*object, C)]);
	fabric.assert_refused(dave, finalize, "VersionNotFound").await;

	let nothing = fabric.commit(node, &[]).await;
	let no_keys: [&str; 0] = [];
	for (signer, call) in [
		(dave, fabric.signed(charlie, &nothing)),
		(dave, fabric.finalize(node, &[])),
		(charlie, calls::put_records(*tenant, "names", [])),
		(charlie, calls::delete_records(*tenant, "names", no_keys)),
	] {
		fabric.assert_refused(signer, call, "EmptyBatch").await;
	}
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
	fabric.assert_refused(dave, call.clone(), "VersionAlreadyExists").await;
	fabric.submit(charlie, delete_version(*tenant, *object, A)).await;
	fabric.assert_refused(dave, call, "MuidNotMonotonic").await;

	let commit = fabric.commit(node, &[draft(*object, B)]).await;
	let genesis_hash = fabric.chain.genesis_hash();
	let signature = charlie.sign(&commit.payload(genesis_hash));
	let altered = VersionCommit { create_objects: false, ..commit.clone() };
	let altered = calls::commit_versions(&charlie.id, &altered, &signature);
	fabric.assert_refused(dave, altered, "InvalidSignature").await;
	let stolen = fabric.signed(eve, &commit);
	fabric.assert_refused(dave, stolen, "SignerNotPermitted").await;
	let elsewhere = charlie.sign(&commit.payload([0; 32]));
	let elsewhere = calls::commit_versions(&charlie.id, &commit, &elsewhere);
	fabric.assert_refused(dave, elsewhere, "InvalidSignature").await;
	for (muid, error) in [
		(commit.muid.with_offset(1), "InvalidMuidOffset"),
		(Muid::from_u128(commit.muid.to_u128() ^ (1 << 32)), "MedallionMismatch"),
	] {
		let commit = VersionCommit { muid, ..commit.clone() };
		fabric.assert_refused(dave, fabric.signed(charlie, &commit), error).await;
	}
	// Wallets wrap what they sign.
	let wrapped = charlie.sign(&wrap_payload(&commit.payload(genesis_hash)));
	fabric.submit(dave, calls::commit_versions(&charlie.id, &commit, &wrapped)).await;
}

#[tokio::test]
async fn a_dry_run_reports_the_outcome_of_a_call_that_nobody_signed() {
	/// The pallet's index in the runtime, and those of some of its errors.
	const NO_PERMISSION: (u8, u8) = (50, 0);
	const TENANT_NOT_EMPTY: (u8, u8) = (50, 19);
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(dir.path(), 0).await;
	let Fabric { raw, charlie, eve, tenant, .. } = &fabric;
	let create = create_content_object(*tenant, MISSING);
	let leave = calls::delete_member((*tenant).into());
	let at = fabric.chain.best().await.expect("there is a best block");
	let before = raw.state().await;
	for (account, call, error) in [
		(charlie, &create, None),
		(eve, &create, Some(NO_PERMISSION)),
		(charlie, &leave, Some(TENANT_NOT_EMPTY)),
	] {
		let encoded = at.encode(call.clone()).expect("the metadata has the call");
		let outcome = api::dry_run(raw, &account.id, &encoded).await;
		assert_eq!(outcome.error, error, "{}", call.name());
		assert!(outcome.ref_time > 0);
	}
	assert_eq!(raw.state().await, before);
	// A call that succeeds in a dry run succeeds when signed.
	fabric.submit(charlie, create).await;
}
