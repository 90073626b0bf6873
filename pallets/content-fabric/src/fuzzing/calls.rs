// SPDX-License-Identifier: Apache-2.0
//! The calls: each of them, mostly with arguments that are valid, and mostly by an account that may
//! make it.

use frame_support::pallet_prelude::Get;
use sp_runtime::{traits::Bounded, SaturatedConversion, Saturating};

use super::{bounded, rows::Member, Drawn, Draws, Generator, Origin};
use crate::{
	identifiers::{KmsId, NodeId, ProviderId, RecordKeySyntax, RecordKeyType, SpaceId, TenantId},
	types::AccountIdOf,
	AdmissionPolicy, BalanceOf, Call, CollectionNameOf, Collections, Config, ContentRef, Kmses,
	MemberId, Nodes, ProviderLevel, ProviderRowCounts, Purges, Role, SpaceRules, SpaceRulesOf,
	Spaces, TenantLevel, TenantRowCounts,
};

macro_rules! kinds {
	($($kind:ident $often:literal,)*) => {
		/// The kinds of calls.
		#[derive(Clone, Copy, PartialEq, Eq)]
		enum Kind {
			$($kind,)*
		}

		/// The kinds and their weights in the draw.
		const KINDS: &[(Kind, usize)] = &[$((Kind::$kind, $often),)*];
	};
}

// Those that undo much are rare.
kinds! {
	CreateSpace 4,
	SetSpaceRules 10,
	SetSpaceGovernor 3,
	Admit 28,
	RevokeAdmissions 12,
	DeleteSpace 6,
	CreateProvider 24,
	CreateTenant 30,
	TopUpBond 24,
	SetMaxHeld 16,
	NominateRoot 20,
	AcceptRoot 24,
	PurgeMember 8,
	DeleteMember 20,
	SetProviderKey 20,
	SetTenantKey 28,
	CreateNode 36,
	ConfirmNode 36,
	SetNodeLocator 12,
	SetNodeOperator 10,
	RemoveNode 8,
	AddKms 34,
	SetKms 12,
	RemoveKms 8,
	CreateContentObject 36,
	CommitVersions 140,
	FinalizeVersions 110,
	AddCopies 40,
	RemoveCopies 30,
	SetHeadVersion 40,
	DeleteVersion 30,
	DeleteContentObject 20,
	CreateCollection 36,
	DeleteCollection 14,
	PutRecords 100,
	DeleteRecords 40,
	Slash 8,
	SetSuspended 8,
	SetGovernanceDelete 10,
	GovernanceDeleteNode 8,
	GovernanceDeleteProviderKey 8,
	GovernanceDeleteTenantKey 8,
	GovernanceDeleteKms 8,
	GovernanceDeleteContentObject 10,
	GovernanceDeleteVersion 12,
	GovernanceDeleteCollection 10,
	GovernanceDeleteRecord 14,
	GovernanceDelete 6,
	Reap 16,
}

/// The origin that may make a call.
pub enum By<AccountId> {
	Anyone,
	Account(AccountId),
	Root(MemberId),
	Operator(ProviderId, NodeId),
	KmsOperator(TenantId, KmsId),
	Governance(Option<SpaceId>),
	Creator,
}

impl Kind {
	/// Draws a kind.
	fn drawn(draws: &mut Draws) -> Self {
		let mut place = draws.below(KINDS.iter().map(|(_, often)| often).sum());
		let drawn = KINDS.iter().find(|(_, often)| match place.checked_sub(*often) {
			Some(rest) => {
				place = rest;
				false
			},
			None => true,
		});
		drawn.map_or(Self::Reap, |(kind, _)| *kind)
	}

	/// Returns whether a call is for rows of frozen members.
	fn is_flagged(self) -> bool {
		matches!(
			self,
			Self::GovernanceDeleteNode
				| Self::GovernanceDeleteProviderKey
				| Self::GovernanceDeleteTenantKey
				| Self::GovernanceDeleteKms
				| Self::GovernanceDeleteContentObject
				| Self::GovernanceDeleteVersion
				| Self::GovernanceDeleteCollection
				| Self::GovernanceDeleteRecord
		)
	}

