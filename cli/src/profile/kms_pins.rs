// SPDX-License-Identifier: Apache-2.0
//! Pinned keys of KMSes: a node that lies about the key of a tenant's KMS could have everything
//! encrypted for itself.

use std::{
	collections::BTreeMap,
	fs, io,
	path::{Path, PathBuf},
};

use content_fabric_identifiers::{KmsId, TenantId};
use content_fabric_primitives::KmsKey;

use super::{
	pins::{folder_of, lock, write, LOCK_TIMEOUT},
	toml_file::{self, TomlError},
};

/// The first lines of the file.
const HEADER: &str = "# Keys of KMSes for which the client `fabric` has encrypted files. It asks \
                      before it uses another one.\n\n";

/// An error of the file of pins.
#[derive(Debug, thiserror::Error)]
pub enum KmsPinError {
	/// The file cannot be read, or is damaged.
	#[error(transparent)]
	Toml(#[from] TomlError),
	/// The key is not a pinned one.
	#[error(
		"the KMS {kms} of {tenant} has the key {key}, but {pinned} is pinned: the node may be \
		 dishonest; if the tenant has changed the key, pass --kms-key {key}"
	)]
	Changed { tenant: TenantId, kms: KmsId, key: KmsKey, pinned: String },
	/// The file cannot be written.
	#[error("cannot write {path}: {source}", path = path.display())]
	Write { path: PathBuf, source: io::Error },
}

/// The keys by KMS.
pub type Keys = BTreeMap<String, KmsKey>;

/// The keys, by the name of a profile or the URL of a node, by tenant, and by KMS.
type Pinned = BTreeMap<String, BTreeMap<String, Keys>>;

/// The pinned keys, and their file.
pub struct KmsPins {
	path: PathBuf,
	pinned: Pinned,
}

impl KmsPins {
	/// Reads the file, which is next to a configuration file. A missing file is an empty one.
	pub fn open(config: &Path) -> Result<Self, KmsPinError> {
		let path = config.with_file_name("known-kms-keys.toml");
		Ok(Self { pinned: read(&path)?, path })
	}

	/// Returns the keys that are pinned for a tenant.
	pub fn of(&self, profile: &str, tenant: TenantId) -> Option<&Keys> {
		self.pinned.get(profile)?.get(&tenant.to_string())
	}

	/// Pins the key of a KMS, in place of another one. Keeps what other processes have pinned since
	/// the file was read.
	pub fn pin(
		&mut self,
		profile: &str,
		(tenant, kms): (TenantId, KmsId),
		key: KmsKey,
	) -> Result<(), KmsPinError> {
		let failed = |source| KmsPinError::Write { path: self.path.clone(), source };
		fs::create_dir_all(folder_of(&self.path)).map_err(failed)?;
		// Unlocked when dropped. The file itself cannot be the lock, as it is replaced.
		let _lock = lock(&self.path, LOCK_TIMEOUT).map_err(failed)?;
		self.pinned = read(&self.path)?;
		let tenants = self.pinned.entry(profile.into()).or_default();
		tenants.entry(tenant.to_string()).or_default().insert(kms.to_string(), key);
		write(&self.path, HEADER, &self.pinned).map_err(failed)
	}
}

fn read(path: &Path) -> Result<Pinned, TomlError> {
	toml_file::read(path, |section| {
		let remove = if section.is_some() { "the section" } else { "the file" };
		format!("the file is damaged: remove {remove}, and the client pins the keys anew")
	})
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn keys_are_pinned_by_profile_tenant_and_kms() {
		let dir = tempfile::tempdir().expect("temporary directories can be made; qed");
		let config = dir.path().join("fabric").join("config.toml");
		let open = || KmsPins::open(&config).expect("the file is sound; qed");
		let [tenant, other] = [1, 2].map(|byte| TenantId([byte; 10]));
		let [kms, second] = [3, 4].map(|byte| KmsId([byte; 10]));
		let (mut pins, mut late) = (open(), open());
		pins.pin("ws://node:9944", (tenant, kms), KmsKey([5; 32])).expect("there is room; qed");
		// A process that has read the file before keeps what is there.
		late.pin("main", (tenant, second), KmsKey([6; 32])).expect("there is room; qed");
		pins.pin("main", (tenant, second), KmsKey([7; 32])).expect("there is room; qed");
		let pins = open();
		let expected = |kms: KmsId, key| Keys::from([(kms.to_string(), KmsKey([key; 32]))]);
		assert_eq!(pins.of("ws://node:9944", tenant), Some(&expected(kms, 5)));
		assert_eq!(pins.of("main", tenant), Some(&expected(second, 7)));
		assert_eq!((pins.of("main", other), pins.of("other", tenant)), (None, None));
	}

	#[test]
	fn a_damaged_file_is_an_error_that_names_it() {
		let dir = tempfile::tempdir().expect("temporary directories can be made; qed");
		let config = dir.path().join("config.toml");
		let path = dir.path().join("known-kms-keys.toml");
		fs::write(path, "[main.iten]\nikms = \"age1\"\n").expect("there is room; qed");
		let error = KmsPins::open(&config).map(drop).expect_err("it is damaged; qed").to_string();
		assert!(error.contains("known-kms-keys.toml, section [main.iten], line "), "{error}");
		assert!(
			error.ends_with("remove the section, and the client pins the keys anew"),
			"{error}"
		);
	}
}
