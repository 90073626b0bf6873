// SPDX-License-Identifier: Apache-2.0
//! A sequence of steps, executed natively and in WASM, block by block.

use std::time::Duration;

use codec::Encode;
use content_fabric_runtime::{configs::ProxyType, Runtime, RuntimeCall, RuntimeEvent, System};
use frame_metadata_hash_extension::CheckMetadataHash;
use frame_support::{dispatch::GetDispatchInfo, weights::Weight};
use pallet_content_fabric::{fuzzing::Draws, Purges};
use sp_core::H256;
use sp_keyring::Sr25519Keyring::{self, Alice, Bob, Charlie, Dave, Ferdie};
use sp_runtime::transaction_validity::{InvalidTransaction, TransactionValidityError};

use crate::{
	accounts::{sign, Accounts, Signed, OWNER_OF_PURE},
	checks::{self, ensure, Checked, Finding},
	execution::{decode, Applied, Blob, Execution, Native, Wasm},
	genesis::{snapshots, Snapshot},
	nesting,
	steps::{steps, Action, Broken, Step},
	table::{self, outcomes, Table},
	transactions::{begin, transaction},
};

/// Slot of the genesis: a time in 2026, not in 1970.
const FIRST_SLOT: u64 = 296_000_000;
/// Number of blocks within which all purges must end, if nothing else is done.
const LAST_BLOCKS: u32 = 50;
/// Characters of the longest line of a log.
const LONGEST_LINE: usize = 2_000;
/// Further measurements of an extrinsic that took longer than its weight.
const MEASUREMENTS: u32 = 5;

/// The kind of finding for an execution that traps or panics.
const TRAP: &str = "trap";

/// The parts that all sequences share.
pub struct Setup {
	pub accounts: Accounts,
	snapshots: Vec<Snapshot>,
	/// The WASM, unless blocks are executed natively only.
	blob: Option<Blob>,
	/// True if the time of extrinsics is compared with their weight.
	times: bool,
}

impl Setup {
	pub fn new(with_wasm: bool, times: bool) -> Self {
		let accounts = Accounts::new(1);
		let snapshots = snapshots(&accounts);
		Self { accounts, snapshots, blob: with_wasm.then(Blob::new), times }
	}
}

/// Runs an input. Adds to the table, and to the log of what is done if there is one.
pub fn run(
	setup: &Setup,
	input: &[u8],
	table: &mut Table,
	log: Option<&mut Vec<String>>,
) -> Checked {
	let mut steps = steps(input);
	let Some(first) = steps.next() else { return Ok(()) };
	let mut draws = Draws::new(first);
	let snapshot = &setup.snapshots[draws.below(setup.snapshots.len())];
	let wasm = setup.blob.clone().map(|blob| Wasm::new(snapshot.state(), blob));
	let native = Native(snapshot.state());
	let mut world = World {
		setup,
		native,
		wasm,
		number: 0,
		parent: H256::zero(),
		at_begin: Weight::zero(),
		table,
		log,
	};
	world.begin()?;
	world.prelude()?;
	for step in steps {
		world.step(step)?;
	}
	world.end()?;
	world.native.0.execute_with(checks::rows_have_deposits)?;
	world.finish_purges()?;
	world.table.sequences += 1;
	Ok(())
}

struct World<'a> {
	setup: &'a Setup,
	native: Native,
	wasm: Option<Wasm>,
	number: u32,
	parent: H256,
	/// Weight of the present block before the first transaction.
	at_begin: Weight,
	table: &'a mut Table,
	log: Option<&'a mut Vec<String>>,
}

fn stopped(text: String) -> Finding {
	Finding::new(TRAP, text)
}

/// An extrinsic that was applied.
struct Outcome {
	applied: Applied,
	events: Vec<RuntimeEvent>,
}

