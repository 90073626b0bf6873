// SPDX-License-Identifier: Apache-2.0
//! The properties that each extrinsic and each block must have.

use std::collections::BTreeMap;

use content_fabric_runtime::{
	configs::BlockWeights, AccountId, Balance, ContentFabric, Runtime, RuntimeCall, RuntimeEvent,
	RuntimeHoldReason, RuntimeOrigin, System,
};
use frame_support::{
	dispatch::{DispatchClass, GetDispatchInfo},
	storage::{transactional::TRANSACTION_LEVEL_KEY, with_transaction, TransactionOutcome},
	traits::Get,
	weights::Weight,
	StorageHasher, Twox128,
};
use pallet_content_fabric::{
	fuzzing::members, Collections, ContentObjects, HoldReason, Kmses, MemberId, Nodes,
	ProviderKeys, Records, TenantKeys, Versions,
};
use sp_io::TestExternalities;
use sp_runtime::{traits::Dispatchable, DispatchError};

use crate::accounts::Origin;

/// A property that does not hold.
#[derive(Clone, Debug)]
pub struct Finding {
	/// The property.
	pub kind: &'static str,
	pub what: String,
}

impl Finding {
	pub fn new(kind: &'static str, what: impl Into<String>) -> Self {
		Self { kind, what: what.into() }
	}
}

pub type Checked<T = ()> = Result<T, Finding>;

pub fn ensure(holds: bool, kind: &'static str, what: impl FnOnce() -> String) -> Checked {
	if holds {
		Ok(())
	} else {
		Err(Finding::new(kind, what()))
	}
}

/// Keys with their values, or `None` where they were removed.
pub type Changes = BTreeMap<Vec<u8>, Option<Vec<u8>>>;

/// Returns what the present block has changed so far.
pub fn changes(state: &TestExternalities) -> Changes {
	let changes = state.overlayed_changes().changes();
	changes.map(|(key, value)| (key.clone(), value.clone().value().cloned())).collect()
}

/// Checks that a failed extrinsic has changed nothing but what its fee, its nonce and its event
/// change.
pub fn nothing_changed(before: &Changes, after: &Changes, signer: &AccountId) -> Checked {
	let account = frame_system::Account::<Runtime>::hashed_key_for(signer);
	let accounts = account[..32].to_vec();
	let issuance = pallet_balances::TotalIssuance::<Runtime>::hashed_key();
	let pallets = ["System", "TransactionPayment"].map(|name| Twox128::hash(name.as_bytes()));
	let is_free = |key: &[u8]| {
		key == account
			|| key == issuance
			|| key == TRANSACTION_LEVEL_KEY
			|| key == sp_core::storage::well_known_keys::EXTRINSIC_INDEX
			|| (pallets.iter().any(|pallet| key.starts_with(pallet)) && !key.starts_with(&accounts))
	};
	let changed = after.iter().find(|(key, value)| {
		// A key that is not among the changes of the block before must not be among them now.
		before.get(*key) != Some(*value) && !is_free(key)
	});
	let removed = before.keys().find(|key| !after.contains_key(*key) && !is_free(key));
	ensure(changed.is_none() && removed.is_none(), "failure changed the state", || {
		format!("{:?} {:?}", changed.map(|(key, _)| hex(key)), removed.map(|key| hex(key)))
	})
}

