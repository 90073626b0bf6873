// SPDX-License-Identifier: Apache-2.0
//! A small chain: rows that change block by block, with the events that say so.

use std::collections::BTreeMap;

use codec::Encode;
use content_fabric_client::{
	chain::{
		rows::{
			Collection, ContentObject, Copy, Kms, Member, Node, Nomination, Purge, PurgeScope,
			Record, Rules, Space, Version,
		},
		ChainEvent,
	},
	text::Text,
};
use content_fabric_identifiers::{
	ContentObjectId, HashKind, KmsId, Medallion, Muid, NodeId, ProviderId, RecordKeySyntax,
	RecordKeyType, SpaceId, TenantId, VersionId,
};
use content_fabric_indexer::{
	index::{Index, State},
	rows::{Map, Row, RowKey, RowValue},
	source::{
		Block, BlockEvents, BlockRef, Cause, ChainInfo, Deposited, FabricEvent as E, Hash, Header,
		Touched,
	},
};
use content_fabric_primitives::{
	AdmissionPolicy, ContentRef, KmsKey, MemberId, ProviderLevel, Role, TenantLevel,
};
use serde_json::{json, Value as Json};
use subxt::utils::AccountId32;

/// The time of block 0, at the begin of an hour, in milliseconds.
pub const START: u64 = 1_699_999_200_000;
/// Time between two blocks in milliseconds.
pub const BLOCK_TIME: u64 = 6_000;
/// The genesis of the chain.
pub const GENESIS: Hash = [0xee; 32];

pub const SPACE: SpaceId = SpaceId([1; 10]);
pub const OTHER_SPACE: SpaceId = SpaceId([2; 10]);
pub const PROVIDER: ProviderId = ProviderId([3; 10]);
pub const NODE: NodeId = NodeId([4; 10]);
/// A node that was removed.
pub const GONE: NodeId = NodeId([99; 10]);
pub const TENANT: TenantId = TenantId([5; 10]);
pub const OTHER_TENANT: TenantId = TenantId([6; 10]);
pub const KMS: KmsId = KmsId([7; 10]);
pub const KMS_KEY: KmsKey = KmsKey([8; 32]);
pub const OBJECT: ContentObjectId = ContentObjectId([8; 10]);
pub const VERSION: VersionId = VersionId([9; 32]);

/// Returns an account.
pub const fn account(number: u8) -> AccountId32 {
	AccountId32([number; 32])
}

fn text(text: &str) -> Text {
	Text(text.into())
}

/// Returns the time of a block in milliseconds.
pub fn time(number: u64) -> u64 {
	START + number * BLOCK_TIME
}

/// Returns a muid of a block.
pub fn muid(number: u64) -> Muid {
	let medallion = Medallion::MAX;
	Muid::new(time(number) * 1_000, medallion, 1).expect("the time is within range; qed")
}

/// The pallet's storage.
pub type Rows = BTreeMap<RowKey, RowValue>;

/// Returns a copy of a version.
pub fn copy(node: NodeId, medallion: u64, held: Option<u64>) -> Copy {
	let medallion = Medallion::new(medallion).expect("it has 44 bits");
	Copy { provider: PROVIDER, node, medallion, held }
}

/// The chain as it is being made.
#[derive(Clone)]
pub struct World {
	pub rows: Rows,
	pub last: BlockRef,
	/// The account that signs.
	pub signer: AccountId32,
	events: Vec<(E, Json)>,
}

impl Default for World {
	fn default() -> Self {
		let last = BlockRef { number: 0, hash: GENESIS };
		Self { rows: Rows::new(), last, signer: account(1), events: Vec::new() }
	}
}

/// Returns the hash of a block.
pub fn hash(number: u64) -> Hash {
	let mut hash = [0; 32];
	hash[..8].copy_from_slice(&number.to_be_bytes());
	hash
}

/// Makes an index at block 0 of a kind of chain.
pub fn begin(index: &Index, kind: &str) {
	let block = BlockRef { number: 0, hash: GENESIS };
	let chain =
		ChainInfo { genesis: GENESIS, kind: kind.into(), token: "UNIT".into(), decimals: 12 };
	let state = State {
		format: 0,
		chain,
		last: block,
		early: None,
		spec_version: 7,
		storage_version: 4,
		history_since: 1,
		gaps: Vec::new(),
		next_incarnation: 1,
		resync: None,
	};
	index.begin(state).expect("the index is writable");
}

