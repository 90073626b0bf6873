//! What is done alike for providers and tenants: funds, levels, and their lives.

use super::*;

impl Model {
	// Funds.

	pub(super) fn hold(&mut self, reason: HoldReason, who: AccountId, amount: Balance) -> Outcome {
		let account = self.accounts.get_mut(&who).expect("all accounts are known");
		// One unit stays, the existential deposit.
		if amount > 0 && amount > account.free - 1 {
			return Err(TokenError::FundsUnavailable.into());
		}
		account.free -= amount;
		*account.held(reason) += amount;
		Ok(())
	}

	pub(super) fn release(&mut self, reason: HoldReason, who: AccountId, amount: Balance) {
		let account = self.accounts.get_mut(&who).expect("all accounts are known");
		*account.held(reason) -= amount;
		account.free += amount;
	}

	pub(super) fn hold_deposit(&mut self, subject: Subject, amount: Balance) -> Outcome {
		self.hold(HoldReason::StorageDeposit, self.members[&subject].depositor, amount)
	}

	pub(super) fn release_deposit(&mut self, subject: Subject, amount: Balance) {
		self.release(HoldReason::StorageDeposit, self.members[&subject].depositor, amount);
	}

	pub(super) fn change_deposit(
		&mut self,
		subject: Subject,
		before: Balance,
		after: Balance,
	) -> Outcome {
		if after > before {
			return self.hold_deposit(subject, after - before);
		}
		self.release_deposit(subject, before - after);
		Ok(())
	}

	pub(super) fn slash(&mut self, subject: Subject, amount: Balance) {
		let member = self.members.get_mut(&subject).expect("was looked up");
		let amount = amount.min(member.bond);
		member.bond -= amount;
		let account = self.accounts.get_mut(&member.depositor).expect("all accounts are known");
		*account.held(bond_reason(subject)) -= amount;
		self.slashed += amount;
	}

	// Who may do what.

	pub(super) fn signed(origin: Origin) -> Result<AccountId, DispatchError> {
		origin.ok_or(DispatchError::BadOrigin)
	}

	pub(super) fn governance(&self, origin: Origin, space: u8) -> Outcome {
		let governor = self.spaces.get(&space).ok_or(Error::<Test>::SpaceNotFound)?.governor;
		let governs = origin.is_none() || origin == Some(governor);
		governs.then_some(()).ok_or(DispatchError::BadOrigin)
	}

	pub(super) fn loaded(&self, subject: Subject) -> Result<&Member, DispatchError> {
		let member = self.members.get(&subject).ok_or(names(subject).not_found)?;
		ensure(member.going.is_none(), Error::BeingDeleted)?;
		Ok(member)
	}

	pub(super) fn active(&self, subject: Subject) -> Result<&Member, DispatchError> {
		let member = self.loaded(subject)?;
		ensure(!member.frozen, names(subject).frozen)?;
		Ok(member)
	}

	pub(super) fn given_up(&self, origin: Origin, subject: Subject) -> Outcome {
		Self::signed(origin)?;
		ensure(self.loaded(subject)?.frozen, Error::GovernanceDeleteNotSet)
	}

	pub(super) fn provider_level(
		&self,
		who: AccountId,
		provider: Subject,
	) -> Option<ProviderLevel> {
		if self.members[&provider].root == who {
			return Some(ProviderLevel::Root);
		}
		self.provider_keys.get(&(id(provider), who)).map(|key| key.0)
	}

	pub(super) fn tenant_level(&self, who: AccountId, tenant: Subject) -> Option<TenantLevel> {
		if self.members[&tenant].root == who {
			return Some(TenantLevel::Root);
		}
		self.tenant_keys.get(&(id(tenant), who)).map(|key| key.0)
	}

	pub(super) fn provider_by(
		&self,
		origin: Origin,
		provider: Subject,
		least: ProviderLevel,
	) -> Outcome {
		let who = Self::signed(origin)?;
		self.active(provider)?;
		ensure(self.provider_level(who, provider) >= Some(least), Error::NoPermission)
	}

	pub(super) fn tenant_by(&self, origin: Origin, tenant: Subject, least: TenantLevel) -> Outcome {
		let who = Self::signed(origin)?;
		self.active(tenant)?;
		ensure(self.tenant_level(who, tenant) >= Some(least), Error::NoPermission)
	}

	pub(super) fn required_bond(&self, subject: Subject) -> Balance {
		let space = &self.spaces[&self.members[&subject].space];
		match subject {
			Subject::Provider(_) => space.provider_bond,
			Subject::Tenant(_) => space.tenant_bond,
		}
	}

	pub(super) fn bonded(&self, subject: Subject) -> Outcome {
		let bonded = self.members[&subject].bond >= self.required_bond(subject);
		ensure(bonded, names(subject).under_bonded)
	}

	// Members.

	pub(super) fn create_member(&mut self, origin: Origin, space: u8, subject: Subject) -> Outcome {
		let who = Self::signed(origin)?;
		match self.members.get(&subject) {
			Some(member) if member.going.is_some() => ensure(false, Error::BeingDeleted)?,
			present => ensure(present.is_none(), names(subject).exists)?,
		}
		let info = self.spaces.get(&space).ok_or(Error::<Test>::SpaceNotFound)?;
		let (role, bond) = match subject {
			Subject::Provider(_) => (Role::Provider, info.provider_bond),
			Subject::Tenant(_) => (Role::Tenant, info.tenant_bond),
		};
		if info.approval {
			ensure(self.admissions.remove(&(space, who, role)), Error::NotAdmitted)?;
		}
		self.hold(bond_reason(subject), who, bond)?;
		let (root, depositor) = (who, who);
		let created = self.calls;
		let member = Member { space, root, depositor, bond, frozen: false, created, going: None };
		self.members.insert(subject, member);
		Ok(())
	}

