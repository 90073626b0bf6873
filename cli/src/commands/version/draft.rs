// SPDX-License-Identifier: Apache-2.0
//! Drafts of commits: what a provider's node takes in for a tenant.

use std::str::FromStr;

use clap::{
	builder::{PossibleValuesParser, TypedValueParser},
	ArgMatches, Args, Command, FromArgMatches, Id,
};
use content_fabric_client::{
	chain::{wall_clock, Chain, MuidSource, VersionCommit},
	drafts::Draft,
	ids::{ObjectArgument, VersionArgument},
	text::count,
};
use content_fabric_identifiers::{HashKind, KmsId, NodeId, ProviderId, TenantId};
use content_fabric_primitives::DraftVersion;

use crate::{commands::Context, Error};

/// The options that describe a commit.
#[derive(Clone, Debug, Args)]
pub struct DraftOptions {
	/// The tenant, iten…
	tenant: TenantId,
	/// The content object, iq__… or itq_…
	#[arg(requires = "version")]
	object: Option<ObjectArgument>,
	/// The version: hq__…, its hash in hex, or its CID
	version: Option<VersionArgument>,
	/// One of several versions, instead of OBJECT and VERSION
	#[arg(long = "version", value_name = "OBJECT:VERSION[:SIZE]", conflicts_with = "object")]
	versions: Vec<SizedVersion>,
	/// The kind of hash that the versions are, except those that are named by their CID
	#[arg(long, value_name = "KIND", value_parser = hash_parser(), default_value = "blake3")]
	hash: HashKind,
	/// The provider whose node takes in the data, iprv…
	#[arg(long, value_name = "ID")]
	provider: ProviderId,
	/// The node, inod…
	#[arg(long, value_name = "ID")]
	node: NodeId,
	/// The tenant's KMS for which the data is encrypted, ikms…: each version is then an age file
	/// [default: the data is plain]
	#[arg(long, value_name = "ID")]
	kms: Option<KmsId>,
	/// Size of the data of VERSION in bytes. May be left out for a SHA-256 hash
	#[arg(long, value_name = "N", requires = "object")]
	size: Option<u64>,
	/// Make the versions the heads of their objects when they are finalized
	#[arg(long)]
	head: bool,
	/// Create the objects that do not exist
	#[arg(long)]
	create_objects: bool,
}

/// The options that describe a commit, where another option may stand for them.
#[derive(Clone, Debug)]
pub struct MaybeDraftOptions(pub Option<DraftOptions>);

impl Args for MaybeDraftOptions {
	fn augment_args(command: Command) -> Command {
		// None of these is required for an update.
		DraftOptions::augment_args_for_update(command)
	}

	fn augment_args_for_update(command: Command) -> Command {
		DraftOptions::augment_args_for_update(command)
	}

	fn group_id() -> Option<Id> {
		DraftOptions::group_id()
	}
}

impl FromArgMatches for MaybeDraftOptions {
	fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
		let is_given = Self::group_id().is_some_and(|group| matches.contains_id(group.as_str()));
		let options = is_given.then(|| DraftOptions::from_arg_matches(matches));
		options.transpose().map(Self)
	}

	fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
		*self = Self::from_arg_matches(matches)?;
		Ok(())
	}
}

/// A version on the command line: `OBJECT:VERSION`, or `OBJECT:VERSION:SIZE`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct SizedVersion {
	object: ObjectArgument,
	version: VersionArgument,
	size: u64,
}

/// Reads the name of a kind of hash, and lists them in the help.
fn hash_parser() -> impl TypedValueParser<Value = HashKind> {
	PossibleValuesParser::new(HashKind::ALL.map(HashKind::as_str))
		.try_map(|text| HashKind::parse(&text))
}

impl FromStr for SizedVersion {
	type Err = Error;

	fn from_str(text: &str) -> Result<Self, Error> {
		let invalid = |reason: &str| Error::Text {
			text: text.into(),
			what: "OBJECT:VERSION or OBJECT:VERSION:SIZE",
			reason: reason.into(),
		};
		let mut parts = text.splitn(3, ':');
		let object = parts.next().unwrap_or_default().parse()?;
		let version = parts.next().ok_or_else(|| invalid("the version is missing"))?;
		let size = parts.next().map(str::parse).transpose();
		Ok(Self {
			object,
			version: version.parse()?,
			size: size
				.map_err(|_| invalid("the size is not a number of bytes"))?
				.unwrap_or(DraftVersion::SIZE_UNKNOWN),
		})
	}
}

