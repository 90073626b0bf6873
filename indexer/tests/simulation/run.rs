// SPDX-License-Identifier: Apache-2.0
//! The run of a seed: the index follows a chain through faults and deaths.

use std::{cell::RefCell, rc::Rc, time::Duration};

use content_fabric_indexer::{
	follow::{is_transient, Follower, Step},
	index::{Error, Index, State},
};
use content_fabric_okvs::conformance::FailingDisk;
use futures::executor::block_on;
use rand::{rngs::StdRng, Rng, SeedableRng};

use crate::{
	chain::Chain,
	check::{self, words, Result},
	coverage::Coverage,
	disk, keys,
	source::{is_large, Faults, Node},
};

/// Largest number of steps without faults in which the index has to catch up with the last block.
const MAX_STEPS: usize = 100;

/// A run.
pub struct Run {
	rng: StdRng,
	chain: Rc<RefCell<Chain>>,
	/// True if the index has the history from the first block.
	history: bool,
	/// The faults, which all connections share.
	faults: Faults,
	/// The content of the disk.
	content: Vec<u8>,
	/// The last block of the index after the last step without an error.
	reported: u64,
	/// The state of the index after the last step.
	last: Option<State>,
	coverage: Coverage,
	is_traced: bool,
}

/// Runs a seed. Returns what it has met, or the first difference between the index and the chain.
pub fn run(seed: u64, is_traced: bool) -> Result<Coverage> {
	let mut rng = StdRng::seed_from_u64(seed);
	let history = rng.random_bool(0.3);
	let keep = match rng.random_range(0..4) {
		_ if history => None,
		0 => Some(rng.random_range(0..4)),
		1 | 2 => Some(rng.random_range(4..40)),
		_ => Some(256),
	};
	let large = rng.random_bool(0.2);
	let changes = rng.random_range(60..240);
	// A file is made under another name, so that nobody finds half of one.
	let disk = FailingDisk::new(Vec::new(), u64::MAX);
	drop(disk::open(&disk).map_err(words)?);
	let mut run = Run {
		chain: Rc::new(RefCell::new(Chain::new(rng.random(), changes))),
		rng,
		history,
		faults: Faults { keep, large, ..Faults::default() },
		content: disk.content(),
		reported: 0,
		last: None,
		coverage: Coverage::default(),
		is_traced,
	};
	run.trace(|| format!("history {history}, states of {keep:?} blocks, {changes} changes"));
	while !run.chain.borrow().has_ended() {
		run.live()?;
	}
	run.chain.borrow_mut().end();
	run.finish()?;
	Ok(run.coverage)
}

impl Run {
	fn trace(&self, text: impl FnOnce() -> String) {
		if self.is_traced {
			eprintln!("{}", text());
		}
	}

	/// Runs a process until it dies or ends.
	fn live(&mut self) -> Result {
		let operations = match self.rng.random_bool(0.7) {
			true => 2f64.powf(self.rng.random_range(0.0..11.0)) as u64,
			false => u64::MAX,
		};
		self.trace(|| format!("starts, and dies after {operations} operations"));
		let disk = FailingDisk::new(std::mem::take(&mut self.content), operations);
		match disk::open(&disk) {
			Ok(index) => {
				let followed = self.follow(&disk, &index);
				// Reading also writes, where the cache is full.
				if disk.is_cut() {
					self.coverage.add("death at a write", 1);
				} else {
					followed?;
					if self.rng.random_bool(0.8) {
						disk.cut();
						self.coverage.add("other death", 1);
					}
				}
				drop(index);
			},
			Err(_) if disk.is_cut() => self.coverage.add("death at a write", 1),
			Err(error) => return Err(format!("the index cannot be opened: {error}")),
		}
		if disk.is_cut() {
			self.content = disk::survivor(&disk, &mut self.rng);
			self.trace(|| "dies".into());
		} else {
			self.content = disk.content();
			self.trace(|| "ends".into());
		}
		// Nobody is there to see these.
		if self.rng.random_bool(0.3) {
			for _ in 0..self.rng.random_range(1..40) {
				self.chain.borrow_mut().change();
			}
		}
		Ok(())
	}

	/// Follows the chain through one connection after another.
	fn follow(&mut self, disk: &FailingDisk, index: &Index) -> Result {
		self.last = None;
		let restarted = self.compare(index, true)?;
		let number = restarted.as_ref().map_or(0, |state| state.last.number);
		if number < self.reported || (restarted.is_none() && self.reported > 0) {
			return Err(format!("block {} was the last, and now {number} is", self.reported));
		}
		while !disk.is_cut() && !self.chain.borrow().has_ended() && self.rng.random_bool(0.9) {
			self.connect(disk, index)?;
		}
		Ok(())
	}

	/// Follows the chain through one connection.
	fn connect(&mut self, disk: &FailingDisk, index: &Index) -> Result {
		let faults = self.faults();
		self.trace(|| format!("connects with {faults:?}"));
		let node = Node::new(&self.chain, self.rng.random(), faults);
		// Time does not pass in a run.
		let flush = match self.rng.random_bool(0.3) {
			true => Duration::ZERO,
			false => Duration::MAX,
		};
		let mut follower = Follower::new(index, &node, self.history).flush_interval(flush);
		while node.is_connected() && !self.chain.borrow().has_ended() {
			let stepped = block_on(follower.step());
			self.trace(|| trace_of(&stepped, index));
			if disk.is_cut() {
				break;
			}
			let is_whole = stepped.is_ok();
			let state = self.compare(index, false)?;
			match stepped {
				Ok(step) => {
					self.reported = state.map_or(0, |state| state.last.number);
					if step.caught_up {
						self.wait();
					}
				},
				Err(error) if is_transient(&error) => {
					self.coverage.add("error that another try overcame", 1);
				},
				Err(error) => return Err(format!("the index stops: {error}")),
			}
			if self.rng.random_bool(if is_whole { 0.03 } else { 0.5 }) {
				break;
			}
		}
		self.coverage.add("discarded state", node.discarded.get());
		self.coverage.add("answer that was too large", node.too_large.get());
		Ok(())
	}

