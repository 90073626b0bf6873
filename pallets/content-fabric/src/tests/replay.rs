// SPDX-License-Identifier: Apache-2.0
//! Version commits: the checks of `commit_versions`, and that a commit works once.

use frame_support::{assert_noop, assert_ok};
use sp_runtime::{DispatchError, TokenError};

use super::{
	bonds::set_free,
	signing::{submit_signed, tried},
};
use crate::{
	identifiers::{
		ContentObjectId, KmsId, Medallion, Muid, NodeId, ProviderId, TenantId, VersionId,
	},
	mock::*,
	Call, Error, MemberId, Nodes, SpaceRules, TenantLevel, VersionCommit, VersionCommitOf,
};

const NEWER: VersionId = VersionId([8; 32]);

/// `MaxCommitAge` and `MaxClockDrift` of this runtime, in microseconds.
const MAX_AGE: u64 = 600_000_000;
const MAX_DRIFT: u64 = 30_000_000;

pub(super) fn medallion_of(node: NodeId) -> Medallion {
	Nodes::<Test>::get(PROVIDER, node).expect("the node exists").medallion
}

fn last_muid(node: NodeId) -> Option<Muid> {
	Nodes::<Test>::get(PROVIDER, node).and_then(|info| info.last_muid)
}

/// Returns the time of the block in microseconds.
pub(super) fn now() -> u64 {
	System::block_number() * 6_000_000
}

/// Returns a commit of [`NEW`] to [`NODE`] with another muid.
fn commit_with(muid: Option<Muid>) -> VersionCommitOf<Test> {
	VersionCommit { muid: muid.expect("is in range"), ..commit_of(&[draft(OBJECT, NEW)]) }
}

/// Returns a commit of [`NEW`] to [`NODE`] that was drafted at this time.
fn commit_at(timestamp: u64) -> VersionCommitOf<Test> {
	commit_with(Muid::new(timestamp, medallion_of(NODE), 0).ok())
}

pub(super) fn create_confirmed(provider: ProviderId, node: NodeId) {
	assert_ok!(create_node(provider, node));
	assert_ok!(confirm_node(provider, node));
}

/// Has governance delete a member, and waits until it is removed.
pub(super) fn purge(chain: &mut Chain, member: MemberId) {
	chain.block(|| assert_eq!(governance_delete(member), Ok(())));
	chain.idle();
	chain.block(|| assert_eq!(ContentFabric::rows(member), None));
}

/// A commit, the accounts that submit and sign it, and the account that is named as its signer.
struct Attempt {
	submitter: AccountId,
	signer: AccountId,
	signed_by: AccountId,
	commit: VersionCommitOf<Test>,
}

impl Attempt {
	fn call(&self) -> Call<Test> {
		let (tenant_signer, commit) = (self.signer, self.commit.clone());
		let signature = sign(self.signed_by, &commit);
		Call::commit_versions { tenant_signer, commit, signature }
	}

	#[track_caller]
	fn assert_refused(&self, error: Error<Test>) {
		assert_refused(self.submitter, self.call(), error);
	}
}

