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
				let mut deposit = price(rows::KEY_BYTES);
				match self.keys.get(&(member, account)) {
					Some(before) => deposit = before.1,
					None => self.add_rows(member, deposit, 0)?,
				}
				self.keys.insert((member, account), (level, deposit));
			},
		}
		self.levels_since.insert((member, account), self.now());
		Ok(())
	}

	pub(super) fn take_key(&mut self, member: MemberId, account: AccountId) -> Outcome {
		let key = self.keys.remove(&(member, account));
		let (_, deposit) = key.ok_or(Error::<Test>::KeyNotFound)?;
		self.remove_rows(member, deposit)
	}

	pub(super) fn create_node(
		&mut self,
		provider: ProviderId,
		node: NodeId,
		operator: AccountId,
		locator: &[u8],
	) -> Outcome {
		let key = (provider, node);
		ensure(!self.nodes.contains_key(&key), Error::NodeAlreadyExists)?;
		let deposit = price(rows::node_bytes(locator.len() as u64));
		self.add_rows(provider, deposit, 0)?;
		// The chain draws it.
		let medallion = Medallion::MAX;
		self.nodes.insert(key, Node { operator, pending: true, medallion, last: None, deposit });
		Ok(())
	}

	pub(super) fn node(
		&mut self,
		provider: ProviderId,
		node: NodeId,
	) -> Result<&mut Node, DispatchError> {
		self.nodes.get_mut(&(provider, node)).ok_or(Error::<Test>::NodeNotFound.into())
	}

	/// A node that an account may act for: as its operator, or because it manages all nodes.
	pub(super) fn node_for(
		&mut self,
		who: AccountId,
		provider: ProviderId,
		node: NodeId,
	) -> Result<&mut Node, DispatchError> {
		let manages = self.level(who, provider).is_some();
		let node = self.node(provider, node)?;
		ensure(manages || node.operator == who, Error::NoPermission)?;
		Ok(node)
	}

	pub(super) fn set_node_locator(
		&mut self,
		provider: ProviderId,
		node: NodeId,
		locator: &[u8],
	) -> Outcome {
		let before = self.node(provider, node)?.deposit;
		let after = price(rows::node_bytes(locator.len() as u64));
		self.change_deposits(provider, after, before)?;
		self.node(provider, node)?.deposit = after;
		Ok(())
	}

	pub(super) fn remove_node(&mut self, provider: ProviderId, node: NodeId) -> Outcome {
		let deposit = self.node(provider, node)?.deposit;
		self.nodes.remove(&(provider, node));
		self.remove_rows(provider, deposit)
	}

	pub(super) fn add_kms(&mut self, tenant: TenantId, kms: KmsId, locator: &[u8]) -> Outcome {
		ensure(!self.kmses.contains_key(&(tenant, kms)), Error::KmsAlreadyExists)?;
		let deposit = price(rows::kms_bytes(locator.len() as u64));
		self.add_rows(tenant, deposit, 0)?;
		self.kmses.insert((tenant, kms), deposit);
		Ok(())
	}

	pub(super) fn set_kms_locator(
		&mut self,
		tenant: TenantId,
		kms: KmsId,
		locator: &[u8],
	) -> Outcome {
		let before = *self.kmses.get(&(tenant, kms)).ok_or(Error::<Test>::KmsNotFound)?;
		let after = price(rows::kms_bytes(locator.len() as u64));
		self.change_deposits(tenant, after, before)?;
		self.kmses.insert((tenant, kms), after);
		Ok(())
	}

	pub(super) fn remove_kms(&mut self, tenant: TenantId, kms: KmsId) -> Outcome {
		let deposit = self.kmses.remove(&(tenant, kms)).ok_or(Error::<Test>::KmsNotFound)?;
		self.remove_rows(tenant, deposit)
	}
}