	/// Returns whether a call creates a row with an id.
	fn creates(self) -> bool {
		matches!(
			self,
			Self::CreateSpace
				| Self::CreateProvider
				| Self::CreateTenant
				| Self::CreateNode
				| Self::AddKms
				| Self::CreateContentObject
				| Self::CreateCollection
		)
	}
}

/// Returns the condition on the row counts of a provider under which a call can succeed.
fn rows_of_provider(kind: Kind) -> fn(&ProviderRowCounts) -> bool {
	match kind {
		Kind::SetNodeLocator
		| Kind::SetNodeOperator
		| Kind::RemoveNode
		| Kind::GovernanceDeleteNode => |rows| rows.nodes > 0,
		Kind::GovernanceDeleteProviderKey => |rows| rows.keys > 0,
		_ => |_| true,
	}
}

/// Returns the condition on the row counts of a tenant under which a call can succeed.
fn rows_of_tenant(kind: Kind) -> fn(&TenantRowCounts) -> bool {
	match kind {
		Kind::GovernanceDeleteTenantKey => |rows| rows.keys > 0,
		Kind::SetKms | Kind::RemoveKms | Kind::GovernanceDeleteKms => |rows| rows.kmses > 0,
		Kind::SetHeadVersion | Kind::DeleteVersion | Kind::GovernanceDeleteVersion => {
			|rows| rows.versions > 0
		},
		Kind::DeleteContentObject | Kind::GovernanceDeleteContentObject => {
			|rows| rows.content_objects > 0
		},
		Kind::DeleteCollection | Kind::GovernanceDeleteCollection => |rows| rows.collections > 0,
		Kind::PutRecords => |rows| rows.collections > 0 && rows.content_objects > 0,
		Kind::DeleteRecords | Kind::GovernanceDeleteRecord => |rows| rows.records > 0,
		_ => |_| true,
	}
}

