// SPDX-License-Identifier: Apache-2.0
//! Access keys, nodes and KMSes.

use super::*;

impl Model {
	pub(super) fn set_key(
		&mut self,
		origin: Origin,
		member: MemberId,
		account: AccountId,
		level: Option<TenantLevel>,
	) -> Outcome {
		let who = Self::signed(origin)?;
		self.open(member)?;
		let (own, present) = (self.level(who, member), self.level(account, member));
		// Admin and above, and only below themselves.
		let may = own >= Some(TenantLevel::Admin) && present < own && level < own;
		ensure(may, Error::NoPermission)?;
		match level {
			None => self.take_key(member, account)?,
			Some(level) => {
				let key = (member, account);
				let before = self.keys.get(&key).map(|key| key.deposit);
				let deposit = before.unwrap_or(price(rows::KEY_BYTES));
				let granted = self.mint();
				self.keys.insert(key, KeyInfo { level, granted, deposit });
				if before.is_none() {
					self.add_rows(member, deposit, 0)?;
				}
			},
		}
		Ok(())
	}

	pub(super) fn take_key(&mut self, member: MemberId, account: AccountId) -> Outcome {
		let key = self.keys.remove(&(member, account)).ok_or(Error::<Test>::KeyNotFound)?;
		self.remove_rows(member, key.deposit)
	}

	fn ensure_locator(locator: &[u8]) -> Outcome {
		let visible = locator.iter().all(|byte| (b'!'..=b'~').contains(byte));
		ensure(visible && !locator.is_empty(), Error::InvalidLocator)
	}

	pub(super) fn create_node(
		&mut self,
		provider: ProviderId,
		node: NodeId,
		operator: AccountId,
		locator: LocatorOf<Test>,
	) -> Outcome {
		Self::ensure_locator(&locator)?;
		let key = (provider, node);
		ensure(!self.nodes.contains_key(&key), Error::NodeAlreadyExists)?;
		let deposit = price(rows::node_bytes(locator.len() as u64));
		// The chain draws it.
		let (medallion, last_muid) = (Medallion::MAX, None);
		let info = NodeInfo { operator, pending: true, locator, medallion, last_muid, deposit };
		self.nodes.insert(key, info);
		self.add_rows(provider, deposit, 0)
	}

	pub(super) fn node(
		&mut self,
		provider: ProviderId,
		node: NodeId,
	) -> Result<&mut NodeInfoOf<Test>, DispatchError> {
		self.nodes.get_mut(&(provider, node)).ok_or(Error::<Test>::NodeNotFound.into())
	}

	/// A node that an account may act for: as its operator, or because it manages all nodes.
	pub(super) fn node_for(
		&mut self,
		who: AccountId,
		provider: ProviderId,
		node: NodeId,
	) -> Result<&mut NodeInfoOf<Test>, DispatchError> {
		let manages = self.level(who, provider).is_some();
		let node = self.node(provider, node)?;
		ensure(manages || node.operator == who, Error::NoPermission)?;
		Ok(node)
	}

	pub(super) fn set_node_locator(
		&mut self,
		provider: ProviderId,
		node: NodeId,
		locator: LocatorOf<Test>,
	) -> Outcome {
		Self::ensure_locator(&locator)?;
		let info = self.node(provider, node)?;
		let (before, after) = (info.deposit, price(rows::node_bytes(locator.len() as u64)));
		(info.locator, info.deposit) = (locator, after);
		self.change_deposits(provider, after, before)
	}

	pub(super) fn remove_node(&mut self, provider: ProviderId, node: NodeId) -> Outcome {
		let deposit = self.node(provider, node)?.deposit;
		self.nodes.remove(&(provider, node));
		self.remove_rows(provider, deposit)
	}

	pub(super) fn add_kms(
		&mut self,
		tenant: TenantId,
		kms: KmsId,
		operator: AccountId,
		locator: LocatorOf<Test>,
		key: KmsKey,
	) -> Outcome {
		Self::ensure_locator(&locator)?;
		ensure(key.0 != [0; 32], Error::ZeroKmsKey)?;
		ensure(!self.kmses.contains_key(&(tenant, kms)), Error::KmsAlreadyExists)?;
		let deposit = price(rows::kms_bytes(locator.len() as u64));
		self.kmses.insert((tenant, kms), KmsInfo { operator, locator, key, deposit });
		self.add_rows(tenant, deposit, 0)
	}

	pub(super) fn set_kms(
		&mut self,
		origin: Origin,
		tenant: TenantId,
		kms: KmsId,
		locator: LocatorOf<Test>,
		key: KmsKey,
	) -> Outcome {
		let who = Self::signed(origin)?;
		self.open(tenant)?;
		let level = self.level(who, tenant);
		let info = self.kmses.get_mut(&(tenant, kms)).ok_or(Error::<Test>::KmsNotFound)?;
		ensure(info.operator == who || level >= Some(TenantLevel::Admin), Error::NoPermission)?;
		Self::ensure_locator(&locator)?;
		ensure(key.0 != [0; 32], Error::ZeroKmsKey)?;
		let (before, after) = (info.deposit, price(rows::kms_bytes(locator.len() as u64)));
		(info.locator, info.key, info.deposit) = (locator, key, after);
		self.change_deposits(tenant, after, before)
	}

	pub(super) fn remove_kms(&mut self, tenant: TenantId, kms: KmsId) -> Outcome {
		let info = self.kmses.remove(&(tenant, kms)).ok_or(Error::<Test>::KmsNotFound)?;
		self.remove_rows(tenant, info.deposit)
	}
}