/// Everything is wrong at first, and put right from the first check to the last.
#[test]
fn the_checks_of_a_commit_come_in_this_order_each_with_its_own_error() {
	Chain::fabric_with_keys().block(|| {
		// Late enough for a muid to be too old, and with a commit in this block.
		System::set_block_number(1_000);
		assert_ok!(commit(NEWER));
		assert_ok!(create_space(OTHER_SPACE, GOVERNOR, rules()));
		make(PROVIDER_ROOT, create_in(OTHER_SPACE, OTHER_PROVIDER.into(), MAX_HELD));
		assert_ok!(create_node(OTHER_PROVIDER, NODE));
		let (provider_bond, tenant_bond) = (PROVIDER_BOND + 1, TENANT_BOND + 1);
		let rules = SpaceRules { provider_bond, tenant_bond, ..rules() };
		make(GOVERNOR, Call::set_space_rules { space: SPACE, rules });

		let mut attempt = Attempt {
			submitter: STRANGER,
			signer: STRANGER,
			signed_by: STRANGER,
			commit: VersionCommit {
				muid: Muid::new(0, medallion_of(PENDING_NODE), 1).expect("is in range"),
				originator: ProviderId([8; 10]),
				node: NodeId([8; 10]),
				copies: bounded([(PROVIDER, NODE)]),
				tenant: TenantId([8; 10]),
				kms: Some(KmsId([8; 10])),
				create_objects: false,
				versions: Default::default(),
			},
		};
		let list = |object, version| commit_of(&[draft(object, version)]).versions;
		attempt.assert_refused(Error::ProviderNotFound);
		attempt.commit.originator = OTHER_PROVIDER;
		attempt.assert_refused(Error::EmptyBatch);
		attempt.commit.versions = list(ContentObjectId([8; 10]), DRAFT);
		attempt.assert_refused(Error::NodeNotFound);
		attempt.commit.node = NODE;
		attempt.assert_refused(Error::NoPermission);
		attempt.submitter = PROVIDER_ROOT;
		attempt.assert_refused(Error::NodePending);
		assert_ok!(confirm_node(OTHER_PROVIDER, NODE));
		attempt.assert_refused(Error::TenantNotFound);
		attempt.commit.tenant = TENANT;
		attempt.assert_refused(Error::SignerNotPermitted);
		attempt.signer = EDITOR;
		attempt.assert_refused(Error::SpaceMismatch);
		attempt.commit.originator = PROVIDER;
		attempt.assert_refused(Error::ProviderUnderBonded);
		make(PROVIDER_ROOT, Call::top_up_bond { member: THE_PROVIDER, amount: 1 });
		attempt.assert_refused(Error::TenantUnderBonded);
		make(TENANT_ROOT, Call::top_up_bond { member: THE_TENANT, amount: 1 });
		attempt.assert_refused(Error::KmsNotFound);
		attempt.commit.kms = Some(KMS);
		attempt.assert_refused(Error::CopyAlreadyExists);
		for (node, error) in [
			((ProviderId([8; 10]), NODE), Error::ProviderNotFound),
			((OTHER_PROVIDER, NODE), Error::SpaceMismatch),
			((PROVIDER, OTHER_NODE), Error::NodeNotFound),
			((PROVIDER, PENDING_NODE), Error::NodePending),
		] {
			attempt.commit.copies = bounded([node]);
			attempt.assert_refused(error);
		}
		attempt.commit.copies = Default::default();
		attempt.assert_refused(Error::InvalidSignature);
		attempt.signed_by = EDITOR;
		attempt.assert_refused(Error::InvalidMuidOffset);
		attempt.commit.muid = attempt.commit.muid.with_offset(0);
		attempt.assert_refused(Error::MedallionMismatch);
		attempt.commit.muid = commit_at(0).muid;
		attempt.assert_refused(Error::MuidTooOld);
		attempt.commit.muid = commit_at(now() + 1).muid;
		assert_eq!(last_muid(NODE), Some(attempt.commit.muid));
		attempt.assert_refused(Error::MuidNotMonotonic);
		System::set_block_number(1_001);
		assert_ok!(set_tenant_key(EDITOR, Some(TenantLevel::Kms)));
		attempt.commit.muid = commit_at(now()).muid;
		attempt.assert_refused(Error::MuidBeforeGrant);
		attempt.commit.muid = commit_at(now() + 1).muid;
		attempt.assert_refused(Error::ContentObjectNotFound);
		attempt.commit.versions = list(OBJECT, DRAFT);
		attempt.assert_refused(Error::VersionAlreadyExists);
		attempt.commit.versions = list(OBJECT, NEW);
		make(attempt.submitter, attempt.call());
	});
}

#[test]
fn the_muid_of_a_commit_has_the_offset_0() {
	Chain::small_fabric().block(|| {
		let muid = commit_at(now()).muid;
		for offset in [1, -1, i32::MAX, i32::MIN] {
			let other = commit_with(Some(muid.with_offset(offset)));
			assert_noop!(tried(&other), Error::<Test>::InvalidMuidOffset);
		}
		assert_ok!(tried(&commit_with(Some(muid))));
	});
}

