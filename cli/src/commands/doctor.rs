// SPDX-License-Identifier: Apache-2.0
//! `fabric doctor`: examines a set-up, and prints what is wrong and which page helps.

use std::{
	collections::BTreeSet,
	future::Future,
	io::{self, Write},
	pin::Pin,
};

use clap::Args;
use content_fabric_client::{
	chain::{self, rows, Chain, Snapshot},
	doctor::{self, checked, Finding, Indexed, Reference, Roles, Severity, Topic},
	ids::Address,
	keys::{ChainKind, KeySource},
	text::count,
};
use content_fabric_identifiers::{KmsId, NodeId, ProviderId, TenantId};
use content_fabric_primitives::MemberId;
use futures::{stream, StreamExt};
use serde::Serialize;
use subxt::utils::AccountId32;

use super::{address::account_of, Context};
use crate::{
	index::{Index, Status},
	node_name::NodeName,
	output::Report,
	profile::{config_file, KmsPins},
	Error,
};

/// Number of servers that are asked at the same time.
const JOBS: usize = 8;
/// Largest number of members, and of servers of each kind, that are found rather than named.
const FOUND: usize = 16;

#[derive(Debug, Args)]
#[command(after_long_help = "\
Examples:
  fabric doctor
  fabric doctor --tenant iten… --index https://index.example.com
  fabric doctor --node inod… --signer keystore:operator.json

Asks the node, the index, the content nodes and the KMSes, and compares them with the chain and with \
each other. With a key or an account, also examines its funds, the members in which it has a level, \
and the servers that it operates. With a tenant, also its KMSes and the nodes that hold its content.

Signs nothing, changes nothing, and asks for no password. Prints a line for each finding, and below a \
problem or a warning what to do, and the page that helps. Fails with exit code 10 if there are \
problems.")]
pub struct Options {
	/// The tenant to examine: iten…. Can be repeated
	#[arg(long = "tenant", value_name = "ID")]
	tenants: Vec<TenantId>,
	/// The provider to examine, with its nodes: iprv…. Can be repeated
	#[arg(long = "provider", value_name = "ID")]
	providers: Vec<ProviderId>,
	/// The node to examine: inod… or iprv…/inod…. Can be repeated
	#[arg(long = "node", value_name = "ID")]
	nodes: Vec<NodeName>,
	/// The KMS to examine: ikms…. Can be repeated. If several tenants have one with this id, name the
	/// tenant as well
	#[arg(long = "kms", value_name = "ID")]
	kmses: Vec<KmsId>,
	/// The address of the account to examine, instead of the key's
	#[arg(long, value_name = "ADDRESS")]
	account: Option<Address>,
	/// The key whose account to examine: env:NAME, file:PATH, keystore:PATH, or a development key
	/// such as //Alice
	///
	/// [default: the profile's]
	#[arg(long, env = "FABRIC_SIGNER", hide_env_values = true, value_name = "KEY")]
	signer: Option<KeySource>,
}

/// The findings.
#[derive(Debug, Serialize)]
pub struct Findings {
	problems: usize,
	warnings: usize,
	findings: Vec<Finding>,
}

impl Findings {
	fn new(findings: Vec<Finding>) -> Self {
		let of = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
		let (problems, warnings) = (of(Severity::Problem), of(Severity::Warning));
		Self { problems, warnings, findings }
	}

	/// Fails if there are problems.
	pub fn ensure_none(&self) -> Result<(), Error> {
		match self.problems {
			0 => Ok(()),
			problems => Err(Error::Unhealthy(problems)),
		}
	}
}

impl Report for Findings {
	fn write_text(&self, out: &mut dyn Write) -> io::Result<()> {
		for Finding { severity, seen, help, .. } in &self.findings {
			let word = match severity {
				Severity::Ok => "ok",
				Severity::Skipped => "skipped",
				Severity::Warning => "warning",
				Severity::Problem => "problem",
			};
			writeln!(out, "{word:<8} {seen}")?;
			if let Some(help) = help {
				writeln!(out, "         {} {}: {}", help.why, help.cure, help.page)?;
			}
		}
		let problems = count(self.problems, "problem", "problems");
		writeln!(out, "{problems}, {}", count(self.warnings, "warning", "warnings"))
	}
}

