// SPDX-License-Identifier: Apache-2.0
//! The rows of the pallet's storage with the types of a runtime, and the arguments of its calls.

mod purge;

use core::marker::PhantomData;

use content_fabric_identifiers::{NodeId, ProviderId, RecordKeyType};
use content_fabric_primitives::{
	BondInfo, CollectionInfo, ContentObjectInfo, ContentRef, KeyInfo, KmsInfo, MemberInfo,
	NodeInfo, ProviderRowCounts, Purge, RecordInfo, SpaceInfo, SpaceRules, TenantRowCounts,
	VersionCommit, VersionInfo,
};
use frame_support::{
	ensure,
	pallet_prelude::{ConstU32, Get},
	traits::{
		fungible::{Credit, Inspect},
		Time,
	},
	BoundedVec,
};
use frame_system::pallet_prelude::BlockNumberFor;
pub use purge::*;

use crate::{Config, Error};

/// The account type of a runtime.
pub type AccountIdOf<T> = <T as frame_system::Config>::AccountId;
/// An amount of [`Config::Currency`].
pub type BalanceOf<T> = <<T as Config>::Currency as Inspect<AccountIdOf<T>>>::Balance;
/// Slashed funds, for [`Config::Slash`].
pub type CreditOf<T> = Credit<AccountIdOf<T>, <T as Config>::Currency>;
/// Time in the unit of [`Config::Time`].
pub type MomentOf<T> = <<T as Config>::Time as Time>::Moment;

/// The locator of a node or a KMS: 1 to [`Config::MaxLocatorLen`] visible ASCII characters, such as
/// a URL or a multiaddress.
pub type LocatorOf<T> = BoundedVec<u8, <T as Config>::MaxLocatorLen>;
/// The service level of a space, or a link to it: 0 to [`Config::MaxSlaLen`] bytes.
pub type SlaOf<T> = BoundedVec<u8, <T as Config>::MaxSlaLen>;
/// The name of a collection: a record key of 1 to [`Config::MaxCollectionNameLen`] bytes, without
/// colons.
pub type CollectionNameOf<T> = BoundedVec<u8, <T as Config>::MaxCollectionNameLen>;
/// A record key of 1 to [`Config::MaxRecordKeyLen`] bytes.
pub type RecordKeyOf<T> = BoundedVec<u8, <T as Config>::MaxRecordKeyLen>;
/// The type of a collection's record keys.
pub type RecordKeyTypeOf<T> = RecordKeyType<RecordKeyOf<T>>;
/// The reason that governance gives: 0 to [`Config::MaxReasonLen`] bytes of text, or a link.
pub type ReasonOf<T> = BoundedVec<u8, <T as Config>::MaxReasonLen>;
/// At most [`Config::MaxVersionsPerCommit`] items of a batch of versions.
pub type VersionsOf<T, Item> = BoundedVec<Item, <T as Config>::MaxVersionsPerCommit>;
/// At most [`Config::MaxRecordsPerCall`] items of a batch of records.
pub type RecordsOf<T, Item> = BoundedVec<Item, <T as Config>::MaxRecordsPerCall>;
/// A record to be put: its key, or `None` for the chain to mint one, and its target.
pub type RecordPutOf<T> = (Option<RecordKeyOf<T>>, ContentRef);

/// Largest number of nodes that a commit may ask beside its own: one less than
/// [`Config::MaxCopies`].
pub struct MaxOtherCopies<T>(PhantomData<T>);

impl<T: Config> Get<u32> for MaxOtherCopies<T> {
	fn get() -> u32 {
		T::MaxCopies::get().saturating_sub(1)
	}
}

/// The nodes that a commit asks beside its own, each with its provider.
pub type OtherNodesOf<T> = BoundedVec<(ProviderId, NodeId), MaxOtherCopies<T>>;
/// [`VersionCommit`] with the bounds of a runtime.
pub type VersionCommitOf<T> = VersionCommit<<T as Config>::MaxVersionsPerCommit, MaxOtherCopies<T>>;
/// [`SpaceRules`] with the types of a runtime.
pub type SpaceRulesOf<T> = SpaceRules<BalanceOf<T>, SlaOf<T>>;
/// [`SpaceInfo`] with the types of a runtime.
pub type SpaceInfoOf<T> = SpaceInfo<AccountIdOf<T>, BalanceOf<T>, SlaOf<T>>;
/// [`MemberInfo`] with the types of a runtime.
pub type MemberInfoOf<T, Counts> =
	MemberInfo<AccountIdOf<T>, BalanceOf<T>, BlockNumberFor<T>, Counts>;
