// SPDX-License-Identifier: Apache-2.0
//! Copies that are at risk, and copies for audits.

use std::{
	collections::{BTreeMap, BTreeSet},
	ops::Bound,
};

use content_fabric_client::{
	chain::rows,
	content_node::{Claim, Sample},
};
use content_fabric_identifiers::{
	ContentObjectId, Medallion, Muid, NodeId, ProviderId, TenantId, VersionId,
};
use content_fabric_okvs::{
	tuple::{pack, unpack},
	tuple_store::{Constraint, Free},
	RangeOptions,
};

use super::{
	page::{Owners, MAX_SKIPPED},
	versions::CopyItem,
	Found, Name, Page, Slice, View,
};
use crate::{
	index::{
		error::Result,
		keys::Incarnation,
		orders::{Stored, ASKED, HELD, STORES},
		read::Owner,
	},
	rows::RowKey,
};

/// Time in milliseconds after which a copy that a node was asked for is missing.
pub const MISSING_AFTER: u64 = 3_600_000;
/// Number of copies after a random one, from which another random number selects: the ids of
/// versions are not evenly spread, and a node must not know which ones are rarely chosen.
const WINDOW: usize = 32;

/// Random numbers that select bytes of a copy.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chance {
	/// The version from which the copy is looked for.
	pub version: [u8; 32],
	/// The place of the copy after it.
	pub place: u64,
	/// The bytes of the copy.
	pub bytes: u64,
}

/// Copies that audits found to fail, by the medallions of their nodes.
pub type Failing = BTreeMap<u64, FailingCopies>;

/// The copies of a node that fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailingCopies {
	/// All that it holds.
	All,
	/// The copies of these versions.
	These(BTreeSet<VersionId>),
}

impl FailingCopies {
	/// Returns whether none fails.
	pub fn is_empty(&self) -> bool {
		matches!(self, Self::These(versions) if versions.is_empty())
	}
}

/// A kind of copies at risk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Risk {
	/// Copies that a node was asked for more than an hour ago and does not hold, and copies of nodes
	/// that are gone.
	Missing,
	/// Copies that nodes hold by their rows, and that failed audits.
	Failing(Failing),
}

/// Selects copies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CopyFilter {
	/// Only copies of versions of this tenant.
	pub tenant: Option<TenantId>,
	/// Only copies at nodes of this provider.
	pub provider: Option<ProviderId>,
	/// Only copies at nodes with this id.
	pub node: Option<NodeId>,
}

/// A copy in a list over all nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CopyRefItem {
	/// The tenant.
	pub tenant: TenantId,
	/// The content object.
	pub object: ContentObjectId,
	/// The version.
	pub version: VersionId,
	/// The muid of its commit.
	pub committed: Muid,
	/// The copy.
	pub copy: CopyItem,
	/// When a node was last asked for a copy of the version, in milliseconds since the Unix epoch.
	pub asked: u64,
	/// Records that lead to the version, at most [`MAX_NAMES`](super::MAX_NAMES).
	pub names: Vec<Name>,
}

/// A place in a list: medallion, [`HELD`] or [`ASKED`], version, incarnation, content object.
type Place = (u64, u8, VersionId, Incarnation, ContentObjectId);

/// Returns the place after all copies of a node.
const fn end_of(medallion: u64) -> Place {
	(medallion, u8::MAX, VersionId([0xff; 32]), Incarnation::MAX, ContentObjectId([0xff; 10]))
}

/// The copies of a node that a list may have.
struct Group {
	medallion: u64,
	/// The node, if it exists.
	present: Option<(ProviderId, NodeId)>,
	/// Their states and versions.
	ranges: Vec<(u8, Option<VersionId>)>,
}

