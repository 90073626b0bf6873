// SPDX-License-Identifier: Apache-2.0
//! The client's table of calls and commands against the metadata of the chain.

use std::collections::BTreeSet;

use content_fabric_client::{
	chain::{Chain, Endpoint},
	CALLS,
};
use content_fabric_tests::process::Node;

#[tokio::test]
async fn every_call_of_the_pallet_has_a_command() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let node = Node::start(dir.path(), &[]);
	let url = node.url.parse().expect("the node has a URL");
	let endpoint = Endpoint::new(url);
	let chain = Chain::connect(endpoint).await.expect("the node answers");
	let at = chain.best().await.expect("there is a best block");
	let pallet = at.metadata().pallet_by_name("ContentFabric").expect("the runtime has the pallet");
	let calls = pallet.call_variants().expect("the pallet has calls");
	let calls: BTreeSet<_> = calls.iter().map(|call| call.name.as_str()).collect();
	let listed: BTreeSet<_> = CALLS.iter().map(|(call, _)| *call).collect();
	assert_eq!(listed, calls);
}
