// SPDX-License-Identifier: Apache-2.0
//! The metrics that programs serve, against the table of which alerts and dashboards are made.

use std::{
	collections::{BTreeMap, BTreeSet},
	time::Duration,
};

use content_fabric_client::chain::calls;
use content_fabric_monitoring::{index, kms, node, store, Kind, Metric, Program};
use content_fabric_tests::{
	fabric::Fabric,
	indexer::{settled, Indexer},
	kms::{Identity, Kms},
	process::Node,
	raw::Raw,
	store::Store,
	wait,
};

/// Longest wait for a state.
const PATIENCE: Duration = Duration::from_secs(120);

/// Returns the text of an answer.
fn get(url: &str) -> String {
	let agent = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
	let mut answer = agent.get(url).call().unwrap_or_else(|error| panic!("{url}: {error}"));
	answer.body_mut().read_to_string().expect("the answer is text")
}

/// Returns the words after the name of each metric in the lines that begin with a mark.
fn described<'a>(figures: &'a str, mark: &str) -> BTreeMap<&'a str, &'a str> {
	let lines = figures.lines().filter_map(|line| line.strip_prefix(mark)?.split_once(' '));
	lines.collect()
}

/// Returns the labels of each sample of a metric. The chain of a node and the limit of a bucket are
/// left out.
fn samples<'a>(figures: &'a str, metric: &Metric) -> Vec<BTreeMap<&'a str, &'a str>> {
	let suffix = if metric.kind == Kind::Histogram { "_bucket" } else { "" };
	let name = format!("{}{suffix}", metric.name);
	let lines = figures.lines().filter_map(|line| line.strip_prefix(&name));
	let labels = lines.filter_map(|rest| match rest.strip_prefix('{') {
		Some(rest) => Some(&rest[..rest.rfind("\"}")?]),
		None => rest.starts_with(' ').then_some(""),
	});
	let labels = labels.map(|labels| {
		let parts = labels.split("\",").filter_map(|part| part.split_once("=\""));
		parts.filter(|(label, _)| !["chain", "le"].contains(label)).collect()
	});
	labels.collect()
}

/// Checks that a program serves all metrics of its table, as the table has them. Returns the names
/// of all that it serves.
fn assert_served<'a>(program: &Program, figures: &'a str) -> BTreeSet<&'a str> {
	let kinds = described(figures, "# TYPE ");
	for metric in program.metrics {
		let name = metric.name;
		let family = name.strip_suffix("_total").filter(|family| kinds.contains_key(family));
		let kind = kinds.get(family.unwrap_or(name));
		assert_eq!(kind, Some(&metric.kind.name()), "the kind of {name}: {figures}");
		let samples = samples(figures, metric);
		assert!(!samples.is_empty(), "{name} has no sample: {figures}");
		let expected: BTreeSet<_> = metric.labels.iter().copied().collect();
		for labels in &samples {
			assert_eq!(labels.keys().copied().collect::<BTreeSet<_>>(), expected, "{name}");
		}
		if let ([label], false) = (metric.labels, metric.values.is_empty()) {
			let values: BTreeSet<_> = samples.iter().map(|labels| labels[label]).collect();
			assert_eq!(values, metric.values.iter().copied().collect::<BTreeSet<_>>(), "{name}");
		}
	}
	kinds.into_keys().collect()
}

/// Checks that a program serves the metrics of its table, with their help, and no others.
fn assert_serves_the_table(program: &Program, figures: &str) {
	let served = assert_served(program, figures);
	let helps = described(figures, "# HELP ");
	assert_eq!(served.len(), program.metrics.len(), "{}: {served:?}", program.title);
	for metric in program.metrics {
		let family = metric.name.strip_suffix("_total").unwrap_or(metric.name);
		assert_eq!(helps.get(family), Some(&metric.help), "{}", metric.name);
	}
}

#[tokio::test]
async fn servers_serve_the_metrics_of_the_table_and_no_others() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let fabric = Fabric::start(&dir.path().join("chain"), 0).await;
	let of = (fabric.provider, fabric.add_node("node", &fabric.dave).await);
	let identity = Identity::new(dir.path(), "identity");
	let (tenant, id) = (fabric.tenant, fabric.kms);
	let locator = b"https://127.0.0.1/kms".to_vec();
	let set = calls::SetKms { tenant, kms: id, locator, key: identity.key };
	fabric.submit(&fabric.charlie, set).await;
	settled(&fabric.raw).await;

	let indexer = Indexer::start(fabric.url(), &dir.path().join("index"), &[]);
	indexer.wait_until(|status| status["finalized"]["number"].is_u64());
	assert_serves_the_table(&index::PROGRAM, &indexer.ask_text("/metrics").1);

	let content_node = Store::start(fabric.url(), of, &dir.path().join("data"));
	let url = format!("http://{}", content_node.address);
	get(&format!("{url}/v1/status"));
	assert_serves_the_table(&store::PROGRAM, &get(&format!("{url}/metrics")));

	let server = Kms::start(fabric.url(), (tenant, id), &[&identity], &dir.path().join("receipts"));
	get(&format!("{}/v1/status", server.url));
	assert_serves_the_table(&kms::PROGRAM, &get(&format!("{}/metrics", server.url)));
}

#[tokio::test]
async fn a_validator_serves_the_metrics_of_the_table() {
	let dir = tempfile::tempdir().expect("there is room for a folder");
	let (validator, metrics) = Node::start_validator(dir.path());
	// Its calls and its blocks are counted.
	let raw = Raw::connect(&validator.url).await;
	wait::until(PATIENCE, "no block becomes final", async || raw.finalized_block().await.0 > 0)
		.await;
	// The node updates some figures every five seconds.
	wait::until(PATIENCE, "the figures are old", async || {
		get(&metrics).lines().any(|line| {
			let is_height = line.starts_with("substrate_block_height{");
			is_height && line.contains("\"finalized\"") && !line.ends_with(" 0")
		})
	})
	.await;
	assert_served(&node::PROGRAM, &get(&metrics));
}
