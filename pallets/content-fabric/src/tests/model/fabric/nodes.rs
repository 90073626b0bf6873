// SPDX-License-Identifier: Apache-2.0
//! Access keys, nodes and KMSes.

use super::*;

impl Model {
	pub(super) fn key_deposit() -> Balance {
		deposit(&[10, 8], 1 + 16 + 8)
	}

	fn node_deposit(locator: &[u8]) -> Balance {
		deposit(&[10, 10], 8 + 1 + 1 + locator.len() + 8 + 17 + 8)
	}

	pub(super) fn kms_deposit(locator: &[u8]) -> Balance {
		deposit(&[10, 10], 1 + locator.len() + 8)
	}

	pub(super) fn set_provider_key(
		&mut self,
		origin: Origin,
		provider: MemberId,
		account: AccountId,
		level: Option<ProviderLevel>,
	) -> Outcome {
		let who = Self::signed(origin)?;
		self.open(provider)?;
		let own = self.provider_level(who, provider);
		let present = self.provider_level(account, provider);
		// Admin and above, and only below themselves.
		let may = own >= Some(ProviderLevel::Admin) && present < own && level < own;
		ensure(may, Error::NoPermission)?;
		let key = (id(provider), account);
		match (self.provider_keys.get(&key).copied(), level) {
			(None, None) => return Err(Error::<Test>::KeyNotFound.into()),
			(None, Some(level)) => {
				let deposit = Self::key_deposit();
				self.add_rows(provider, deposit, 0)?;
				self.provider_keys.insert(key, (level, deposit));
			},
			(Some((_, deposit)), Some(level)) => {
				let _ = self.provider_keys.insert(key, (level, deposit));
			},
			(Some(_), None) => self.take_provider_key(provider, account)?,
		}
		Ok(())
	}

	pub(super) fn take_provider_key(&mut self, provider: MemberId, account: AccountId) -> Outcome {
		let key = (id(provider), account);
		let (_, deposit) = *self.provider_keys.get(&key).ok_or(Error::<Test>::KeyNotFound)?;
		self.change_deposits(provider, 0, deposit)?;
		self.provider_keys.remove(&key);
		self.after_removal(provider);
		Ok(())
	}

	pub(super) fn set_tenant_key(
		&mut self,
		origin: Origin,
		tenant: MemberId,
		account: AccountId,
		level: Option<TenantLevel>,
	) -> Outcome {
		let who = Self::signed(origin)?;
		self.open(tenant)?;
		let own = self.tenant_level(who, tenant);
		let present = self.tenant_level(account, tenant);
		let may = own >= Some(TenantLevel::Admin) && present < own && level < own;
		ensure(may, Error::NoPermission)?;
		let key = (id(tenant), account);
		match (self.tenant_keys.get(&key).copied(), level) {
			(None, None) => return Err(Error::<Test>::KeyNotFound.into()),
			(None, Some(level)) => {
				let deposit = Self::key_deposit();
				self.add_rows(tenant, deposit, 0)?;
				self.tenant_keys.insert(key, (level, deposit));
			},
			(Some((_, deposit)), Some(level)) => {
				let _ = self.tenant_keys.insert(key, (level, deposit));
			},
			(Some(_), None) => self.take_tenant_key(tenant, account)?,
		}
		self.levels_since.insert((tenant, account), self.now());
		Ok(())
	}

	pub(super) fn take_tenant_key(&mut self, tenant: MemberId, account: AccountId) -> Outcome {
		let key = (id(tenant), account);
		let (_, deposit) = *self.tenant_keys.get(&key).ok_or(Error::<Test>::KeyNotFound)?;
		self.change_deposits(tenant, 0, deposit)?;
		self.tenant_keys.remove(&key);
		self.after_removal(tenant);
		Ok(())
	}

	pub(super) fn create_node(
		&mut self,
		provider: MemberId,
		node: u8,
		operator: AccountId,
		locator: &[u8],
	) -> Outcome {
		let key = (id(provider), node);
		ensure(!self.nodes.contains_key(&key), Error::NodeAlreadyExists)?;
		let deposit = Self::node_deposit(locator);
		self.add_rows(provider, deposit, 0)?;
		// The chain draws it.
		let medallion = Medallion::MAX;
		self.nodes.insert(key, Node { operator, pending: true, medallion, last: None, deposit });
		Ok(())
	}

	/// A node that an account may act for: as its operator, or because it manages all nodes.
	pub(super) fn node_for(
		&self,
		who: AccountId,
		provider: MemberId,
		node: u8,
	) -> Result<&Node, DispatchError> {
		let found = self.nodes.get(&(id(provider), node)).ok_or(Error::<Test>::NodeNotFound)?;
		let may = found.operator == who || self.provider_level(who, provider).is_some();
		ensure(may, Error::NoPermission)?;
		Ok(found)
	}

	pub(super) fn set_node_locator(
		&mut self,
		provider: MemberId,
		node: u8,
		locator: &[u8],
	) -> Outcome {
		let key = (id(provider), node);
		let before = self.nodes.get(&key).ok_or(Error::<Test>::NodeNotFound)?.deposit;
		let after = Self::node_deposit(locator);
		self.change_deposits(provider, after, before)?;
		self.nodes.entry(key).and_modify(|node| node.deposit = after);
		Ok(())
	}

	pub(super) fn remove_node(&mut self, provider: MemberId, node: u8) -> Outcome {
		let key = (id(provider), node);
		let deposit = self.nodes.get(&key).ok_or(Error::<Test>::NodeNotFound)?.deposit;
		self.change_deposits(provider, 0, deposit)?;
		self.nodes.remove(&key);
		self.after_removal(provider);
		Ok(())
	}

	pub(super) fn remove_kms(&mut self, tenant: MemberId, kms: u8) -> Outcome {
		let key = (id(tenant), kms);
		let deposit = *self.kmses.get(&key).ok_or(Error::<Test>::KmsNotFound)?;
		self.change_deposits(tenant, 0, deposit)?;
		self.kmses.remove(&key);
		self.after_removal(tenant);
		Ok(())
	}
}
