// SPDX-License-Identifier: Apache-2.0
//! The context that all commands share: the node, the index, and the form of their output.

use std::{env, ffi::OsString, path::PathBuf, sync::Arc, time::Duration};

use clap::Args;
use content_fabric_client::{
	chain::{self, Chain, Endpoint, Source, Specification},
	keys::{ChainKind, KeySource, Signer},
	profile::{IndexUrl, NodeUrl, UrlError},
	text::count,
};
use hex::FromHex;

use super::View;
use crate::{
	index::{Index, IndexError},
	node_name::NodeName,
	output::{self, warn, Report},
	profile::{config_file, Identity, PinError, Pins, Profile},
	Error,
};

/// The node of a development chain on this machine.
const DEFAULT_URL: &str = "ws://127.0.0.1:9944";
/// Age at which the last finalized block is reported as old.
const OLD: Duration = Duration::from_secs(60);
/// Number of blocks that an index may be behind without a warning.
const FAR_BEHIND: u64 = 10;

/// The options of all commands.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Connection and output")]
pub struct Global {
	/// The URL of the node's JSON-RPC server, ws:// or wss://
	///
	/// [default: the profile's, or ws://127.0.0.1:9944]
	#[arg(long, global = true, env = "FABRIC_URL", hide_env_values = true, value_name = "URL")]
	// A refused value of another type would be repeated in the error, with its secrets.
	pub url: Option<String>,
	/// The URL of an index, https:// or http://, for the commands that read one
	///
	/// [default: the profile's]
	#[arg(long, global = true, env = "FABRIC_INDEX", hide_env_values = true, value_name = "URL")]
	pub index: Option<String>,
	/// Start a light client from this raw chain specification, instead of asking one node
	///
	/// It verifies everything that it reads, and reads final blocks only. Not with `--url`, nor
	/// while FABRIC_URL is set.
	#[arg(long, global = true, value_name = "SPEC", conflicts_with = "url")]
	pub light: Option<PathBuf>,
	/// The profile in the configuration file
	#[arg(long, global = true, env = "FABRIC_PROFILE", value_name = "NAME")]
	pub profile: Option<String>,
	/// The genesis hash that the chain must have
	#[arg(long, global = true, value_name = "HASH", value_parser = parse_hash)]
	pub genesis_hash: Option<[u8; 32]>,
	/// Allow an unencrypted ws:// or http:// URL to another machine
	#[arg(long, global = true)]
	pub insecure: bool,
	/// Sign without the hash of the metadata: trust the node about the meaning of calls
	#[arg(long, global = true)]
	pub no_metadata_hash: bool,
	/// Print the result, or the error, as one line of JSON
	#[arg(long, global = true)]
	pub json: bool,
	/// Seconds to wait for a transaction to be in a block, for the last block of a publish to be
	/// final, for a node that goes away, or (at most 60) for an answer of a node or an index
	#[arg(long, global = true, default_value_t = 120, value_name = "SECONDS")]
	pub timeout: u64,
}

/// The context that all commands share.
#[derive(Debug)]
pub struct Context {
	global: Global,
	profile: Profile,
}

impl Context {
	/// The options of the URLs of a node and of an index, and their variables.
	const NODE: (&str, &str) = ("--url", "FABRIC_URL");
	const INDEX: (&str, &str) = ("--index", "FABRIC_INDEX");

	pub fn new(global: Global) -> Result<Self, Error> {
		let profile = Profile::select(global.profile.as_deref())?;
		Ok(Self { global, profile })
	}

	pub fn json(&self) -> bool {
		self.global.json
	}

	pub fn report(&self, report: &impl Report) -> Result<(), Error> {
		Ok(output::print(report, self.json())?)
	}

	/// Returns the time to wait for a transaction to get into a block.
	pub fn timeout(&self) -> Duration {
		Duration::from_secs(self.global.timeout)
	}

	/// Returns the nodes that the profile names for copies.
	pub fn profile_copies(&self) -> &[NodeName] {
		&self.profile.copies
	}

