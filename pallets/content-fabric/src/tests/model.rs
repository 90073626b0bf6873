//! Random calls on the pallet and on a plain model of the hierarchy, which must agree on every
//! outcome and row.

use std::collections::{BTreeMap, BTreeSet};

use frame_support::assert_storage_noop;
use rand::{rngs::StdRng, Rng, SeedableRng};
use sp_runtime::{traits::Dispatchable, DispatchError};

use crate::{
	identifiers::{ContentObjectId, KmsId, NodeId, ProviderId, SpaceId, TenantId, VersionId},
	mock::*,
	Call, ContentObjects, Error, Kmses, Nodes, ProviderKeys, ProviderLevel, Providers, Spaces,
	Subject, TenantKeys, TenantLevel, Tenants, VersionCommitMessage, Versions,
};

type Outcome = Result<(), DispatchError>;

#[derive(Clone, Default, PartialEq, Debug)]
struct Member {
	space: u8,
	root: AccountId,
	frozen: bool,
}

#[derive(Clone, Default, PartialEq, Debug)]
struct Version {
	originator: u8,
	finalized: bool,
	set_head: bool,
}

/// The hierarchy as sets and maps. Ids are small numbers, which stand for arrays of that byte.
#[derive(Clone, Default)]
struct Model {
	spaces: BTreeMap<u8, AccountId>,
	providers: BTreeMap<u8, Member>,
	tenants: BTreeMap<u8, Member>,
	provider_keys: BTreeMap<(u8, AccountId), ProviderLevel>,
	tenant_keys: BTreeMap<(u8, AccountId), TenantLevel>,
	/// Whether a node is pending.
	nodes: BTreeMap<(u8, u8), bool>,
	kmses: BTreeSet<(u8, u8)>,
	/// The heads.
	objects: BTreeMap<(u8, u8), Option<u8>>,
	versions: BTreeMap<(u8, u8, u8), Version>,
}

fn member(
	members: &BTreeMap<u8, Member>,
	id: u8,
	not_found: Error<Test>,
) -> Result<&Member, DispatchError> {
	members.get(&id).ok_or(not_found.into())
}

fn ensure(condition: bool, error: Error<Test>) -> Outcome {
	condition.then_some(()).ok_or(error.into())
}

impl Model {
	fn provider(&self, id: u8) -> Result<&Member, DispatchError> {
		let member = member(&self.providers, id, Error::ProviderNotFound)?;
		ensure(!member.frozen, Error::ProviderFrozen).map(|()| member)
	}

	fn tenant(&self, id: u8) -> Result<&Member, DispatchError> {
		let member = member(&self.tenants, id, Error::TenantNotFound)?;
		ensure(!member.frozen, Error::TenantFrozen).map(|()| member)
	}

	fn provider_level(&self, who: AccountId, id: u8) -> Option<ProviderLevel> {
		if self.providers[&id].root == who {
			return Some(ProviderLevel::Root);
		}
		self.provider_keys.get(&(id, who)).copied()
	}

	fn tenant_level(&self, who: AccountId, id: u8) -> Option<TenantLevel> {
		if self.tenants[&id].root == who {
			return Some(TenantLevel::Root);
		}
		self.tenant_keys.get(&(id, who)).copied()
	}

	fn provider_by(&self, who: AccountId, id: u8, least: ProviderLevel) -> Outcome {
		self.provider(id)?;
		ensure(self.provider_level(who, id) >= Some(least), Error::NoPermission)
	}

	fn tenant_by(&self, who: AccountId, id: u8, least: TenantLevel) -> Outcome {
		self.tenant(id)?;
		ensure(self.tenant_level(who, id) >= Some(least), Error::NoPermission)
	}

	fn given_up(&self, subject: Subject) -> Outcome {
		let member = match subject {
			Subject::Provider(id) => member(&self.providers, id.0[0], Error::ProviderNotFound),
			Subject::Tenant(id) => member(&self.tenants, id.0[0], Error::TenantNotFound),
		};
		ensure(member?.frozen, Error::GovernanceDeleteNotSet)
	}

