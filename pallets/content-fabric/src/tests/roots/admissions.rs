// SPDX-License-Identifier: Apache-2.0
//! Admissions that an acceptance uses up.

use super::*;

fn require_approval() {
	assert_ok!(ContentFabric::set_space_rules(signed(GOVERNOR), SPACE, approval()));
}

fn admit(account: AccountId, role: Role) {
	assert_ok!(crate::tests::admissions::admit(account, role));
}

fn unused_admissions() -> (u32, Vec<(AccountId, Role)>) {
	let count = Spaces::<Test>::get(SPACE).expect("the space exists").admission_count;
	(count, Admissions::<Test>::iter_key_prefix(SPACE).collect())
}

#[test]
fn a_nominee_of_the_root_uses_up_an_admission_where_the_space_asks_for_approval() {
	for (member, role, other) in
		[(THE_PROVIDER, Role::Provider, Role::Tenant), (THE_TENANT, Role::Tenant, Role::Provider)]
	{
		Chain::small_fabric().block(|| {
			require_approval();
			assert_ok!(nominate(root_of(member), member, Some(STRANGER)));
			assert_noop!(accept(STRANGER, member), Error::<Test>::NotAdmitted);
			// Neither an admission of the other kind nor one of another account serves.
			admit(STRANGER, other);
			admit(EDITOR, role);
			assert_noop!(accept(STRANGER, member), Error::<Test>::NotAdmitted);
			admit(STRANGER, role);
			// An acceptance that fails uses up none.
			let too_little = Call::accept_root { member, max_held: 0 };
			assert_refused(STRANGER, too_little, Error::<Test>::HeldLimitExceeded);
			System::reset_events();
			assert_ok!(accept(STRANGER, member));
			let (root, previous) = (STRANGER, root_of(member));
			assert_eq!(
				events(),
				[
					Event::AdmissionUsed { space: SPACE, account: STRANGER, role },
					Event::RootSet { member, root, previous, unreleased: 0 },
				]
			);
			let (count, left) = unused_admissions();
			assert_eq!((count, left.len()), (2, 2));
			assert!(!left.contains(&(STRANGER, role)));
		});
	}
}

#[test]
fn a_nominee_of_governance_needs_no_admission_and_uses_up_none() {
	for (member, role) in [(THE_PROVIDER, Role::Provider), (THE_TENANT, Role::Tenant)] {
		for admitted in [false, true] {
			let mut chain = chain_with_nominee_of_governance(member);
			chain.block(|| {
				require_approval();
				if admitted {
					admit(STRANGER, role);
				}
			});
			chain.block(|| {
				assert_ok!(accept(STRANGER, member));
				let left = if admitted { vec![(STRANGER, role)] } else { vec![] };
				assert_eq!(unused_admissions(), (left.len() as u32, left));
			});
		}
	}
}
