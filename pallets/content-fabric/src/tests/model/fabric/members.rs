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

	/// Changes the deposits of a member's rows by an amount, once for a whole call.
	pub(super) fn change_deposits(
		&mut self,
		member: MemberId,
		added: Balance,
		removed: Balance,
	) -> Outcome {
		let root = self.members[&member].root;
		if added > removed {
			let more = added - removed;
			ensure(
				self.held(member) + more <= self.members[&member].max_held,
				Error::HeldLimitExceeded,
			)?;
			self.hold(HoldReason::StorageDeposit, root, more)?;
		} else {
			self.release(HoldReason::StorageDeposit, root, removed - added);
		}
		Ok(())
	}

	/// Adds rows with deposits: only to a member with the bond that its space requires.
	pub(super) fn add_rows(
		&mut self,
		member: MemberId,
		added: Balance,
		removed: Balance,
	) -> Outcome {
		self.bonded(member)?;
		self.change_deposits(member, added, removed)?;
		self.members.entry(member).and_modify(|info| info.empty_since = None);
		Ok(())
	}

	/// Notes the end of the last row. To be called after rows were removed.
	pub(super) fn after_removal(&mut self, member: MemberId) {
		if self.rows(member) == 0 {
			let block = self.block;
			self.members.entry(member).and_modify(|info| info.empty_since = Some(block));
		}
	}

	fn own_deposit(member: MemberId) -> Balance {
		let counts = match member {
			MemberId::Provider(_) => 2 * 4,
			MemberId::Tenant(_) => 6 * 4,
		};
		let (space, root, nomination) = (10, 8, 1 + 8 + 1 + 8);
		let (amounts, empty_since, flags, purge, muids) = (4 * 8, 1 + 8, 2, 1 + 1, 2 * 16);
		deposit(
			&[10],
			space + root + nomination + amounts + counts + empty_since + flags + purge + muids,
		)
	}

	// Access.

	pub(super) fn signed(origin: Origin) -> Result<AccountId, DispatchError> {
		origin.ok_or(DispatchError::BadOrigin)
	}

	pub(super) fn governance(&self, origin: Origin, space: u8) -> Outcome {
		let governor = self.spaces.get(&space).ok_or(Error::<Test>::SpaceNotFound)?.governor;
		let governs = origin.is_none() || origin == Some(governor);
		governs.then_some(()).ok_or(DispatchError::BadOrigin)
	}

	pub(super) fn loaded(&self, member: MemberId) -> Result<&Member, DispatchError> {
		let info = self.members.get(&member).ok_or(names(member).not_found)?;
		ensure(!self.is_being_deleted(member), Error::BeingDeleted)?;
		Ok(info)
	}

	fn active(&self, member: MemberId) -> Result<&Member, DispatchError> {
		let info = self.loaded(member)?;
		ensure(!info.frozen, names(member).frozen)?;
		ensure(!info.suspended, names(member).suspended)?;
		Ok(info)
	}

	/// A member whose rows may be changed.
	pub(super) fn open(&self, member: MemberId) -> Result<&Member, DispatchError> {
		let info = self.active(member)?;
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

	pub(super) fn frozen(&self, origin: Origin, member: MemberId) -> Outcome {
		Self::signed(origin)?;
		let info = self.loaded(member)?;
		ensure(info.frozen, Error::GovernanceDeleteNotSet)?;
		ensure(!info.suspended, names(member).suspended)?;
		ensure(info.purge.is_none(), Error::BeingPurged)
	}

	pub(super) fn provider_level(
		&self,
		who: AccountId,
		provider: MemberId,
	) -> Option<ProviderLevel> {
		if self.members[&provider].root == who {
			return Some(ProviderLevel::Root);
		}
		self.provider_keys.get(&(id(provider), who)).map(|key| key.0)
	}

	pub(super) fn tenant_level(&self, who: AccountId, tenant: MemberId) -> Option<TenantLevel> {
		if self.members[&tenant].root == who {
			return Some(TenantLevel::Root);
		}
		self.tenant_keys.get(&(id(tenant), who)).map(|key| key.0)
	}

	pub(super) fn by_provider_admin(&self, origin: Origin, provider: MemberId) -> Outcome {
		let who = Self::signed(origin)?;
		self.open(provider)?;
		ensure(self.provider_level(who, provider).is_some(), Error::NoPermission)
	}

	pub(super) fn by_tenant(
		&self,
		origin: Origin,
		tenant: MemberId,
		level: TenantLevel,
	) -> Outcome {
		let who = Self::signed(origin)?;
		self.open(tenant)?;
		ensure(self.tenant_level(who, tenant) >= Some(level), Error::NoPermission)
	}

	pub(super) fn bonded(&self, member: MemberId) -> Outcome {
		let info = &self.members[&member];
		let space = &self.spaces[&info.space];
		let required = match member {
			MemberId::Provider(_) => space.provider_bond,
			MemberId::Tenant(_) => space.tenant_bond,
		};
		ensure(info.bond >= required, names(member).under_bonded)
	}

	// Lives.

	fn use_admission(&mut self, space: u8, who: AccountId, member: MemberId) -> Outcome {
		if self.spaces[&space].approval {
			let used = self.admissions.remove(&(space, who, member.role()));
			ensure(used, Error::NotAdmitted)?;
		}
		Ok(())
	}

	pub(super) fn create_member(
		&mut self,
		origin: Origin,
		space: u8,
		member: MemberId,
		max_held: Balance,
	) -> Outcome {
		let root = Self::signed(origin)?;
		ensure(!self.is_being_deleted(member), Error::BeingDeleted)?;
		ensure(!self.members.contains_key(&member), names(member).exists)?;
		let rules = self.spaces.get(&space).ok_or(Error::<Test>::SpaceNotFound)?;
		let bond = match member {
			MemberId::Provider(_) => rules.provider_bond,
			MemberId::Tenant(_) => rules.tenant_bond,
		};
		self.use_admission(space, root, member)?;
		let own_deposit = Self::own_deposit(member);
		ensure(bond + own_deposit <= max_held, Error::HeldLimitExceeded)?;
		self.hold(bond_reason(member), root, bond)?;
		self.hold(HoldReason::StorageDeposit, root, own_deposit)?;
		let info = Member {
			space,
			root,
			nomination: None,
			max_held,
			bond,
			own_deposit,
			purged_deposit: 0,
			empty_since: Some(self.block),
			frozen: false,
			suspended: false,
			purge: None,
			created: Muid::default(),
			born: self.tick(),
		};
		self.members.insert(member, info);
		self.levels_since.insert((member, root), self.now());
		Ok(())
	}

	pub(super) fn top_up(&mut self, origin: Origin, member: MemberId, amount: Balance) -> Outcome {
		self.by_root(origin, member)?;
		let info = &self.members[&member];
		let (root, max_held) = (info.root, info.max_held);
		let within = amount == 0 || self.held(member) + amount <= max_held;
		ensure(within, Error::HeldLimitExceeded)?;
		self.hold(bond_reason(member), root, amount)?;
		self.members.entry(member).and_modify(|info| info.bond += amount);
		Ok(())
	}

	pub(super) fn set_max_held(
		&mut self,
		origin: Origin,
		member: MemberId,
		max_held: Balance,
	) -> Outcome {
		self.by_root(origin, member)?;
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
		match member {
			MemberId::Provider(_) => drop(self.provider_keys.remove(&(id(member), who))),
			MemberId::Tenant(_) => drop(self.tenant_keys.remove(&(id(member), who))),
		}
		ensure(self.held(member) <= max_held, Error::HeldLimitExceeded)?;
		let deposits = info.own_deposit + self.deposit_of(member);
		self.hold(bond_reason(member), who, info.bond)?;
		self.hold(HoldReason::StorageDeposit, who, deposits)?;
		self.release(bond_reason(member), info.root, info.bond);
		self.release(HoldReason::StorageDeposit, info.root, before);
		self.members.entry(member).and_modify(|info| {
			info.root = who;
			info.max_held = max_held;
			info.nomination = None;
		});
		self.levels_since.insert((member, who), self.now());
		if info.empty_since.is_none() {
			self.after_removal(member);
		}
		Ok(())
	}

	pub(super) fn delete_member(&mut self, origin: Origin, member: MemberId) -> Outcome {
		self.by_root(origin, member)?;
		let info = self.members[&member].clone();
		let rows = info.purge.map_or(self.rows(member), |(_, _, left)| left);
		ensure(rows == 0, names(member).not_empty)?;
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

	pub(super) fn purge_member(&mut self, origin: Origin, member: MemberId) -> Outcome {
		self.by_root(origin, member)?;
		self.open(member)?;
		ensure(self.rows(member) > 0, Error::NothingToPurge)?;
		self.start_purge(member, PurgeScope::Rows);
		Ok(())
	}

	pub(super) fn governance_delete(
		&mut self,
		origin: Origin,
		member: MemberId,
		created: Muid,
		slash: Balance,
	) -> Outcome {
		self.governed(origin, member, created)?;
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
		Ok(())
	}

	pub(super) fn reap(&mut self, origin: Origin, member: MemberId, limit: u32) -> Outcome {
		Self::signed(origin)?;
		ensure(limit > 0, Error::EmptyBatch)?;
		let info = self.members.get(&member).ok_or(names(member).not_found)?;
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
		let id = id(member);
		match member {
			MemberId::Provider(_) => {
				let nodes = self.nodes.iter().filter(|row| row.0 .0 == id);
				let keys = self.provider_keys.iter().filter(|row| row.0 .0 == id);
				nodes.map(|row| row.1.deposit).chain(keys.map(|row| row.1 .1)).collect()
			},
			MemberId::Tenant(_) => {
				let keys = self.tenant_keys.iter().filter(|row| row.0 .0 == id);
				let kmses = self.kmses.iter().filter(|row| row.0 .0 == id);
				let objects = self.objects.iter().filter(|row| row.0 .0 == id);
				let versions = self.versions.iter().filter(|row| row.0 .0 == id);
				let collections = self.collections.iter().filter(|row| row.0 .0 == id);
				let records = self.records.iter().filter(|row| row.0 .0 == id);
				keys.map(|row| row.1 .1)
					.chain(kmses.map(|row| *row.1))
					.chain(objects.map(|row| row.1.deposit))
					.chain(versions.map(|row| row.1.deposit))
					.chain(collections.map(|row| row.1.deposit))
					.chain(records.map(|row| row.1.deposit))
					.collect()
			},
		}
	}

	pub fn rows(&self, member: MemberId) -> u32 {
		self.deposits(member).len() as u32
	}

	pub fn deposit_of(&self, member: MemberId) -> Balance {
		self.deposits(member).into_iter().sum()
	}

	fn forget_children(&mut self, member: MemberId) {
		let id = id(member);
		match member {
			MemberId::Provider(_) => {
				self.nodes.retain(|key, _| key.0 != id);
				self.provider_keys.retain(|key, _| key.0 != id);
			},
			MemberId::Tenant(_) => {
				self.tenant_keys.retain(|key, _| key.0 != id);
				self.kmses.retain(|key, _| key.0 != id);
				self.objects.retain(|key, _| key.0 != id);
				self.versions.retain(|key, _| key.0 != id);
				self.collections.retain(|key, _| key.0 != id);
				self.records.retain(|key, _| key.0 != id);
			},
		}
	}
}