impl View<'_> {
	/// Returns copies at risk, by the medallions of their nodes and by version.
	pub fn copies_at_risk(
		&self,
		risk: &Risk,
		filter: CopyFilter,
		slice: &Slice,
	) -> Result<Page<CopyRefItem>> {
		let mut page = Page { items: Vec::new(), next: None };
		let m = match filter.tenant {
			None => None,
			Some(tenant) => match self.present(tenant)? {
				None => return Ok(page),
				m => m,
			},
		};
		let mut owners = Owners::new(self);
		let after: Option<Place> = slice.after.as_deref().and_then(|place| unpack(place).ok());
		let now = self.block(self.state().last.number)?.map_or(0, |block| block.time);
		let (mut last, mut looked) = (after, 0);
		let mut next = Some(after.map_or(0, |place| place.0));
		while let Some(group) = match next {
			Some(from) => self.group(&mut owners, risk, m, from)?,
			None => None,
		} {
			let medallion = group.medallion;
			next = medallion.checked_add(1);
			let ranges = match group.present {
				Some(node) if !filter.has(node) => &[][..],
				_ => &group.ranges,
			};
			for (state, version) in ranges {
				for row in self.copies_of(medallion, *state, *version, m, last)? {
					let place = row?;
					if Some(place) <= after {
						continue;
					}
					let is_full = page.items.len() >= slice.limit || looked >= MAX_SKIPPED;
					if is_full || (last > after && self.is_late()) {
						page.next = last.map(|place| pack(&place));
						return Ok(page);
					}
					self.check_time()?;
					looked += 1;
					last = Some(place);
					let item = self.copy_ref(&mut owners, place, group.present.is_some())?;
					let is_selected = |item: &CopyRefItem| {
						let is_due = matches!(risk, Risk::Failing(_))
							|| !item.copy.is_present
							|| now.saturating_sub(item.asked) >= MISSING_AFTER;
						is_due && filter.has((item.copy.copy.provider, item.copy.copy.node))
					};
					page.items.extend(item.filter(is_selected));
				}
			}
			looked += 1;
			last = Some(end_of(medallion));
			self.check_time()?;
			if looked >= MAX_SKIPPED || self.is_late() {
				page.next = last.map(|place| pack(&place));
				return Ok(page);
			}
		}
		Ok(page)
	}

	/// Returns the first node from a medallion on whose copies a list may have.
	fn group(
		&self,
		owners: &mut Owners<'_>,
		risk: &Risk,
		m: Option<Incarnation>,
		from: u64,
	) -> Found<Group> {
		let (medallion, ranges) = match risk {
			Risk::Missing => {
				let from = Constraint::within(&(from..));
				let pattern = (from, Free, Free, of_tenant(m), Free);
				let options = RangeOptions::default().limit(1);
				let Some(row) = STORES.states.query(&self.read, &pattern, options)?.next() else {
					return Ok(None);
				};
				(row?.item(0)?, vec![(HELD, None), (ASKED, None)])
			},
			Risk::Failing(failing) => {
				let Some((medallion, copies)) = failing.range(from..).next() else {
					return Ok(None);
				};
				let ranges = match copies {
					FailingCopies::All => vec![(HELD, None)],
					FailingCopies::These(versions) => {
						versions.iter().map(|version| (HELD, Some(*version))).collect()
					},
				};
				(*medallion, ranges)
			},
		};
		let present = self.node_with(owners, medallion)?;
		let ranges = match (risk, present) {
			// Copies that it holds are not missing.
			(Risk::Missing, Some(_)) => vec![(ASKED, None)],
			(Risk::Failing(_), None) => Vec::new(),
			_ => ranges,
		};
		Ok(Some(Group { medallion, present, ranges }))
	}

	/// Returns the node that exists with a medallion.
	fn node_with(&self, owners: &mut Owners<'_>, medallion: u64) -> Found<(ProviderId, NodeId)> {
		let options = RangeOptions::default();
		for row in STORES.medallions.query(&self.read, &(medallion, Free, Free), options)? {
			let row = row?;
			let Some(provider) = owners.get(row.item(1)?)?.and_then(Owner::provider) else {
				continue;
			};
			return Ok(Some((provider, row.item(2)?)));
		}
		Ok(None)
	}

	/// Returns the places of copies of a node, from the version of a place on.
	fn copies_of(
		&self,
		medallion: u64,
		state: u8,
		version: Option<VersionId>,
		m: Option<Incarnation>,
		after: Option<Place>,
	) -> Result<impl Iterator<Item = Result<Place>> + use<'_>> {
		let versions = match (version, after) {
			(Some(version), _) => Constraint::bound(&version),
			(None, Some(after)) if (after.0, after.1) == (medallion, state) => {
				Constraint::within(&(after.2..))
			},
			(None, _) => Constraint::within(&(Bound::<VersionId>::Unbounded, Bound::Unbounded)),
		};
		let pattern = (medallion, state, versions, of_tenant(m), Free);
		let rows = STORES.states.query(&self.read, &pattern, RangeOptions::default())?;
		Ok(rows.map(|row| {
			let row = row?;
			Ok((row.item(0)?, row.item(1)?, row.item(2)?, row.item(3)?, row.item(4)?))
		}))
	}

	fn copy_ref(
		&self,
		owners: &mut Owners<'_>,
		(medallion, _, version, m, object): Place,
		is_present: bool,
	) -> Found<CopyRefItem> {
		let Some((tenant, stored)) = self.version_of(owners, m, object, version)? else {
			return Ok(None);
		};
		let Stored { row, put } = stored;
		let row: rows::Version = row.value.try_into()?;
		let mut copies = row.copies.iter();
		let Some(copy) = copies.find(|copy| copy.medallion.get() == medallion) else {
			return Ok(None);
		};
		let asked = match put {
			Some(block) => self.block(block)?.map(|block| block.time),
			None => None,
		};
		let committed = row.committed;
		Ok(Some(CopyRefItem {
			tenant,
			object,
			version,
			committed,
			copy: CopyItem { copy: *copy, is_present },
			asked: asked.unwrap_or(committed.timestamp() / 1_000),
			names: self.leading_to(m, tenant, object, version)?,
		}))
	}

	/// Returns the row of a version, with its tenant, if that exists.
	fn version_of(
		&self,
		owners: &mut Owners<'_>,
		m: Incarnation,
		object: ContentObjectId,
		version: VersionId,
	) -> Found<(TenantId, Stored)> {
		let Some(tenant) = owners.get(m)?.and_then(Owner::tenant) else { return Ok(None) };
		let stored = self.stored(m, &RowKey::Version(tenant, object, version))?;
		Ok(stored.map(|stored| (tenant, stored)))
	}

	/// Returns bytes for an audit of a node: of a version that it holds, or of one that chance
	/// selects among those. `None` if it holds none that can be audited. Reads a bounded number of
	/// rows, however many copies the node holds.
	pub fn sample(
		&self,
		medallion: Medallion,
		version: Option<VersionId>,
		chance: Chance,
	) -> Found<Sample> {
		let mut owners = Owners::new(self);
		let from = VersionId(chance.version);
		let versions = match version {
			Some(version) => vec![Constraint::bound(&version)],
			// After the last version comes the first one.
			None => vec![Constraint::within(&(from..)), Constraint::within(&(..from))],
		};
		let mut copies = Vec::new();
		for versions in versions {
			let pattern = (medallion.get(), HELD, versions, Free, Free);
			let options = RangeOptions::default().limit(WINDOW - copies.len());
			for row in STORES.states.query(&self.read, &pattern, options)? {
				let row = row?;
				copies.push((row.item(2)?, row.item(3)?, row.item(4)?));
			}
			if copies.len() >= WINDOW {
				break;
			}
		}
		let number = u64::try_from(copies.len()).unwrap_or(u64::MAX).max(1);
		copies.rotate_left(usize::try_from(chance.place % number).unwrap_or_default());
		for (version, m, object) in copies {
			let Some((_, stored)) = self.version_of(&mut owners, m, object, version)? else {
				continue;
			};
			let row: rows::Version = stored.row.value.try_into()?;
			if let Some(sample) = Sample::of(version, Claim::of(version, &row), chance.bytes) {
				return Ok(Some(sample));
			}
		}
		Ok(None)
	}
}

impl CopyFilter {
	/// Returns whether the copies of a node are selected.
	fn has(&self, (provider, node): (ProviderId, NodeId)) -> bool {
		self.provider.is_none_or(|wanted| wanted == provider)
			&& self.node.is_none_or(|wanted| wanted == node)
	}
}

fn of_tenant(m: Option<Incarnation>) -> Constraint {
	m.map_or(Constraint::free(), |m| Constraint::bound(&m))
}
