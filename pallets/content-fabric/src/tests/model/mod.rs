//! Random calls on the pallet and on a plain model of the fabric, which must agree on every outcome,
//! row and balance.

mod draw;
mod fabric;
mod rows;

use std::collections::BTreeMap;

use draw::{random_call, Drawn};
use fabric::Model;
use frame_support::{
	assert_storage_noop,
	traits::{GetCallName, Hooks},
	weights::Weight,
};
use rand::{rngs::StdRng, Rng, SeedableRng};
use sp_runtime::{traits::Dispatchable, DispatchError};

use crate::{
	identifiers::{KmsId, SpaceId, TenantId},
	mock::*,
	AdmissionPolicy, Call, Deletions, Subject, Tenants, WeightInfo,
};

/// Who makes a call: root, or an account.
pub type Origin = Option<AccountId>;
pub type Outcome = Result<(), DispatchError>;

/// An account that soon has nothing free.
const POOR: AccountId = OPERATOR;

fn raw_origin(origin: Origin) -> RuntimeOrigin {
	origin.map_or_else(RuntimeOrigin::root, signed)
}

fn dispatch(call: &Call<Test>, origin: Origin) -> Outcome {
	RuntimeCall::from(call.clone())
		.dispatch(raw_origin(origin))
		.map(drop)
		.map_err(|error| error.error)
}

/// Makes a call on both, which must agree.
fn step(model: &mut Model, drawn: &Drawn, seed: u64) -> bool {
	let Drawn { origin, call, .. } = drawn;
	let mut next = model.clone();
	let expected = next.apply(drawn);
	if expected.is_ok() {
		assert_eq!(dispatch(call, *origin), expected, "seed {seed}: {origin:?} {call:?}");
		*model = next;
	} else {
		assert_storage_noop!(assert_eq!(
			dispatch(call, *origin),
			expected,
			"seed {seed}: {origin:?} {call:?}"
		));
	}
	expected.is_ok()
}

/// Spaces come back when they were deleted, so that there is always something to do.
fn restore_spaces(model: &mut Model, rng: &mut StdRng, seed: u64) {
	for (space, governor) in [(0, GOVERNOR), (1, STRANGER)] {
		if model.spaces.contains_key(&space) {
			continue;
		}
		let mut rules = rules();
		rules.provider_bond = rng.random_range(0..3_000);
		if rng.random_bool(0.3) {
			rules.admission = AdmissionPolicy::Approval;
		}
		let space = SpaceId([space; 10]);
		let call = Call::create_space { space, governor, rules };
		assert!(step(model, &Drawn { origin: None, call, is_signed: true }, seed));
	}
}

/// Who comes back in the block in which it was deleted, and is deleted again.
fn come_and_go(model: &mut Model, tenant: TenantId, seed: u64) {
	let who = Some(GOVERNOR);
	let (space, kms) = (SpaceId([0; 10]), KmsId([0; 10]));
	for (origin, call) in [
		(who, Call::create_tenant { space, tenant }),
		(who, Call::add_kms { tenant, kms, locator: locator("x") }),
		(None, Call::governance_delete_tenant { tenant, slash: 0, max_rows: 9 }),
		(who, Call::reap { subject: Subject::Tenant(tenant), limit: 9 }),
	] {
		step(model, &Drawn { origin, call, is_signed: true }, seed);
	}
}

/// Deletes all members. Nothing is on hold then, and nothing was lost but what was slashed.
fn delete_everything(model: &mut Model, seed: u64) {
	for subject in model.members.keys().copied().collect::<Vec<_>>() {
		let (slash, max_rows) = (0, u32::MAX);
		let call = match subject {
			_ if Deletions::<Test>::contains_key(subject) => {
				Call::reap { subject, limit: u32::MAX }
			},
			Subject::Provider(provider) => {
				Call::governance_delete_provider { provider, slash, max_rows }
			},
			Subject::Tenant(tenant) => Call::governance_delete_tenant { tenant, slash, max_rows },
		};
		let origin = matches!(call, Call::reap { .. }).then_some(STRANGER);
		assert!(step(model, &Drawn { origin, call, is_signed: true }, seed));
	}
	assert_eq!(Tenants::<Test>::iter().count(), 0);
	let all = ACCOUNTS.map(funds).collect::<Vec<_>>();
	assert!(all.iter().all(|(_, held)| *held == 0));
	assert_eq!(all.iter().map(|(free, _)| free).sum::<Balance>(), model.issued - model.slashed);
}

#[test]
fn pallet_and_model_agree() {
	let mut succeeded = BTreeMap::new();
	let mut calls = 0;
	for seed in 0..24 {
		let mut rng = StdRng::seed_from_u64(seed);
		let mut chain = Chain::empty();
		let mut model = chain.block(|| {
			let root = RuntimeOrigin::root();
			Balances::force_set_balance(root, POOR, 12_000).expect("the account exists");
			Model::new()
		});
		for _ in 0..60 {
			// As runtime upgrades may do.
			if rng.random_bool(0.1) {
				DepositBase::set(rng.random_range(0..200));
				DepositPerByte::set(rng.random_range(0..3));
			}
			let pass = if rng.random_bool(0.2) { rng.random_range(1..150) } else { 0 };
			chain.block(|| {
				System::set_block_number(System::block_number() + pass);
				model.begin_block();
				restore_spaces(&mut model, &mut rng, seed);
				for _ in 0..rng.random_range(1..40) {
					let drawn = random_call(&mut rng);
					calls += 1;
					if step(&mut model, &drawn, seed) {
						*succeeded.entry(drawn.call.get_call_name()).or_insert(0) += 1;
						if let Call::governance_delete_tenant { tenant, .. } = drawn.call {
							come_and_go(&mut model, tenant, seed);
						}
					}
				}
				let idle = match rng.random_range(0..4) {
					0 => Weight::zero(),
					1 => Weight::MAX,
					_ => {
						<() as WeightInfo>::on_idle_base() * 2
							+ <() as WeightInfo>::reap(rng.random_range(0..12))
					},
				};
				model.on_idle(idle);
				assert!(idle.all_gte(ContentFabric::on_idle(System::block_number(), idle)));
				model.assert_rows();
			});
		}
		chain.block(|| {
			model.begin_block();
			delete_everything(&mut model, seed);
			model.assert_rows();
		});
	}
	assert!(calls >= 20_000, "{calls}");
	// Every kind of call has succeeded now and then.
	let never: Vec<_> = Call::<Test>::get_call_names()
		.iter()
		// Spaces are created where there are none, above.
		.filter(|name| **name != "create_space" && !succeeded.contains_key(*name))
		.collect();
	assert!(never.is_empty(), "{never:?} of {succeeded:?}");
}
