// SPDX-License-Identifier: Apache-2.0
//! Unpacks compressed inputs as they are read. The first bytes name the compression, so the name of
//! a file does not matter, and pipes are unpacked as well.

use std::{
	fmt,
	io::{self, BufRead, BufReader, Chain, Cursor, Read},
};

use flate2::bufread::MultiGzDecoder;
use lz4_flex::frame::FrameDecoder;
use lzma_rust2::XzReader;

/// The compressions of inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
	/// Gzip (RFC 1952), with any number of members.
	Gzip,
	/// The .xz format, with any number of streams.
	Xz,
	/// The LZ4 frame format, with any number of frames.
	Lz4,
}

impl Compression {
	pub(super) const SUFFIXES: [&str; 3] = [".gz", ".xz", ".lz4"];
	/// Maximum memory of a decoder in KiB: twice as much as the highest level of `xz` needs.
	pub(super) const MEMORY_KIB: u32 = 128 * 1024;

	/// All of them, each with the bytes that its data begins with.
	const ALL: [(Self, &[u8]); 3] = [
		// The third byte is the method. There is only one.
		(Self::Gzip, b"\x1f\x8b\x08"),
		(Self::Xz, b"\xfd7zXZ\0"),
		(Self::Lz4, b"\x04\x22\x4d\x18"),
	];
	/// Length of the longest of these beginnings.
	const MAGIC_LEN: u64 = 6;
}

impl fmt::Display for Compression {
	fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
		f.write_str(match self {
			Self::Gzip => "gzip",
			Self::Xz => "xz",
			Self::Lz4 => "LZ4",
		})
	}
}

/// A reader whose first bytes have been looked at.
type Peeked<R> = Chain<Cursor<Vec<u8>>, R>;

/// Returns up to `count` bytes, and a reader that begins with them.
pub(super) fn peek<R: Read>(mut reader: R, count: u64) -> io::Result<(Vec<u8>, Peeked<R>)> {
	let mut head = Vec::new();
	reader.by_ref().take(count).read_to_end(&mut head)?;
	Ok((head.clone(), Cursor::new(head).chain(reader)))
}

/// Returns the compression of the data, if any, and the data unpacked.
pub(super) fn unpack<'a>(
	reader: impl Read + 'a,
) -> io::Result<(Option<Compression>, Box<dyn BufRead + 'a>)> {
	let (head, packed) = peek(BufReader::new(reader), Compression::MAGIC_LEN)?;
	let known = Compression::ALL.into_iter().find(|(_, magic)| head.starts_with(magic));
	let compression = known.map(|(compression, _)| compression);
	let unpacked: Box<dyn BufRead> = match compression {
		None => Box::new(packed),
		Some(Compression::Gzip) => Box::new(BufReader::new(MultiGzDecoder::new(packed))),
		Some(Compression::Xz) => {
			let decoder = XzReader::new_mem_limit(packed, true, Compression::MEMORY_KIB);
			Box::new(BufReader::new(decoder))
		},
		Some(Compression::Lz4) => Box::new(BufReader::new(Lz4Reader::new(packed))),
	};
	Ok((compression, unpacked))
}

/// Unpacks all LZ4 frames.
///
/// The decoder of `lz4_flex` takes the end of its input for the end of a frame, and stops after
/// each frame. Only a cut-off frame makes it ask for more bytes than there are.
struct Lz4Reader<R: Read> {
	frames: FrameDecoder<Watched<R>>,
	finished: bool,
}

impl<R: BufRead> Lz4Reader<R> {
	fn new(inner: R) -> Self {
		let watched = Watched { inner, starved: false };
		Self { frames: FrameDecoder::new(watched), finished: false }
	}
}

impl<R: BufRead> Read for Lz4Reader<R> {
	fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
		while !self.finished && !buffer.is_empty() {
			let count = self.frames.read(buffer)?;
			if count > 0 {
				return Ok(count);
			}
			let packed = self.frames.get_mut();
			if packed.starved {
				return Err(io::ErrorKind::UnexpectedEof.into());
			}
			self.finished = packed.inner.fill_buf()?.is_empty();
		}
		Ok(0)
	}
}

/// A reader that notes reads past its end.
struct Watched<R> {
	inner: R,
	starved: bool,
}

