// SPDX-License-Identifier: Apache-2.0
//! URLs of object stores of other machines. The end-to-end tests have a content node with one.
#![cfg(feature = "cloud")]

use content_fabric_content_node::store::Store;

#[tokio::test]
async fn other_urls_are_refused() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	for url in ["", "bucket", "s3:", "memory:///", "file:///tmp", "http://example.com/bucket"] {
		let refused = Store::open(Some(url), dir.path()).await.expect_err("it is refused");
		let expected = format!("the object store '{url}' cannot be used: ");
		assert!(refused.to_string().starts_with(&expected), "{refused}");
	}
}
