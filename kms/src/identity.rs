// SPDX-License-Identifier: Apache-2.0
//! Identities: the secret keys of a KMS, and the files that hold them.

use std::{
	fs::File,
	io::{Read, Write},
	path::{Path, PathBuf},
};

use age::{
	secrecy::ExposeSecret, x25519, DecryptError, Decryptor, Encryptor, Identity as _,
	Recipient as _,
};
use age_core::format::{self, FileKey};
use base64::{engine::general_purpose::STANDARD_NO_PAD as BASE64, Engine};
use content_fabric_client::{
	keys::{self, Ask, KeyError},
	kms::Stanza,
};
use content_fabric_primitives::KmsKey;
use zeroize::Zeroizing;

use crate::error::Error;

/// The type of stanzas of files for X25519 recipients.
const X25519: &str = "X25519";
/// Largest size of an identity file, in bytes.
const MAX_FILE: usize = 64 << 10;
/// Largest number of identities. Each is tried on each stanza of a request.
const MOST: usize = 16;

/// The identities of a KMS. There is no `Debug`, as they are secret.
pub struct Identities(Vec<(KmsKey, x25519::Identity)>);

/// Makes an identity and writes it to a new file, encrypted with a passphrase. Returns its public
/// key.
pub fn create(path: &Path, passphrase_file: Option<&Path>, ask: Ask) -> Result<KmsKey, Error> {
	if path.exists() {
		return Err(KeyError::Exists(path.into()).into());
	}
	let passphrase = keys::new_password(path, passphrase_file, ask)?;
	let identity = x25519::Identity::generate();
	let key = public(&identity).map_err(invalid(path))?;
	// As `age-keygen` writes it.
	let secret = identity.to_string();
	let text = Zeroizing::new(format!("# public key: {key}\n{}\n", secret.expose_secret()));
	let mut bytes = Vec::new();
	let written = Encryptor::with_user_passphrase(passphrase).wrap_output(&mut bytes).and_then(
		|mut output| {
			output.write_all(text.as_bytes())?;
			output.finish()
		},
	);
	written.map_err(Error::file(path, "encrypted"))?;
	keys::write_new(path, &bytes)?;
	Ok(key)
}

impl Identities {
	/// Reads the files of identities, which have one passphrase if a file has it.
	pub fn load(
		files: &[PathBuf],
		passphrase_file: Option<&Path>,
		ask: Ask,
	) -> Result<Self, Error> {
		let mut identities: Vec<(KmsKey, _)> = Vec::new();
		for path in files {
			for identity in load(path, passphrase_file, ask)? {
				let key = public(&identity).map_err(invalid(path))?;
				if identities.iter().all(|(known, _)| *known != key) {
					identities.push((key, identity));
				}
				if identities.len() > MOST {
					let reason = format!("there are more than {MOST} identities with it");
					return Err(Error::Identity { path: path.clone(), reason });
				}
			}
		}
		Ok(Self(identities))
	}

	/// Returns the public keys.
	pub fn keys(&self) -> Vec<KmsKey> {
		self.0.iter().map(|(key, _)| *key).collect()
	}

	/// Returns the identities as the age library takes them.
	pub fn all(&self) -> impl Iterator<Item = &dyn age::Identity> {
		self.0.iter().map(|(_, identity)| identity as &dyn age::Identity)
	}

	/// Returns the file key of the first stanza that is for one of the identities.
	pub fn unwrap(&self, stanzas: &[Stanza]) -> Option<FileKey> {
		let stanzas = stanzas.iter().filter_map(|stanza| match &*stanza.args {
			[tag, share] if tag == X25519 => Some(format::Stanza {
				tag: tag.clone(),
				args: vec![share.clone()],
				body: stanza.body.clone(),
			}),
			_ => None,
		});
		// One that is malformed is for nobody.
		let unwrapped = |stanza: format::Stanza| {
			self.0.iter().find_map(|(_, identity)| identity.unwrap_stanza(&stanza)?.ok())
		};
		stanzas.map(unwrapped).find_map(|found| found)
	}

