// SPDX-License-Identifier: Apache-2.0
//! Members: their roots, what is on hold for them, motions against them, and how they leave.

use std::collections::BTreeMap;

use content_fabric_client::{chain::calls, ids};
use content_fabric_identifiers::{ContentObjectId, Muid, VersionId};
use content_fabric_primitives::{MemberId, TenantLevel};
use content_fabric_tests::{
	api,
	client::{create_tenant, rules, BOND, MAX_HELD},
	council::{Council, TWO_OF_THREE},
	fabric::{draft, Fabric},
	process::{event_of, fabric_event, fabric_json},
	raw::{count, PROVIDER_BOND, STORAGE_DEPOSIT, TENANT_BOND},
};

/// Objects that do not exist.
const FIRST: ContentObjectId = ContentObjectId([7; 10]);
const SECOND: ContentObjectId = ContentObjectId([8; 10]);

/// The reason that governance gives.
const REASON: &[u8] = b"spam";

#[tokio::test]
async fn a_new_root_accepts_and_the_former_root_pays_nothing_after() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(dir.path(), BOND).await;
	let Fabric { client, raw, charlie, dave, eve, tenant, .. } = &fabric;
	let member = MemberId::from(*tenant);
	let keys = [(dave, TenantLevel::Admin), (eve, TenantLevel::Content)];
	let keys = keys.map(|(key, level)| {
		let (account, level) = (*key.account(), Some(level));
		client.encode(calls::SetTenantKey { id: *tenant, account, level })
	});
	fabric.submit(charlie, client.batch(keys)).await;
	let before = fabric.tenant_row().await;
	assert_eq!(raw.holds(charlie.account()).await, before.holds(TENANT_BOND));

	// A nomination alone moves nothing.
	let (id, address) = (tenant.to_string(), dave.account().to_string());
	let nominate = ["member", "nominate", &id, &address, "--signer", "//Charlie", "--yes"];
	let nominated = fabric_event(fabric.url(), &nominate, "RootNominated");
	assert_eq!(
		(&nominated["member"], &nominated["nominee"]),
		(&id.as_str().into(), &address.as_str().into())
	);
	assert_eq!(fabric.tenant_row().await.root, charlie.account().0);
	assert_eq!(raw.holds(charlie.account()).await, before.holds(TENANT_BOND));
	assert_eq!(raw.holds(dave.account()).await, BTreeMap::new());
	let accept = |max_held| calls::AcceptRoot { member, max_held };
	fabric.assert_refused(eve, accept(MAX_HELD), "NotNominated").await;
	fabric.assert_refused(dave, accept(BOND), "HeldLimitExceeded").await;

	let max_held = MAX_HELD.to_string();
	let accept = ["member", "accept", &id, "--max-held", &max_held, "--signer", "//Dave", "--yes"];
	let accepted = fabric_event(fabric.url(), &accept, "RootSet");
	let former = charlie.account().to_string();
	assert_eq!((&accepted["root"], &accepted["previous"]), (&address.into(), &former.into()));
	assert_eq!(fabric.tenant_row().await.max_held, MAX_HELD);
	let after = fabric.tenant_row().await;
	assert_eq!((after.root, after.nomination), (dave.account().0, None));
	// The new root's own access key is gone, as no root has one.
	assert_eq!((before.rows[0], after.rows[0]), (2, 1));
	assert_eq!(after.bond, before.bond);
	assert_eq!(raw.holds(charlie.account()).await, BTreeMap::new());
	assert_eq!(raw.holds(dave.account()).await, fabric.tenant_row().await.holds(TENANT_BOND));
	for (account, level) in [(charlie, None), (dave, Some(3)), (eve, Some(0))] {
		assert_eq!(api::tenant_level(raw, *tenant, account.account()).await, level);
	}

	// The new root pays, whoever adds rows.
	let create = |object| calls::CreateContentObject { tenant: *tenant, object };
	fabric.submit(eve, create(FIRST)).await;
	fabric.assert_refused(charlie, create(SECOND), "NoPermission").await;
	fabric.assert_refused(charlie, calls::PurgeMember { member }, "NoPermission").await;
	let later = fabric.tenant_row().await;
	assert!(later.deposit > after.deposit);
	assert_eq!(raw.holds(charlie.account()).await, BTreeMap::new());
	assert_eq!(raw.holds(dave.account()).await, later.holds(TENANT_BOND));
}

