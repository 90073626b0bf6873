// SPDX-License-Identifier: Apache-2.0
//! The parts that providers and tenants share: funds, access, and their lives.

use super::*;

impl Model {
	// Funds.

	/// Returns what is on hold for a member.
	fn held(&self, member: MemberId) -> Balance {
		let info = &self.members[&member];
		info.bond + info.own_deposit + info.purged_deposit + self.deposit_of(member)
	}

	fn hold(&mut self, reason: HoldReason, who: AccountId, amount: Balance) -> Outcome {
		let account = self.accounts.get_mut(&who).expect("all accounts are known");
		// The existential deposit stays.
		if amount > 0 && amount > account.free - ExistentialDeposit::get() {
			return Err(TokenError::FundsUnavailable.into());
		}
		account.free -= amount;
		*account.held(reason) += amount;
		Ok(())
	}

	fn release(&mut self, reason: HoldReason, who: AccountId, amount: Balance) {
		let account = self.accounts.get_mut(&who).expect("all accounts are known");
		*account.held(reason) -= amount;
		account.free += amount;
	}

	/// Holds or releases what the deposits of a member's rows have changed by, once for a whole
	/// call. The rows are as the call leaves them.
	pub(super) fn change_deposits(
		&mut self,
		member: impl Into<MemberId>,
		added: Balance,
		removed: Balance,
	) -> Outcome {
		let member = member.into();
		let Member { root, max_held, .. } = self.members[&member];
		if added > removed {
			ensure(self.held(member) <= max_held, Error::HeldLimitExceeded)?;
			self.hold(HoldReason::StorageDeposit, root, added - removed)?;
		} else {
			self.release(HoldReason::StorageDeposit, root, removed - added);
		}
		Ok(())
	}

	/// Holds the deposits of rows that were added: only to a member with the bond that its space
	/// requires.
	pub(super) fn add_rows(
		&mut self,
		member: impl Into<MemberId>,
		added: Balance,
		removed: Balance,
	) -> Outcome {
		let member = member.into();
		self.bonded(member)?;
		self.change_deposits(member, added, removed)?;
		self.members.entry(member).and_modify(|info| info.empty_since = None);
		Ok(())
	}

	/// Releases the deposits of rows that are gone already, and notes the end of the last row.
	pub(super) fn remove_rows(
		&mut self,
		member: impl Into<MemberId>,
		deposits: Balance,
	) -> Outcome {
		let member = member.into();
		self.change_deposits(member, 0, deposits)?;
		if self.rows(member) == 0 {
			let block = self.block;
			self.members.entry(member).and_modify(|info| info.empty_since = Some(block));
		}
		Ok(())
	}

	// Access.

	pub(super) fn signed(origin: Origin) -> Result<AccountId, DispatchError> {
		origin.ok_or(DispatchError::BadOrigin)
	}

	pub(super) fn governance(&self, origin: Origin, space: SpaceId) -> Outcome {
		let governor = self.spaces.get(&space).ok_or(Error::<Test>::SpaceNotFound)?.governor;
		let governs = origin.is_none() || origin == Some(governor);
		governs.then_some(()).ok_or(DispatchError::BadOrigin)
	}

	pub(super) fn loaded(&self, member: MemberId) -> Result<&Member, DispatchError> {
		let info = self.members.get(&member).ok_or(errors(member).not_found)?;
		ensure(!self.is_being_deleted(member), Error::BeingDeleted)?;
		Ok(info)
	}

	fn active(&self, member: MemberId) -> Result<&Member, DispatchError> {
		let info = self.loaded(member)?;
		ensure(!info.frozen, errors(member).frozen)?;
		ensure(!info.suspended, errors(member).suspended)?;
		Ok(info)
	}

	/// A member whose rows may be changed.
	pub(super) fn open(&self, member: impl Into<MemberId>) -> Result<&Member, DispatchError> {
		let info = self.active(member.into())?;
		ensure(info.purge.is_none(), Error::BeingPurged)?;
		Ok(info)
	}

	pub(super) fn by_root(&self, origin: Origin, member: MemberId) -> Outcome {
		let who = Self::signed(origin)?;
		ensure(self.active(member)?.root == who, Error::NoPermission)
	}

	pub(super) fn governed(&self, origin: Origin, member: MemberId, created: Muid) -> Outcome {
		let info = self.loaded(member)?;
		self.governance(origin, info.space)?;
		ensure(info.created == created, Error::IncarnationMismatch)
	}

	pub(super) fn frozen(
		&self,
		origin: Origin,
		member: impl Into<MemberId>,
		created: Muid,
	) -> Outcome {
		let member = member.into();
		self.governed(origin, member, created)?;
		let info = self.loaded(member)?;
		ensure(info.frozen, Error::GovernanceDeleteNotSet)?;
		ensure(info.purge.is_none(), Error::BeingPurged)
	}

