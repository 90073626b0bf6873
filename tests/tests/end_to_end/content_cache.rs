// SPDX-License-Identifier: Apache-2.0
//! Uploads and reads through a caching proxy, which may keep versions and nothing else.

use content_fabric_tests::{caching::CachingProxy, process::fabric_json};

use super::{
	content::{content, path, tree},
	put_and_get::World,
};

#[tokio::test]
async fn uploads_resume_through_a_caching_proxy_which_keeps_versions_alone() {
	let mut world = World::start().await;
	let proxy = CachingProxy::start(&world.store().address);
	world.locate(world.node, &format!("http://{}", proxy.address)).await;
	world.store.as_mut().expect("it runs").address = proxy.address.clone();
	let bytes = content(1, 3_000_000);
	let (version, upload) = (path(&bytes), format!("{}/upload", path(&bytes)));
	// Somebody has asked before the version is there.
	let ask_all = |status: u16| {
		for (method, path) in [("GET", &version), ("HEAD", &version), ("GET", &upload)] {
			world.store().wait(method, path, status);
		}
	};
	ask_all(404);
	world.file("site/file", &bytes);
	// The upload goes on twice, each time from where it was cut.
	proxy.cut(&[1_000_000, 1_000_000]);
	world.put("site");
	assert_eq!((proxy.cuts(), proxy.hits()), (0, 0));
	ask_all(200);
	assert_eq!(proxy.hits(), 0);
	let answer = world.store().ask("GET", &version, &[], &[]).expect(200);
	assert!(answer.body == bytes);
	assert_eq!(proxy.hits(), 1);
	let state = world.store().ask("GET", &upload, &[], &[]).expect(200).json();
	assert_eq!((&state["complete"], &state["arrived"]), (&true.into(), &"3000000".into()));
	assert_eq!(proxy.hits(), 1, "the state of an upload is kept");
	let (tenant, back) = (world.tenant("site").to_string(), world.path("back"));
	fabric_json(world.url(), &["get", &tenant, "-o", &back]);
	assert!(tree(back.as_ref()) == tree(world.path("site").as_ref()));
}