impl World {
	/// Ends a block and returns it.
	pub fn seal(&mut self) -> Block {
		self.count();
		let parent = self.last;
		let number = parent.number + 1;
		let block = BlockRef { number, hash: hash(number) };
		let mut touched = Touched::default();
		let mut events = Vec::new();
		for (index, (event, fields)) in (1..).zip(std::mem::take(&mut self.events)) {
			touched.add(&event);
			let Json::Object(fields) = fields else { panic!("fields are an object") };
			let text = format!("{event:?}");
			let shown = ChainEvent {
				pallet: "ContentFabric".into(),
				name: text.split(' ').next().unwrap_or_default().into(),
				// Not in the order of their names.
				fields: fields.into_iter().rev().collect(),
				fabric: Ok(None),
			};
			let cause = Cause {
				signer: Some(self.signer),
				extrinsic_hash: format!("0x{}", "cd".repeat(32)),
				via: vec!["council".into()],
			};
			events.push(Deposited { index, extrinsic: Some(1), event, shown, cause: Some(cause) });
		}
		let row = |value: &RowValue| Row { raw: value.encode(), value: value.clone() };
		let rows =
			touched.rows.iter().map(|key| (key.clone(), self.rows.get(key).map(row))).collect();
		self.last = block;
		Block {
			header: Header { block, parent: parent.hash },
			events: BlockEvents { time: time(number), spec_version: 7, events },
			touched,
			rows,
		}
	}

	/// Sets the numbers in rows, as the pallet keeps them.
	fn count(&mut self) {
		let keys: Vec<_> = self.rows.keys().cloned().collect();
		let count = |is: &dyn Fn(&RowKey) -> bool| keys.iter().filter(|key| is(key)).count() as u32;
		for (key, value) in &mut self.rows {
			match (key, value) {
				(key, RowValue::Member(member)) if member.purge.is_none() => {
					let id = key.as_member().expect("it is a member's key");
					let rows = Map::under(id.role()).iter().map(|map| {
						let is = |key: &RowKey| key.parent() == Some(id) && key.map() == *map;
						(map.count_name().unwrap_or_default().to_owned(), count(&is))
					});
					member.rows = rows.collect();
				},
				(RowKey::ContentObject(tenant, object), RowValue::ContentObject(row)) => {
					row.version_count = count(
						&|key| matches!(key, RowKey::Version(t, o, _) if (t, o) == (tenant, object)),
					);
				},
				(RowKey::Collection(tenant, name), RowValue::Collection(row)) => {
					row.record_count = count(
						&|key| matches!(key, RowKey::Record(t, c, _) if (t, c) == (tenant, name)),
					);
				},
				_ => {},
			}
		}
	}

	/// Returns the next muid of the chain: each event of a block has its own.
	fn mint(&self) -> Muid {
		let offset = i32::try_from(self.events.len() + 1).expect("a block has few events");
		muid(self.next()).with_offset(offset)
	}

	fn event(&mut self, event: E) {
		self.events.push((event, json!({})));
	}

	pub fn next(&self) -> u64 {
		self.last.number + 1
	}

	pub fn create_space(&mut self, space: SpaceId, governor: AccountId32) {
		let rules = Rules {
			provider_bond: 100,
			tenant_bond: 10,
			admission: AdmissionPolicy::Approval,
			partitions: 16,
			sla: text("<b>99 %</b>\n"),
		};
		let row = Space {
			governor,
			rules,
			provider_count: 0,
			tenant_count: 0,
			admission_count: 1,
			created: muid(self.next()),
		};
		self.rows.insert(RowKey::Space(space), row.into());
		self.event(E::SpaceCreated { space, governor });
	}

	pub fn admit(&mut self, space: SpaceId, account: AccountId32, role: Role) {
		self.rows.insert(RowKey::Admission(space, (account, role)), RowValue::Admission);
		self.event(E::Admitted { space, account, role });
	}