	/// Returns the level of an account, and when it was given that.
	pub(super) fn level_since(
		&self,
		who: AccountId,
		member: impl Into<MemberId>,
	) -> Option<(TenantLevel, Muid)> {
		let member = member.into();
		match &self.members[&member] {
			info if info.root == who => Some((TenantLevel::Root, info.root_since)),
			_ => self.keys.get(&(member, who)).map(|key| (key.level, key.granted)),
		}
	}

	pub(super) fn level(&self, who: AccountId, member: impl Into<MemberId>) -> Option<TenantLevel> {
		self.level_since(who, member).map(|(level, _)| level)
	}

	pub(super) fn by_level(
		&self,
		origin: Origin,
		member: impl Into<MemberId>,
		level: TenantLevel,
	) -> Outcome {
		let (who, member) = (Self::signed(origin)?, member.into());
		self.open(member)?;
		ensure(self.level(who, member) >= Some(level), Error::NoPermission)
	}

	/// Returns the bond that a space requires.
	fn required(&self, space: SpaceId, member: MemberId) -> Balance {
		match member {
			MemberId::Provider(_) => self.spaces[&space].rules.provider_bond,
			MemberId::Tenant(_) => self.spaces[&space].rules.tenant_bond,
		}
	}

	pub(super) fn bonded(&self, member: impl Into<MemberId>) -> Outcome {
		let member = member.into();
		let info = &self.members[&member];
		ensure(info.bond >= self.required(info.space, member), errors(member).under_bonded)
	}

	// Lives.

	fn use_admission(&mut self, space: SpaceId, who: AccountId, member: MemberId) -> Outcome {
		if self.spaces[&space].rules.admission == AdmissionPolicy::Approval {
			let used = self.admissions.remove(&(space, who, member.role()));
			ensure(used, Error::NotAdmitted)?;
		}
		Ok(())
	}

	pub(super) fn create_member(
		&mut self,
		origin: Origin,
		space: SpaceId,
		member: MemberId,
		max_held: Balance,
	) -> Outcome {
		let root = Self::signed(origin)?;
		ensure(!self.is_being_deleted(member), Error::BeingDeleted)?;
		ensure(!self.members.contains_key(&member), errors(member).exists)?;
		ensure(self.spaces.contains_key(&space), Error::SpaceNotFound)?;
		let bond = self.required(space, member);
		self.use_admission(space, root, member)?;
		let own_deposit = rows::own_deposit(member);
		ensure(bond + own_deposit <= max_held, Error::HeldLimitExceeded)?;
		self.hold(bond_reason(member), root, bond)?;
		self.hold(HoldReason::StorageDeposit, root, own_deposit)?;
		let created = self.mint();
		let info = Member {
			space,
			root,
			root_since: created,
			nomination: None,
			max_held,
			bond,
			own_deposit,
			purged_deposit: 0,
			empty_since: Some(self.block),
			frozen: false,
			suspended: false,
			purge: None,
			created,
		};
		self.members.insert(member, info);
		Ok(())
	}

	pub(super) fn top_up(&mut self, member: MemberId, amount: Balance) -> Outcome {
		let Member { root, max_held, bond, .. } = self.members[&member];
		let bond = bond.checked_add(amount).ok_or(ArithmeticError::Overflow)?;
		let within = amount == 0 || self.held(member).saturating_add(amount) <= max_held;
		ensure(within, Error::HeldLimitExceeded)?;
		self.hold(bond_reason(member), root, amount)?;
		self.members.entry(member).and_modify(|info| info.bond = bond);
		Ok(())
	}

	pub(super) fn set_max_held(&mut self, member: MemberId, max_held: Balance) -> Outcome {
		ensure(self.held(member) <= max_held, Error::HeldLimitExceeded)?;
		self.members.entry(member).and_modify(|info| info.max_held = max_held);
		Ok(())
	}

	pub(super) fn nominate(
		&mut self,
		origin: Origin,
		member: MemberId,
		created: Muid,
		nominee: Option<AccountId>,
	) -> Outcome {
		let info = self.loaded(member)?.clone();
		let is_root = origin == Some(info.root);
		let acts_as_root = is_root && !info.frozen && !info.suspended;
		if !acts_as_root {
			let refused = match is_root {
				true => self.active(member).err().unwrap_or(DispatchError::BadOrigin),
				false => DispatchError::BadOrigin,
			};
			self.governance(origin, info.space).map_err(|_| refused)?;
		}
		ensure(info.created == created, Error::IncarnationMismatch)?;
		ensure(nominee != Some(info.root), Error::NomineeIsRoot)?;
		let something = nominee.is_some() || info.nomination.is_some();
		ensure(something, Error::NominationNotFound)?;
		let matures = if acts_as_root {
			let matured = info.nomination.and_then(|(_, matures)| matures);
			ensure(matured.is_none_or(|at| self.block < at), Error::NominationMatured)?;
			None
		} else {
			Some(self.block + UnbondingPeriod::get())
		};
		let nomination = nominee.map(|nominee| (nominee, matures));
		self.members.entry(member).and_modify(|info| info.nomination = nomination);
		Ok(())
	}