impl World<'_> {
	fn log(&mut self, line: impl FnOnce() -> String) {
		if let Some(log) = &mut self.log {
			let mut line = line();
			if let Some((end, _)) = line.char_indices().nth(LONGEST_LINE) {
				line.truncate(end);
				line.push('…');
			}
			log.push(line);
		}
	}

	fn begin(&mut self) -> Checked {
		self.number += 1;
		let slot = FIRST_SLOT + u64::from(self.number);
		let (header, inherent) = begin(self.number, self.parent, slot);
		let number = self.number;
		self.log(|| format!("block {number}"));
		self.native.initialize(&header).map_err(stopped)?;
		if let Some(wasm) = &mut self.wasm {
			wasm.initialize(&header).map_err(stopped)?;
		}
		let outcome = self.apply(&inherent.encode())?;
		ensure(matches!(outcome.applied, Some(Ok(Ok(())))), "inherent", || {
			format!("{:?}", outcome.applied)
		})?;
		self.at_begin = self.native.0.execute_with(|| System::block_weight().total());
		Ok(())
	}

	fn end(&mut self) -> Checked {
		self.table.blocks += 1;
		// The work of a block at its own end counts, too.
		let header = self.native.finalize().map_err(stopped)?;
		let (at_begin, pure) = (self.at_begin, &self.setup.accounts.pure);
		self.native.0.execute_with(|| checks::block(at_begin, pure))?;
		if let Some(wasm) = &mut self.wasm {
			let other = wasm.finalize().map_err(stopped)?;
			ensure(header == other, "native and WASM differ", || {
				format!("block {header:?} and {other:?}")
			})?;
			let root = wasm.commit().map_err(stopped)?;
			ensure(root == header.state_root, "state root", || format!("{root:?}"))?;
		}
		let root = self.native.commit().map_err(stopped)?;
		ensure(root == header.state_root, "state root", || format!("{root:?}"))?;
		self.parent = header.hash();
		Ok(())
	}

	fn advance(&mut self, pass: u32) -> Checked {
		self.end()?;
		let rows = self.native.0.execute_with(checks::rows);
		self.table.most_rows = self.table.most_rows.max(rows);
		self.number = self.number.saturating_add(pass);
		if pass > 0 {
			let number = self.number;
			self.native.set_number(number);
			if let Some(wasm) = &mut self.wasm {
				wasm.set_number(number);
			}
		}
		self.begin()
	}

	/// Sets up the proxies, in the first block.
	fn prelude(&mut self) -> Checked {
		let proxy = |key: Sr25519Keyring, proxy_type| {
			let delegate = key.to_account_id().into();
			RuntimeCall::Proxy(pallet_proxy::Call::add_proxy { delegate, proxy_type, delay: 0 })
		};
		let (proxy_type, delay, index) = (ProxyType::Any, 0, 0);
		let create = pallet_proxy::Call::create_pure { proxy_type, delay, index };
		let signed = [
			(OWNER_OF_PURE, RuntimeCall::Proxy(create)),
			(Alice, proxy(Bob, ProxyType::Any)),
			(Charlie, proxy(Dave, ProxyType::ContentFabric)),
			(Dave, proxy(Ferdie, ProxyType::ContentOperations)),
		];
		for (key, call) in signed {
			let outcome = self.submit((key, call))?;
			ensure(matches!(outcome.applied, Some(Ok(Ok(())))), "prelude", || {
				format!("{:?}", outcome.applied)
			})?;
		}
		let pure = &self.setup.accounts.pure;
		let exists = self
			.native
			.0
			.execute_with(|| !pallet_proxy::Pallet::<Runtime>::proxies(pure.clone()).0.is_empty());
		ensure(exists, "prelude", || "the pure proxy has another account".into())
	}

	fn step(&mut self, step: &[u8]) -> Checked {
		let mut draws = Draws::new(step);
		let accounts = &self.setup.accounts;
		let step = self.native.0.execute_with(|| Step::draw(&mut draws, accounts));
		match step {
			Step::Advance(pass) => self.advance(pass),
			Step::Act(action) => self.act(&mut draws, action),
			Step::Broken(broken) => self.submit_broken(broken),
		}
	}

	fn act(&mut self, draws: &mut Draws, action: Action) -> Checked {
		let Action { origin, calls, extrinsics } = action;
		self.log(|| format!("{origin:?}: {calls:?}"));
		if draws.once_in(3) {
			for call in calls.iter().filter(|it| matches!(it, RuntimeCall::ContentFabric(_))) {
				let checked =
					self.native.0.execute_with(|| checks::dispatch_is_within_weight(call, &origin));
				checked.map_err(|finding| {
					Finding::new(finding.kind, format!("{}: {}", table::name(call), finding.what))
				})?;
				self.table.weighed += 1;
			}
		}
		let Some(last) = extrinsics.len().checked_sub(1) else { return Ok(()) };
		for (place, signed) in extrinsics.into_iter().enumerate() {
			let is_by_others = calls.first() != Some(&signed.1);
			let needs_approval = is_by_others
				&& matches!(
					signed.1,
					RuntimeCall::Council(_)
						| RuntimeCall::Multisig(pallet_multisig::Call::as_multi { .. })
				);
			let outcome = self.submit(signed)?;
			self.log(|| format!("  {:?}", outcome.applied));
			if place == last {
				let applied = match &outcome.applied {
					Some(applied) => applied,
					None => &Err(InvalidTransaction::Call.into()),
				};
				let outcomes = outcomes(calls.len(), applied, &outcome.events, needs_approval);
				for (call, outcome) in calls.iter().zip(outcomes) {
					self.log(|| format!("  {outcome}"));
					self.table.count(call, outcome);
				}
			}
		}
		Ok(())
	}

	/// Signs and applies an extrinsic, in another block if this one is full. The block that ends a
	/// session is full from its start.
	fn submit(&mut self, signed: Signed) -> Checked<Outcome> {
		let full = TransactionValidityError::Invalid(InvalidTransaction::ExhaustsResources);
		for _ in 0..2 {
			let transaction = self.sign(signed.clone(), 0, 0);
			let outcome = self.apply(&transaction)?;
			if outcome.applied != Some(Err(full)) {
				return Ok(outcome);
			}
			self.advance(0)?;
		}
		let transaction = self.sign(signed, 0, 0);
		self.apply(&transaction)
	}

	fn sign(&mut self, (key, call): Signed, nonce: i8, tip: u128) -> Vec<u8> {
		self.native.0.execute_with(|| {
			let account = key.to_account_id();
			let nonce = System::account_nonce(&account).wrapping_add_signed(nonce.into());
			let (sign, hash) = (|payload: &[u8]| sign(key, payload), CheckMetadataHash::new(false));
			transaction(account, sign, nonce, tip, call, hash).encode()
		})
	}

	fn submit_broken(&mut self, broken: Broken) -> Checked {
		let transaction = match broken {
			Broken::Bytes(bytes) => bytes,
			Broken::Altered { signed, place, change } => {
				let transaction = self.sign(signed, 0, 0);
				Broken::altered(transaction, place, change)
			},
			Broken::Extension { signed, nonce, tip } => self.sign(signed, nonce, tip),
		};
		let outcome = self.apply(&transaction)?;
		self.log(|| format!("broken: {:?}", outcome.applied));
		Ok(())
	}

	/// Applies an extrinsic in both executions, and checks the outcome.
	fn apply(&mut self, extrinsic: &[u8]) -> Checked<Outcome> {
		self.table.extrinsics += 1;
		let decoded = decode(extrinsic);
		let info = decoded.as_ref().map(|decoded| {
			let signer = decoded.preamble.clone().to_signed().map(|(address, ..)| address.clone());
			(self.native.0.execute_with(|| decoded.get_dispatch_info()), signer)
		});
		let before = checks::changes(&self.native.0);
		let count = self.native.0.execute_with(System::event_count) as usize;
		let applied = self.native.try_apply(extrinsic).map_err(stopped)?;
		let events: Vec<_> = self.native.0.execute_with(|| {
			let events = System::read_events_no_consensus().skip(count);
			events.map(|record| record.event).collect()
		});
		if self.wasm.is_some() {
			let other = match self.apply_by_wasm(extrinsic, events.last()) {
				// The native execution has found that the bytes do not decode.
				Err(finding) if finding.kind == TRAP && applied.is_none() => None,
				other => other?,
			};
			ensure(applied == other, "native and WASM differ", || {
				format!("native {applied:?}, WASM {other:?}")
			})?;
		}
		if let (Some(Ok(result)), Some((info, signer))) = (&applied, info) {
			let last = events.last();
			let last = last.ok_or_else(|| Finding::new("no outcome", "there are no events"))?;
			checks::weight_is_within(info.total_weight(), info.class, last)?;
			self.table.weighed += 1;
			if let (Err(_), Some(sp_runtime::MultiAddress::Id(signer))) = (result, signer) {
				checks::nothing_changed(&before, &checks::changes(&self.native.0), &signer)?;
				self.table.undone += 1;
			}
		}
		Ok(Outcome { applied, events })
	}

	/// Applies an extrinsic in WASM. If it takes longer than its weight, it is undone and measured
	/// again, several times. Only calls of the fabric, alone or within others, must keep to their
	/// weights: the cost of others, such as for many bytes, is paid for by length.
	fn apply_by_wasm(
		&mut self,
		extrinsic: &[u8],
		event: Option<&RuntimeEvent>,
	) -> Checked<Applied> {
		use frame_system::Event;
		let Some(wasm) = &mut self.wasm else {
			return Err(Finding::new("setup", "there is no WASM"));
		};
		let weight = match event {
			Some(RuntimeEvent::System(
				Event::ExtrinsicSuccess { dispatch_info }
				| Event::ExtrinsicFailed { dispatch_info, .. },
			)) if self.setup.times => Duration::from_nanos(dispatch_info.weight.ref_time() / 1_000),
			_ => return wasm.try_apply(extrinsic).map_err(stopped),
		};
		let mut took = wasm.time(extrinsic).map_err(stopped)?;
		if took > weight {
			for _ in 0..MEASUREMENTS {
				took = took.min(wasm.time(extrinsic).map_err(stopped)?);
			}
		}
		let applied = wasm.try_apply(extrinsic).map_err(stopped)?;
		let decoded = decode(extrinsic);
		let name = decoded.as_ref().map_or_else(|| "?".into(), |it| table::name(&it.function));
		let share = took.as_secs_f64() / weight.as_secs_f64();
		self.table.share(name.clone(), share, took);
		let is_ours = decoded.is_some_and(|it| nesting::is_of_fabric(&it.function));
		ensure(took <= weight || !is_ours, "time", || {
			format!("{name} took {took:?} of {weight:?}")
		})?;
		Ok(applied)
	}

	/// Checks that all purges end within some blocks.
	fn finish_purges(&mut self) -> Checked {
		let under_way = || Purges::<Runtime>::iter_keys().count();
		for _ in 0..LAST_BLOCKS {
			if self.native.0.execute_with(under_way) == 0 {
				return Ok(());
			}
			self.begin()?;
			self.end()?;
		}
		let left = self.native.0.execute_with(under_way);
		ensure(left == 0, "purges", || format!("{left} have not ended"))
	}
}
