//! The model: the fabric as plain maps, and what each call does to it.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use frame_support::weights::Weight;
use sp_runtime::{DispatchError, TokenError};

use super::{draw::Drawn, Origin, Outcome};
use crate::{
	identifiers::{Medallion, Muid, RecordKeySyntax, RecordKeyType, Tid},
	mock::*,
	AdmissionPolicy, Call, ContentRef, Error, HoldReason, ProviderLevel, Role, Subject,
	TenantLevel, WeightInfo,
};

#[derive(Clone, PartialEq, Debug)]
pub struct Space {
	pub governor: AccountId,
	pub provider_bond: Balance,
	pub tenant_bond: Balance,
	pub approval: bool,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Member {
	pub space: u8,
	pub root: AccountId,
	pub depositor: AccountId,
	pub bond: Balance,
	pub frozen: bool,
	/// The call by which it was created.
	pub created: u64,
	/// Rows that are left while the member is being deleted.
	pub going: Option<u32>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Node {
	pub pending: bool,
	pub medallion: Medallion,
	pub last: Option<Muid>,
	pub deposit: Balance,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Object {
	pub head: Option<u8>,
	pub deposit: Balance,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Version {
	pub originator: u8,
	/// The call by which it was committed.
	pub committed: u64,
	pub finalized: bool,
	pub set_head: bool,
	pub deposit: Balance,
}

/// Which keys a collection has.
#[derive(Clone, PartialEq, Debug)]
pub enum Keys {
	Tid,
	Nsid,
	Any,
	Only(String),
}

#[derive(Clone, PartialEq, Debug)]
pub struct Collection {
	pub keys: Keys,
	pub colon: bool,
	pub deposit: Balance,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Record {
	pub target: ContentRef,
	pub deposit: Balance,
}

/// What an account has.
#[derive(Clone, Default, PartialEq, Debug)]
pub struct Account {
	pub free: Balance,
	pub provider_bond: Balance,
	pub tenant_bond: Balance,
	pub deposit: Balance,
}

/// Ids are small numbers, which stand for arrays of that byte.
#[derive(Clone)]
pub struct Model {
	/// Milliseconds.
	pub now: u64,
	pub issued: Balance,
	pub slashed: Balance,
	pub accounts: BTreeMap<AccountId, Account>,
	pub spaces: BTreeMap<u8, Space>,
	pub admissions: BTreeSet<(u8, AccountId, Role)>,
	pub members: BTreeMap<Subject, Member>,
	pub provider_keys: BTreeMap<(u8, AccountId), (ProviderLevel, Balance)>,
	pub tenant_keys: BTreeMap<(u8, AccountId), (TenantLevel, Balance)>,
	pub nodes: BTreeMap<(u8, u8), Node>,
	pub kmses: BTreeMap<(u8, u8), Balance>,
	pub objects: BTreeMap<(u8, u8), Object>,
	pub versions: BTreeMap<(u8, u8, u8), Version>,
	pub collections: BTreeMap<(u8, String), Collection>,
	pub records: BTreeMap<(u8, String, String), Record>,
	/// Deletions in the order in which they were started.
	queue: VecDeque<Subject>,
	nodes_created: u64,
	/// Number of calls so far.
	calls: u64,
	last_tid: Option<u64>,
}

fn ensure(condition: bool, error: Error<Test>) -> Outcome {
	condition.then_some(()).ok_or(error.into())
}

fn text(bytes: &[u8]) -> String {
	String::from_utf8(bytes.to_vec()).expect("drawn texts are UTF-8")
}

/// The deposit for a row with keys and a value of these lengths.
fn deposit(keys: &[usize], value: usize) -> Balance {
	let key: usize = 32 + keys.iter().map(|len| 16 + len).sum::<usize>();
	DepositBase::get() + DepositPerByte::get() * (key + value) as Balance
}

fn id(subject: Subject) -> u8 {
	match subject {
		Subject::Provider(id) => id.0[0],
		Subject::Tenant(id) => id.0[0],
	}
}

/// What the errors of a member are called.
struct Names {
	not_found: Error<Test>,
	exists: Error<Test>,
	frozen: Error<Test>,
	under_bonded: Error<Test>,
	not_empty: Error<Test>,
}

fn names(subject: Subject) -> Names {
	match subject {
		Subject::Provider(_) => Names {
			not_found: Error::ProviderNotFound,
			exists: Error::ProviderAlreadyExists,
			frozen: Error::ProviderFrozen,
			under_bonded: Error::ProviderUnderBonded,
			not_empty: Error::ProviderNotEmpty,
		},
		Subject::Tenant(_) => Names {
			not_found: Error::TenantNotFound,
			exists: Error::TenantAlreadyExists,
			frozen: Error::TenantFrozen,
			under_bonded: Error::TenantUnderBonded,
			not_empty: Error::TenantNotEmpty,
		},
	}
}

fn bond_reason(subject: Subject) -> HoldReason {
	match subject {
		Subject::Provider(_) => HoldReason::ProviderBond,
		Subject::Tenant(_) => HoldReason::TenantBond,
	}
}

impl Account {
	fn held(&mut self, reason: HoldReason) -> &mut Balance {
		match reason {
			HoldReason::ProviderBond => &mut self.provider_bond,
			HoldReason::TenantBond => &mut self.tenant_bond,
			HoldReason::StorageDeposit => &mut self.deposit,
		}
	}
}

impl Model {
	pub fn new() -> Self {
		let accounts: BTreeMap<_, _> = ACCOUNTS
			.map(|account| (account, Account { free: funds(account).0, ..Default::default() }))
			.collect();
		Self {
			now: 0,
			issued: accounts.values().map(|account| account.free).sum(),
			slashed: 0,
			accounts,
			spaces: BTreeMap::new(),
			admissions: BTreeSet::new(),
			members: BTreeMap::new(),
			provider_keys: BTreeMap::new(),
			tenant_keys: BTreeMap::new(),
			nodes: BTreeMap::new(),
			kmses: BTreeMap::new(),
			objects: BTreeMap::new(),
			versions: BTreeMap::new(),
			collections: BTreeMap::new(),
			records: BTreeMap::new(),
			queue: VecDeque::new(),
			nodes_created: 0,
			calls: 0,
			last_tid: None,
		}
	}

	pub fn begin_block(&mut self) {
		self.now = System::block_number() * 6_000;
	}

	// Funds.

	fn hold(&mut self, reason: HoldReason, who: AccountId, amount: Balance) -> Outcome {
		let account = self.accounts.get_mut(&who).expect("all accounts are known");
		// One unit stays, the existential deposit.
		if amount > 0 && amount > account.free - 1 {
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

	fn hold_deposit(&mut self, subject: Subject, amount: Balance) -> Outcome {
		self.hold(HoldReason::StorageDeposit, self.members[&subject].depositor, amount)
	}

	fn release_deposit(&mut self, subject: Subject, amount: Balance) {
		self.release(HoldReason::StorageDeposit, self.members[&subject].depositor, amount);
	}

	fn change_deposit(&mut self, subject: Subject, before: Balance, after: Balance) -> Outcome {
		if after > before {
			return self.hold_deposit(subject, after - before);
		}
		self.release_deposit(subject, before - after);
		Ok(())
	}

	fn slash(&mut self, subject: Subject, amount: Balance) {
		let member = self.members.get_mut(&subject).expect("was looked up");
		let amount = amount.min(member.bond);
		member.bond -= amount;
		let account = self.accounts.get_mut(&member.depositor).expect("all accounts are known");
		*account.held(bond_reason(subject)) -= amount;
		self.slashed += amount;
	}

	// Who may do what.

	fn signed(origin: Origin) -> Result<AccountId, DispatchError> {
		origin.ok_or(DispatchError::BadOrigin)
	}

	fn governance(&self, origin: Origin, space: u8) -> Outcome {
		let governor = self.spaces.get(&space).map(|space| space.governor);
		let governs = origin.is_none() || origin == governor;
		governs.then_some(()).ok_or(DispatchError::BadOrigin)
	}

	fn loaded(&self, subject: Subject) -> Result<&Member, DispatchError> {
		let member = self.members.get(&subject).ok_or(names(subject).not_found)?;
		ensure(member.going.is_none(), Error::BeingDeleted)?;
		Ok(member)
	}

	fn active(&self, subject: Subject) -> Result<&Member, DispatchError> {
		let member = self.loaded(subject)?;
		ensure(!member.frozen, names(subject).frozen)?;
		Ok(member)
	}

	fn given_up(&self, origin: Origin, subject: Subject) -> Outcome {
		Self::signed(origin)?;
		ensure(self.loaded(subject)?.frozen, Error::GovernanceDeleteNotSet)
	}

	fn provider_level(&self, who: AccountId, provider: Subject) -> Option<ProviderLevel> {
		if self.members[&provider].root == who {
			return Some(ProviderLevel::Root);
		}
		self.provider_keys.get(&(id(provider), who)).map(|key| key.0)
	}

	fn tenant_level(&self, who: AccountId, tenant: Subject) -> Option<TenantLevel> {
		if self.members[&tenant].root == who {
			return Some(TenantLevel::Root);
		}
		self.tenant_keys.get(&(id(tenant), who)).map(|key| key.0)
	}

	fn provider_by(&self, origin: Origin, provider: Subject, least: ProviderLevel) -> Outcome {
		let who = Self::signed(origin)?;
		self.active(provider)?;
		ensure(self.provider_level(who, provider) >= Some(least), Error::NoPermission)
	}

	fn tenant_by(&self, origin: Origin, tenant: Subject, least: TenantLevel) -> Outcome {
		let who = Self::signed(origin)?;
		self.active(tenant)?;
		ensure(self.tenant_level(who, tenant) >= Some(least), Error::NoPermission)
	}

	fn required_bond(&self, subject: Subject) -> Balance {
		let space = &self.spaces[&self.members[&subject].space];
		match subject {
			Subject::Provider(_) => space.provider_bond,
			Subject::Tenant(_) => space.tenant_bond,
		}
	}

	fn bonded(&self, subject: Subject) -> Outcome {
		let bonded = self.members[&subject].bond >= self.required_bond(subject);
		ensure(bonded, names(subject).under_bonded)
	}

	// Members.

	fn create_member(&mut self, origin: Origin, space: u8, subject: Subject) -> Outcome {
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

	fn top_up(&mut self, origin: Origin, subject: Subject, amount: Balance) -> Outcome {
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

	fn set_root(&mut self, origin: Origin, subject: Subject, root: AccountId) -> Outcome {
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

	fn delete_member(&mut self, subject: Subject) -> Outcome {
		ensure(self.rows(subject) == 0, names(subject).not_empty)?;
		let Member { depositor, bond, .. } = self.members[&subject];
		self.release(bond_reason(subject), depositor, bond);
		self.members.remove(&subject);
		Ok(())
	}

	fn governance_delete(
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
		if rows <= max_rows {
			self.members.remove(&subject);
		} else {
			self.members.entry(subject).and_modify(|member| {
				member.bond = 0;
				member.going = Some(rows);
			});
			self.queue.push_back(subject);
		}
		Ok(())
	}

	fn reap(&mut self, origin: Origin, subject: Subject, limit: u32) -> Outcome {
		Self::signed(origin)?;
		let member = self.members.get(&subject).ok_or(names(subject).not_found)?;
		let left = member.going.ok_or(Error::<Test>::NotBeingDeleted)?;
		self.remove_rows(subject, left.min(limit));
		Ok(())
	}

	/// Counts down what is left of a member that is being deleted.
	fn remove_rows(&mut self, subject: Subject, rows: u32) {
		let member = self.members.get_mut(&subject).expect("is being deleted");
		let left = member.going.as_mut().expect("is being deleted");
		*left -= rows;
		if *left == 0 {
			self.members.remove(&subject);
			self.queue.retain(|other| *other != subject);
		}
	}

	pub fn on_idle(&mut self, weight: Weight) {
		let (base, step) = (<() as WeightInfo>::reap(0), <() as WeightInfo>::reap(1));
		let row = step - base;
		let Some(mut rest) = weight.checked_sub(&<() as WeightInfo>::on_idle_base()) else {
			return;
		};
		while let Some(&subject) = self.queue.front() {
			let Some(for_rows) = rest.checked_sub(&base) else { return };
			let fit = (for_rows.ref_time() / row.ref_time())
				.min(for_rows.proof_size() / row.proof_size());
			let left = self.members[&subject].going.expect("is in the queue");
			let rows = fit.min(left.into()) as u32;
			if rows == 0 {
				return;
			}
			self.remove_rows(subject, rows);
			rest -= <() as WeightInfo>::reap(rows);
			if rows < left {
				return;
			}
		}
	}

	// Rows under members.

	fn deposits(&self, subject: Subject) -> Vec<Balance> {
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

	fn forget_children(&mut self, subject: Subject) {
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

	fn remove_node(&mut self, provider: Subject, node: u8) -> Outcome {
		let removed =
			self.nodes.remove(&(id(provider), node)).ok_or(Error::<Test>::NodeNotFound)?;
		self.release_deposit(provider, removed.deposit);
		Ok(())
	}

	fn remove_kms(&mut self, tenant: Subject, kms: u8) -> Outcome {
		let removed = self.kmses.remove(&(id(tenant), kms)).ok_or(Error::<Test>::KmsNotFound)?;
		self.release_deposit(tenant, removed);
		Ok(())
	}

	fn delete_object(&mut self, tenant: Subject, object: u8) -> Outcome {
		let key = (id(tenant), object);
		let info = self.objects.get(&key).ok_or(Error::<Test>::ContentObjectNotFound)?;
		let has_versions = self.versions.keys().any(|version| (version.0, version.1) == key);
		ensure(!has_versions, Error::ContentObjectNotEmpty)?;
		self.release_deposit(tenant, info.deposit);
		self.objects.remove(&key);
		Ok(())
	}

	/// Deletes a version, which may be the head only if governance does it.
	fn delete_version(
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

	fn delete_collection(&mut self, tenant: Subject, name: &[u8]) -> Outcome {
		let key = (id(tenant), text(name));
		let info = self.collections.get(&key).ok_or(Error::<Test>::CollectionNotFound)?;
		let has_records = self.records.keys().any(|r| (r.0, &r.1) == (key.0, &key.1));
		ensure(!has_records, Error::CollectionNotEmpty)?;
		self.release_deposit(tenant, info.deposit);
		self.collections.remove(&key);
		Ok(())
	}

	fn delete_record(&mut self, tenant: Subject, collection: &[u8], key: &[u8]) -> Outcome {
		let key = (id(tenant), text(collection), text(key));
		let removed = self.records.remove(&key).ok_or(Error::<Test>::RecordNotFound)?;
		self.release_deposit(tenant, removed.deposit);
		Ok(())
	}

	/// What the few keys that are drawn are.
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

	fn put_record(
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

	fn node_deposit(locator: &[u8]) -> Balance {
		deposit(&[10, 10], 1 + 1 + locator.len() + 8 + 17 + 8)
	}

	fn kms_deposit(locator: &[u8]) -> Balance {
		deposit(&[10, 10], 1 + locator.len() + 8)
	}

	fn key_deposit() -> Balance {
		deposit(&[10, 8], 1 + 8)
	}

	fn create_node(
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

	fn set_provider_key(
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
			present = self.provider_keys.get(&(id(provider), account)).map(|key| key.0);
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

	fn set_tenant_key(
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
			present = self.tenant_keys.get(&(id(tenant), account)).map(|key| key.0);
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

	fn commit_version(&mut self, drawn: &Drawn) -> Outcome {
		let Call::commit_version { tenant_signer, message, .. } = &drawn.call else {
			unreachable!("the caller has looked");
		};
		let provider = Subject::Provider(message.originator);
		let tenant = Subject::Tenant(message.tenant);
		self.provider_by(drawn.origin, provider, ProviderLevel::Node)?;
		let node_key = (id(provider), message.node.0[0]);
		let node = self.nodes.get(&node_key).ok_or(Error::<Test>::NodeNotFound)?;
		ensure(!node.pending, Error::NodePending)?;
		let (muid, now) = (message.muid, self.now);
		ensure(muid.medallion() == node.medallion.get(), Error::MuidOfOtherNode)?;
		ensure(muid.timestamp() >= now.saturating_sub(600_000) * 1_000, Error::MuidTooOld)?;
		ensure(muid.timestamp() <= (now + 30_000) * 1_000, Error::MuidTooNew)?;
		ensure(node.last < Some(muid), Error::MuidNotRising)?;
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
		let deposit = deposit(&[10, 10, 32], 30 + 9 + 16 + 9 + 1 + 8);
		self.hold_deposit(tenant, deposit)?;
		self.nodes.entry(node_key).and_modify(|node| node.last = Some(muid));
		let (originator, set_head) = (node_key.0, message.set_head_on_finalize);
		let committed = self.calls;
		let version = Version { originator, committed, finalized: false, set_head, deposit };
		self.versions.insert(key, version);
		Ok(())
	}

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

impl Space {
	fn new(governor: AccountId, rules: &crate::SpaceRulesOf<Test>) -> Self {
		Self {
			governor,
			provider_bond: rules.provider_bond,
			tenant_bond: rules.tenant_bond,
			approval: rules.admission == AdmissionPolicy::Approval,
		}
	}
}