/// The row of a provider.
pub type ProviderInfoOf<T> = MemberInfoOf<T, ProviderRowCounts>;
/// The row of a tenant.
pub type TenantInfoOf<T> = MemberInfoOf<T, TenantRowCounts>;
/// [`BondInfo`] with the types of a runtime.
pub type BondInfoOf<T> = BondInfo<AccountIdOf<T>, BalanceOf<T>>;
/// [`KeyInfo`] with the types of a runtime.
pub type KeyInfoOf<T, Level> = KeyInfo<Level, BalanceOf<T>>;
/// [`NodeInfo`] with the types of a runtime.
pub type NodeInfoOf<T> = NodeInfo<AccountIdOf<T>, BalanceOf<T>, LocatorOf<T>>;
/// [`KmsInfo`] with the types of a runtime.
pub type KmsInfoOf<T> = KmsInfo<AccountIdOf<T>, BalanceOf<T>, LocatorOf<T>>;
/// [`ContentObjectInfo`] with the types of a runtime.
pub type ContentObjectInfoOf<T> = ContentObjectInfo<BalanceOf<T>>;
/// [`VersionInfo`] with the types of a runtime.
pub type VersionInfoOf<T> = VersionInfo<MomentOf<T>, BalanceOf<T>, CopiesOf<T>>;
/// [`Copy`](content_fabric_primitives::Copy) with the types of a runtime.
pub type CopyOf<T> = content_fabric_primitives::Copy<MomentOf<T>>;
/// The copies of a version, at most [`Config::MaxCopies`].
pub type CopiesOf<T> = BoundedVec<CopyOf<T>, <T as Config>::MaxCopies>;
/// [`CollectionInfo`] with the types of a runtime.
pub type CollectionInfoOf<T> = CollectionInfo<BalanceOf<T>, RecordKeyOf<T>>;
/// [`RecordInfo`] with the types of a runtime.
pub type RecordInfoOf<T> = RecordInfo<BalanceOf<T>>;
/// [`Purge`] with the types of a runtime.
pub type PurgeOf<T> = Purge<BlockNumberFor<T>, BoundedVec<u8, ConstU32<MAX_RAW_KEY_LEN>>>;

/// A row under a member, which records its deposit.
pub(crate) trait Deposited<Balance> {
	/// Returns the deposit on hold for the row.
	#[cfg(any(feature = "std", feature = "try-runtime"))]
	fn deposit(&self) -> Balance;
}

macro_rules! deposited {
	($([$($parameters:tt)*] $row:ty;)*) => {$(
		impl<Balance: Copy, $($parameters)*> Deposited<Balance> for $row {
			#[cfg(any(feature = "std", feature = "try-runtime"))]
			fn deposit(&self) -> Balance {
				self.deposit
			}
		}
	)*};
}

deposited! {
	[Level] KeyInfo<Level, Balance>;
	[AccountId, Locator] NodeInfo<AccountId, Balance, Locator>;
	[AccountId, Locator] KmsInfo<AccountId, Balance, Locator>;
	[] ContentObjectInfo<Balance>;
	[Moment, Copies] VersionInfo<Moment, Balance, Copies>;
	[RecordKey] CollectionInfo<Balance, RecordKey>;
	[] RecordInfo<Balance>;
}

/// Checks that a locator is one word of visible ASCII characters, as URLs and multiaddresses are.
pub(crate) fn ensure_locator<T: Config>(locator: &LocatorOf<T>) -> Result<(), Error<T>> {
	let visible = locator.iter().all(u8::is_ascii_graphic);
	ensure!(visible && !locator.is_empty(), Error::<T>::InvalidLocator);
	Ok(())
}

/// Returns a length of bounded data in the unit of weights and counts.
pub(crate) fn len_u32(len: usize) -> u32 {
	u32::try_from(len).unwrap_or(u32::MAX)
}
