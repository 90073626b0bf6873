// SPDX-License-Identifier: Apache-2.0
//! Permissions over JSON-RPC: every call by root, by each account with a role in a fabric, by a
//! stranger, and without a signature.

mod table;

use std::{collections::BTreeSet, time::Duration};

use content_fabric_client::chain::{
	calls::{self, Call, EncodedCall},
	Snapshot,
};
use content_fabric_tests::{
	client::{signer, Remark},
	fabric::Fabric,
	raw, wait,
};
use scale_encode::EncodeAsType;
use subxt::{
	ext::codec::Encode,
	rpcs::{rpc_params, RpcClient},
};
use table::{
	account, freeze, governance_delete, revoke_admission, row, suspend, Parts, Row, GOVERNANCE,
	GOVERNOR, NOMINEE, PROVIDER_ROOT, ROOT, SENDERS, STRANGER, TENANT_ROOT,
};

/// Longest wait until a purged member has no rows.
const PATIENCE: Duration = Duration::from_secs(60);
/// Beginnings of the errors of calls for a suspended member.
const SUSPENDED: &[&str] =
	&["ContentFabric.ProviderSuspended: ", "ContentFabric.TenantSuspended: "];

/// A batch that continues after a failed call.
#[derive(EncodeAsType)]
struct ForceBatch {
	calls: Vec<EncodedCall>,
}

impl Call for ForceBatch {
	const PALLET: &'static str = "Utility";
	const NAME: &'static str = "force_batch";
}

impl Row {
	/// Returns how the error may begin with which the calls fail, unless the sender may make them.
	fn errors(&self, sender: &str) -> Option<&'static [&'static str]> {
		match self.allowed {
			allowed if allowed.contains(&sender) => {
				// Everybody may create members. Governance acts for them whatever their state is.
				let is_free = GOVERNANCE.contains(&sender) || *allowed == SENDERS[1..];
				(self.suspended && !is_free).then_some(SUSPENDED)
			},
			allowed if sender == ROOT || allowed.contains(&ROOT) => Some(&["Bad origin"]),
			[NOMINEE] => Some(&["ContentFabric.NotNominated: "]),
			// The state of a member is checked before the level of an account.
			_ if self.suspended => Some(SUSPENDED),
			_ => Some(&["ContentFabric.NoPermission: "]),
		}
	}
}

/// Returns whether an error is one of those that are expected.
fn fits(error: &str, expected: &[&str]) -> bool {
	expected.iter().any(|begin| error.starts_with(*begin))
}

/// Dry-runs every call as every sender. It must succeed for those in its row, and fail with the
/// row's error for all others.
async fn dry_run_all(Fabric { client, .. }: &Fabric, at: &Snapshot, rows: &[Row]) {
	for sender in SENDERS {
		for row in rows {
			for call in &row.calls {
				let run = match sender {
					ROOT => {
						let sudo = client.encode(calls::Sudo { call: call.clone() });
						at.rehearse(&account(STRANGER), &sudo).await
					},
					_ => at.rehearse(&account(sender), call).await,
				};
				let error = run.expect("the node tries it").error;
				let context = format!("{} by {sender}: {error:?}", call.name());
				match (row.errors(sender), error) {
					(None, None) => {},
					(Some(expected), Some(error)) => assert!(fits(&error, expected), "{context}"),
					_ => panic!("{context}"),
				}
			}
		}
	}
}

/// Submits every call signed by each sender that may not make it. Each must fail with its row's
/// error, and the storage of the pallet must stay as it is.
async fn submit_refused(Fabric { client, raw, alice, .. }: &Fabric, rows: &[Row]) {
	let before = raw.state().await;
	for sender in SENDERS {
		let refused = rows.iter().filter_map(|row| Some((row.errors(sender)?, &row.calls)));
		let refused: Vec<_> = refused
			.flat_map(|(errors, calls)| calls.iter().map(move |call| (errors, call)))
			.collect();
		if refused.is_empty() {
			continue;
		}
		let batch = ForceBatch { calls: refused.iter().map(|(_, call)| (*call).clone()).collect() };
		let included = match sender {
			ROOT => client.submit(alice, client.sudo(batch)).await,
			_ => client.submit(&signer(sender), batch).await,
		};
		let items = included.events.iter().filter(|event| event.name.starts_with("Item"));
		let items: Vec<_> = items.collect();
		assert_eq!(items.len(), refused.len(), "{sender}");
		for (item, (errors, call)) in items.into_iter().zip(refused) {
			let context = format!("{} by {sender}: {item}", call.name());
			assert!(fits(item.text("error"), errors), "{context}");
		}
	}
	assert_eq!(raw.state().await, before);
}

