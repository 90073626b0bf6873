// SPDX-License-Identifier: Apache-2.0
//! Follows the finalized blocks, so that the record has the rows of the chain.

use std::collections::HashSet;

use content_fabric_client::{
	chain::{
		rows::{self, Version},
		BlockEvent, ChainEvent, Error as ChainError, FabricEvent, Snapshot, Wait,
	},
	text::count,
};
use content_fabric_identifiers::{ContentObjectId, Muid, VersionId};
use content_fabric_primitives::MemberId;
use tokio::time::sleep;
use tracing::{info, warn};

use super::{copies::Standing, Fabric, Link, LONG_PAUSE, PAUSE};
use crate::{
	error::Error,
	keep::{KeepError, Row, VersionKey},
	now_seconds,
};

/// Number of rows that are written in one transaction.
const STEP: usize = 1_000;
/// Number of missed blocks that are read one by one. After more, everything is compared.
/// Nodes keep the states of the last 256 by default.
const CATCH_UP: u64 = 200;

impl Fabric {
	/// Follows the chain without end: compares everything first, and connects again when it must.
	pub async fn keep_following(&self) {
		let mut must_compare = true;
		loop {
			let result = match self.link() {
				Ok(link) => self.follow(&link, &mut must_compare).await,
				// There has been no connection yet, and the reason is known.
				Err(_) => Ok(()),
			};
			self.followed.send_replace(None);
			if let Err(error) = result {
				if matches!(error, Error::Keep(KeepError::CreatedAgain { .. })) {
					// The next connection hands the record to the new node.
					self.link.send_replace(None);
				} else if error.is_unfit_chain() || error.is_other_origin() {
					// The connection is not at fault.
					self.problem.report(&error);
					sleep(PAUSE).await;
					continue;
				}
				// A block that cannot be read now, such as one that is pruned, is left out.
				must_compare |= !matches!(&error, Error::Chain(error) if error.is_connection());
				self.problem.report(&error);
			}
			sleep(PAUSE).await;
			if let Err(error) = self.reconnect().await {
				self.problem.report(&error);
				if error.is_unfit_chain() || error.is_other_origin() {
					sleep(LONG_PAUSE).await;
				}
			}
		}
	}

	async fn follow(&self, link: &Link, must_compare: &mut bool) -> Result<(), Error> {
		let chain = &link.chain;
		let mut blocks = chain.blocks(Wait::Finalized).await?;
		let at = chain.finalized().await?;
		self.ensure_followed(chain, &at).await?;
		self.ensure_same_node(link).await?;
		let last = self.keep.block()?;
		let missed = last.map(|last| at.block_number().saturating_sub(last));
		let mut last = match last.filter(|_| !*must_compare && missed <= Some(CATCH_UP)) {
			Some(last) => last,
			None => {
				self.compare(link, &at).await?;
				*must_compare = false;
				at.block_number()
			},
		};
		let (mut seen, mut balance) = (None, None);
		self.watch_funds(link, &at, &mut balance).await?;
		self.compare_clocks(link, &mut seen).await?;
		self.problem.end();
		self.note_followed(last, &at).await?;
		loop {
			let next = blocks.next().await?;
			self.ensure_same_node(link).await?;
			while last + 1 < next.block_number() {
				let hash = chain.block_hash(last + 1).await?;
				let hash = hash.ok_or(ChainError::Disconnected)?;
				self.apply(link, &chain.at(hash).await?).await?;
				last += 1;
			}
			if next.block_number() > last {
				self.apply(link, &next).await?;
				last = next.block_number();
			}
			self.watch_funds(link, &next, &mut balance).await?;
			self.compare_clocks(link, &mut seen).await?;
			self.note_followed(last, &next).await?;
		}
	}

