// SPDX-License-Identifier: Apache-2.0
//! The drafts that await a signature, and the order in which the signed ones are committed.
//!
//! The chain accepts the commits of a node in the order of their muids only, so a draft lapses when
//! a later one is submitted. Later drafts do not wait for an unsigned one, except for a short
//! [`HEAD_START`]: without it, clients that sign at once could be overtaken again and again. A
//! client that lets its head start pass gets no other for a minute.

use std::{
	collections::{BTreeMap, HashMap},
	net::IpAddr,
	sync::{Mutex, MutexGuard, PoisonError},
	time::Duration,
};

use content_fabric_client::drafts::Draft;
use content_fabric_identifiers::Muid;
use tokio::{
	sync::Notify,
	time::{timeout, Instant},
};

/// Time in which a draft must come back with a signature.
const VALID: Duration = Duration::from_secs(60);
/// Time for which commits of later drafts wait for a new draft.
const HEAD_START: Duration = Duration::from_secs(1);
/// Largest number of drafts that await a signature.
const MOST: usize = 256;

/// The reason why a draft has lapsed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Lapse {
	/// The chain does not accept it after a later one.
	#[error("the draft has lapsed: a later draft was committed first")]
	Overtaken,
	/// It was committed, or at least submitted.
	#[error("the draft has lapsed: it was committed already")]
	Used,
	/// It is not open any more.
	#[error(
		"the draft has lapsed: it is older than a minute, gave way to newer ones, was refused, or is \
		 of an earlier run of the node"
	)]
	Old,
	/// It was changed, or another node made it.
	#[error("the draft was changed, or is of another node")]
	Other,
}

/// The drafts of the node.
#[derive(Default)]
pub(super) struct Drafts {
	state: Mutex<State>,
	/// Notified when a turn ends.
	changed: Notify,
}

#[derive(Default)]
struct State {
	open: BTreeMap<Muid, Open>,
	/// The last muid that was handed out.
	last: Option<Muid>,
	/// The last muid that was submitted.
	submitted: Option<Muid>,
	/// The clients that were given a head start, until they have used it.
	head_starts: HashMap<IpAddr, Instant>,
	/// True while a draft has its turn.
	is_busy: bool,
}

/// A draft that may be committed.
struct Open {
	draft: Draft,
	client: IpAddr,
	since: Instant,
	has_head_start: bool,
	/// True if it has come back with a signature, and waits for its turn.
	is_signed: bool,
}

/// The turn of a draft, until it is dropped. No other draft is committed meanwhile.
pub(super) struct Turn<'a> {
	drafts: &'a Drafts,
	muid: Muid,
	client: IpAddr,
}

/// The next step of a signed draft.
enum Step {
	/// It has its turn, and is no longer open.
	Turn(IpAddr),
	/// It looks again after this time.
	Wait(Duration),
}

impl Drafts {
	/// Opens the draft that `make` returns for a client. `make` gets the last muid handed out.
	/// Returns `None` if there are too many drafts of others.
	pub fn open<E>(
		&self,
		client: IpAddr,
		make: impl FnOnce(Option<Muid>) -> Result<Draft, E>,
	) -> Result<Option<Draft>, E> {
		let mut state = self.state();
		let draft = make(state.last)?;
		Ok(state.insert(client, draft.clone()).then_some(draft))
	}

	/// Checks that a draft has not lapsed.
	pub fn ensure_open(&self, draft: &Draft) -> Result<(), Lapse> {
		self.state().find(draft).map(drop)
	}

	/// Waits for the turn of a signed draft. Of several signed drafts, the earliest one is next.
	pub async fn turn(&self, draft: &Draft) -> Result<Turn<'_>, Lapse> {
		loop {
			let changed = self.changed.notified();
			let step = self.state().step(draft)?;
			match step {
				Step::Turn(client) => return Ok(Turn { drafts: self, muid: draft.muid, client }),
				// Looks again in either case.
				Step::Wait(time) => drop(timeout(time, changed).await),
			}
		}
	}

	fn state(&self) -> MutexGuard<'_, State> {
		// No change can be interrupted halfway, so a poisoned state is valid.
		self.state.lock().unwrap_or_else(PoisonError::into_inner)
	}
}