fn hex(bytes: &[u8]) -> String {
	bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Checks that the weight that an extrinsic reports is within the one before its dispatch.
pub fn weight_is_within(before: Weight, class: DispatchClass, event: &RuntimeEvent) -> Checked {
	use frame_system::Event;
	let (RuntimeEvent::System(Event::ExtrinsicSuccess { dispatch_info })
	| RuntimeEvent::System(Event::ExtrinsicFailed { dispatch_info, .. })) = event
	else {
		return Err(Finding::new("no outcome", format!("the last event is {event:?}")));
	};
	let allowed = before.saturating_add(BlockWeights::get().get(class).base_extrinsic);
	ensure(allowed.all_gte(dispatch_info.weight), "weight after dispatch", || {
		format!("{:?} of {allowed:?}", dispatch_info.weight)
	})
}

/// Dispatches a call and undoes it. Checks the weight that the call itself reports, which a batch
/// or an extrinsic would limit to the weight before dispatch.
pub fn dispatch_is_within_weight(call: &RuntimeCall, origin: &Origin) -> Checked {
	let origin = match origin {
		Origin::Account(account) => RuntimeOrigin::signed(account.clone()),
		Origin::Root => RuntimeOrigin::root(),
		Origin::Council => pallet_collective::RawOrigin::<_, _>::Members(1, 1).into(),
	};
	let before = call.get_dispatch_info().call_weight;
	let call = call.clone();
	let dispatched = with_transaction(|| {
		TransactionOutcome::Rollback(Ok::<_, DispatchError>(call.dispatch(origin)))
	});
	let dispatched =
		dispatched.map_err(|error| Finding::new("storage layers", format!("{error:?}")))?;
	let post_info = dispatched.unwrap_or_else(|failed| failed.post_info);
	let after = post_info.actual_weight.unwrap_or(before);
	ensure(before.all_gte(after), "weight after dispatch", || format!("{after:?} of {before:?}"))
}

/// Checks the state at the end of a block. `at_begin` is the weight used before its transactions.
/// The end of a session weighs as much as a block, and operational calls have some weight of their
/// own.
pub fn block(at_begin: Weight, pure: &AccountId) -> Checked {
	let (weight, limits) = (System::block_weight(), BlockWeights::get());
	let class = |class| (*weight.get(class), limits.get(class).max_total.unwrap_or(Weight::MAX));
	for (used, max) in [class(DispatchClass::Normal), class(DispatchClass::Operational)] {
		ensure(max.all_gte(used), "weight of the block", || format!("{used:?} of {max:?}"))?;
	}
	let reserved = limits.get(DispatchClass::Operational).reserved.unwrap_or_default();
	let max = limits.max_block.max(at_begin.saturating_add(reserved));
	ensure(max.all_gte(weight.total()), "weight of the block", || {
		format!("{weight:?} of {max:?}, and {at_begin:?} at its begin")
	})?;
	state_is_sound(pure)?;
	funds(pure)?;
	holds_are_for_members(pure)
}

/// Checks the invariants of the pallet. Funds that `pallet-proxy` may have unreserved on the pure
/// proxy count as reserved, see [`funds`].
fn state_is_sound(pure: &AccountId) -> Checked {
	let checked = with_transaction(|| {
		frame_system::Account::<Runtime>::mutate(pure, |info| {
			info.data.reserved = info.data.reserved.saturating_add(pure_deposit());
		});
		TransactionOutcome::Rollback(Ok::<_, DispatchError>(ContentFabric::do_try_state()))
	});
	let checked = checked.map_err(|error| Finding::new("storage layers", format!("{error:?}")))?;
	checked.map_err(|error| Finding::new("try_state", format!("{error:?}")))
}

/// Checks that all holds of the pallet belong to members.
fn holds_are_for_members(pure: &AccountId) -> Checked {
	let mut recorded = BTreeMap::<(AccountId, u8), Balance>::new();
	let mut add = |root: AccountId, reason: HoldReason, amount: Balance| {
		let sum = recorded.entry((root, reason as u8)).or_default();
		*sum = sum.saturating_add(amount);
	};
	for (member, info) in members::<Runtime>() {
		let bond = match member {
			MemberId::Provider(_) => HoldReason::ProviderBond,
			MemberId::Tenant(_) => HoldReason::TenantBond,
		};
		add(info.root.clone(), bond, info.bond);
		add(info.root, HoldReason::StorageDeposit, info.own_deposit.saturating_add(info.deposit));
	}
	for account in frame_system::Account::<Runtime>::iter_keys() {
		let missing = if account == *pure { pure_deposit() } else { 0 };
		for (reason, held) in holds(&account) {
			let RuntimeHoldReason::ContentFabric(reason) = reason else { continue };
			let recorded = recorded.get(&(account.clone(), reason as u8)).copied();
			let recorded = recorded.unwrap_or_default();
			ensure(held <= recorded.saturating_add(missing), "holds", || {
				format!("{held} of {account} are on hold for {reason:?}, of {recorded} on record")
			})?;
		}
	}
	Ok(())
}

/// Checks that every row under a member has a deposit.
pub fn rows_have_deposits() -> Checked {
	fn map(name: &'static str, deposits: impl Iterator<Item = Balance>) -> Checked {
		let base = <Runtime as pallet_content_fabric::Config>::DepositBase::get();
		let least = deposits.min().unwrap_or(base);
		ensure(least >= base, "deposits", || format!("a row of {name} has a deposit of {least}"))
	}
	map("ProviderKeys", ProviderKeys::<Runtime>::iter_values().map(|row| row.deposit))?;
	map("Nodes", Nodes::<Runtime>::iter_values().map(|row| row.deposit))?;
	map("TenantKeys", TenantKeys::<Runtime>::iter_values().map(|row| row.deposit))?;
	map("Kmses", Kmses::<Runtime>::iter_values().map(|row| row.deposit))?;
	map("ContentObjects", ContentObjects::<Runtime>::iter_values().map(|row| row.deposit))?;
	map("Versions", Versions::<Runtime>::iter_values().map(|row| row.deposit))?;
	map("Collections", Collections::<Runtime>::iter_values().map(|row| row.deposit))?;
	map("Records", Records::<Runtime>::iter_values().map(|row| row.deposit))
}

/// Checks that the issuance is the sum of all balances, and that what is on hold is reserved.
///
/// The deposit of a pure proxy is reserved on the account that created it. If the pure proxy
/// removes its last proxy by itself, `pallet-proxy` unreserves that deposit on the pure proxy
/// instead, even if all that is reserved there is on hold. So its holds may exceed its reserved
/// balance by the deposit.
fn funds(pure: &AccountId) -> Checked {
	let mut sum: Balance = 0;
	for (account, info) in frame_system::Account::<Runtime>::iter() {
		let data = info.data;
		sum = sum.saturating_add(data.free).saturating_add(data.reserved);
		let held: Balance = holds(&account).iter().map(|(_, amount)| *amount).sum();
		let missing = if account == *pure { pure_deposit() } else { 0 };
		ensure(held <= data.reserved.saturating_add(missing), "holds", || {
			format!("{held} is on hold, and {} reserved of {account}", data.reserved)
		})?;
		ensure(info.providers + info.sufficients > 0 || data.reserved == 0, "references", || {
			format!("nothing provides for {account}, which has {data:?}")
		})?;
	}
	let issuance = pallet_balances::TotalIssuance::<Runtime>::get();
	ensure(sum == issuance, "issuance", || format!("{issuance}, and balances of {sum}"))
}

/// Returns the deposit of an account with one proxy.
fn pure_deposit() -> Balance {
	type Base = <Runtime as pallet_proxy::Config>::ProxyDepositBase;
	type Factor = <Runtime as pallet_proxy::Config>::ProxyDepositFactor;
	<Base as Get<Balance>>::get() + <Factor as Get<Balance>>::get()
}

fn holds(account: &AccountId) -> Vec<(RuntimeHoldReason, Balance)> {
	let holds = pallet_balances::Holds::<Runtime>::get(account);
	holds.into_iter().map(|hold| (hold.id, hold.amount)).collect()
}

/// Returns the number of rows under all members.
pub fn rows() -> u32 {
	members::<Runtime>().map(|(_, info)| info.rows).sum()
}
