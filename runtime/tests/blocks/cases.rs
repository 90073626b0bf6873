// SPDX-License-Identifier: Apache-2.0
//! Each call at its worst: with the longest texts, and with rows that exist or do not exist,
//! whichever takes longer, under a small member and under a large one. Lists are as short and as
//! long as they can be. Calls with long lists are also within as many others as the runtime allows.

use std::rc::Rc;

use content_fabric_runtime::{Runtime, RuntimeCall, RuntimeEvent, RuntimeOrigin, System};
use frame_support::{
	dispatch::{extract_actual_weight, GetDispatchInfo},
	weights::Weight,
};
use pallet_content_fabric::{
	identifiers::{
		ContentObjectId, KmsId, NodeId, ProviderId, RecordKeySyntax, RecordKeyType, SpaceId,
		TenantId, VersionId,
	},
	Call, CollectionNameOf, KmsKey, MemberId, ProviderLevel, RecordKeyOf, Role, TenantLevel,
	MAX_NESTING,
};
use sp_runtime::{traits::Dispatchable, DispatchError};

use crate::state::*;

/// Prepares what the call of a group needs.
type Prepare = Rc<dyn Fn(&Group)>;
/// Returns the call of a group, and who signs it.
type Make = Rc<dyn Fn(&Group) -> (Signer, Call<Runtime>)>;

/// A call to measure.
#[derive(Clone)]
pub struct Case {
	/// The name of the case, if a call has several.
	pub variant: String,
	/// True if it has a long list, so that a block has one such call only.
	pub is_long: bool,
	/// Number of calls around it.
	pub levels: u32,
	pub prepare: Prepare,
	pub make: Make,
}

impl Case {
	/// Returns the same call within as many others as the runtime allows.
	fn nested(&self) -> Self {
		let variant = format!("{}, in {MAX_NESTING} batches", self.variant);
		Self { variant, levels: MAX_NESTING, ..self.clone() }
	}

	/// Puts the call into the others.
	pub fn nest(&self, call: Call<Runtime>) -> RuntimeCall {
		(0..self.levels)
			.fold(call.into(), |call, _| pallet_utility::Call::batch { calls: vec![call] }.into())
	}
}

/// Dispatches a call. Returns its weight. If a call within batches fails, the innermost of them
/// says so in an event.
pub fn dispatch(call: &RuntimeCall, origin: &RuntimeOrigin) -> Result<Weight, DispatchError> {
	let result = call.clone().dispatch(origin.clone());
	let weight = extract_actual_weight(&result, &call.get_dispatch_info());
	result.map_err(|failed| failed.error)?;
	let interrupted = System::read_events_no_consensus().find_map(|record| match record.event {
		RuntimeEvent::Utility(pallet_utility::Event::BatchInterrupted { error, .. }) => Some(error),
		_ => None,
	});
	interrupted.map_or(Ok(weight), Err)
}

/// The member that has a row.
#[derive(Clone, Copy)]
enum Place {
	/// The member of the group.
	Group,
	/// A member with many rows.
	Large,
}

impl Place {
	const ALL: [Self; 2] = [Self::Group, Self::Large];

	fn tenant(self, group: &Group) -> TenantId {
		match self {
			Self::Group => group.tenant(),
			Self::Large => LARGE,
		}
	}

	fn frozen_tenant(self, group: &Group) -> TenantId {
		match self {
			Self::Group => group.tenant(),
			Self::Large => FROZEN,
		}
	}

	/// The Admin of a group's tenant and of the large one, and the root of the frozen one.
	fn admin_of_frozen(self) -> Signer {
		match self {
			Self::Group => Signer::Admin,
			Self::Large => Signer::Owner,
		}
	}

	/// The governor of the space of the frozen tenant.
	fn governor_of_frozen(self) -> Signer {
		match self {
			Self::Group => Signer::Governor,
			Self::Large => Signer::Owner,
		}
	}

	/// Freezes the tenant of a group. The large one is frozen later, once for all groups.
	fn freeze_tenant(self, group: &Group) {
		if let Self::Group = self {
			freeze(group, group.member());
		}
	}

