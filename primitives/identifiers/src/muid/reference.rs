// SPDX-License-Identifier: Apache-2.0
//! References from one item to another, which omit the parts that they share with their context.

use super::Muid;
use crate::convert::messages;

/// The reference does not lead to a muid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ResolveMuidError {
	/// A negative offset counts back within the transaction of the context, but the reference names
	/// another transaction.
	OtherTransaction {
		/// The offset of the reference.
		offset: i32,
	},
	/// The offset counts back beyond the transaction itself, which has offset 0.
	BeforeTransaction {
		/// The offset of the reference.
		offset: i32,
		/// The offset of the context.
		from: i32,
	},
	/// The reference needs the offset of its context, which is a reference itself.
	RelativeContext {
		/// The offset of the context.
		offset: i32,
	},
}

messages! { ResolveMuidError:
	Self::OtherTransaction { offset } =>
		"offset {offset} counts back in another transaction than the context's";
	Self::BeforeTransaction { offset, from } =>
		"offset {offset} counts back from {from}, which is before the start of the transaction";
	Self::RelativeContext { offset } =>
		"the context has the negative offset {offset}: resolve it first";
}

impl Muid {
	/// Resolves this muid as a reference, and returns the absolute muid. `context` is the muid of
	/// the item that has the reference. The reference takes only the omitted parts from the
	/// context:
	///
	/// | part | is left out if | then it is |
	/// | --- | --- | --- |
	/// | timestamp | it is zero | the timestamp of the context |
	/// | medallion | it is zero | the medallion of the context |
	/// | offset | all three parts are zero | the offset of the context |
	///
	/// An offset that is not omitted stands for itself, and 0 then means the transaction. A
	/// negative offset counts back from the offset of the context. It is an error unless the
	/// timestamp and the medallion equal the context's, given or omitted. A muid is absolute if its
	/// timestamp and medallion are not zero and its offset is not negative: it stands for itself in
	/// every context.
	///
	/// ```
	/// use content_fabric_identifiers::{Muid, ResolveMuidError};
	///
	/// let muid = |text| Muid::parse(text).expect("a muid");
	/// let context = muid("5D5EAC793E61F-1BFC71B112D-0000000B");
	/// for (reference, absolute) in [
	///     // The item before, the fifth item, and the context itself.
	///     ("0000000000000-00000000000-FFFFFFFF", "5D5EAC793E61F-1BFC71B112D-0000000A"),
	///     ("0000000000000-00000000000-00000005", "5D5EAC793E61F-1BFC71B112D-00000005"),
	///     ("0000000000000-00000000000-00000000", "5D5EAC793E61F-1BFC71B112D-0000000B"),
	///     // An earlier transaction of the same writer.
	///     ("5D5EAC793E61E-00000000000-00000000", "5D5EAC793E61E-1BFC71B112D-00000000"),
	///     // Absolute muids: an item, and a transaction.
	///     ("0000000000001-00000000002-00000003", "0000000000001-00000000002-00000003"),
	///     ("0000000000001-00000000002-00000000", "0000000000001-00000000002-00000000"),
	/// ] {
	///     assert_eq!(muid(reference).resolve(context), Ok(muid(absolute)));
	/// }
	/// // Counts back in another transaction, or to before the start of this one.
	/// let other = muid("0000000000001-00000000002-FFFFFFFF").resolve(context);
	/// assert_eq!(other, Err(ResolveMuidError::OtherTransaction { offset: -1 }));
	/// let before = muid("0000000000000-00000000000-FFFFFFF4").resolve(context);
	/// assert_eq!(before, Err(ResolveMuidError::BeforeTransaction { offset: -12, from: 11 }));
	/// ```
	pub const fn resolve(self, context: Self) -> Result<Self, ResolveMuidError> {
		let timestamp = if self.timestamp() == 0 { context.timestamp() } else { self.timestamp() };
		let medallion = if self.medallion() == 0 { context.medallion() } else { self.medallion() };
		let offset = self.offset();
		if self.0 != 0 && offset >= 0 {
			return Ok(Self::pack(timestamp, medallion, offset as u32));
		}
		if timestamp != context.timestamp() || medallion != context.medallion() {
			return Err(ResolveMuidError::OtherTransaction { offset });
		}
		match context.offset() {
			from @ ..0 => Err(ResolveMuidError::RelativeContext { offset: from }),
			// The sum fits, as one of the two is not negative and the other not positive.
			from => match from + offset {
				..0 => Err(ResolveMuidError::BeforeTransaction { offset, from }),
				offset => Ok(Self::pack(timestamp, medallion, offset as u32)),
			},
		}
	}
}
