// SPDX-License-Identifier: Apache-2.0
//! The bytes of an answer as they arrive.

use std::{
	io::{self, Read},
	sync::mpsc::{sync_channel, Receiver, RecvTimeoutError, SyncSender},
	thread,
	time::{Duration, Instant},
};

use ureq::Body;

/// Largest number of bytes that are read at once.
const PIECE: usize = 256 << 10;

/// The bytes of an answer. A thread reads them, because a server can delay a reader forever, by
/// sending a byte of framing now and then. The receiver can stop waiting at any time.
pub struct Arriving(Receiver<io::Result<Vec<u8>>>);

impl Arriving {
	/// Begins to read a body of at most `limit` bytes.
	pub fn new(body: Body, limit: u64) -> io::Result<Self> {
		let (sender, receiver) = sync_channel(1);
		let body = body.into_with_config().limit(limit).reader();
		// A short body needs no large piece. One more byte shows that a body is too long.
		let piece =
			usize::try_from(limit).map_or(PIECE, |limit| PIECE.min(limit.saturating_add(1)));
		thread::Builder::new().spawn(move || pass_on(body, piece, &sender))?;
		Ok(Self(receiver))
	}

	/// Returns the next bytes, or none at the end. Fails with [`io::ErrorKind::TimedOut`] if they do
	/// not arrive in time.
	pub fn next(&self, patience: Duration) -> io::Result<Vec<u8>> {
		match self.0.recv_timeout(patience) {
			Ok(piece) => piece,
			Err(RecvTimeoutError::Disconnected) => Ok(Vec::new()),
			Err(RecvTimeoutError::Timeout) => {
				Err(io::Error::new(io::ErrorKind::TimedOut, "the time is over"))
			},
		}
	}

	/// Returns all bytes. `patience` is the time for all of them together.
	pub fn all(self, patience: Duration) -> io::Result<Vec<u8>> {
		let (start, mut all) = (Instant::now(), Vec::new());
		loop {
			match self.next(patience.saturating_sub(start.elapsed()))? {
				piece if piece.is_empty() => return Ok(all),
				piece => all.extend(piece),
			}
		}
	}
}

/// Reads to the end, at most `piece` bytes at once, or until the receiver is dropped.
fn pass_on(mut body: impl Read, piece: usize, sender: &SyncSender<io::Result<Vec<u8>>>) {
	let mut piece = vec![0; piece];
	loop {
		let read = match body.read(&mut piece) {
			Ok(0) => return,
			Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
			read => read.map(|read| piece.get(..read).unwrap_or_default().to_vec()),
		};
		let is_last = read.is_err();
		if sender.send(read).is_err() || is_last {
			return;
		}
	}
}
