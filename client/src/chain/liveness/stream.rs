// SPDX-License-Identifier: Apache-2.0
//! A stream of bytes that ends with its connection.

use std::{
	io,
	pin::Pin,
	sync::{atomic::Ordering::Relaxed, Arc},
	task::{Context, Poll},
};

use futures::task::AtomicWaker;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};

use super::Liveness;

/// A stream that counts the bytes that it carries, and fails when the connection is dead.
pub(in crate::chain) struct Line<Stream> {
	stream: Stream,
	liveness: Arc<Liveness>,
}

impl<Stream> Line<Stream> {
	pub fn new(stream: Stream, liveness: Arc<Liveness>) -> Self {
		Self { stream, liveness }
	}
}

impl Liveness {
	/// Fails if the connection is dead. Otherwise, its death wakes the task.
	fn ensure_alive(&self, task: &AtomicWaker, context: &Context<'_>) -> io::Result<()> {
		task.register(context.waker());
		match *self.death.borrow() {
			Some(dead) => Err(io::Error::new(io::ErrorKind::TimedOut, dead)),
			None => Ok(()),
		}
	}
}

impl<Stream: AsyncRead + Unpin> AsyncRead for Line<Stream> {
	fn poll_read(
		mut self: Pin<&mut Self>,
		context: &mut Context<'_>,
		buffer: &mut ReadBuf<'_>,
	) -> Poll<io::Result<()>> {
		self.liveness.ensure_alive(&self.liveness.reader, context)?;
		let before = buffer.filled().len();
		let read = Pin::new(&mut self.stream).poll_read(context, buffer);
		self.liveness.arrived.fetch_add(buffer.filled().len() - before, Relaxed);
		read
	}
}

impl<Stream: AsyncWrite + Unpin> AsyncWrite for Line<Stream> {
	fn poll_write(
		mut self: Pin<&mut Self>,
		context: &mut Context<'_>,
		bytes: &[u8],
	) -> Poll<io::Result<usize>> {
		self.liveness.ensure_alive(&self.liveness.writer, context)?;
		let sent = Pin::new(&mut self.stream).poll_write(context, bytes);
		self.liveness.is_full.store(sent.is_pending(), Relaxed);
		if let Poll::Ready(Ok(length)) = sent {
			self.liveness.sent.fetch_add(length, Relaxed);
		}
		sent
	}

	fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
		self.liveness.ensure_alive(&self.liveness.writer, context)?;
		Pin::new(&mut self.stream).poll_flush(context)
	}

	fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
		self.liveness.ensure_alive(&self.liveness.writer, context)?;
		Pin::new(&mut self.stream).poll_shutdown(context)
	}
}