	/// Adds a row to the tenant, and freezes it.
	fn with_frozen(
		self,
		add: impl Fn(&Group, TenantId) -> Call<Runtime> + 'static,
	) -> impl Fn(&Group) + 'static {
		move |group| {
			group.make(self.admin_of_frozen(), add(group, self.frozen_tenant(group)));
			self.freeze_tenant(group);
		}
	}

	fn provider(self, group: &Group) -> ProviderId {
		match self {
			Self::Group => group.provider(),
			Self::Large => PROVIDER,
		}
	}

	/// The node of a group's provider, or the group's node of the large provider.
	fn node(self, group: &Group) -> NodeId {
		match self {
			Self::Group => NODE,
			Self::Large => NodeId(group.new_id()),
		}
	}

	fn prepare_node(self, group: &Group) {
		if let Self::Large = self {
			make_node(group, Signer::Admin, PROVIDER, self.node(group));
		}
	}

	/// Returns a node with a copy of each version, which a large tenant may ask again.
	fn mirror(self, group: &Group) -> (ProviderId, NodeId) {
		match self {
			Self::Group => (group.provider(), NODE),
			Self::Large => LAST_MIRROR,
		}
	}

	/// The number of an existing object, and of an existing record.
	fn number(self, group: &Group) -> u32 {
		match self {
			Self::Group => 0,
			Self::Large => group.number % group.objects,
		}
	}

	fn object(self, group: &Group) -> ContentObjectId {
		object(self.number(group))
	}
}

fn freeze(group: &Group, member: MemberId) {
	let (created, reason) = (created(member), text(0));
	let freeze = Call::set_governance_delete { member, created, enabled: true, reason };
	group.make(Signer::Governor, freeze);
}

/// Returns numbers of objects and records of the large tenant. They are spread over all of them,
/// and differ from group to group.
fn spread(group: &Group, count: u32) -> impl Iterator<Item = u32> {
	let (objects, first) = (group.objects, group.number);
	let stride = objects / count;
	(0..count).map(move |place| (first + place * stride) % objects)
}

#[derive(Default)]
struct Cases(Vec<Case>);

impl Cases {
	fn add(
		&mut self,
		variant: impl Into<String>,
		prepare: impl Fn(&Group) + 'static,
		make: impl Fn(&Group) -> (Signer, Call<Runtime>) + 'static,
	) {
		let (variant, is_long, levels) = (variant.into(), false, 0);
		let (prepare, make) = (Rc::new(prepare), Rc::new(make));
		self.0.push(Case { variant, is_long, levels, prepare, make });
	}

	/// Adds a case whose call has a long list.
	fn add_long(
		&mut self,
		variant: impl Into<String>,
		prepare: impl Fn(&Group) + 'static,
		make: impl Fn(&Group) -> (Signer, Call<Runtime>) + 'static,
	) {
		self.add(variant, prepare, make);
		if let Some(case) = self.0.last_mut() {
			case.is_long = true;
		}
	}
}

fn nothing(_: &Group) {}

/// Returns all cases.
pub fn all() -> Vec<Case> {
	let mut cases = Cases::default();
	spaces(&mut cases);
	members(&mut cases);
	governance(&mut cases);
	for place in Place::ALL {
		keys_and_nodes(&mut cases, place);
		kmses_and_collections(&mut cases, place);
		content(&mut cases, place);
		frozen_rows(&mut cases, place);
	}
	cases.0.extend(lists(BATCH));
	frozen_provider(&mut cases);
	purges(&mut cases);
	let nested: Vec<_> = cases.0.iter().filter(|case| case.is_long).map(Case::nested).collect();
	cases.0.extend(nested);
	cases.0
}