	/// Wraps a file key for a recipient. `None` if the recipient is not a key that anybody can have:
	/// everybody could unwrap what is wrapped for it.
	pub fn wrap(&self, recipient: &KmsKey, file_key: &FileKey) -> Option<Stanza> {
		// The age library refuses such a share, and panics with such a recipient.
		let share = BASE64.encode(recipient.0);
		let probe = format::Stanza { tag: X25519.into(), args: vec![share], body: vec![0; 32] };
		let (_, identity) = self.0.first()?;
		if identity.unwrap_stanza(&probe).is_some() {
			return None;
		}
		let recipient: x25519::Recipient = recipient.to_string().parse().ok()?;
		let (stanzas, _) = recipient.wrap_file_key(file_key).ok()?;
		let format::Stanza { tag, mut args, body } = stanzas.into_iter().next()?;
		args.insert(0, tag);
		Some(Stanza { args, body })
	}
}

/// Returns the public key of an identity.
fn public(identity: &x25519::Identity) -> Result<KmsKey, String> {
	let key = identity.to_public().to_string().parse();
	key.map_err(|error| format!("its public key is not one of a KMS: {error}"))
}

fn invalid(path: &Path) -> impl Fn(String) -> Error + '_ {
	|reason| Error::Identity { path: path.into(), reason }
}

/// Reads an identity file.
fn load(
	path: &Path,
	passphrase_file: Option<&Path>,
	ask: Ask,
) -> Result<Vec<x25519::Identity>, Error> {
	let invalid = invalid(path);
	// It may be a secret key that is not encrypted.
	let mut bytes = Zeroizing::new(Vec::with_capacity(2 * MAX_FILE));
	let file = File::open(path).map_err(Error::file(path, "read"))?;
	let limit = MAX_FILE as u64 + 1;
	file.take(limit).read_to_end(&mut bytes).map_err(Error::file(path, "read"))?;
	if bytes.len() > MAX_FILE {
		return Err(invalid(format!("it has more than {MAX_FILE} bytes")));
	}
	let decryptor = Decryptor::new(&**bytes).ok().filter(Decryptor::is_scrypt);
	let decryptor = decryptor.ok_or_else(|| {
		invalid(
			"it is not encrypted with a passphrase: make it with `fabric-kms key new`, or encrypt it \
			 with `age --passphrase --output FILE`"
				.into(),
		)
	})?;
	let passphrase = keys::password(path, passphrase_file, ask)?;
	let opened = age::scrypt::Identity::new(passphrase);
	let opened = decryptor.decrypt(std::iter::once(&opened as &dyn age::Identity));
	let mut reader = opened.map_err(|error| match error {
		DecryptError::ExcessiveWork { .. } => invalid(
			"its passphrase takes too long to check: encrypt it again on this machine".into(),
		),
		DecryptError::DecryptionFailed | DecryptError::KeyDecryptionFailed => {
			invalid("its passphrase is wrong, or it is damaged".into())
		},
		_ => invalid("it is damaged".into()),
	})?;
	// It does not grow, which would leave a copy in memory.
	let mut text = Zeroizing::new(String::with_capacity(2 * MAX_FILE));
	reader.read_to_string(&mut text).map_err(|_| invalid("it is damaged".into()))?;
	let mut identities = Vec::new();
	for (number, line) in text.lines().enumerate() {
		if !line.is_empty() && !line.starts_with('#') {
			let identity = line.parse().map_err(|reason| {
				invalid(format!("line {} is not an X25519 identity: {reason}", number + 1))
			})?;
			identities.push(identity);
		}
	}
	match identities.is_empty() {
		true => Err(invalid("it has no identity".into())),
		false => Ok(identities),
	}
}
