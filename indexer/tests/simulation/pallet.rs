// SPDX-License-Identifier: Apache-2.0
//! The pallet in the reference runtime, which executes random calls block by block.

use std::sync::LazyLock;

use codec::{Compact, Decode, Encode};
use content_fabric_client::chain::ChainEvent;
use content_fabric_indexer::{
	rows::{storage_prefix, PALLET},
	source::{BlockEvents, Cause, Deposited, FabricEvent},
};
use content_fabric_runtime::{
	units::UNIT, AccountId, Balance, BalancesConfig, ContentFabric, Runtime, RuntimeEvent,
	Signature, System,
};
use frame_support::{
	dispatch::GetDispatchInfo,
	storage::unhashed,
	traits::{GetStorageVersion, Hooks, UnfilteredDispatchable},
	weights::Weight,
};
use frame_system::{Phase, RawOrigin};
use pallet_content_fabric::{
	fuzzing::{self, Drawn, Draws, Origin, World},
	weights::SubstrateWeight,
	Call, Versions, WeightInfo,
};
use rand::{rngs::StdRng, Rng};
use scale_decode::DecodeAsType;
use sp_core::{ed25519, Pair, H256};
use sp_io::TestExternalities;
use sp_runtime::BuildStorage;
use subxt::{
	metadata::{ArcMetadata, Metadata},
	utils::AccountId32,
};

use crate::fabric::Fabric;

/// The metadata of the runtime.
pub static METADATA: LazyLock<ArcMetadata> = LazyLock::new(|| {
	let bytes = Runtime::metadata().encode();
	Metadata::decode(&mut &bytes[..]).expect("the metadata is of a known version").arc()
});

/// Number of accounts that make calls.
const ACCOUNTS: u8 = 4;
/// Number of the runtime's blocks for each block of the simulated chain, so that bonds of members
/// without rows become free.
const STRIDE: u32 = 40_000;

/// The accounts that make calls.
struct Cast {
	pairs: Vec<ed25519::Pair>,
	accounts: Vec<AccountId>,
}

static CAST: LazyLock<Cast> = LazyLock::new(|| {
	let pairs: Vec<_> = (1..=ACCOUNTS).map(|it| ed25519::Pair::from_seed(&[it; 32])).collect();
	let accounts = pairs.iter().map(|pair| AccountId::from(pair.public().0)).collect();
	Cast { pairs, accounts }
});

impl World<Runtime> for Cast {
	fn accounts(&self) -> &[AccountId] {
		&self.accounts
	}

	fn sign(&self, signer: &AccountId, bytes: &[u8]) -> Signature {
		let place = self.accounts.iter().position(|account| account == signer);
		Signature::Ed25519(self.pairs[place.expect("only these accounts sign")].sign(bytes))
	}

	fn unit(&self) -> Balance {
		UNIT
	}
}

/// The state of the runtime.
pub struct Pallet {
	state: TestExternalities,
}

impl Pallet {
	/// Makes a state with funds, and without rows.
	pub fn new() -> Self {
		let balances = CAST.accounts.iter().map(|account| (account.clone(), 1_000_000_000 * UNIT));
		let balances = BalancesConfig { balances: balances.collect(), ..Default::default() };
		let storage = balances.build_storage().expect("the genesis is valid");
		let mut state = TestExternalities::new(storage);
		state.execute_with(|| ContentFabric::in_code_storage_version().put::<ContentFabric>());
		state.commit_all().expect("no storage layer is open");
		Self { state }
	}

	/// Makes a block of this many random calls. Returns the pallet's storage after it, and its
	/// events.
	pub fn block(
		&mut self,
		parent: &Fabric,
		rng: &mut StdRng,
		number: u32,
		time: u64,
		calls: u32,
	) -> (Fabric, BlockEvents) {
		let mut fabric = parent.clone();
		let events = self.state.execute_with(|| {
			begin((number + 1) * STRIDE, time);
			match parent.migrating {
				0 => {
					(0..calls).for_each(|_| call(rng));
					System::note_finished_extrinsics();
					idle(rng);
				},
				_ => migrate(&mut fabric, rng),
			}
			deposited()
		});
		let prefix = &storage_prefix(PALLET, "")[..16];
		for (key, value) in self.state.overlayed_changes().changes() {
			if key.starts_with(prefix) {
				fabric.write(key.clone(), value.clone().value().cloned());
			}
		}
		self.state.commit_all().expect("no storage layer is open");
		let events = BlockEvents { time, spec_version: parent.spec_version, events };
		// The runtime may be replaced at the end. Its migration begins with the next block.
		if parent.migrating == 0 && rng.random_bool(0.015) {
			fabric.spec_version += 1;
			if rng.random_bool(0.6) {
				fabric.migrating = rng.random_range(1..6);
			}
		}
		(fabric, events)
	}
}

