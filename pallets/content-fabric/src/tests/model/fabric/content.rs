// SPDX-License-Identifier: Apache-2.0
//! Content objects, versions, collections and records.

use super::*;
use crate::identifiers::{ContentObjectId, VersionId};

impl Model {
	fn object_deposit() -> Balance {
		deposit(&[10, 10], 33 + 16 + 16 + 4 + 8 + 16)
	}

	fn version_deposit() -> Balance {
		deposit(&[10, 10, 32], 10 + 10 + 10 + 16 + 9 + 16 + 9 + 1 + 8)
	}

	/// Returns the place of something new in the order of all that is created.
	pub(super) fn tick(&mut self) -> u64 {
		self.clock += 1;
		self.clock
	}

	pub(super) fn create_object(&mut self, tenant: MemberId, object: u8) -> Outcome {
		let key = (id(tenant), object);
		ensure(!self.objects.contains_key(&key), Error::ContentObjectAlreadyExists)?;
		let deposit = Self::object_deposit();
		self.add_rows(tenant, deposit, 0)?;
		let (created, now) = (self.tick(), self.now());
		let decided = Some((created, now));
		let info = Object { head: None, head_since: created, decided, is_new: true, deposit };
		self.objects.insert(key, info);
		Ok(())
	}

	pub(super) fn delete_object(&mut self, tenant: MemberId, object: u8) -> Outcome {
		let key = (id(tenant), object);
		let deposit = self.objects.get(&key).ok_or(Error::<Test>::ContentObjectNotFound)?.deposit;
		let has_versions = self.versions.keys().any(|version| (version.0, version.1) == key);
		ensure(!has_versions, Error::ContentObjectNotEmpty)?;
		self.change_deposits(tenant, 0, deposit)?;
		self.objects.remove(&key);
		self.after_removal(tenant);
		Ok(())
	}

	pub(super) fn commit_versions(&mut self, drawn: &Drawn) -> Outcome {
		let Call::commit_versions { tenant_signer, commit, .. } = &drawn.call else {
			unreachable!("the caller has looked");
		};
		let (provider, tenant) = (commit.originator.into(), MemberId::from(commit.tenant));
		let who = Self::signed(drawn.origin)?;
		self.open(provider)?;
		ensure(!commit.versions.is_empty(), Error::EmptyBatch)?;
		let node_key = (id(provider), commit.node.0[0]);
		let node = self.node_for(who, provider, node_key.1)?.clone();
		ensure(!node.pending, Error::NodePending)?;
		self.open(tenant)?;
		let may_sign = self.tenant_level(*tenant_signer, tenant).is_some();
		ensure(may_sign, Error::SignerNotPermitted)?;
		let same_space = self.members[&provider].space == self.members[&tenant].space;
		ensure(same_space, Error::SpaceMismatch)?;
		self.bonded(provider)?;
		self.bonded(tenant)?;
		let kms = (id(tenant), commit.kms.0[0]);
		ensure(self.kmses.contains_key(&kms), Error::KmsNotFound)?;
		ensure(drawn.is_signed, Error::InvalidSignature)?;
		let (muid, now) = (commit.muid, self.now());
		ensure(muid.offset() == 0, Error::InvalidMuidOffset)?;
		ensure(muid.medallion() == node.medallion.get(), Error::MedallionMismatch)?;
		ensure(muid.timestamp() >= now.saturating_sub(600_000_000), Error::MuidTooOld)?;
		ensure(muid.timestamp() <= now + 30_000_000, Error::MuidTooNew)?;
		let is_later = node.last.is_none_or(|last| muid.timestamp() > last.timestamp());
		ensure(is_later, Error::MuidNotMonotonic)?;
		let since = self.levels_since[&(tenant, *tenant_signer)];
		ensure(muid.timestamp() > since, Error::MuidBeforeGrant)?;
		let mut added = 0;
		let mut objects = Vec::new();
		let mut versions = Vec::<((u8, u8, u8), Muid, bool)>::new();
		for (place, draft) in commit.versions.iter().enumerate() {
			let object = (id(tenant), draft.object.0[0]);
			let is_known = self.objects.contains_key(&object) || objects.contains(&object);
			if !is_known {
				ensure(commit.create_objects, Error::ContentObjectNotFound)?;
				objects.push(object);
				added += Self::object_deposit();
			}
			let key = (object.0, object.1, draft.version.0[0]);
			let is_new = !self.versions.contains_key(&key)
				&& !versions.iter().any(|(other, ..)| *other == key);
			ensure(is_new, Error::VersionAlreadyExists)?;
			let muid = commit.muid.with_offset(place as i32 + 1);
			versions.push((key, muid, draft.set_head_on_finalize));
			added += Self::version_deposit();
		}
		self.add_rows(tenant, added, 0)?;
		self.nodes.entry(node_key).and_modify(|node| node.last = Some(muid));
		for object in objects {
			let (head_since, deposit) = (self.tick(), Self::object_deposit());
			let info = Object { head: None, head_since, decided: None, is_new: false, deposit };
			self.objects.insert(object, info);
		}
		for (key, muid, set_head) in versions {
			let version = Version {
				originator: node_key.0,
				node: node_key.1,
				muid,
				committed: self.tick(),
				finalized: false,
				set_head,
				deposit: Self::version_deposit(),
			};
			self.versions.insert(key, version);
		}
		Ok(())
	}