/// Submits every call without a signature. The node must reject each.
async fn submit_unsigned(fabric: &Fabric, rows: &[Row]) {
	let rpc = RpcClient::from_insecure_url(fabric.url()).await.expect("the node answers");
	for call in rows.iter().flat_map(|row| &row.calls) {
		// Version 4 without the bit for a signature, and version 5 with extensions: the version of
		// their list, no end of validity, nonce 0, no tip, and no hash of the metadata.
		for (format, error) in [
			(&[0x04][..], "Unknown Transaction Validity"),
			(&[0x45, 0, 0, 0, 0, 0], "Invalid Transaction"),
		] {
			let transaction = [format, call.bytes()].concat().encode();
			let transaction = rpc_params![format!("0x{}", hex::encode(transaction))];
			let answer = rpc.request::<String>("author_submitExtrinsic", transaction).await;
			let refused = answer.expect_err("nobody signed it").to_string();
			assert!(refused.contains(error), "{}: {refused}", call.name());
		}
	}
}

#[tokio::test]
async fn each_call_accepts_the_senders_in_the_table_and_no_others() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let parts = Parts::start(dir.path()).await;
	let Parts { fabric, provider, tenant, .. } = &parts;
	let Fabric { client, raw, bob, charlie, dave, space, .. } = fabric;
	let (governor, members) = (signer(GOVERNOR), [*provider, *tenant]);
	let mut tried = parts.open().await;
	dry_run_all(fabric, &client.best().await, &tried).await;
	submit_refused(fabric, &tried).await;

	let suspend_all = |enabled| client.batch(members.map(|it| client.encode(suspend(it, enabled))));
	fabric.submit(&governor, suspend_all(true)).await;
	tried.iter_mut().for_each(|row| row.suspended = true);
	dry_run_all(fabric, &client.best().await, &tried).await;
	submit_refused(fabric, &tried).await;
	fabric.submit(&governor, suspend_all(false)).await;

	let freeze_all = |enabled| client.batch(members.map(|it| client.encode(freeze(it, enabled))));
	fabric.submit(&governor, freeze_all(true)).await;
	let frozen = [parts.frozen()];
	dry_run_all(fabric, &client.best().await, &frozen).await;
	submit_refused(fabric, &frozen).await;
	fabric.submit(&governor, freeze_all(false)).await;
	tried.extend(frozen);

	for (root, (member, _)) in [(bob, *provider), (charlie, *tenant)] {
		let included = fabric.submit(root, calls::PurgeMember { member }).await;
		// Dry runs only, as the next block removes rows.
		let at = client.chain.at(included.block_hash).await.expect("the node has the block");
		let purged = [row![client, SENDERS[1..], calls::Reap { member, limit: 1 }]];
		dry_run_all(fabric, &at, &purged).await;
		let is_empty = async || {
			fabric.submit(dave, Remark { remark: Vec::new() }).await;
			raw::count(&raw.rows(member).await) == 0
		};
		wait::until(PATIENCE, "there are rows left", is_empty).await;
		tried.extend(purged);
	}
	let empty = [
		row![client, [PROVIDER_ROOT], calls::DeleteMember { member: provider.0 }],
		row![client, [TENANT_ROOT], calls::DeleteMember { member: tenant.0 }],
	];
	dry_run_all(fabric, &client.best().await, &empty).await;
	submit_refused(fabric, &empty).await;
	tried.extend(empty);

	let [delete_provider, delete_tenant] = members.map(|it| client.encode(governance_delete(it)));
	let rest = [delete_provider, delete_tenant, client.encode(revoke_admission(*space))];
	fabric.submit(&governor, client.batch(rest)).await;
	let abandoned = [row![client, GOVERNANCE, calls::DeleteSpace { space: *space }]];
	dry_run_all(fabric, &client.best().await, &abandoned).await;
	submit_refused(fabric, &abandoned).await;
	tried.extend(abandoned);

	submit_unsigned(fabric, &tried).await;
	let tried = tried.iter().flat_map(|row| &row.calls).map(EncodedCall::name);
	let at = client.best().await;
	let pallet = at.metadata().pallet_by_name("ContentFabric").expect("the runtime has the pallet");
	let calls = pallet.call_variants().expect("the pallet has calls");
	let calls = calls.iter().map(|call| format!("ContentFabric.{}", call.name));
	assert_eq!(tried.collect::<BTreeSet<_>>(), calls.collect());
}