impl State {
	/// Opens a draft. Returns `false` if there is no room for it.
	fn insert(&mut self, client: IpAddr, draft: Draft) -> bool {
		self.open.retain(|_, open| !open.has_lapsed());
		let mut counts = HashMap::<IpAddr, usize>::new();
		for open in self.open.values().filter(|open| !open.is_signed) {
			*counts.entry(open.client).or_default() += 1;
		}
		if counts.values().sum::<usize>() >= MOST {
			// The client that has the most, with the new one, gives way. If others have as many, it
			// is the client of the new one: nobody can push out a draft of another.
			*counts.entry(client).or_default() += 1;
			let most = counts.into_iter().max_by_key(|(of, count)| (*count, *of == client));
			let of = most.map(|(of, _)| of);
			let mut open = self.open.iter();
			let oldest = open.find(|(_, open)| Some(open.client) == of && !open.is_signed);
			let Some(muid) = oldest.map(|(muid, _)| *muid) else { return false };
			self.open.remove(&muid);
		}
		self.last = Some(draft.muid);
		let since = Instant::now();
		self.head_starts.retain(|_, given| given.elapsed() <= VALID);
		let has_head_start = !self.head_starts.contains_key(&client);
		self.head_starts.entry(client).or_insert(since);
		let open = Open { draft, client, since, has_head_start, is_signed: false };
		self.open.insert(open.draft.muid, open);
		true
	}

	fn find(&mut self, draft: &Draft) -> Result<&mut Open, Lapse> {
		let (muid, submitted) = (draft.muid, self.submitted);
		match self.open.get_mut(&muid).filter(|open| !open.has_lapsed()) {
			Some(open) if open.draft == *draft => Ok(open),
			Some(_) => Err(Lapse::Other),
			None if submitted == Some(muid) => Err(Lapse::Used),
			None if submitted > Some(muid) => Err(Lapse::Overtaken),
			None => Err(Lapse::Old),
		}
	}

	/// Notes that a draft is signed. Closes it if it has its turn.
	fn step(&mut self, draft: &Draft) -> Result<Step, Lapse> {
		let muid = draft.muid;
		let open = self.find(draft)?;
		open.is_signed = true;
		let client = open.client;
		let earlier = self.open.range(..muid).filter_map(|(_, open)| open.is_waited_for());
		if let Some(time) = earlier.max().or(self.is_busy.then_some(VALID)) {
			return Ok(Step::Wait(time));
		}
		self.open.remove(&muid);
		self.is_busy = true;
		Ok(Step::Turn(client))
	}
}

impl Open {
	/// Returns `true` if the draft has come back too late. While it waits for its turn, it does not
	/// lapse.
	fn has_lapsed(&self) -> bool {
		!self.is_signed && self.since.elapsed() > VALID
	}

	/// Returns the time for which later drafts wait for this one. `None` if they do not.
	fn is_waited_for(&self) -> Option<Duration> {
		match self.is_signed {
			true => Some(VALID),
			false => HEAD_START
				.checked_sub(self.since.elapsed())
				.filter(|left| self.has_head_start && !left.is_zero()),
		}
	}
}

impl Turn<'_> {
	/// Notes that the muid is used, whatever happens to its transaction. Earlier drafts lapse.
	pub fn submits(&self) {
		let mut state = self.drafts.state();
		state.submitted = Some(self.muid);
		state.open.retain(|muid, _| *muid > self.muid);
		state.head_starts.remove(&self.client);
		self.drafts.changed.notify_waiters();
	}
}

impl Drop for Turn<'_> {
	fn drop(&mut self) {
		self.drafts.state().is_busy = false;
		self.drafts.changed.notify_waiters();
	}
}

#[cfg(test)]
mod tests {
	use content_fabric_client::chain::VersionCommit;
	use content_fabric_identifiers::{KmsId, NodeId, ProviderId, TenantId};
	use futures::FutureExt;
	use tokio::time::advance;

