//! Members: their roots, what is on hold for them, motions against them, and how they leave.

use std::collections::BTreeMap;

use content_fabric_client::{
	calls::{self, Call},
	ids,
	storage::Level,
};
use content_fabric_identifiers::{ContentObjectId, VersionId};
use content_fabric_primitives::MemberId;
use content_fabric_tests::{
	api,
	council::Council,
	fabric::{create_content_object, draft, rules, Fabric, BOND, MAX_HELD},
	process::fabric_json,
	raw::{count, PROVIDER_BOND, STORAGE_DEPOSIT, TENANT_BOND},
};
use subxt::dynamic::Value;

/// Objects that do not exist.
const FIRST: ContentObjectId = ContentObjectId([7; 10]);
const SECOND: ContentObjectId = ContentObjectId([8; 10]);

/// Makes a call of governance on a member that the client has no command for.
fn govern(
	name: &'static str,
	member: MemberId,
	created: [u8; 16],
	what: (&'static str, Value),
) -> Call {
	let (member, created) = (calls::member_id(member), Value::from_bytes(created));
	let reason = Value::from_bytes("spam");
	Call::fabric(name, vec![("member", member), ("created", created), what, ("reason", reason)])
}

#[tokio::test]
async fn a_new_root_accepts_and_the_former_root_pays_nothing_after() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(dir.path(), BOND).await;
	let Fabric { raw, charlie, dave, eve, tenant, .. } = &fabric;
	let member = MemberId::from(*tenant);
	let keys = [(dave, Level::Admin), (eve, Level::Content)]
		.map(|(key, level)| calls::set_key(member, &key.id, Some(level)));
	fabric.submit(charlie, Call::batch_all(keys)).await;
	let before = fabric.tenant_row().await;
	assert_eq!(raw.holds(&charlie.id).await, before.holds(TENANT_BOND));

	// A nomination alone moves nothing.
	let (id, address) = (tenant.to_string(), dave.id.to_string());
	let nominate = ["nominate-root", &id, &address, "--signer", "//Charlie"];
	assert_eq!(fabric_json(fabric.url(), &nominate)["nominee"], address);
	assert_eq!(fabric.tenant_row().await.root, charlie.id.0);
	assert_eq!(raw.holds(&charlie.id).await, before.holds(TENANT_BOND));
	assert_eq!(raw.holds(&dave.id).await, BTreeMap::new());
	fabric.assert_refused(eve, calls::accept_root(member, MAX_HELD), "NotNominated").await;
	fabric.assert_refused(dave, calls::accept_root(member, BOND), "HeldLimitExceeded").await;

	let max_held = MAX_HELD.to_string();
	let accept = ["accept-root", &id, "--max-held", &max_held, "--signer", "//Dave"];
	let accepted = fabric_json(fabric.url(), &accept);
	assert_eq!((&accepted["root"], &accepted["max_held"]), (&address.into(), &max_held.into()));
	let after = fabric.tenant_row().await;
	assert_eq!((after.root, after.nomination), (dave.id.0, None));
	// The new root's own access key is gone, as no root has one.
	assert_eq!((before.rows[0], after.rows[0]), (2, 1));
	assert_eq!(after.bond, before.bond);
	assert_eq!(raw.holds(&charlie.id).await, BTreeMap::new());
	assert_eq!(raw.holds(&dave.id).await, fabric.tenant_row().await.holds(TENANT_BOND));
	for (account, level) in [(charlie, None), (dave, Some(3)), (eve, Some(0))] {
		assert_eq!(api::tenant_level(raw, *tenant, &account.id).await, level);
	}

	// The new root pays, whoever adds rows.
	let create = |object| create_content_object(*tenant, object);
	fabric.submit(eve, create(FIRST)).await;
	fabric.assert_refused(charlie, create(SECOND), "NoPermission").await;
	fabric.assert_refused(charlie, calls::purge_member(member), "NoPermission").await;
	let later = fabric.tenant_row().await;
	assert!(later.deposit > after.deposit);
	assert_eq!(raw.holds(&charlie.id).await, BTreeMap::new());
	assert_eq!(raw.holds(&dave.id).await, later.holds(TENANT_BOND));
}

