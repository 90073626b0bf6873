// SPDX-License-Identifier: Apache-2.0
//! Content objects, versions, collections and records.

use super::*;
use crate::{Copy, RecordPutOf};

/// Names and record keys that are drawn, and never valid.
const INVALID: [&[u8]; 3] = [b"", b"..", b"not/valid"];

/// Returns an object without versions.
fn new_object(created: Muid, head_set: Muid) -> ContentObjectInfoOf<Test> {
	ContentObjectInfo {
		head_version: None,
		head_since: created,
		head_set,
		version_count: 0,
		deposit: price(rows::OBJECT_BYTES),
		created,
	}
}

/// Returns the copy of a node that was asked.
fn asked(provider: ProviderId, node: NodeId, medallion: Medallion) -> Copy<u64> {
	Copy { provider, node, medallion, held: None }
}

impl Model {
	pub(super) fn create_object(&mut self, tenant: TenantId, object: ContentObjectId) -> Outcome {
		let key = (tenant, object);
		ensure(!self.objects.contains_key(&key), Error::ContentObjectAlreadyExists)?;
		let created = self.mint();
		self.objects.insert(key, new_object(created, created));
		self.add_rows(tenant, price(rows::OBJECT_BYTES), 0)
	}

	pub(super) fn delete_object(&mut self, tenant: TenantId, object: ContentObjectId) -> Outcome {
		let info = self.objects.remove(&(tenant, object));
		let info = info.ok_or(Error::<Test>::ContentObjectNotFound)?;
		ensure(info.version_count == 0, Error::ContentObjectNotEmpty)?;
		self.remove_rows(tenant, info.deposit)
	}

	pub(super) fn commit_versions(&mut self, drawn: &Drawn) -> Outcome {
		let Call::commit_versions { tenant_signer, commit, .. } = &drawn.call else {
			unreachable!("the caller has looked");
		};
		let (provider, tenant) = (commit.originator, commit.tenant);
		let who = Self::signed(drawn.origin.account().copied())?;
		self.open(provider)?;
		ensure(!commit.versions.is_empty(), Error::EmptyBatch)?;
		let node = self.node_for(who, provider, commit.node)?.clone();
		ensure(!node.pending, Error::NodePending)?;
		self.open(tenant)?;
		let signer = self.level_since(*tenant_signer, tenant);
		let signer = signer.filter(|(level, _)| *level >= TenantLevel::Content);
		let (_, since) = signer.ok_or(Error::<Test>::SignerNotPermitted)?;
		let space = |member: MemberId| self.members[&member].space;
		ensure(space(provider.into()) == space(tenant.into()), Error::SpaceMismatch)?;
		self.bonded(provider)?;
		self.bonded(tenant)?;
		if let Some(kms) = commit.kms {
			ensure(self.kmses.contains_key(&(tenant, kms)), Error::KmsNotFound)?;
		}
		let mut copies = vec![asked(provider, commit.node, node.medallion)];
		for (provider, node) in &commit.copies {
			let is_known = copies.iter().any(|it| (it.provider, it.node) == (*provider, *node));
			ensure(!is_known, Error::CopyAlreadyExists)?;
			copies.push(self.asked_copy(tenant, *provider, *node)?);
		}
		ensure(drawn.is_signed, Error::InvalidSignature)?;
		let (muid, now) = (commit.muid, self.now());
		ensure(muid.offset() == 0, Error::InvalidMuidOffset)?;
		ensure(muid.medallion() == node.medallion.get(), Error::MedallionMismatch)?;
		ensure(muid.timestamp() >= now.saturating_sub(600_000_000), Error::MuidTooOld)?;
		ensure(muid.timestamp() <= now + 30_000_000, Error::MuidTooNew)?;
		let is_later = node.last_muid.is_none_or(|last| muid.timestamp() > last.timestamp());
		ensure(is_later, Error::MuidNotMonotonic)?;
		ensure(muid.timestamp() > since.timestamp(), Error::MuidBeforeGrant)?;
		self.node(provider, commit.node)?.last_muid = Some(muid);
		let mut added = 0;
		for (draft, offset) in commit.versions.iter().zip(1..) {
			let has_no_size = draft.size == 0 && draft.version != HashKind::Blake3.of_no_data();
			ensure(draft.hash == HashKind::Sha256 || !has_no_size, Error::SizeMissing)?;
			let object = (tenant, draft.object);
			if !self.objects.contains_key(&object) {
				ensure(commit.create_objects, Error::ContentObjectNotFound)?;
				// The tenant has not decided about its head yet.
				let info = new_object(self.mint(), Muid::default());
				added += info.deposit;
				self.objects.insert(object, info);
			}
			self.objects.entry(object).and_modify(|object| object.version_count += 1);
			let version = VersionInfo {
				copies: bounded(&copies[..]),
				kms: commit.kms,
				muid: muid.with_offset(offset),
				hash: draft.hash,
				size: draft.size.into(),
				committed: self.mint(),
				finalized: None,
				set_head_on_finalize: draft.set_head_on_finalize,
				deposit: price(rows::version_bytes(copies.len() as u64)),
			};
			added += version.deposit;
			let key = (tenant, draft.object, draft.version);
			ensure(self.versions.insert(key, version).is_none(), Error::VersionAlreadyExists)?;
		}
		self.add_rows(tenant, added, 0)
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
		let medallion = self.node_for(who, provider, node)?.medallion;
		self.bonded(provider)?;
		self.open(tenant)?;
		let now = self.now();
		for (object, version) in list {
			let info = self.versions.get_mut(&(tenant, *object, *version));
			let info = info.ok_or(Error::<Test>::VersionNotFound)?;
			let copy = info.copies.iter_mut().find(|copy| copy.medallion == medallion);
			let copy = copy.ok_or(Error::<Test>::CopyNotFound)?;
			ensure(copy.held.is_none(), Error::CopyAlreadyHeld)?;
			copy.held = Some((now / 1_000).max(info.committed.timestamp() / 1_000));
			if info.finalized.is_some() {
				continue;
			}
			info.finalized = copy.held;
			let object = self.objects.get_mut(&(tenant, *object));
			let object = object.expect("versions have an object");
			let (decided, drafted) = (object.head_set, info.muid.timestamp());
			// To create an object in a call of its own is a decision, for which the same millisecond
			// is enough.
			let is_first =
				decided == object.created && drafted / 1_000 == decided.timestamp() / 1_000;
			let after_decision = decided == Muid::default()
				|| (info.committed > decided && (is_first || drafted > decided.timestamp()));
			if info.set_head_on_finalize && info.committed > object.head_since && after_decision {
				object.head_version = Some(*version);
				object.head_since = info.committed;
			}
		}
		Ok(())
	}

