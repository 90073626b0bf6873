// SPDX-License-Identifier: Apache-2.0
//! Uploads of files, which go on where they were cut.

use std::{
	fs::File,
	io::{self, Read, Seek, SeekFrom},
	path::PathBuf,
	sync::{
		atomic::{AtomicBool, AtomicU64, Ordering},
		Mutex, PoisonError,
	},
	thread::sleep,
	time::{Duration, Instant},
};

use content_fabric_identifiers::VersionId;
use serde::Deserialize;
use ureq::SendBody;

use super::{authorized, ContentNode, NodeError};
use crate::{folder::open_file, requests::Requester};

/// The first pause before another attempt. The next one is twice as long.
const PAUSE: Duration = Duration::from_millis(200);
/// The longest pause.
const LONGEST_PAUSE: Duration = Duration::from_secs(5);

/// A file that is uploaded.
#[derive(Clone, Debug)]
pub struct Upload {
	/// The path of the file.
	pub path: PathBuf,
	/// The hash of its bytes.
	pub version: VersionId,
	/// Number of its bytes.
	pub size: u64,
	/// True if a part of it may have arrived already.
	pub begun: bool,
}

/// The progress of an upload.
#[derive(Deserialize)]
struct State {
	complete: bool,
	/// The number of bytes, as text.
	arrived: String,
}

/// State that all uploads of a command share.
#[derive(Debug, Default)]
pub struct Uploading {
	/// Number of bytes that were sent, or that the node had already.
	pub sent: AtomicU64,
	/// True to end all uploads soon.
	pub stopped: AtomicBool,
	/// The error since which the node has not answered.
	error: Mutex<Option<String>>,
}

impl Uploading {
	/// Returns the error since which the node has not answered, if it is away.
	pub fn error(&self) -> Option<String> {
		self.error.lock().unwrap_or_else(PoisonError::into_inner).clone()
	}

	fn answered(&self, error: Option<&NodeError>) {
		let away = error.filter(|error| matches!(error, NodeError::Unreachable { .. }));
		*self.error.lock().unwrap_or_else(PoisonError::into_inner) = away.map(ToString::to_string);
	}
}

impl ContentNode {
	/// Uploads a file. Tries again until `patience` has passed without progress. Blocks.
	pub fn upload(
		&self,
		upload: &Upload,
		all: &Uploading,
		patience: Duration,
		requester: &Requester,
	) -> Result<(), NodeError> {
		let (mut resumes, mut pause) = (upload.begun, PAUSE);
		let (mut reached, mut since) = (0, Instant::now());
		loop {
			let mut at = 0;
			let attempt =
				authorized(requester, |header| self.attempt(upload, all, resumes, &mut at, header));
			all.answered(attempt.as_ref().err());
			let error = match attempt {
				Err(error) if error.is_transient() => error,
				done => return done,
			};
			if at > reached {
				(reached, since, pause) = (at, Instant::now(), PAUSE);
			}
			if since.elapsed() >= patience || all.stopped.load(Ordering::Relaxed) {
				return Err(error);
			}
			sleep(pause);
			(resumes, pause) = (true, (pause * 2).min(LONGEST_PAUSE));
		}
	}

	/// Sends what the node does not have. `at` is where that begins.
	fn attempt(
		&self,
		upload: &Upload,
		all: &Uploading,
		resumes: bool,
		at: &mut u64,
		authorization: &str,
	) -> Result<(), NodeError> {
		let Upload { path, version, size, .. } = upload;
		if resumes {
			match self.arrived(*version)? {
				None => {
					all.sent.fetch_add(*size, Ordering::Relaxed);
					return Ok(());
				},
				// The node was killed before it could check the bytes.
				Some(arrived) if arrived >= *size => {},
				Some(arrived) => *at = arrived,
			}
		}
		let mut file = open_file(path).map_err(NodeError::file("read", path))?;
		file.seek(SeekFrom::Start(*at)).map_err(NodeError::file("read", path))?;
		all.sent.fetch_add(*at, Ordering::Relaxed);
		let mut body = Counted { file: file.take(size - *at), all, sent: *at };
		let mut request = self.agent.put(self.version_url(*version));
		request = request.header("authorization", authorization);
		request = request.header("content-length", (size - *at).to_string());
		if *at > 0 {
			let last = size.saturating_sub(1);
			request = request.header("content-range", format!("bytes {at}-{last}/{size}"));
		}
		let answer = self.answered(request.send(SendBody::from_reader(&mut body)));
		if answer.is_err() {
			all.sent.fetch_sub(body.sent, Ordering::Relaxed);
		}
		match answer {
			Err(_) if all.stopped.load(Ordering::Relaxed) => Err(NodeError::Interrupted),
			answer => answer.map(drop),
		}
	}

	/// Returns the number of bytes of a version that have arrived. `None` if the node has all.
	pub(super) fn arrived(&self, version: VersionId) -> Result<Option<u64>, NodeError> {
		let url = self.url.to(&["versions", &version.to_string(), "upload"], &[]);
		let request = self.agent.get(url).config();
		let request = request.timeout_recv_response(Some(self.patience.bytes)).build();
		let answer = self.answered(request.call())?;
		let State { complete, arrived } = self.json_within(self.patience.bytes, answer)?;
		match complete {
			true => Ok(None),
			false => arrived
				.parse()
				.map(Some)
				.map_err(|error| self.malformed(&format!("`arrived` is `{arrived}`: {error}"))),
		}
	}
}

/// A file that counts what is read of it, and ends when all uploads do.
struct Counted<'a> {
	file: io::Take<File>,
	all: &'a Uploading,
	sent: u64,
}

impl Read for Counted<'_> {
	fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
		if self.all.stopped.load(Ordering::Relaxed) {
			return Err(io::Error::other("the uploads were stopped"));
		}
		let read = self.file.read(buffer)?;
		let count = u64::try_from(read).unwrap_or(u64::MAX);
		self.sent = self.sent.saturating_add(count);
		self.all.sent.fetch_add(count, Ordering::Relaxed);
		Ok(read)
	}
}
