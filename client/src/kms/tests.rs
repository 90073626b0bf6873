// SPDX-License-Identifier: Apache-2.0
//! Tests of encrypted files, and of readers against servers that fail or lie.

use std::{
	io::{Read, Write},
	net::{TcpListener, TcpStream},
	sync::{Arc, Mutex},
	thread,
	time::{Duration, Instant},
};

use age::{x25519::Identity, Identity as _, Recipient as _};
use age_core::{
	format::{FileKey, Stanza as AgeStanza},
	secrecy::ExposeSecret,
};
use content_fabric_identifiers::{ContentObjectId, KmsId, TenantId, VersionId};
use content_fabric_primitives::{Authorization, KmsKey};
use serde_json::json;
use subxt_signer::sr25519::dev;

use super::*;
use crate::{chain::wall_clock, class::Class, content_node::Notes};

const VERSION: (ContentObjectId, VersionId) =
	(ContentObjectId::from_bytes([4; 10]), VersionId([5; 32]));
/// Sizes around the length of age's chunks, 64 KiB.
const SIZES: [usize; 6] = [0, 1, (64 << 10) - 1, 64 << 10, (64 << 10) + 1, 5 << 20];

fn key_of(identity: &Identity) -> KmsKey {
	identity.to_public().to_string().parse().expect("it is a recipient")
}

fn bytes(size: usize) -> Vec<u8> {
	(0..=250).cycle().take(size).collect()
}

fn encrypted(key: KmsKey, plain: &[u8]) -> Vec<u8> {
	let mut encrypting = Encrypting::new(key, Vec::new()).expect("memory takes all");
	encrypting.write_all(plain).expect("memory takes all");
	encrypting.finish().expect("memory takes all")
}

/// Opens the stanzas as a KMS does.
fn opened(identity: &Identity, stanzas: &[Stanza]) -> FileKey {
	let stanzas: Vec<_> = stanzas.iter().cloned().map(AgeStanza::from).collect();
	identity.unwrap_stanzas(&stanzas).and_then(Result::ok).expect("one is for it")
}

/// Returns the stanzas that a KMS is asked about.
fn sealed(file: &[u8]) -> Result<Vec<Stanza>, KmsError> {
	Ok(Sealed::read(file)?.stanzas().to_vec())
}

fn decrypted(file: &[u8], key: &FileKey) -> Result<Vec<u8>, KmsError> {
	let (mut plain, mut piece) = (Vec::new(), vec![0; 10_000]);
	let key = FileKey::new(Box::new(*key.expose_secret())).into();
	let mut decrypted = Sealed::read(file)?.open(&key)?;
	loop {
		match decrypted.next(&mut piece)? {
			0 => return Ok(plain),
			read => plain.extend_from_slice(&piece[..read]),
		}
	}
}

#[test]
fn files_of_any_length_are_encrypted_and_decrypted() {
	let identity = Identity::generate();
	for size in SIZES {
		let plain = bytes(size);
		let file = encrypted(key_of(&identity), &plain);
		let most = most_encrypted(size as u64);
		assert!(
			(size as u64 + 100..=most).contains(&(file.len() as u64)),
			"{size}: {}",
			file.len()
		);
		assert_ne!(encrypted(key_of(&identity), &plain), file, "keys are random");
		// The format is age's.
		assert_eq!(age::decrypt(&identity, &file).expect("it is age's"), plain);
		let stanzas = sealed(&file).expect("it has a header");
		assert_eq!(stanzas.len(), 1, "random stanzas are left out");
		let key = opened(&identity, &stanzas);
		assert!(decrypted(&file, &key).expect("it is the key") == plain, "{size}");
	}
}

#[test]
fn nothing_is_encrypted_for_a_zero_key() {
	let error = Encrypting::new(KmsKey([0; 32]), Vec::new()).map(drop).expect_err("it is refused");
	assert_eq!(error.to_string(), "the key is a point of low order");
}