pub async fn run(options: Options, context: &Context) -> Result<Findings, Error> {
	let (chain, mut found) = connect(context).await;
	let Some((chain, name)) = chain else {
		found.extend(unconnected(&options, context));
		found.extend(index(context, None).await);
		return Ok(Findings::new(found));
	};
	found.extend(checked(Topic::Node, &name, doctor::node(&chain, &name)).await);
	let start = async { tokio::try_join!(Reference::read(&chain), chain.best()) };
	let (reference, at) = match start.await {
		Ok(start) => start,
		Err(error) => {
			found.extend(checked(Topic::Chain, &name, async { Err(error) }).await);
			return Ok(Findings::new(found));
		},
	};
	found.extend(checked(Topic::Runtime, "the runtime", doctor::runtime(&at)).await);
	let examination = Examination { chain: &chain, at: &at, reference, context };
	found.extend(index(context, Some((&chain, &reference))).await);
	match examination.members(options, &mut found).await {
		Ok(()) => {},
		Err(Error::Chain(error)) => {
			let what = "the rest of the chain";
			found.extend(checked(Topic::Chain, what, async { Err(error) }).await);
		},
		Err(error) => found.push(doctor::unusable(&error.to_string())),
	}
	Ok(Findings::new(found))
}

/// Connects, and compares the chain with the one that is known. Pins nothing.
async fn connect(context: &Context) -> (Option<(Chain, String)>, Vec<Finding>) {
	let (endpoint, known) = match context.examined() {
		Ok(examined) => examined,
		Err(Error::Url { origin, error }) => {
			return (None, vec![doctor::unusable_url(Topic::Node, &origin, &error)])
		},
		Err(error) => return (None, vec![doctor::unusable(&error.to_string())]),
	};
	let name = endpoint.source.to_string();
	let (chain, mut found) = doctor::connect(endpoint).await;
	let Some(chain) = chain else { return (None, found) };
	if let Err(error) = known.check(&chain) {
		found.push(doctor::other_chain(&error.to_string()));
	}
	(Some((chain, name)), found)
}

/// Returns the findings about what cannot be checked without a chain. A key can be read without
/// one.
fn unconnected(options: &Options, context: &Context) -> Vec<Finding> {
	let source = options.signer.as_ref().or(context.profile_signer());
	let key = source.map(|source| doctor::key(source, ChainKind::Live).1);
	let reason = "the runtime, funds, members, content nodes and KMSes: there is no chain to read";
	let skipped = Finding::skipped(Topic::Chain, reason);
	key.into_iter().flatten().chain([skipped]).collect()
}

/// Asks the index, if one is named.
async fn index(context: &Context, chain: Option<(&Chain, &Reference)>) -> Vec<Finding> {
	if !context.names_index() {
		return Vec::new();
	}
	let url = match context.index_url("fabric doctor") {
		Ok(url) => url,
		Err(Error::Url { origin, error }) => {
			return vec![doctor::unusable_url(Topic::Index, &origin, &error)]
		},
		Err(error) => return vec![doctor::unusable(&error.to_string())],
	};
	let name = url.to_string();
	// Another chain is a finding, and not an error.
	let answer = Index::connect(url, doctor::ANSWER.min(context.timeout()), None).await;
	let answer = match answer {
		Ok(index) => Ok(indexed(index.status())),
		Err(error) => Err(error.to_string()),
	};
	checked(Topic::Index, &name, doctor::index(&name, answer, chain)).await
}

fn indexed(status: &Status) -> Indexed {
	Indexed {
		genesis: status.genesis.0,
		last: status.finalized.map(|block| (block.number, block.hash.0)),
		behind: status.behind,
		problem: status.problem.clone(),
		is_connected: status.node.is_none_or(|node| node.connected),
		version: status.version.clone(),
	}
}

/// A chain that is examined.
struct Examination<'a> {
	chain: &'a Chain,
	at: &'a Snapshot,
	reference: Reference,
	context: &'a Context,
}

/// The parts of the fabric to examine, each once.
#[derive(Default)]
struct Parts {
	members: Vec<MemberId>,
	nodes: Vec<(ProviderId, NodeId)>,
	kmses: Vec<(TenantId, KmsId)>,
	/// Number of parts that were found, and are too many to be examined.
	more: usize,
}

