// SPDX-License-Identifier: Apache-2.0
//! The rows of a content fabric, as a chain stores them.
//!
//! Rows are generic over the types of some fields: texts are bounded on a chain, and of any length
//! in a client. A client finds the fields of a row by their names, so a chain may have more fields.

mod content;
mod member;
mod purge;
mod record;
mod space;

pub use content::*;
pub use member::*;
pub use purge::*;
pub use record::*;
pub use space::*;

/// Declares rows, values in rows, and events.
macro_rules! rows {
	($(
		$(#[$attribute:meta])*
		pub $kind:tt $name:ident $(<$($parameter:ident),*>)? { $($field:tt)* }
	)*) => {$(
		#[derive(Clone, Debug, PartialEq, Eq)]
		#[derive(
			codec::Encode,
			codec::Decode,
			codec::DecodeWithMemTracking,
			codec::MaxEncodedLen,
			scale_info::TypeInfo,
		)]
		#[cfg_attr(feature = "scale-decode", derive(scale_decode::DecodeAsType))]
		$(#[scale_info(skip_type_params($($parameter),*))])?
		$(#[$attribute])*
		pub $kind $name $(<$($parameter),*>)? { $($field)* }
	)*};
}
pub(crate) use rows;