#[test]
fn a_file_that_was_altered_or_cut_or_has_another_key_does_not_decrypt() {
	let identity = Identity::generate();
	let file = encrypted(key_of(&identity), &bytes(200_000));
	let key = opened(&identity, &sealed(&file).expect("it has a header"));
	let error = |file: &[u8]| decrypted(file, &key).expect_err("it is not as it was").to_string();
	let mut altered = file.clone();
	altered[150_000] ^= 1;
	assert_eq!(error(&altered), "its encrypted bytes were altered: they do not decrypt");
	// In a chunk, and at the end of one.
	let end = file.len() - 200_000 - 4 * 16 + 2 * ((64 << 10) + 16);
	assert_eq!(error(&file[..150_000]), "its encrypted bytes were altered: they do not decrypt");
	assert_eq!(error(&file[..end]), "its encrypted bytes are cut: they do not decrypt");
	assert_eq!(
		error(&[&file[..], b"x"].concat()),
		"its encrypted bytes were altered: they do not decrypt"
	);
	let other = encrypted(key_of(&identity), b"other");
	let error = decrypted(&other, &key).expect_err("it is the key of another file");
	let expected = "that age has encrypted: the header does not match the key of the file";
	assert!(error.to_string().ends_with(expected), "{error}");
	assert_eq!(error.class(), Class::Unserved);
}

/// Returns a file with these lines between the first and the last one of the header.
fn with_header(stanzas: &str) -> Vec<u8> {
	let mac = "A".repeat(43);
	format!("age-encryption.org/v1\n{stanzas}--- {mac}\n0123456789abcdef0123456789abcdef").into()
}

#[test]
fn hostile_headers_are_refused_by_name() {
	let error = |file: &[u8]| sealed(file).expect_err("it is refused").to_string();
	for (file, expected) in [
		(&b""[..], "the header is cut"),
		(b"plain text", "the header is malformed"),
		(b"age-encryption.org/v2\n-> X\n\n---\n", "another version of its format"),
		(b"age-encryption.org/v1\n-> X25519 a\n", "the header is cut"),
	] {
		let error = error(file);
		assert!(error.starts_with("its bytes are not a file that age has encrypted: "), "{error}");
		assert!(error.contains(expected), "{error}");
	}
	let share = "A".repeat(43);
	let stanza = format!("-> X25519 {share}\n{share}\n");
	let stanzas = |file: &[u8]| sealed(file).map(|stanzas| stanzas.len());
	assert_eq!(stanzas(&with_header(&stanza.repeat(16))).ok(), Some(16));
	assert_eq!(
		error(&with_header(&stanza.repeat(17))),
		"it is encrypted for 17 X25519 keys, expected at most 16"
	);
	// Stanzas of other kinds, or of another form, do not count.
	let others =
		format!("-> grease a b\nAAAA\n-> X25519 {share} more\n{share}\n-> X25519 a\nAAAA\n");
	assert_eq!(stanzas(&with_header(&(others.repeat(20) + &stanza))).ok(), Some(1));
	let mut passphrase = age::scrypt::Recipient::new("correct horse".to_owned().into());
	passphrase.set_work_factor(1);
	let with_passphrase = age::encrypt(&passphrase, b"x").expect("it is encrypted");
	assert_eq!(error(&with_passphrase), "it is encrypted with a passphrase, not for a KMS");
	let none = "it is not encrypted for an X25519 key, so no KMS can open it";
	assert_eq!(error(&with_header(&others)), none);
	let endless = with_header(&"-> grease\nAAAA\n".repeat(100_000));
	assert_eq!(
		error(&endless),
		"its bytes have a header of more than 16384 bytes, which is too long"
	);
}

/// A request that a server has had: the head and the body.
type Asked = (String, Vec<u8>);

/// Starts a server. `answer` has the number of the request, its head and its body, and returns the
/// status, further lines of the head, and the body. Returns the server, and what it was asked.
fn server(
	answer: impl Fn(usize, &str, &[u8]) -> (u16, String, Vec<u8>) + Send + 'static,
) -> (KmsServer, Arc<Mutex<Vec<Asked>>>) {
	let listener = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
	let url = format!("http://{}", listener.local_addr().expect("it is bound"));
	let asked = Arc::new(Mutex::new(Vec::new()));
	let all = asked.clone();
	thread::spawn(move || {
		while let Ok((mut stream, _)) = listener.accept() {
			let (head, body) = request(&mut stream);
			let mut all = all.lock().expect("nobody panics with it");
			let (status, lines, sent) = answer(all.len(), &head, &body);
			all.push((head, body));
			let head = format!(
				"HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n{lines}\r\n",
				sent.len()
			);
			// A client that has seen enough closes the connection.
			let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&sent));
		}
	});
	let (url, patience) = (url.parse().expect("it is a URL"), Duration::from_secs(5));
	(KmsServer::patient(url, patience, Duration::from_secs(20)), asked)
}