	/// Returns a copy of a node that a tenant may ask, whether its provider is open or not.
	fn asked_copy(
		&self,
		tenant: TenantId,
		provider: ProviderId,
		node: NodeId,
	) -> Result<Copy<u64>, DispatchError> {
		let member = self.loaded(provider.into())?;
		ensure(member.purge.is_none(), Error::BeingPurged)?;
		let space = self.members[&MemberId::from(tenant)].space;
		ensure(member.space == space, Error::SpaceMismatch)?;
		let info = self.nodes.get(&(provider, node)).ok_or(Error::<Test>::NodeNotFound)?;
		ensure(!info.pending, Error::NodePending)?;
		Ok(asked(provider, node, info.medallion))
	}

	pub(super) fn add_copies(
		&mut self,
		tenant: TenantId,
		(provider, node): (ProviderId, NodeId),
		list: &[(ContentObjectId, VersionId)],
	) -> Outcome {
		ensure(!list.is_empty(), Error::EmptyBatch)?;
		let added = self.asked_copy(tenant, provider, node)?;
		let (mut before, mut after) = (0, 0);
		for (object, version) in list {
			let info = self.versions.get_mut(&(tenant, *object, *version));
			let info = info.ok_or(Error::<Test>::VersionNotFound)?;
			let of_node = |copy: &Copy<u64>| (copy.provider, copy.node) == (provider, node);
			match info.copies.iter().position(of_node) {
				Some(place) => {
					let is_former = info.copies[place].medallion != added.medallion;
					ensure(is_former, Error::CopyAlreadyExists)?;
					info.copies[place] = added;
				},
				None => {
					let most = MaxCopies::get() as usize;
					ensure(info.copies.len() < most, Error::TooManyCopies)?;
					info.copies.try_push(added).expect("there is room");
				},
			}
			before += info.deposit;
			info.deposit = price(rows::version_bytes(info.copies.len() as u64));
			after += info.deposit;
		}
		self.change_deposits(tenant, after, before)
	}

	/// Removes copies: any by the tenant's side, and by the node's side its own.
	pub(super) fn remove_copies(
		&mut self,
		origin: Origin,
		tenant: TenantId,
		(provider, node): (ProviderId, NodeId),
		list: &[(ContentObjectId, VersionId)],
	) -> Outcome {
		let who = Self::signed(origin)?;
		self.open(tenant)?;
		ensure(!list.is_empty(), Error::EmptyBatch)?;
		let mut own = None;
		if self.level(who, tenant) < Some(TenantLevel::Content) {
			self.open(provider)?;
			own = Some(self.node_for(who, provider, node)?.medallion);
		}
		let (mut before, mut after) = (0, 0);
		for (object, version) in list {
			let info = self.versions.get_mut(&(tenant, *object, *version));
			let info = info.ok_or(Error::<Test>::VersionNotFound)?;
			let place = info.copies.iter().position(|copy| {
				(copy.provider, copy.node) == (provider, node)
					&& own.is_none_or(|own| copy.medallion == own)
			});
			info.copies.remove(place.ok_or(Error::<Test>::CopyNotFound)?);
			let deposit = price(rows::version_bytes(info.copies.len() as u64));
			before += info.deposit;
			info.deposit = if own.is_some() { deposit.min(info.deposit) } else { deposit };
			after += info.deposit;
		}
		self.change_deposits(tenant, after, before)
	}

