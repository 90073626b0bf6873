// SPDX-License-Identifier: Apache-2.0
//! Purges, and the steps by which they proceed.

use content_fabric_client::{
	chain::rows::{Member, Purge, PurgeScope},
	text::Text,
};
use content_fabric_indexer::{
	rows::{Map, RowKey},
	source::FabricEvent as E,
};
use content_fabric_primitives::MemberId;

use super::{
	block::Making,
	members::{self, recreate},
};

pub fn governance_delete(making: &mut Making<'_>) -> Option<()> {
	let (id, member) = members::some(making)?;
	let rows = member.row_count();
	match rows {
		0 => members::remove(making, id, &member),
		_ => start(making, id, PurgeScope::Member),
	}
	let (Member { space, created, bond, .. }, reason) = (member, Text::default());
	making.deposit(E::GovernanceDeleted { member: id, created, reason: reason.clone() });
	if making.chance(0.5) {
		making.deposit(E::Slashed { member: id, created, amount: bond, bond: 0, reason });
	}
	match rows {
		0 => {
			making.deposit(E::Purged { member: id, space, created });
			recreate(making, id);
		},
		_ => making.deposit(E::PurgeStarted { member: id, created, rows }),
	}
	Some(())
}

pub fn purge(making: &mut Making<'_>) -> Option<()> {
	let (id, member) = members::some(making)?;
	if member.row_count() == 0 || member.purge.is_some() {
		return None;
	}
	start(making, id, PurgeScope::Rows);
	let (created, rows) = (member.created, member.row_count());
	making.deposit(E::PurgeStarted { member: id, created, rows });
	Some(())
}

/// Closes a member. A purge that is under way keeps its place.
fn start(making: &mut Making<'_>, id: MemberId, scope: PurgeScope) {
	making.update(id, |member| {
		member.purge = Some(scope);
		if scope == PurgeScope::Member {
			(member.bond, member.own_deposit, member.deposit) = (0, 0, 0);
		}
	});
	if !making.fabric.has(&RowKey::Purge(id)) {
		let place = making.fabric.next_place();
		let rows = making.fabric.member(id).map_or(0, |member| member.row_count());
		let started = making.number;
		let purge = Purge { started, place, rows, cursor: Vec::new(), cursor_block: started };
		making.put(RowKey::Purge(id), purge);
	}
}

/// Lets anyone remove rows of a member that is being purged.
pub fn reap(making: &mut Making<'_>) -> Option<()> {
	let (_, (id,)) = making.some(Map::Purges)?;
	let limit = making.below(30) + 1;
	let ended = step(making, id, limit.into())?;
	// Whatever the purge has freed may be used in the same block.
	if ended && !making.fabric.has(&RowKey::member(id)) {
		recreate(making, id);
	}
	Some(())
}

/// Continues the purges at the end of a block, in the order of the queue.
pub fn run(making: &mut Making<'_>) {
	let mut room = match making.below(3) {
		0 => 0,
		1 => 3,
		_ => 40,
	};
	while room > 0 {
		let Some((_, id)) = making.fabric.queue().pop_first() else { return };
		let before = making.fabric.children(id).len();
		if step(making, id, room) != Some(true) {
			return;
		}
		room = room.saturating_sub(before);
	}
}

/// Removes at most `limit` rows. Returns whether the purge has ended. `None` if it was started in
/// this block.
fn step(making: &mut Making<'_>, id: MemberId, limit: usize) -> Option<bool> {
	let purge: Purge = making.fabric.get(&RowKey::Purge(id))?;
	let member = making.fabric.member(id)?;
	let scope = member.purge?;
	if purge.started >= making.number {
		return None;
	}
	let mut counts = member.clone();
	for key in making.fabric.children(id).into_iter().take(limit) {
		making.fabric.remove(&key);
		members::add(&mut counts, key.map(), -1);
	}
	let ended = counts.row_count() == 0;
	let rows_left = counts.row_count();
	let removed = member.row_count() - rows_left;
	making.deposit(E::PurgeProgressed { member: id, removed, rows_left });
	if !ended {
		making.put(RowKey::Purge(id), purge);
		making.update(id, |member| member.rows = counts.rows);
		return Some(false);
	}
	making.fabric.remove(&RowKey::Purge(id));
	match scope {
		PurgeScope::Rows => making.update(id, |member| {
			member.rows = counts.rows;
			member.purge = None;
			member.deposit = 0;
		}),
		PurgeScope::Member => {
			members::remove(making, id, &member);
			making.deposit(E::Purged { member: id, space: member.space, created: member.created });
		},
	}
	Some(true)
}
