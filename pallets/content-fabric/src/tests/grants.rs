// SPDX-License-Identifier: Apache-2.0
//! A signed commit belongs to one life: of the tenant, and of the level with which its signer signed.

use frame_support::{
	assert_noop, assert_ok, dispatch::DispatchResult, storage::transactional::with_transaction,
};
use sp_runtime::TransactionOutcome;

use super::{
	replay::{medallion_of, purge},
	signing::submit_signed,
};
use crate::{
	identifiers::{Muid, TenantId},
	mock::*,
	DraftVersion, Error, TenantKeys, TenantLevel, Tenants, VersionCommit, VersionCommitOf,
};

/// The root of [`TENANT`], and an account with an access key.
const SIGNERS: [AccountId; 2] = [TENANT_ROOT, EDITOR];

/// A commit that has not been submitted, with its signer and its signature.
#[derive(Clone)]
struct Unused {
	signer: AccountId,
	commit: VersionCommitOf<Test>,
	signature: Signature,
}

impl Unused {
	/// Signs a commit that would create an object and make its version the head.
	fn signed_at(signer: AccountId, timestamp: u64) -> Self {
		let draft = DraftVersion { set_head_on_finalize: true, ..draft(OBJECT, NEW) };
		let muid = Muid::new(timestamp, medallion_of(NODE), 0).expect("is in range");
		let commit = VersionCommit { muid, create_objects: true, ..commit_of(&[draft]) };
		Self { signer, signature: sign(signer, &commit), commit }
	}

	fn submit(&self) -> DispatchResult {
		submit_signed(self.signer, &self.commit, self.signature.clone())
	}
}

/// Returns the time of the block in microseconds.
fn now() -> u64 {
	System::block_number() * 6_000_000
}

fn set_key(level: Option<TenantLevel>) {
	assert_ok!(ContentFabric::set_tenant_key(signed(TENANT_ROOT), TENANT, EDITOR, level));
}

/// Makes `next` the root of the tenant, with the consent of `root`.
fn hand_over(root: AccountId, next: AccountId) {
	let created = created(THE_TENANT);
	assert_ok!(ContentFabric::nominate_root(signed(root), THE_TENANT, created, Some(next)));
	assert_ok!(ContentFabric::accept_root(signed(next), THE_TENANT, MAX_HELD));
}

fn create_tenant(tenant: TenantId) {
	let root = || signed(TENANT_ROOT);
	assert_ok!(ContentFabric::create_tenant(root(), SPACE, tenant, MAX_HELD));
	assert_ok!(ContentFabric::add_kms(root(), tenant, KMS, locator("x")));
}

/// Ends the level of a signer, or the tenant, and gives it again.
type Renewal = fn(&mut Chain);

