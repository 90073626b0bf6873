// SPDX-License-Identifier: Apache-2.0
//! Content objects, versions, collections and records.

use super::*;
use crate::{identifiers::ClockId, RecordPutOf};

impl Model {
	/// Returns the place of something new in the order of all that is created.
	pub(super) fn tick(&mut self) -> u64 {
		self.clock += 1;
		self.clock
	}

	pub(super) fn create_object(&mut self, tenant: TenantId, object: ContentObjectId) -> Outcome {
		let key = (tenant, object);
		ensure(!self.objects.contains_key(&key), Error::ContentObjectAlreadyExists)?;
		let deposit = price(rows::OBJECT_BYTES);
		self.add_rows(tenant, deposit, 0)?;
		let (created, now) = (self.tick(), self.now());
		let decided = Some((created, now));
		let info = Object { head: None, head_since: created, decided, is_new: true, deposit };
		self.objects.insert(key, info);
		Ok(())
	}

	pub(super) fn delete_object(&mut self, tenant: TenantId, object: ContentObjectId) -> Outcome {
		let key = (tenant, object);
		let info = self.objects.remove(&key).ok_or(Error::<Test>::ContentObjectNotFound)?;
		let has_versions = self.versions.keys().any(|version| (version.0, version.1) == key);
		ensure(!has_versions, Error::ContentObjectNotEmpty)?;
		self.remove_rows(tenant, info.deposit)
	}

	pub(super) fn commit_versions(&mut self, drawn: &Drawn) -> Outcome {
		let Call::commit_versions { tenant_signer, commit, .. } = &drawn.call else {
			unreachable!("the caller has looked");
		};
		let (provider, tenant) = (commit.originator, commit.tenant);
		let who = Self::signed(drawn.origin)?;
		self.open(provider)?;
		ensure(!commit.versions.is_empty(), Error::EmptyBatch)?;
		let node = self.node_for(who, provider, commit.node)?.clone();
		ensure(!node.pending, Error::NodePending)?;
		self.open(tenant)?;
		let may_sign = self.level(*tenant_signer, tenant).is_some();
		ensure(may_sign, Error::SignerNotPermitted)?;
		let space = |member: MemberId| self.members[&member].space;
		ensure(space(provider.into()) == space(tenant.into()), Error::SpaceMismatch)?;
		self.bonded(provider)?;
		self.bonded(tenant)?;
		ensure(self.kmses.contains_key(&(tenant, commit.kms)), Error::KmsNotFound)?;
		ensure(drawn.is_signed, Error::InvalidSignature)?;
		let (muid, now) = (commit.muid, self.now());
		ensure(muid.offset() == 0, Error::InvalidMuidOffset)?;
		ensure(muid.medallion() == node.medallion.get(), Error::MedallionMismatch)?;
		ensure(muid.timestamp() >= now.saturating_sub(600_000_000), Error::MuidTooOld)?;
		ensure(muid.timestamp() <= now + 30_000_000, Error::MuidTooNew)?;
		let is_later = node.last.is_none_or(|last| muid.timestamp() > last.timestamp());
		ensure(is_later, Error::MuidNotMonotonic)?;
		let since = self.levels_since[&(MemberId::from(tenant), *tenant_signer)];
		ensure(muid.timestamp() > since, Error::MuidBeforeGrant)?;
		let mut added = 0;
		let mut objects = Vec::new();
		let mut versions = Vec::<((TenantId, ContentObjectId, VersionId), Muid, bool)>::new();
		for (place, draft) in commit.versions.iter().enumerate() {
			let object = (tenant, draft.object);
			let is_known = self.objects.contains_key(&object) || objects.contains(&object);
			if !is_known {
				ensure(commit.create_objects, Error::ContentObjectNotFound)?;
				objects.push(object);
				added += price(rows::OBJECT_BYTES);
			}
			let key = (tenant, draft.object, draft.version);
			let is_new = !self.versions.contains_key(&key)
				&& !versions.iter().any(|(other, ..)| *other == key);
			ensure(is_new, Error::VersionAlreadyExists)?;
			let muid = commit.muid.with_offset(place as i32 + 1);
			versions.push((key, muid, draft.set_head_on_finalize));
			added += price(rows::VERSION_BYTES);
		}
		self.add_rows(tenant, added, 0)?;
		self.node(provider, commit.node)?.last = Some(muid);
		for object in objects {
			let (head_since, deposit) = (self.tick(), price(rows::OBJECT_BYTES));
			let info = Object { head: None, head_since, decided: None, is_new: false, deposit };
			self.objects.insert(object, info);
		}
		for (key, muid, set_head) in versions {
			let version = Version {
				originator: provider,
				node: commit.node,
				muid,
				committed: self.tick(),
				finalized: false,
				set_head,
				deposit: price(rows::VERSION_BYTES),
			};
			self.versions.insert(key, version);
		}
		Ok(())
	}