	pub(super) fn accept(
		&mut self,
		origin: Origin,
		member: MemberId,
		max_held: Balance,
	) -> Outcome {
		let who = Self::signed(origin)?;
		let info = self.loaded(member)?.clone();
		ensure(info.purge.is_none(), Error::BeingPurged)?;
		let nomination = info.nomination.filter(|(nominee, _)| *nominee == who);
		match nomination.ok_or(Error::<Test>::NotNominated)?.1 {
			Some(matures) => ensure(self.block >= matures, Error::NominationNotMature)?,
			None => {
				self.active(member)?;
				self.use_admission(info.space, who, member)?;
			},
		}
		// The new root's own access key is removed, and the former root's funds are released.
		let before = info.own_deposit + self.deposit_of(member);
		self.keys.remove(&(member, who));
		ensure(self.held(member) <= max_held, Error::HeldLimitExceeded)?;
		let deposits = info.own_deposit + self.deposit_of(member);
		self.hold(bond_reason(member), who, info.bond)?;
		self.hold(HoldReason::StorageDeposit, who, deposits)?;
		self.release(bond_reason(member), info.root, info.bond);
		self.release(HoldReason::StorageDeposit, info.root, before);
		let root_since = self.mint();
		self.members.entry(member).and_modify(|info| {
			(info.root, info.root_since) = (who, root_since);
			(info.max_held, info.nomination) = (max_held, None);
		});
		match info.empty_since {
			None => self.remove_rows(member, 0),
			Some(_) => Ok(()),
		}
	}

	pub(super) fn delete_member(&mut self, member: MemberId) -> Outcome {
		let info = self.members[&member].clone();
		let rows = info.purge.map_or(self.rows(member), |(_, _, left)| left);
		ensure(rows == 0, errors(member).not_empty)?;
		let since = info.empty_since.expect("the member is empty");
		let long_enough = self.block >= since + UnbondingPeriod::get();
		ensure(info.bond == 0 || long_enough, Error::UnbondingPeriodNotOver)?;
		self.release(bond_reason(member), info.root, info.bond);
		self.release(HoldReason::StorageDeposit, info.root, info.own_deposit);
		self.members.remove(&member);
		Ok(())
	}

	pub(super) fn slash(&mut self, member: MemberId, amount: Balance) {
		let info = self.members.get_mut(&member).expect("was looked up");
		let amount = amount.min(info.bond);
		info.bond -= amount;
		let account = self.accounts.get_mut(&info.root).expect("all accounts are known");
		*account.held(bond_reason(member)) -= amount;
		self.slashed += amount;
	}

	// Purges.

	/// Closes a member: its rows no longer count. Their deposits are released at once if the member
	/// is deleted, and with the last row if it stays.
	fn start_purge(&mut self, member: MemberId, scope: PurgeScope) {
		let info = self.members[&member].clone();
		let rows = info.purge.map_or(self.rows(member), |(_, _, left)| left);
		let deposits = info.purged_deposit + self.deposit_of(member);
		let kept = match scope {
			PurgeScope::Rows => deposits,
			PurgeScope::Member => {
				self.release(HoldReason::StorageDeposit, info.root, deposits);
				0
			},
		};
		self.members.entry(member).and_modify(|info| info.purged_deposit = kept);
		self.forget_children(member);
		let started = match info.purge {
			Some((_, started, _)) => started,
			None => {
				self.queue.push_back(Some(member));
				self.block
			},
		};
		self.members.entry(member).and_modify(|info| info.purge = Some((scope, started, rows)));
	}

	pub(super) fn purge_member(&mut self, member: MemberId) -> Outcome {
		self.open(member)?;
		ensure(self.rows(member) > 0, Error::NothingToPurge)?;
		self.start_purge(member, PurgeScope::Rows);
		Ok(())
	}

