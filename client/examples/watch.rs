// SPDX-License-Identifier: Apache-2.0
//! Prints the events of each final block: `watch ws://127.0.0.1:9944`.

use content_fabric_client::chain::{Chain, Endpoint, Wait};

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
	let url = std::env::args().nth(1).ok_or("usage: watch URL")?;
	let chain = Chain::connect(Endpoint::new(url.parse()?)).await?;
	let mut blocks = chain.blocks(Wait::Finalized).await?;
	println!("watching from block {}", chain.finalized().await?.block_number());
	loop {
		let at = blocks.next().await?;
		for event in chain.fabric_events(&at).await? {
			println!("{} {}", at.block_number(), event.event);
		}
	}
}