fn spaces(cases: &mut Cases) {
	for sla in [0, 256] {
		cases.add(format!("{sla} bytes"), nothing, move |group| {
			let (space, governor) = (SpaceId(group.new_id()), group.other_account());
			(Signer::Sudo, Call::create_space { space, governor, rules: rules(sla) })
		});
		cases.add(format!("{sla} bytes"), nothing, move |group| {
			let (space, rules) = (group.space(), rules(sla));
			(Signer::Governor, Call::set_space_rules { space, rules })
		});
	}
	cases.add("", nothing, |group| {
		let (space, governor) = (group.space(), group.other_account());
		(Signer::Governor, Call::set_space_governor { space, governor })
	});
	cases.add("", nothing, |group| {
		let (space, account, role) = (group.space(), group.other_account(), Role::Tenant);
		(Signer::Governor, Call::admit { space, account, role })
	});
	cases.add("1 admission", nothing, |group| {
		let admissions = bounded([(group.account(Signer::Admin), Role::Tenant)]);
		(Signer::Governor, Call::revoke_admissions { space: group.space(), admissions })
	});
	// As many as fit in addition to the two that the group has.
	let admitted = |number: u32| sp_io::hashing::blake2_256(&number.to_le_bytes()).into();
	cases.add_long(
		"998 admissions",
		move |group| {
			for number in 0..998 {
				let (space, account) = (group.space(), admitted(number));
				group.make(Signer::Governor, Call::admit { space, account, role: Role::Tenant });
			}
		},
		move |group| {
			let admissions = (0..998).map(|number| (admitted(number), Role::Tenant));
			let (space, admissions) = (group.space(), bounded(admissions));
			(Signer::Governor, Call::revoke_admissions { space, admissions })
		},
	);
	cases.add(
		"",
		|group| {
			let (space, governor) = (SpaceId(group.new_id()), group.account(Signer::Governor));
			group.make(Signer::Sudo, Call::create_space { space, governor, rules: rules(256) });
		},
		|group| (Signer::Governor, Call::delete_space { space: SpaceId(group.new_id()) }),
	);
}

fn members(cases: &mut Cases) {
	cases.add("", nothing, |group| {
		let (space, id) = (group.space(), ProviderId(group.new_id()));
		(Signer::Admin, Call::create_provider { space, id, max_held: UNLIMITED })
	});
	cases.add("", nothing, |group| {
		let (space, id) = (group.space(), TenantId(group.new_id()));
		(Signer::Admin, Call::create_tenant { space, id, max_held: UNLIMITED })
	});
	cases.add("", nothing, |group| {
		(Signer::Root, Call::top_up_bond { member: group.member(), amount: 1_000_000_000_000 })
	});
	cases.add("", nothing, |group| {
		(Signer::Root, Call::set_max_held { member: group.member(), amount: UNLIMITED / 2 })
	});
	cases.add("", nothing, |group| {
		let (member, nominee) = (group.member(), Some(group.account(Signer::Admin)));
		(Signer::Governor, Call::nominate_root { member, created: created(member), nominee })
	});
	cases.add(
		"",
		|group| {
			let (member, nominee) = (group.member(), Some(group.account(Signer::Admin)));
			let nominate = Call::nominate_root { member, created: created(member), nominee };
			group.make(Signer::Root, nominate);
		},
		|group| {
			let member = group.member();
			(Signer::Admin, Call::accept_root { member, max_held: UNLIMITED })
		},
	);
	cases.add("", nothing, |group| (Signer::Root, Call::purge_member { member: group.member() }));
	cases.add(
		"",
		|group| {
			let (space, id) = (group.space(), TenantId(group.new_id()));
			admit(group, Signer::Governor, space, Signer::Root);
			group.make(Signer::Root, Call::create_tenant { space, id, max_held: UNLIMITED });
		},
		|group| (Signer::Root, Call::delete_member { member: TenantId(group.new_id()).into() }),
	);
}

fn governance(cases: &mut Cases) {
	cases.add("", nothing, |group| {
		let (member, amount, reason) = (group.member(), 1_000_000_000_000, text(256));
		(Signer::Governor, Call::slash { member, created: created(member), amount, reason })
	});
	cases.add("", nothing, |group| {
		let (member, enabled, reason) = (group.member(), true, text(256));
		let created = created(member);
		(Signer::Governor, Call::set_suspended { member, created, enabled, reason })
	});
	cases.add("", nothing, |group| {
		let (member, enabled, reason) = (group.member(), true, text(256));
		let created = created(member);
		(Signer::Governor, Call::set_governance_delete { member, created, enabled, reason })
	});
	cases.add("", nothing, |group| {
		let (member, slash, reason) = (group.member(), 1_000_000_000_000, text(256));
		let created = created(member);
		(Signer::Governor, Call::governance_delete { member, created, slash, reason })
	});
}