	use super::*;

	const SOON: Duration = Duration::from_millis(1);

	fn client(last: u8) -> IpAddr {
		[10, 0, 0, last].into()
	}

	fn draft(number: u32) -> Draft {
		let mut muid = [0; Muid::LEN];
		muid[..4].copy_from_slice(&number.to_be_bytes());
		let commit = VersionCommit {
			muid: Muid::from_bytes(muid),
			originator: ProviderId([2; 10]),
			node: NodeId([3; 10]),
			copies: Default::default(),
			tenant: TenantId([4; 10]),
			kms: Some(KmsId([5; 10])),
			create_objects: false,
			versions: Default::default(),
		};
		Draft::new([0; 32], &commit)
	}

	/// Drafts in a model of a node, whose muids are numbers that rise.
	#[derive(Default)]
	struct Node {
		drafts: Drafts,
		handed_out: std::cell::Cell<u32>,
	}

	impl Node {
		fn open(&self, of: u8) -> Draft {
			let number = self.handed_out.get() + 1;
			self.handed_out.set(number);
			let expected = (number > 1).then(|| draft(number - 1).muid);
			let opened = self.drafts.open(client(of), |last| {
				assert_eq!(last, expected, "the last muid differs from the draft before");
				Ok::<_, ()>(draft(number))
			});
			opened.expect("it is made").expect("there is room")
		}

		/// Returns the turn of a draft if it has it now.
		fn turn(&self, draft: &Draft) -> Option<Result<Turn<'_>, Lapse>> {
			self.drafts.turn(draft).now_or_never()
		}

		/// Commits a draft, whose turn it must be at once.
		fn commit(&self, draft: &Draft) {
			let turn = self.turn(draft).expect("it does not wait").expect("it has not lapsed");
			turn.submits();
		}