	pub fn create_member(&mut self, id: MemberId, space: SpaceId, root: AccountId32, bond: u128) {
		let created = muid(self.next());
		let row = Member {
			space,
			root,
			root_since: created,
			nomination: None,
			max_held: 1_000,
			bond,
			own_deposit: 5,
			deposit: 3,
			rows: BTreeMap::new(),
			empty_since: None,
			governance_delete: false,
			suspended: false,
			purge: None,
			created,
		};
		self.rows.insert(RowKey::member(id), row.into());
		self.event(match id {
			MemberId::Provider(provider) => E::ProviderCreated { provider, space, root },
			MemberId::Tenant(tenant) => E::TenantCreated { tenant, space, root },
		});
	}

	pub fn member(&mut self, id: impl Into<MemberId>) -> &mut Member {
		match self.rows.get_mut(&RowKey::member(id.into())) {
			Some(RowValue::Member(member)) => member,
			_ => panic!("the member exists"),
		}
	}

	pub fn nominate(&mut self, member: MemberId, nominee: AccountId32) {
		self.member(member).nomination = Some(Nomination { nominee, governance_matures: None });
		self.event(E::RootNominated { member, nominee: Some(nominee) });
	}

	pub fn suspend(&mut self, member: MemberId) {
		let row = self.member(member);
		row.suspended = true;
		let (created, bond) = (row.created, row.bond);
		self.event(E::Suspended { member, created, enabled: true, bond, reason: text("late") });
	}

	/// Takes the rows under a member.
	fn clear_under(&mut self, member: MemberId) {
		self.rows.retain(|key, _| key.parent() != Some(member));
	}

	/// Starts the purge of a member with this many rows.
	pub fn start_purge(&mut self, member: MemberId, rows: u32, scope: PurgeScope) {
		let started = self.next();
		self.clear_under(member);
		let row = self.member(member);
		row.purge = Some(scope);
		row.rows = BTreeMap::from([("records".to_owned(), rows)]);
		let created = row.created;
		let purge = Purge { started, place: 0, rows, cursor: Vec::new(), cursor_block: started };
		self.rows.insert(RowKey::Purge(member), purge.into());
		self.event(E::PurgeStarted { member, created, rows });
	}

	/// Goes on with a purge.
	pub fn progress_purge(&mut self, member: MemberId, left: u32) {
		self.member(member).rows = BTreeMap::from([("records".to_owned(), left)]);
		self.event(E::PurgeProgressed { member, removed: 1, rows_left: left });
	}

	/// Ends a purge of rows.
	pub fn end_purge(&mut self, member: MemberId) {
		self.rows.remove(&RowKey::Purge(member));
		self.member(member).purge = None;
		self.event(E::MemberEmptied { member });
	}

	/// Deletes a member at once.
	pub fn delete_member(&mut self, member: MemberId) {
		self.clear_under(member);
		let Member { space, created, .. } = *self.member(member);
		self.rows.remove(&RowKey::member(member));
		self.event(E::MemberDeleted { member, space, created });
	}

	pub fn set_key(&mut self, tenant: TenantId, account: AccountId32, level: TenantLevel) {
		self.rows.insert(RowKey::TenantKey(tenant, account), level.into());
		self.event(E::TenantKeySet { tenant, account, level: Some(level) });
	}

	pub fn set_provider_key(&mut self, account: AccountId32, level: ProviderLevel) {
		let provider = PROVIDER;
		self.rows.insert(RowKey::ProviderKey(provider, account), level.into());
		self.event(E::ProviderKeySet { provider, account, level: Some(level) });
	}

	pub fn create_node(&mut self, node: NodeId, medallion: u64, locator: &str, pending: bool) {
		let operator = account(6);
		let medallion = Medallion::new(medallion).expect("it has 44 bits");
		let row = Node {
			operator,
			pending,
			locator: text(locator),
			medallion,
			last_muid: Some(muid(1)),
			deposit: 2,
		};
		self.rows.insert(RowKey::Node(PROVIDER, node), row.into());
		self.event(E::NodeCreated { provider: PROVIDER, node, operator, medallion });
	}

	pub fn remove_node(&mut self, node: NodeId) {
		self.rows.remove(&RowKey::Node(PROVIDER, node));
		self.event(E::NodeRemoved { provider: PROVIDER, node });
	}

	pub fn set_locator(&mut self, node: NodeId, locator: &str) {
		match self.rows.get_mut(&RowKey::Node(PROVIDER, node)) {
			Some(RowValue::Node(row)) => row.locator = text(locator),
			_ => panic!("the node exists"),
		}
		self.event(E::NodeLocatorSet { provider: PROVIDER, node });
	}