#[tokio::test]
async fn no_more_is_held_than_the_root_agreed_to_whoever_signs() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(dir.path(), BOND).await;
	let Fabric { raw, alice, charlie, dave, tenant, .. } = &fabric;
	let member = MemberId::from(*tenant);
	let key = calls::set_key(member, &dave.id, Some(Level::Admin));
	fabric.submit(charlie, key).await;
	let node = fabric.add_node("node", dave).await;

	let row = fabric.tenant_row().await;
	let held = row.bond + row.own_deposit + row.deposit;
	let object = api::content_objects(raw, *tenant, None, 1).await.items[0].1.deposit;
	let id = tenant.to_string();
	let set_max_held = |amount: u128| {
		let amount = amount.to_string();
		fabric_json(fabric.url(), &["set-max-held", &id, &amount, "--signer", "//Charlie"]);
	};
	set_max_held(held + object);
	let create = |object| create_content_object(*tenant, object);
	fabric.submit(dave, create(FIRST)).await;

	// Every call that would hold more is refused, even if the root signs it.
	let commit = fabric.commit(node, &[draft(FIRST, VersionId([1; 32]))]).await;
	for (signer, call) in [
		(dave, create(SECOND)),
		(dave, fabric.signed(dave, &commit)),
		(charlie, create(SECOND)),
		(charlie, calls::top_up_bond(member, 1)),
		// The limit cannot be less than what is on hold already.
		(charlie, calls::set_max_held(member, held + object - 1)),
	] {
		fabric.assert_refused(signer, call, "HeldLimitExceeded").await;
	}
	fabric.assert_refused(dave, calls::set_max_held(member, MAX_HELD), "NoPermission").await;
	assert_eq!(raw.holds(&charlie.id).await, fabric.tenant_row().await.holds(TENANT_BOND));
	set_max_held(MAX_HELD);
	fabric.submit(dave, create(SECOND)).await;

	// A governor who raises the bond ahead of a creation gets no more than the account agreed to.
	let rules = rules(MAX_HELD + 1);
	fabric.submit(alice, calls::set_space_rules(fabric.space, &rules)).await;
	let other = ids::tenant(fabric.space, "other").into();
	let create = calls::create_member(fabric.space, other, MAX_HELD);
	fabric.assert_refused(dave, create, "HeldLimitExceeded").await;
	assert_eq!(raw.holds(&dave.id).await, BTreeMap::new());
}

#[tokio::test]
async fn a_member_cannot_withdraw_its_bond_while_a_motion_is_open() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(dir.path(), BOND).await;
	let council = Council::connect(fabric.url()).await;
	let Fabric { raw, alice, bob, provider, .. } = &fabric;
	// The provider has no rows, so nothing but time stands between its root and the bond.
	let (id, member) = (provider.to_string(), MemberId::from(*provider));
	let created = fabric.provider_row().await.created;
	let amount = ("amount", Value::u128(BOND / 4));
	let motion = council.propose(govern("slash", member, created, amount)).await;

	let leave = || calls::delete_member(member);
	fabric.assert_refused(bob, leave(), "UnbondingPeriodNotOver").await;
	let batch = Call::batch_all([leave()]);
	fabric.assert_refused(bob, batch, "UnbondingPeriodNotOver").await;
	let suspend = ["suspend", &id, "--reason", "a motion to slash is open"];
	assert_eq!(fabric_json(fabric.url(), &suspend)["suspended"], true);
	assert!(fabric.provider_row().await.suspended);
	let node = ids::node(*provider, "node");
	let create_node = calls::create_node(*provider, node, &bob.id, "/ip4/127.0.0.1");
	fabric.assert_refused(bob, leave(), "ProviderSuspended").await;
	fabric.assert_refused(bob, create_node, "ProviderSuspended").await;
	let freeze = |enabled| {
		let enabled = ("enabled", Value::bool(enabled));
		govern("set_governance_delete", member, created, enabled)
	};
	fabric.submit(alice, freeze(true)).await;
	fabric.assert_refused(bob, leave(), "ProviderFrozen").await;
	assert_eq!(raw.holds(&bob.id).await[&PROVIDER_BOND], BOND);

	assert_eq!(council.carry(&motion).await, Ok(()));
	let slashed = fabric.provider_row().await;
	assert_eq!(slashed.bond, BOND - BOND / 4);
	assert_eq!(raw.holds(&bob.id).await, slashed.holds(PROVIDER_BOND));

	fabric.submit(alice, freeze(false)).await;
	fabric_json(fabric.url(), &["resume", &id, "--reason", "the motion was carried"]);
	let resumed = fabric.provider_row().await;
	assert_eq!((resumed.suspended, resumed.governance_delete), (false, false));
	fabric.assert_refused(bob, leave(), "UnbondingPeriodNotOver").await;
}