		fn lapse(&self, draft: &Draft) -> Option<Lapse> {
			self.turn(draft).and_then(|turn| turn.err())
		}
	}

	#[tokio::test(start_paused = true)]
	async fn a_draft_is_committed_once_within_a_minute_unless_a_later_one_was() {
		let node = Node::default();
		let [old, late, good, other] = [1, 2, 3, 4].map(|of| node.open(of));
		advance(VALID).await;
		let changed = Draft { create_objects: true, ..good.clone() };
		assert_eq!(node.lapse(&changed), Some(Lapse::Other));
		node.commit(&good);
		assert_eq!(node.lapse(&good), Some(Lapse::Used));
		assert_eq!(node.lapse(&late), Some(Lapse::Overtaken));
		advance(SOON).await;
		assert_eq!(node.lapse(&other), Some(Lapse::Old));
		assert_eq!(node.lapse(&old), Some(Lapse::Overtaken));
		assert_eq!(node.lapse(&draft(99)), Some(Lapse::Old));
		node.commit(&node.open(1));
	}

	#[tokio::test(start_paused = true)]
	async fn a_refused_draft_spoils_none() {
		let node = Node::default();
		let [first, second] = [1, 2].map(|of| node.open(of));
		advance(HEAD_START).await;
		drop(node.turn(&second).expect("it does not wait").expect("it has not lapsed"));
		node.commit(&first);
	}

	#[tokio::test(start_paused = true)]
	async fn a_client_that_drafts_without_end_delays_and_pushes_out_no_other() {
		let node = Node::default();
		let first = node.open(1);
		let honest = node.open(2);
		for _ in 0..10 * MOST {
			node.open(1);
		}
		assert_eq!(node.drafts.state().open.len(), MOST);
		assert_eq!(node.lapse(&first), Some(Lapse::Old));
		// One draft after the other, each beside new ones of the other client.
		let begun = Instant::now();
		let mut honest = Some(honest);
		for _ in 0..100 {
			let draft = honest.take().unwrap_or_else(|| {
				node.open(1);
				node.open(2)
			});
			let turn = node.drafts.turn(&draft).await.expect("it has not lapsed");
			turn.submits();
		}
		assert!(begun.elapsed() <= 2 * HEAD_START, "{:?}", begun.elapsed());
	}

	#[tokio::test(start_paused = true)]
	async fn drafts_of_many_strangers_push_out_none_of_another() {
		let drafts = Drafts::default();
		let mut number = 0;
		let mut open = |of: usize| {
			number += 1;
			let of = IpAddr::from([10, 0, (of >> 8) as u8, of as u8]);
			drafts.open(of, |_| Ok::<_, ()>(draft(number))).expect("it is made")
		};
		let honest = open(0).expect("there is room");
		let strangers: Vec<_> = (1..4 * MOST).filter_map(&mut open).collect();
		assert_eq!(strangers.len(), MOST - 1);
		drafts.ensure_open(&honest).expect("it is open");
		// A second one of a client takes the place of its first.
		let second = open(1).expect("there is room");
		assert_eq!(drafts.ensure_open(&strangers[0]), Err(Lapse::Old));
		drafts.ensure_open(&second).expect("it is open");
		// There is room again when they are too old.
		advance(VALID + SOON).await;
		open(4 * MOST).expect("there is room");
	}

	#[tokio::test(start_paused = true)]
	async fn a_new_draft_has_a_head_start_of_a_second() {
		let node = Node::default();
		let [slow, quick] = [1, 2].map(|of| node.open(of));
		let begun = Instant::now();
		let (turn, ()) = tokio::join!(node.drafts.turn(&quick), async {
			tokio::time::sleep(HEAD_START / 2).await;
			node.commit(&slow);
		});
		assert_eq!(begun.elapsed(), HEAD_START / 2, "it waits for the earlier one");
		turn.expect("it has not lapsed").submits();
		// Nobody waits longer for one that is never signed.
		let [unsigned, quick] = [1, 2].map(|of| node.open(of));
		let turn = node.drafts.turn(&quick).await.expect("it has not lapsed");
		assert_eq!(begun.elapsed(), HEAD_START / 2 + HEAD_START);
		turn.submits();
		assert_eq!(node.lapse(&unsigned), Some(Lapse::Overtaken));
	}

	#[tokio::test(start_paused = true)]
	async fn drafts_that_come_back_during_a_turn_follow_in_their_order() {
		let node = Node::default();
		let drafts = [1, 2, 3, 4].map(|of| node.open(of));
		advance(HEAD_START).await;
		let turn = node.turn(&drafts[1]).expect("it does not wait").expect("it has not lapsed");
		let order = Mutex::new(Vec::new());
		let commit = async |at: usize| {
			let turn = node.drafts.turn(&drafts[at]).await.expect("it has not lapsed");
			order.lock().expect("no test has failed").push(at);
			turn.submits();
		};
		let overtaken = async { node.drafts.turn(&drafts[0]).await.err() };
		let (.., lapse, ()) = tokio::join!(commit(3), commit(2), overtaken, async {
			// They wait longer than a draft is valid.
			tokio::time::sleep(2 * VALID).await;
			turn.submits();
			drop(turn);
		});
		assert_eq!(order.into_inner().expect("no test has failed"), [2, 3]);
		assert_eq!(lapse, Some(Lapse::Overtaken));
	}

	#[tokio::test(start_paused = true)]
	async fn clients_that_draft_at_once_all_commit() {
		let node = Node::default();
		// Each takes as long to sign as its number says, and drafts again when it was overtaken.
		let put = async |of: u8| {
			for _ in 0..20 {
				loop {
					let draft = node.open(of);
					tokio::time::sleep(Duration::from_millis(90 * u64::from(of))).await;
					let Ok(turn) = node.drafts.turn(&draft).await else { continue };
					turn.submits();
					tokio::time::sleep(Duration::from_millis(5)).await;
					break;
				}
			}
		};
		let all = async { tokio::join!(put(1), put(2), put(3), put(10)) };
		timeout(Duration::from_secs(60), all).await.expect("one of them makes no progress");
	}
}