fn request(stream: &mut TcpStream) -> Asked {
	let (mut head, mut byte) = (Vec::new(), [0]);
	while !head.ends_with(b"\r\n\r\n") && stream.read(&mut byte).is_ok_and(|read| read == 1) {
		head.push(byte[0]);
	}
	let head = String::from_utf8_lossy(&head).into_owned();
	let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
	let length = length.and_then(|length| length.parse().ok()).unwrap_or(0);
	let mut body = vec![0; length];
	stream.read_exact(&mut body).expect("the body arrives");
	(head, body)
}

fn reader(server: KmsServer) -> Reader {
	let signer = Arc::new(dev::charlie().into());
	Reader::new(server, signer, [1; 32], KmsId([2; 10]), TenantId([3; 10])).expect("it has a key")
}

/// Returns a collector of notes, and what it has collected.
fn noted() -> (Notes, Arc<Mutex<Vec<String>>>) {
	let all = Arc::new(Mutex::new(Vec::new()));
	let collected = all.clone();
	(Arc::new(move |note: String| collected.lock().expect("nobody panics with it").push(note)), all)
}

/// Asks for the key of a file, for which no note is expected.
fn ask(reader: &Reader, file: &[u8]) -> Result<(Key, KmsKey), KmsError> {
	let (notes, all) = noted();
	let answer = reader.key(VERSION, &Sealed::read(file).expect("it has a header"), true, &notes);
	assert!(all.lock().expect("nobody panics with it").is_empty());
	answer
}

/// Asks for the key of any file, which is refused.
fn refusal(reader: &Reader) -> KmsError {
	let file = encrypted(key_of(&Identity::generate()), b"secret");
	ask(reader, &file).map(drop).expect_err("it is refused")
}

/// Returns the answer with a file key, wrapped for a recipient.
fn wrapped(key: &FileKey, recipient: KmsKey) -> Vec<u8> {
	let recipient: age::x25519::Recipient = recipient.to_string().parse().expect("it is one");
	let (stanzas, _) = recipient.wrap_file_key(key).expect("it is wrapped");
	let [stanza] = &stanzas[..] else { panic!("one for each recipient") };
	let block = AtBlock { number: 7, hash: [8; 32] };
	let answer = Unwrapped { stanza: stanza.into(), key: KmsKey([6; 32]), block };
	serde_json::to_vec(&answer).expect("it is JSON")
}

#[test]
fn a_kms_gives_the_key_of_a_file_for_a_recipient_that_only_the_reader_has() {
	let identity = Identity::generate();
	let file = encrypted(key_of(&identity), b"secret");
	let (server, asked) = server(move |_, _, body| {
		let request: UnwrapRequest = serde_json::from_slice(body).expect("it is JSON");
		(200, String::new(), wrapped(&opened(&identity, &request.stanzas), request.recipient))
	});
	let reader = reader(server);
	for _ in 0..2 {
		let (key, of) = ask(&reader, &file).expect("it is given");
		assert_eq!(of, KmsKey([6; 32]), "the KMS says which of its keys opened the file");
		assert_eq!(decrypted(&file, &key.0).expect("it opens the file"), b"secret");
	}
	let asked = asked.lock().expect("nobody panics with it");
	let parts: Vec<_> = asked
		.iter()
		.map(|(head, body)| {
			assert!(head.starts_with("POST /v1/unwrap HTTP/1.1\r\n"), "{head}");
			let header = head.lines().find_map(|line| line.strip_prefix("authorization: "));
			let request: UnwrapRequest = serde_json::from_slice(body).expect("it is JSON");
			assert_eq!((request.object, request.version), (Some(VERSION.0), Some(VERSION.1)));
			(header.expect("it is signed").to_owned(), request.recipient)
		})
		.collect();
	assert_eq!(parts[0], parts[1], "one signature and one recipient serve all files of a run");
}

