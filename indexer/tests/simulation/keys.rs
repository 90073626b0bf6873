// SPDX-License-Identifier: Apache-2.0
//! Comparisons of the keys of the index with the chain, once all blocks are final and the rows of
//! ended incarnations are removed.

use std::{
	cmp::Reverse,
	collections::{BTreeMap, BTreeSet},
	rc::Rc,
};

use codec::DecodeAll;
use content_fabric_client::chain::rows::Record;
use content_fabric_identifiers::SpaceId;
use content_fabric_indexer::{
	index::{
		view::{RecordOrder, Slice},
		View, HOUR,
	},
	rows::{Map, RowKey},
	source::FabricEvent,
};
use content_fabric_okvs::{
	disk::DiskDatabase,
	tuple::{unpack, Element, Subspace},
	Database, Read,
};

use crate::{
	chain::{Block, Chain},
	check::{words, Result},
	fabric::Fabric,
};

/// Numbers of parts of the index.
const INCARNATIONS: u8 = 1;
const MEMBERS: u8 = 2;
const ROWS: u8 = 3;
const COUNTS: u8 = 4;
const SUMS: u8 = 5;
const TOTALS: u8 = 6;
const ENDED: u8 = 11;

type Pairs = Vec<(Vec<u8>, Vec<u8>)>;
type Sums = BTreeMap<Option<SpaceId>, [u64; Map::ALL.len()]>;

/// Compares the keys with the last block. If the index has all blocks since one, their totals are
/// compared, too.
pub fn check(database: &DiskDatabase, chain: &Chain, since: Option<u64>) -> Result {
	let read = database.begin_read().map_err(words)?;
	let fabric = &chain.last().fabric;
	if let Some((key, _)) = pairs(&read, ENDED)?.first() {
		return Err(format!("key 0x{} is left", hex::encode(key)));
	}
	let incarnations = pairs(&read, INCARNATIONS)?;
	let incarnations: BTreeSet<_> = incarnations
		.iter()
		.map(|(_, value)| u64::decode_all(&mut &value[..]).map_err(words))
		.collect::<Result<_>>()?;
	let present = fabric.keys().filter_map(RowKey::as_member).count();
	let known = numbers(&pairs(&read, MEMBERS)?, 1)?;
	if incarnations != known || incarnations.len() != present {
		return Err(format!("{present} members have incarnations {incarnations:?} and {known:?}"));
	}
	let rows = pairs(&read, ROWS)?;
	let expected = fabric.keys().filter(|key| fabric.is_indexed(key)).count();
	if rows.len() != expected {
		return Err(format!("{} rows are there, and {expected} on the chain", rows.len()));
	}
	let counts = pairs(&read, COUNTS)?;
	for (of, place) in [(&rows, 2), (&counts, 1)] {
		let strange = numbers(of, place)?.into_iter().find(|m| *m != 0 && !known.contains(m));
		if let Some(m) = strange {
			return Err(format!("keys of incarnation {m} are left"));
		}
	}
	// The chain's own counts are compared with each of them by `View::verify`.
	let mut counted = 0;
	for (_, value) in &counts {
		counted += u64::decode_all(&mut &value[..]).map_err(words)?;
	}
	if counted != rows.len() as u64 {
		return Err(format!("{counted} rows are counted, and {} are there", rows.len()));
	}
	compare_sums(&pairs(&read, SUMS)?, &sums(fabric))?;
	if let Some(since) = since {
		compare_totals(&pairs(&read, TOTALS)?, chain, since)?;
	}
	Ok(())
}

/// Returns the pairs of a part.
fn pairs(read: &impl Read, part: u8) -> Result<Pairs> {
	let pairs = read.range(Subspace::new(&(part,)).prefix()).map_err(|_| "no range")?;
	pairs
		.map(|pair| pair.map(|(key, value)| (key.to_vec(), value.to_vec())))
		.collect::<std::result::Result<_, _>>()
		.map_err(|_| "no pair".into())
}

/// Returns the numbers at a place of the keys.
fn numbers(pairs: &Pairs, place: usize) -> Result<BTreeSet<u64>> {
	let number = |(key, _): &(Vec<u8>, Vec<u8>)| {
		let items: Vec<Element<'_>> = unpack(key).map_err(words)?;
		match items.get(place) {
			Some(Element::Int(number)) => u64::try_from(*number).map_err(words),
			other => Err(format!("{other:?} is not an incarnation")),
		}
	};
	pairs.iter().map(number).collect()
}

/// Returns the space that a row counts in.
fn space_of(fabric: &Fabric, key: &RowKey) -> Option<SpaceId> {
	match key {
		RowKey::Space(space) | RowKey::Admission(space, ..) => Some(*space),
		_ => {
			let member = key.as_member().or(key.parent())?;
			fabric.member(member).map(|member| member.space)
		},
	}
}

/// Returns the numbers of rows by space, and of all.
fn sums(fabric: &Fabric) -> Sums {
	let mut sums = Sums::new();
	for key in fabric.keys().filter(|key| fabric.is_indexed(key)) {
		let space = space_of(fabric, key);
		for space in BTreeSet::from([None, space]) {
			sums.entry(space).or_default()[usize::from(key.map().number())] += 1;
		}
	}
	sums
}

