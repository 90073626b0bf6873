// SPDX-License-Identifier: Apache-2.0
//! Values of rows.

use codec::{Decode, Encode};
use content_fabric_client::chain::rows;
use content_fabric_primitives::{ProviderLevel, TenantLevel};
use scale_decode::DecodeAsType;
use scale_info::TypeInfo;
use subxt::metadata::Metadata;

use super::{Map, PALLET};

macro_rules! values {
	($($(#[$doc:meta])* $name:ident $(($type:ty))?,)*) => {
		/// The value of a row.
		#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode, TypeInfo)]
		pub enum RowValue {
			$($(#[$doc])* $name $(($type))?,)*
		}

		$($(
			impl From<$type> for RowValue {
				fn from(value: $type) -> Self {
					Self::$name(value)
				}
			}

			impl TryFrom<RowValue> for $type {
				type Error = WrongValue;

				fn try_from(value: RowValue) -> Result<Self, WrongValue> {
					match value {
						RowValue::$name(value) => Ok(value),
						_ => Err(WrongValue),
					}
				}
			}
		)?)*
	};
}

values! {
	/// A space.
	Space(rows::Space),
	/// An unused admission.
	Admission,
	/// A provider or a tenant.
	Member(rows::Member),
	/// The level of an account in a provider.
	ProviderKey(ProviderLevel),
	/// A node.
	Node(rows::Node),
	/// The level of an account in a tenant.
	TenantKey(TenantLevel),
	/// A KMS.
	Kms(rows::Kms),
	/// A content object.
	ContentObject(rows::ContentObject),
	/// A version.
	Version(rows::Version),
	/// A collection.
	Collection(rows::Collection),
	/// A record.
	Record(rows::Record),
	/// A purge that is under way.
	Purge(rows::Purge),
}

/// A key or a value belongs to another map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongValue;

impl RowValue {
	/// Reads a value with the metadata of a runtime. Fails with the reason.
	pub fn decode(map: Map, raw: &[u8], metadata: &Metadata) -> Result<Self, String> {
		let entry = metadata
			.pallet_by_name(PALLET)
			.and_then(|pallet| pallet.storage())
			.and_then(|storage| storage.entry_by_name(map.name()));
		let entry = entry.ok_or("the runtime has no such map")?;
		let mut reader = Reader { raw, type_id: entry.value_ty(), metadata };
		let value = match map {
			Map::Spaces => Self::Space(reader.read()?),
			Map::Admissions => reader.read().map(|()| Self::Admission)?,
			Map::Providers | Map::Tenants => Self::Member(reader.read()?),
			Map::ProviderKeys => Self::ProviderKey(reader.read::<rows::Key<_>>()?.level),
			Map::Nodes => Self::Node(reader.read()?),
			Map::TenantKeys => Self::TenantKey(reader.read::<rows::Key<_>>()?.level),
			Map::Kmses => Self::Kms(reader.read()?),
			Map::ContentObjects => Self::ContentObject(reader.read()?),
			Map::Versions => Self::Version(reader.read()?),
			Map::Collections => Self::Collection(reader.read()?),
			Map::Records => Self::Record(reader.read()?),
			Map::Purges => Self::Purge(reader.read()?),
		};
		match reader.raw.len() {
			0 => Ok(value),
			left => Err(format!("{left} bytes follow the value")),
		}
	}
}

/// The rest of a value, and its type.
struct Reader<'a> {
	raw: &'a [u8],
	type_id: u32,
	metadata: &'a Metadata,
}

impl Reader<'_> {
	fn read<Value: DecodeAsType>(&mut self) -> Result<Value, String> {
		Value::decode_as_type(&mut self.raw, self.type_id, self.metadata.types())
			.map_err(|error| error.to_string())
	}
}
