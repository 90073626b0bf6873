// SPDX-License-Identifier: Apache-2.0
//! The configuration file and its profiles.

use std::{
	collections::BTreeMap,
	env, fmt,
	path::{Path, PathBuf},
};

use content_fabric_client::{keys::KeySource, profile::hash};
use etcetera::BaseStrategy;
use serde::{de, Deserialize, Deserializer};
use zeroize::Zeroizing;

use super::toml_file::{self, TomlError};
use crate::node_name::NodeName;

/// Name of the environment variable that names the configuration file.
const CONFIG: &str = "FABRIC_CONFIG";
/// Name of the environment variable that names the profile.
const PROFILE: &str = "FABRIC_PROFILE";

/// The options of a profile. Options of the command line take precedence.
///
/// Its `Debug` prints the name only, as URLs may have passwords.
#[derive(Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Profile {
	/// The name. `None` if no profile was selected.
	#[serde(skip)]
	pub name: Option<String>,
	pub url: Option<String>,
	pub index: Option<String>,
	#[serde(default, deserialize_with = "signer")]
	pub signer: Option<KeySource>,
	/// The genesis hash that the chain must have.
	#[serde(default, deserialize_with = "genesis_hash")]
	pub genesis_hash: Option<[u8; 32]>,
	/// Other nodes that `fabric put` and `publish` ask to hold the content.
	#[serde(default)]
	pub copies: Vec<NodeName>,
	/// Allows connections without encryption to other hosts.
	#[serde(default)]
	pub insecure: bool,
	/// Allows chains that do not check the hash of their metadata.
	#[serde(default)]
	pub no_metadata_hash: bool,
	/// Lets a node on another machine say that its chain is for development.
	#[serde(default)]
	pub development: bool,
}

/// An error of the configuration file.
#[derive(Debug, thiserror::Error)]
pub enum ProfileError {
	/// There is no place for the file.
	#[error("the home directory is unknown: set {CONFIG} to the path of the configuration file")]
	NoHome(#[from] etcetera::HomeDirError),
	/// The file cannot be read, or does not have the format of a configuration.
	#[error(transparent)]
	Toml(#[from] TomlError),
	/// The file has no profile of the name.
	#[error("{path} has no profile `{name}`: {known}", path = path.display())]
	Unknown { path: PathBuf, name: String, known: String },
}

/// Returns the path of the configuration file: [`CONFIG`], or else `fabric/config.toml` in the
/// configuration directory of the user, such as `~/.config`.
pub fn config_file() -> Result<PathBuf, ProfileError> {
	match env::var_os(CONFIG) {
		Some(path) if !path.is_empty() => Ok(path.into()),
		_ => Ok(etcetera::choose_base_strategy()?.config_dir().join("fabric").join("config.toml")),
	}
}

impl Profile {
	/// Reads the configuration file and selects a profile: the named one, or else the one in the
	/// environment variable `FABRIC_PROFILE`, or else the default of the file, or else one without
	/// options. A missing file is an empty one.
	pub fn select(name: Option<&str>) -> Result<Self, ProfileError> {
		let variable = env::var_os(PROFILE).filter(|name| !name.is_empty());
		let variable = variable.map(|name| name.to_string_lossy().into_owned());
		Self::select_in(&config_file()?, name, variable.as_deref())
	}

	fn select_in(
		path: &Path,
		name: Option<&str>,
		variable: Option<&str>,
	) -> Result<Self, ProfileError> {
		let config: Config = toml_file::read(path, |_| "correct that line".into())?;
		let Some(name) = name.or(variable).or(config.default_profile.as_deref()) else {
			return Ok(Self::default());
		};
		let mut profiles = config.profile;
		match profiles.remove(name) {
			Some(profile) => Ok(Self { name: Some(name.into()), ..profile }),
			None => Err(ProfileError::Unknown {
				path: path.into(),
				name: name.into(),
				known: known(profiles.into_keys().collect()),
			}),
		}
	}
}

impl fmt::Debug for Profile {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.debug_struct("Profile").field("name", &self.name).finish_non_exhaustive()
	}
}

/// The file.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Config {
	default_profile: Option<String>,
	#[serde(default)]
	profile: BTreeMap<String, Profile>,
}

/// Reads a source of a key. A secret does not belong in the file, and no error repeats it.
fn signer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<KeySource>, D::Error> {
	let expected =
		"signer must be env:NAME, file:PATH, keystore:PATH, - or a development key such \
	                as \"//Alice\": a phrase or seed does not belong in this file";
	let refused = || de::Error::custom(expected);
	let text = String::deserialize(deserializer).map(Zeroizing::new).map_err(|_| refused())?;
	let Ok(source) = text.parse();
	match source {
		KeySource::Phrase(_) => Err(refused()),
		source => Ok(Some(source)),
	}
}

fn genesis_hash<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<[u8; 32]>, D::Error> {
	hash::deserialize(deserializer).map(Some)
}

/// Returns the names of the file, in words.
fn known(names: Vec<String>) -> String {
	if names.is_empty() {
		return "it has no profiles".into();
	}
	format!("expected one of {}", names.join(", "))
}

#[cfg(test)]
mod tests {
	use std::fs;

	use tempfile::TempDir;

	use super::*;