	pub(crate) fn profile_signer(&self) -> Option<&KeySource> {
		self.profile.signer.as_ref()
	}

	/// Connects to the node, or starts the light client.
	///
	/// The first connection with a profile pins the identity of the chain, such as its genesis
	/// hash, its currency and its kind. Without a profile, chains are pinned by URL, except those
	/// on this machine that are not live: they are often made anew. A chain on another machine
	/// counts as a live one, whatever its node says, unless the profile has `development`. A light
	/// client pins nothing without a profile, as its specification names the chain.
	pub async fn connect(&self) -> Result<Arc<Chain>, Error> {
		let source = self.source()?;
		let is_light = source.is_light();
		let pin_key = self.pin_key()?;
		let mut pins = Pins::open(&config_file()?)?;
		let endpoint = self.endpoint(source);
		let lasts = self.profile.name.is_some() || endpoint.genesis_hash.is_some();
		let signs_hash = endpoint.metadata_hash;
		let chain = match Chain::connect(endpoint).await {
			Err(error) => return Err(explain(error, &pins, pin_key.as_deref())),
			Ok(chain) => chain,
		};
		let kind = chain.identity().kind;
		let found = chain.identity().into();
		if let Some(key) = pin_key {
			if !pins.check(&key, &found)? && (lasts || kind == ChainKind::Live) {
				pins.pin(&key, found)?;
			}
		}
		if is_light {
			warn_of_age(&chain).await?;
		}
		if !signs_hash && kind != ChainKind::Development {
			warn(
				"warning: signing without the metadata hash, so the node is trusted about the \
				 meaning of calls",
			);
		}
		Ok(Arc::new(chain))
	}

	/// Returns the node or the light client to examine, and the chain that is known there.
	pub fn examined(&self) -> Result<(Endpoint, KnownChain), Error> {
		let source = self.source()?;
		let known = KnownChain { key: self.pin_key()?, pins: Pins::open(&config_file()?)? };
		Ok((self.endpoint(source), known))
	}

	/// Connects to the node, and reads the chain at the best block.
	pub async fn view(&self) -> Result<View, Error> {
		View::new(self.connect().await?).await
	}

	/// Returns the URL of the node: from the command line, from the profile, or of a node on this
	/// machine.
	fn url(&self) -> Result<NodeUrl, Error> {
		let url = self.global.url.as_deref().or(self.profile.url.as_deref());
		url.unwrap_or(DEFAULT_URL).parse().map_err(|error| self.wrong_url(Self::NODE, error))
	}

	/// Returns the error of the URL of a node or an index, with its origin.
	fn wrong_url(&self, (option, variable): (&str, &str), error: UrlError) -> Error {
		let given = if option == Self::NODE.0 { &self.global.url } else { &self.global.index };
		let is_option =
			|argument: OsString| argument.to_str().is_some_and(|text| text.starts_with(option));
		let origin = match (given, &self.profile.name) {
			(Some(given), _)
				if env::var(variable).as_ref() == Ok(given) && !env::args_os().any(is_option) =>
			{
				variable.into()
			},
			(None, Some(name)) => format!("`{}` of the profile {name}", &option[2..]),
			_ => option.into(),
		};
		Error::Url { origin, error }
	}

	/// Returns whether the URL is the one that the profile is about, and not another one of the
	/// command line.
	fn uses_profile_url(&self) -> bool {
		self.global.url.is_none() || self.global.url == self.profile.url
	}

	/// Returns the light client of the command line, or else the node, to which the connection must
	/// be safe.
	fn source(&self) -> Result<Source, Error> {
		if let Some(path) = &self.global.light {
			return Ok(Source::Light(Specification::read(path)?));
		}
		let url = self.url()?;
		url.ensure_secure(self.global.insecure || self.uses_profile_url() && self.profile.insecure)
			.map_err(|error| self.wrong_url(Self::NODE, error))?;
		Ok(Source::Node(url))
	}

