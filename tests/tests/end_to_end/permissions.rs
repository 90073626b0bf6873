// SPDX-License-Identifier: Apache-2.0
//! Permissions over JSON-RPC: every call, by root, by every account that has a part in a fabric, by
//! a stranger, and by nobody.

mod table;

use std::{collections::BTreeSet, time::Duration};

use content_fabric_client::chain::calls::{self, Call, EncodedCall};
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
	account, for_all, freeze, governance_delete, revoke_admission, row, Parts, Row, GOVERNANCE,
	GOVERNOR, NOMINEE, PROVIDER_ROOT, ROOT, SENDERS, STRANGER, TENANT_ROOT,
};

/// Longest wait for the deletion of a member's rows, which the blocks after the call bring.
const PATIENCE: Duration = Duration::from_secs(60);

/// Several calls, each of which may fail.
#[derive(EncodeAsType)]
struct ForceBatch {
	calls: Vec<EncodedCall>,
}

impl Call for ForceBatch {
	const PALLET: &'static str = "Utility";
	const NAME: &'static str = "force_batch";
}

impl Row {
	fn allows(&self, sender: &str) -> bool {
		self.allowed.contains(&sender)
	}

	/// Returns the error of those who may not make the calls.
	fn error(&self, sender: &str) -> &'static str {
		match self.allowed {
			_ if sender == ROOT || self.allows(ROOT) => "Bad origin",
			[NOMINEE] => "ContentFabric.NotNominated: ",
			_ => "ContentFabric.NoPermission: ",
		}
	}
}

/// Tries every call as everyone, without a signature. It succeeds for those who may make it, and
/// all others get the error.
async fn try_all(Fabric { client, .. }: &Fabric, rows: &[Row]) {
	let at = client.best().await;
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
				let is_expected = match error {
					None => row.allows(sender),
					Some(error) => !row.allows(sender) && error.starts_with(row.error(sender)),
				};
				assert!(is_expected, "{context}");
			}
		}
	}
}

/// Submits every call, signed by each of those who may not make it. They get the error, and the
/// storage of the pallet stays as it is.
async fn submit_refused(Fabric { client, raw, alice, .. }: &Fabric, rows: &[Row]) {
	let before = raw.state().await;
	for sender in SENDERS {
		let refused = rows.iter().filter(|row| !row.allows(sender));
		let refused: Vec<_> =
			refused.flat_map(|row| row.calls.iter().map(move |call| (row, call))).collect();
		let calls = refused.iter().map(|(_, call)| (*call).clone()).collect();
		let batch = ForceBatch { calls };
		let included = match sender {
			ROOT => client.submit(alice, client.sudo(batch)).await,
			_ => client.submit(&signer(sender), batch).await,
		};
		let items = included.events.iter().filter(|event| event.name.starts_with("Item"));
		let items: Vec<_> = items.collect();
		assert_eq!(items.len(), refused.len(), "{sender}");
		for (item, (row, call)) in items.into_iter().zip(refused) {
			let context = format!("{} by {sender}: {item}", call.name());
			assert!(item.text("error").starts_with(row.error(sender)), "{context}");
		}
	}
	assert_eq!(raw.state().await, before);
}

/// Submits every call without a signature. The node takes none of them.
async fn submit_unsigned(fabric: &Fabric, rows: &[Row]) {
	let rpc = RpcClient::from_insecure_url(fabric.url()).await.expect("the node answers");
	for call in rows.iter().flat_map(|row| &row.calls) {
		// The version of the format, with a bit for a signature that is not set.
		let transaction = [&[4], call.bytes()].concat().encode();
		let transaction = rpc_params![format!("0x{}", hex::encode(transaction))];
		let answer = rpc.request::<String>("author_submitExtrinsic", transaction).await;
		let refused = answer.expect_err("nobody signed it").to_string();
		assert!(refused.contains("Unknown Transaction Validity"), "{}: {refused}", call.name());
	}
}

#[tokio::test]
async fn every_call_is_for_those_in_the_table_and_nobody_else() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let parts = Parts::start(dir.path()).await;
	let Parts { fabric, provider, tenant, .. } = &parts;
	let Fabric { client, raw, bob, charlie, dave, space, .. } = fabric;
	let (governor, members) = (signer(GOVERNOR), [*provider, *tenant]);
	let mut tried = parts.open().await;
	try_all(fabric, &tried).await;
	submit_refused(fabric, &tried).await;

	let freeze_all = |enabled| client.batch(members.map(|it| client.encode(freeze(it, enabled))));
	fabric.submit(&governor, freeze_all(true)).await;
	let frozen = [parts.frozen()];
	try_all(fabric, &frozen).await;
	submit_refused(fabric, &frozen).await;
	fabric.submit(&governor, freeze_all(false)).await;
	tried.extend(frozen);

	for (root, (member, _)) in [(bob, *provider), (charlie, *tenant)] {
		fabric.submit(root, calls::PurgeMember { member }).await;
		// The next blocks remove the rows.
		let purged = [for_all![client, calls::Reap { member, limit: 1 }]];
		try_all(fabric, &purged).await;
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
	try_all(fabric, &empty).await;
	submit_refused(fabric, &empty).await;
	tried.extend(empty);

	let [delete_provider, delete_tenant] = members.map(|it| client.encode(governance_delete(it)));
	let rest = [delete_provider, delete_tenant, client.encode(revoke_admission(*space))];
	fabric.submit(&governor, client.batch(rest)).await;
	let abandoned = [row![client, GOVERNANCE, calls::DeleteSpace { space: *space }]];
	try_all(fabric, &abandoned).await;
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