	pub fn add_kms(&mut self, tenant: TenantId, kms: KmsId) {
		let (operator, key) = (account(8), KMS_KEY);
		let row = Kms { operator, locator: text("https://kms"), key, deposit: 4 };
		self.rows.insert(RowKey::Kms(tenant, kms), row.into());
		self.event(E::KmsAdded { tenant, kms, operator, key });
	}

	pub fn create_object(&mut self, tenant: TenantId, object: ContentObjectId) {
		let created = muid(self.next());
		let row = ContentObject {
			head_version: None,
			head_since: created,
			head_set: created,
			version_count: 0,
			deposit: 6,
			created,
		};
		self.rows.insert(RowKey::ContentObject(tenant, object), row.into());
		self.event(E::ContentObjectCreated { tenant, object });
	}

	/// Commits a version with a size, which becomes the head.
	pub fn commit(
		&mut self,
		tenant: TenantId,
		object: ContentObjectId,
		version: VersionId,
		size: u64,
	) {
		let copies = vec![copy(NODE, 1 << 43, Some(time(self.next()))), copy(GONE, 7, None)];
		self.hold(tenant, object, version, (HashKind::Sha256, size), copies);
	}

	/// Commits a version of a kind of hash and a size, which becomes the head, with copies.
	pub fn hold(
		&mut self,
		tenant: TenantId,
		object: ContentObjectId,
		version: VersionId,
		(hash, size): (HashKind, u64),
		copies: Vec<Copy>,
	) {
		let row = Version {
			copies,
			kms: (object == OBJECT).then_some(KMS),
			muid: muid(self.next()),
			hash,
			size: size.into(),
			committed: muid(self.next()),
			finalized: Some(time(self.next())),
			set_head_on_finalize: true,
			deposit: 8,
		};
		let muid = row.muid;
		self.rows.insert(RowKey::Version(tenant, object, version), row.into());
		match self.rows.get_mut(&RowKey::ContentObject(tenant, object)) {
			Some(RowValue::ContentObject(row)) => row.head_version = Some(version),
			_ => panic!("the object exists"),
		}
		let (originator, node) = (PROVIDER, NODE);
		let event = E::VersionCommitted { tenant, object, version, originator, node, muid };
		self.events.push((event, json!({ "version": version.to_string(), "a": 1 })));
	}

	/// Asks a node for a copy of a version.
	pub fn ask_copy(
		&mut self,
		tenant: TenantId,
		object: ContentObjectId,
		version: VersionId,
		copy: Copy,
	) {
		match self.rows.get_mut(&RowKey::Version(tenant, object, version)) {
			Some(RowValue::Version(row)) => row.copies.push(copy),
			_ => panic!("the version exists"),
		}
		let Copy { provider, node, .. } = copy;
		self.event(E::CopyAdded { tenant, object, version, provider, node });
	}

	/// Has a node hold a version that it was asked for.
	pub fn hold_copy(
		&mut self,
		tenant: TenantId,
		object: ContentObjectId,
		version: VersionId,
		node: NodeId,
	) {
		let (provider, held) = (PROVIDER, time(self.next()));
		match self.rows.get_mut(&RowKey::Version(tenant, object, version)) {
			Some(RowValue::Version(row)) => {
				let copy = row.copies.iter_mut().find(|copy| copy.node == node);
				copy.expect("the node was asked").held = Some(held);
			},
			_ => panic!("the version exists"),
		}
		self.event(E::CopyHeld { tenant, object, version, provider, node });
	}

	pub fn create_collection(&mut self, tenant: TenantId, name: &str, tids: bool) {
		let key_type = if tids { RecordKeyType::Tid } else { RecordKeyType::Any };
		self.create_collection_of(tenant, name, key_type, RecordKeySyntax::PathSegment);
	}

	/// Creates a collection whose keys have no colons.
	pub fn create_unreserved(&mut self, tenant: TenantId, name: &str) {
		self.create_collection_of(tenant, name, RecordKeyType::Any, RecordKeySyntax::Unreserved);
	}