#[test]
fn the_muid_of_a_commit_has_the_medallion_of_the_node() {
	Chain::small_fabric().block(|| {
		assert_ok!(confirm_node(PROVIDER, PENDING_NODE));
		// Of another node, of the chain, and of a node that may be created some day.
		let not_assigned = super::medallions::nth(3);
		for medallion in [medallion_of(PENDING_NODE), chain_medallion(), not_assigned] {
			let other = commit_with(Muid::new(now(), medallion, 0).ok());
			assert_noop!(tried(&other), Error::<Test>::MedallionMismatch);
		}
		assert_ok!(tried(&commit_at(now())));
	});
}

#[test]
fn the_muid_of_a_commit_is_near_the_time_of_the_block() {
	Chain::small_fabric().block(|| {
		System::set_block_number(1_000);
		for too_old in [0, 1, now() - MAX_AGE - 1] {
			assert_noop!(tried(&commit_at(too_old)), Error::<Test>::MuidTooOld);
		}
		for too_new in [now() + MAX_DRIFT + 1, 2 * now(), Muid::MAX_TIMESTAMP] {
			assert_noop!(tried(&commit_at(too_new)), Error::<Test>::MuidTooNew);
		}
		for near in [now() - MAX_AGE, now() - MAX_AGE + 1, now(), now() + 1, now() + MAX_DRIFT] {
			assert_eq!(tried(&commit_at(near)), Ok(()), "{near}");
		}
	});
}

#[test]
fn in_the_first_minutes_of_a_chain_no_muid_is_too_old() {
	Chain::small_fabric().block(|| {
		assert_ok!(confirm_node(PROVIDER, PENDING_NODE));
		// As old as a commit can be that the root of the tenant has signed.
		let since = created(THE_TENANT).timestamp() + 1;
		let muid = Muid::new(since, medallion_of(PENDING_NODE), 0).ok();
		assert_ok!(tried(&VersionCommit { node: PENDING_NODE, ..commit_with(muid) }));
	});
}

#[test]
fn the_timestamps_of_a_node_rise() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		assert_ok!(submit(commit_at(now())));
		assert_eq!(last_muid(NODE), Some(commit_at(now()).muid));
	});
	let next_at = |timestamp| {
		let versions = commit_of(&[draft(EMPTY_OBJECT, NEW)]).versions;
		VersionCommit { versions, ..commit_at(timestamp) }
	};
	chain.block(|| {
		let last = now() - 6_000_000;
		for timestamp in [last, last - 1, 0] {
			assert_noop!(tried(&next_at(timestamp)), Error::<Test>::MuidNotMonotonic);
		}
		assert_ok!(tried(&next_at(last + 1)));
	});
	// A node whose clock was ahead continues from there.
	chain.block(|| {
		let commit = VersionCommit {
			versions: commit_of(&[draft(OBJECT, NEWER)]).versions,
			..commit_at(now() + MAX_DRIFT)
		};
		assert_ok!(submit(commit));
		assert_noop!(tried(&next_at(now() + MAX_DRIFT)), Error::<Test>::MuidNotMonotonic);
		assert_noop!(tried(&next_at(now() + MAX_DRIFT + 1)), Error::<Test>::MuidTooNew);
	});
	chain.block(|| {
		let last = now() - 6_000_000 + MAX_DRIFT;
		assert_noop!(tried(&next_at(now())), Error::<Test>::MuidNotMonotonic);
		assert_ok!(tried(&next_at(last + 1)));
	});
}

#[test]
fn each_node_has_a_clock_of_its_own() {
	Chain::small_fabric().block(|| {
		assert_ok!(confirm_node(PROVIDER, PENDING_NODE));
		assert_ok!(submit(commit_at(now() + MAX_DRIFT)));
		let muid = Muid::new(now(), medallion_of(PENDING_NODE), 0).ok();
		let versions = commit_of(&[draft(EMPTY_OBJECT, NEW)]).versions;
		assert_ok!(submit(VersionCommit { node: PENDING_NODE, versions, ..commit_with(muid) }));
		assert_eq!(last_muid(PENDING_NODE), muid);
		assert!(last_muid(NODE) > muid);
	});
}

