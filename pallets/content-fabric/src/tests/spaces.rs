//! Spaces: creation, governor, deletion.

use frame_support::{assert_noop, assert_ok, dispatch::DispatchResult};
use sp_runtime::DispatchError::BadOrigin;

use crate::{mock::*, Error, Event, SpaceInfo, Spaces};

#[test]
fn the_creator_creates_a_space() {
	Chain::empty().block(|| {
		assert_ok!(ContentFabric::create_space(RuntimeOrigin::root(), SPACE, GOVERNOR, rules()));
		let created = muid(1);
		assert_eq!(
			Spaces::<Test>::get(SPACE),
			Some(SpaceInfo {
				governor: GOVERNOR,
				rules: rules(),
				provider_count: 0,
				tenant_count: 0,
				admission_count: 0,
				created,
			})
		);
		assert_eq!(events(), [Event::SpaceCreated { space: SPACE, governor: GOVERNOR }]);
		assert_noop!(
			ContentFabric::create_space(RuntimeOrigin::root(), SPACE, STRANGER, rules()),
			Error::<Test>::SpaceAlreadyExists
		);
	});
}

#[test]
fn nobody_else_creates_a_space() {
	Chain::small_fabric().block(|| {
		for origin in [signed(STRANGER), signed(GOVERNOR), RuntimeOrigin::none()] {
			let other = crate::identifiers::SpaceId([0; 10]);
			assert_noop!(ContentFabric::create_space(origin, other, STRANGER, rules()), BadOrigin);
		}
	});
}

#[test]
fn governance_hands_the_space_over() {
	Chain::small_fabric().block(|| {
		assert_ok!(ContentFabric::set_space_governor(signed(GOVERNOR), SPACE, STRANGER));
		assert_eq!(events(), [Event::SpaceGovernorSet { space: SPACE, governor: STRANGER }]);
		assert!(governs(signed(STRANGER), SPACE));
		assert_noop!(
			ContentFabric::set_space_governor(signed(GOVERNOR), SPACE, GOVERNOR),
			BadOrigin
		);
		assert_ok!(ContentFabric::set_space_governor(RuntimeOrigin::root(), SPACE, GOVERNOR));
		let unknown = crate::identifiers::SpaceId([0; 10]);
		assert_noop!(
			ContentFabric::set_space_governor(RuntimeOrigin::root(), unknown, GOVERNOR),
			Error::<Test>::SpaceNotFound
		);
	});
}

fn delete(origin: RuntimeOrigin) -> DispatchResult {
	ContentFabric::delete_space(origin, SPACE).map(drop).map_err(|error| error.error)
}

#[test]
fn only_an_empty_space_is_deleted() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		assert_noop!(delete(signed(GOVERNOR)), Error::<Test>::SpaceNotEmpty);
		assert_ok!(ContentFabric::governance_delete_tenant(
			signed(GOVERNOR),
			TENANT,
			0,
			TENANT_ROWS
		));
		assert_noop!(delete(signed(GOVERNOR)), Error::<Test>::SpaceNotEmpty);
		assert_ok!(ContentFabric::governance_delete_provider(
			signed(GOVERNOR),
			PROVIDER,
			0,
			PROVIDER_ROWS
		));
		assert_noop!(delete(signed(STRANGER)), BadOrigin);
		assert_ok!(ContentFabric::delete_space(signed(GOVERNOR), SPACE));
		assert_eq!(events().last(), Some(&Event::SpaceDeleted { space: SPACE }));
		assert_noop!(delete(RuntimeOrigin::root()), Error::<Test>::SpaceNotFound);
	});
	// The id is free again, and the creator may delete as well.
	chain.block(|| {
		assert_ok!(ContentFabric::create_space(RuntimeOrigin::root(), SPACE, STRANGER, rules()));
		assert_ok!(ContentFabric::delete_space(RuntimeOrigin::root(), SPACE));
	});
}