#[tokio::test]
async fn no_more_is_held_than_the_root_agreed_to_whoever_signs() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(dir.path(), BOND).await;
	let Fabric { client, raw, alice, charlie, dave, tenant, .. } = &fabric;
	let member = MemberId::from(*tenant);
	let (account, level) = (*dave.account(), Some(TenantLevel::Admin));
	fabric.submit(charlie, calls::SetTenantKey { id: *tenant, account, level }).await;
	let node = fabric.add_node("node", dave).await;

	let row = fabric.tenant_row().await;
	let held = row.bond + row.own_deposit + row.deposit;
	let object = api::content_objects(raw, *tenant, None, 1).await.items[0].1.deposit;
	let id = tenant.to_string();
	let set_max_held = |amount: u128| {
		let amount = amount.to_string();
		let set = ["member", "set-max-held", &id, &amount, "--signer", "//Charlie", "--yes"];
		let set = fabric_event(fabric.url(), &set, "MaxHeldSet");
		assert_eq!((&set["member"], &set["max_held"]), (&id.as_str().into(), &amount.into()));
	};
	set_max_held(held + object);
	let create = |object| calls::CreateContentObject { tenant: *tenant, object };
	fabric.submit(dave, create(FIRST)).await;

	// Every call that would hold more is refused, even if the root signs it.
	let commit = fabric.commit(node, &[draft(FIRST, VersionId([1; 32]))]).await;
	let set = |amount| calls::SetMaxHeld { member, amount };
	let holding_more = [
		(dave, client.encode(create(SECOND))),
		(dave, client.encode(fabric.signed(dave, &commit))),
		(charlie, client.encode(create(SECOND))),
		(charlie, client.encode(calls::TopUpBond { member, amount: 1 })),
		// The limit cannot be less than what is on hold already.
		(charlie, client.encode(set(held + object - 1))),
	];
	fabric.assert_each_refused(holding_more, "HeldLimitExceeded").await;
	fabric.assert_refused(dave, set(MAX_HELD), "NoPermission").await;
	assert_eq!(raw.holds(charlie.account()).await, fabric.tenant_row().await.holds(TENANT_BOND));
	set_max_held(MAX_HELD);
	fabric.submit(dave, create(SECOND)).await;

	// A governor who raises the bond ahead of a creation gets no more than the account agreed to.
	let (space, rules) = (fabric.space, rules(MAX_HELD + 1));
	fabric.submit(alice, calls::SetSpaceRules { space, rules }).await;
	let create = create_tenant(space, ids::tenant(space, "other"));
	fabric.assert_refused(dave, create, "HeldLimitExceeded").await;
	assert_eq!(raw.holds(dave.account()).await, BTreeMap::new());
}

#[tokio::test]
async fn a_member_cannot_withdraw_its_bond_while_a_motion_is_open() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(dir.path(), BOND).await;
	let Fabric { client, raw, alice, bob, provider, .. } = &fabric;
	let council = Council::new(client, TWO_OF_THREE);
	// The provider has no rows, so nothing but time stands between its root and the bond.
	let (id, member) = (provider.to_string(), MemberId::from(*provider));
	let created = Muid::from_bytes(fabric.provider_row().await.created);
	let (amount, reason) = (BOND / 4, REASON.to_vec());
	let motion = council.propose(calls::Slash { member, created, amount, reason }).await;

	let leave = || calls::DeleteMember { member };
	fabric.assert_refused(bob, leave(), "UnbondingPeriodNotOver").await;
	let batch = client.batch([client.encode(leave())]);
	fabric.assert_refused(bob, batch, "UnbondingPeriodNotOver").await;
	let suspend = ["governance", "suspend", &id, "--reason", "a motion is open", "--yes"];
	let suspended = fabric_event(fabric.url(), &suspend, "Suspended");
	assert_eq!(suspended["enabled"], true);
	assert_eq!(suspended["reason"], "a motion is open");
	assert!(fabric.provider_row().await.suspended);
	let node = ids::node(*provider, "node");
	let create_node = fabric.create_node(node, bob);
	fabric.assert_refused(bob, leave(), "ProviderSuspended").await;
	fabric.assert_refused(bob, create_node, "ProviderSuspended").await;
	let freeze = |enabled| {
		let reason = REASON.to_vec();
		calls::SetGovernanceDelete { member, created, enabled, reason }
	};
	fabric.submit(alice, freeze(true)).await;
	fabric.assert_refused(bob, leave(), "ProviderFrozen").await;
	assert_eq!(raw.holds(bob.account()).await[&PROVIDER_BOND], BOND);

	council.carry(&motion).await.expect("the member can be slashed");
	let slashed = fabric.provider_row().await;
	assert_eq!(slashed.bond, BOND - BOND / 4);
	assert_eq!(raw.holds(bob.account()).await, slashed.holds(PROVIDER_BOND));

	fabric.submit(alice, freeze(false)).await;
	let resume = ["governance", "resume", &id, "--reason", "the motion was carried"];
	assert_eq!(fabric_event(fabric.url(), &resume, "Suspended")["enabled"], false);
	let resumed = fabric.provider_row().await;
	assert_eq!((resumed.suspended, resumed.governance_delete), (false, false));
	fabric.assert_refused(bob, leave(), "UnbondingPeriodNotOver").await;
}

