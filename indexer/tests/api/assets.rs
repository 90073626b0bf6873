// SPDX-License-Identifier: Apache-2.0
//! The explorer.

use crate::{http::request, server::Server};

const GZIP: [(&str, &str); 1] = [("Accept-Encoding", "br, gzip")];

#[tokio::test]
async fn the_page_of_the_explorer_is_served_for_all_its_paths() {
	let server = Server::full().await;
	let page = server.get("/").await;
	assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
	for path in ["/spaces", "/index.html", "/tenants/iten/collections/names/records/serde:1.0.2"] {
		assert_eq!(server.get(path).await.body, page.body, "{path}");
	}
	let policy = page.header("content-security-policy");
	assert!(policy.starts_with("default-src 'none'; script-src 'self'; "), "{policy}");
	assert!(policy.ends_with("frame-ancestors 'none'"), "{policy}");
	assert_eq!(page.header("referrer-policy"), "no-referrer");
	assert_eq!(page.header("x-content-type-options"), "nosniff");
	assert_eq!(page.header("cache-control"), "no-cache");
	let tag = page.header("etag").to_owned();
	for (name, value, status) in [
		("If-None-Match", tag.clone(), 304),
		("If-None-Match", format!("\"x\", W/{tag}"), 304),
		("If-None-Match", "*".into(), 304),
		("If-None-Match", "\"x\"".into(), 200),
		("If-Match", tag.clone(), 200),
		("If-Match", "\"x\"".into(), 412),
	] {
		let answer = request(server.address, "GET", "/", &[(name, &value)]).await;
		assert_eq!(
			(answer.status, answer.body.is_empty()),
			(status, status != 200),
			"{name} {value}"
		);
		let cached = if status == 412 { "no-store" } else { "no-cache" };
		assert_eq!(answer.header("cache-control"), cached, "{name} {value}");
	}
	let head = request(server.address, "HEAD", "/", &[]).await;
	assert_eq!((head.status, head.body.len()), (200, 0));
	assert_eq!(head.header("content-length"), page.body.len().to_string());
}

#[tokio::test]
async fn files_are_compressed_for_those_who_take_it() {
	let server = Server::full().await;
	let plain = server.get("/").await;
	assert_eq!(plain.header("content-encoding"), "");
	let compressed = request(server.address, "GET", "/", &GZIP).await;
	if !plain.headers.contains_key("vary") {
		// This program has no compressed files.
		assert_eq!(compressed.body, plain.body);
		return;
	}
	assert_eq!(compressed.header("content-encoding"), "gzip");
	assert_eq!(compressed.header("content-type"), "text/html; charset=utf-8");
	assert!(compressed.body.starts_with(&[0x1f, 0x8b]));
	assert_ne!(compressed.header("etag"), plain.header("etag"));
	let refused = [("Accept-Encoding", "gzip;q=0, *;q=0.5")];
	assert_eq!(request(server.address, "GET", "/", &refused).await.body, plain.body);

	let page = String::from_utf8_lossy(&plain.body).into_owned();
	let script = page.split('"').find(|part| part.ends_with(".js")).expect("it has a script");
	let script = request(server.address, "GET", script, &GZIP).await;
	assert_eq!(script.header("cache-control"), "public, max-age=31536000, immutable");
	assert_eq!(script.header("content-type"), "text/javascript; charset=utf-8");
}
