//! Events by what they are about, and all of them.

use std::collections::BTreeSet;

use codec::DecodeAll;
use content_fabric_identifiers::{KmsId, NodeId, ProviderId, SpaceId, TenantId};
use content_fabric_okvs::{disk::DiskError, tuple::Subspace, RangeOptions, Read};
use content_fabric_primitives::{MemberId, Role};

use super::page::{unreadable, Page, ReadError, Slice, MAX_SKIPPED};
use super::View;
use crate::{
	index::{
		error::Error,
		keys::{self, Incarnation, Part},
		BlockRow, EventRow,
	},
	rows::RowKey,
	source::Topic,
};

/// An event with its block.
#[derive(Clone, Debug, PartialEq)]
pub struct EventItem {
	/// The number of the block.
	pub number: u64,
	/// The block.
	pub block: BlockRow,
	/// The event.
	pub event: EventRow,
}

/// A choice of events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EventFilter {
	/// The space that they are about, or one of whose members they are about.
	pub space: Option<SpaceId>,
	/// The member that they are about.
	pub member: Option<MemberId>,
	/// Their names. All if there is none.
	pub kinds: BTreeSet<String>,
}

impl EventFilter {
	/// Returns true if all events are chosen.
	pub fn is_empty(&self) -> bool {
		*self == Self::default()
	}
}

impl<R: Read<Error = DiskError>> View<R> {
	/// Returns whether an event is chosen.
	pub fn is_chosen(&self, filter: &EventFilter, event: &EventRow) -> Result<bool, Error> {
		if !filter.kinds.is_empty() && !filter.kinds.contains(&event.name) {
			return Ok(false);
		}
		if let Some(member) = filter.member {
			if !event.topics.contains(&Topic::Member(member)) {
				return Ok(false);
			}
		}
		match filter.space {
			Some(space) => self.is_in(space, event),
			None => Ok(true),
		}
	}

	/// Returns whether an event is about a space or one of its present members.
	fn is_in(&self, space: SpaceId, event: &EventRow) -> Result<bool, Error> {
		if event.topics.contains(&Topic::Space(space)) {
			return Ok(true);
		}
		for topic in &event.topics {
			let Topic::Member(member) = topic else { continue };
			if self.member_row(*member)?.is_some_and(|row| row.space == space) {
				return Ok(true);
			}
		}
		Ok(false)
	}

	/// Returns the events of a topic that are chosen.
	pub fn history(
		&self,
		topic: &Topic,
		filter: &EventFilter,
		newest_first: bool,
		slice: &Slice,
	) -> Result<Page<EventItem>, ReadError> {
		self.events_in(&keys::topic(topic), filter, newest_first, slice)
	}

	/// Returns all events, the newest first.
	pub fn all_events(&self, slice: &Slice) -> Result<Page<EventItem>, ReadError> {
		self.events_in(&keys::part(Part::Event), &EventFilter::default(), true, slice)
	}

	/// Returns the events whose block and place are the items of keys.
	fn events_in(
		&self,
		keys: &Subspace,
		filter: &EventFilter,
		newest_first: bool,
		slice: &Slice,
	) -> Result<Page<EventItem>, ReadError> {
		let mut last: Option<(u64, BlockRow)> = None;
		let pairs = self.pairs(keys.prefix(), keys.prefix(), slice, newest_first)?;
		self.collect(slice, pairs, |(key, _)| {
			let (number, index) = keys.unpack::<(u64, u32)>(&key).map_err(unreadable)?;
			let Some(event) = self.event(number, index)? else { return Ok(None) };
			if !self.is_chosen(filter, &event)? {
				return Ok(None);
			}
			let block = match last {
				Some((last, block)) if last == number => Some(block),
				_ => self.block(number)?,
			};
			last = block.map(|block| (number, block));
			Ok(block.map(|block| EventItem { number, block, event }))
		})
	}

	/// Returns the providers that have or had a node of this id, among the present ones.
	///
	/// No order begins with the ids of nodes: this looks at each provider, up to a bound.
	pub fn providers_of(&self, node: NodeId) -> Result<Vec<ProviderId>, ReadError> {
		self.members_with(Role::Provider, |m, member| {
			let MemberId::Provider(provider) = member else { return Ok(None) };
			let is_there = self.stored(m, &RowKey::Node(provider, node))?.is_some()
				|| self.has_history(&Topic::Node(provider, node))?;
			Ok(is_there.then_some(provider))
		})
	}

	/// Returns the tenants that have or had a KMS of this id, among the present ones.
	pub fn tenants_of(&self, kms: KmsId) -> Result<Vec<TenantId>, ReadError> {
		self.members_with(Role::Tenant, |m, member| {
			let MemberId::Tenant(tenant) = member else { return Ok(None) };
			let is_there = self.stored(m, &RowKey::Kms(tenant, kms))?.is_some()
				|| self.has_history(&Topic::Kms(tenant, kms))?;
			Ok(is_there.then_some(tenant))
		})
	}

	fn has_history(&self, topic: &Topic) -> Result<bool, Error> {
		let options = RangeOptions::default().limit(1);
		let first = self.read.range_with(keys::topic(topic).prefix(), options)?.next();
		Ok(first.transpose()?.is_some())
	}

	/// Passes the present members of a role to `select`, up to a bound.
	pub(crate) fn members_with<T>(
		&self,
		role: Role,
		mut select: impl FnMut(Incarnation, MemberId) -> Result<Option<T>, Error>,
	) -> Result<Vec<T>, ReadError> {
		let number: u8 = match role {
			Role::Provider => 0,
			Role::Tenant => 1,
		};
		let start = keys::part(Part::Incarnation);
		let members = start.subspace(&(number,));
		let options = RangeOptions::default().limit(MAX_SKIPPED);
		let mut selected = Vec::new();
		for pair in self.read.range_with(members.prefix(), options)? {
			self.check_time()?;
			let (key, m) = pair?;
			let member = keys::member_of(start.unpack(&key).map_err(unreadable)?);
			let m = u64::decode_all(&mut &m[..]).map_err(unreadable)?;
			selected.extend(select(m, member)?);
		}
		Ok(selected)
	}
}
