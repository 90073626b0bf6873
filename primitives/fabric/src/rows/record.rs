// SPDX-License-Identifier: Apache-2.0
use content_fabric_identifiers::{Muid, RecordKeySyntax, RecordKeyType};

use super::rows;
use crate::ContentRef;

rows! {
	/// A collection of a tenant: records under one name whose keys follow the same rules.
	pub struct CollectionInfo<Balance, RecordKey> {
		/// The type of the records' keys.
		pub key_type: RecordKeyType<RecordKey>,
		/// The syntax of the keys.
		pub syntax: RecordKeySyntax,
		/// Number of records in the collection.
		pub record_count: u32,
		/// The deposit on hold for this row.
		pub deposit: Balance,
		/// When the collection was created, by the chain's clock.
		pub created: Muid,
	}

	/// A record: a name for content.
	pub struct RecordInfo<Balance> {
		/// The target of the record. It may have been deleted since.
		pub target: ContentRef,
		/// When the record was created, by the chain's clock.
		pub created: Muid,
		/// When the record was last put, by the chain's clock.
		pub updated: Muid,
		/// The deposit on hold for this row.
		pub deposit: Balance,
	}
}
