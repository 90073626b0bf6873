// SPDX-License-Identifier: Apache-2.0
use alloc::{collections::BTreeMap, string::String};

use content_fabric_identifiers::{Medallion, Muid, SpaceId};

use super::rows;
use crate::KmsKey;

rows! {
	/// A provider or a tenant. `Counts` are its rows: [`ProviderRowCounts`] or [`TenantRowCounts`].
	pub struct MemberInfo<AccountId, Balance, BlockNumber, Counts> {
		/// The space that the member belongs to.
		pub space: SpaceId,
		/// The account that owns the member. Bond and deposits are on hold on it.
		pub root: AccountId,
		/// When the account became the root, by the chain's clock. A commit that was drafted before
		/// does not count as signed by the root.
		pub root_since: Muid,
		/// The account that may become the root, if one is nominated.
		pub nomination: Option<Nomination<AccountId, BlockNumber>>,
		/// The most that may be on hold for the member, bond and deposits together.
		pub max_held: Balance,
		/// The bond on hold.
		pub bond: Balance,
		/// The deposit on hold for this row, and any that the currency has refused to release.
		pub own_deposit: Balance,
		/// The deposits on hold for the rows under the member.
		pub deposit: Balance,
		/// Number of rows under the member, map by map.
		pub rows: Counts,
		/// The block since which the member has had no rows. `None` while it has some.
		pub empty_since: Option<BlockNumber>,
		/// True if governance has frozen the member, and can delete its rows one by one.
		pub governance_delete: bool,
		/// True if governance has suspended the member.
		pub suspended: bool,
		/// The scope of the purge, if one is under way.
		pub purge: Option<PurgeScope>,
		/// When the member was created, by the chain's clock. Names this incarnation of the id.
		pub created: Muid,
	}

	/// The rows that a purge removes.
	#[derive(Copy)]
	#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
	#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
	pub enum PurgeScope {
		/// All rows under the member, at the request of its root. The member stays.
		#[codec(index = 0)]
		Rows,
		/// All rows under the member, then the member, at the request of governance.
		#[codec(index = 1)]
		Member,
	}

	/// An account that may become the root of a member.
	pub struct Nomination<AccountId, BlockNumber> {
		/// The nominated account.
		pub nominee: AccountId,
		/// The block from which the nominee may accept, if governance nominated it. `None` if the
		/// root did; then it may accept at once.
		pub governance_matures: Option<BlockNumber>,
	}
}

/// Number of rows under a member, map by map.
pub trait RowCounts: Default {
	/// Returns the number of rows in all maps together.
	fn rows(&self) -> u32;
}

/// Counts by the names of the maps, as clients read them of a member of either kind.
impl RowCounts for BTreeMap<String, u32> {
	fn rows(&self) -> u32 {
		self.values().fold(0, |sum, rows| sum.saturating_add(*rows))
	}
}

impl<AccountId, Balance, BlockNumber, Counts: RowCounts>
	MemberInfo<AccountId, Balance, BlockNumber, Counts>
{
	/// Returns the number of rows under the member.
	pub fn row_count(&self) -> u32 {
		self.rows.rows()
	}
}

impl<AccountId, BlockNumber, Counts> MemberInfo<AccountId, u128, BlockNumber, Counts> {
	/// Returns the deposits, for its own row and those under it.
	pub fn deposits(&self) -> u128 {
		self.own_deposit.saturating_add(self.deposit)
	}

	/// Returns all that is on hold for the member.
	pub fn held(&self) -> u128 {
		self.bond.saturating_add(self.deposits())
	}
}

macro_rules! row_counts {
	($($(#[$doc:meta])* $name:ident { $($(#[$field_doc:meta])* $field:ident,)* })*) => {$(
		rows! {
			$(#[$doc])*
			#[derive(Copy, Default)]
			pub struct $name {
				$($(#[$field_doc])* pub $field: u32,)*
			}
		}

		impl RowCounts for $name {
			fn rows(&self) -> u32 {
				0u32$(.saturating_add(self.$field))*
			}
		}
	)*};
}

row_counts! {
	/// Number of rows under a provider, map by map.
	ProviderRowCounts {
		/// Access keys.
		keys,
		/// Nodes.
		nodes,
	}
	/// Number of rows under a tenant, map by map.
	TenantRowCounts {
		/// Access keys.
		keys,
		/// KMSes.
		kmses,
		/// Content objects.
		content_objects,
		/// Versions.
		versions,
		/// Collections.
		collections,
		/// Records.
		records,
	}
}

rows! {
	/// The funds on hold for a member, and the bond that its space requires.
	pub struct BondInfo<AccountId, Balance> {
		/// The account on which all of it is held.
		pub root: AccountId,
		/// The bond on hold.
		pub bond: Balance,
		/// The bond that the rules of the space require. With less, no rows can be added.
		pub required: Balance,
		/// The deposits on hold, for the member's own row and those under it.
		pub deposit: Balance,
		/// The most that may be on hold, bond and deposits together.
		pub max_held: Balance,
	}

	/// An access key: the level of an account in a provider or a tenant.
	#[derive(Copy)]
	pub struct KeyInfo<Level, Balance> {
		/// The level.
		pub level: Level,
		/// When the level was granted, by the chain's clock. The key counts only if this is later
		/// than the creation of the member, and only for commits that were drafted after it.
		pub granted: Muid,
		/// The deposit on hold for this row.
		pub deposit: Balance,
	}

	/// A node of a provider.
	pub struct NodeInfo<AccountId, Balance, Locator> {
		/// The account that acts for the node.
		pub operator: AccountId,
		/// True if the node has yet to be confirmed. A pending node cannot commit versions.
		pub pending: bool,
		/// The locator of the node.
		pub locator: Locator,
		/// The medallion of the node's muids. No two nodes of a chain ever have the same.
		pub medallion: Medallion,
		/// The muid of the node's last commit. The next one must have a later timestamp.
		pub last_muid: Option<Muid>,
		/// The deposit on hold for this row.
		pub deposit: Balance,
	}

	/// A key management server of a tenant.
	pub struct KmsInfo<AccountId, Balance, Locator> {
		/// The account that acts for the server.
		pub operator: AccountId,
		/// The locator of the server.
		pub locator: Locator,
		/// The key for which clients encrypt.
		pub key: KmsKey,
		/// The deposit on hold for this row.
		pub deposit: Balance,
	}
}