fn compare_sums(pairs: &Pairs, expected: &Sums) -> Result {
	let mut found = Sums::new();
	for (key, value) in pairs {
		let (space,) = Subspace::new(&(SUMS,)).unpack::<(Option<SpaceId>,)>(key).map_err(words)?;
		let sums = <[u64; Map::ALL.len()]>::decode_all(&mut &value[..]).map_err(words)?;
		// Sums of spaces that were deleted stay.
		if sums != <[u64; Map::ALL.len()]>::default() {
			found.insert(space, sums);
		}
	}
	match found == *expected {
		true => Ok(()),
		false => Err(format!("the sums are {found:?} in the index, and {expected:?} on the chain")),
	}
}

/// Rows, members and commits of a space.
type Total = (u64, u64, u64);

/// Returns the final block with a number, up to the last one.
fn final_block(chain: &Chain, number: u64) -> Result<&Block> {
	let block = chain.numbered(number).map(Rc::as_ref);
	block.ok_or_else(|| format!("there is no block {number}"))
}

/// Compares the totals by hour with the totals of the blocks since one.
fn compare_totals(pairs: &Pairs, chain: &Chain, since: u64) -> Result {
	let mut found = BTreeMap::new();
	for (key, value) in pairs {
		let at = Subspace::new(&(TOTALS,)).unpack::<(Option<SpaceId>, u64)>(key).map_err(words)?;
		found.insert(at, Total::decode_all(&mut &value[..]).map_err(words)?);
	}
	let last = chain.last().number();
	let mut before = sums(&final_block(chain, since - 1)?.fabric);
	let mut commits = BTreeMap::<Option<SpaceId>, u64>::new();
	for number in since..=last {
		let block = final_block(chain, number)?;
		count_commits(block, &mut commits);
		let hour = block.events.time / HOUR;
		if number < last && final_block(chain, number + 1)?.events.time / HOUR == hour {
			continue;
		}
		let after = sums(&block.fabric);
		let spaces: BTreeSet<_> = before.keys().chain(after.keys()).chain(commits.keys()).collect();
		for space in spaces {
			let now = after.get(space).copied().unwrap_or_default();
			let commits = commits.get(space).copied().unwrap_or_default();
			let members =
				now[usize::from(Map::Providers.number())] + now[usize::from(Map::Tenants.number())];
			let expected = (now.iter().sum(), members, commits);
			let is_changed = before.get(space).copied().unwrap_or_default() != now || commits > 0;
			let total = found.remove(&(*space, hour));
			if total.map_or(is_changed, |total| total != expected) {
				return Err(format!(
					"the totals of {space:?} in hour {hour} are {total:?}, and {expected:?} on the \
					 chain"
				));
			}
		}
		(before, commits) = (after, BTreeMap::new());
	}
	// A space may come and go within an hour.
	let strange = found.into_iter().find(|(_, total)| *total != Total::default());
	strange.map_or(Ok(()), |strange| Err(format!("the totals {strange:?} are of no block")))
}

/// Compares what the index adds to records: the block of their puts, and their order by the time of
/// these.
pub fn compare_puts(view: &View<'_>, chain: &Chain, since: u64) -> Result {
	let last = chain.last();
	let mut puts = BTreeMap::new();
	for number in since..=last.number() {
		for event in &final_block(chain, number)?.events.events {
			if let FabricEvent::RecordPut { tenant, collection, key, .. } = event.event.clone() {
				puts.insert(RowKey::Record(tenant, collection, key), number);
			}
		}
	}
	let mut orders = BTreeMap::<_, BTreeMap<_, _>>::new();
	for at in last.fabric.keys().filter(|key| last.fabric.is_indexed(key)) {
		let RowKey::Record(tenant, name, key) = at else { continue };
		let row: Record = last.fabric.get(at).ok_or("no record")?;
		orders.entry((*tenant, name)).or_default().insert(Reverse(row.updated), key.clone());
		let record = view.record(*tenant, &name.raw(), &key.raw()).map_err(words)?;
		let record = record.ok_or_else(|| format!("{at:?} is not found"))?;
		let (expected, found) = (puts.get(at).copied(), record.put_in);
		if found != expected {
			return Err(format!("{at:?} was put in {expected:?}, and in {found:?} in the index"));
		}
	}
	let newest = RecordOrder::Newest { times: 0..u64::MAX };
	let all = Slice { after: None, limit: usize::MAX };
	for ((tenant, name), keys) in orders {
		let page = view.records(tenant, &name.raw(), &newest, &all).map_err(words)?;
		let found = page.ok_or("no collection")?.items.into_iter().map(|record| record.key);
		if !found.eq(keys.into_values()) {
			return Err(format!("the records of {name} of {tenant} are not the newest first"));
		}
	}
	Ok(())
}

/// Adds the commits of a block. Commits of tenants that were deleted in it are in no space.
fn count_commits(block: &Block, commits: &mut BTreeMap<Option<SpaceId>, u64>) {
	for event in &block.events.events {
		let FabricEvent::VersionCommitted { tenant, .. } = &event.event else { continue };
		if let Some(member) = block.fabric.member((*tenant).into()) {
			*commits.entry(None).or_default() += 1;
			*commits.entry(Some(member.space)).or_default() += 1;
		}
	}
}