impl DraftOptions {
	pub async fn run(self, context: &Context) -> Result<Draft, Error> {
		self.ensure_sound()?;
		let chain = context.connect().await?;
		let commit = self.resolve(&chain).await?;
		Ok(Draft::new(chain.identity().genesis_hash, &commit))
	}

	/// Returns the commit, with the muid that comes next on the chain.
	pub async fn resolve(&self, chain: &Chain) -> Result<VersionCommit, Error> {
		let versions = self.versions()?;
		let stands_still = chain.stands_still(&chain.best().await?).await?;
		let at = chain.best().await?;
		let limit: u32 = at.constant("ContentFabric", "MaxVersionsPerCommit")?;
		let number = versions.len();
		let too_many = || {
			Error::Usage(format!(
				"{} are named, and the chain accepts at most {limit} in one commit",
				count(number as u64, "version", "versions")
			))
		};
		if u32::try_from(number).is_ok_and(|number| number > limit) {
			return Err(too_many());
		}
		let ids = (self.provider, self.node);
		let mut muids = MuidSource::read(&at, ids, stands_still).await?;
		Ok(VersionCommit {
			muid: muids.next(at.now_micros().await?, wall_clock())?,
			originator: self.provider,
			node: self.node,
			copies: Default::default(),
			tenant: self.tenant,
			kms: self.kms,
			create_objects: self.create_objects,
			versions: versions.try_into().map_err(|_| too_many())?,
		})
	}

	/// Checks what needs no chain.
	pub fn ensure_sound(&self) -> Result<(), Error> {
		self.versions().map(drop)
	}

	fn versions(&self) -> Result<Vec<DraftVersion>, Error> {
		let one = self.object.zip(self.version).map(|(object, version)| SizedVersion {
			object,
			version,
			size: self.size.unwrap_or(DraftVersion::SIZE_UNKNOWN),
		});
		let draft = |argument: &SizedVersion| {
			let VersionArgument { version, hash } = argument.version;
			let draft = DraftVersion {
				object: argument.object.of(self.tenant)?,
				version,
				hash: hash.unwrap_or(self.hash),
				size: argument.size,
				set_head_on_finalize: self.head,
			};
			match draft.lacks_size() {
				false => Ok(draft),
				true => Err(Error::Usage(format!(
					"the size of {version} is missing, and a BLAKE3 hash needs it: pass --size, or \
					 OBJECT:VERSION:SIZE. If the hash is SHA-256, pass --hash sha256 or its CID \
					 (bafkrei…)"
				))),
			}
		};
		let versions: Vec<_> =
			one.iter().chain(&self.versions).map(draft).collect::<Result<_, Error>>()?;
		match versions.is_empty() {
			false => Ok(versions),
			true => Err(Error::Usage(
				"no version is named: give an OBJECT and a VERSION, or several with --version"
					.into(),
			)),
		}
	}
}

#[cfg(test)]
mod tests {
	use content_fabric_identifiers::{ContentObjectId, VersionId};

	use super::*;

	#[test]
	fn versions_are_named_with_their_object_and_perhaps_a_size() {
		let (object, version) = (ContentObjectId([1; 10]), VersionId([2; 32]));
		for (suffix, size) in [("", 0), (":0", 0), (":18446744073709551615", u64::MAX)] {
			let read = format!("{object}:{version}{suffix}").parse::<SizedVersion>();
			let argument = read.expect("it is a version");
			assert_eq!(argument.object, ObjectArgument::Object(object));
			assert_eq!(
				(argument.version, argument.size),
				(VersionArgument { version, hash: None }, size)
			);
		}
		for text in [
			String::new(),
			object.to_string(),
			format!("{version}:{object}"),
			format!("{object}:{version}:"),
			format!("{object}:{version}:1.5"),
			format!("{object}:{version}:1:2"),
		] {
			let error = text.parse::<SizedVersion>().expect_err("it is not a version");
			assert_eq!(error.to_string().lines().count(), 1, "{error}");
		}
	}
}
