//! What all commands share: which node they talk to, and how they print.

use std::{sync::Arc, time::Duration};

use clap::Args;

use crate::{
	chain::{Chain, Endpoint},
	keys::{ChainKind, KeySource, Signer},
	output::warn,
	profile::{config_file, pins_file, Identity, Known, NodeUrl, Pins, Profile, ProfileError},
	Error,
};

/// The node of a development chain on this machine.
const DEFAULT_URL: &str = "ws://127.0.0.1:9944";

/// The options of all commands.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Connection and output")]
pub struct Global {
	/// The URL of the node's JSON-RPC server, ws:// or wss://
	///
	/// [default: that of the profile, or ws://127.0.0.1:9944]
	#[arg(long, global = true, env = "FABRIC_URL", value_name = "URL")]
	pub url: Option<NodeUrl>,
	/// The profile in the configuration file
	#[arg(long, global = true, env = "FABRIC_PROFILE", value_name = "NAME")]
	pub profile: Option<String>,
	/// The genesis hash that the chain must have
	#[arg(long, global = true, value_name = "HASH", value_parser = parse_hash)]
	pub genesis_hash: Option<[u8; 32]>,
	/// Allow a ws:// URL, which is not encrypted, to another machine
	#[arg(long, global = true)]
	pub insecure: bool,
	/// Sign without the hash of the metadata: trust the node about the meaning of calls
	#[arg(long, global = true)]
	pub no_metadata_hash: bool,
	/// Print the result, or the error, as one line of JSON
	#[arg(long, global = true)]
	pub json: bool,
	/// Seconds to wait for a transaction to get into a block
	#[arg(long, global = true, default_value_t = 120, value_name = "SECONDS")]
	pub timeout: u64,
}

/// What all commands share, resolved.
#[derive(Debug)]
pub struct Context {
	global: Global,
	profile: Profile,
}

impl Context {
	/// Reads the configuration.
	pub fn new(global: Global) -> Result<Self, Error> {
		let profile = Profile::select(global.profile.as_deref())?;
		Ok(Self { global, profile })
	}

	/// Returns whether results are printed as JSON.
	pub fn json(&self) -> bool {
		self.global.json
	}

	/// Returns the time to wait for a transaction to get into a block.
	pub fn timeout(&self) -> Duration {
		Duration::from_secs(self.global.timeout)
	}

	/// Returns the key of the profile.
	pub(crate) fn profile_signer(&self) -> Option<&KeySource> {
		self.profile.signer.as_ref()
	}

	/// Connects to the node.
	///
	/// The first connection with a profile pins the identity of the chain: its genesis hash and its
	/// currency. Without a profile, live chains are pinned by URL. Development chains, which are
	/// often made anew, are not pinned.
	pub async fn connect(&self) -> Result<Arc<Chain>, Error> {
		let Global { url, genesis_hash, insecure, no_metadata_hash, .. } = &self.global;
		let url = match url.clone() {
			Some(url) => url,
			None => self.profile.url.as_deref().unwrap_or(DEFAULT_URL).parse()?,
		};
		url.ensure_secure(*insecure || self.profile.insecure)?;
		let (profile, pin_key) = (self.profile.name.is_some(), self.profile.pin_key(&url));
		let endpoint = Endpoint {
			url,
			genesis_hash: genesis_hash.or(self.profile.genesis_hash),
			metadata_hash: !(*no_metadata_hash || self.profile.no_metadata_hash),
		};
		let chain = Chain::connect(endpoint).await?;
		check_pin(profile, &pin_key, &chain)?;
		Ok(Arc::new(chain))
	}

	/// Returns the genesis hash that the chain must have, where one is known without a connection:
	/// that of the command line, that of the profile, or the pinned one.
	pub fn known_genesis_hash(&self) -> Result<Option<[u8; 32]>, Error> {
		if let Some(hash) = self.global.genesis_hash.or(self.profile.genesis_hash) {
			return Ok(Some(hash));
		}
		let url = self.global.url.as_ref().map(NodeUrl::to_string);
		let key = self.profile.name.clone().or(url).or_else(|| self.profile.url.clone());
		let Some(key) = key else { return Ok(None) };
		let config = config_file().map_err(ProfileError::from)?;
		Ok(Pins::open(pins_file(&config))?.pinned(&key).map(|identity| identity.genesis_hash))
	}

	/// Reads a key that signs without a connection to a chain: the one that is given, or that of the
	/// profile.
	pub fn offline_signer(
		&self,
		given: Option<&KeySource>,
		option: &'static str,
	) -> Result<Signer, Error> {
		let source = given.or(self.profile.signer.as_ref()).ok_or(Error::NoKey { option })?;
		let signer = source.load(ChainKind::Live)?;
		if signer.is_public() {
			warn(&format!("warning: everybody knows the key {source}"));
		}
		Ok(signer)
	}

	/// Reads the key that signs: the one that is given, that of `FABRIC_SIGNER`, that of the
	/// profile, or `development`, but only on a development chain.
	///
	/// `option` is the name of the option that gives the key.
	pub fn signer(
		&self,
		chain: &Chain,
		given: Option<&KeySource>,
		option: &'static str,
		development: &str,
	) -> Result<Signer, Error> {
		let source = given.cloned().or_else(|| self.profile.signer.clone());
		let kind = chain.identity().kind;
		let source = match source {
			Some(source) => source,
			None if kind == ChainKind::Development => {
				KeySource::Development(development.to_owned())
			},
			None => return Err(Error::NoKey { option }),
		};
		let signer = source.load(kind)?;
		if signer.is_public() && kind == ChainKind::Live {
			warn(&format!("warning: everybody knows the key {source}"));
		}
		Ok(signer)
	}
}

/// Compares the chain with what is pinned under a key, the name of a profile or a URL, or pins it.
fn check_pin(is_profile: bool, key: &str, chain: &Chain) -> Result<(), Error> {
	let identity = chain.identity();
	let found = Identity {
		genesis_hash: identity.genesis_hash,
		decimals: identity.units.decimals(),
		symbol: identity.units.symbol().to_owned(),
	};
	let config = config_file().map_err(ProfileError::from)?;
	let mut pins = Pins::open(pins_file(&config))?;
	let pinned = pins.check(key, &found)?;
	let lasts = match identity.kind {
		ChainKind::Development => false,
		ChainKind::Local => is_profile,
		ChainKind::Live => true,
	};
	if pinned == Known::No && lasts {
		pins.pin(key, found)?;
	}
	Ok(())
}

/// Reads a hash of 32 bytes in hex, with or without `0x`.
fn parse_hash(text: &str) -> Result<[u8; 32], String> {
	let mut hash = [0; 32];
	let digits = text.strip_prefix("0x").unwrap_or(text);
	hex::decode_to_slice(digits, &mut hash)
		.map_err(|_| "a hash has 64 hex digits".to_owned())
		.map(|()| hash)
}