	pub(super) fn set_head(
		&mut self,
		tenant: TenantId,
		object: ContentObjectId,
		version: Option<VersionId>,
	) -> Outcome {
		let decided = self.mint();
		let info = self.objects.get_mut(&(tenant, object));
		let info = info.ok_or(Error::<Test>::ContentObjectNotFound)?;
		if let Some(version) = version {
			let found = self.versions.get(&(tenant, object, version));
			let found = found.ok_or(Error::<Test>::VersionNotFound)?;
			ensure(found.finalized.is_some(), Error::VersionNotFinalized)?;
			info.head_since = found.committed;
		}
		(info.head_version, info.head_set) = (version, decided);
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
		let is_head = parent.head_version == Some(version);
		ensure(is_frozen || !is_head, Error::VersionIsHead)?;
		if is_head {
			parent.head_version = None;
		}
		let info = self.versions.remove(&(tenant, object, version));
		let info = info.ok_or(Error::<Test>::VersionNotFound)?;
		parent.version_count -= 1;
		self.remove_rows(tenant, info.deposit)
	}

	pub(super) fn create_collection(
		&mut self,
		tenant: TenantId,
		name: CollectionNameOf<Test>,
		key_type: RecordKeyTypeOf<Test>,
		syntax: RecordKeySyntax,
	) -> Outcome {
		ensure(!INVALID.contains(&&name[..]), Error::InvalidCollectionName)?;
		let mut type_bytes = 1;
		if let RecordKeyType::Literal(key) = &key_type {
			let is_in_syntax = syntax == RecordKeySyntax::PathSegment || !key.contains(&b':');
			ensure(is_in_syntax, Error::InvalidRecordKey)?;
			type_bytes += rows::text(key.len() as u64);
		}
		let bytes = rows::collection_bytes(name.len() as u64, type_bytes);
		let (key, deposit) = ((tenant, name), price(bytes));
		ensure(!self.collections.contains_key(&key), Error::CollectionAlreadyExists)?;
		let (record_count, created) = (0, self.mint());
		let info = CollectionInfo { key_type, syntax, record_count, deposit, created };
		self.collections.insert(key, info);
		self.add_rows(tenant, deposit, 0)
	}

	pub(super) fn delete_collection(
		&mut self,
		tenant: TenantId,
		name: CollectionNameOf<Test>,
	) -> Outcome {
		let info = self.collections.remove(&(tenant, name));
		let info = info.ok_or(Error::<Test>::CollectionNotFound)?;
		ensure(info.record_count == 0, Error::CollectionNotEmpty)?;
		self.remove_rows(tenant, info.deposit)
	}

	/// Returns whether a collection allows one of the few keys that are drawn.
	fn is_key_of(collection: &CollectionInfoOf<Test>, key: &[u8]) -> bool {
		let in_syntax = collection.syntax == RecordKeySyntax::PathSegment || !key.contains(&b':');
		in_syntax
			&& !INVALID.contains(&key)
			&& match &collection.key_type {
				RecordKeyType::Any => true,
				RecordKeyType::Tid => key.starts_with(b"3jzfcijpj2z2"),
				RecordKeyType::Nsid => key.starts_with(b"com.example."),
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
		let mut collection = collection.ok_or(Error::<Test>::CollectionNotFound)?.clone();
		let (mut added, mut removed, count) = (0, 0, collection.record_count);
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
					let (_, clock_id) = self.chain.expect("a space was created");
					let tid = Tid::new(timestamp, clock_id).expect("is in range");
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
			let updated = self.mint();
			let key = (tenant, name.clone(), key);
			let before = self.records.get(&key);
			let created = before.map_or(updated, |before| before.created);
			match before {
				Some(before) => {
					ensure(!minted, Error::RecordAlreadyExists)?;
					removed += before.deposit;
				},
				None => collection.record_count += 1,
			}
			self.records.insert(key, RecordInfo { target: *target, created, updated, deposit });
		}
		let is_more = collection.record_count > count;
		self.collections.insert((tenant, name), collection);
		match is_more {
			true => self.add_rows(tenant, added, removed),
			false => self.change_deposits(tenant, added, removed),
		}
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
		let collection = self.collections.entry((tenant, name));
		collection.and_modify(|info| info.record_count -= keys.len() as u32);
		self.remove_rows(tenant, removed)
	}
}