	/// Records what a finalized block has changed.
	async fn apply(&self, link: &Link, at: &Snapshot) -> Result<(), Error> {
		let mut changed = HashSet::new();
		for BlockEvent { event, .. } in link.chain.fabric_events(at).await? {
			let ChainEvent { name, fabric, .. } = event;
			match fabric.map_err(|reason| Error::Event { event: name, reason })? {
				Some(
					FabricEvent::VersionCommitted { tenant, object, version, .. }
					| FabricEvent::CopyAdded { tenant, object, version, .. }
					| FabricEvent::CopyHeld { tenant, object, version, .. }
					| FabricEvent::CopyRemoved { tenant, object, version, .. }
					| FabricEvent::VersionDeleted { tenant, object, version },
				) => {
					changed.insert(VersionKey { tenant, object, version });
				},
				// From here on the rows of a tenant do not count, although they are still there.
				Some(FabricEvent::PurgeStarted { member: MemberId::Tenant(tenant), .. }) => {
					self.keep.remove_tenant(tenant, now_seconds())?;
					changed.retain(|key: &VersionKey| key.tenant != tenant);
				},
				_ => {},
			}
		}
		changed.extend(self.keep.pending(at.block_number())?);
		let places = changed.iter().map(|key| (key.tenant, key.object, key.version));
		let found = link.chain.get_many(at, rows::versions(), places).await?;
		let (mut changes, mut asked) = (Vec::new(), Vec::new());
		for (key, row) in changed.into_iter().zip(found) {
			let standing = match row {
				Some(row) => self.standing(link, &key, &row)?,
				None => Standing::default(),
			};
			changes.push((key, standing.row));
			asked.push((key, standing.asked));
		}
		for (key, row) in &changes {
			// Its bytes may have been hashed long before somebody committed it past this program.
			if row.is_some() && self.keep.row(key)?.is_none() {
				self.verifier.forget([key.version]);
			}
		}
		if !changes.is_empty() {
			self.keep.confirm(&changes, at.block_number(), now_seconds())?;
			self.keep.ask(&asked)?;
			self.arrived.notify_one();
		}
		if at.block_number() == 1 {
			self.keep.begin(at.block_hash())?;
		}
		Ok(self.keep.reached(at.block_number(), at.block_hash())?)
	}

	/// Makes the record equal to the chain at a finalized block.
	async fn compare(&self, link: &Link, at: &Snapshot) -> Result<(), Error> {
		let purges = at.rows(rows::purges(), ()).await?;
		let purged: HashSet<_> = purges.into_iter().map(|((member,), _)| member).collect();
		let (mut seen, mut changes, mut asked) = (HashSet::new(), Vec::new(), Vec::new());
		let (block, mut failed, mut earlier) = (at.block_number(), None, 0usize);
		link.chain
			.scan(at, rows::versions(), (), |mut rest, version: Version| {
				let key = VersionKey {
					tenant: rest.part()?,
					object: rest.part::<ContentObjectId>()?,
					version: rest.part::<VersionId>()?,
				};
				if purged.contains(&MemberId::Tenant(key.tenant)) {
					return Ok(());
				}
				let standing = self.standing(link, &key, &version);
				let Standing { row, asked: wanted, is_earlier } =
					standing.unwrap_or_else(|error| {
						failed.get_or_insert(error);
						Standing::default()
					});
				if row.is_none() && wanted.is_none() {
					return Ok(());
				}
				// No other row has its muid.
				seen.insert(version.muid);
				earlier += usize::from(is_earlier);
				changes.push((key, row));
				asked.push((key, wanted));
				if changes.len() >= STEP {
					let confirmed = self.keep.confirm(&changes, block, now_seconds());
					let asked_for = confirmed.and_then(|()| self.keep.ask(&asked));
					failed = failed.take().or(asked_for.err());
					changes.clear();
					asked.clear();
				}
				Ok(())
			})
			.await?;
		if let Some(error) = failed {
			return Err(error.into());
		}
		self.keep.confirm(&changes, block, now_seconds())?;
		self.keep.ask(&asked)?;
		self.keep.ask_for_no_more(|_, row| !seen.contains(&Muid::from_bytes(row.muid)))?;
		if earlier > 0 {
			self.keep.has_earlier()?;
			warn!(
				"the chain names an earlier node with the same id for {}: their bytes are kept until \
				 their tenants add the node again, as with `fabric copies add`, or this program is \
				 started with --forget",
				count(earlier, "version", "versions")
			);
		}
		let removed = self.remove_unseen(&seen, block)?;
		self.keep.reached(block, at.block_hash())?;
		info!("{} at block {block}, {removed} removed", count(seen.len(), "row", "rows"));
		self.arrived.notify_one();
		Ok(())
	}

	/// Removes the rows that the chain does not have, except rows of blocks that are not finalized.
	fn remove_unseen(&self, seen: &HashSet<Muid>, block: u64) -> Result<usize, Error> {
		let (mut after, mut removed) = (None, 0);
		loop {
			let page = self.keep.rows_after(after, STEP)?;
			let Some((last, _)) = page.last() else { return Ok(removed) };
			after = Some(*last);
			let is_gone = |row: &Row| {
				!seen.contains(&Muid::from_bytes(row.muid))
					&& row.pending.is_none_or(|pending| pending <= block)
			};
			let gone: Vec<_> =
				page.iter().filter(|(_, row)| is_gone(row)).map(|(key, _)| (*key, None)).collect();
			removed += gone.len();
			self.keep.put(&gone, now_seconds())?;
		}
	}
}
