// SPDX-License-Identifier: Apache-2.0
//! Passwords of keystores.

use std::path::{Path, PathBuf};

use subxt_signer::SecretString;
use zeroize::Zeroizing;

use super::{read, KeyError};

/// Name of the environment variable that names the file with the password of keystores.
pub const PASSWORD_FILE: &str = "FABRIC_PASSWORD_FILE";

/// A source of the password of a keystore.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PasswordSource {
	/// A file that only its owner may read. Its one line is the password.
	File(PathBuf),
	/// A prompt on the terminal, without echo.
	Prompt,
}

impl PasswordSource {
	/// Returns the file that [`PASSWORD_FILE`] names, or else the prompt.
	pub fn from_environment() -> Self {
		match std::env::var_os(PASSWORD_FILE) {
			Some(path) if !path.is_empty() => Self::File(path.into()),
			_ => Self::Prompt,
		}
	}

	/// Reads the password of a keystore.
	pub(super) fn read(&self, keystore: &Path) -> Result<SecretString, KeyError> {
		match self {
			Self::File(path) => read::from_file(path, &path.display().to_string()),
			Self::Prompt => {
				let prompt = format!("password of {}: ", keystore.display());
				let password = rpassword::prompt_password(prompt);
				let failed = |source| KeyError::NoTerminal { path: keystore.into(), source };
				// Making it a secret may move it, and leave the first copy behind.
				Ok(Zeroizing::new(password.map_err(failed)?).as_str().into())
			},
		}
	}
}