	fn create_collection_of(
		&mut self,
		tenant: TenantId,
		name: &str,
		key_type: RecordKeyType<Text>,
		syntax: RecordKeySyntax,
	) {
		let created = muid(self.next());
		let row = Collection { key_type, syntax, record_count: 0, deposit: 9, created };
		self.rows.insert(RowKey::Collection(tenant, text(name)), row.into());
		self.event(E::CollectionCreated { tenant, collection: text(name) });
	}

	pub fn put(
		&mut self,
		tenant: TenantId,
		collection: &str,
		key: &str,
		object: ContentObjectId,
		version: Option<VersionId>,
	) {
		let (collection, key) = (text(collection), text(key));
		let row_key = RowKey::Record(tenant, collection.clone(), key.clone());
		let updated = self.mint();
		let created = match self.rows.get(&row_key) {
			Some(RowValue::Record(row)) => row.created,
			_ => updated,
		};
		let target = ContentRef { object, version };
		let row = Record { target, created, updated, deposit: 11 };
		self.rows.insert(row_key, row.into());
		let fields = json!({ "key": key.to_string() });
		self.events.push((E::RecordPut { tenant, collection, key, target }, fields));
	}

	pub fn delete_record(&mut self, tenant: TenantId, collection: &str, key: &str) {
		let (collection, key) = (text(collection), text(key));
		self.rows.remove(&RowKey::Record(tenant, collection.clone(), key.clone()));
		self.event(E::RecordDeleted { tenant, collection, key });
	}

	/// Deletes the version that is the head of an object, as governance does.
	pub fn delete_head_by_governance(&mut self, tenant: TenantId, object: ContentObjectId) {
		let version = match self.rows.get_mut(&RowKey::ContentObject(tenant, object)) {
			Some(RowValue::ContentObject(row)) => row.head_version.take().expect("it has a head"),
			_ => panic!("the object exists"),
		};
		self.rows.remove(&RowKey::Version(tenant, object, version));
		let (member, reason) = (tenant.into(), text("a court order"));
		let created = self.member(tenant).created;
		self.event(E::ChildDeletedByGovernance { member, created, reason });
		self.event(E::HeadVersionSet { tenant, object, version: None });
		self.event(E::VersionDeleted { tenant, object, version });
	}

	/// Fills the chain with some of everything, in 5 blocks.
	pub fn fill(&mut self) -> Vec<Block> {
		let mut blocks = Vec::new();
		self.create_space(SPACE, account(1));
		self.admit(SPACE, account(9), Role::Tenant);
		blocks.push(self.seal());
		self.create_space(OTHER_SPACE, account(2));
		self.create_member(PROVIDER.into(), SPACE, account(3), 100);
		self.create_member(TENANT.into(), SPACE, account(4), 10);
		blocks.push(self.seal());
		self.create_member(OTHER_TENANT.into(), SPACE, account(4), 20);
		self.nominate(TENANT.into(), account(5));
		self.set_provider_key(account(3), ProviderLevel::Root);
		self.create_node(NODE, 1 << 43, "/ip4/127.0.0.1", false);
		self.set_key(TENANT, account(7), TenantLevel::Kms);
		self.set_key(TENANT, account(4), TenantLevel::Root);
		self.add_kms(TENANT, KMS);
		for tenant in [TENANT, OTHER_TENANT] {
			self.create_object(tenant, OBJECT);
			self.create_collection(tenant, "names", false);
		}
		self.create_object(TENANT, ContentObjectId([1; 10]));
		self.create_collection(TENANT, "runs", true);
		blocks.push(self.seal());
		self.commit(TENANT, OBJECT, VersionId([10; 32]), 78);
		self.commit(OTHER_TENANT, OBJECT, VERSION, 78);
		self.put(TENANT, "names", "Serde_json", OBJECT, None);
		blocks.push(self.seal());
		self.commit(TENANT, OBJECT, VERSION, 78);
		self.put(TENANT, "names", "serde:1.0.228", OBJECT, Some(VERSION));
		self.put(TENANT, "names", "serde", OBJECT, None);
		self.put(OTHER_TENANT, "names", "serde", OBJECT, None);
		self.put(TENANT, "runs", "3jzfcijpj2z2a", OBJECT, None);
		self.suspend(OTHER_TENANT.into());
		blocks.push(self.seal());
		blocks
	}
}
