// SPDX-License-Identifier: Apache-2.0
//! Signing keys and their sources.
//!
//! A [`KeySource`] names the place of a key; it is the type of the arguments that take a key.
//! [`KeySource::load`] reads the key and returns a [`Signer`]; [`KeySource::load_asking`] may ask a
//! person for it. No `Display`, `Debug` or error of
//! this module contains a secret, and the module wipes its own copies of secrets.

mod error;
mod keystore;
mod new;
mod read;
mod signer;
mod source;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use error::KeyError;
pub use keystore::{new_password, password};
pub use new::{write_new, NewKey};
pub use read::secret_file;
pub use signer::Signer;
pub use source::{looks_secret, Ask, Identified, KeySource};

/// The kind of a chain, as its node reports it by `system_chainType`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChainKind {
	/// A development chain. Its keys are public.
	Development,
	/// A chain of several nodes on one machine.
	Local,
	/// A chain with real value, and every chain of an unknown kind.
	Live,
}

impl fmt::Display for ChainKind {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.write_str(match self {
			Self::Development => "development",
			Self::Local => "local",
			Self::Live => "live",
		})
	}
}

#[cfg(test)]
mod tests {
	use std::io::Write;

	use tempfile::NamedTempFile;

	/// Returns a file with these permission bits.
	pub(super) fn written(bytes: &[u8], mode: u32) -> NamedTempFile {
		let mut file = NamedTempFile::new().expect("temporary files can be made; qed");
		file.write_all(bytes).expect("the file is writable; qed");
		#[cfg(unix)]
		{
			use std::os::unix::fs::PermissionsExt;
			let permissions = std::fs::Permissions::from_mode(mode);
			file.as_file().set_permissions(permissions).expect("the file is ours; qed");
		}
		file
	}
}
