// SPDX-License-Identifier: Apache-2.0
use codec::Compact;
use content_fabric_identifiers::{HashKind, KmsId, Medallion, Muid, NodeId, ProviderId, VersionId};

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
	pub struct VersionInfo<Moment, Balance, Copies> {
		/// The copies, at most one for each node.
		pub copies: Copies,
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
		/// When the first node declared that it holds the data, if one did. Never cleared.
		pub finalized: Option<Moment>,
		/// True if finalizing makes the version the head of its object.
		pub set_head_on_finalize: bool,
		/// The deposit on hold for this row.
		pub deposit: Balance,
	}

	/// The entry for a node that holds the data of a version, or was asked to.
	#[derive(Copy)]
	pub struct Copy<Moment> {
		/// The provider of the node. It may have been deleted since.
		pub provider: ProviderId,
		/// The node. It may have been removed since, and another one may have its id.
		pub node: NodeId,
		/// The medallion of the node, which no other node has.
		pub medallion: Medallion,
		/// When the node declared that it holds the data, if it did.
		pub held: Option<Moment>,
	}
}

impl<Moment> Copy<Moment> {
	/// Returns whether the copy counts: the node has declared that it holds the data, and exists.
	/// `present` is the medallion of the node with this id, or `None` if there is none, or its
	/// provider is being purged.
	pub fn counts(&self, present: Option<Medallion>) -> bool {
		self.held.is_some() && self.is_of(present)
	}

	/// Returns whether the node that was asked is the one that has its id now. `present` is as in
	/// [`counts`](Self::counts).
	pub fn is_of(&self, present: Option<Medallion>) -> bool {
		present == Some(self.medallion)
	}
}

impl<Moment, Balance, Copies: AsRef<[Copy<Moment>]>> VersionInfo<Moment, Balance, Copies> {
	/// Returns the copy of the node that the version was committed to, unless it was removed.
	pub fn committed_to(&self) -> Option<&Copy<Moment>> {
		let mut copies = self.copies.as_ref().iter();
		copies.find(|copy| copy.medallion.get() == self.muid.medallion())
	}
}