	fn governor(&self, who: AccountId, space: u8) -> Outcome {
		(self.spaces.get(&space) == Some(&who)).then_some(()).ok_or(DispatchError::BadOrigin)
	}

	fn provider_rows(&self, id: u8) -> usize {
		self.nodes.keys().filter(|key| key.0 == id).count()
			+ self.provider_keys.keys().filter(|key| key.0 == id).count()
	}

	fn tenant_rows(&self, id: u8) -> usize {
		self.kmses.iter().filter(|key| key.0 == id).count()
			+ self.tenant_keys.keys().filter(|key| key.0 == id).count()
			+ self.objects.keys().filter(|key| key.0 == id).count()
			+ self.versions.keys().filter(|key| key.0 == id).count()
	}

	fn versions_of(&self, tenant: u8, object: u8) -> usize {
		self.versions.keys().filter(|key| (key.0, key.1) == (tenant, object)).count()
	}

	/// Deletes a version, which may be the head only if governance does it.
	fn delete_version(&mut self, key: (u8, u8, u8), governance: bool) -> Outcome {
		let (tenant, object, version) = key;
		if governance {
			ensure(self.objects.contains_key(&(tenant, object)), Error::ContentObjectNotFound)?;
		}
		ensure(self.versions.contains_key(&key), Error::VersionNotFound)?;
		let head = self.objects.get_mut(&(tenant, object)).expect("versions have an object");
		if *head == Some(version) {
			ensure(governance, Error::VersionIsHead)?;
			*head = None;
		}
		self.versions.remove(&key);
		Ok(())
	}

	fn delete_object(&mut self, tenant: u8, object: u8) -> Outcome {
		ensure(self.objects.contains_key(&(tenant, object)), Error::ContentObjectNotFound)?;
		ensure(self.versions_of(tenant, object) == 0, Error::ContentObjectNotEmpty)?;
		self.objects.remove(&(tenant, object));
		Ok(())
	}