	pub(super) fn finalize_versions(
		&mut self,
		origin: Origin,
		provider: MemberId,
		node: u8,
		tenant: MemberId,
		list: &[(ContentObjectId, VersionId)],
	) -> Outcome {
		let who = Self::signed(origin)?;
		self.open(provider)?;
		ensure(!list.is_empty(), Error::EmptyBatch)?;
		self.open(tenant)?;
		let present = self.nodes.get(&(id(provider), node));
		let operated = present.filter(|it| it.operator == who).map(|it| it.medallion.get());
		let manages = self.provider_level(who, provider).is_some();
		ensure(manages || operated.is_some(), Error::NoPermission)?;
		let born = self.members[&provider].born;
		for (object, version) in list {
			let key = (id(tenant), object.0[0], version.0[0]);
			let info = self.versions.get(&key).ok_or(Error::<Test>::VersionNotFound)?.clone();
			let is_originator = (info.originator, info.node) == (id(provider), node)
				&& (operated == Some(info.muid.medallion()) || (manages && info.committed > born));
			ensure(is_originator, Error::OriginatorMismatch)?;
			ensure(!info.finalized, Error::VersionAlreadyFinalized)?;
			self.versions.entry(key).and_modify(|version| version.finalized = true);
			let object = self.objects.get_mut(&(key.0, key.1)).expect("versions have an object");
			let after_decision = match object.decided {
				None => true,
				Some((decided, time)) => {
					let drafted = info.muid.timestamp();
					let later = drafted > time || (object.is_new && drafted == time);
					info.committed > decided && later
				},
			};
			if info.set_head && info.committed > object.head_since && after_decision {
				object.head = Some(key.2);
				object.head_since = info.committed;
			}
		}
		Ok(())
	}

	pub(super) fn set_head(
		&mut self,
		tenant: MemberId,
		object: u8,
		version: Option<u8>,
	) -> Outcome {
		let key = (id(tenant), object);
		ensure(self.objects.contains_key(&key), Error::ContentObjectNotFound)?;
		let mut since = None;
		if let Some(version) = version {
			let found = self.versions.get(&(key.0, key.1, version));
			let found = found.ok_or(Error::<Test>::VersionNotFound)?;
			ensure(found.finalized, Error::VersionNotFinalized)?;
			since = Some(found.committed);
		}
		let decided = Some((self.tick(), self.now()));
		self.objects.entry(key).and_modify(|object| {
			object.head = version;
			object.head_since = since.unwrap_or(object.head_since);
			object.decided = decided;
			object.is_new = false;
		});
		Ok(())
	}

	/// Deletes a version, which may be the head only if the tenant is frozen.
	pub(super) fn delete_version(
		&mut self,
		tenant: MemberId,
		object: u8,
		version: u8,
		is_frozen: bool,
	) -> Outcome {
		let key = (id(tenant), object, version);
		let parent = self.objects.get(&(key.0, key.1));
		let is_head = parent.ok_or(Error::<Test>::ContentObjectNotFound)?.head == Some(version);
		ensure(is_frozen || !is_head, Error::VersionIsHead)?;
		let deposit = self.versions.get(&key).ok_or(Error::<Test>::VersionNotFound)?.deposit;
		self.change_deposits(tenant, 0, deposit)?;
		if is_head {
			self.objects.entry((key.0, key.1)).and_modify(|object| object.head = None);
		}
		self.versions.remove(&key);
		self.after_removal(tenant);
		Ok(())
	}