#[tokio::test]
async fn a_motion_does_not_hit_the_next_owner_of_an_id() {
	/// The pallet's index in the runtime, and that of `IncarnationMismatch` among its errors.
	const INCARNATION_MISMATCH: (u8, u8) = (50, 23);
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(dir.path(), BOND).await;
	let council = Council::connect(fabric.url()).await;
	let Fabric { raw, alice, eve, tenant, .. } = &fabric;
	let (id, member) = (tenant.to_string(), MemberId::from(*tenant));
	let created = fabric.tenant_row().await.created;
	let late = || calls::governance_delete(member, created, BOND, "spam");
	let motion = council.propose(late()).await;

	// While the council votes, the governor deletes the tenant, and Eve takes its id.
	fabric_json(fabric.url(), &["delete-tenant", &id, "--reason", "spam"]);
	assert_eq!(raw.tenant(*tenant).await, None);
	fabric.submit(eve, calls::create_member(fabric.space, member, MAX_HELD)).await;
	assert_ne!(fabric.tenant_row().await.created, created);

	let before = raw.state().await;
	assert_eq!(council.carry(&motion).await, Err(INCARNATION_MISMATCH));
	assert_eq!(raw.state().await, before);
	let suspend = calls::set_suspended(member, created, true, "spam");
	for call in [late(), suspend] {
		fabric.assert_refused(alice, call, "IncarnationMismatch").await;
	}
	assert_eq!(raw.holds(&eve.id).await, fabric.tenant_row().await.holds(TENANT_BOND));
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
	fabric.assert_refused(charlie, calls::delete_member(member), "TenantNotEmpty").await;
	fabric.assert_refused(bob, calls::purge_member(member), "NoPermission").await;
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

	let purged = fabric_json(fabric.url(), &["purge", &id, "--signer", "//Charlie"]);
	assert_eq!((&purged["kind"], &purged["id"]), (&"tenant".into(), &id.as_str().into()));
	assert_eq!(purged["rows"], rows);
	assert_eq!(count(&raw.rows(*tenant).await), 0);
	// The tenant stays, empty and open.
	let after = fabric.tenant_row().await;
	assert_eq!((after.rows, after.deposit, after.purge), ([0; 6], 0, None));
	assert_eq!((after.created, after.own_deposit), (before.created, before.own_deposit));
	assert!(after.empty_since.is_some());
	let own = BTreeMap::from([(STORAGE_DEPOSIT, after.own_deposit)]);
	assert_eq!(raw.holds(&charlie.id).await, own);
	fabric.assert_refused(charlie, calls::purge_member(member), "NothingToPurge").await;

	let left = fabric_json(fabric.url(), &["leave", &id, "--signer", "//Charlie"]);
	assert_eq!(left["released"], after.own_deposit.to_string());
	assert_eq!(raw.tenant(*tenant).await, None);
	assert_eq!(raw.holds(&charlie.id).await, BTreeMap::new());
}
