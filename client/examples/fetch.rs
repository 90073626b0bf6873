// SPDX-License-Identifier: Apache-2.0
//! Fetches the bytes that a record leads to into a file, and verifies them: `fetch
//! ws://127.0.0.1:9944 fabric:/iten…/names/index.html page.html`.

use std::{path::Path, sync::Arc};

use content_fabric_client::{
	chain::{Chain, Endpoint},
	content_node::fetch_record,
};

/// Largest number of bytes of a version whose size is not certain: 1 GiB.
const MAX_SIZE: u64 = 1 << 30;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
	let [url, record, file] = <[String; 3]>::try_from(std::env::args().skip(1).collect::<Vec<_>>())
		.map_err(|_| "usage: fetch URL RECORD FILE")?;
	let chain = Chain::connect(Endpoint::new(url.parse()?)).await?;
	let notes = Arc::new(|line| eprintln!("warning: {line}"));
	match fetch_record(&chain, &record.parse()?, Path::new(&file), MAX_SIZE, notes).await? {
		Some(got) => println!("{} bytes in {}", got.size, got.path.display()),
		None => println!("they were there before"),
	}
	Ok(())
}