#[test]
fn answers_that_do_not_fit_are_refused_by_name() {
	let identity = Identity::generate();
	let file = encrypted(key_of(&identity), b"secret");
	let (other, own) = (FileKey::new(Box::new([7; 16])), key_of(&identity));
	let error = |body: Vec<u8>| {
		let (server, _) = server(move |_, _, _| (200, String::new(), body.clone()));
		ask(&reader(server), &file).map(drop).expect_err("it is refused")
	};
	let wrong = error(wrapped(&other, own));
	assert!(
		wrong.to_string().ends_with(" gives an answer that is for another recipient"),
		"{wrong}"
	);
	for body in [&b"no JSON"[..], b"{}", &vec![b' '; 2 << 20]] {
		let wrong = error(body.to_vec());
		assert!(wrong.to_string().contains("that this client does not understand"), "{wrong}");
		assert_eq!(wrong.class(), Class::Connection);
	}
	// A wrong key is noticed before the file is opened, so that another KMS can be asked.
	let (server, _) = server(move |_, _, body| {
		let request: UnwrapRequest = serde_json::from_slice(body).expect("it is JSON");
		(
			200,
			String::new(),
			wrapped(&FileKey::new(Box::new(*other.expose_secret())), request.recipient),
		)
	});
	let wrong = ask(&reader(server), &file).map(drop).expect_err("it opens no file");
	assert!(wrong.to_string().ends_with(" gives a key that does not open the file"), "{wrong}");
	assert_eq!(wrong.class(), Class::Unserved);
}

#[test]
fn refusals_have_the_reason_of_the_kms_and_a_class() {
	// A reason that lasts is not waited for, whatever the header says.
	for (status, header, class) in [
		(403, "", Class::Refused),
		(409, "retry-after: 1\r\n", Class::Refused),
		(422, "", Class::Refused),
		(503, "", Class::Connection),
	] {
		let body = json!({ "error": "not you" }).to_string().into_bytes();
		let (server, asked) = server(move |_, _, _| (status, header.into(), body.clone()));
		let error = refusal(&reader(server));
		let end = format!(" refuses, with status {status}: not you");
		assert!(error.to_string().ends_with(&end), "{error}");
		assert_eq!(error.class(), class);
		assert_eq!(asked.lock().expect("nobody panics with it").len(), 1);
	}
	let free = TcpListener::bind("127.0.0.1:0").expect("there is a free port");
	let url = format!("http://{}", free.local_addr().expect("it is bound"));
	drop(free);
	let server = KmsServer::new(url.parse().expect("it is a URL"));
	let error = refusal(&reader(server));
	assert!(error.to_string().contains(" does not answer: "), "{error}");
	assert_eq!(error.class(), Class::Connection);
	let error = KmsServer::of_locator("/ip4/127.0.0.1").map(drop).expect_err("it is no server");
	let start = "the KMS cannot be asked: its locator `/ip4/127.0.0.1` names no HTTP server";
	assert!(error.to_string().starts_with(start), "{error}");
}

#[test]
fn a_request_that_is_refused_for_its_time_is_signed_once_more_by_the_clock_of_the_kms() {
	let later = content_fabric_primitives::Until::new(wall_clock() / 1_000_000 + 20_000);
	let challenge = format!("www-authenticate: Fabric time=\"{later}\"\r\n");
	let body = json!({ "error": "expired" }).to_string().into_bytes();
	let (server, asked) = server(move |_, _, _| (401, challenge.clone(), body.clone()));
	let (notes, noted) = noted();
	let file = encrypted(key_of(&Identity::generate()), b"secret");
	let sealed = Sealed::read(&file[..]).expect("it has a header");
	let error =
		reader(server).key(VERSION, &sealed, true, &notes).map(drop).expect_err("it is refused");
	assert!(error.to_string().ends_with(" does not accept the signed request: expired"), "{error}");
	let asked = asked.lock().expect("nobody panics with it");
	let ends: Vec<_> = asked
		.iter()
		.map(|(head, _)| {
			let header = head.lines().find_map(|line| line.strip_prefix("authorization: "));
			let signed: Authorization = header.unwrap_or_default().parse().expect("it is signed");
			signed.until.seconds()
		})
		.collect();
	assert_eq!(ends.len(), 2);
	assert!(ends[1] > later.seconds() && ends[0] < later.seconds(), "{ends:?}");
	let words = "the clock of this machine is 5 hours behind the KMS's, so requests are signed by the KMS's clock";
	assert_eq!(*noted.lock().expect("nobody panics with it"), [words]);
}

