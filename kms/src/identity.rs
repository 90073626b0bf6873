// SPDX-License-Identifier: Apache-2.0
//! Identities: the secret keys of a KMS, and the files that hold them.

use std::{
	fmt::Write,
	io::Read,
	iter,
	path::{Path, PathBuf},
};

use age::{
	scrypt, secrecy::ExposeSecret, x25519, DecryptError, Decryptor, Identity as _, Recipient as _,
};
use age_core::format::FileKey;
use content_fabric_client::{
	chain::wall_clock,
	keys::{self, Ask, KeyError},
	kms::{is_of_low_order, Stanza},
};
use content_fabric_primitives::{KmsKey, Until};
use jiff::Timestamp;
use zeroize::Zeroizing;

use crate::error::Error;

/// Largest size of an identity file, in bytes.
const MAX_FILE: usize = 64 << 10;
/// Largest number of identities. Each is tried on each stanza of a request.
const MOST: usize = 16;
/// The work factor of passphrases: the binary logarithm of scrypt's N. Opening the file takes 32
/// MiB of memory. By default, age chooses a factor that takes a second, and up to a gigabyte.
const WORK: u8 = 15;

/// Start of the line that says when an identity was made. `age-keygen` writes it, too.
const MADE: &str = "# created: ";

/// The problem of a file without usable identities.
const UNUSABLE: &str = "is not a usable identity file";

/// The identities of a KMS. There is no `Debug`, as they are secret.
pub struct Identities {
	by_key: Vec<(KmsKey, x25519::Identity)>,
	/// When the first of them was made, as far as the files say so, in seconds since the Unix epoch.
	pub made: Option<u64>,
}

/// Makes an identity and writes it to a new file, encrypted with a passphrase. Returns its public
/// key.
pub fn create(path: &Path, passphrase_file: Option<&Path>, ask: Ask) -> Result<KmsKey, Error> {
	if path.exists() {
		return Err(KeyError::Exists(path.into()).into());
	}
	let mut recipient = scrypt::Recipient::new(keys::new_password(path, passphrase_file, ask)?);
	recipient.set_work_factor(WORK);
	let identity = x25519::Identity::generate();
	let (key, secret) = (public(&identity), identity.to_string());
	// As `age-keygen` writes it. It does not grow, which would leave a copy in memory.
	let mut text = Zeroizing::new(String::with_capacity(512));
	let (now, secret) = (Until::new(wall_clock() / 1_000_000), secret.expose_secret());
	// Writing to a string does not fail.
	let _ = write!(text, "{MADE}{now}\n# public key: {key}\n{secret}\n");
	let encrypted = age::encrypt(&recipient, text.as_bytes());
	let encrypted = encrypted.map_err(Error::file(path, "cannot be encrypted"))?;
	keys::write_new(path, &encrypted)?;
	Ok(key)
}

impl Identities {
	/// Reads the files of identities, which have one passphrase if a file has it.
	pub fn load(
		files: &[PathBuf],
		passphrase_file: Option<&Path>,
		ask: Ask,
	) -> Result<Self, Error> {
		let (mut identities, mut first) = (Vec::<(KmsKey, _)>::new(), None);
		for path in files {
			let (found, made) = load(path, passphrase_file, ask)?;
			first = first.into_iter().chain(made).min();
			for identity in found {
				let key = public(&identity);
				if identities.iter().all(|(known, _)| *known != key) {
					identities.push((key, identity));
				}
			}
			if identities.len() > MOST {
				let reason = format!("there are more than {MOST} identities with it");
				return Err(Error::file(path, UNUSABLE)(reason));
			}
		}
		Ok(Self { by_key: identities, made: first })
	}

	/// Makes an identity that is in no file, for tests.
	#[cfg(test)]
	pub fn random() -> Self {
		let identity = x25519::Identity::generate();
		Self { by_key: vec![(public(&identity), identity)], made: None }
	}

	/// Returns the public keys.
	pub fn keys(&self) -> Vec<KmsKey> {
		self.by_key.iter().map(|(key, _)| *key).collect()
	}