	/// What a call does to the model.
	fn apply(&mut self, who: AccountId, call: &Call<Test>) -> Outcome {
		match call {
			Call::create_provider { space, provider } => {
				let id = provider.0[0];
				ensure(!self.providers.contains_key(&id), Error::ProviderAlreadyExists)?;
				ensure(self.spaces.contains_key(&space.0[0]), Error::SpaceNotFound)?;
				let member = Member { space: space.0[0], root: who, frozen: false };
				self.providers.insert(id, member);
			},
			Call::create_tenant { space, tenant } => {
				let id = tenant.0[0];
				ensure(!self.tenants.contains_key(&id), Error::TenantAlreadyExists)?;
				ensure(self.spaces.contains_key(&space.0[0]), Error::SpaceNotFound)?;
				self.tenants.insert(id, Member { space: space.0[0], root: who, frozen: false });
			},
			Call::delete_space { space } => {
				let id = space.0[0];
				self.governor(who, id)?;
				let mut members = self.providers.values().chain(self.tenants.values());
				ensure(members.all(|member| member.space != id), Error::SpaceNotEmpty)?;
				self.spaces.remove(&id);
			},
			Call::set_provider_root { provider, root } => {
				let id = provider.0[0];
				let member = member(&self.providers, id, Error::ProviderNotFound)?;
				if member.root == who {
					self.provider(id)?;
				} else {
					self.governor(who, member.space)?;
				}
				self.providers.entry(id).and_modify(|member| member.root = *root);
			},
			Call::set_tenant_root { tenant, root } => {
				let id = tenant.0[0];
				let member = member(&self.tenants, id, Error::TenantNotFound)?;
				if member.root == who {
					self.tenant(id)?;
				} else {
					self.governor(who, member.space)?;
				}
				self.tenants.entry(id).and_modify(|member| member.root = *root);
			},
			Call::set_provider_key { provider, account, level } => {
				let id = provider.0[0];
				self.provider(id)?;
				let own = self.provider_level(who, id);
				let present = self.provider_level(*account, id);
				ensure(present < own && *level < own, Error::NoPermission)?;
				match level {
					Some(level) => drop(self.provider_keys.insert((id, *account), *level)),
					None => drop(self.provider_keys.remove(&(id, *account))),
				}
			},
			Call::set_tenant_key { tenant, account, level } => {
				let id = tenant.0[0];
				self.tenant(id)?;
				let own = self.tenant_level(who, id);
				let present = self.tenant_level(*account, id);
				ensure(present < own && *level < own, Error::NoPermission)?;
				match level {
					Some(level) => drop(self.tenant_keys.insert((id, *account), *level)),
					None => drop(self.tenant_keys.remove(&(id, *account))),
				}
			},
			Call::create_node { provider, node, operator, .. } => {
				let key = (provider.0[0], node.0[0]);
				self.provider_by(who, key.0, ProviderLevel::Admin)?;
				ensure(!self.nodes.contains_key(&key), Error::NodeAlreadyExists)?;
				self.nodes.insert(key, true);
				if self.provider_level(*operator, key.0).is_none() {
					self.provider_keys.insert((key.0, *operator), ProviderLevel::Node);
				}
			},
			Call::confirm_node { provider, node } => {
				self.provider_by(who, provider.0[0], ProviderLevel::Node)?;
				let pending = self.nodes.get_mut(&(provider.0[0], node.0[0]));
				let pending = pending.ok_or(Error::<Test>::NodeNotFound)?;
				ensure(*pending, Error::NodeAlreadyConfirmed)?;
				*pending = false;
			},
			Call::remove_node { provider, node } => {
				self.provider_by(who, provider.0[0], ProviderLevel::Admin)?;
				let removed = self.nodes.remove(&(provider.0[0], node.0[0]));
				ensure(removed.is_some(), Error::NodeNotFound)?;
			},
			Call::delete_provider { provider } => {
				self.provider_by(who, provider.0[0], ProviderLevel::Root)?;
				ensure(self.provider_rows(provider.0[0]) == 0, Error::ProviderNotEmpty)?;
				self.providers.remove(&provider.0[0]);
			},
			Call::add_kms { tenant, kms, .. } => {
				self.tenant_by(who, tenant.0[0], TenantLevel::Admin)?;
				let added = self.kmses.insert((tenant.0[0], kms.0[0]));
				ensure(added, Error::KmsAlreadyExists)?;
			},
			Call::remove_kms { tenant, kms } => {
				self.tenant_by(who, tenant.0[0], TenantLevel::Admin)?;
				let removed = self.kmses.remove(&(tenant.0[0], kms.0[0]));
				ensure(removed, Error::KmsNotFound)?;
			},
			Call::delete_tenant { tenant } => {
				self.tenant_by(who, tenant.0[0], TenantLevel::Root)?;
				ensure(self.tenant_rows(tenant.0[0]) == 0, Error::TenantNotEmpty)?;
				self.tenants.remove(&tenant.0[0]);
			},
			Call::create_content_object { tenant, object } => {
				let key = (tenant.0[0], object.0[0]);
				self.tenant_by(who, key.0, TenantLevel::Content)?;
				ensure(!self.objects.contains_key(&key), Error::ContentObjectAlreadyExists)?;
				self.objects.insert(key, None);
			},
			Call::commit_version { message } => {
				let (tenant, object) = (message.tenant.0[0], message.object.0[0]);
				let (originator, node) = (message.originator.0[0], message.node.0[0]);
				self.tenant_by(who, tenant, TenantLevel::Content)?;
				let space = self.provider(originator)?.space;
				ensure(space == self.tenants[&tenant].space, Error::SpaceMismatch)?;
				let pending = self.nodes.get(&(originator, node));
				ensure(!*pending.ok_or(Error::<Test>::NodeNotFound)?, Error::NodePending)?;
				ensure(self.kmses.contains(&(tenant, message.kms.0[0])), Error::KmsNotFound)?;
				let key = (tenant, object, message.version.0[0]);
				ensure(!self.versions.contains_key(&key), Error::VersionAlreadyExists)?;
				ensure(self.objects.contains_key(&(tenant, object)), Error::ContentObjectNotFound)?;
				let set_head = message.set_head_on_finalize;
				self.versions.insert(key, Version { originator, finalized: false, set_head });
			},
			Call::finalize_version { tenant, object, version } => {
				let key = (tenant.0[0], object.0[0], version.0[0]);
				self.tenant(key.0)?;
				let found = self.versions.get(&key).ok_or(Error::<Test>::VersionNotFound)?.clone();
				self.provider_by(who, found.originator, ProviderLevel::Node)?;
				ensure(!found.finalized, Error::VersionAlreadyFinalized)?;
				if found.set_head {
					self.objects.insert((key.0, key.1), Some(key.2));
				}
				self.versions.insert(key, Version { finalized: true, ..found });
			},
			Call::set_head_version { tenant, object, version } => {
				let key = (tenant.0[0], object.0[0]);
				self.tenant_by(who, key.0, TenantLevel::Content)?;
				let version = version.map(|version| version.0[0]);
				if let Some(version) = version {
					let found = self.versions.get(&(key.0, key.1, version));
					let found = found.ok_or(Error::<Test>::VersionNotFound)?;
					ensure(found.finalized, Error::VersionNotFinalized)?;
				}
				let head = self.objects.get_mut(&key);
				*head.ok_or(Error::<Test>::ContentObjectNotFound)? = version;
			},
			Call::delete_version { tenant, object, version } => {
				self.tenant_by(who, tenant.0[0], TenantLevel::Content)?;
				self.delete_version((tenant.0[0], object.0[0], version.0[0]), false)?;
			},
			Call::delete_content_object { tenant, object } => {
				self.tenant_by(who, tenant.0[0], TenantLevel::Content)?;
				self.delete_object(tenant.0[0], object.0[0])?;
			},
			Call::set_governance_delete { subject, enabled } => match subject {
				Subject::Provider(id) => {
					let space = member(&self.providers, id.0[0], Error::ProviderNotFound)?.space;
					self.governor(who, space)?;
					self.providers.entry(id.0[0]).and_modify(|m| m.frozen = *enabled);
				},
				Subject::Tenant(id) => {
					let space = member(&self.tenants, id.0[0], Error::TenantNotFound)?.space;
					self.governor(who, space)?;
					self.tenants.entry(id.0[0]).and_modify(|m| m.frozen = *enabled);
				},
			},
			Call::governance_delete_node { provider, node } => {
				self.given_up(Subject::Provider(*provider))?;
				let removed = self.nodes.remove(&(provider.0[0], node.0[0]));
				ensure(removed.is_some(), Error::NodeNotFound)?;
			},
			Call::governance_delete_kms { tenant, kms } => {
				self.given_up(Subject::Tenant(*tenant))?;
				let removed = self.kmses.remove(&(tenant.0[0], kms.0[0]));
				ensure(removed, Error::KmsNotFound)?;
			},
			Call::governance_delete_content_object { tenant, object } => {
				self.given_up(Subject::Tenant(*tenant))?;
				self.delete_object(tenant.0[0], object.0[0])?;
			},
			Call::governance_delete_version { tenant, object, version } => {
				self.given_up(Subject::Tenant(*tenant))?;
				self.delete_version((tenant.0[0], object.0[0], version.0[0]), true)?;
			},
			Call::governance_delete_provider { provider, max_rows } => {
				let id = provider.0[0];
				self.governor(who, member(&self.providers, id, Error::ProviderNotFound)?.space)?;
				ensure(self.provider_rows(id) <= *max_rows as usize, Error::TooManyRows)?;
				self.nodes.retain(|key, _| key.0 != id);
				self.provider_keys.retain(|key, _| key.0 != id);
				self.providers.remove(&id);
			},
			Call::governance_delete_tenant { tenant, max_rows } => {
				let id = tenant.0[0];
				self.governor(who, member(&self.tenants, id, Error::TenantNotFound)?.space)?;
				ensure(self.tenant_rows(id) <= *max_rows as usize, Error::TooManyRows)?;
				self.kmses.retain(|key| key.0 != id);
				self.objects.retain(|key, _| key.0 != id);
				self.versions.retain(|key, _| key.0 != id);
				self.tenant_keys.retain(|key, _| key.0 != id);
				self.tenants.remove(&id);
			},
			other => unreachable!("{other:?} is not drawn"),
		}
		Ok(())
	}