#[test]
fn a_kms_that_cannot_answer_now_is_asked_again_when_it_says_and_the_reason_is_noted() {
	let identity = Identity::generate();
	let file = encrypted(key_of(&identity), b"secret");
	let reason = json!({ "error": "finality stalls" }).to_string().into_bytes();
	let (server, asked) = server(move |number, _, body| match number {
		0 => (429, "retry-after: 1\r\n".into(), Vec::new()),
		2 | 3 => (503, "retry-after: 0\r\n".into(), reason.clone()),
		_ => {
			let request: UnwrapRequest = serde_json::from_slice(body).expect("it is JSON");
			(200, String::new(), wrapped(&opened(&identity, &request.stanzas), request.recipient))
		},
	});
	let (reader, (notes, noted)) = (reader(server), noted());
	let sealed = Sealed::read(&file[..]).expect("it has a header");
	let begun = Instant::now();
	for _ in 0..2 {
		assert!(reader.key(VERSION, &sealed, true, &notes).is_ok());
	}
	// A second, and the shortest pause in place of none.
	assert!(begun.elapsed() >= Duration::from_millis(1_500), "{:?}", begun.elapsed());
	assert_eq!(asked.lock().expect("nobody panics with it").len(), 5);
	let noted = noted.lock().expect("nobody panics with it");
	assert_eq!(noted.len(), 2, "each wait is noted once: {noted:?}");
	for (note, reason) in noted.iter().zip(["it gives no reason", "finality stalls"]) {
		let end = format!(" cannot answer now: {reason}. Asking again for 20 seconds");
		assert!(note.starts_with("the KMS at http://127.0.0.1:") && note.ends_with(&end), "{note}");
	}
	// It must not ask for more patience than there is.
	let (server, asked) = self::server(|_, _, _| (429, "retry-after: 3600\r\n".into(), Vec::new()));
	let error = refusal(&self::reader(server));
	assert!(error.to_string().contains("429"), "{error}");
	assert_eq!(asked.lock().expect("nobody panics with it").len(), 1);
}

#[test]
fn no_pause_that_a_kms_asks_for_is_too_long_and_nobody_need_wait() {
	for (pause, waits) in [(u64::MAX, true), (1, false)] {
		let (server, asked) = server(move |_, _, _| {
			// The pause and the time since the request are more than any time.
			thread::sleep(Duration::from_millis(1_100));
			(503, format!("retry-after: {pause}\r\n"), Vec::new())
		});
		let file = encrypted(key_of(&Identity::generate()), b"secret");
		let sealed = Sealed::read(&file[..]).expect("it has a header");
		let error = reader(server).key(VERSION, &sealed, waits, &noted().0).map(drop);
		assert!(error.expect_err("it is refused").is_busy());
		assert_eq!(asked.lock().expect("nobody panics with it").len(), 1);
	}
}

#[test]
fn many_files_wait_for_a_kms_no_longer_than_one() {
	let (server, asked) =
		server(|_, _, _| (503, "retry-after: 1\r\n".into(), b"{\"error\":\"x\"}".to_vec()));
	let reader = reader(KmsServer::patient(
		server.url().clone(),
		Duration::from_secs(5),
		Duration::from_millis(2_500),
	));
	let file = encrypted(key_of(&Identity::generate()), b"secret");
	let (notes, noted) = noted();
	let requests = || asked.lock().expect("nobody panics with it").len();
	for _ in 0..3 {
		let before = requests();
		let sealed = Sealed::read(&file[..]).expect("it has a header");
		let error =
			reader.key(VERSION, &sealed, true, &notes).map(drop).expect_err("it is refused");
		assert!(error.to_string().ends_with("with status 503: x"), "{error}");
		match before {
			0 => assert!(requests() > 1, "the first one waits"),
			_ => assert_eq!(requests(), before + 1),
		}
	}
	assert_eq!(noted.lock().expect("nobody panics with it").len(), 1);
}

#[test]
fn a_kms_says_which_keys_it_has() {
	let key = key_of(&Identity::generate());
	let status = json!({
		"tenant": TenantId([3; 10]),
		"kms": KmsId([2; 10]),
		"key": key,
		"keys": [key],
		"block": { "number": 9, "hash": format!("0x{}", "07".repeat(32)) },
		"finalized_age": 3,
	});
	let body = status.to_string().into_bytes();
	let (server, asked) = server(move |_, _, _| (200, String::new(), body.clone()));
	let status = server.status().expect("it answers");
	let block = status.block.map(|block| block.number);
	assert_eq!((status.key, &status.keys[..], block), (Some(key), &[key][..], Some(9)));
	assert_eq!(status.problem, None);
	let asked = asked.lock().expect("nobody panics with it");
	assert!(asked[0].0.starts_with("GET /v1/status HTTP/1.1\r\n"));
}
