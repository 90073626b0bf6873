// SPDX-License-Identifier: Apache-2.0
//! Prints the version that a record leads to: `resolve ws://127.0.0.1:9944
//! fabric:/iten…/names/index.html`.

use content_fabric_client::chain::{Chain, Endpoint};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
	let [url, record] = <[String; 2]>::try_from(std::env::args().skip(1).collect::<Vec<_>>())
		.map_err(|_| "usage: resolve URL RECORD")?;
	let chain = Chain::connect(Endpoint::new(url.parse()?)).await?;
	let resolved = chain.resolve(&record.parse()?).await?;
	let (version, row) = resolved.version.ok_or("the object has no head")?;
	let nodes: Vec<_> = row.copies.iter().map(|copy| copy.node.to_string()).collect();
	println!("{version} of {}, on {}", resolved.object, nodes.join(", "));
	Ok(())
}
