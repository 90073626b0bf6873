// SPDX-License-Identifier: Apache-2.0
//! Members from the command line: their roots, the limit of what is on hold for them, and how they
//! leave.

use std::collections::BTreeMap;

use content_fabric_tests::{
	client::MAX_HELD,
	fabric::Fabric,
	process::{event_of, fabric_event, fabric_json},
	raw::{count, holds_of, TENANT_BOND},
};

#[tokio::test]
async fn a_tenant_gets_a_new_root_which_limits_empties_and_deletes_it() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	// If no bond is required, nobody has to wait for it.
	let fabric = Fabric::start(dir.path(), 0).await;
	let Fabric { raw, charlie, dave, tenant, .. } = &fabric;
	let (url, id) = (fabric.url(), tenant.to_string());
	let (id, [former, new]) = (id.as_str(), [charlie, dave].map(|key| key.account().to_string()));
	let before = fabric.tenant_row().await;

	// A nomination alone moves nothing.
	let nominate = ["member", "nominate", id, &new, "--signer", "//Charlie", "--yes"];
	let nominated = fabric_event(url, &nominate, "RootNominated");
	assert_eq!((&nominated["member"], &nominated["nominee"]), (&id.into(), &new.as_str().into()));
	assert_eq!(fabric.tenant_row().await.root, charlie.account().0);
	assert_eq!(raw.holds(charlie.account()).await, holds_of(&before, TENANT_BOND));
	let max_held = MAX_HELD.to_string();
	let accept = ["member", "accept", id, "--max-held", &max_held, "--signer", "//Dave", "--yes"];
	let accepted = fabric_event(url, &accept, "RootSet");
	assert_eq!((&accepted["root"], &accepted["previous"]), (&new.into(), &former.into()));
	let row = fabric.tenant_row().await;
	assert_eq!((row.root, row.max_held), (dave.account().0, MAX_HELD));
	assert!(row.nomination.is_none());
	assert_eq!(raw.holds(charlie.account()).await, BTreeMap::new());
	assert_eq!(raw.holds(dave.account()).await, holds_of(&row, TENANT_BOND));

	let set = ["member", "set-max-held", id, "1 UNIT", "--signer", "//Dave", "--yes"];
	let set = fabric_event(url, &set, "MaxHeldSet");
	assert_eq!((&set["member"], &set["max_held"]), (&id.into(), &"1000000000000".into()));

	// The KMS and the object.
	let purged = fabric_json(url, &["member", "purge", id, "--signer", "//Dave", "--yes"]);
	assert_eq!((&purged["kind"], &purged["id"]), (&"tenant".into(), &id.into()));
	assert_eq!(purged["rows"], 2);
	assert_eq!(event_of(&purged["submitted"], "PurgeStarted")["rows"], 2);
	assert_eq!(count(&raw.rows(*tenant).await), 0);
	// The tenant stays, empty and open.
	let emptied = fabric.tenant_row().await;
	assert_eq!((emptied.row_count(), emptied.deposit, emptied.purge), (0, 0, None));
	assert_eq!(emptied.created, before.created);

	let leave = ["member", "leave", id, "--signer", "//Dave", "--yes"];
	let left = fabric_event(url, &leave, "MemberDeleted");
	assert_eq!(left["created"], before.created.to_string());
	assert_eq!(raw.tenant(*tenant).await, None);
	assert_eq!(raw.holds(dave.account()).await, BTreeMap::new());
}