	/// That the rows in storage are those of the model.
	fn assert_rows(&self) {
		let members = |iter: &mut dyn Iterator<Item = (u8, crate::MemberInfoOf<Test>)>| {
			iter.map(|(id, info)| {
				let space = info.space.0[0];
				(id, Member { space, root: info.root, frozen: info.governance_delete })
			})
			.collect::<BTreeMap<_, _>>()
		};
		let providers = &mut Providers::<Test>::iter().map(|(id, info)| (id.0[0], info));
		assert_eq!(members(providers), self.providers);
		let tenants = &mut Tenants::<Test>::iter().map(|(id, info)| (id.0[0], info));
		assert_eq!(members(tenants), self.tenants);
		assert_eq!(
			Spaces::<Test>::iter()
				.map(|(id, info)| (id.0[0], info.governor))
				.collect::<BTreeMap<_, _>>(),
			self.spaces
		);
		assert_eq!(
			ProviderKeys::<Test>::iter()
				.map(|(provider, account, level)| ((provider.0[0], account), level))
				.collect::<BTreeMap<_, _>>(),
			self.provider_keys
		);
		assert_eq!(
			TenantKeys::<Test>::iter()
				.map(|(tenant, account, level)| ((tenant.0[0], account), level))
				.collect::<BTreeMap<_, _>>(),
			self.tenant_keys
		);
		assert_eq!(
			Nodes::<Test>::iter()
				.map(|(provider, node, info)| ((provider.0[0], node.0[0]), info.pending))
				.collect::<BTreeMap<_, _>>(),
			self.nodes
		);
		assert_eq!(
			Kmses::<Test>::iter_keys()
				.map(|(tenant, kms)| (tenant.0[0], kms.0[0]))
				.collect::<BTreeSet<_>>(),
			self.kmses
		);
		assert_eq!(
			ContentObjects::<Test>::iter()
				.map(|(tenant, object, info)| {
					((tenant.0[0], object.0[0]), info.head_version.map(|version| version.0[0]))
				})
				.collect::<BTreeMap<_, _>>(),
			self.objects
		);
		assert_eq!(
			Versions::<Test>::iter()
				.map(|((tenant, object, version), info)| {
					let originator = info.originator.0[0];
					let (finalized, set_head) =
						(info.finalized.is_some(), info.set_head_on_finalize);
					(
						(tenant.0[0], object.0[0], version.0[0]),
						Version { originator, finalized, set_head },
					)
				})
				.collect::<BTreeMap<_, _>>(),
			self.versions
		);
	}
}

