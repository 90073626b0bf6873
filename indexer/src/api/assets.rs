// SPDX-License-Identifier: Apache-2.0
//! The explorer: files that are part of the program.

use axum::{
	body::Body,
	http::{header, HeaderMap, HeaderName, HeaderValue, Method, Request},
	response::{IntoResponse, Response},
};
use content_fabric_http_server::{conditional::precondition, decode};
use rust_embed::RustEmbed;

use super::error::{Error, Kind, Result};

#[derive(RustEmbed)]
#[folder = "assets"]
struct Assets;

/// The page that all paths of the explorer begin with.
const INDEX: &str = "index.html";
/// The folder of files whose names change with their content.
const HASHED: &str = "assets/";
/// The policy of the explorer: it loads nothing from elsewhere but bytes of versions, and the keys of
/// their files, from the nodes and KMSes that the chain names. It shows pictures only once it has
/// hashed them (`blob:`), and plays what its service worker has verified.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
	img-src 'self' data: blob:; media-src 'self'; connect-src 'self' http: https:; base-uri 'none'; \
	form-action 'none'; frame-ancestors 'none'";

/// Answers with a file, or with the page of the explorer. Paths of the interface that do not exist
/// are errors.
pub(crate) async fn serve(request: Request<Body>) -> Result<Response> {
	let missing = || Error::missing("there is no such path");
	let path = decode(request.uri().path()).ok_or_else(missing)?;
	let name = path.trim_start_matches('/');
	if name == "v1" || name.starts_with("v1/") {
		return Err(missing());
	}
	if !name.ends_with(".gz") && Assets::get(name).is_some() {
		return file(name, request.headers());
	}
	// Keys of records also have dots, so only the first parts of paths are names of files.
	if name.starts_with(HASHED) || !name.contains('/') && name.contains('.') {
		return Err(missing());
	}
	file(INDEX, request.headers())
}

fn file(name: &str, asked: &HeaderMap) -> Result<Response> {
	let compressed = Assets::get(&format!("{name}.gz"));
	let is_compressed = compressed.is_some();
	let is_gzip = is_compressed && accepts_gzip(asked);
	let found = compressed.filter(|_| is_gzip).or_else(|| Assets::get(name));
	let found = found.ok_or_else(|| Error::new(Kind::NotFound, "this program has no explorer"))?;
	let hash = hex::encode(&found.metadata.sha256_hash()[..16]);
	let tag = format!("\"{hash}{}\"", if is_gzip { "-gzip" } else { "" });
	let tag = HeaderValue::from_str(&tag).ok();
	let status = precondition(&Method::GET, asked, tag.as_ref());
	let mut response = match status {
		Some(status) => status.into_response(),
		None => ([(header::CONTENT_TYPE, kind(name))], found.data).into_response(),
	};
	let headers = response.headers_mut();
	headers.extend(tag.map(|tag| (header::ETAG, tag)));
	let mut set = |name, value| headers.insert(name, HeaderValue::from_static(value));
	if is_gzip && status.is_none() {
		set(header::CONTENT_ENCODING, "gzip");
	}
	set(
		header::CACHE_CONTROL,
		match name.starts_with(HASHED) {
			true => "public, max-age=31536000, immutable",
			false => "no-cache",
		},
	);
	set(header::CONTENT_SECURITY_POLICY, POLICY);
	set(header::REFERRER_POLICY, "no-referrer");
	// The worker that verifies what players ask for answers all pages, and not only this folder.
	if name.starts_with(HASHED) {
		set(HeaderName::from_static("service-worker-allowed"), "/");
	}
	if is_compressed {
		set(header::VARY, "accept-encoding");
	}
	Ok(response)
}

fn kind(name: &str) -> &'static str {
	match name.rsplit_once('.').map(|(_, extension)| extension) {
		Some("html") => "text/html; charset=utf-8",
		Some("js") => "text/javascript; charset=utf-8",
		Some("css") => "text/css; charset=utf-8",
		Some("svg") => "image/svg+xml",
		Some("png") => "image/png",
		Some("ico") => "image/x-icon",
		Some("json" | "map" | "webmanifest") => "application/json",
		Some("txt") => "text/plain; charset=utf-8",
		Some("woff2") => "font/woff2",
		_ => "application/octet-stream",
	}
}

/// Returns whether a client takes gzip: it names it, or `*`, and does not refuse it by `q=0`.
fn accepts_gzip(asked: &HeaderMap) -> bool {
	let lines = asked.get_all(header::ACCEPT_ENCODING).iter();
	let lines = lines.filter_map(|line| line.to_str().ok());
	let mut any = false;
	for coding in lines.flat_map(|line| line.split(',')) {
		let mut parts = coding.split(';').map(str::trim);
		let name = parts.next().unwrap_or_default();
		let weight = parts.find_map(|part| part.strip_prefix("q=").or(part.strip_prefix("Q=")));
		let is_taken = weight.is_none_or(|weight| weight.parse().is_ok_and(|q: f32| q > 0.0));
		match name {
			name if name.eq_ignore_ascii_case("gzip") => return is_taken,
			"*" => any = is_taken,
			_ => {},
		}
	}
	any
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn gzip_is_negotiated() {
		for (accepted, expected) in [
			("gzip", true),
			("br, GZIP;q=0.5", true),
			("*", true),
			("gzip;q=0", false),
			("gzip; q=0.000, *", false),
			("*;q=0", false),
			("br", false),
			("", false),
			("gzip;q=x", false),
		] {
			let mut headers = HeaderMap::new();
			headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted));
			assert_eq!(accepts_gzip(&headers), expected, "{accepted}");
		}
		assert!(!accepts_gzip(&HeaderMap::new()));
	}
}