impl<R: Read> Read for Watched<R> {
	fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
		let count = self.inner.read(buffer)?;
		self.starved |= count == 0 && !buffer.is_empty();
		Ok(count)
	}
}

/// Compresses data for tests.
#[cfg(test)]
pub(super) fn compress(compression: Compression, data: &[u8]) -> Vec<u8> {
	use std::io::Write;
	let compress = || -> io::Result<Vec<u8>> {
		match compression {
			Compression::Gzip => {
				let mut encoder = flate2::write::GzEncoder::new(Vec::new(), Default::default());
				encoder.write_all(data)?;
				encoder.finish()
			},
			Compression::Xz => {
				let options = lzma_rust2::XzOptions::with_preset(0);
				let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options)?;
				encoder.write_all(data)?;
				encoder.finish()
			},
			Compression::Lz4 => {
				let info = lz4_flex::frame::FrameInfo::new()
					.block_size(lz4_flex::frame::BlockSize::Max64KB)
					.content_checksum(true);
				let mut encoder = lz4_flex::frame::FrameEncoder::with_frame_info(info, Vec::new());
				encoder.write_all(data)?;
				Ok(encoder.finish()?)
			},
		}
	};
	compress().expect("memory takes all")
}

#[cfg(test)]
mod tests {
	use super::*;

	/// A reader that yields one byte at a time, as a slow pipe does.
	struct Dripping<'a>(&'a [u8]);

	impl Read for Dripping<'_> {
		fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
			let count = buffer.len().min(1);
			self.0.read(&mut buffer[..count])
		}
	}

	fn unpacked(packed: &[u8]) -> io::Result<(Option<Compression>, Vec<u8>)> {
		let (compression, mut reader) = unpack(Dripping(packed))?;
		let mut data = Vec::new();
		reader.read_to_end(&mut data)?;
		assert_eq!(reader.read(&mut [0; 8])?, 0, "the end stays the end");
		Ok((compression, data))
	}

	/// Data of several LZ4 blocks that hardly compresses.
	fn data() -> Vec<u8> {
		let mut state = 1_u32;
		let mut next = || {
			state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
			(state >> 24) as u8
		};
		(0..200_000).map(|_| next()).collect()
	}

	#[test]
	fn the_first_bytes_name_the_compression() {
		for (compression, _) in Compression::ALL {
			for data in [data(), Vec::new()] {
				let found = unpacked(&compress(compression, &data)).expect("it is whole");
				assert!(found == (Some(compression), data), "{compression}");
			}
		}
		for plain in [&b""[..], b"\x1f", b"Package: a\n", b"\x1f\x8b\x07", b"\x04\x22\x4d"] {
			assert_eq!(unpacked(plain).expect("it is plain"), (None, plain.to_vec()));
		}
	}

	#[test]
	fn members_streams_and_frames_are_joined() {
		for (compression, _) in Compression::ALL {
			let mut packed = compress(compression, b"Package: ");
			packed.extend(compress(compression, b""));
			packed.extend(compress(compression, b"a\n"));
			let (_, data) = unpacked(&packed).expect("it is whole");
			assert_eq!(data, b"Package: a\n", "{compression}");
		}
	}

	#[test]
	fn cut_off_data_is_an_error_even_between_two_blocks() {
		let data = data();
		for (compression, _) in Compression::ALL {
			let packed = compress(compression, &data);
			let cuts = (6..packed.len()).step_by(4_999);
			// The header of an LZ4 frame has 7 bytes, the header of a block 4.
			for cut in cuts.chain([7, 7 + 4 + 65_536, packed.len() - 8, packed.len() - 1]) {
				assert!(unpacked(&packed[..cut]).is_err(), "{compression} cut at {cut}");
			}
		}
	}

	#[test]
	fn a_decoder_gets_only_so_much_memory() {
		let mut options = lzma_rust2::XzOptions::with_preset(0);
		options.lzma_options.dict_size = 2 * Compression::MEMORY_KIB * 1024;
		let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).expect("it is valid");
		io::Write::write_all(&mut encoder, b"Package: a\n").expect("memory takes all");
		let packed = encoder.finish().expect("memory takes all");
		let error = unpacked(&packed).expect_err("its dictionary is too large");
		assert_eq!(error.kind(), io::ErrorKind::OutOfMemory);
	}
}