/// A fork with the same genesis block is the same chain to a signature.
#[test]
fn a_commit_works_once_on_each_side_of_a_fork_until_it_is_too_old() {
	// Each side of the fork runs from the same state on.
	Chain::small_fabric().block(|| {
		System::set_block_number(1_000);
		let commit = commit_of(&[draft(OBJECT, NEW)]);
		let signature = sign(TENANT_ROOT, &commit);
		let submit = || submit_signed(TENANT_ROOT, &commit, signature.clone());
		for _ in 0..2 {
			undone(|| {
				assert_ok!(submit());
				assert_noop!(submit(), Error::<Test>::MuidNotMonotonic);
				assert_ok!(delete_version(OBJECT, NEW));
				assert_noop!(submit(), Error::<Test>::MuidNotMonotonic);
			});
		}
		// If the sides differ by then, each judges the commit by its own state.
		undone(|| {
			System::set_block_number(1_101);
			assert_noop!(submit(), Error::<Test>::MuidTooOld);
			System::set_block_number(1_100);
			assert_ok!(submit());
		});
		undone(|| {
			assert_ok!(ContentFabric::remove_node(signed(PROVIDER_ROOT), PROVIDER, NODE));
			create_confirmed(PROVIDER, NODE);
			assert_noop!(submit(), Error::<Test>::MedallionMismatch);
		});
		undone(|| {
			hand_over(THE_TENANT, TENANT_ROOT, STRANGER);
			assert_noop!(submit(), Error::<Test>::SignerNotPermitted);
		});
	});
}

/// No change of a node by its provider makes a used commit work again.
#[test]
fn a_used_commit_does_not_work_again_when_its_node_is_changed() {
	let mut chain = Chain::small_fabric();
	let used = chain.block(|| {
		let call = commit_call(TENANT_ROOT, commit_of(&[draft(OBJECT, NEW)]));
		make(PROVIDER_ROOT, call.clone());
		assert_ok!(delete_version(OBJECT, NEW));
		call
	});
	chain.block(|| {
		let assert_used = |who| assert_refused(who, used.clone(), Error::<Test>::MuidNotMonotonic);
		let (provider, node, locator) = (PROVIDER, NODE, locator("/dns/elsewhere"));
		for change in [
			Call::<Test>::set_node_locator { provider, node, locator },
			Call::set_node_operator { provider, node, operator: STRANGER },
		] {
			assert_used(PROVIDER_ROOT);
			make(PROVIDER_ROOT, change);
		}
		assert_used(PROVIDER_ROOT);
		for enabled in [true, false] {
			assert_ok!(suspend(THE_PROVIDER, enabled));
			assert_ok!(freeze(THE_PROVIDER, enabled));
		}
		assert_used(PROVIDER_ROOT);
		hand_over(THE_PROVIDER, PROVIDER_ROOT, EDITOR);
		// By the operator.
		assert_used(STRANGER);
	});
}

#[test]
fn a_commit_works_once() {
	let mut chain = Chain::small_fabric();
	let commit = chain.block(|| {
		let commit = commit_of(&[draft(OBJECT, NEW), draft(EMPTY_OBJECT, NEW)]);
		assert_ok!(submit(commit.clone()));
		// Not even after all its versions have been deleted.
		for object in [OBJECT, EMPTY_OBJECT] {
			assert_noop!(submit(commit.clone()), Error::<Test>::MuidNotMonotonic);
			assert_ok!(delete_version(object, NEW));
		}
		assert_noop!(submit(commit.clone()), Error::<Test>::MuidNotMonotonic);
		commit
	});
	// Up to the last block in which it is not too old.
	for block in [4, 5, 50, 103] {
		chain.block(|| {
			System::set_block_number(block);
			assert_noop!(submit(commit.clone()), Error::<Test>::MuidNotMonotonic);
		});
	}
	chain.block(|| {
		assert_eq!(System::block_number(), 104);
		assert_noop!(submit(commit), Error::<Test>::MuidTooOld);
	});
}

/// Removes something that a used commit names, and creates it anew.
type Comeback = fn(&mut Chain);

fn set_up_tenant() {
	make(TENANT_ROOT, create(THE_TENANT, MAX_HELD));
	assert_ok!(set_tenant_key(EDITOR, Some(TenantLevel::Content)));
	assert_ok!(add_kms(TENANT, KMS));
	assert_ok!(create_object(EMPTY_OBJECT));
}

