//! Rows under members.

use super::*;

impl Model {
	pub(super) fn remove_node(&mut self, provider: Subject, node: u8) -> Outcome {
		let removed =
			self.nodes.remove(&(id(provider), node)).ok_or(Error::<Test>::NodeNotFound)?;
		self.release_deposit(provider, removed.deposit);
		Ok(())
	}

	pub(super) fn remove_kms(&mut self, tenant: Subject, kms: u8) -> Outcome {
		let removed = self.kmses.remove(&(id(tenant), kms)).ok_or(Error::<Test>::KmsNotFound)?;
		self.release_deposit(tenant, removed);
		Ok(())
	}

	pub(super) fn delete_object(&mut self, tenant: Subject, object: u8) -> Outcome {
		let key = (id(tenant), object);
		let info = self.objects.get(&key).ok_or(Error::<Test>::ContentObjectNotFound)?;
		let has_versions = self.versions.keys().any(|version| (version.0, version.1) == key);
		ensure(!has_versions, Error::ContentObjectNotEmpty)?;
		self.release_deposit(tenant, info.deposit);
		self.objects.remove(&key);
		Ok(())
	}

	/// Deletes a version, which may be the head only if governance does it.
	pub(super) fn delete_version(
		&mut self,
		tenant: Subject,
		object: u8,
		version: u8,
		governance: bool,
	) -> Outcome {
		let key = (id(tenant), object, version);
		if governance {
			ensure(self.objects.contains_key(&(key.0, key.1)), Error::ContentObjectNotFound)?;
		}
		let info = self.versions.get(&key).ok_or(Error::<Test>::VersionNotFound)?.clone();
		let parent = self.objects.get_mut(&(key.0, key.1)).expect("versions have an object");
		if parent.head == Some(version) {
			ensure(governance, Error::VersionIsHead)?;
			parent.head = None;
		}
		self.release_deposit(tenant, info.deposit);
		self.versions.remove(&key);
		Ok(())
	}

	pub(super) fn delete_collection(&mut self, tenant: Subject, name: &[u8]) -> Outcome {
		let key = (id(tenant), text(name));
		let info = self.collections.get(&key).ok_or(Error::<Test>::CollectionNotFound)?;
		let has_records = self.records.keys().any(|r| (r.0, &r.1) == (key.0, &key.1));
		ensure(!has_records, Error::CollectionNotEmpty)?;
		self.release_deposit(tenant, info.deposit);
		self.collections.remove(&key);
		Ok(())
	}

	pub(super) fn delete_record(
		&mut self,
		tenant: Subject,
		collection: &[u8],
		key: &[u8],
	) -> Outcome {
		let key = (id(tenant), text(collection), text(key));
		let removed = self.records.remove(&key).ok_or(Error::<Test>::RecordNotFound)?;
		self.release_deposit(tenant, removed.deposit);
		Ok(())
	}

	/// What the few keys that are drawn are.
	pub(super) fn is_key_of(collection: &Collection, key: &str) -> bool {
		let in_syntax = collection.colon || !key.contains(':');
		in_syntax
			&& match &collection.keys {
				Keys::Any => true,
				Keys::Tid => key == "3jzfcijpj2z2a",
				Keys::Nsid => key == "com.example.x",
				Keys::Only(only) => key == only,
			}
	}

	pub(super) fn put_record(
		&mut self,
		tenant: Subject,
		name: &[u8],
		key: Option<&[u8]>,
		target: ContentRef,
	) -> Outcome {
		let (tenant_id, name) = (id(tenant), text(name));
		let collection = self.collections.get(&(tenant_id, name.clone()));
		let collection = collection.ok_or(Error::<Test>::CollectionNotFound)?;
		let minted = key.is_none();
		let key = match key {
			Some(key) => {
				ensure(Self::is_key_of(collection, &text(key)), Error::InvalidRecordKey)?;
				text(key)
			},
			None => {
				ensure(collection.keys == Keys::Tid, Error::RecordKeyRequired)?;
				let timestamp = (self.now * 1_000).max(self.last_tid.map_or(0, |last| last + 1));
				self.last_tid = Some(timestamp);
				Tid::new(timestamp, crate::identifiers::ClockId::MAX).expect("in range").to_string()
			},
		};
		let object = target.object.0[0];
		let object_exists = self.objects.contains_key(&(tenant_id, object));
		ensure(object_exists, Error::ContentObjectNotFound)?;
		if let Some(version) = target.version {
			let key = (tenant_id, object, version.0[0]);
			ensure(self.versions.contains_key(&key), Error::VersionNotFound)?;
		}
		let value = 10 + 1 + target.version.map_or(0, |_| 32) + 16 + 16 + 8;
		// Texts so short have their length in one byte before them.
		let after = deposit(&[10, 1 + name.len(), 1 + key.len()], value);
		let key = (tenant_id, name, key);
		match self.records.get(&key).map(|record| record.deposit) {
			Some(before) => {
				ensure(!minted, Error::RecordAlreadyExists)?;
				self.change_deposit(tenant, before, after)?;
			},
			None => {
				self.bonded(tenant)?;
				self.hold_deposit(tenant, after)?;
			},
		}
		self.records.insert(key, Record { target, deposit: after });
		Ok(())
	}

	pub(super) fn node_deposit(locator: &[u8]) -> Balance {
		deposit(&[10, 10], 1 + 1 + locator.len() + 8 + 17 + 8)
	}

	pub(super) fn kms_deposit(locator: &[u8]) -> Balance {
		deposit(&[10, 10], 1 + locator.len() + 8)
	}

	pub(super) fn key_deposit() -> Balance {
		deposit(&[10, 8], 1 + 8)
	}

