// SPDX-License-Identifier: Apache-2.0
//! Values of rows.

use codec::{Decode, Encode};
use content_fabric_client::chain::rows;
use content_fabric_primitives::{ProviderLevel, TenantLevel};
use scale_decode::DecodeAsType;
use subxt::metadata::Metadata;

use super::{map::PALLET, Map};

macro_rules! values {
	($($(#[$doc:meta])* $name:ident $(($type:ty))?,)*) => {
		/// The value of a row.
		#[derive(Clone, Debug, PartialEq, Eq, Encode, Decode)]
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

/// A key or a value is that of another map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongValue;

/// A value cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("rows of map {} have an unknown shape at version {spec_version} of the runtime: {reason}", .map.name())]
pub struct ValueError {
	/// The map.
	pub map: Map,
	/// The version of the runtime.
	pub spec_version: u32,
	/// The reason.
	pub reason: String,
}

impl RowValue {
	/// Reads a value with the metadata of a runtime.
	pub fn decode(
		map: Map,
		raw: &[u8],
		metadata: &Metadata,
		spec_version: u32,
	) -> Result<Self, ValueError> {
		let error = |reason: String| ValueError { map, spec_version, reason };
		let entry = metadata
			.pallet_by_name(PALLET)
			.and_then(|pallet| pallet.storage())
			.and_then(|storage| storage.entry_by_name(map.name()));
		let entry = entry.ok_or_else(|| error("the runtime has no such map".into()))?;
		let mut reader = Reader { raw, type_id: entry.value_ty(), metadata };
		let value = match map {
			Map::Spaces => reader.read().map(Self::Space),
			Map::Admissions => reader.read().map(|()| Self::Admission),
			Map::Providers | Map::Tenants => reader.read().map(Self::Member),
			Map::ProviderKeys => {
				reader.read().map(|key: rows::Key<_>| Self::ProviderKey(key.level))
			},
			Map::Nodes => reader.read().map(Self::Node),
			Map::TenantKeys => reader.read().map(|key: rows::Key<_>| Self::TenantKey(key.level)),
			Map::Kmses => reader.read().map(Self::Kms),
			Map::ContentObjects => reader.read().map(Self::ContentObject),
			Map::Versions => reader.read().map(Self::Version),
			Map::Collections => reader.read().map(Self::Collection),
			Map::Records => reader.read().map(Self::Record),
			Map::Purges => reader.read().map(Self::Purge),
		};
		let value = value.map_err(error)?;
		match reader.raw.len() {
			0 => Ok(value),
			left => Err(error(format!("{left} bytes follow the value"))),
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
