//! What each call does.

use super::*;

impl Model {
	/// What a call does.
	pub fn apply(&mut self, drawn: &Drawn) -> Outcome {
		let origin = drawn.origin;
		self.calls += 1;
		let governed = |model: &Self, subject| -> Outcome {
			let space = model.loaded(subject)?.space;
			model.governance(origin, space)
		};
		match &drawn.call {
			Call::create_space { space, governor, rules } => {
				origin.is_none().then_some(()).ok_or(DispatchError::BadOrigin)?;
				let id = space.0[0];
				ensure(!self.spaces.contains_key(&id), Error::SpaceAlreadyExists)?;
				self.spaces.insert(id, Space::new(*governor, rules));
			},
			Call::set_space_rules { space, rules } => {
				self.governance(origin, space.0[0])?;
				let space = self.spaces.get_mut(&space.0[0]);
				let space = space.ok_or(Error::<Test>::SpaceNotFound)?;
				*space = Space::new(space.governor, rules);
			},
			Call::set_space_governor { space, governor } => {
				self.governance(origin, space.0[0])?;
				let space = self.spaces.get_mut(&space.0[0]);
				space.ok_or(Error::<Test>::SpaceNotFound)?.governor = *governor;
			},
			Call::admit { space, account, role } => {
				let id = space.0[0];
				self.governance(origin, id)?;
				ensure(self.spaces.contains_key(&id), Error::SpaceNotFound)?;
				let admission = (id, *account, *role);
				ensure(!self.admissions.contains(&admission), Error::AlreadyAdmitted)?;
				self.admissions.insert(admission);
			},
			Call::revoke_admission { space, account, role } => {
				let id = space.0[0];
				self.governance(origin, id)?;
				ensure(self.spaces.contains_key(&id), Error::SpaceNotFound)?;
				let revoked = self.admissions.remove(&(id, *account, *role));
				ensure(revoked, Error::AdmissionNotFound)?;
			},
			Call::delete_space { space } => {
				let id = space.0[0];
				self.governance(origin, id)?;
				ensure(self.spaces.contains_key(&id), Error::SpaceNotFound)?;
				let empty = self.members.values().all(|member| member.space != id);
				ensure(empty, Error::SpaceNotEmpty)?;
				self.admissions.retain(|admission| admission.0 != id);
				self.spaces.remove(&id);
			},
			Call::create_provider { space, provider } => {
				self.create_member(origin, space.0[0], Subject::Provider(*provider))?
			},
			Call::create_tenant { space, tenant } => {
				self.create_member(origin, space.0[0], Subject::Tenant(*tenant))?
			},
			Call::top_up_provider_bond { provider, amount } => {
				self.top_up(origin, Subject::Provider(*provider), *amount)?
			},
			Call::top_up_tenant_bond { tenant, amount } => {
				self.top_up(origin, Subject::Tenant(*tenant), *amount)?
			},
			Call::set_provider_root { provider, root } => {
				self.set_root(origin, Subject::Provider(*provider), *root)?
			},
			Call::set_tenant_root { tenant, root } => {
				self.set_root(origin, Subject::Tenant(*tenant), *root)?
			},
			Call::set_provider_key { provider, account, level } => {
				let who = Self::signed(origin)?;
				self.set_provider_key(who, Subject::Provider(*provider), *account, *level)?;
			},
			Call::set_tenant_key { tenant, account, level } => {
				let who = Self::signed(origin)?;
				self.set_tenant_key(who, Subject::Tenant(*tenant), *account, *level)?;
			},
			Call::create_node { provider, node, operator, locator } => {
				let provider = Subject::Provider(*provider);
				self.provider_by(origin, provider, ProviderLevel::Admin)?;
				self.create_node(provider, node.0[0], *operator, locator)?;
			},
			Call::confirm_node { provider, node } => {
				let provider = Subject::Provider(*provider);
				self.provider_by(origin, provider, ProviderLevel::Node)?;
				let node = self.nodes.get_mut(&(id(provider), node.0[0]));
				let node = node.ok_or(Error::<Test>::NodeNotFound)?;
				ensure(node.pending, Error::NodeAlreadyConfirmed)?;
				node.pending = false;
			},
			Call::set_node_locator { provider, node, locator } => {
				let provider = Subject::Provider(*provider);
				self.provider_by(origin, provider, ProviderLevel::Admin)?;
				let key = (id(provider), node.0[0]);
				let node = self.nodes.get(&key).ok_or(Error::<Test>::NodeNotFound)?;
				let after = Self::node_deposit(locator);
				self.change_deposit(provider, node.deposit, after)?;
				self.nodes.entry(key).and_modify(|node| node.deposit = after);
			},
			Call::remove_node { provider, node } => {
				let provider = Subject::Provider(*provider);
				self.provider_by(origin, provider, ProviderLevel::Admin)?;
				self.remove_node(provider, node.0[0])?;
			},
			Call::delete_provider { provider } => {
				let provider = Subject::Provider(*provider);
				self.provider_by(origin, provider, ProviderLevel::Root)?;
				self.delete_member(provider)?;
			},
			Call::add_kms { tenant, kms, locator } => {
				let tenant = Subject::Tenant(*tenant);
				self.tenant_by(origin, tenant, TenantLevel::Admin)?;
				self.bonded(tenant)?;
				let key = (id(tenant), kms.0[0]);
				ensure(!self.kmses.contains_key(&key), Error::KmsAlreadyExists)?;
				let deposit = Self::kms_deposit(locator);
				self.hold_deposit(tenant, deposit)?;
				self.kmses.insert(key, deposit);
			},
			Call::set_kms_locator { tenant, kms, locator } => {
				let tenant = Subject::Tenant(*tenant);
				self.tenant_by(origin, tenant, TenantLevel::Admin)?;
				let key = (id(tenant), kms.0[0]);
				let before = *self.kmses.get(&key).ok_or(Error::<Test>::KmsNotFound)?;
				let after = Self::kms_deposit(locator);
				self.change_deposit(tenant, before, after)?;
				self.kmses.insert(key, after);
			},
			Call::remove_kms { tenant, kms } => {
				let tenant = Subject::Tenant(*tenant);
				self.tenant_by(origin, tenant, TenantLevel::Admin)?;
				self.remove_kms(tenant, kms.0[0])?;
			},
			Call::delete_tenant { tenant } => {
				let tenant = Subject::Tenant(*tenant);
				self.tenant_by(origin, tenant, TenantLevel::Root)?;
				self.delete_member(tenant)?;
			},
			Call::create_content_object { tenant, object } => {
				let tenant = Subject::Tenant(*tenant);
				self.tenant_by(origin, tenant, TenantLevel::Content)?;
				self.bonded(tenant)?;
				let key = (id(tenant), object.0[0]);
				ensure(!self.objects.contains_key(&key), Error::ContentObjectAlreadyExists)?;
				let deposit = deposit(&[10, 10], 33 + 4 + 8 + 16);
				self.hold_deposit(tenant, deposit)?;
				self.objects.insert(key, Object { head: None, deposit });
			},
			Call::commit_version { .. } => self.commit_version(drawn)?,
			Call::finalize_version { tenant, object, version } => {
				Self::signed(origin)?;
				let key = (tenant.0[0], object.0[0], version.0[0]);
				self.active(Subject::Tenant(*tenant))?;
				let found = self.versions.get(&key).ok_or(Error::<Test>::VersionNotFound)?.clone();
				let originator =
					Subject::Provider(crate::identifiers::ProviderId([found.originator; 10]));
				self.provider_by(origin, originator, ProviderLevel::Node)?;
				let created = self.members[&originator].created;
				ensure(created < found.committed, Error::ProviderNotFound)?;
				ensure(!found.finalized, Error::VersionAlreadyFinalized)?;
				if found.set_head {
					let head = Some(key.2);
					self.objects.entry((key.0, key.1)).and_modify(|object| object.head = head);
				}
				self.versions.insert(key, Version { finalized: true, ..found });
			},
			Call::set_head_version { tenant, object, version } => {
				let key = (tenant.0[0], object.0[0]);
				self.tenant_by(origin, Subject::Tenant(*tenant), TenantLevel::Content)?;
				let version = version.map(|version| version.0[0]);
				if let Some(version) = version {
					let found = self.versions.get(&(key.0, key.1, version));
					let found = found.ok_or(Error::<Test>::VersionNotFound)?;
					ensure(found.finalized, Error::VersionNotFinalized)?;
				}
				let object = self.objects.get_mut(&key);
				object.ok_or(Error::<Test>::ContentObjectNotFound)?.head = version;
			},
			Call::delete_version { tenant, object, version } => {
				let tenant = Subject::Tenant(*tenant);
				self.tenant_by(origin, tenant, TenantLevel::Content)?;
				self.delete_version(tenant, object.0[0], version.0[0], false)?;
			},
			Call::delete_content_object { tenant, object } => {
				let tenant = Subject::Tenant(*tenant);
				self.tenant_by(origin, tenant, TenantLevel::Content)?;
				self.delete_object(tenant, object.0[0])?;
			},
			Call::create_collection { tenant, name, key_type, syntax } => {
				let tenant = Subject::Tenant(*tenant);
				self.tenant_by(origin, tenant, TenantLevel::Admin)?;
				let colon = *syntax == RecordKeySyntax::PathSegment;
				let (keys, len) = match key_type {
					RecordKeyType::Tid => (Keys::Tid, 1),
					RecordKeyType::Nsid => (Keys::Nsid, 1),
					RecordKeyType::Any => (Keys::Any, 1),
					RecordKeyType::Literal(key) => (Keys::Only(text(key)), 2 + key.len()),
				};
				if let Keys::Only(key) = &keys {
					ensure(colon || !key.contains(':'), Error::InvalidRecordKey)?;
				}
				self.bonded(tenant)?;
				let key = (id(tenant), text(name));
				ensure(!self.collections.contains_key(&key), Error::CollectionAlreadyExists)?;
				let deposit = deposit(&[10, 1 + name.len()], len + 1 + 4 + 8 + 16);
				self.hold_deposit(tenant, deposit)?;
				self.collections.insert(key, Collection { keys, colon, deposit });
			},
			Call::delete_collection { tenant, name } => {
				let tenant = Subject::Tenant(*tenant);
				self.tenant_by(origin, tenant, TenantLevel::Admin)?;
				self.delete_collection(tenant, name)?;
			},
			Call::put_record { tenant, collection, key, target } => {
				let tenant = Subject::Tenant(*tenant);
				self.tenant_by(origin, tenant, TenantLevel::Content)?;
				self.put_record(tenant, collection, key.as_ref().map(|key| &key[..]), *target)?;
			},
			Call::delete_record { tenant, collection, key } => {
				let tenant = Subject::Tenant(*tenant);
				self.tenant_by(origin, tenant, TenantLevel::Content)?;
				self.delete_record(tenant, collection, key)?;
			},
			Call::set_governance_delete { subject, enabled } => {
				governed(self, *subject)?;
				self.members.entry(*subject).and_modify(|member| member.frozen = *enabled);
			},
			Call::governance_delete_node { provider, node } => {
				let provider = Subject::Provider(*provider);
				self.given_up(origin, provider)?;
				self.remove_node(provider, node.0[0])?;
			},
			Call::governance_delete_kms { tenant, kms } => {
				let tenant = Subject::Tenant(*tenant);
				self.given_up(origin, tenant)?;
				self.remove_kms(tenant, kms.0[0])?;
			},
			Call::governance_delete_content_object { tenant, object } => {
				let tenant = Subject::Tenant(*tenant);
				self.given_up(origin, tenant)?;
				self.delete_object(tenant, object.0[0])?;
			},
			Call::governance_delete_version { tenant, object, version } => {
				let tenant = Subject::Tenant(*tenant);
				self.given_up(origin, tenant)?;
				self.delete_version(tenant, object.0[0], version.0[0], true)?;
			},
			Call::governance_delete_collection { tenant, name } => {
				let tenant = Subject::Tenant(*tenant);
				self.given_up(origin, tenant)?;
				self.delete_collection(tenant, name)?;
			},
			Call::governance_delete_record { tenant, collection, key } => {
				let tenant = Subject::Tenant(*tenant);
				self.given_up(origin, tenant)?;
				self.delete_record(tenant, collection, key)?;
			},
			Call::governance_delete_provider { provider, slash, max_rows } => {
				self.governance_delete(origin, Subject::Provider(*provider), *slash, *max_rows)?
			},
			Call::governance_delete_tenant { tenant, slash, max_rows } => {
				self.governance_delete(origin, Subject::Tenant(*tenant), *slash, *max_rows)?
			},
			Call::reap { subject, limit } => self.reap(origin, *subject, *limit)?,
			Call::slash_provider { provider, amount } => {
				let provider = Subject::Provider(*provider);
				governed(self, provider)?;
				self.slash(provider, *amount);
			},
			Call::slash_tenant { tenant, amount } => {
				let tenant = Subject::Tenant(*tenant);
				governed(self, tenant)?;
				self.slash(tenant, *amount);
			},
			Call::__Ignore(..) => unreachable!("is no call"),
		}
		Ok(())
	}
}
