// SPDX-License-Identifier: Apache-2.0
//! The rows of a content fabric, as a chain stores them.
//!
//! Rows are generic over whole types of fields. A chain has bounded texts, and a client any texts:
//! it decodes a row by the names of its fields, so a chain may have more of them.

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

/// Declares rows, and values in rows.
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
use rows;
