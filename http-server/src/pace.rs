// SPDX-License-Identifier: Apache-2.0
//! The minimum speed of clients, so that slow ones do not occupy the places of others. A line of
//! 1 KiB a second is fast enough. The time that the node itself needs does not count.

use std::{
	io::{self, IoSlice},
	pin::Pin,
	task::{Context, Poll},
	time::Duration,
};

use axum::{
	body::{BodyDataStream, Bytes},
	Error,
};
use futures::StreamExt;
use tokio::{
	io::{AsyncRead, AsyncWrite, ReadBuf},
	time::{timeout, Instant},
};

/// Longest time without a byte of a body.
const IDLE: Duration = Duration::from_secs(30);
/// Time of waiting for a client in which `LEAST` bytes must pass.
const WINDOW: Duration = Duration::from_secs(60);
const LEAST: u64 = 32 << 10;

/// The bytes that have passed, and the time for which the node has waited for the client.
#[derive(Debug, Default)]
pub struct Pace {
	waited: Duration,
	passed: u64,
}

impl Pace {
	/// Returns the next bytes of a body, or the reason why its client is too slow.
	pub async fn next(
		&mut self,
		body: &mut BodyDataStream,
	) -> Result<Option<Result<Bytes, Error>>, &'static str> {
		loop {
			if self.is_slow() {
				return Err("fewer than 32 KiB have arrived in 60 seconds");
			}
			let begun = Instant::now();
			let next = timeout(IDLE.min(WINDOW - self.waited), body.next()).await;
			self.waited += begun.elapsed();
			match next {
				Ok(next) => {
					let length = next.as_ref().and_then(|next| next.as_ref().ok()).map(Bytes::len);
					self.passed += length.unwrap_or_default() as u64;
					return Ok(next);
				},
				Err(_) if self.waited < WINDOW => {
					return Err("nothing has arrived for 30 seconds");
				},
				Err(_) => {},
			}
		}
	}

	/// Returns `true` if too little has passed in a window that has ended. Begins the next one.
	fn is_slow(&mut self) -> bool {
		self.waited >= WINDOW && std::mem::take(self).passed < LEAST
	}
}

/// A connection that fails if its client takes answers too slowly.
#[derive(Debug)]
pub(crate) struct Paced<S> {
	stream: S,
	pace: Pace,
	/// The time since which the node has waited for the client.
	since: Option<Instant>,
}

impl<S> Paced<S> {
	/// Wraps a connection.
	pub fn new(stream: S) -> Self {
		Self { stream, pace: Pace::default(), since: None }
	}

	fn note(&mut self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
		let Poll::Ready(written) = written else {
			self.since.get_or_insert_with(Instant::now);
			return Poll::Pending;
		};
		self.pace.waited += self.since.take().map_or(Duration::ZERO, |since| since.elapsed());
		self.pace.passed += written.as_ref().map_or(0, |length| *length as u64);
		Poll::Ready(match self.pace.is_slow() {
			true => Err(io::ErrorKind::TimedOut.into()),
			false => written,
		})
	}
}

impl<S: AsyncRead + Unpin> AsyncRead for Paced<S> {
	fn poll_read(
		mut self: Pin<&mut Self>,
		cx: &mut Context<'_>,
		buffer: &mut ReadBuf<'_>,
	) -> Poll<io::Result<()>> {
		Pin::new(&mut self.stream).poll_read(cx, buffer)
	}
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Paced<S> {
	fn poll_write(
		mut self: Pin<&mut Self>,
		cx: &mut Context<'_>,
		bytes: &[u8],
	) -> Poll<io::Result<usize>> {
		let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
		self.note(written)
	}

	fn poll_write_vectored(
		mut self: Pin<&mut Self>,
		cx: &mut Context<'_>,
		slices: &[IoSlice<'_>],
	) -> Poll<io::Result<usize>> {
		let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
		self.note(written)
	}

	fn is_write_vectored(&self) -> bool {
		self.stream.is_write_vectored()
	}

	fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
		Pin::new(&mut self.stream).poll_flush(cx)
	}

	fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
		Pin::new(&mut self.stream).poll_shutdown(cx)
	}
}

#[cfg(test)]
mod tests {
	use axum::body::Body;
	use futures::stream;
	use tokio::{
		io::{duplex, AsyncReadExt, AsyncWriteExt},
		time::sleep,
	};

	use super::*;

	const SECOND: Duration = Duration::from_secs(1);

	/// Returns a body of pieces of this length, each of which takes this time.
	fn body(length: usize, time: Duration) -> BodyDataStream {
		let pieces = stream::repeat_with(move || vec![0; length]).then(move |piece| async move {
			sleep(time).await;
			Ok::<_, io::Error>(piece)
		});
		Body::from_stream(pieces).into_data_stream()
	}

	/// Reads a body for ten minutes, with pauses of the node. Returns when and why that fails.
	async fn refused(mut body: BodyDataStream, pause: Duration) -> Option<(u64, &'static str)> {
		let (begun, mut pace) = (Instant::now(), Pace::default());
		while begun.elapsed() < 600 * SECOND {
			if let Err(reason) = pace.next(&mut body).await {
				return Some((begun.elapsed().as_secs(), reason));
			}
			sleep(pause).await;
		}
		None
	}

	#[tokio::test(start_paused = true)]
	async fn slow_uploads_are_refused_and_lines_of_a_kibibyte_a_second_and_slow_disks_are_not() {
		let few = "fewer than 32 KiB have arrived in 60 seconds";
		let none = "nothing has arrived for 30 seconds";
		for (length, seconds, pause, expected) in [
			(1, 5, 0, Some((60, few))),
			(1_000, 29, 0, Some((60, few))),
			(500, 1, 0, Some((60, few))),
			(1, 31, 0, Some((30, none))),
			(1 << 20, 31, 0, Some((30, none))),
			(1_024, 1, 0, None),
			(29 << 10, 29, 0, None),
			// The disk of the node takes a minute for each piece.
			(16, 1, 60, None),
		] {
			let found = refused(body(length, seconds * SECOND), pause * SECOND).await;
			assert_eq!(found, expected, "{length} bytes each {seconds} s, pauses of {pause} s");
		}
	}

	#[tokio::test(start_paused = true)]
	async fn answers_that_are_taken_too_slowly_end() {
		for (length, time, ends) in [(1, 29 * SECOND, true), (1_024, SECOND, false)] {
			let (near, mut far) = duplex(64);
			let mut near = Paced::new(near);
			let reader = tokio::spawn(async move {
				let mut taken = vec![0; length];
				while far.read_exact(&mut taken).await.is_ok() {
					sleep(time).await;
				}
			});
			let written = near.write_all(&[0; 600 << 10]).await;
			assert_eq!(written.is_err_and(|error| error.kind() == io::ErrorKind::TimedOut), ends);
			drop(near);
			reader.await.expect("it ends");
		}
	}
}