	/// Returns the file key of the first stanza that is for one of the identities, and the public key
	/// of that identity. A malformed stanza is for nobody.
	pub fn unwrap(&self, stanzas: &[Stanza]) -> Option<(KmsKey, FileKey)> {
		stanzas.iter().find_map(|stanza| {
			let stanza = stanza.clone().into();
			let opens = |identity: &x25519::Identity| identity.unwrap_stanza(&stanza)?.ok();
			self.by_key.iter().find_map(|(key, identity)| Some((*key, opens(identity)?)))
		})
	}
}

/// Wraps a file key for a recipient. `None` if the recipient is a point of low order.
pub fn wrap(recipient: &KmsKey, file_key: &FileKey) -> Option<Stanza> {
	if is_of_low_order(recipient) {
		return None;
	}
	let recipient: x25519::Recipient = recipient.to_string().parse().ok()?;
	let (stanzas, _) = recipient.wrap_file_key(file_key).ok()?;
	stanzas.first().map(Stanza::from)
}

/// Returns the public key of an identity.
fn public(identity: &x25519::Identity) -> KmsKey {
	let key = identity.to_public().to_string().parse();
	key.expect("both have the form of age recipients, and no identity has a zero key; qed")
}

/// Reads an identity file. Also returns when the first of its identities was made, if it says so.
fn load(
	path: &Path,
	passphrase_file: Option<&Path>,
	ask: Ask,
) -> Result<(Vec<x25519::Identity>, Option<u64>), Error> {
	let invalid = |reason: &str| Error::file(path, UNUSABLE)(reason);
	let bytes = keys::secret_file(path, MAX_FILE, &path.display().to_string())?;
	let decryptor = Decryptor::new(&**bytes).ok().filter(Decryptor::is_scrypt);
	let decryptor = decryptor.ok_or_else(|| {
		invalid(
			"it is not encrypted with a passphrase: make it with `fabric-kms key new`, or encrypt it \
			 with `age --passphrase --output FILE`",
		)
	})?;
	let opened = scrypt::Identity::new(keys::password(path, passphrase_file, ask)?);
	let mut reader = decryptor.decrypt(iter::once(&opened as _)).map_err(|error| {
		invalid(match error {
			DecryptError::ExcessiveWork { .. } => {
				"its passphrase takes too long to check: encrypt it again on this machine"
			},
			DecryptError::DecryptionFailed | DecryptError::KeyDecryptionFailed => {
				"its passphrase is wrong, or it is damaged"
			},
			_ => "it is damaged",
		})
	})?;
	// It does not grow, which would leave a copy in memory.
	let mut text = Zeroizing::new(String::with_capacity(2 * MAX_FILE));
	reader.read_to_string(&mut text).map_err(|_| invalid("it is damaged"))?;
	let times = text.lines().filter_map(|line| line.strip_prefix(MADE)?.parse::<Timestamp>().ok());
	let made = times.filter_map(|time| u64::try_from(time.as_second()).ok()).min();
	let lines = text.lines().enumerate().filter(|(_, line)| !line.is_empty());
	let lines = lines.filter(|(_, line)| !line.starts_with('#'));
	let identities = lines
		.map(|(number, line)| {
			let is_not = format!("line {} is not an X25519 identity", number + 1);
			line.parse::<x25519::Identity>()
				.map_err(|reason| invalid(&format!("{is_not}: {reason}")))
		})
		.collect::<Result<Vec<_>, _>>()?;
	match identities.is_empty() {
		true => Err(invalid("it has no identity")),
		false => Ok((identities, made)),
	}
}

#[cfg(test)]
mod tests {
	use std::{fs, os::unix::fs::PermissionsExt};

	use base64::{engine::general_purpose::STANDARD_NO_PAD as BASE64, Engine};

	use super::*;

	/// Returns identities that are in no file.
	fn identities(number: usize) -> Identities {
		let by_key = (0..number).flat_map(|_| Identities::random().by_key).collect();
		Identities { by_key, made: None }
	}

	/// Returns the stanza of a file key for a key.
	fn wrapped(key: &KmsKey, file_key: [u8; 16]) -> Stanza {
		wrap(key, &FileKey::new(Box::new(file_key))).expect("it is a key")
	}