	pub(super) fn finalize_versions(
		&mut self,
		origin: Origin,
		provider: ProviderId,
		node: NodeId,
		tenant: TenantId,
		list: &[(ContentObjectId, VersionId)],
	) -> Outcome {
		let who = Self::signed(origin)?;
		self.open(provider)?;
		ensure(!list.is_empty(), Error::EmptyBatch)?;
		self.open(tenant)?;
		let present = self.nodes.get(&(provider, node));
		let operated = present.filter(|it| it.operator == who).map(|it| it.medallion.get());
		let manages = self.level(who, provider).is_some();
		ensure(manages || operated.is_some(), Error::NoPermission)?;
		let born = self.members[&MemberId::from(provider)].born;
		for (object, version) in list {
			let info = self.versions.get_mut(&(tenant, *object, *version));
			let info = info.ok_or(Error::<Test>::VersionNotFound)?;
			let is_originator = (info.originator, info.node) == (provider, node)
				&& (operated == Some(info.muid.medallion()) || (manages && info.committed > born));
			ensure(is_originator, Error::OriginatorMismatch)?;
			ensure(!info.finalized, Error::VersionAlreadyFinalized)?;
			info.finalized = true;
			let object = self.objects.get_mut(&(tenant, *object));
			let object = object.expect("versions have an object");
			let after_decision = match object.decided {
				None => true,
				Some((decided, time)) => {
					let drafted = info.muid.timestamp();
					let later = drafted > time || (object.is_new && drafted == time);
					info.committed > decided && later
				},
			};
			if info.set_head && info.committed > object.head_since && after_decision {
				object.head = Some(*version);
				object.head_since = info.committed;
			}
		}
		Ok(())
	}

	pub(super) fn set_head(
		&mut self,
		tenant: TenantId,
		object: ContentObjectId,
		version: Option<VersionId>,
	) -> Outcome {
		let decided = Some((self.tick(), self.now()));
		let info = self.objects.get_mut(&(tenant, object));
		let info = info.ok_or(Error::<Test>::ContentObjectNotFound)?;
		if let Some(version) = version {
			let found = self.versions.get(&(tenant, object, version));
			let found = found.ok_or(Error::<Test>::VersionNotFound)?;
			ensure(found.finalized, Error::VersionNotFinalized)?;
			info.head_since = found.committed;
		}
		(info.head, info.decided, info.is_new) = (version, decided, false);
		Ok(())
	}

	/// Deletes a version, which may be the head only if the tenant is frozen.
	pub(super) fn delete_version(
		&mut self,
		tenant: TenantId,
		object: ContentObjectId,
		version: VersionId,
		is_frozen: bool,
	) -> Outcome {
		let parent = self.objects.get_mut(&(tenant, object));
		let parent = parent.ok_or(Error::<Test>::ContentObjectNotFound)?;
		let is_head = parent.head == Some(version);
		ensure(is_frozen || !is_head, Error::VersionIsHead)?;
		if is_head {
			parent.head = None;
		}
		let info = self.versions.remove(&(tenant, object, version));
		self.remove_rows(tenant, info.ok_or(Error::<Test>::VersionNotFound)?.deposit)
	}

	pub(super) fn create_collection(
		&mut self,
		tenant: TenantId,
		name: CollectionNameOf<Test>,
		key_type: RecordKeyTypeOf<Test>,
		syntax: RecordKeySyntax,
	) -> Outcome {
		let mut type_bytes = 1;
		if let RecordKeyType::Literal(key) = &key_type {
			let is_in_syntax = syntax == RecordKeySyntax::PathSegment || !key.contains(&b':');
			ensure(is_in_syntax, Error::InvalidRecordKey)?;
			type_bytes += rows::text(key.len() as u64);
		}
		let bytes = rows::collection_bytes(name.len() as u64, type_bytes);
		let (key, deposit) = ((tenant, name), price(bytes));
		ensure(!self.collections.contains_key(&key), Error::CollectionAlreadyExists)?;
		self.add_rows(tenant, deposit, 0)?;
		self.collections.insert(key, Collection { key_type, syntax, deposit });
		Ok(())
	}