/// A call with arguments from so few that calls meet.
fn random_call(rng: &mut StdRng) -> Call<Test> {
	let space = SpaceId([[0, 0, 0, 0, 1, 2][rng.random_range(0..6)]; 10]);
	let provider = ProviderId([rng.random_range(0..2); 10]);
	let tenant = TenantId([rng.random_range(0..2); 10]);
	let node = NodeId([rng.random_range(0..2); 10]);
	let kms = KmsId([rng.random_range(0..2); 10]);
	let object = ContentObjectId([rng.random_range(0..3); 10]);
	let version = VersionId([rng.random_range(0..3); 32]);
	let subject = if rng.random() { Subject::Provider(provider) } else { Subject::Tenant(tenant) };
	let account = [GOVERNOR, STRANGER, EDITOR, OPERATOR][rng.random_range(0..4)];
	match rng.random_range(0..110) {
		100..102 => Call::set_provider_root { provider, root: account },
		102..104 => Call::set_tenant_root { tenant, root: account },
		104..107 => {
			let levels = [None, Some(ProviderLevel::Node), Some(ProviderLevel::Admin)];
			let level = levels[rng.random_range(0..3)];
			Call::set_provider_key { provider, account, level }
		},
		107..110 => {
			let levels = [TenantLevel::Content, TenantLevel::Kms, TenantLevel::Admin];
			let level = rng.random_bool(0.75).then(|| levels[rng.random_range(0..3)]);
			Call::set_tenant_key { tenant, account, level }
		},
		0..5 => Call::create_provider { space, provider },
		5..10 => Call::create_tenant { space, tenant },
		10 => Call::delete_space { space },
		11..17 => Call::create_node { provider, node, operator: account, locator: locator("x") },
		17..25 => Call::confirm_node { provider, node },
		25 => Call::remove_node { provider, node },
		26 => Call::delete_provider { provider },
		27..34 => Call::add_kms { tenant, kms, locator: locator("x") },
		34 => Call::remove_kms { tenant, kms },
		35 => Call::delete_tenant { tenant },
		36..43 => Call::create_content_object { tenant, object },
		43..63 => {
			let (originator, set_head_on_finalize) = (provider, rng.random());
			let message = VersionCommitMessage {
				originator,
				node,
				tenant,
				object,
				version,
				size: 1,
				set_head_on_finalize,
				kms,
			};
			Call::commit_version { message }
		},
		63..75 => Call::finalize_version { tenant, object, version },
		75..80 => Call::set_head_version {
			tenant,
			object,
			version: rng.random::<bool>().then_some(version),
		},
		80..83 => Call::delete_version { tenant, object, version },
		83 => Call::delete_content_object { tenant, object },
		84..88 => Call::set_governance_delete { subject, enabled: rng.random_bool(0.3) },
		88..90 => Call::governance_delete_node { provider, node },
		90..92 => Call::governance_delete_kms { tenant, kms },
		92..94 => Call::governance_delete_content_object { tenant, object },
		94..98 => Call::governance_delete_version { tenant, object, version },
		98 => Call::governance_delete_provider { provider, max_rows: rng.random_range(0..6) },
		_ => Call::governance_delete_tenant { tenant, max_rows: rng.random_range(0..16) },
	}
}

