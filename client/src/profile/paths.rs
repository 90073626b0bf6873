// SPDX-License-Identifier: Apache-2.0
//! Paths of the client's files.

use std::{
	env,
	path::{Path, PathBuf},
};

use etcetera::BaseStrategy;

/// Name of the environment variable that names the configuration file.
pub const CONFIG: &str = "FABRIC_CONFIG";

/// The home directory is unknown, and with it the configuration directory.
#[derive(Debug, thiserror::Error)]
#[error("the home directory is unknown: set {CONFIG} to the path of the configuration file")]
pub struct NoHome {
	#[from]
	source: etcetera::HomeDirError,
}

/// Returns the path of the configuration file: [`CONFIG`], or else `fabric/config.toml` in the
/// configuration directory of the user, such as `~/.config`.
pub fn config_file() -> Result<PathBuf, NoHome> {
	match env::var_os(CONFIG) {
		Some(path) if !path.is_empty() => Ok(path.into()),
		_ => Ok(etcetera::choose_base_strategy()?.config_dir().join("fabric").join("config.toml")),
	}
}

/// Returns the path of the file of pins, which is next to a configuration file.
pub fn pins_file(config: &Path) -> PathBuf {
	config.with_file_name("known-chains.toml")
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn pins_are_next_to_the_configuration() {
		let pins = |config: &str| pins_file(Path::new(config));
		assert_eq!(pins("/a/config.toml"), Path::new("/a/known-chains.toml"));
		assert_eq!(pins("other.toml"), Path::new("known-chains.toml"));
	}
}