	pub(super) fn create_node(
		&mut self,
		provider: Subject,
		node: u8,
		operator: AccountId,
		locator: &[u8],
	) -> Outcome {
		let key = (id(provider), node);
		self.bonded(provider)?;
		ensure(!self.nodes.contains_key(&key), Error::NodeAlreadyExists)?;
		let deposit = Self::node_deposit(locator);
		self.hold_deposit(provider, deposit)?;
		let medallion = crate::clock::nth_medallion(self.nodes_created).expect("many are left");
		self.nodes_created += 1;
		self.nodes.insert(key, Node { pending: true, medallion, last: None, deposit });
		if self.provider_level(operator, provider).is_none() {
			let deposit = Self::key_deposit();
			self.hold_deposit(provider, deposit)?;
			self.provider_keys.insert((key.0, operator), (ProviderLevel::Node, deposit));
		}
		Ok(())
	}

	pub(super) fn set_provider_key(
		&mut self,
		who: AccountId,
		provider: Subject,
		account: AccountId,
		level: Option<ProviderLevel>,
	) -> Outcome {
		self.active(provider)?;
		let own = self.provider_level(who, provider);
		let mut present = self.provider_level(account, provider);
		if who == account && level.is_none() {
			let own_key = self.provider_keys.get(&(id(provider), account)).map(|key| key.0);
			present = own_key.or(present);
		}
		ensure(present < own && level < own, Error::NoPermission)?;
		let key = (id(provider), account);
		match (self.provider_keys.get(&key).copied(), level) {
			(None, None) => {},
			(None, Some(level)) => {
				self.bonded(provider)?;
				self.hold_deposit(provider, Self::key_deposit())?;
				self.provider_keys.insert(key, (level, Self::key_deposit()));
			},
			(Some((_, deposit)), Some(level)) => {
				let _ = self.provider_keys.insert(key, (level, deposit));
			},
			(Some((_, deposit)), None) => {
				self.release_deposit(provider, deposit);
				self.provider_keys.remove(&key);
			},
		}
		Ok(())
	}

	pub(super) fn set_tenant_key(
		&mut self,
		who: AccountId,
		tenant: Subject,
		account: AccountId,
		level: Option<TenantLevel>,
	) -> Outcome {
		self.active(tenant)?;
		let own = self.tenant_level(who, tenant);
		let mut present = self.tenant_level(account, tenant);
		if who == account && level.is_none() {
			let own_key = self.tenant_keys.get(&(id(tenant), account)).map(|key| key.0);
			present = own_key.or(present);
		}
		ensure(present < own && level < own, Error::NoPermission)?;
		let key = (id(tenant), account);
		match (self.tenant_keys.get(&key).copied(), level) {
			(None, None) => {},
			(None, Some(level)) => {
				self.bonded(tenant)?;
				self.hold_deposit(tenant, Self::key_deposit())?;
				self.tenant_keys.insert(key, (level, Self::key_deposit()));
			},
			(Some((_, deposit)), Some(level)) => {
				let _ = self.tenant_keys.insert(key, (level, deposit));
			},
			(Some((_, deposit)), None) => {
				self.release_deposit(tenant, deposit);
				self.tenant_keys.remove(&key);
			},
		}
		Ok(())
	}

	pub(super) fn commit_version(&mut self, drawn: &Drawn) -> Outcome {
		let Call::commit_version { tenant_signer, message, .. } = &drawn.call else {
			unreachable!("the caller has looked");
		};
		let provider = Subject::Provider(message.originator);
		let tenant = Subject::Tenant(message.tenant);
		self.provider_by(drawn.origin, provider, ProviderLevel::Node)?;
		let node_key = (id(provider), message.node.0[0]);
		let node = self.nodes.get(&node_key).ok_or(Error::<Test>::NodeNotFound)?;
		ensure(!node.pending, Error::NodePending)?;
		self.active(tenant)?;
		let level = self.tenant_level(*tenant_signer, tenant);
		ensure(level.is_some(), Error::SignerNotPermitted)?;
		let same_space = self.members[&provider].space == self.members[&tenant].space;
		ensure(same_space, Error::SpaceMismatch)?;
		self.bonded(provider)?;
		self.bonded(tenant)?;
		let object = (id(tenant), message.object.0[0]);
		ensure(self.objects.contains_key(&object), Error::ContentObjectNotFound)?;
		ensure(self.kmses.contains_key(&(id(tenant), message.kms.0[0])), Error::KmsNotFound)?;
		let key = (object.0, object.1, message.version.0[0]);
		ensure(!self.versions.contains_key(&key), Error::VersionAlreadyExists)?;
		ensure(drawn.is_signed, Error::InvalidSignature)?;
		let (muid, now) = (message.muid, self.now);
		ensure(muid.medallion() == node.medallion.get(), Error::MuidOfOtherNode)?;
		ensure(muid.timestamp() >= now.saturating_sub(600_000) * 1_000, Error::MuidTooOld)?;
		ensure(muid.timestamp() <= (now + 30_000) * 1_000, Error::MuidTooNew)?;
		ensure(node.last < Some(muid), Error::MuidNotRising)?;
		let deposit = deposit(&[10, 10, 32], 30 + 9 + 16 + 9 + 1 + 8);
		self.hold_deposit(tenant, deposit)?;
		self.nodes.entry(node_key).and_modify(|node| node.last = Some(muid));
		let (originator, set_head) = (node_key.0, message.set_head_on_finalize);
		let committed = self.calls;
		let version = Version { originator, committed, finalized: false, set_head, deposit };
		self.versions.insert(key, version);
		Ok(())
	}
}