/// Begins a block, before its first transaction.
fn begin(number: u32, time: u64) {
	System::reset_events();
	System::set_block_number(number - 1);
	System::initialize(&number, &H256::zero(), &Default::default());
	unhashed::put(&storage_prefix("Timestamp", "Now"), &time);
	System::note_finished_initialize();
}

/// Makes a random call, which may fail.
fn call(rng: &mut StdRng) {
	let mut draws = Draws::new(&rng.random::<[u8; 24]>());
	let Drawn { origin, call, .. } = fuzzing::call::<Runtime>(&mut draws, &*CAST);
	// Most of a purge is left to the ends of blocks.
	if matches!(call, Call::reap { .. }) && rng.random_bool(0.9) {
		return;
	}
	let info = call.get_dispatch_info();
	let origin = match origin {
		Origin::Account(account) => RawOrigin::Signed(account),
		Origin::Root | Origin::Council => RawOrigin::Root,
	};
	System::note_applied_extrinsic(&call.dispatch_bypass_filter(origin.into()), info);
}

/// Removes rows of members that are being purged, as the time at the end of a block allows.
fn idle(rng: &mut StdRng) {
	let weight = match rng.random_range(0..4) {
		0 => Weight::zero(),
		1 => Weight::MAX,
		_ => {
			let rows = rng.random_range(0..12);
			SubstrateWeight::<Runtime>::on_idle_base() * 2 + SubstrateWeight::<Runtime>::reap(rows)
		},
	};
	ContentFabric::on_idle(System::block_number(), weight);
}

/// Makes a step of the migration to the next version of the storage, which changes a part of the
/// rows, and all of them in the last step. No event says so.
fn migrate(fabric: &mut Fabric, rng: &mut StdRng) {
	fabric.migrating -= 1;
	let is_last = fabric.migrating == 0;
	for key in Versions::<Runtime>::iter_keys().collect::<Vec<_>>() {
		if is_last || rng.random_bool(0.3) {
			Versions::<Runtime>::mutate(key, |row| {
				row.iter_mut().for_each(|row| row.size = Compact(row.size.0 ^ 1));
			});
		}
	}
	fabric.storage_version += u16::from(is_last);
}

/// Returns the pallet's events of the present block, as the index reads them.
fn deposited() -> Vec<Deposited> {
	let pallet = METADATA.pallet_by_name(PALLET).expect("the runtime has the pallet");
	let kind = pallet.event_ty_id().expect("the pallet has events");
	let events = (0..).zip(System::events());
	let events =
		events.filter(|(_, record)| matches!(record.event, RuntimeEvent::ContentFabric(_)));
	let events = events.map(|(index, record)| {
		let bytes = record.event.encode();
		let event = FabricEvent::decode_as_type(&mut &bytes[1..], kind, METADATA.types());
		let extrinsic = match record.phase {
			Phase::ApplyExtrinsic(place) => Some(place),
			Phase::Initialization | Phase::Finalization => None,
		};
		let cause = extrinsic.map(|extrinsic| Cause {
			signer: (extrinsic % 3 > 0).then_some(AccountId32([extrinsic as u8; 32])),
			extrinsic_hash: format!("0x{extrinsic:064x}"),
			via: if extrinsic % 5 == 0 { vec!["council".into()] } else { Vec::new() },
		});
		let shown = ChainEvent::decode(&bytes, &METADATA).expect("the event can be shown");
		Deposited { index, extrinsic, event: event.expect("the event is known"), shown, cause }
	});
	events.collect()
}