	/// Draws what happens during a connection.
	fn faults(&mut self) -> Faults {
		let rng = &mut self.rng;
		let mut one_of = |probabilities: [f64; 4]| probabilities[rng.random_range(0..4)];
		let (change, fail, disconnect) = (
			one_of([0.0, 0.01, 0.1, 0.4]),
			one_of([0.0, 0.0, 0.01, 0.1]),
			one_of([0.0, 0.0, 0.002, 0.02]),
		);
		let behind = match rng.random_bool(0.1) {
			true => rng.random_range(1..20),
			false => 0,
		};
		Faults { change, fail, disconnect, behind, ..self.faults }
	}

	/// Lets the chain change, as it does while the index waits for news.
	fn wait(&mut self) {
		for _ in 0..self.rng.random_range(1..4) {
			self.chain.borrow_mut().change();
		}
	}

	/// Compares the index with the chain. Returns its state.
	fn compare(&mut self, index: &Index, all: bool) -> Result<Option<State>> {
		let chain = self.chain.borrow();
		let Some(state) = check::index(index, &chain, all)? else { return Ok(None) };
		let block = chain.block(&state.last.hash).ok_or("the last block is unknown")?;
		let is_whole = state.resync.is_none();
		let is_exact = is_whole && check::is_current(&state, block);
		self.coverage.add("comparison of all rows", is_whole.into());
		let exact = "comparison with rows of one version of the storage";
		self.coverage.add(exact, is_exact.into());
		if let Some(last) = &self.last {
			let gaps = state.gaps.len() - last.gaps.len();
			self.coverage.add("gap in the history", gaps as u64);
			let is_migrated = state.storage_version != last.storage_version;
			self.coverage.add("new version of the storage", is_migrated.into());
			if state.last.number < last.last.number {
				return Err(format!("block {:?} is no longer in the index", last.last));
			}
		}
		drop(chain);
		if is_exact && self.rng.random_bool(0.03) {
			self.verify(index)?;
		}
		self.last = Some(state.clone());
		Ok(Some(state))
	}

	/// Lets the index compare itself with the chain.
	fn verify(&self, index: &Index) -> Result {
		let view = index.view().map_err(words)?;
		let verified = block_on(view.verify(&Node::reliable(&self.chain))).map_err(words)?;
		match verified.differences {
			0 => Ok(()),
			_ => Err(format!("{:?}", verified.first)),
		}
	}

	/// Lets the index catch up with the last block of the chain, and compares all that it has.
	fn finish(&mut self) -> Result {
		let disk = FailingDisk::new(std::mem::take(&mut self.content), u64::MAX);
		let index = disk::open(&disk).map_err(words)?;
		let node = Node::reliable(&self.chain);
		let mut follower = Follower::new(&index, &node, self.history);
		let mut steps = 0;
		while !block_on(follower.step()).map_err(words)?.caught_up {
			steps += 1;
			if steps > MAX_STEPS {
				return Err("the index does not catch up".into());
			}
		}
		let state = self.compare(&index, true)?.ok_or("the index is empty")?;
		let block = self.chain.borrow().last().clone();
		if state.last != block.header.block {
			return Err(format!("the index stays at {:?}", state.last));
		}
		if block.fabric.migrating == 0 {
			if !check::is_current(&state, &block) {
				return Err(format!("the storage has version {}", state.storage_version));
			}
			self.verify(&index)?;
		}
		let chain = self.chain.borrow();
		let is_large =
			|number| chain.numbered(number).is_some_and(|block| is_large(block.header.block));
		(0..=block.number()).filter_map(|number| chain.numbered(number)).for_each(|block| {
			self.coverage.events(block);
		});
		let mut lost = state.gaps.iter().flat_map(|gap| gap.0..=gap.1);
		if self.history
			&& (state.history_since != 1 || !lost.all(|lost| self.faults.large && is_large(lost)))
		{
			return Err(format!("the history has gaps: {:?}", state.gaps));
		}
		drop(chain);
		self.coverage.add("run with a whole history", self.history.into());
		let since = state.gaps.is_empty().then_some(state.history_since);
		if let Some(since) = since {
			keys::compare_puts(&index.view().map_err(words)?, &self.chain.borrow(), since)?;
		}
		index.close().map_err(words)?;
		let database =
			disk::database(&FailingDisk::new(disk.content(), u64::MAX)).map_err(words)?;
		keys::check(&database, &self.chain.borrow(), since)
	}
}

/// Returns a step and the index after it as a line.
fn trace_of(stepped: &std::result::Result<Step, Error>, index: &Index) -> String {
	let heads = stepped.as_ref().map(|step| (step.heads.best, step.heads.finalized.number));
	let state = index.state().ok().flatten().map(|state| {
		let State { last, storage_version, gaps, resync, .. } = state;
		let resync = resync.map(|block| block.number);
		(last.number, storage_version, gaps, resync)
	});
	match heads {
		Ok(heads) => format!("node at {heads:?}, index at {state:?}"),
		Err(error) => format!("{error}, index at {state:?}"),
	}
}
