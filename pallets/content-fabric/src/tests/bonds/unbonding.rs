// SPDX-License-Identifier: Apache-2.0
//! The end of a member by its root: the bond is released only to a member that has long been empty.

use frame_support::storage::with_storage_layer;

use super::*;

/// Returns the block since which a member has been empty.
fn empty_since(member: MemberId) -> Option<u64> {
	match member {
		MemberId::Provider(id) => Providers::<Test>::get(id).expect("it exists").empty_since,
		MemberId::Tenant(id) => Tenants::<Test>::get(id).expect("it exists").empty_since,
	}
}

/// Adds a row under a new member.
fn add_row(member: MemberId, number: u8) {
	make(
		STRANGER,
		match member {
			MemberId::Provider(provider) => {
				let (node, operator, locator) = (NodeId([number; 10]), OPERATOR, locator("x"));
				Call::create_node { provider, node, operator, locator }
			},
			MemberId::Tenant(tenant) => add_kms_call(tenant, KmsId([number; 10]), "x"),
		},
	);
}

/// Removes that row.
fn remove_row(member: MemberId, number: u8) -> DispatchResult {
	let remove = match member {
		MemberId::Provider(provider) => Call::remove_node { provider, node: NodeId([number; 10]) },
		MemberId::Tenant(tenant) => Call::remove_kms { tenant, kms: KmsId([number; 10]) },
	};
	dispatch(STRANGER, remove)
}

fn delete(who: AccountId, member: MemberId) -> DispatchResult {
	dispatch(who, Call::delete_member { member })
}

#[track_caller]
fn assert_bonded(who: AccountId, member: MemberId) {
	assert_refused(who, Call::delete_member { member }, Error::<Test>::UnbondingPeriodNotOver);
}

/// Checks the block since which a member has been empty, and whether it has become so in this one.
#[track_caller]
fn assert_empty_since(member: MemberId, since: Option<u64>) {
	assert_eq!(empty_since(member), since);
	let emptied = events().into_iter().filter(|event| *event == Event::MemberEmptied { member });
	assert_eq!(emptied.count(), usize::from(since == Some(System::block_number())));
}

/// Lets blocks pass until the next one is the last in which a member that was emptied in the last
/// block cannot be deleted.
fn wait_until_just_before_the_end(chain: &mut Chain) {
	chain.pass(UnbondingPeriod::get() - 2);
}

/// Returns a chain in whose last block an account has created a member.
fn chain_with(member: MemberId) -> Chain {
	let mut chain = Chain::small_fabric();
	chain.block(|| make(STRANGER, create(member, MAX_HELD)));
	chain
}

#[test]
fn a_member_is_empty_from_its_creation_and_from_the_removal_of_its_last_row() {
	for member in NEW_MEMBERS {
		let mut chain = chain_with(member);
		chain.block(|| {
			assert_eq!(empty_since(member), Some(System::block_number() - 1));
			add_row(member, 1);
			assert_eq!(empty_since(member), None);
			add_row(member, 2);
			assert_eq!(empty_since(member), None);
		});
		chain.block(|| {
			assert_ok!(remove_row(member, 1));
			assert_empty_since(member, None);
		});
		chain.block(|| {
			assert_ok!(remove_row(member, 2));
			assert_empty_since(member, Some(System::block_number()));
		});
		// A call that changes no row does not restart the period.
		chain.block(|| {
			make(STRANGER, Call::top_up_bond { member, amount: 1 });
			assert_empty_since(member, Some(System::block_number() - 1));
		});
	}
}

#[test]
fn every_row_counts_for_whether_a_member_is_empty() {
	// Versions and records are never the last rows, as they have parents.
	let is_child = |kind: &rows::Kind| {
		let call = Chain::small_fabric().block(kind.add);
		matches!(call, Call::commit_versions { .. } | Call::put_records { .. })
	};
	let kinds = rows::kinds().into_iter().filter(|kind| !is_child(kind));
	for rows::Kind { member, adder, add, remove, .. } in kinds {
		let mut chain = Chain::small_fabric();
		chain.block(|| assert_eq!(purge_member(member), Ok(())));
		chain.idle();
		chain.block(|| {
			assert!(empty_since(member).is_some());
			make(adder, add());
			assert_eq!(empty_since(member), None, "{:?}", add());
		});
		chain.block(|| {
			make(root_of(member), remove());
			assert_empty_since(member, Some(System::block_number()));
		});
	}
}