	/// Encrypts a text with the passphrase "correct horse", which takes no time.
	fn encrypted(text: &str) -> Vec<u8> {
		let mut recipient = age::scrypt::Recipient::new("correct horse".to_owned().into());
		recipient.set_work_factor(1);
		age::encrypt(&recipient, text.as_bytes()).expect("it can be encrypted")
	}

	#[test]
	fn a_file_key_for_any_of_the_identities_is_wrapped_for_the_recipient_alone() {
		let (kms, reader) = (identities(3), identities(1));
		let (recipient, other) = (kms.keys()[2], reader.keys()[0]);
		let with = |args: &[&str], length| Stanza {
			args: args.iter().map(|&arg| arg.to_owned()).collect(),
			body: vec![1; length],
		};
		// For somebody else, of another type, and malformed ones.
		let stanzas = [
			wrapped(&other, [1; 16]),
			with(&["scrypt", "x"], 32),
			with(&["X25519", "x"], 32),
			with(&["X25519", &BASE64.encode([0; 32])], 32),
			with(&["X25519"], 0),
			with(&[], 0),
			Stanza { body: vec![1; 31], ..wrapped(&recipient, [2; 16]) },
		];
		assert!(kms.unwrap(&stanzas).is_none() && kms.unwrap(&[]).is_none());
		let own = [&stanzas[..], &[wrapped(&recipient, [3; 16]), wrapped(&recipient, [4; 16])]];
		let (opened, file_key) = kms.unwrap(&own.concat()).expect("one is its own");
		assert_eq!((opened, file_key.expose_secret()), (recipient, &[3; 16]));
		let answer = wrap(&other, &file_key).expect("it is a key");
		assert_eq!((answer.args.len(), &*answer.args[0], answer.body.len()), (2, "X25519", 32));
		assert!(kms.unwrap(std::slice::from_ref(&answer)).is_none());
		let (_, read) = reader.unwrap(&[answer]).expect("it is the reader's");
		assert_eq!(read.expose_secret(), file_key.expose_secret());
	}

	#[test]
	fn wrap_refuses_recipients_of_low_order() {
		let file_key = FileKey::new(Box::new([1; 16]));
		// Points of low order, in all their encodings: 0, 1, around the prime, and with the high
		// bit.
		let point = |first, rest, last| {
			let mut bytes = [rest; 32];
			(bytes[0], bytes[31]) = (first, last);
			bytes
		};
		for point in [
			point(0, 0, 0),
			point(1, 0, 0),
			point(0xec, 0xff, 0x7f),
			point(0xed, 0xff, 0x7f),
			point(0xee, 0xff, 0x7f),
			point(0, 0, 0x80),
		] {
			assert!(wrap(&KmsKey(point), &file_key).is_none(), "{point:?}");
		}
		assert!(wrap(&identities(1).keys()[0], &file_key).is_some());
	}

	#[test]
	fn an_identity_file_is_private_and_new_and_has_the_key_that_was_printed() {
		let dir = tempfile::tempdir().expect("there is room");
		let path = dir.path().join("kms.age");
		let ask: Ask = |_| Ok("correct horse".into());
		assert!(matches!(create(&path, None, |text| Ok(text.into())), Err(Error::Key(_))));
		assert!(!path.exists(), "the passphrases differ");
		let key = create(&path, None, ask).expect("the file is new");
		let bytes = fs::read(&path).expect("it is there");
		let mode = fs::metadata(&path).expect("it is there").permissions().mode();
		assert_eq!(mode & 0o777, 0o600);
		let text = String::from_utf8_lossy(&bytes);
		assert!(!text.contains("SECRET"));
		// To open it takes 1 KiB of memory for each of 2^15.
		let stanza = text.lines().nth(1).expect("it has a header");
		assert!(stanza.starts_with("-> scrypt ") && stanza.ends_with(" 15"), "{stanza}");
		let refused = create(&path, None, |_| panic!("nobody is asked")).expect_err("it exists");
		assert!(refused.to_string().contains("exists already"), "{refused}");
		assert_eq!(fs::read(&path).expect("it is there"), bytes);
		// Twice the same one.
		let loaded = Identities::load(&[path.clone(), path.clone()], None, ask);
		let loaded = loaded.expect("the passphrase is right");
		assert_eq!(loaded.keys(), [key]);
		let now = wall_clock() / 1_000_000;
		assert!(loaded.made.is_some_and(|made| (now - 60..=now).contains(&made)));
		let passphrase = dir.path().join("passphrase");
		fs::write(&passphrase, "correct horse\n").expect("there is room");
		fs::set_permissions(&passphrase, fs::Permissions::from_mode(0o600)).expect("it is ours");
		let nobody: Ask = |_| panic!("nobody is asked");
		assert!(Identities::load(&[path], Some(&passphrase), nobody).is_ok());
	}