#[test]
fn pallet_and_model_agree() {
	let mut succeeded = BTreeMap::new();
	for seed in 0..20 {
		let mut rng = StdRng::seed_from_u64(seed);
		let mut model = Model::default();
		let mut chain = Chain::empty();
		for _ in 0..50 {
			chain.block(|| {
				// Spaces come back when they were deleted.
				for (space, governor) in [(0, GOVERNOR), (1, STRANGER)] {
					if model.spaces.insert(space, governor).is_none() {
						ContentFabric::create_space(
							RuntimeOrigin::root(),
							SpaceId([space; 10]),
							governor,
						)
						.expect("the space is not there");
					}
				}
				for _ in 0..rng.random_range(1..40) {
					let call = random_call(&mut rng);
					let others = [STRANGER, EDITOR, OPERATOR];
					let other = others[rng.random_range(0..3)];
					let who = if rng.random_bool(0.7) { GOVERNOR } else { other };
					let mut next = model.clone();
					let expected = next.apply(who, &call);
					let dispatch = || {
						RuntimeCall::from(call.clone())
							.dispatch(signed(who))
							.map(drop)
							.map_err(|error| error.error)
					};
					if expected.is_ok() {
						assert_eq!(dispatch(), expected, "seed {seed}: {who} {call:?}");
						model = next;
						*succeeded.entry(name(&call)).or_insert(0) += 1;
					} else {
						assert_storage_noop!(assert_eq!(
							dispatch(),
							expected,
							"seed {seed}: {who} {call:?}"
						));
					}
				}
				model.assert_rows();
			});
		}
	}
	// All 27 kinds of call that are drawn have succeeded now and then.
	assert_eq!(succeeded.len(), 27, "{succeeded:?}");
}

fn name(call: &Call<Test>) -> String {
	let text = format!("{call:?}");
	text.split([' ', '{']).next().unwrap_or_default().to_owned()
}