impl<T: Config> Generator<'_, T> {
	/// Draws a call, and who makes it.
	pub fn call(mut self) -> Drawn<T> {
		let kind = self.urgent().unwrap_or_else(|| {
			let kind = Kind::drawn(self.draws);
			self.instead(kind)
		});
		let (call, by) = self.call_of(kind);
		Drawn { origin: self.origin(by), call, is_signed: self.is_signed }
	}

	/// Returns a call that reopens or creates what many other calls need, if something is missing,
	/// or one that uses what seldom exists.
	fn urgent(&mut self) -> Option<Kind> {
		if Purges::<T>::iter_keys().next().is_some() && self.draws.percent(20) {
			return Some(Kind::Reap);
		}
		let is_free = Spaces::<T>::iter_keys().take(3).count() < 3;
		if is_free && self.draws.percent(15) {
			return Some(Kind::CreateSpace);
		}
		if self.providers.len() < 3 && self.draws.percent(20) {
			return Some(Kind::CreateProvider);
		}
		if self.tenants.len() < 4 && self.draws.percent(20) {
			return Some(Kind::CreateTenant);
		}
		let open = self.members.iter();
		let open = open.filter(|(_, info)| !info.governance_delete && !info.suspended);
		let (providers, tenants): (Vec<_>, Vec<_>) =
			open.partition(|(id, _)| matches!(id, MemberId::Provider(_)));
		if (providers.len() < 2 || tenants.len() < 3) && self.draws.percent(8) {
			return Some(self.draws.pick(&[Kind::SetGovernanceDelete, Kind::SetSuspended]));
		}
		if Nodes::<T>::iter_keys().take(3).count() < 3 && self.draws.percent(20) {
			return Some(self.draws.pick(&[Kind::CreateNode, Kind::ConfirmNode]));
		}
		if Kmses::<T>::iter_keys().take(3).count() < 3 && self.draws.percent(20) {
			return Some(Kind::AddKms);
		}
		None
	}

	/// Returns another call in place of one that cannot succeed now, most of the time.
	fn instead(&mut self, kind: Kind) -> Kind {
		let is_full = match kind {
			Kind::CreateProvider => self.providers.len() > 3,
			Kind::CreateTenant => self.tenants.len() > 4,
			Kind::Reap => Purges::<T>::iter_keys().next().is_none(),
			_ => kind.is_flagged() && !self.members.iter().any(|(_, info)| info.governance_delete),
		};
		if !is_full || self.draws.percent(15) {
			return kind;
		}
		match kind {
			Kind::Reap | Kind::CreateTenant => Kind::PutRecords,
			Kind::CreateProvider => Kind::CommitVersions,
			_ => {
				let others =
					[Kind::SetGovernanceDelete, Kind::CreateContentObject, Kind::CreateCollection];
				self.draws.pick(&others)
			},
		}
	}

	fn origin(&mut self, by: By<AccountIdOf<T>>) -> Origin<AccountIdOf<T>> {
		if self.draws.once_in(40) {
			return self.draws.pick(&[Origin::Root, Origin::Council]);
		}
		let anyone = self.account();
		if self.draws.once_in(16) {
			return Origin::Account(anyone);
		}
		match by {
			By::Anyone => Origin::Account(anyone),
			By::Account(account) => Origin::Account(account),
			By::Root(member) => {
				// The root, or an account with a lower level, which many calls permit.
				let key = self.draws.percent(20).then(|| self.key_account(member)).flatten();
				Origin::Account(key.or_else(|| self.root(member)).unwrap_or(anyone))
			},
			By::Operator(provider, node) => {
				let operator = Nodes::<T>::get(provider, node).map(|info| info.operator);
				let root = self.root(provider);
				let [first, second] =
					if self.draws.percent(50) { [operator, root] } else { [root, operator] };
				Origin::Account(first.or(second).unwrap_or(anyone))
			},
			By::KmsOperator(tenant, kms) => {
				let operator = Kmses::<T>::get(tenant, kms).map(|info| info.operator);
				let other = match self.draws.percent(50) {
					true => self.root(tenant),
					false => self.key_account(tenant),
				};
				let operator = operator.filter(|_| self.draws.percent(50));
				Origin::Account(operator.or(other).unwrap_or(anyone))
			},
			By::Governance(space) => {
				let governor = space.and_then(Spaces::<T>::get).map(|info| info.governor);
				match self.draws.below(8) {
					0 => Origin::Root,
					1 | 2 => Origin::Council,
					_ => Origin::Account(governor.unwrap_or(anyone)),
				}
			},
			By::Creator => self.draws.pick(&[Origin::Root, Origin::Council]),
		}
	}

	pub fn account(&mut self) -> AccountIdOf<T> {
		self.draws.pick(self.world.accounts())
	}

	/// Returns a number of units.
	fn units(&self, number: u32) -> BalanceOf<T> {
		self.world.unit().saturating_mul(number.into())
	}

	fn amount(&mut self) -> BalanceOf<T> {
		match self.draws.below(16) {
			0 => 0u32.into(),
			1 => 1u32.into(),
			2 => BalanceOf::<T>::max_value(),
			3 => self.draws.number().saturated_into(),
			_ => {
				let number = self.draws.pick(&[1, 10, 100, 1_000]);
				self.units(number)
			},
		}
	}

	fn max_held(&mut self) -> BalanceOf<T> {
		match self.draws.below(16) {
			0 => 0u32.into(),
			1 => self.units(150),
			2 => self.units(10),
			_ => self.units(100_000),
		}
	}

	fn rules(&mut self) -> SpaceRulesOf<T> {
		let bonds = [0, 0, 100, 100, 1_000].map(|number| self.units(number));
		let policies = [AdmissionPolicy::Open, AdmissionPolicy::Open, AdmissionPolicy::Approval];
		SpaceRules {
			provider_bond: self.draws.pick(&bonds),
			tenant_bond: self.draws.pick(&bonds),
			admission: self.draws.pick(&policies),
			partitions: self.draws.number() as u32,
			sla: self.text(),
		}
	}

	/// Returns how many items a list has: few, most of the time.
	pub fn list_len(&mut self, max: usize) -> usize {
		match self.draws.below(40) {
			0 => 0,
			1 => 1 + self.draws.below(max),
			2..4 => 1 + self.draws.below(30),
			4..12 => 2,
			12..16 => 3,
			_ => 1,
		}
	}

	/// Returns a signed account that may create a member: one that has an admission, if any has.
	fn creator(&mut self, space: SpaceId, role: Role) -> By<AccountIdOf<T>> {
		match self.draws.percent(70).then(|| self.admission(space)).flatten() {
			Some((account, admitted)) if admitted == role => By::Account(account),
			_ => By::Anyone,
		}
	}

	/// Returns a member in the state that a call is for, if there is one and most of the time.
	fn member_for(&mut self, kind: Kind) -> MemberId {
		let fits: fn(&Member<T>) -> bool = match kind {
			Kind::AcceptRoot => |info| info.nomination.is_some(),
			Kind::SetSuspended => |info| info.suspended,
			Kind::SetGovernanceDelete => |info| info.governance_delete,
			Kind::Reap => |info| info.purge.is_some(),
			_ => |_| false,
		};
		let found = match kind {
			// The one that has been empty for longest.
			Kind::DeleteMember => {
				let empty = self.members.iter();
				let empty = empty.filter_map(|(id, info)| Some((info.empty_since?, *id)));
				empty.min().map(|(_, member)| member)
			},
			_ => {
				let fitting = self.members.iter().filter(|(_, info)| fits(info)).map(|(id, _)| *id);
				self.draws.one_of(fitting)
			},
		};
		found.filter(|_| self.draws.percent(80)).unwrap_or_else(|| self.member())
	}

	/// Returns a call of a kind. Its arguments name rows that exist, most of the time.
	fn call_of(&mut self, kind: Kind) -> (Call<T>, By<AccountIdOf<T>>) {
		let (space, member) = (self.space(), self.member_for(kind));
		let provider = self.provider_with(kind.is_flagged(), rows_of_provider(kind));
		let tenant = self.tenant_with(kind.is_flagged(), rows_of_tenant(kind));
		let member = match kind {
			Kind::GovernanceDeleteNode | Kind::GovernanceDeleteProviderKey => provider.into(),
			_ if kind.is_flagged() => tenant.into(),
			_ => member,
		};
		let account = self.account();
		let role = self.draws.pick(&[Role::Provider, Role::Tenant]);
		let (amount, max_held) = (self.amount(), self.max_held());
		let (reason, locator) = (self.text(), self.locator());
		// The incarnation of a member, or another one.
		let info = self.info(member).cloned();
		let created = info.as_ref().filter(|_| !self.draws.once_in(16)).map(|info| info.created);
		let created = created.unwrap_or_default();
		let (node, kms) = match kind.creates() {
			true => (self.new_node(), self.new_kms()),
			false => (self.node(provider), self.kms(tenant)),
		};
		let (object, version) = match kind {
			Kind::CreateContentObject => (self.new_object(), self.new_version()),
			Kind::DeleteContentObject | Kind::GovernanceDeleteContentObject => {
				(self.empty_object(tenant), self.new_version())
			},
			Kind::SetHeadVersion => self.finalized_version(tenant),
			_ => self.version(tenant),
		};
		let (collection, key) = match kind {
			Kind::CreateCollection => (self.new_collection(), Default::default()),
			Kind::DeleteCollection | Kind::GovernanceDeleteCollection => {
				(self.empty_collection(tenant), Default::default())
			},
			Kind::DeleteRecords | Kind::GovernanceDeleteRecord => self.record(tenant),
			_ => (self.collection(tenant), Default::default()),
		};
		let of_space = By::Governance(Some(space));
		let governance = By::Governance(info.as_ref().map(|info| info.space));
		let (root, of_provider, of_tenant) =
			(By::Root(member), By::Root(provider.into()), By::Root(tenant.into()));
		match kind {
			Kind::CreateSpace => {
				let mut governors = self.world.governors();
				governors.push(account);
				let (governor, space) = (self.draws.pick(&governors), self.new_space());
				(Call::create_space { space, governor, rules: self.rules() }, By::Creator)
			},
			Kind::SetSpaceRules => (Call::set_space_rules { space, rules: self.rules() }, of_space),
			Kind::SetSpaceGovernor => {
				(Call::set_space_governor { space, governor: account }, of_space)
			},
			Kind::Admit => (Call::admit { space, account, role }, of_space),
			Kind::RevokeAdmissions => {
				let len = self.list_len(8);
				let admission = |_| self.admission(space).unwrap_or((account.clone(), role));
				let mut admissions: Vec<_> = (0..len).map(admission).collect();
				if !self.draws.once_in(12) {
					admissions.sort();
					admissions.dedup();
				}
				(Call::revoke_admissions { space, admissions: bounded(admissions) }, of_space)
			},
			Kind::DeleteSpace => {
				let empty = Spaces::<T>::iter().filter(|(_, info)| {
					info.provider_count + info.tenant_count + info.admission_count == 0
				});
				let empty = self.draws.one_of(empty.map(|(space, _)| space));
				let by = match empty.is_some() || self.draws.percent(30) {
					true => By::Creator,
					false => of_space,
				};
				(Call::delete_space { space: empty.unwrap_or(space) }, by)
			},
			Kind::CreateProvider => {
				let call = Call::create_provider { space, id: self.new_provider(), max_held };
				(call, self.creator(space, Role::Provider))
			},
			Kind::CreateTenant => {
				let call = Call::create_tenant { space, id: self.new_tenant(), max_held };
				(call, self.creator(space, Role::Tenant))
			},
			Kind::TopUpBond => (Call::top_up_bond { member, amount }, root),
			Kind::SetMaxHeld => (Call::set_max_held { member, amount: max_held }, root),
			Kind::NominateRoot => {
				let nominee = self.draws.percent(85).then_some(account);
				let by = if self.draws.percent(60) { root } else { governance };
				(Call::nominate_root { member, created, nominee }, by)
			},
			Kind::AcceptRoot => {
				let nominee =
					info.and_then(|info| info.nomination).map_or(account, |it| it.nominee);
				(Call::accept_root { member, max_held }, By::Account(nominee))
			},
			Kind::PurgeMember => (Call::purge_member { member }, root),
			Kind::DeleteMember => (Call::delete_member { member }, root),
			Kind::SetProviderKey => {
				let admin = Some(ProviderLevel::Admin);
				let level = self.draws.pick(&[None, admin, admin, Some(ProviderLevel::Root)]);
				let known = level.is_none().then(|| self.key_account(provider)).flatten();
				let account = known.unwrap_or(account);
				(Call::set_provider_key { id: provider, account, level }, of_provider)
			},
			Kind::SetTenantKey => {
				let [read, content] = [TenantLevel::Read, TenantLevel::Content].map(Some);
				let [kms, admin] = [TenantLevel::Kms, TenantLevel::Admin].map(Some);
				let level = self.draws.pick(&[None, read, content, kms, admin, admin]);
				let known = level.is_none().then(|| self.key_account(tenant)).flatten();
				let account = known.unwrap_or(account);
				(Call::set_tenant_key { id: tenant, account, level }, of_tenant)
			},
			Kind::CreateNode => {
				(Call::create_node { provider, node, operator: account, locator }, of_provider)
			},
			Kind::ConfirmNode => {
				let pending = Nodes::<T>::iter().filter(|(.., info)| info.pending);
				let pending =
					self.draws.one_of(pending.map(|(provider, node, _)| (provider, node)));
				let pending = pending.filter(|_| self.draws.percent(85));
				let (provider, node) = pending.unwrap_or((provider, node));
				(Call::confirm_node { provider, node }, By::Operator(provider, node))
			},
			Kind::SetNodeLocator => {
				(Call::set_node_locator { provider, node, locator }, of_provider)
			},
			Kind::SetNodeOperator => {
				(Call::set_node_operator { provider, node, operator: account }, of_provider)
			},
			Kind::RemoveNode => (Call::remove_node { provider, node }, of_provider),
			Kind::AddKms => {
				let (operator, key) = (account, self.kms_key());
				(Call::add_kms { tenant, kms, operator, locator, key }, of_tenant)
			},
			Kind::SetKms => {
				let key = self.kms_key();
				(Call::set_kms { tenant, kms, locator, key }, By::KmsOperator(tenant, kms))
			},
			Kind::RemoveKms => (Call::remove_kms { tenant, kms }, of_tenant),
			Kind::CreateContentObject => {
				(Call::create_content_object { tenant, object }, of_tenant)
			},
			Kind::CommitVersions => self.commit(),
			Kind::FinalizeVersions => self.finalization(),
			Kind::AddCopies => self.addition(),
			Kind::RemoveCopies => self.removal(),
			Kind::SetHeadVersion => {
				let version = self.draws.percent(75).then_some(version);
				(Call::set_head_version { tenant, object, version }, of_tenant)
			},
			Kind::DeleteVersion => (Call::delete_version { tenant, object, version }, of_tenant),
			Kind::DeleteContentObject => {
				(Call::delete_content_object { tenant, object }, of_tenant)
			},
			Kind::CreateCollection => {
				let syntaxes = [RecordKeySyntax::Unreserved, RecordKeySyntax::PathSegment];
				let syntax = self.draws.pick(&syntaxes);
				let key_type = match self.draws.below(6) {
					0 => RecordKeyType::Tid,
					1 => RecordKeyType::Nsid,
					2 => RecordKeyType::Literal(bounded(self.draws.pick(&["self", "self", "a:b"]))),
					_ => RecordKeyType::Any,
				};
				(Call::create_collection { tenant, name: collection, key_type, syntax }, of_tenant)
			},
			Kind::DeleteCollection => {
				(Call::delete_collection { tenant, name: collection }, of_tenant)
			},
			Kind::PutRecords => (self.records(tenant, collection), of_tenant),
			Kind::DeleteRecords => {
				let len = self.list_len(4);
				let mut keys = vec![key; len.min(1)];
				while keys.len() < len {
					keys.push(self.new_key(None).unwrap_or_default());
				}
				(Call::delete_records { tenant, collection, keys: bounded(keys) }, of_tenant)
			},
			Kind::Slash => (Call::slash { member, created, amount, reason }, governance),
			Kind::SetSuspended => {
				let often = if info.is_some_and(|info| info.suspended) { 15 } else { 40 };
				let enabled = self.draws.percent(often);
				(Call::set_suspended { member, created, enabled, reason }, governance)
			},
			Kind::SetGovernanceDelete => {
				let often = if info.is_some_and(|info| info.governance_delete) { 20 } else { 90 };
				let enabled = self.draws.percent(often);
				(Call::set_governance_delete { member, created, enabled, reason }, governance)
			},
			Kind::GovernanceDeleteNode => {
				(Call::governance_delete_node { provider, created, node, reason }, governance)
			},
			Kind::GovernanceDeleteProviderKey => {
				let account = self.key_account(provider).unwrap_or(account);
				(
					Call::governance_delete_provider_key { id: provider, created, account, reason },
					governance,
				)
			},
			Kind::GovernanceDeleteTenantKey => {
				let account = self.key_account(tenant).unwrap_or(account);
				(
					Call::governance_delete_tenant_key { id: tenant, created, account, reason },
					governance,
				)
			},
			Kind::GovernanceDeleteKms => {
				(Call::governance_delete_kms { tenant, created, kms, reason }, governance)
			},
			Kind::GovernanceDeleteContentObject => (
				Call::governance_delete_content_object { tenant, created, object, reason },
				governance,
			),
			Kind::GovernanceDeleteVersion => (
				Call::governance_delete_version { tenant, created, object, version, reason },
				governance,
			),
			Kind::GovernanceDeleteCollection => (
				Call::governance_delete_collection { tenant, created, name: collection, reason },
				governance,
			),
			Kind::GovernanceDeleteRecord => (
				Call::governance_delete_record { tenant, created, collection, key, reason },
				governance,
			),
			Kind::GovernanceDelete => {
				(Call::governance_delete { member, created, slash: amount, reason }, governance)
			},
			Kind::Reap => {
				let few = [0, 1, 1, 2, 5, 10, 30];
				let many = [100, 100, 300, 1_000, 10_000, u32::MAX];
				let limit = self.draws.pick(&[&few[..], &many].concat());
				(Call::reap { member, limit }, By::Anyone)
			},
		}
	}

	fn records(&mut self, tenant: TenantId, collection: CollectionNameOf<T>) -> Call<T> {
		let key_type = Collections::<T>::get(tenant, &collection).map(|info| info.key_type);
		let len = self.list_len(T::MaxRecordsPerCall::get() as usize);
		let records = (0..len).map(|place| {
			let key = match len {
				// Long lists have keys of their own.
				20.. => Some(bounded(format!("key-{place}"))),
				_ => self.new_key(key_type.as_ref()),
			};
			let target = match self.draws.percent(30) {
				true => {
					let (object, version) = self.version(tenant);
					ContentRef { object, version: Some(version) }
				},
				false => ContentRef { object: self.object(tenant), version: None },
			};
			(key, target)
		});
		let records = bounded(records.collect::<Vec<_>>());
		Call::put_records { tenant, collection, records }
	}
}