fn keys_and_nodes(cases: &mut Cases, place: Place) {
	cases.add("", nothing, move |group| {
		let (signer, id) = match place {
			Place::Group => (Signer::Root, group.provider()),
			Place::Large => (Signer::Owner, PROVIDER),
		};
		let (account, level) = (group.other_account(), Some(ProviderLevel::Admin));
		(signer, Call::set_provider_key { id, account, level })
	});
	cases.add("", nothing, move |group| {
		let (id, account) = (place.tenant(group), group.other_account());
		(Signer::Admin, Call::set_tenant_key { id, account, level: Some(TenantLevel::Content) })
	});
	cases.add("", nothing, move |group| {
		let (provider, node) = (place.provider(group), NodeId(group.new_id()));
		let (operator, locator) = (group.other_account(), text(256));
		(Signer::Admin, Call::create_node { provider, node, operator, locator })
	});
	let pending = move |group: &Group| {
		let (provider, node) = (place.provider(group), NodeId(group.new_id()));
		let (operator, locator) = (group.other_account(), text(256));
		group.make(Signer::Admin, Call::create_node { provider, node, operator, locator });
	};
	cases.add("", pending, move |group| {
		let (provider, node) = (place.provider(group), NodeId(group.new_id()));
		(Signer::Admin, Call::confirm_node { provider, node })
	});
	cases.add(
		"",
		move |group| place.prepare_node(group),
		move |group| {
			let (provider, node, locator) = (place.provider(group), place.node(group), text(256));
			(Signer::Admin, Call::set_node_locator { provider, node, locator })
		},
	);
	cases.add("", pending, move |group| {
		let (provider, node) = (place.provider(group), NodeId(group.new_id()));
		let operator = group.account(Signer::Admin);
		(Signer::Admin, Call::set_node_operator { provider, node, operator })
	});
	cases.add("", pending, move |group| {
		let (provider, node) = (place.provider(group), NodeId(group.new_id()));
		(Signer::Admin, Call::remove_node { provider, node })
	});
}

fn kmses_and_collections(cases: &mut Cases, place: Place) {
	let kms = |group: &Group| KmsId(group.new_id());
	let add_kms =
		move |group: &Group, length| add_kms_call(group, place.tenant(group), kms(group), length);
	cases.add("", nothing, move |group| (Signer::Admin, add_kms(group, 256)));
	cases.add(
		"",
		move |group| group.make(Signer::Admin, add_kms(group, 1)),
		move |group| {
			let (tenant, kms, locator) = (place.tenant(group), kms(group), text(256));
			(Signer::Admin, Call::set_kms { tenant, kms, locator, key: KmsKey([2; 32]) })
		},
	);
	cases.add(
		"",
		move |group| group.make(Signer::Admin, add_kms(group, 256)),
		move |group| {
			let (tenant, kms) = (place.tenant(group), kms(group));
			(Signer::Admin, Call::remove_kms { tenant, kms })
		},
	);
	for length in [10, 317] {
		let create = move |group: &Group| create_collection(place.tenant(group), group, length);
		cases.add(format!("{length} bytes"), nothing, move |group| (Signer::Admin, create(group)));
		cases.add(
			format!("{length} bytes"),
			move |group| group.make(Signer::Admin, create(group)),
			move |group| {
				let (tenant, name) = (place.tenant(group), collection_name(group, length));
				(Signer::Admin, Call::delete_collection { tenant, name })
			},
		);
	}
}

/// Returns a name of a group's own collection.
fn collection_name(group: &Group, length: usize) -> CollectionNameOf<Runtime> {
	bytes(format!("{:0>length$}", group.number).into())
}