	/// Returns the name under which the chain is pinned: the profile's name, or else the URL, if
	/// there is one.
	fn pin_key(&self) -> Result<Option<String>, Error> {
		match (&self.profile.name, &self.global.light) {
			(Some(name), _) => Ok(Some(name.clone())),
			(None, Some(_)) => Ok(None),
			(None, None) => Ok(Some(self.url()?.pin_key())),
		}
	}

	/// Returns the name under which keys of KMSes are pinned: as the chain, or without a name for it,
	/// by the hash of its genesis block.
	pub fn kms_pin_key(&self, chain: &Chain) -> Result<String, Error> {
		let genesis = || hex::encode(chain.identity().genesis_hash);
		Ok(self.pin_key()?.unwrap_or_else(genesis))
	}

	fn endpoint(&self, source: Source) -> Endpoint {
		let endpoint = Endpoint::of(source).with_timeout(self.timeout());
		Endpoint {
			genesis_hash: self.given_genesis_hash(),
			metadata_hash: !(self.global.no_metadata_hash || self.profile.no_metadata_hash),
			trusts_kind: endpoint.trusts_kind
				|| self.uses_profile_url() && self.profile.development,
			..endpoint
		}
	}

	/// Returns the genesis hash of the command line, or of the profile.
	fn given_genesis_hash(&self) -> Option<[u8; 32]> {
		self.global.genesis_hash.or(self.profile.genesis_hash)
	}

	/// Returns the genesis hash that the chain must have, where one is known without a connection:
	/// from the command line, from the profile, or the pinned one.
	pub fn known_genesis_hash(&self) -> Result<Option<[u8; 32]>, Error> {
		if let Some(hash) = self.given_genesis_hash() {
			return Ok(Some(hash));
		}
		let pins = Pins::open(&config_file()?)?;
		let pinned = self.pin_key()?.and_then(|key| pins.pinned(&key));
		Ok(pinned.map(|identity| identity.genesis_hash))
	}

	/// Reads a key that signs without a connection to a chain: the one that is given, or the
	/// profile's.
	pub fn offline_signer(
		&self,
		given: Option<&KeySource>,
		option: &'static str,
	) -> Result<Signer, Error> {
		let source = given.or(self.profile.signer.as_ref()).ok_or(Error::NoKey { option })?;
		load(source, ChainKind::Live)
	}

	/// Reads the key that signs: the one that is given, or from `FABRIC_SIGNER`, or the profile's,
	/// or `development`, but only on a development chain.
	///
	/// `option` is the name of the option that gives the key.
	pub fn signer(
		&self,
		chain: &Chain,
		given: Option<&KeySource>,
		option: &'static str,
		development: &str,
	) -> Result<Signer, Error> {
		let kind = chain.identity().kind;
		match given.or(self.profile.signer.as_ref()) {
			Some(source) => load(source, kind),
			None if kind == ChainKind::Development => {
				load(&KeySource::Development(development.to_owned()), kind)
			},
			None => Err(Error::NoKey { option }),
		}
	}
}

/// The identity of a chain that is pinned, if there is one.
pub struct KnownChain {
	key: Option<String>,
	pins: Pins,
}

impl KnownChain {
	/// Checks that a chain is the known one. Pins nothing.
	pub fn check(&self, chain: &Chain) -> Result<(), PinError> {
		match &self.key {
			Some(key) => self.pins.check(key, &chain.identity().into()).map(drop),
			None => Ok(()),
		}
	}
}

/// Reads a key. Warns of one that everybody knows, on a live chain.
fn load(source: &KeySource, kind: ChainKind) -> Result<Signer, Error> {
	let signer = source.load_asking(kind, |text| rpassword::prompt_password(text))?;
	if signer.is_public() && kind == ChainKind::Live {
		warn(&format!("warning: everybody knows the key {source}"));
	}
	Ok(signer)
}

impl From<&chain::Identity> for Identity {
	fn from(identity: &chain::Identity) -> Self {
		Self {
			genesis_hash: identity.genesis_hash,
			decimals: identity.units.decimals(),
			symbol: identity.units.symbol().to_owned(),
			kind: identity.kind,
			checks_metadata_hash: identity.checks_metadata_hash,
		}
	}
}

