// SPDX-License-Identifier: Apache-2.0
//! Members that governance has closed: suspended, or frozen with the flag `governance_delete`.

use super::*;

#[test]
fn the_flag_and_the_suspension_are_independent() {
	Chain::small_fabric().block(|| {
		for member in THE_MEMBERS {
			let top_up = || dispatch(root_of(member), Call::top_up_bond { member, amount: 1 });
			assert_ok!(freeze(member, true));
			assert_ok!(suspend(member, true));
			assert_noop!(top_up(), errors(member).frozen);
			assert_ok!(freeze(member, false));
			assert_eq!(flags(member), (false, true));
			assert_noop!(top_up(), errors(member).suspended);
			assert_ok!(freeze(member, true));
			assert_ok!(suspend(member, false));
			assert_eq!(flags(member), (true, false));
			assert_noop!(top_up(), errors(member).frozen);
			assert_ok!(freeze(member, false));
			assert_ok!(top_up());
		}
	});
}

#[test]
fn a_purge_continues_while_the_member_is_suspended() {
	for member in THE_MEMBERS {
		let mut chain = Chain::small_fabric();
		chain.block(|| {
			assert_ok!(purge_member(member));
			assert_ok!(suspend(member, true));
		});
		chain.block(|| {
			assert_ok!(reap(member, 1));
			assert!(ContentFabric::rows(member) > Some(0));
		});
		chain.idle();
		chain.pass(UnbondingPeriod::get());
		chain.block(|| {
			assert_eq!((ContentFabric::rows(member), flags(member)), (Some(0), (false, true)));
			let delete = || dispatch(root_of(member), Call::delete_member { member });
			assert_noop!(delete(), errors(member).suspended);
			assert_ok!(suspend(member, false));
			assert_ok!(delete());
		});
	}
}