/// Returns the call for a collection with a row as large as it can be.
fn create_collection(tenant: TenantId, group: &Group, length: usize) -> Call<Runtime> {
	let (key_type, syntax) = (RecordKeyType::Literal(text(512)), RecordKeySyntax::PathSegment);
	Call::create_collection { tenant, name: collection_name(group, length), key_type, syntax }
}

const NEW: VersionId = VersionId([0xee; 32]);

/// Returns the key of a record that does not exist.
fn new_record(group: &Group, number: u32, length: usize) -> RecordKeyOf<Runtime> {
	let unique = format!("{}-{number}", group.number);
	bytes(format!("{unique:->length$}").into())
}

fn content(cases: &mut Cases, place: Place) {
	let own_object = |group: &Group| ContentObjectId(group.new_id());
	cases.add("", nothing, move |group| {
		let tenant = place.tenant(group);
		(Signer::Admin, Call::create_content_object { tenant, object: own_object(group) })
	});
	cases.add(
		"1 version",
		move |group| place.prepare_node(group),
		move |group| {
			let (provider, node) = (place.provider(group), place.node(group));
			let (tenant, time) = (place.tenant(group), NOW + SLOT_DURATION);
			let versions = vec![draft(own_object(group), NEW)];
			let signer = Signer::Admin;
			(signer, group.commit(signer, provider, node, tenant, time, versions))
		},
	);
	cases.add("1 version", nothing, move |group| {
		let (provider, tenant) = (place.provider(group), place.tenant(group));
		let versions = bounded([(place.object(group), DRAFT)]);
		(Signer::Admin, Call::finalize_versions { provider, node: NODE, tenant, versions })
	});
	let copies = move |group: &Group| {
		let versions = bounded([(place.object(group), DRAFT)]);
		(place.tenant(group), place.mirror(group), versions)
	};
	let remove = move |group: &Group| {
		let (tenant, (provider, node), versions) = copies(group);
		Call::remove_copies { tenant, provider, node, versions }
	};
	// For a node more is read than for a tenant.
	let signer = match place {
		Place::Group => Signer::Operator,
		Place::Large => Signer::Admin,
	};
	cases.add("1 version", nothing, move |group| (signer, remove(group)));
	cases.add(
		"1 version",
		move |group| {
			// In a large tenant, the copy takes the place of an earlier node's.
			if let Place::Group = place {
				group.make(Signer::Admin, remove(group));
			}
		},
		move |group| {
			let (tenant, (provider, node), versions) = copies(group);
			(Signer::Admin, Call::add_copies { tenant, provider, node, versions })
		},
	);
	let set_head = move |group: &Group, version| {
		let (tenant, object) = (place.tenant(group), place.object(group));
		Call::set_head_version { tenant, object, version }
	};
	cases.add(
		"",
		move |group| group.make(Signer::Admin, set_head(group, None)),
		move |group| (Signer::Admin, set_head(group, Some(HEAD))),
	);
	cases.add("", nothing, move |group| {
		let (tenant, object) = (place.tenant(group), place.object(group));
		(Signer::Admin, Call::delete_version { tenant, object, version: DRAFT })
	});
	cases.add(
		"",
		move |group| {
			let (tenant, object) = (place.tenant(group), own_object(group));
			group.make(Signer::Admin, Call::create_content_object { tenant, object });
		},
		move |group| {
			let tenant = place.tenant(group);
			(Signer::Admin, Call::delete_content_object { tenant, object: own_object(group) })
		},
	);
	for length in [20, 512] {
		cases.add(format!("1 key of {length} bytes"), nothing, move |group| {
			let (tenant, collection) = (place.tenant(group), longest_name());
			let key = Some(new_record(group, 0, length));
			let records = bounded([(key, target(place.number(group)))]);
			(Signer::Admin, Call::put_records { tenant, collection, records })
		});
	}
	let minted = || bytes(b"minted".to_vec());
	cases.add(
		"1 minted key",
		move |group| {
			let (tenant, name) = (place.tenant(group), minted());
			let (key_type, syntax) = (RecordKeyType::Tid, RecordKeySyntax::Unreserved);
			group.make(Signer::Admin, Call::create_collection { tenant, name, key_type, syntax });
		},
		move |group| {
			let (tenant, collection) = (place.tenant(group), minted());
			let records = bounded([(None, target(place.number(group)))]);
			(Signer::Admin, Call::put_records { tenant, collection, records })
		},
	);
	cases.add("1 key of 6 bytes", nothing, move |group| {
		let (tenant, collection) = (place.tenant(group), longest_name());
		let keys = bounded([record_key(place.number(group), false)]);
		(Signer::Admin, Call::delete_records { tenant, collection, keys })
	});
}

