// SPDX-License-Identifier: Apache-2.0
//! Records of all tenants, by the start of their keys and by words in them.

use std::{borrow::Cow, collections::BTreeSet};

use content_fabric_identifiers::{SpaceId, TenantId};
use content_fabric_okvs::{
	successor,
	tuple::{pack, unpack},
	tuple_store::{Free, Prefix},
	RangeOptions, Read,
};

use super::page::{Owners, MAX_SKIPPED};
use super::{Found, Name, Page, RecordItem, Slice, View};
use crate::index::{error::Result, folded::Folded, keys::text, orders::STORES, read::Owner};

/// Largest number of words of a query.
pub const MAX_WORDS: usize = 8;

/// A choice of names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NameFilter {
	/// The space of their tenants.
	pub space: Option<SpaceId>,
	/// Their tenant.
	pub tenant: Option<TenantId>,
}

impl NameFilter {
	/// Returns the tenant of an incarnation if its names are chosen.
	fn tenant_of(&self, owner: Option<Owner>) -> Option<TenantId> {
		let owner = owner?;
		let tenant = owner.tenant()?;
		let chosen = self.space.is_none_or(|chosen| chosen == owner.space)
			&& self.tenant.is_none_or(|chosen| chosen == tenant);
		chosen.then_some(tenant)
	}
}

impl View<'_> {
	/// Returns the records whose names begin with a text, ignoring case, in the order of their
	/// folded names.
	pub fn names_by_prefix(
		&self,
		prefix: &str,
		filter: NameFilter,
		slice: &Slice,
	) -> Result<Page<RecordItem>> {
		let prefix = Folded::new(prefix);
		let pattern = (Prefix(prefix.as_bytes()), Free, Free, Free);
		let mut owners = Owners::new(self);
		let rows = self.found(&STORES.names, &pattern, slice, false)?;
		self.collect(slice, rows, |row| {
			let m = row.item(1)?;
			match filter.tenant_of(owners.get(m)?) {
				Some(tenant) => self.record_of(m, tenant, Name::of(&row, 2)?),
				None => Ok(None),
			}
		})
	}

	/// Returns the records whose keys have all words, at most [`MAX_WORDS`], tenant by tenant in
	/// the order of their keys.
	///
	/// The places of each word are in the same order. This goes through all of them at once, from
	/// each to the first place of the next word that is not before it.
	pub fn names_by_words(
		&self,
		query: &str,
		filter: NameFilter,
		slice: &Slice,
	) -> Result<Page<RecordItem>> {
		let mut page = Page { items: Vec::new(), next: None };
		let words = query.split_whitespace().flat_map(|word| Folded::new(word).words());
		let words: Vec<_> = words.collect::<BTreeSet<_>>().into_iter().collect();
		if words.is_empty() {
			return Ok(page);
		}
		let space = STORES.words.subspace();
		let starts: Vec<_> = words.iter().map(|word| space.pack(&(0_u8, &word[..]))).collect();
		// A place is the packed incarnation, collection and key that is the first candidate.
		let within = match filter.tenant {
			Some(tenant) => match self.present(tenant)? {
				Some(m) => pack(&(m,)),
				None => return Ok(page),
			},
			None => Vec::new(),
		};
		let mut candidate = slice.after.clone().unwrap_or_default().max(within.clone());
		let mut owners = Owners::new(self);
		let (mut agreeing, mut skipped) = (0, 0);
		for start in starts.iter().cycle() {
			if page.items.len() >= slice.limit || skipped >= MAX_SKIPPED {
				page.next = Some(candidate);
				return Ok(page);
			}
			self.check_time()?;
			skipped += 1;
			let Some(place) = self.first_from(start, &candidate)? else { break };
			if !place.starts_with(&within) {
				break;
			}
			match place == candidate {
				true => agreeing += 1,
				false => (candidate, agreeing) = (place, 1),
			}
			if agreeing == starts.len() {
				let (m, collection, key): (_, Cow<'_, [u8]>, _) = unpack(&candidate)?;
				if let Some(tenant) = filter.tenant_of(owners.get(m)?) {
					let name = Name { collection: text(collection), key: text(key) };
					page.items.extend(self.record_of(m, tenant, name)?);
				}
				// The next place after this one.
				candidate.push(0);
				agreeing = 0;
			}
		}
		Ok(page)
	}

	/// Returns the first key that begins with `start` and goes on with `place` or more. It is
	/// returned without `start`.
	fn first_from(&self, start: &[u8], place: &[u8]) -> Found<Vec<u8>> {
		let (from, end) = ([start, place].concat(), successor(start));
		let options = RangeOptions::default().limit(1);
		let pair = self.read.range_between(&from, end.as_deref(), options)?.next().transpose()?;
		Ok(pair.and_then(|(key, _)| key.get(start.len()..).map(<[u8]>::to_vec)))
	}
}