	pub(super) fn governance_delete(&mut self, member: MemberId, slash: Balance) {
		self.slash(member, slash);
		let info = self.members[&member].clone();
		self.release(bond_reason(member), info.root, info.bond);
		self.release(HoldReason::StorageDeposit, info.root, info.own_deposit);
		self.members.entry(member).and_modify(|info| (info.bond, info.own_deposit) = (0, 0));
		if info.purge.is_none() && self.rows(member) == 0 {
			self.members.remove(&member);
		} else {
			self.start_purge(member, PurgeScope::Member);
		}
	}

	pub(super) fn reap(&mut self, origin: Origin, member: MemberId, limit: u32) -> Outcome {
		Self::signed(origin)?;
		ensure(limit > 0, Error::EmptyBatch)?;
		let info = self.members.get(&member).ok_or(errors(member).not_found)?;
		let (_, started, left) = info.purge.ok_or(Error::<Test>::NotBeingPurged)?;
		ensure(started < self.block, Error::PurgeNotStarted)?;
		self.remove_purged(member, left.min(limit));
		Ok(())
	}

	/// Counts down what is left of a member that is being purged.
	fn remove_purged(&mut self, member: MemberId, rows: u32) {
		let block = self.block;
		let info = self.members.get_mut(&member).expect("is being purged");
		let (scope, _, left) = info.purge.as_mut().expect("is being purged");
		*left -= rows;
		if *left > 0 {
			return;
		}
		match scope {
			PurgeScope::Member => drop(self.members.remove(&member)),
			PurgeScope::Rows => {
				(info.purge, info.empty_since) = (None, Some(block));
				let (root, deposits) = (info.root, std::mem::take(&mut info.purged_deposit));
				self.release(HoldReason::StorageDeposit, root, deposits);
			},
		}
		// The place stays, empty.
		for place in &mut self.queue {
			place.take_if(|other| *other == member);
		}
	}

	pub fn on_idle(&mut self, weight: Weight) {
		let (base, step) = (<() as WeightInfo>::reap(0), <() as WeightInfo>::reap(1));
		let row = step - base;
		let place = <() as WeightInfo>::on_idle_base();
		let Some(mut rest) = weight.checked_sub(&place) else { return };
		while let Some(&member) = self.queue.front() {
			let Some(after) = rest.checked_sub(&place) else { return };
			rest = after;
			if let Some(member) = member {
				let Some(for_rows) = rest.checked_sub(&base) else { return };
				let fit = (for_rows.ref_time() / row.ref_time())
					.min(for_rows.proof_size() / row.proof_size());
				let (_, started, left) = self.members[&member].purge.expect("is in the queue");
				let rows = fit.min(left.into()) as u32;
				if rows == 0 || started == self.block {
					return;
				}
				self.remove_purged(member, rows);
				rest -= <() as WeightInfo>::reap(rows);
				if rows < left {
					return;
				}
			}
			self.queue.pop_front();
		}
	}

	// Rows under members.

	fn deposits(&self, member: MemberId) -> Vec<Balance> {
		let keys = self.keys.iter().filter(|(key, _)| key.0 == member);
		let mut all: Vec<_> = keys.map(|(_, key)| key.deposit).collect();
		match member {
			MemberId::Provider(id) => {
				let nodes = self.nodes.iter().filter(|(key, _)| key.0 == id);
				all.extend(nodes.map(|(_, node)| node.deposit));
			},
			MemberId::Tenant(id) => {
				let kmses = self.kmses.iter().filter(|(key, _)| key.0 == id);
				let objects = self.objects.iter().filter(|(key, _)| key.0 == id);
				let versions = self.versions.iter().filter(|(key, _)| key.0 == id);
				let collections = self.collections.iter().filter(|(key, _)| key.0 == id);
				let records = self.records.iter().filter(|(key, _)| key.0 == id);
				all.extend(kmses.map(|(_, kms)| kms.deposit));
				all.extend(objects.map(|(_, object)| object.deposit));
				all.extend(versions.map(|(_, version)| version.deposit));
				all.extend(collections.map(|(_, collection)| collection.deposit));
				all.extend(records.map(|(_, record)| record.deposit));
			},
		}
		all
	}

	pub fn rows(&self, member: MemberId) -> u32 {
		self.deposits(member).len() as u32
	}

	pub fn deposit_of(&self, member: MemberId) -> Balance {
		self.deposits(member).into_iter().sum()
	}

	fn forget_children(&mut self, member: MemberId) {
		self.keys.retain(|key, _| key.0 != member);
		match member {
			MemberId::Provider(id) => self.nodes.retain(|key, _| key.0 != id),
			MemberId::Tenant(id) => {
				self.kmses.retain(|key, _| key.0 != id);
				self.objects.retain(|key, _| key.0 != id);
				self.versions.retain(|key, _| key.0 != id);
				self.collections.retain(|key, _| key.0 != id);
				self.records.retain(|key, _| key.0 != id);
			},
		}
	}
}