/// Returns the calls with lists of versions and of records, of this length.
pub fn lists(len: u32) -> Vec<Case> {
	let mut cases = Cases::default();
	cases.add_long(
		format!("{len} versions"),
		|group| Place::Large.prepare_node(group),
		move |group| {
			let node = Place::Large.node(group);
			let object = |number: u32| {
				let mut id = group.new_id();
				id[5..9].copy_from_slice(&number.to_be_bytes());
				ContentObjectId(id)
			};
			let versions = (0..len).map(|number| draft(object(number), NEW)).collect();
			let (signer, time) = (Signer::Admin, NOW + SLOT_DURATION);
			(signer, group.commit(signer, PROVIDER, node, LARGE, time, versions))
		},
	);
	cases.add_long(format!("{len} versions"), nothing, move |group| {
		let versions = spread(group, len).map(|number| (object(number), DRAFT));
		let (provider, tenant, versions) = (PROVIDER, LARGE, bounded(versions));
		(Signer::Admin, Call::finalize_versions { provider, node: NODE, tenant, versions })
	});
	let copies =
		move |group: &Group| bounded(spread(group, len).map(|number| (object(number), DRAFT)));
	cases.add_long(format!("{len} versions"), nothing, move |group| {
		let ((provider, node), versions) = (LAST_MIRROR, copies(group));
		(Signer::Admin, Call::add_copies { tenant: LARGE, provider, node, versions })
	});
	cases.add_long(format!("{len} versions"), nothing, move |group| {
		let ((provider, node), versions) = (MIRRORS[0], copies(group));
		(Signer::Admin, Call::remove_copies { tenant: LARGE, provider, node, versions })
	});
	for length in [20, 512] {
		cases.add_long(format!("{len} keys of {length} bytes"), nothing, move |group| {
			let record = |number| (Some(new_record(group, number, length)), target(number));
			let records = bounded(spread(group, len).map(record));
			let (tenant, collection) = (LARGE, longest_name());
			(Signer::Admin, Call::put_records { tenant, collection, records })
		});
	}
	for (length, is_long) in [(6, false), (512, true)] {
		cases.add_long(format!("{len} keys of {length} bytes"), nothing, move |group| {
			let keys = spread(group, len).map(|number| record_key(number, is_long));
			let (tenant, collection, keys) = (LARGE, longest_name(), bounded(keys));
			(Signer::Admin, Call::delete_records { tenant, collection, keys })
		});
	}
	cases.0
}