fn renewals() -> [(&'static str, AccountId, Renewal); 7] {
	[
		("an access key, in one block", EDITOR, |chain| {
			chain.block(|| [None, Some(TenantLevel::Content)].map(set_key));
		}),
		("an access key, in two blocks", EDITOR, |chain| {
			chain.block(|| set_key(None));
			chain.block(|| set_key(Some(TenantLevel::Content)));
		}),
		("another level", EDITOR, |chain| chain.block(|| set_key(Some(TenantLevel::Admin)))),
		("the root", TENANT_ROOT, |chain| {
			chain.block(|| hand_over(TENANT_ROOT, STRANGER));
			chain.block(|| hand_over(STRANGER, TENANT_ROOT));
		}),
		("the root, by way of an access key", EDITOR, |chain| {
			chain.block(|| hand_over(TENANT_ROOT, EDITOR));
		}),
		("the tenant of a root", TENANT_ROOT, |chain| {
			purge(chain, THE_TENANT);
			chain.block(|| create_tenant(TENANT));
		}),
		("the tenant of an access key", EDITOR, |chain| {
			purge(chain, THE_TENANT);
			chain.block(|| {
				create_tenant(TENANT);
				set_key(Some(TenantLevel::Content));
			});
		}),
	]
}

#[test]
fn an_unused_commit_does_not_outlive_what_its_signer_was_given() {
	for (what, signer, renew) in renewals() {
		let mut chain = Chain::fabric_with_keys();
		let unused = chain.block(|| {
			let unused = Unused::signed_at(signer, now());
			// It is valid until then.
			let tried = with_transaction(|| TransactionOutcome::Rollback(unused.submit()));
			assert_eq!(tried, Ok(()), "{what}");
			unused
		});
		renew(&mut chain);
		chain.block(|| {
			let refused = unused.submit();
			assert_eq!(refused, Err(Error::<Test>::MuidBeforeGrant.into()), "{what}");
			// Only its time is the cause.
			let fresh = Unused::signed_at(signer, now() + 1);
			assert_eq!(fresh.submit(), Ok(()), "{what}");
		});
	}
}

/// A tenant that left of its own accord, with a member of the same root and id after it.
#[test]
fn a_commit_for_a_deleted_tenant_is_not_one_for_the_next_with_its_id() {
	let mut chain = Chain::fabric_with_keys();
	let unused = chain.block(|| SIGNERS.map(|signer| Unused::signed_at(signer, now())));
	chain.block(|| {
		assert_ok!(ContentFabric::purge_member(signed(TENANT_ROOT), THE_TENANT));
	});
	chain.idle();
	chain.pass(UnbondingPeriod::get());
	chain.block(|| {
		assert_ok!(ContentFabric::delete_member(signed(TENANT_ROOT), THE_TENANT));
		for unused in &unused {
			assert_noop!(unused.submit(), Error::<Test>::TenantNotFound);
		}
	});
	chain.block(|| {
		create_tenant(TENANT);
		set_key(Some(TenantLevel::Content));
		for unused in &unused {
			assert_noop!(unused.submit(), Error::<Test>::MuidBeforeGrant);
		}
	});
}

#[test]
fn a_commit_is_at_least_a_microsecond_younger_than_what_its_signer_was_given() {
	for signer in SIGNERS {
		Chain::fabric_with_keys().block(|| {
			let since = match TenantKeys::<Test>::get(TENANT, signer) {
				Some(key) => key.granted,
				None => Tenants::<Test>::get(TENANT).expect("it exists").root_since,
			};
			// The node has committed since, so another one takes it in.
			assert_ok!(ContentFabric::remove_node(signed(PROVIDER_ROOT), PROVIDER, NODE));
			super::replay::create_node(PROVIDER, NODE);
			for earlier in [0, since.timestamp() - 1, since.timestamp()] {
				let commit = Unused::signed_at(signer, earlier);
				assert_noop!(commit.submit(), Error::<Test>::MuidBeforeGrant);
			}
			assert_ok!(Unused::signed_at(signer, since.timestamp() + 1).submit());
		});
	}
}

/// A clock of a signer shows a time after that of the block in which its key was granted. So a commit
/// of that clock can be included in any block from then on, even in the same one.
#[test]
fn a_commit_that_is_signed_after_the_grant_can_be_included_from_the_same_block_on() {
	for blocks in [0, 1, 50] {
		let mut chain = Chain::small_fabric();
		chain.begin_block(1);
		let commit = chain.run(|| {
			set_key(Some(TenantLevel::Content));
			Unused::signed_at(EDITOR, now() + 1)
		});
		if blocks > 0 {
			chain.end_block();
			chain.begin_block(blocks);
		}
		assert_eq!(chain.run(|| commit.submit()), Ok(()), "{blocks}");
		chain.end_block();
	}
}

/// Where a commit cannot be ahead of its block, it waits for the next one with a later time.
#[test]
fn without_any_drift_a_commit_is_included_after_the_block_of_the_grant() {
	let mut chain = Chain::small_fabric();
	MaxClockDrift::set(0);
	let commit = chain.block(|| {
		set_key(Some(TenantLevel::Content));
		let commit = Unused::signed_at(EDITOR, now() + 1);
		assert_noop!(commit.submit(), Error::<Test>::MuidTooNew);
		assert_noop!(Unused::signed_at(EDITOR, now()).submit(), Error::<Test>::MuidBeforeGrant);
		commit
	});
	assert_eq!(chain.block(|| commit.submit()), Ok(()));
	MaxClockDrift::reset();
}