	#[test]
	fn the_oldest_identity_counts_if_its_file_says_when_it_was_made() {
		let dir = tempfile::tempdir().expect("there is room");
		let secret = || x25519::Identity::generate().to_string().expose_secret().to_owned();
		let with = |time: &str| format!("{MADE}{time}\n{}\n", secret());
		let (later, first) = (with("1970-01-01T00:02:00Z"), with("1970-01-01T00:01:00Z"));
		for (number, (text, made)) in [
			(secret(), None),
			(with("yesterday at 12:00"), None),
			(with("2026-11-28T01:00:00+é0:00"), None),
			(with("1970-01-02T01:00:10+01:00"), Some(86_410)),
			(with("1970-01-01T23:30:10-00:30"), Some(86_410)),
			(later.clone() + &first, Some(60)),
			(first + &later, Some(60)),
		]
		.into_iter()
		.enumerate()
		{
			let path = dir.path().join(number.to_string());
			fs::write(&path, encrypted(&text)).expect("there is room");
			let loaded = Identities::load(&[path], None, |_| Ok("correct horse".into()));
			assert_eq!(loaded.map(|loaded| loaded.made).ok(), Some(made), "{text}");
		}
	}

	#[test]
	fn files_that_are_not_identities_are_refused_without_their_content() {
		let dir = tempfile::tempdir().expect("there is room");
		let path = dir.path().join("kms.age");
		let secret = || x25519::Identity::generate().to_string().expose_secret().to_owned();
		let load = |bytes: &[u8], ask: Ask| {
			fs::write(&path, bytes).expect("there is room");
			let error = Identities::load(std::slice::from_ref(&path), None, ask).map(drop);
			error.map_err(|error| error.to_string())
		};
		let ask: Ask = |_| Ok("correct horse".into());
		let many: String = (0..=MOST).map(|_| secret() + "\n").collect();
		let mut cut = encrypted(&secret());
		cut.pop();
		let large = vec![b'#'; MAX_FILE + 1];
		let other_type = "AGE-PLUGIN-YUBIKEY-1QQQQQQ";
		for (bytes, reason) in [
			(secret().into_bytes(), "it is not encrypted with a passphrase: make it with"),
			(b"".to_vec(), "it is not encrypted"),
			(
				age::encrypt(&x25519::Identity::generate().to_public(), b"x").expect("it can"),
				"not encr",
			),
			(large, "is too long: expected at most 65536 bytes"),
			(cut, "it is damaged"),
			(encrypted("# a comment\n"), "it has no identity"),
			(encrypted(&format!("{}\n{other_type}", secret())), "line 2 is not an X25519 identity"),
			(encrypted(&many), "there are more than 16 identities"),
		] {
			let error = load(&bytes, ask).expect_err(reason);
			assert!(error.contains(reason) && error.contains("kms.age"), "{error}");
			assert!(!error.contains("SECRET") && !error.contains("YUBIKEY"), "{error}");
		}
		let good = encrypted(&format!("# public key: age1…\n\n{}\n{}\r\n", secret(), secret()));
		assert_eq!(load(&good, ask), Ok(()));
		let error = load(&good, |_| Ok("wrong horse".into())).expect_err("it is wrong");
		assert!(error.contains("its passphrase is wrong") && !error.contains("horse"), "{error}");
	}
}