/// Rows of a frozen tenant, which governance deletes.
fn frozen_rows(cases: &mut Cases, place: Place) {
	let governor = place.governor_of_frozen();
	let tenant = move |group: &Group| place.frozen_tenant(group);
	let of = |tenant: TenantId| (created(tenant.into()), text(256));
	let with_key = place.with_frozen(|group, id| {
		let (account, level) = (group.other_account(), Some(TenantLevel::Content));
		Call::set_tenant_key { id, account, level }
	});
	cases.add("", with_key, move |group| {
		let (id, account) = (tenant(group), group.other_account());
		let (created, reason) = of(id);
		(governor, Call::governance_delete_tenant_key { id, created, account, reason })
	});
	let with_kms =
		place.with_frozen(|group, tenant| add_kms_call(group, tenant, KmsId(group.new_id()), 256));
	cases.add("", with_kms, move |group| {
		let (tenant, kms) = (tenant(group), KmsId(group.new_id()));
		let (created, reason) = of(tenant);
		(governor, Call::governance_delete_kms { tenant, created, kms, reason })
	});
	let with_object = place.with_frozen(|group, tenant| Call::create_content_object {
		tenant,
		object: ContentObjectId(group.new_id()),
	});
	cases.add("", with_object, move |group| {
		let (tenant, object) = (tenant(group), ContentObjectId(group.new_id()));
		let (created, reason) = of(tenant);
		(governor, Call::governance_delete_content_object { tenant, created, object, reason })
	});
	let half = |group: &Group| Group { objects: group.objects / 2, ..*group };
	cases.add(
		"",
		move |group| place.freeze_tenant(group),
		move |group| {
			let (tenant, object) = (tenant(group), place.object(&half(group)));
			let (created, reason) = of(tenant);
			(
				governor,
				Call::governance_delete_version { tenant, created, object, version: HEAD, reason },
			)
		},
	);
	for length in [10, 317] {
		let with_collection =
			place.with_frozen(move |group, tenant| create_collection(tenant, group, length));
		cases.add(format!("{length} bytes"), with_collection, move |group| {
			let (tenant, name) = (tenant(group), collection_name(group, length));
			let (created, reason) = of(tenant);
			(governor, Call::governance_delete_collection { tenant, created, name, reason })
		});
	}
	cases.add(
		"317 and 6 bytes",
		move |group| place.freeze_tenant(group),
		move |group| {
			let (tenant, collection) = (tenant(group), longest_name());
			let key = record_key(place.number(&half(group)), false);
			let (created, reason) = of(tenant);
			(governor, Call::governance_delete_record { tenant, created, collection, key, reason })
		},
	);
	let with_record = place.with_frozen(|group, tenant| {
		let records = bounded([(Some(new_record(group, 0, 512)), target(0))]);
		Call::put_records { tenant, collection: longest_name(), records }
	});
	cases.add("317 and 512 bytes", with_record, move |group| {
		let (tenant, collection) = (tenant(group), longest_name());
		let key = new_record(group, 0, 512);
		let (created, reason) = of(tenant);
		(governor, Call::governance_delete_record { tenant, created, collection, key, reason })
	});
}

fn frozen_provider(cases: &mut Cases) {
	let governor = Signer::Governor;
	let of = |provider: ProviderId| (created(provider.into()), text(256));
	let frozen = |group: &Group| freeze(group, group.provider().into());
	cases.add("", frozen, move |group| {
		let (provider, node) = (group.provider(), NODE);
		let (created, reason) = of(provider);
		(governor, Call::governance_delete_node { provider, created, node, reason })
	});
	cases.add("", frozen, move |group| {
		let (id, account) = (group.provider(), group.account(Signer::Admin));
		let (created, reason) = of(id);
		(governor, Call::governance_delete_provider_key { id, created, account, reason })
	});
}

/// Steps of purges: of a part of a large tenant, and of a whole small one.
fn purges(cases: &mut Cases) {
	let member = PURGED.into();
	cases.add("1 row of many", nothing, move |_| (Signer::Admin, Call::reap { member, limit: 1 }));
	cases.add_long("1,000 rows of many", nothing, move |_| {
		(Signer::Admin, Call::reap { member, limit: 1_000 })
	});
	cases.add(
		"all rows of a small tenant",
		|group| purge(group, Signer::Governor, group.member()),
		|group| (Signer::Admin, Call::reap { member: group.member(), limit: 100 }),
	);
	cases.add_long(
		"all rows of a tenant with a large map",
		|group| {
			let tenant = group.tenant();
			for place in 0..3 {
				let record = |number| (Some(new_record(group, number, 512)), target(0));
				let records = (0..BATCH).map(|number| record(place * BATCH + number));
				let (collection, records) = (longest_name(), bounded(records));
				group.make(Signer::Admin, Call::put_records { tenant, collection, records });
			}
			purge(group, Signer::Governor, group.member());
		},
		|group| (Signer::Admin, Call::reap { member: group.member(), limit: 2_000 }),
	);
}