#[test]
fn a_purge_empties_a_member_in_the_block_of_its_last_step() {
	for member in THE_MEMBERS {
		let root = root_of(member);
		let mut chain = Chain::small_fabric();
		chain.block(|| {
			assert_ok!(purge_member(member));
			assert_empty_since(member, None);
		});
		chain.block(|| {
			assert_ok!(reap(member, 1));
			assert_empty_since(member, None);
			assert_noop!(delete(root, member), errors(member).not_empty);
		});
		chain.block(|| {
			assert_ok!(reap(member, 100));
			assert_empty_since(member, Some(System::block_number()));
			assert_bonded(root, member);
		});
		wait_until_just_before_the_end(&mut chain);
		chain.block(|| assert_bonded(root, member));
		chain.block(|| {
			assert_ok!(delete(root, member));
			assert_eq!(funds(root), (ENDOWMENT, 0));
		});
	}
}

#[test]
fn a_member_is_deleted_once_it_has_been_empty_for_the_unbonding_period() {
	for member in NEW_MEMBERS {
		let mut chain = chain_with(member);
		wait_until_just_before_the_end(&mut chain);
		chain.block(|| {
			let since = empty_since(member).expect("it has no rows");
			assert_eq!(System::block_number(), since + UnbondingPeriod::get() - 1);
			assert_bonded(STRANGER, member);
		});
		chain.block(|| {
			let created = created(member);
			assert_ok!(delete(STRANGER, member));
			assert_eq!(events(), [Event::MemberDeleted { member, space: SPACE, created }]);
			assert_eq!(ContentFabric::rows(member), None);
			assert_eq!(funds(STRANGER), (ENDOWMENT, 0));
			// The id is free.
			make(EDITOR, create(member, MAX_HELD));
		});
	}
}

#[test]
fn a_period_without_end_never_releases_the_bond() {
	for member in NEW_MEMBERS {
		let mut chain = chain_with(member);
		UnbondingPeriod::set(u64::MAX);
		chain.pass(100);
		chain.block(|| assert_bonded(STRANGER, member));
	}
}

#[test]
fn a_row_in_between_starts_the_period_anew() {
	for member in NEW_MEMBERS {
		let mut chain = chain_with(member);
		wait_until_just_before_the_end(&mut chain);
		chain.block(|| {
			add_row(member, 1);
			assert_ok!(remove_row(member, 1));
		});
		chain.block(|| assert_bonded(STRANGER, member));
		chain.pass(UnbondingPeriod::get() - 3);
		chain.block(|| assert_bonded(STRANGER, member));
		chain.block(|| assert_eq!(delete(STRANGER, member), Ok(())));
	}
}

#[test]
fn an_empty_member_is_deleted_at_once_where_there_is_no_bond_or_no_period() {
	for member in NEW_MEMBERS {
		// Governance has slashed all of it. One unit less is still a bond.
		chain_with(member).block(|| {
			assert_ok!(slash(member, usual_bond(member) - 1));
			assert_bonded(STRANGER, member);
			assert_ok!(slash(member, 1));
			assert_ok!(delete(STRANGER, member));
			assert_eq!(funds(STRANGER), (ENDOWMENT - usual_bond(member), 0));
		});
		// The runtime asks for no period.
		chain_with(member).block(|| {
			add_row(member, 1);
			assert_ok!(remove_row(member, 1));
			assert_bonded(STRANGER, member);
			UnbondingPeriod::set(0);
			assert_ok!(delete(STRANGER, member));
			UnbondingPeriod::reset();
			assert_eq!(funds(STRANGER), (ENDOWMENT, 0));
		});
	}
}

#[test]
fn a_bond_cannot_be_withdrawn_while_a_slash_is_voted_on() {
	for member in THE_MEMBERS {
		let (root, bond) = (root_of(member), usual_bond(member));
		let mut chain = Chain::small_fabric();
		// A motion to slash has been made, so the root empties the member to save the bond.
		chain.block(|| {
			assert_ok!(purge_member(member));
			assert_noop!(delete(root, member), errors(member).not_empty);
		});
		chain.idle();
		for _ in 2..UnbondingPeriod::get() {
			chain.block(|| {
				assert_bonded(root, member);
				// Another root does not help: the bond moves, and the member stays as it is.
				let batch = with_storage_layer(|| {
					nominate(root, member, Some(EDITOR))?;
					accept(EDITOR, member)?;
					delete(EDITOR, member)
				});
				assert_eq!(batch, Err(Error::<Test>::UnbondingPeriodNotOver.into()));
				assert_eq!(recorded(member).0, bond);
			});
		}
		// The slash comes in the last block of the period, and all of the bond is still there.
		chain.block(|| {
			assert_bonded(root, member);
			assert_ok!(slash(member, bond));
			assert_eq!(recorded(member).0, 0);
			assert_ok!(delete(root, member));
			assert_eq!(funds(root), (ENDOWMENT - bond, 0));
		});
	}
}
