// SPDX-License-Identifier: Apache-2.0
//! Publishes what a manifest lists, on a development chain: `publish ws://127.0.0.1:9944
//! manifest.jsonl docs`.

use std::{fs::File, io::BufReader, sync::Arc};

use content_fabric_client::{
	chain::{Chain, Endpoint},
	ids,
	keys::KeySource,
	manifest,
	publish::{Keys, Options, Publisher},
};
use tokio::sync::watch;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
	let [url, path, source] = <[String; 3]>::try_from(std::env::args().skip(1).collect::<Vec<_>>())
		.map_err(|_| "usage: publish URL MANIFEST SOURCE")?;
	let space = ids::space("examples");
	let sources = manifest::read(BufReader::new(File::open(path)?), space, Some(&source))?;
	let chain = Arc::new(Chain::connect(Endpoint::new(url.parse()?)).await?);
	let kind = chain.identity().kind;
	let key = |name: &str| KeySource::Development(name.into()).load(kind).map(Arc::new);
	let keys = Keys {
		provider: key("//Bob")?,
		tenant: key("//Charlie")?,
		governor: Some(key("//Alice")?),
	};

	let publisher = Publisher::new(chain, keys, Options::new(space)).await?;
	let publisher = publisher.on_event(|event| eprintln!("{event}"));
	let plan = publisher.plan(&sources).await?;
	plan.missing.iter().for_each(|missing| println!("about to {missing}"));
	// To stop after what is in flight, send `true`.
	let (_stop, stopped) = watch::channel(false);
	let report = plan.publish(&stopped).await;
	for source in &report.sources {
		println!(
			"tenant {} is the source {}: {} added",
			source.tenant, source.source, source.items
		);
		for failure in &source.failures {
			println!("{} was not published: {}", failure.package, failure.reason);
		}
	}
	Ok(report.end?)
}