	pub(super) fn delete_collection(
		&mut self,
		tenant: TenantId,
		name: CollectionNameOf<Test>,
	) -> Outcome {
		let key = (tenant, name);
		let info = self.collections.remove(&key).ok_or(Error::<Test>::CollectionNotFound)?;
		let has_records = self.records.keys().any(|r| (r.0, &r.1) == (key.0, &key.1));
		ensure(!has_records, Error::CollectionNotEmpty)?;
		self.remove_rows(tenant, info.deposit)
	}

	/// Returns whether a collection allows one of the few keys that are drawn.
	fn is_key_of(collection: &Collection, key: &[u8]) -> bool {
		let in_syntax = collection.syntax == RecordKeySyntax::PathSegment || !key.contains(&b':');
		in_syntax
			&& match &collection.key_type {
				RecordKeyType::Any => true,
				RecordKeyType::Tid => key == b"3jzfcijpj2z2a",
				RecordKeyType::Nsid => key == b"com.example.x",
				RecordKeyType::Literal(only) => key == &only[..],
			}
	}

	pub(super) fn put_records(
		&mut self,
		tenant: TenantId,
		name: CollectionNameOf<Test>,
		list: &[RecordPutOf<Test>],
	) -> Outcome {
		ensure(!list.is_empty(), Error::EmptyBatch)?;
		let collection = self.collections.get(&(tenant, name.clone()));
		let collection = collection.ok_or(Error::<Test>::CollectionNotFound)?.clone();
		let (mut added, mut removed, mut is_more) = (0, 0, false);
		let mut records = self.records.clone();
		for (key, target) in list {
			let minted = key.is_none();
			let key = match key {
				Some(key) => {
					ensure(Self::is_key_of(&collection, key), Error::InvalidRecordKey)?;
					key.clone()
				},
				None => {
					let mints = collection.key_type == RecordKeyType::Tid;
					ensure(mints, Error::RecordKeyRequired)?;
					let timestamp = self.now().max(self.last_tid.map_or(0, |last| last + 1));
					self.last_tid = Some(timestamp);
					let tid = Tid::new(timestamp, ClockId::MAX).expect("is in range");
					bounded(tid.to_string())
				},
			};
			let object_exists = self.objects.contains_key(&(tenant, target.object));
			ensure(object_exists, Error::ContentObjectNotFound)?;
			if let Some(version) = target.version {
				let key = (tenant, target.object, version);
				ensure(self.versions.contains_key(&key), Error::VersionNotFound)?;
			}
			let target_bytes = target.version.map_or(1, |_| rows::option(rows::VERSION));
			let (name_len, key_len) = (name.len() as u64, key.len() as u64);
			let deposit = price(rows::record_bytes(name_len, key_len, target_bytes));
			added += deposit;
			let record = Record { target: *target, deposit };
			match records.insert((tenant, name.clone(), key), record) {
				Some(before) => {
					ensure(!minted, Error::RecordAlreadyExists)?;
					removed += before.deposit;
				},
				None => is_more = true,
			}
		}
		match is_more {
			true => self.add_rows(tenant, added, removed)?,
			false => self.change_deposits(tenant, added, removed)?,
		}
		self.records = records;
		Ok(())
	}

	pub(super) fn delete_records(
		&mut self,
		tenant: TenantId,
		name: CollectionNameOf<Test>,
		keys: &[RecordKeyOf<Test>],
	) -> Outcome {
		ensure(!keys.is_empty(), Error::EmptyBatch)?;
		let exists = self.collections.contains_key(&(tenant, name.clone()));
		ensure(exists, Error::CollectionNotFound)?;
		let mut removed = 0;
		for key in keys {
			let record = self.records.remove(&(tenant, name.clone(), key.clone()));
			removed += record.ok_or(Error::<Test>::RecordNotFound)?.deposit;
		}
		self.remove_rows(tenant, removed)
	}
}