/// Returns the error of a connection. Nobody is advised to sign without the hash of the metadata on
/// a chain that is known to check it.
fn explain(error: chain::Error, pins: &Pins, key: Option<&str>) -> Error {
	let Some((key, pinned)) = key.and_then(|key| Some((key, pins.pinned(key)?))) else {
		return error.into();
	};
	if !matches!(error, chain::Error::NoMetadataHash) {
		return error.into();
	}
	let found = Identity { checks_metadata_hash: false, ..pinned.clone() };
	pins.check(key, &found).map_or_else(Error::from, |_| error.into())
}

/// Warns if the last finalized block is old. Nodes cannot make a light client believe in a block,
/// but they can withhold new ones.
async fn warn_of_age(chain: &Chain) -> Result<(), Error> {
	let at = chain.best().await?;
	let time = Duration::from_micros(at.now_micros().await?);
	let age = Duration::from_micros(chain::wall_clock()).saturating_sub(time);
	if at.block_number() == 0 {
		warn("warning: no block after the genesis is proven final, so this is its state: the chain has \
			 just begun, or its validators were changed by force");
	} else if age > OLD {
		warn(&format!(
			"warning: the last finalized block, {}, is {} seconds old: finality lags, or the nodes \
			 withhold newer blocks",
			at.block_number(),
			age.as_secs()
		));
	}
	Ok(())
}

/// Reads a hash of 32 bytes in hex, with or without `0x`.
fn parse_hash(text: &str) -> Result<[u8; 32], &'static str> {
	let digits = text.strip_prefix("0x").unwrap_or(text);
	FromHex::from_hex(digits).map_err(|_| "a hash has 64 hex digits")
}

impl Context {
	/// Returns whether an index is named, on the command line or by the profile.
	pub fn names_index(&self) -> bool {
		self.index_text().is_some()
	}

	pub fn is_light(&self) -> bool {
		self.global.light.is_some()
	}

	/// Asks the index for its status, and checks that it follows the chain of the profile, where
	/// the genesis hash is known. Does not connect to a node. `what` is the command.
	pub async fn index(&self, what: &'static str) -> Result<Index, Error> {
		let url = self.index_url(what)?;
		let genesis = self.known_genesis_hash()?;
		let index = Index::connect(url, self.timeout(), genesis).await?;
		let behind = index.status().behind;
		if behind > FAR_BEHIND {
			let blocks = count(behind, "block", "blocks");
			warn(&format!("warning: the index is {blocks} behind the chain"));
		}
		Ok(index)
	}

	fn index_text(&self) -> Option<&str> {
		self.global.index.as_deref().or(self.profile.index.as_deref())
	}

	/// Returns the URL of the index, to which the connection must be safe.
	pub fn index_url(&self, what: &'static str) -> Result<IndexUrl, Error> {
		let text = self.index_text().ok_or(IndexError::NotNamed(what))?;
		let url: Result<IndexUrl, _> = text.parse();
		url.and_then(|url| self.ensure_secure(&url).map(|()| url))
			.map_err(|error| self.wrong_url(Self::INDEX, error))
	}

	/// Checks that the connection to a server is encrypted, or local, or allowed to be neither.
	pub fn ensure_secure(&self, url: &IndexUrl) -> Result<(), UrlError> {
		url.ensure_secure(self.is_insecure())
	}

	/// Returns whether connections to servers need not be encrypted.
	pub fn is_insecure(&self) -> bool {
		self.global.insecure || self.profile.insecure
	}
}

#[cfg(test)]
mod tests {
	use clap::{CommandFactory, Parser};
	use content_fabric_client::class::Class;
	use tempfile::TempDir;

	use super::*;
	use crate::{
		cli::Cli,
		index::server::{Server, GENESIS},
	};

	impl Context {
		/// Returns a context with these options of all commands, and with a profile.
		fn of(options: &[&str], profile: Profile) -> Self {
			let line = [&["fabric", "tree"], options].concat();
			let cli = Cli::try_parse_from(line).expect("the command line is sound; qed");
			Self { global: cli.global, profile }
		}