	pub(super) fn create_collection(
		&mut self,
		tenant: MemberId,
		name: &[u8],
		key_type: &crate::RecordKeyTypeOf<Test>,
		syntax: RecordKeySyntax,
	) -> Outcome {
		let colon = syntax == RecordKeySyntax::PathSegment;
		let (keys, len) = match key_type {
			RecordKeyType::Tid => (Keys::Tid, 1),
			RecordKeyType::Nsid => (Keys::Nsid, 1),
			RecordKeyType::Any => (Keys::Any, 1),
			RecordKeyType::Literal(key) => (Keys::Only(text(key)), 2 + key.len()),
		};
		if let Keys::Only(key) = &keys {
			ensure(colon || !key.contains(':'), Error::InvalidRecordKey)?;
		}
		let key = (id(tenant), text(name));
		ensure(!self.collections.contains_key(&key), Error::CollectionAlreadyExists)?;
		let deposit = deposit(&[10, 1 + name.len()], len + 1 + 4 + 8 + 16);
		self.add_rows(tenant, deposit, 0)?;
		self.collections.insert(key, Collection { keys, colon, deposit });
		Ok(())
	}

	pub(super) fn delete_collection(&mut self, tenant: MemberId, name: &[u8]) -> Outcome {
		let key = (id(tenant), text(name));
		let info = self.collections.get(&key).ok_or(Error::<Test>::CollectionNotFound)?;
		let has_records = self.records.keys().any(|r| (r.0, &r.1) == (key.0, &key.1));
		ensure(!has_records, Error::CollectionNotEmpty)?;
		self.change_deposits(tenant, 0, info.deposit)?;
		self.collections.remove(&key);
		self.after_removal(tenant);
		Ok(())
	}

	/// Returns whether a collection allows one of the few keys that are drawn.
	fn is_key_of(collection: &Collection, key: &str) -> bool {
		let in_syntax = collection.colon || !key.contains(':');
		in_syntax
			&& match &collection.keys {
				Keys::Any => true,
				Keys::Tid => key == "3jzfcijpj2z2a",
				Keys::Nsid => key == "com.example.x",
				Keys::Only(only) => key == only,
			}
	}

	pub(super) fn put_records(
		&mut self,
		tenant: MemberId,
		name: &[u8],
		list: &[crate::RecordPutOf<Test>],
	) -> Outcome {
		ensure(!list.is_empty(), Error::EmptyBatch)?;
		let (tenant_id, name) = (id(tenant), text(name));
		let collection = self.collections.get(&(tenant_id, name.clone()));
		let collection = collection.ok_or(Error::<Test>::CollectionNotFound)?.clone();
		let (mut added, mut removed) = (0, 0);
		let mut puts: BTreeMap<String, Record> = BTreeMap::new();
		let before = |puts: &BTreeMap<String, Record>, key: &String| {
			let stored = self.records.get(&(tenant_id, name.clone(), key.clone()));
			puts.get(key).or(stored).map(|record| record.deposit)
		};
		let (mut is_more, mut last_tid) = (false, self.last_tid);
		for (key, target) in list {
			let minted = key.is_none();
			let key = match key {
				Some(key) => {
					let is_allowed = Self::is_key_of(&collection, &text(key));
					ensure(is_allowed, Error::InvalidRecordKey)?;
					text(key)
				},
				None => {
					ensure(collection.keys == Keys::Tid, Error::RecordKeyRequired)?;
					let timestamp = self.now().max(last_tid.map_or(0, |last| last + 1));
					last_tid = Some(timestamp);
					let clock = crate::identifiers::ClockId::MAX;
					Tid::new(timestamp, clock).expect("in range").to_string()
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
			match before(&puts, &key) {
				Some(before) => {
					ensure(!minted, Error::RecordAlreadyExists)?;
					removed += before;
				},
				None => is_more = true,
			}
			added += after;
			puts.insert(key, Record { target: *target, deposit: after });
		}
		if is_more {
			self.add_rows(tenant, added, removed)?;
		} else {
			self.change_deposits(tenant, added, removed)?;
		}
		self.last_tid = last_tid;
		let records = puts.into_iter().map(|(key, put)| ((tenant_id, name.clone(), key), put));
		self.records.extend(records);
		Ok(())
	}

	pub(super) fn delete_records(
		&mut self,
		tenant: MemberId,
		name: &[u8],
		keys: &[crate::RecordKeyOf<Test>],
	) -> Outcome {
		ensure(!keys.is_empty(), Error::EmptyBatch)?;
		let (tenant_id, name) = (id(tenant), text(name));
		let exists = self.collections.contains_key(&(tenant_id, name.clone()));
		ensure(exists, Error::CollectionNotFound)?;
		let mut removed = 0;
		let mut gone = BTreeSet::new();
		for key in keys {
			let key = (tenant_id, name.clone(), text(key));
			let record = self.records.get(&key).filter(|_| !gone.contains(&key));
			removed += record.ok_or(Error::<Test>::RecordNotFound)?.deposit;
			gone.insert(key);
		}
		self.change_deposits(tenant, 0, removed)?;
		self.records.retain(|key, _| !gone.contains(key));
		self.after_removal(tenant);
		Ok(())
	}
}
