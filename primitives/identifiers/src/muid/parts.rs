// SPDX-License-Identifier: Apache-2.0
//! The three parts of a muid, by name.

use core::cmp::Ordering;

use super::{Medallion, Muid, MuidError};

/// The three parts of a muid. They have the order of the packed muid: by timestamp, then by
/// medallion, then by the offset as an unsigned number, so that negative offsets come last.
///
/// ```
/// use content_fabric_identifiers::{Muid, MuidParts};
///
/// let muid: Muid = "5D5EAC793E61F-1BFC71B112D-0000000B".parse()?;
/// let parts = muid.parts();
/// assert_eq!(parts.medallion, 0x1BFC71B112D);
/// let next = MuidParts { offset: parts.offset + 1, ..parts };
/// assert_eq!(Muid::from_parts(next)?.to_string(), "5D5EAC793E61F-1BFC71B112D-0000000C");
/// # Ok::<_, Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MuidParts {
	/// Microseconds since the Unix epoch: 52 bits.
	pub timestamp: u64,
	/// The number of the writer: 44 bits. A muid from elsewhere can hold the one number that is not
	/// a [`Medallion`], of which all bits are set.
	pub medallion: u64,
	/// The creation within the transaction. 0 is the transaction itself.
	pub offset: i32,
}

impl Ord for MuidParts {
	fn cmp(&self, other: &Self) -> Ordering {
		let key = |parts: &Self| (parts.timestamp, parts.medallion, parts.offset as u32);
		key(self).cmp(&key(other))
	}
}

impl PartialOrd for MuidParts {
	fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
		Some(self.cmp(other))
	}
}

impl Muid {
	/// Returns the muid of three parts.
	pub const fn from_parts(parts: MuidParts) -> Result<Self, MuidError> {
		let MuidParts { timestamp, medallion, offset } = parts;
		if timestamp > Self::MAX_TIMESTAMP {
			return Err(MuidError::TimestampTooLarge { found: timestamp });
		}
		if medallion > Medallion::MAX.0 + 1 {
			return Err(MuidError::MedallionTooLarge { found: medallion });
		}
		Ok(Self::pack(timestamp, medallion, offset as u32))
	}

	/// Returns the three parts.
	pub const fn parts(self) -> MuidParts {
		MuidParts {
			timestamp: self.timestamp(),
			medallion: self.medallion(),
			offset: self.offset(),
		}
	}
}

impl From<Muid> for MuidParts {
	fn from(muid: Muid) -> Self {
		muid.parts()
	}
}

impl TryFrom<MuidParts> for Muid {
	type Error = MuidError;

	fn try_from(parts: MuidParts) -> Result<Self, MuidError> {
		Self::from_parts(parts)
	}
}

#[cfg(feature = "arbitrary")]
impl<'a> arbitrary::Arbitrary<'a> for MuidParts {
	fn arbitrary(bytes: &mut arbitrary::Unstructured<'a>) -> arbitrary::Result<Self> {
		Muid::arbitrary(bytes).map(Muid::parts)
	}
}