#[tokio::test]
async fn a_motion_does_not_hit_the_next_owner_of_an_id() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(dir.path(), BOND).await;
	let Fabric { client, raw, alice, eve, tenant, .. } = &fabric;
	let council = Council::new(client, TWO_OF_THREE);
	let (id, member) = (tenant.to_string(), MemberId::from(*tenant));
	let created = Muid::from_bytes(fabric.tenant_row().await.created);
	let late = || calls::GovernanceDelete { member, created, slash: BOND, reason: REASON.to_vec() };
	let motion = council.propose(late()).await;

	// While the council votes, the governor deletes the tenant, and Eve takes its id.
	fabric_json(fabric.url(), &["governance", "purge", &id, "--reason", "spam", "--yes"]);
	assert_eq!(raw.tenant(*tenant).await, None);
	fabric.submit(eve, create_tenant(fabric.space, *tenant)).await;
	assert_ne!(fabric.tenant_row().await.created, created.to_bytes());

	let before = raw.state().await;
	let late_motion = council.carry(&motion).await.expect_err("the id has another owner");
	assert!(late_motion.is_fabric("IncarnationMismatch"), "{late_motion}");
	assert_eq!(raw.state().await, before);
	let suspend = calls::SetSuspended { member, created, enabled: true, reason: REASON.to_vec() };
	let late = [(alice, client.encode(late())), (alice, client.encode(suspend))];
	fabric.assert_each_refused(late, "IncarnationMismatch").await;
	assert_eq!(raw.holds(eve.account()).await, fabric.tenant_row().await.holds(TENANT_BOND));
}

#[tokio::test]
async fn a_member_of_several_thousand_rows_is_purged_with_one_call_and_leaves() {
	/// As many versions as a commit may have, each of an object of its own.
	const VERSIONS: u16 = 500;
	const COMMITS: u16 = 4;
	let dir = tempfile::tempdir().expect("there is room for a folder");
	// Where no bond is required, nobody has to wait for it.
	let fabric = Fabric::start(dir.path(), 0).await;
	let Fabric { raw, bob, charlie, tenant, .. } = &fabric;
	let (id, member) = (tenant.to_string(), MemberId::from(*tenant));
	fabric.assert_refused(charlie, calls::DeleteMember { member }, "TenantNotEmpty").await;
	fabric.assert_refused(bob, calls::PurgeMember { member }, "NoPermission").await;
	let node = fabric.add_node("node", bob).await;
	for commit in 0..COMMITS {
		let drafts: Vec<_> = (0..VERSIONS)
			.map(|number| {
				let object = ids::content_object(*tenant, &format!("{commit}/{number}"));
				draft(object, VersionId([1; 32]))
			})
			.collect();
		let commit = fabric.commit(node, &drafts).await;
		fabric.submit(bob, fabric.signed(charlie, &commit)).await;
	}
	let before = fabric.tenant_row().await;
	let versions = u32::from(COMMITS * VERSIONS);
	// A KMS and an object were there before.
	assert_eq!(before.rows, [0, 1, versions + 1, versions, 0, 0]);
	let rows = before.rows.iter().sum::<u32>();

	let purge = ["member", "purge", &id, "--signer", "//Charlie", "--yes"];
	let purged = fabric_json(fabric.url(), &purge);
	assert_eq!((&purged["kind"], &purged["id"]), (&"tenant".into(), &id.as_str().into()));
	assert_eq!(purged["rows"], rows);
	assert_eq!(event_of(&purged["submitted"], "PurgeStarted")["rows"], rows);
	assert_eq!(count(&raw.rows(*tenant).await), 0);
	// The tenant stays, empty and open.
	let after = fabric.tenant_row().await;
	assert_eq!((after.rows, after.deposit, after.purge), ([0; 6], 0, None));
	assert_eq!((after.created, after.own_deposit), (before.created, before.own_deposit));
	assert!(after.empty_since.is_some());
	let own = BTreeMap::from([(STORAGE_DEPOSIT, after.own_deposit)]);
	assert_eq!(raw.holds(charlie.account()).await, own);
	fabric.assert_refused(charlie, calls::PurgeMember { member }, "NothingToPurge").await;

	let leave = ["member", "leave", &id, "--signer", "//Charlie", "--yes"];
	let left = fabric_event(fabric.url(), &leave, "MemberDeleted");
	assert_eq!(left["created"], Muid::from_bytes(before.created).to_string());
	assert_eq!(raw.tenant(*tenant).await, None);
	assert_eq!(raw.holds(charlie.account()).await, BTreeMap::new());
}
