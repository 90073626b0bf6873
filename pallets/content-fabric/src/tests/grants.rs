// SPDX-License-Identifier: Apache-2.0
//! A signed commit belongs to one life: of the tenant, and of the level with which its signer
//! signed.

use frame_support::{assert_noop, assert_ok, dispatch::DispatchResult};

use super::{
	replay::{medallion_of, now, purge},
	signing::submit_signed,
};
use crate::{
	identifiers::Muid, mock::*, Error, TenantKeys, TenantLevel, Tenants, VersionCommit,
	VersionCommitOf,
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
		let muid = Muid::new(timestamp, medallion_of(NODE), 0).expect("is in range");
		let commit = VersionCommit { muid, ..creating(&[head_draft(OBJECT, NEW)]) };
		Self { signer, signature: sign(signer, &commit), commit }
	}

	fn submit(&self) -> DispatchResult {
		submit_signed(self.signer, &self.commit, self.signature.clone())
	}
}

fn set_key(level: Option<TenantLevel>) {
	assert_ok!(set_tenant_key(EDITOR, level));
}

fn renew_tenant() {
	make(TENANT_ROOT, create(THE_TENANT, MAX_HELD));
	assert_ok!(add_kms(TENANT, KMS));
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
			chain.block(|| hand_over(THE_TENANT, TENANT_ROOT, STRANGER));
			chain.block(|| hand_over(THE_TENANT, STRANGER, TENANT_ROOT));
		}),
		("the root, by way of an access key", EDITOR, |chain| {
			chain.block(|| hand_over(THE_TENANT, TENANT_ROOT, EDITOR));
		}),
		("the tenant of a root", TENANT_ROOT, |chain| {
			purge(chain, THE_TENANT);
			chain.block(renew_tenant);
		}),
		("the tenant of an access key", EDITOR, |chain| {
			purge(chain, THE_TENANT);
			chain.block(|| {
				renew_tenant();
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
			assert_eq!(undone(|| unused.submit()), Ok(()), "{what}");
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
			super::replay::create_confirmed(PROVIDER, NODE);
			for earlier in [0, since.timestamp() - 1, since.timestamp()] {
				let commit = Unused::signed_at(signer, earlier);
				assert_noop!(commit.submit(), Error::<Test>::MuidBeforeGrant);
			}
			assert_ok!(Unused::signed_at(signer, since.timestamp() + 1).submit());
		});
	}
}

/// A signer's clock is ahead of the block in which its key was granted. So a commit of that clock
/// can be included in any block from then on, even in the same one.
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

/// If a commit cannot be ahead of its block, it waits for the next one with a later time.
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