fn set_up_provider() {
	make(PROVIDER_ROOT, create(THE_PROVIDER, MAX_HELD));
	create_confirmed(PROVIDER, NODE);
}

/// Returns what comes back, the error of the used commit afterwards, and how.
fn comebacks() -> [(&'static str, Error<Test>, Comeback); 8] {
	[
		("version", Error::MuidNotMonotonic, |_| {}),
		("object", Error::MuidNotMonotonic, |chain| {
			chain.block(|| {
				assert_ok!(delete_object(EMPTY_OBJECT));
				assert_ok!(create_object(EMPTY_OBJECT));
			});
		}),
		("KMS", Error::MuidNotMonotonic, |chain| {
			chain.block(|| {
				assert_ok!(ContentFabric::remove_kms(signed(TENANT_ROOT), TENANT, KMS));
				assert_ok!(add_kms(TENANT, KMS));
			});
		}),
		("key of the signer", Error::MuidNotMonotonic, |chain| {
			chain.block(|| {
				for level in [None, Some(TenantLevel::Content)] {
					assert_ok!(set_tenant_key(EDITOR, level));
				}
			});
		}),
		("tenant", Error::MuidNotMonotonic, |chain| {
			purge(chain, THE_TENANT);
			chain.block(set_up_tenant);
		}),
		// These have new medallions.
		("node", Error::MedallionMismatch, |chain| {
			chain.block(|| {
				assert_ok!(ContentFabric::remove_node(signed(PROVIDER_ROOT), PROVIDER, NODE));
				create_confirmed(PROVIDER, NODE);
			});
		}),
		("provider", Error::MedallionMismatch, |chain| {
			purge(chain, THE_PROVIDER);
			chain.block(set_up_provider);
		}),
		("space", Error::MedallionMismatch, |chain| {
			THE_MEMBERS.into_iter().for_each(|member| purge(chain, member));
			chain.block(|| {
				assert_ok!(ContentFabric::delete_space(signed(GOVERNOR), SPACE));
				assert_ok!(create_space(SPACE, GOVERNOR, rules()));
				set_up_tenant();
				set_up_provider();
			});
		}),
	]
}

#[test]
fn a_used_commit_does_not_work_again_when_all_it_names_is_created_anew() {
	for (what, error, comeback) in comebacks() {
		let mut chain = Chain::fabric_with_keys();
		let new_commit = || commit_of(&[draft(EMPTY_OBJECT, NEW)]);
		let (used, signature) = chain.block(|| {
			let commit = new_commit();
			let signature = sign(EDITOR, &commit);
			assert_ok!(submit_signed(EDITOR, &commit, signature.clone()));
			assert_ok!(delete_version(EMPTY_OBJECT, NEW));
			(commit, signature)
		});
		comeback(&mut chain);
		chain.block(|| {
			let error = DispatchError::from(error);
			assert_noop!(submit_signed(EDITOR, &used, signature.clone()), error);
			// Only the commit itself is the cause.
			let fresh = new_commit();
			assert_eq!(submit_signed(EDITOR, &fresh, sign(EDITOR, &fresh)), Ok(()), "{what}");
			// The fresh one must not revive the used one.
			assert_ok!(delete_version(EMPTY_OBJECT, NEW));
			assert_noop!(submit_signed(EDITOR, &used, signature), error);
		});
	}
}

#[test]
fn a_commit_that_failed_can_be_submitted_again() {
	Chain::small_fabric().block(|| {
		let commit = commit_of(&[draft(OBJECT, NEW)]);
		set_free(TENANT_ROOT, 10);
		assert_noop!(submit(commit.clone()), TokenError::FundsUnavailable);
		set_free(TENANT_ROOT, 10_000);
		// A failure leaves the node's last muid, too.
		let unknown = commit_of(&[draft(ContentObjectId([8; 10]), NEW)]);
		assert_eq!(unknown.muid, commit.muid);
		assert_noop!(submit(unknown), Error::<Test>::ContentObjectNotFound);
		assert_ok!(submit(commit));
	});
}
