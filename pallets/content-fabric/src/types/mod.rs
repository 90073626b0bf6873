//! The values of the pallet's storage, and the arguments of its calls.

mod content;
mod deletion;
mod member;
mod record;
mod space;

pub use content::*;
use content_fabric_identifiers::RecordKeyType;
pub use deletion::*;
use frame_support::{
	ensure,
	traits::{
		fungible::{Credit, Inspect},
		Time,
	},
	BoundedVec,
};
use frame_system::pallet_prelude::BlockNumberFor;
pub use member::*;
pub use record::*;
pub use space::*;

use crate::{Config, Error};

/// The account type of a runtime.
pub type AccountIdOf<T> = <T as frame_system::Config>::AccountId;
/// An amount of [`Config::Currency`].
pub type BalanceOf<T> = <<T as Config>::Currency as Inspect<AccountIdOf<T>>>::Balance;
/// What was slashed, for [`Config::Slash`].
pub type CreditOf<T> = Credit<AccountIdOf<T>, <T as Config>::Currency>;
/// Time in the unit of [`Config::Time`].
pub type MomentOf<T> = <<T as Config>::Time as Time>::Moment;

/// Where a node or a KMS is reached: 1 to [`Config::MaxLocatorLen`] visible ASCII characters, such
/// as a URL or a multiaddress.
pub type LocatorOf<T> = BoundedVec<u8, <T as Config>::MaxLocatorLen>;
/// The name of a collection: a record key of 1 to [`Config::MaxCollectionNameLen`] bytes, without
/// colons.
pub type CollectionNameOf<T> = BoundedVec<u8, <T as Config>::MaxCollectionNameLen>;
/// A record key of 1 to [`Config::MaxRecordKeyLen`] bytes.
pub type RecordKeyOf<T> = BoundedVec<u8, <T as Config>::MaxRecordKeyLen>;
/// Which keys a collection has.
pub type RecordKeyTypeOf<T> = RecordKeyType<RecordKeyOf<T>>;

/// [`SpaceRules`] with the types of a runtime.
pub type SpaceRulesOf<T> = SpaceRules<BalanceOf<T>, <T as Config>::MaxSlaLen>;
/// [`SpaceInfo`] with the types of a runtime.
pub type SpaceInfoOf<T> = SpaceInfo<AccountIdOf<T>, BalanceOf<T>, <T as Config>::MaxSlaLen>;
/// [`MemberInfo`] with the types of a runtime.
pub type MemberInfoOf<T> = MemberInfo<AccountIdOf<T>, BalanceOf<T>>;
/// [`BondInfo`] with the types of a runtime.
pub type BondInfoOf<T> = BondInfo<AccountIdOf<T>, BalanceOf<T>>;
/// [`NodeInfo`] with the types of a runtime.
pub type NodeInfoOf<T> = NodeInfo<BalanceOf<T>, <T as Config>::MaxLocatorLen>;
/// [`KmsInfo`] with the types of a runtime.
pub type KmsInfoOf<T> = KmsInfo<BalanceOf<T>, <T as Config>::MaxLocatorLen>;
/// [`ContentObjectInfo`] with the types of a runtime.
pub type ContentObjectInfoOf<T> = ContentObjectInfo<BalanceOf<T>>;
/// [`VersionInfo`] with the types of a runtime.
pub type VersionInfoOf<T> = VersionInfo<MomentOf<T>, BalanceOf<T>>;
/// [`CollectionInfo`] with the types of a runtime.
pub type CollectionInfoOf<T> = CollectionInfo<BalanceOf<T>, RecordKeyOf<T>>;
/// [`RecordInfo`] with the types of a runtime.
pub type RecordInfoOf<T> = RecordInfo<BalanceOf<T>>;
/// [`Deletion`] with the types of a runtime.
pub type DeletionOf<T> = Deletion<BlockNumberFor<T>>;

/// A locator is one word of visible ASCII characters, as URLs and multiaddresses are.
pub(crate) fn ensure_locator<T: Config>(locator: &LocatorOf<T>) -> Result<(), Error<T>> {
	let visible = locator.iter().all(u8::is_ascii_graphic);
	ensure!(visible && !locator.is_empty(), Error::<T>::InvalidLocator);
	Ok(())
}