	const CONFIG: &str = r#"
default-profile = "main"

[profile.main]
url = "wss://rpc.example.com"
index = "https://index.example.com"
signer = "keystore:/home/me/root.json"
genesis-hash = "0x0101010101010101010101010101010101010101010101010101010101010101"

[profile.test]
url = "ws://10.0.0.1:9944"
signer = "//Alice"
insecure = true
no-metadata-hash = true
development = true
"#;

	fn select(
		text: &str,
		name: Option<&str>,
		variable: Option<&str>,
	) -> Result<Profile, ProfileError> {
		let dir = TempDir::new().expect("temporary directories can be made; qed");
		let path = dir.path().join("config.toml");
		fs::write(&path, text).expect("the directory is writable; qed");
		Profile::select_in(&path, name, variable)
	}

	fn error(text: &str) -> String {
		let error = select(text, None, None).expect_err("the text is refused; qed");
		assert!(!error.to_string().contains('\n'), "{error}");
		format!("{error} {error:?}")
	}

	#[test]
	fn a_profile_has_the_options_of_its_section() {
		let main = select(CONFIG, None, None).expect("it is sound; qed");
		assert_eq!(main.name.as_deref(), Some("main"));
		assert_eq!(main.url.as_deref(), Some("wss://rpc.example.com"));
		assert_eq!(main.index.as_deref(), Some("https://index.example.com"));
		assert!(matches!(main.signer, Some(KeySource::Keystore(_))));
		assert_eq!(main.genesis_hash, Some([1; 32]));
		assert!(!main.insecure && !main.no_metadata_hash && !main.development);

		let test = select(CONFIG, Some("test"), None).expect("it is sound; qed");
		assert!(matches!(test.signer, Some(KeySource::Development(_))));
		assert_eq!(test.genesis_hash, None);
		assert!(test.insecure && test.no_metadata_hash && test.development);
	}

	#[test]
	fn the_option_overrides_the_variable_and_the_variable_the_default() {
		let name = |name, variable| select(CONFIG, name, variable).map(|profile| profile.name);
		assert_eq!(name(Some("main"), Some("test")).ok().flatten().as_deref(), Some("main"));
		assert_eq!(name(None, Some("test")).ok().flatten().as_deref(), Some("test"));
		assert_eq!(name(None, None).ok().flatten().as_deref(), Some("main"));
	}

	#[test]
	fn without_a_file_or_a_default_there_are_no_options() {
		let dir = TempDir::new().expect("temporary directories can be made; qed");
		let missing = Profile::select_in(&dir.path().join("no/config.toml"), None, None);
		let other = select("[profile.main]\nurl = \"ws://x\"", None, None);
		for profile in [missing, other] {
			let profile = profile.expect("it is sound; qed");
			assert!(profile.name.is_none() && profile.url.is_none() && profile.signer.is_none());
		}
	}

	#[test]
	fn an_unknown_name_lists_the_names() {
		let error = select(CONFIG, Some("mian"), None).expect_err("there is none; qed");
		let text = error.to_string();
		assert!(text.ends_with("no profile `mian`: expected one of main, test"), "{text}");
		let error = select("default-profile = \"main\"", None, None).expect_err("none; qed");
		assert!(error.to_string().ends_with("no profile `main`: it has no profiles"), "{error}");
	}

	#[test]
	fn a_secret_is_refused_and_not_repeated() {
		let phrase = "legal winner thank year wave sausage worth useful legal winner thank yellow";
		let seed = "0xe5be9a5092b81bca64be81d212e7f2f9eba183bb7a90954f7b76361f6edb5c0a";
		let quoted = |text: &str| format!("\"{text}\"");
		for (value, reason) in [
			(quoted(phrase), "signer must be "),
			(quoted(seed), "signer must be "),
			(quoted("//Alice///winner"), "signer must be "),
			(format!("[\"{phrase}\"]"), "signer must be "),
			(phrase.into(), ""),
			(seed.into(), ""),
			(format!("\"{phrase}"), ""),
		] {
			let shown = error(&format!("[profile.main]\nsigner = {value}\n"));
			let expected = format!("config.toml, section [profile.main], line 2: {reason}");
			assert!(shown.contains(&expected), "{shown}");
			assert!(!shown.contains("winner") && !shown.contains("5be9a5"), "{shown}");
		}
	}

	#[test]
	fn debug_prints_the_name_only() {
		let profile = select(CONFIG, None, None).expect("it is sound; qed");
		assert_eq!(format!("{profile:?}"), "Profile { name: Some(\"main\"), .. }");
	}

	#[test]
	fn errors_name_the_line_and_repeat_no_value() {
		for (text, expected) in [
			(
				"[profile.main]\nurl = \"ws://x\"\nsinger = \"//Alice\"\n",
				"section [profile.main], line 3: unknown field `singer`",
			),
			(
				"\n[profile.main]\ngenesis-hash = \"0x12\"\n",
				"section [profile.main], line 3: expected a hash of 0x",
			),
			("[profile.main\n", "section [profile.main], line 1: "),
			("profile = \"legal winner\"", "line 1: invalid type: string, expected a map"),
			(
				"[profile.a]\ninsecure = \"legal\\\" winner\"",
				"section [profile.a], line 2: invalid type: string, expected a boolean",
			),
		] {
			let shown = error(text);
			assert!(shown.contains(&format!("config.toml, {expected}")), "{shown}");
			assert!(!shown.contains("winner"), "{shown}");
		}
	}
}
