// SPDX-License-Identifier: Apache-2.0
//! Fetches the bytes that a record leads to into a folder, and verifies them: `fetch
//! ws://127.0.0.1:9944 fabric:/iten…/names/index.html downloads`.

use std::{collections::HashSet, sync::Arc};

use content_fabric_client::{
	chain::{Chain, Endpoint, RecordPlace},
	content_node::{Fetcher, Wanted},
	folder::Folder,
};

/// Largest number of bytes of a version whose size is not certain: 1 GiB.
const MAX_SIZE: u64 = 1 << 30;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
	let [url, record, folder] =
		<[String; 3]>::try_from(std::env::args().skip(1).collect::<Vec<_>>())
			.map_err(|_| "usage: fetch URL RECORD FOLDER")?;
	let place: RecordPlace = record.parse()?;
	let chain = Chain::connect(Endpoint::new(url.parse()?)).await?;
	let at = chain.finalized().await?;
	let (version, row) = at.resolve(&place).await?.version.ok_or("the object has no head")?;
	let mut wanted = Wanted::new(version, vec![row], false, version.to_string());
	wanted.size = wanted.size.bounded(MAX_SIZE);

	let folder = Arc::new(Folder::open(folder.into())?);
	let notes = Arc::new(|line| eprintln!("warning: {line}"));
	let fetcher = Fetcher::new(&at, HashSet::from([version]), folder, false, notes).await?;
	match fetcher.fetch(&wanted).await? {
		Some(file) => println!("{} bytes in {}", file.size, file.path.display()),
		None => println!("they were there before"),
	}
	Ok(())
}
