// SPDX-License-Identifier: Apache-2.0
//! Access to members: one guard for each kind of call.
//!
//! Every guard takes the origin, so no call can forget to check it.

use content_fabric_identifiers::Muid;
use frame_support::ensure;
use frame_system::pallet_prelude::OriginFor;
use sp_runtime::DispatchError;

use super::{Member, MemberKind, Provider, Tenant};
use crate::{
	types::AccountIdOf, Config, Error, Event, NodeInfoOf, Pallet, ProviderLevel, PurgeScope,
	ReasonOf, TenantLevel,
};

impl<T: Config, K: MemberKind<T>> Member<T, K> {
	/// Accepts an account whose level may do what the call does with rows of the member.
	pub fn by(
		origin: OriginFor<T>,
		id: K::Id,
		may: fn(K::Level) -> bool,
	) -> Result<Self, DispatchError> {
		let (who, member) = Self::signed(origin, id)?;
		ensure!(member.level(&who).is_some_and(may), Error::<T>::NoPermission);
		Ok(member)
	}

	/// Accepts any account on a member whose rows may be changed. The caller checks the account.
	pub fn signed(
		origin: OriginFor<T>,
		id: K::Id,
	) -> Result<(AccountIdOf<T>, Self), DispatchError> {
		let who = Pallet::<T>::ensure_signed(origin)?;
		let member = Self::undeleted(id)?;
		member.ensure_open()?;
		Ok((who, member))
	}

	/// Accepts the root of a member that is neither frozen nor suspended, for what concerns the
	/// member itself. A purge of its rows may be under way.
	pub fn by_root(origin: OriginFor<T>, id: K::Id) -> Result<Self, DispatchError> {
		let who = Pallet::<T>::ensure_signed(origin)?;
		let member = Self::undeleted(id)?;
		member.ensure_active()?;
		ensure!(member.info.root == who, Error::<T>::NoPermission);
		Ok(member)
	}

	/// Accepts the governance of the member's space, for the incarnation that was created then.
	pub fn by_governance(
		origin: OriginFor<T>,
		created: Muid,
		id: K::Id,
	) -> Result<Self, DispatchError> {
		Pallet::<T>::ensure_migrated()?;
		let member = Self::undeleted(id)?;
		Pallet::<T>::ensure_governance(origin, member.info.space)?;
		member.ensure_incarnation(created)?;
		Ok(member)
	}

	/// Accepts the governance of the member's space, for the deletion of a row under a member that
	/// it has frozen with the flag `governance_delete`. Deposits the event that gives the reason.
	pub fn frozen(
		origin: OriginFor<T>,
		created: Muid,
		reason: ReasonOf<T>,
		id: K::Id,
	) -> Result<Self, DispatchError> {
		let member = Self::by_governance(origin, created, id)?;
		ensure!(member.info.governance_delete, Error::<T>::GovernanceDeleteNotSet);
		member.ensure_not_purging()?;
		let event = Event::ChildDeletedByGovernance { member: member.member_id(), created, reason };
		Pallet::<T>::deposit_event(event);
		Ok(member)
	}

	/// Checks that the member is neither frozen nor suspended.
	pub fn ensure_active(&self) -> Result<(), Error<T>> {
		ensure!(!self.info.governance_delete, K::FROZEN);
		ensure!(!self.info.suspended, K::SUSPENDED);
		Ok(())
	}

	/// Checks that rows of the member may be changed.
	pub fn ensure_open(&self) -> Result<(), Error<T>> {
		self.ensure_active()?;
		self.ensure_not_purging()
	}

	/// Checks that the member was created at `created`.
	pub fn ensure_incarnation(&self, created: Muid) -> Result<(), Error<T>> {
		ensure!(self.info.created == created, Error::IncarnationMismatch);
		Ok(())
	}

	pub fn is_being_deleted(&self) -> bool {
		self.info.purge == Some(PurgeScope::Member)
	}

	pub fn ensure_not_purging(&self) -> Result<(), Error<T>> {
		ensure!(self.info.purge.is_none(), Error::BeingPurged);
		Ok(())
	}
}

impl<T: Config> Provider<T> {
	/// Checks that an account may act for one of the provider's nodes: as its operator, or because
	/// it manages all of them.
	pub fn ensure_acts_for(
		&self,
		who: &T::AccountId,
		node: &NodeInfoOf<T>,
	) -> Result<(), Error<T>> {
		let may = node.operator == *who || self.manages_nodes(who);
		ensure!(may, Error::NoPermission);
		Ok(())
	}

	/// Returns whether an account manages the provider's nodes.
	pub fn manages_nodes(&self, who: &T::AccountId) -> bool {
		self.level(who).is_some_and(ProviderLevel::can_manage_nodes)
	}
}

impl<T: Config> Tenant<T> {
	/// Returns whether an account manages the tenant's KMSes.
	pub fn manages_kmses(&self, who: &T::AccountId) -> bool {
		self.level(who).is_some_and(TenantLevel::can_manage_kmses)
	}
}