	pub(super) fn top_up(&mut self, origin: Origin, subject: Subject, amount: Balance) -> Outcome {
		let who = Self::signed(origin)?;
		let Member { root, depositor, bond, .. } = *self.active(subject)?;
		ensure(root == who, Error::NoPermission)?;
		let reason = bond_reason(subject);
		if depositor == who {
			self.hold(reason, who, amount)?;
		} else {
			let rows = self.deposit_of(subject);
			self.hold(reason, who, bond + amount)?;
			self.hold(HoldReason::StorageDeposit, who, rows)?;
			self.release(reason, depositor, bond);
			self.release(HoldReason::StorageDeposit, depositor, rows);
		}
		self.members.entry(subject).and_modify(|member| {
			member.bond += amount;
			member.depositor = who;
		});
		Ok(())
	}

	pub(super) fn set_root(
		&mut self,
		origin: Origin,
		subject: Subject,
		root: AccountId,
	) -> Outcome {
		let member = self.loaded(subject)?;
		let is_root = origin == Some(member.root);
		if !is_root || member.frozen {
			let refused = match is_root {
				true => names(subject).frozen.into(),
				false => DispatchError::BadOrigin,
			};
			self.governance(origin, member.space).map_err(|_| refused)?;
		}
		self.members.entry(subject).and_modify(|member| member.root = root);
		Ok(())
	}

	pub(super) fn delete_member(&mut self, subject: Subject) -> Outcome {
		ensure(self.rows(subject) == 0, names(subject).not_empty)?;
		let Member { depositor, bond, .. } = self.members[&subject];
		self.release(bond_reason(subject), depositor, bond);
		self.members.remove(&subject);
		Ok(())
	}

	pub(super) fn governance_delete(
		&mut self,
		origin: Origin,
		subject: Subject,
		slash: Balance,
		max_rows: u32,
	) -> Outcome {
		let space = self.loaded(subject)?.space;
		self.governance(origin, space)?;
		self.slash(subject, slash);
		let Member { depositor, bond, .. } = self.members[&subject];
		self.release(bond_reason(subject), depositor, bond);
		self.release_deposit(subject, self.deposit_of(subject));
		let rows = self.rows(subject);
		self.forget_children(subject);
		let again = rows > 0 && self.gone.contains(&subject);
		if rows <= max_rows && !again {
			self.members.remove(&subject);
			if rows > 0 {
				self.gone.insert(subject);
			}
		} else {
			self.members.entry(subject).and_modify(|member| {
				member.bond = 0;
				member.going = Some(rows);
			});
			self.queue.push_back(Some(subject));
		}
		Ok(())
	}

	pub(super) fn reap(&mut self, origin: Origin, subject: Subject, limit: u32) -> Outcome {
		Self::signed(origin)?;
		let member = self.members.get(&subject).ok_or(names(subject).not_found)?;
		let left = member.going.ok_or(Error::<Test>::NotBeingDeleted)?;
		if !self.gone.contains(&subject) {
			self.remove_rows(subject, left.min(limit));
		}
		Ok(())
	}

	/// Counts down what is left of a member that is being deleted.
	pub(super) fn remove_rows(&mut self, subject: Subject, rows: u32) {
		let member = self.members.get_mut(&subject).expect("is being deleted");
		let left = member.going.as_mut().expect("is being deleted");
		*left -= rows;
		if *left == 0 {
			self.members.remove(&subject);
			self.gone.insert(subject);
			// The place stays, empty.
			for place in &mut self.queue {
				place.take_if(|other| *other == subject);
			}
		}
	}

	pub fn on_idle(&mut self, weight: Weight) {
		let (base, step) = (<() as WeightInfo>::reap(0), <() as WeightInfo>::reap(1));
		let row = step - base;
		let place = <() as WeightInfo>::on_idle_base();
		let Some(mut rest) = weight.checked_sub(&place) else { return };
		while let Some(&subject) = self.queue.front() {
			let Some(after) = rest.checked_sub(&place) else { return };
			rest = after;
			if let Some(subject) = subject {
				let Some(for_rows) = rest.checked_sub(&base) else { return };
				let fit = (for_rows.ref_time() / row.ref_time())
					.min(for_rows.proof_size() / row.proof_size());
				let left = self.members[&subject].going.expect("is in the queue");
				let rows = fit.min(left.into()) as u32;
				if rows == 0 || self.gone.contains(&subject) {
					return;
				}
				self.remove_rows(subject, rows);
				rest -= <() as WeightInfo>::reap(rows);
				if rows < left {
					return;
				}
			}
			self.queue.pop_front();
		}
	}

	// Rows under members.

	pub(super) fn deposits(&self, subject: Subject) -> Vec<Balance> {
		let id = id(subject);
		match subject {
			Subject::Provider(_) => {
				let nodes = self.nodes.iter().filter(|row| row.0 .0 == id);
				let keys = self.provider_keys.iter().filter(|row| row.0 .0 == id);
				nodes.map(|row| row.1.deposit).chain(keys.map(|row| row.1 .1)).collect()
			},
			Subject::Tenant(_) => {
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

	pub fn rows(&self, subject: Subject) -> u32 {
		self.deposits(subject).len() as u32
	}

	pub fn deposit_of(&self, subject: Subject) -> Balance {
		self.deposits(subject).into_iter().sum()
	}

	pub(super) fn forget_children(&mut self, subject: Subject) {
		let id = id(subject);
		match subject {
			Subject::Provider(_) => {
				self.nodes.retain(|key, _| key.0 != id);
				self.provider_keys.retain(|key, _| key.0 != id);
			},
			Subject::Tenant(_) => {
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
