// SPDX-License-Identifier: Apache-2.0
//! Reads of versions whose id is a BLAKE3 hash, group by group. Each group is checked before it is
//! sent.

use std::{future::Future, net::IpAddr, ops::Range, sync::Arc};

use axum::body::{Body, Bytes};
use content_fabric_http_server::Places;
use content_fabric_identifiers::VersionId;
use futures::{stream, StreamExt};

use super::{app::App, versions::watched};
use crate::{
	error::Error,
	proof::Block,
	store::{Object, StoreError, AT_ONCE},
	tree::{encode, group_hash, walk, Step, Tree, BLOCK, GROUP},
};

/// Number of groups that are read at once: of a file, and of another object if there is memory.
const FEW: u64 = AT_ONCE / GROUP;
const MANY: u64 = BLOCK;

/// A version that is open.
#[derive(Clone)]
pub struct Groups {
	app: Arc<App>,
	client: IpAddr,
	version: VersionId,
	tree: Tree,
	object: Object,
	/// The hashes of all groups, if no outboard has them.
	known: Option<Block>,
}

impl Groups {
	/// Opens a version of this size. Its outboard proves the hashes of its groups, unless they are
	/// known.
	pub async fn open(
		app: &Arc<App>,
		client: IpAddr,
		version: VersionId,
		size: u64,
		known: Option<Block>,
	) -> Result<Self, Error> {
		let object = app.store.open_object(version, size).await?;
		let (app, tree) = (app.clone(), Tree { size });
		Ok(Self { app, client, version, tree, object, known })
	}

	async fn block(&self, level: usize, index: u64) -> Result<Block, Error> {
		match &self.known {
			Some(block) => Ok(block.clone()),
			None => self.app.proofs.block(self.version, self.tree, level, index).await,
		}
	}

	/// Returns how many groups from a place are read at once, within a block, and the memory that
	/// is kept for them until they are sent.
	fn next(&self, from: u64, end: u64) -> (u64, Option<Places>) {
		let end = end.min((from / BLOCK + 1) * BLOCK);
		if !self.object.is_file() {
			let many = end.min(from + MANY);
			if let Some(places) = self.app.pieces.places(self.client, (many - from) * GROUP) {
				return (many, Some(places));
			}
		}
		(end.min(from + FEW), None)
	}

	/// Reads groups of one block, and checks them.
	async fn read(&self, groups: Range<u64>) -> Result<Bytes, Error> {
		let block = self.block(0, groups.start / BLOCK).await?;
		let (part, id) = (self.tree.bytes(&groups), self.version);
		let checked = move |bytes: Bytes| {
			for (group, bytes) in groups.zip(bytes.chunks(GROUP as usize)) {
				let expected = block.get((group % BLOCK) as usize).copied().unwrap_or_default();
				if group_hash(group * GROUP, bytes) != expected {
					return Err(StoreError::Wrong { id, group, expected });
				}
			}
			Ok(bytes)
		};
		Ok(self.object.read(part, checked).await?)
	}
}

/// The body of an answer, piece by piece.
trait Pieces: Sized + Send + 'static {
	/// Returns the next piece, `None` at the end.
	fn next(&mut self) -> impl Future<Output = Result<Option<Bytes>, Error>> + Send;

	/// Returns whether all pieces were returned.
	fn is_over(&self) -> bool;
}

/// Reads a body. The first piece is read before the answer begins, so that its faults are answers.
async fn body(groups: &Groups, mut pieces: impl Pieces) -> Result<Body, Error> {
	let first = pieces.next().await?.unwrap_or_default();
	if pieces.is_over() {
		groups.app.metrics.sent.inc_by(first.len() as u64);
		return Ok(Body::from(first));
	}
	let rest = stream::try_unfold(pieces, |mut pieces| async {
		Ok(pieces.next().await?.map(|piece| (piece, pieces)))
	});
	let all = stream::iter([Ok(first)]).chain(rest).boxed();
	Ok(Body::from_stream(watched(groups.app.clone(), groups.version, all)))
}

/// The bytes of a part.
struct Plain {
	groups: Groups,
	/// The part that has yet to be read.
	part: Range<u64>,
}

impl Pieces for Plain {
	async fn next(&mut self) -> Result<Option<Bytes>, Error> {
		if self.is_over() {
			return Ok(None);
		}
		let Range { start: from, end } = Tree::groups_of(&self.part);
		let (to, places) = self.groups.next(from, end);
		let mut bytes = self.groups.read(from..to).await?;
		let read = self.groups.tree.bytes(&(from..to));
		let end = self.part.end.min(read.end);
		bytes.truncate((end - read.start) as usize);
		drop(bytes.split_to((self.part.start - read.start) as usize));
		self.part.start = end;
		Ok(Some(placed(bytes, places)))
	}

	fn is_over(&self) -> bool {
		self.part.is_empty()
	}
}

/// The encoding of groups.
struct Encoded {
	groups: Groups,
	wanted: Range<u64>,
	/// The next group.
	at: u64,
	/// The rest of the steps of the blocks that lead to the next group, each with its level.
	steps: Vec<(usize, std::vec::IntoIter<Step>)>,
}

impl Encoded {
	async fn enter(&mut self, level: usize, index: u64) -> Result<(), Error> {
		let block = self.groups.block(level, index).await?;
		let (mut steps, wanted) = (Vec::new(), Tree::above(level, &self.wanted));
		walk(&block, index * BLOCK, &wanted, &mut steps);
		self.steps.push((level, steps.into_iter()));
		Ok(())
	}
}

impl Pieces for Encoded {
	async fn next(&mut self) -> Result<Option<Bytes>, Error> {
		if self.is_over() {
			return Ok(None);
		}
		let (end, places) = self.groups.next(self.at, self.wanted.end);
		let (first, mut taken) = (self.at, Vec::new());
		while self.at < end {
			let Some((level, steps)) = self.steps.last_mut() else { break };
			match (*level, steps.next()) {
				(_, None) => drop(self.steps.pop()),
				(level @ 1.., Some(Step::Child(index))) => self.enter(level - 1, index).await?,
				(_, Some(step)) => {
					self.at += u64::from(matches!(step, Step::Child(_)));
					taken.push(step);
				},
			}
		}
		let bytes = self.groups.read(first..self.at).await?;
		let encoded = encode(&taken, &bytes);
		Ok(Some(placed(encoded.into(), places)))
	}

	fn is_over(&self) -> bool {
		self.at >= self.wanted.end
	}
}

fn placed(bytes: Bytes, places: Option<Places>) -> Bytes {
	match places {
		Some(places) => places.hold(bytes),
		None => bytes,
	}
}

/// Returns the body with a part of a version, which is not empty.
pub async fn plain(groups: Groups, part: Range<u64>) -> Result<Body, Error> {
	body(&groups.clone(), Plain { groups, part }).await
}

/// Returns the body with the encoding of groups, of which there is at least one, of a version that
/// has several.
pub async fn encoded(groups: Groups, wanted: Range<u64>) -> Result<Body, Error> {
	let (top, at) = (groups.tree.top(), wanted.start);
	let mut pieces = Encoded { groups: groups.clone(), wanted, at, steps: Vec::new() };
	pieces.enter(top, 0).await?;
	body(&groups, pieces).await
}