		/// Returns a context without a profile, and perhaps with an index.
		pub(crate) fn with_index(index: Option<&Server>) -> Self {
			// A given hash needs no look at the pins of whoever runs the test.
			let genesis = hex::encode(GENESIS);
			let url = index.map(|index| index.url.to_string());
			let mut options = vec!["--timeout", "10", "--genesis-hash", &genesis];
			options.extend(url.iter().flat_map(|url| ["--index", url]));
			Self::of(&options, Profile::default())
		}
	}

	fn endpoint(context: &Context) -> Endpoint {
		context.endpoint(context.source().expect("it is the URL of a node; qed"))
	}

	fn main_profile() -> Profile {
		let url = Some("wss://rpc.example.com/sesame".to_owned());
		Profile { name: Some("main".into()), url, ..Profile::default() }
	}

	#[test]
	fn the_secrets_of_a_url_are_not_repeated() {
		for url in ["https://host/sesame", "sesame@host", "wss//host?key=sesame"] {
			let error =
				Context::of(&["--url", url], Profile::default()).url().expect_err("refused; qed");
			assert!(!format!("{error} {error:?}").contains("sesame"), "{error}");
		}
		// The error names what is wrong, and where it comes from.
		let wrong = |options: &[&str], profile: Profile| {
			let error = Context::of(options, profile).url().expect_err("refused; qed");
			assert_eq!(error.class(), Class::Usage);
			error.to_string()
		};
		let reason = "is not the URL of a node: expected ws:// or wss:// and a host";
		let of_profile = Profile { url: Some("localhost:1".into()), ..main_profile() };
		for (error, origin) in [
			(wrong(&["--url", "localhost:1"], Profile::default()), "--url"),
			(wrong(&[], of_profile), "`url` of the profile main"),
		] {
			assert_eq!(error, format!("{origin}: `localhost:1` {reason}"));
		}
		let command = Cli::command();
		let url = command.get_arguments().find(|argument| argument.get_id() == "url");
		assert!(url.is_some_and(clap::Arg::is_hide_env_values_set));
	}

	#[test]
	fn chains_are_pinned_by_profile_or_else_by_url_with_and_without_a_connection() {
		let key =
			|arguments: &[&str], profile| Context::of(arguments, profile).pin_key().ok().flatten();
		assert_eq!(key(&["--url", "wss://a"], main_profile()).as_deref(), Some("main"));
		assert_eq!(key(&["--url", "wss://A/"], Profile::default()).as_deref(), Some("wss://a"));
		let unnamed = Profile { name: None, ..main_profile() };
		let hashed = key(&["--timeout", "1"], unnamed).unwrap_or_default();
		assert!(hashed.starts_with("wss://rpc.example.com#"), "{hashed}");
		assert_eq!(key(&["--light", "spec.json"], main_profile()).as_deref(), Some("main"));
		assert_eq!(key(&["--light", "spec.json"], Profile::default()), None);
	}

	#[test]
	fn only_a_profile_lets_another_machine_say_that_its_chain_is_a_development_chain() {
		let remote = ["--url", "wss://rpc.example.com"];
		assert!(!endpoint(&Context::of(&remote, Profile::default())).trusts_kind);
		let pinned = Profile { genesis_hash: Some([1; 32]), ..main_profile() };
		for profile in [main_profile(), pinned] {
			assert!(!endpoint(&Context::of(&remote, profile.clone())).trusts_kind);
			let development = Profile { development: true, ..profile };
			assert!(endpoint(&Context::of(&["--timeout", "1"], development.clone())).trusts_kind);
			// The profile says nothing of the chain behind another URL.
			assert!(!endpoint(&Context::of(&remote, development)).trusts_kind);
		}
		let local = ["--url", "ws://127.0.0.1:9944"];
		assert!(endpoint(&Context::of(&local, Profile::default())).trusts_kind);
	}

	#[test]
	fn a_profile_allows_an_unencrypted_connection_to_its_own_node_only() {
		let url = Some("ws://rpc.example.com".to_owned());
		let insecure = Profile { url, insecure: true, ..Profile::default() };
		assert!(Context::of(&["--timeout", "1"], insecure.clone()).source().is_ok());
		assert!(Context::of(&["--url", "ws://other.example.com"], insecure).source().is_err());
	}