impl Parts {
	/// Adds parts of one kind that were found.
	fn add<Part: PartialEq>(
		mut self,
		of: fn(&mut Self) -> &mut Vec<Part>,
		found: Vec<Part>,
	) -> Self {
		for part in found {
			let known = of(&mut self);
			match known.contains(&part) {
				true => {},
				false if known.len() < FOUND => known.push(part),
				false => self.more += 1,
			}
		}
		self
	}
}

type Check<'a> = Pin<Box<dyn Future<Output = Vec<Finding>> + 'a>>;

fn named(member: MemberId) -> (Topic, String) {
	match member {
		MemberId::Provider(id) => (Topic::Provider, id.to_string()),
		MemberId::Tenant(id) => (Topic::Tenant, id.to_string()),
	}
}

impl Examination<'_> {
	/// Examines the account, the members, and their servers.
	async fn members(&self, options: Options, found: &mut Vec<Finding>) -> Result<(), Error> {
		let Options { tenants, providers, nodes, kmses, account, signer } = options;
		let Self { at, chain, .. } = *self;
		let is_bare =
			tenants.is_empty() && providers.is_empty() && nodes.is_empty() && kmses.is_empty();
		let (account, of_key) = self.account(account, signer)?;
		found.extend(of_key);
		let mut parts =
			Parts { members: tenants.iter().map(|id| (*id).into()).collect(), ..Parts::default() };
		for name in nodes.iter().chain(self.context.profile_copies()) {
			match NodeName::find(&[*name], at).await {
				Ok(nodes) => parts = parts.add(|parts| &mut parts.nodes, nodes),
				Err(error) if error.is_connection() => return Err(error),
				Err(error) => found.push(doctor::unusable(&error.to_string())),
			}
		}
		parts.members.extend(providers.iter().map(|id| MemberId::from(*id)));
		if let Some(account) = &account {
			let units = &chain.identity().units;
			let what = format!("the account {account}");
			found.extend(checked(Topic::Account, &what, doctor::funds(at, units, account)).await);
			for tenant in &tenants {
				let standing = doctor::standing(at, *tenant, account);
				found.extend(checked(Topic::Account, &what, standing).await);
			}
		}
		// The parts of an account are examined if nothing else is named.
		if let (Some(account), true) = (&account, is_bare) {
			let Roles { members, nodes, kmses } = Roles::of(at, account).await?;
			parts = parts
				.add(|parts| &mut parts.members, members)
				.add(|parts| &mut parts.nodes, nodes)
				.add(|parts| &mut parts.kmses, kmses);
		}
		if is_bare && account.is_none() {
			found.push(doctor::nobody_named());
		}
		parts = self.named_kmses(parts, &kmses, &tenants, found).await?;
		for member in parts.members.clone() {
			parts = self.under(member, parts, found).await?;
		}
		self.parents(&parts, found).await;
		if parts.more > 0 {
			let more = count(parts.more, "more part", "more parts");
			let seen = format!(
				"{more} of the fabric: name them with --tenant, --provider, --node or --kms"
			);
			found.push(Finding::skipped(Topic::Chain, seen));
		}
		self.ask(&parts, found).await
	}

	/// Returns the account to examine, if there is one, and what is wrong with its key.
	fn account(
		&self,
		account: Option<Address>,
		signer: Option<KeySource>,
	) -> Result<(Option<AccountId32>, Vec<Finding>), Error> {
		if let Some(address) = account {
			return Ok((Some(account_of(self.at, &address)?), Vec::new()));
		}
		let source = signer.as_ref().or(self.context.profile_signer());
		Ok(source.map_or_else(Default::default, |source| doctor::key(source, self.reference.kind)))
	}

	/// Adds the KMSes with these ids. Each must be of one tenant only, among those that are named:
	/// anybody can have a KMS with the id of another tenant's.
	async fn named_kmses(
		&self,
		mut parts: Parts,
		ids: &[KmsId],
		tenants: &[TenantId],
		found: &mut Vec<Finding>,
	) -> Result<Parts, Error> {
		for id in ids {
			let rows = self.at.rows(rows::kmses(), ()).await?;
			let is_meant = |(tenant, kms): &(TenantId, KmsId)| {
				kms == id && (tenants.is_empty() || tenants.contains(tenant))
			};
			let named: Vec<_> = rows.into_iter().map(|(key, _)| key).filter(is_meant).collect();
			match named.len() {
				0 => found.push(doctor::unusable(&chain::Error::unknown("KMS", id).to_string())),
				1 => parts = parts.add(|parts| &mut parts.kmses, named),
				twins => found.push(doctor::unusable(&format!(
					"{twins} tenants have a KMS {id}: name the tenant with --tenant"
				))),
			}
		}
		Ok(parts)
	}

	/// Examines a member, and adds what is under it.
	async fn under(
		&self,
		member: MemberId,
		parts: Parts,
		found: &mut Vec<Finding>,
	) -> Result<Parts, Error> {
		let Self { at, chain, .. } = *self;
		let units = &chain.identity().units;
		let (topic, what) = named(member);
		found.extend(checked(topic, &what, doctor::member(at, units, member)).await);
		Ok(match member {
			MemberId::Provider(provider) => {
				let nodes = at.rows(rows::nodes(), (provider,)).await?;
				let nodes = nodes.into_iter().map(|(id, _)| id).collect();
				parts.add(|parts| &mut parts.nodes, nodes)
			},
			MemberId::Tenant(tenant) => {
				let (nodes, lost) = doctor::holders(at, tenant).await?;
				found.extend(lost);
				let kmses = at.rows(rows::kmses(), (tenant,)).await?;
				let kmses = kmses.into_iter().map(|(id, _)| id).collect();
				let parts = parts.add(|parts| &mut parts.nodes, nodes);
				parts.add(|parts| &mut parts.kmses, kmses)
			},
		})
	}

	/// Adds the problems of the providers and tenants whose nodes and KMSes are examined, and who
	/// are not examined themselves: without them, the servers give and take nothing.
	async fn parents(&self, parts: &Parts, found: &mut Vec<Finding>) {
		let Self { at, chain, .. } = *self;
		let units = &chain.identity().units;
		let providers = parts.nodes.iter().map(|(id, _)| MemberId::from(*id));
		let tenants = parts.kmses.iter().map(|(id, _)| MemberId::from(*id));
		let parents: BTreeSet<_> = providers.chain(tenants).collect();
		for parent in parents.into_iter().filter(|id| !parts.members.contains(id)) {
			let (topic, what) = named(parent);
			let findings = checked(topic, &what, doctor::member(at, units, parent)).await;
			let is_problem = |finding: &Finding| finding.severity == Severity::Problem;
			found.extend(findings.into_iter().filter(is_problem));
		}
	}

	/// Asks the servers.
	async fn ask(&self, parts: &Parts, found: &mut Vec<Finding>) -> Result<(), Error> {
		let Self { at, chain, reference, context } = self;
		let pins = KmsPins::open(&config_file()?);
		let pins = pins.map_err(|error| found.push(doctor::unusable(&error.to_string()))).ok();
		let key = context.kms_pin_key(chain)?;
		let nodes = parts.nodes.iter().map(|id| -> Check<'_> {
			Box::pin(async move {
				let what = format!("the node {}", id.1);
				checked(Topic::ContentNode, &what, doctor::content_node(at, *id, reference)).await
			})
		});
		let insecure = context.is_insecure();
		let kmses = parts.kmses.iter().map(|(tenant, kms)| -> Check<'_> {
			let pinned = pins.as_ref().and_then(|pins| pins.of(&key, *tenant));
			let pinned = pinned.and_then(|keys| keys.get(&kms.to_string())).copied();
			Box::pin(async move {
				let what = format!("the KMS {kms}");
				let check = doctor::kms(chain, (*tenant, *kms), pinned, insecure, reference);
				checked(Topic::Kms, &what, check).await
			})
		});
		let checks: Vec<_> = nodes.chain(kmses).collect();
		let answers: Vec<_> = stream::iter(checks).buffered(JOBS).collect().await;
		found.extend(answers.into_iter().flatten());
		Ok(())
	}
}
