// SPDX-License-Identifier: Apache-2.0
//! Providers and tenants: what both kinds of member have in common, and what is under them except
//! content.

mod access;
mod keys;
mod kinds;
mod kmses;
mod ledger;
mod lifecycle;
mod nodes;
mod roots;

use content_fabric_identifiers::Muid;
use content_fabric_primitives::MemberId;
use frame_support::{
	ensure,
	pallet_prelude::DispatchResult,
	storage::{StorageDoubleMap, StorageMap},
};
pub(crate) use kinds::{InfoOf, KeyOf, MemberKind, ProviderKind, TenantKind};
pub(crate) use ledger::{row_deposit, storage_key_len, NewMember, Update};
use sp_runtime::{ArithmeticError, DispatchError};

use crate::{Config, Error, RowCounts, Spaces};

/// Calls a function of the pallet for the kind of a member, with the id of that kind first.
macro_rules! by_kind {
	($member:expr, $function:ident($($argument:expr),*)) => {
		match $member {
			MemberId::Provider(id) => Self::$function::<ProviderKind>(id, $($argument),*),
			MemberId::Tenant(id) => Self::$function::<TenantKind>(id, $($argument),*),
		}
	};
}

/// Calls a function of the pallet with what a guard of [`Member`] returns for the kind of a member.
macro_rules! guarded {
	($member:expr, $guard:ident($($input:expr),*), $function:ident($($argument:expr),*)) => {
		match $member {
			MemberId::Provider(id) => {
				Self::$function(Provider::<T>::$guard($($input),*, id)?, $($argument),*)
			},
			MemberId::Tenant(id) => {
				Self::$function(Tenant::<T>::$guard($($input),*, id)?, $($argument),*)
			},
		}
	};
}

pub(crate) use by_kind;
pub(crate) use guarded;

/// Number of bytes in every id except a version's.
pub(crate) const ID_LEN: usize = 10;

/// A member as it is in storage. It can only be changed through [`Member::update`], which writes it
/// back.
pub(crate) struct Member<T: Config, K: MemberKind<T>> {
	pub id: K::Id,
	info: InfoOf<T, K>,
}

pub(crate) type Provider<T> = Member<T, ProviderKind>;
pub(crate) type Tenant<T> = Member<T, TenantKind>;

impl<T: Config, K: MemberKind<T>> Member<T, K> {
	/// Reads a member, even one that is being deleted.
	pub fn stored(id: K::Id) -> Result<Self, Error<T>> {
		let info = K::Map::get(id).ok_or(K::NOT_FOUND)?;
		Ok(Self { id, info })
	}

	/// Reads a member that is not being deleted.
	pub fn undeleted(id: K::Id) -> Result<Self, Error<T>> {
		let member = Self::stored(id)?;
		ensure!(!member.is_being_deleted(), Error::BeingDeleted);
		Ok(member)
	}

	/// Reads a member for a reader, unless it is being purged: its rows no longer count then.
	pub fn unpurged(id: K::Id) -> Option<Self> {
		Self::stored(id).ok().filter(|member| member.info.purge.is_none())
	}

	/// Checks that no member has this id.
	pub fn ensure_vacant(id: K::Id) -> Result<(), Error<T>> {
		match Self::stored(id) {
			Err(_) => Ok(()),
			Ok(member) if member.is_being_deleted() => Err(Error::BeingDeleted),
			Ok(_) => Err(K::ALREADY_EXISTS),
		}
	}

	pub fn info(&self) -> &InfoOf<T, K> {
		&self.info
	}

	pub fn member_id(&self) -> MemberId {
		self.id.into()
	}

	/// Returns the number of rows under the member.
	pub fn rows(&self) -> u32 {
		self.info.rows.rows()
	}

	/// Returns the level of an account: as the root, or by an access key which was granted in this
	/// life of the member.
	pub fn level(&self, who: &T::AccountId) -> Option<K::Level> {
		self.level_since(who).map(|(level, _)| level)
	}

	/// Returns the level of an account, and when the account was given it, in this life of the
	/// member.
	pub fn level_since(&self, who: &T::AccountId) -> Option<(K::Level, Muid)> {
		if self.info.root == *who {
			return Some((K::ROOT, self.info.root_since));
		}
		self.key(who).map(|key| (key.level, key.granted))
	}

	/// Returns the access key of an account, if it was granted in this life of the member and is
	/// not being purged.
	fn key(&self, who: &T::AccountId) -> Option<KeyOf<T, K>> {
		let info = &self.info;
		K::Keys::get(self.id, who).filter(|key| key.granted > info.created && info.purge.is_none())
	}

	/// Removes the member, under which there are no rows and for which nothing is on hold.
	pub fn remove(self) -> DispatchResult {
		Spaces::<T>::try_mutate(self.info.space, |info| {
			let members = K::members(info.as_mut().ok_or(Error::<T>::SpaceNotFound)?);
			*members = members.checked_sub(1).ok_or(ArithmeticError::Underflow)?;
			Ok::<_, DispatchError>(())
		})?;
		K::Map::remove(self.id);
		Ok(())
	}
}