	#[test]
	fn the_timeout_holds_for_answers_too() {
		let timeout = |seconds| {
			let arguments = ["--url", "ws://127.0.0.1", "--timeout", seconds];
			endpoint(&Context::of(&arguments, Profile::default())).request_timeout.as_secs()
		};
		assert_eq!((timeout("7"), timeout("600")), (7, 60));
	}

	#[test]
	fn a_light_client_and_a_node_of_the_command_line_or_the_environment_exclude_each_other() {
		let parse = |variable, node: &[&str]| {
			let command = Cli::command().mut_arg("url", |url| url.env(variable));
			let line = [&["fabric", "tree", "--light", "spec.json"], node].concat();
			command.try_get_matches_from(line).map_err(|error| error.kind())
		};
		let url = ["--url", "ws://127.0.0.1"];
		// Everybody sets one of these variables, and nobody the other.
		for (variable, node) in [("PATH", &[][..]), ("FABRIC_URL_THAT_NOBODY_SETS", &url)] {
			let error = parse(variable, node).expect_err("one of them is too many; qed");
			assert_eq!(error, clap::error::ErrorKind::ArgumentConflict);
		}
		assert!(parse("FABRIC_URL_THAT_NOBODY_SETS", &[]).is_ok());
	}

	#[test]
	fn nobody_is_advised_to_do_without_a_hash_that_the_chain_is_known_to_check() {
		let dir = TempDir::new().expect("temporary directories can be made; qed");
		let mut pins = Pins::open(&dir.path().join("config.toml")).expect("it is empty; qed");
		let identity = |checks_metadata_hash| Identity {
			genesis_hash: [1; 32],
			decimals: 12,
			symbol: "UNIT".into(),
			kind: ChainKind::Live,
			checks_metadata_hash,
		};
		pins.pin("checks", identity(true)).expect("the directory is writable; qed");
		pins.pin("does-not", identity(false)).expect("the directory is writable; qed");
		for (key, advised) in [("checks", false), ("does-not", true), ("new", true)] {
			let error = explain(chain::Error::NoMetadataHash, &pins, Some(key));
			assert_eq!(error.to_string().contains("--no-metadata-hash"), advised, "{key}: {error}");
		}
	}

	fn index_url(arguments: &[&str], profile: Profile) -> Result<IndexUrl, Error> {
		Context::of(arguments, profile).index_url("fabric find")
	}

	#[test]
	fn the_index_is_that_of_the_command_line_or_of_the_profile() {
		let profile =
			|| Profile { index: Some("https://index.example.com".into()), ..Profile::default() };
		let shown =
			|arguments: &[&str], profile| index_url(arguments, profile).map(|url| url.to_string());
		assert_eq!(shown(&[], profile()).ok().as_deref(), Some("https://index.example.com"));
		let given = ["--index", "http://127.0.0.1:8080"];
		assert_eq!(shown(&given, profile()).ok().as_deref(), Some("http://127.0.0.1:8080"));
		let error = index_url(&[], Profile::default()).expect_err("none is named; qed");
		assert_eq!(
			error.to_string(),
			"fabric find reads the index, and none is named: pass --index URL, set FABRIC_INDEX or a \
			 profile's `index`"
		);
		assert_eq!(error.class(), Class::Usage);
	}

	#[test]
	fn an_index_on_another_machine_must_be_encrypted() {
		let plain = ["--index", "http://index.example.com/sesame"];
		let error = index_url(&plain, Profile::default()).expect_err("it is refused; qed");
		assert_eq!(error.class(), Class::Usage);
		assert!(error.to_string().contains("use https://, or pass --insecure"), "{error}");
		let consent = [&plain[..], &["--insecure"]].concat();
		assert!(index_url(&consent, Profile::default()).is_ok());
		let insecure = Profile { insecure: true, ..Profile::default() };
		assert!(index_url(&plain, insecure).is_ok());
	}
}
