use content_fabric_runtime::units::UNIT;
use content_fabric_runtime::*;
use frame_support::traits::fungible::InspectHold;
use pallet_content_fabric::{Call, MemberId, Tenants};
use sp_runtime::traits::Dispatchable;
#[test]
fn pure_root() {
	let accounts = crate::accounts::Accounts::new(1);
	let mut state = crate::genesis::snapshots(&accounts)[0].state();
	state.execute_with(|| {
		System::set_block_number(5);
		pallet_timestamp::Now::<Runtime>::put(1_776_000_000_000);
		let owner = crate::accounts::OWNER_OF_PURE.to_account_id();
		let pure = accounts.pure.clone();
		// the pure proxy at the expected place
		let def = pallet_proxy::ProxyDefinition {
			delegate: owner.clone(),
			proxy_type: configs::ProxyType::Any,
			delay: 0,
		};
		let deposit = 24_100_000_000u128;
		use frame_support::traits::ReservableCurrency;
		Balances::reserve(&owner, deposit).unwrap();
		pallet_proxy::Proxies::<Runtime>::insert(
			&pure,
			(frame_support::BoundedVec::truncate_from(vec![def]), deposit),
		);
		let member = MemberId::Tenant(crate::rows::tenant_id(2));
		let show = |what: &str| {
			let data = System::account(&pure).data;
			println!(
				"{what}: free {} reserved {} holds {:?} info bond {:?}",
				data.free,
				data.reserved,
				pallet_balances::Holds::<Runtime>::get(&pure),
				Tenants::<Runtime>::get(crate::rows::tenant_id(2)).map(|i| (
					i.bond,
					i.own_deposit,
					i.deposit
				))
			);
			println!("   balance on hold {}", Balances::total_balance_on_hold(&pure));
			println!("   try_state {:?}", ContentFabric::do_try_state());
		};
		show("start");
		let origin = RuntimeOrigin::signed(pure.clone());
		println!(
			"{:?}",
			RuntimeCall::ContentFabric(Call::top_up_bond { member, amount: 100 * UNIT })
				.dispatch(origin.clone())
		);
		show("bond");
		println!(
			"{:?}",
			RuntimeCall::Proxy(pallet_proxy::Call::remove_proxies {}).dispatch(origin.clone())
		);
		show("removed");
		println!(
			"transfer all {:?}",
			RuntimeCall::Balances(pallet_balances::Call::transfer_all {
				dest: owner.clone().into(),
				keep_alive: false
			})
			.dispatch(origin.clone())
		);
		show("transferred");
		let created = crate::rows::created(member).unwrap();
		println!(
			"slash {:?}",
			RuntimeCall::ContentFabric(Call::slash {
				member,
				created,
				amount: 100 * UNIT,
				reason: Default::default()
			})
			.dispatch(RuntimeOrigin::root())
		);
		show("slashed");
		println!(
			"slash again {:?}",
			RuntimeCall::ContentFabric(Call::slash {
				member,
				created,
				amount: 50 * UNIT,
				reason: Default::default()
			})
			.dispatch(RuntimeOrigin::root())
		);
		show("slashed");
		println!(
			"delete {:?}",
			RuntimeCall::ContentFabric(Call::governance_delete {
				member,
				created,
				slash: 100 * UNIT,
				reason: Default::default()
			})
			.dispatch(RuntimeOrigin::root())
		);
		show("deleted");
	});
}
