// SPDX-License-Identifier: Apache-2.0
use codec::Compact;
use content_fabric_identifiers::{HashKind, KmsId, Muid, NodeId, ProviderId, VersionId};

use super::rows;

rows! {
	/// A content object of a tenant.
	pub struct ContentObjectInfo<Balance> {
		/// The version that stands for the object. It is finalized.
		pub head_version: Option<VersionId>,
		/// When the version that last became the head was committed, by the chain's clock. At
		/// first, when the object was created.
		pub head_since: Muid,
		/// When the tenant last decided about the head, by the chain's clock: set it, cleared it,
		/// or created the object. Zero if a commit created the object.
		pub head_set: Muid,
		/// Number of versions of the object.
		pub version_count: u32,
		/// The deposit on hold for this row.
		pub deposit: Balance,
		/// When the object was created, by the chain's clock.
		pub created: Muid,
	}

	/// A version of a content object.
	pub struct VersionInfo<Moment, Balance> {
		/// The provider whose node took in the data. It may have been deleted since.
		pub originator: ProviderId,
		/// The node of the originator that took in the data. It may have been removed since.
		pub node: NodeId,
		/// The KMS for which the data is encrypted, as an age file. It may have been removed since.
		/// `None` if the data is plain.
		pub kms: Option<KmsId>,
		/// The muid that the node gave the version in its commit.
		pub muid: Muid,
		/// The kind of hash that the id of the version is.
		pub hash: HashKind,
		/// Size of the data, in bytes. (Not a field marked `codec(compact)`: the derive takes the
		/// maximal length of such a field to be 8.)
		pub size: Compact<u64>,
		/// When the version was committed, by the chain's clock.
		pub committed: Muid,
		/// When the originator declared the data complete, if it did.
		pub finalized: Option<Moment>,
		/// True if finalizing makes the version the head of its object.
		pub set_head_on_finalize: bool,
		/// The deposit on hold for this row.
		pub deposit: Balance,
	}
}
