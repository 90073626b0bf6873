//! Signed version commits: what has to be signed, by whom and when, and that it counts once.

use codec::Encode;
use frame_support::{
	assert_noop, assert_ok, storage::transactional::with_transaction, traits::fungible::Mutate,
};
use sp_core::H256;
use sp_runtime::{
	traits::Dispatchable, DispatchError, DispatchResult, TokenError, TransactionOutcome,
};

use crate::{
	identifiers::{
		ContentObjectId, KmsId, Medallion, Muid, NodeId, ProviderId, TenantId, VersionId,
	},
	mock::*,
	Call, Error, Nodes, VersionCommitMessage, Versions, COMMIT_CONTEXT,
};

const NEW: VersionId = VersionId([7; 32]);
const NEWER: VersionId = VersionId([8; 32]);
const OTHER_PROVIDER: ProviderId = ProviderId([7; 10]);
const OTHER_TENANT: TenantId = TenantId([7; 10]);
const OTHER_KMS: KmsId = KmsId([7; 10]);

/// `MaxCommitAge` and `MaxClockDrift` of this runtime, in microseconds.
const MAX_AGE: u64 = 600_000_000;
const MAX_DRIFT: u64 = 30_000_000;

/// Submits a commit as a transaction, which takes all back if it fails.
fn submit(
	signer: AccountId,
	message: &VersionCommitMessage,
	signature: Signature,
) -> DispatchResult {
	let message = message.clone();
	let call = Call::<Test>::commit_version { tenant_signer: signer, message, signature };
	RuntimeCall::from(call).dispatch(signed(PROVIDER_ROOT)).map(|_| ()).map_err(|error| error.error)
}

/// What would become of a commit that the root of the tenant has signed. Changes nothing.
fn tried(message: &VersionCommitMessage) -> DispatchResult {
	let signature = sign(TENANT_ROOT, message);
	with_transaction(|| TransactionOutcome::Rollback(submit(TENANT_ROOT, message, signature)))
}

fn medallion_of(node: NodeId) -> Medallion {
	Nodes::<Test>::get(PROVIDER, node).expect("the node exists").medallion
}

/// A commit of [`NEW`] with another muid.
fn message_at(muid: Option<Muid>) -> VersionCommitMessage {
	VersionCommitMessage { muid: muid.expect("is in range"), ..message(NEW) }
}

fn confirm(provider: ProviderId, node: NodeId) {
	assert_ok!(ContentFabric::confirm_node(signed(PROVIDER_ROOT), provider, node));
}

fn create_node(provider: ProviderId, node: NodeId) {
	let (root, operator) = (signed(PROVIDER_ROOT), PROVIDER_ROOT);
	assert_ok!(ContentFabric::create_node(root, provider, node, operator, locator("x")));
	confirm(provider, node);
}

#[test]
fn what_is_signed_is_the_context_the_chain_and_the_message() {
	Chain::small_fabric().block(|| {
		let message = message(NEW);
		let genesis = System::block_hash(0u64);
		assert_eq!(COMMIT_CONTEXT, b"content-fabric/version-commit/v1");
		assert_eq!(
			ContentFabric::commit_payload(&message),
			[COMMIT_CONTEXT, genesis.as_bytes(), &message.encode()].concat()
		);
		// Six ids and two numbers of fixed lengths, and a flag: no two messages have the same bytes.
		assert_eq!(message.encode().len(), 5 * 10 + 32 + 8 + 16 + 1);
	});
}

#[test]
fn the_readme_has_the_bytes_of_a_message() {
	Chain::small_fabric().block(|| {
		frame_system::BlockHash::<Test>::insert(0, H256([0xaa; 32]));
		let payload = ContentFabric::commit_payload(&VersionCommitMessage {
			originator: ProviderId([1; 10]),
			node: NodeId([2; 10]),
			tenant: TenantId([3; 10]),
			object: ContentObjectId([4; 10]),
			version: VersionId([5; 32]),
			size: 1_000,
			muid: "6651728988000-10000000001-00000001".parse().expect("is a muid"),
			set_head_on_finalize: true,
			kms: KmsId([6; 10]),
		});
		let readme = include_str!("../../README.md");
		let fences: Vec<String> =
			readme.split("```").map(|text| text.split_whitespace().collect()).collect();
		let hex: String = payload.iter().map(|byte| format!("{byte:02x}")).collect();
		assert!(fences.contains(&format!("text{hex}")));
	});
}

#[test]
fn bytes_may_be_signed_as_they_are_or_as_wallets_wrap_them() {
	Chain::small_fabric().block(|| {
		let raw = message(NEW);
		let payload = ContentFabric::commit_payload(&raw);
		assert_ok!(submit(TENANT_ROOT, &raw, sign_bytes(TENANT_ROOT, &payload)));
		let wrapped = message(NEWER);
		let payload = ContentFabric::commit_payload(&wrapped);
		let payload = [b"<Bytes>".as_slice(), &payload, b"</Bytes>"].concat();
		assert_ok!(submit(TENANT_ROOT, &wrapped, sign_bytes(TENANT_ROOT, &payload)));
		for version in [NEW, NEWER] {
			assert!(Versions::<Test>::contains_key((TENANT, OBJECT, version)));
		}
	});
}

#[test]
fn nothing_else_may_be_signed() {
	Chain::small_fabric().block(|| {
		let message = message(NEW);
		let payload = ContentFabric::commit_payload(&message);
		let (payload, scale) = (payload.as_slice(), message.encode());
		let (genesis, hash) = (System::block_hash(0u64), sp_io::hashing::blake2_256(payload));
		let (open, close) = (b"<Bytes>".as_slice(), b"</Bytes>".as_slice());
		for bytes in [
			// Wrapped by half, twice, or in something else.
			[open, payload].concat(),
			[payload, close].concat(),
			[close, payload, open].concat(),
			[open, open, payload, close, close].concat(),
			[b"<bytes>".as_slice(), payload, b"</bytes>"].concat(),
			[open, b" ", payload, b" ", close].concat(),
			// Without the context, or the chain, or both; with another context.
			[genesis.as_bytes(), &scale].concat(),
			[COMMIT_CONTEXT, &scale].concat(),
			scale.clone(),
			[b"content-fabric/version-commit/v2".as_slice(), genesis.as_bytes(), &scale].concat(),
			// More, or less, or a hash.
			[payload, b"\0"].concat(),
			payload[..payload.len() - 1].to_vec(),
			hash.to_vec(),
			Vec::new(),
		] {
			assert_noop!(
				submit(TENANT_ROOT, &message, sign_bytes(TENANT_ROOT, &bytes)),
				Error::<Test>::InvalidSignature
			);
		}
		assert_ok!(submit(TENANT_ROOT, &message, sign_bytes(TENANT_ROOT, payload)));
	});
}

#[test]
fn every_field_is_signed() {
	let mut chain = Chain::small_fabric();
	// Twins of all that a message names, so that nothing but the signature is at fault.
	chain.block(|| {
		let (provider, tenant) = (|| signed(PROVIDER_ROOT), || signed(TENANT_ROOT));
		assert_ok!(ContentFabric::create_provider(provider(), SPACE, OTHER_PROVIDER));
		create_node(OTHER_PROVIDER, NODE);
		confirm(PROVIDER, PENDING_NODE);
		assert_ok!(ContentFabric::create_tenant(tenant(), SPACE, OTHER_TENANT));
		assert_ok!(ContentFabric::add_kms(tenant(), OTHER_TENANT, KMS, locator("x")));
		assert_ok!(ContentFabric::create_content_object(tenant(), OTHER_TENANT, OBJECT));
		assert_ok!(ContentFabric::add_kms(tenant(), TENANT, OTHER_KMS, locator("x")));
	});
	chain.block(|| {
		let message = message(NEW);
		let signature = || sign(TENANT_ROOT, &message);
		let muid = message.muid.with_offset(message.muid.offset() + 1);
		let altered = |change: fn(&mut VersionCommitMessage)| {
			let mut message = message.clone();
			change(&mut message);
			message
		};
		for altered in [
			// The muids of these say which node they are of, so they change with it.
			altered(|message| {
				message.originator = OTHER_PROVIDER;
				message.muid = node_muid(OTHER_PROVIDER, NODE);
			}),
			altered(|message| {
				message.node = PENDING_NODE;
				message.muid = node_muid(PROVIDER, PENDING_NODE);
			}),
			altered(|message| message.tenant = OTHER_TENANT),
			altered(|message| message.object = EMPTY_OBJECT),
			altered(|message| message.version = NEWER),
			altered(|message| message.size += 1),
			VersionCommitMessage { muid, ..message.clone() },
			altered(|message| message.set_head_on_finalize = true),
			altered(|message| message.kms = OTHER_KMS),
		] {
			assert_ne!(altered, message);
			assert_noop!(
				submit(TENANT_ROOT, &altered, signature()),
				Error::<Test>::InvalidSignature
			);
			// Signed anew it would be taken.
			assert_eq!(tried(&altered), Ok(()), "{altered:?}");
		}
		// Without their muid not even a signature helps.
		for altered in [
			altered(|message| message.originator = OTHER_PROVIDER),
			altered(|message| message.node = PENDING_NODE),
		] {
			for (signature, error) in [
				(signature(), Error::<Test>::InvalidSignature),
				(sign(TENANT_ROOT, &altered), Error::<Test>::MuidOfOtherNode),
			] {
				assert_noop!(submit(TENANT_ROOT, &altered, signature), error);
			}
		}
		assert_ok!(submit(TENANT_ROOT, &message, signature()));
	});
}

#[test]
fn the_signature_is_that_of_the_signer_who_is_named() {
	Chain::fabric_with_keys().block(|| {
		let message = message(NEW);
		for (named, signer) in [
			(TENANT_ROOT, STRANGER),
			(TENANT_ROOT, EDITOR),
			(EDITOR, TENANT_ROOT),
			(TENANT_ADMIN, EDITOR),
			(TENANT_ROOT, PROVIDER_ROOT),
			(KMS_ACCOUNT, 0),
		] {
			assert_noop!(
				submit(named, &message, sign(signer, &message)),
				Error::<Test>::InvalidSignature
			);
		}
		assert_ok!(submit(EDITOR, &message, sign(EDITOR, &message)));
	});
}

#[test]
fn every_level_of_the_tenant_may_sign() {
	Chain::fabric_with_keys().block(|| {
		for signer in [TENANT_ROOT, TENANT_ADMIN, KMS_ACCOUNT, EDITOR] {
			let message = message(VersionId([signer as u8 + 100; 32]));
			assert_eq!(submit(signer, &message, sign(signer, &message)), Ok(()), "{signer}");
		}
	});
}

#[test]
fn a_signer_without_a_level_is_not_permitted() {
	let mut chain = Chain::fabric_with_keys();
	let refused = |signer| {
		let message = message(NEW);
		assert_noop!(
			submit(signer, &message, sign(signer, &message)),
			Error::<Test>::SignerNotPermitted
		);
	};
	chain.block(|| {
		for signer in [STRANGER, GOVERNOR, PROVIDER_ROOT, PROVIDER_ADMIN, OPERATOR] {
			refused(signer);
		}
		// A level in another tenant is none in this one.
		assert_ok!(ContentFabric::create_tenant(signed(STRANGER), SPACE, OTHER_TENANT));
		refused(STRANGER);
	});
	// What was signed while there was a level does not outlive it.
	let (message, signature) = chain.block(|| {
		let message = message(NEW);
		let signature = sign(EDITOR, &message);
		assert_ok!(ContentFabric::set_tenant_key(signed(TENANT_ROOT), TENANT, EDITOR, None));
		(message, signature)
	});
	chain.block(|| {
		assert_noop!(
			submit(EDITOR, &message, signature.clone()),
			Error::<Test>::SignerNotPermitted
		);
		refused(EDITOR);
		assert_ok!(ContentFabric::set_tenant_root(signed(TENANT_ROOT), TENANT, STRANGER));
		refused(TENANT_ROOT);
		assert_ok!(ContentFabric::set_tenant_key(
			signed(STRANGER),
			TENANT,
			EDITOR,
			Some(crate::TenantLevel::Content)
		));
		assert_ok!(submit(EDITOR, &message, signature));
	});
}

#[test]
fn a_signature_is_for_one_chain() {
	Chain::small_fabric().block(|| {
		let message = message(NEW);
		let of_former = sign(TENANT_ROOT, &message);
		frame_system::BlockHash::<Test>::insert(0u64, H256::repeat_byte(7));
		assert_noop!(submit(TENANT_ROOT, &message, of_former), Error::<Test>::InvalidSignature);
		assert_ok!(submit(TENANT_ROOT, &message, sign(TENANT_ROOT, &message)));
	});
}

#[test]
fn a_muid_has_the_medallion_of_its_node() {
	Chain::small_fabric().block(|| {
		let now = System::block_number() * 6_000_000;
		confirm(PROVIDER, PENDING_NODE);
		// That of another node, of the chain, and of a node that there may be some day.
		for medallion in [medallion_of(PENDING_NODE), Medallion::MAX, Medallion::LAST_ASSIGNABLE] {
			assert_noop!(
				tried(&message_at(Muid::new(now, medallion, 1))),
				Error::<Test>::MuidOfOtherNode
			);
		}
		assert_ok!(tried(&message_at(Muid::new(now, medallion_of(NODE), 1))));
	});
}

#[test]
fn a_muid_is_of_a_time_near_that_of_the_block() {
	Chain::small_fabric().block(|| {
		System::set_block_number(1_000);
		let now = 1_000 * 6_000_000;
		let at = |micros| tried(&message_at(Muid::new(micros, medallion_of(NODE), 1)));
		for too_old in [0, 1, now - MAX_AGE - 1] {
			assert_noop!(at(too_old), Error::<Test>::MuidTooOld);
		}
		for too_new in [now + MAX_DRIFT + 1, 2 * now, Muid::MAX_TIMESTAMP] {
			assert_noop!(at(too_new), Error::<Test>::MuidTooNew);
		}
		for near in [now - MAX_AGE, now - MAX_AGE + 1, now, now + 1, now + MAX_DRIFT] {
			assert_eq!(at(near), Ok(()), "{near}");
		}
	});
}

#[test]
fn in_the_first_minutes_of_a_chain_no_muid_is_too_old() {
	Chain::small_fabric().block(|| {
		confirm(PROVIDER, PENDING_NODE);
		let muid = Muid::new(0, medallion_of(PENDING_NODE), 0);
		assert_ok!(tried(&VersionCommitMessage { node: PENDING_NODE, ..message_at(muid) }));
	});
}

#[test]
fn the_muids_of_a_node_rise() {
	let mut chain = Chain::small_fabric();
	chain.block(|| {
		let (now, medallion) = (System::block_number() * 6_000_000, medallion_of(NODE));
		let first = message_at(Muid::new(now, medallion, 5));
		assert_ok!(submit(TENANT_ROOT, &first, sign(TENANT_ROOT, &first)));
		assert_eq!(
			Nodes::<Test>::get(PROVIDER, NODE).and_then(|info| info.last_muid),
			Some(first.muid)
		);
		let at = |timestamp, offset| {
			let muid = Muid::new(timestamp, medallion, offset);
			tried(&VersionCommitMessage { version: NEWER, ..message_at(muid) })
		};
		for (timestamp, offset) in [(now, 5), (now, 4), (now, 0), (now - 1, 6), (now - 1, -1)] {
			assert_noop!(at(timestamp, offset), Error::<Test>::MuidNotRising);
		}
		// Offsets are compared without a sign, as muids are everywhere.
		for (timestamp, offset) in [(now, 6), (now, i32::MAX), (now, -1), (now + 1, 0)] {
			assert_eq!(at(timestamp, offset), Ok(()), "{timestamp} {offset}");
		}
	});
	// A node whose clock is ahead goes on from there, or waits.
	chain.block(|| {
		let (now, medallion) = (System::block_number() * 6_000_000, medallion_of(NODE));
		let ahead = VersionCommitMessage {
			version: NEWER,
			..message_at(Muid::new(now + MAX_DRIFT, medallion, 1))
		};
		assert_ok!(submit(TENANT_ROOT, &ahead, sign(TENANT_ROOT, &ahead)));
		let at = |timestamp, offset| {
			let muid = Muid::new(timestamp, medallion, offset);
			tried(&VersionCommitMessage { version: VersionId([9; 32]), ..message_at(muid) })
		};
		assert_noop!(at(now, 1), Error::<Test>::MuidNotRising);
		assert_noop!(at(now + MAX_DRIFT, 1), Error::<Test>::MuidNotRising);
		assert_ok!(at(now + MAX_DRIFT, 2));
	});
	// Other nodes have muids of their own.
	chain.block(|| {
		confirm(PROVIDER, PENDING_NODE);
		let now = System::block_number() * 6_000_000;
		let muid = Muid::new(now, medallion_of(PENDING_NODE), 1);
		let message = VersionCommitMessage {
			node: PENDING_NODE,
			version: VersionId([9; 32]),
			..message_at(muid)
		};
		assert_ok!(submit(TENANT_ROOT, &message, sign(TENANT_ROOT, &message)));
		let last = |node| Nodes::<Test>::get(PROVIDER, node).and_then(|info| info.last_muid);
		assert_eq!(last(PENDING_NODE), muid);
		assert!(last(NODE) > muid);
	});
}

#[test]
fn a_message_counts_once_in_a_block_and_ever_after() {
	let mut chain = Chain::small_fabric();
	let (message, signature) = chain.block(|| {
		let message = message(NEW);
		let signature = sign(TENANT_ROOT, &message);
		assert_ok!(submit(TENANT_ROOT, &message, signature.clone()));
		let again = || submit(TENANT_ROOT, &message, signature.clone());
		assert_noop!(again(), Error::<Test>::VersionAlreadyExists);
		let (root, object) = (signed(TENANT_ROOT), message.object);
		assert_ok!(ContentFabric::delete_version(root, TENANT, object, NEW));
		assert_noop!(again(), Error::<Test>::MuidNotRising);
		(message, signature)
	});
	// Up to the last one in which it is not too old.
	for block in [4, 5, 50, 103] {
		chain.block(|| {
			System::set_block_number(block);
			assert_noop!(
				submit(TENANT_ROOT, &message, signature.clone()),
				Error::<Test>::MuidNotRising
			);
		});
	}
	chain.block(|| {
		assert_eq!(System::block_number(), 104);
		assert_noop!(submit(TENANT_ROOT, &message, signature), Error::<Test>::MuidTooOld);
	});
}

/// Something that makes the version of a message that was used, or all that it names, go and come
/// again.
type Comeback = fn();

fn delete_version() {
	let root = signed(TENANT_ROOT);
	assert_ok!(ContentFabric::delete_version(root, TENANT, EMPTY_OBJECT, NEW));
}

fn renew_object() {
	delete_version();
	let root = || signed(TENANT_ROOT);
	assert_ok!(ContentFabric::delete_content_object(root(), TENANT, EMPTY_OBJECT));
	assert_ok!(ContentFabric::create_content_object(root(), TENANT, EMPTY_OBJECT));
}

fn renew_node() {
	delete_version();
	assert_ok!(ContentFabric::remove_node(signed(PROVIDER_ROOT), PROVIDER, NODE));
	create_node(PROVIDER, NODE);
}

fn renew_kms() {
	delete_version();
	let root = || signed(TENANT_ROOT);
	assert_ok!(ContentFabric::remove_kms(root(), TENANT, KMS));
	assert_ok!(ContentFabric::add_kms(root(), TENANT, KMS, locator("x")));
}

fn renew_key_of_the_signer() {
	delete_version();
	for level in [None, Some(crate::TenantLevel::Content)] {
		assert_ok!(ContentFabric::set_tenant_key(signed(TENANT_ROOT), TENANT, EDITOR, level));
	}
}

fn renew_tenant() {
	assert_ok!(ContentFabric::governance_delete_tenant(signed(GOVERNOR), TENANT, 0, 100));
	let root = || signed(TENANT_ROOT);
	assert_ok!(ContentFabric::create_tenant(root(), SPACE, TENANT));
	let level = Some(crate::TenantLevel::Content);
	assert_ok!(ContentFabric::set_tenant_key(root(), TENANT, EDITOR, level));
	assert_ok!(ContentFabric::add_kms(root(), TENANT, KMS, locator("x")));
	assert_ok!(ContentFabric::create_content_object(root(), TENANT, EMPTY_OBJECT));
}

fn renew_provider() {
	delete_version();
	assert_ok!(ContentFabric::governance_delete_provider(signed(GOVERNOR), PROVIDER, 0, 100));
	assert_ok!(ContentFabric::create_provider(signed(PROVIDER_ROOT), SPACE, PROVIDER));
	create_node(PROVIDER, NODE);
}

fn renew_space() {
	let governor = || signed(GOVERNOR);
	assert_ok!(ContentFabric::governance_delete_tenant(governor(), TENANT, 0, 100));
	assert_ok!(ContentFabric::governance_delete_provider(governor(), PROVIDER, 0, 100));
	assert_ok!(ContentFabric::delete_space(governor(), SPACE));
	assert_ok!(ContentFabric::create_space(RuntimeOrigin::root(), SPACE, GOVERNOR, rules()));
	let root = || signed(TENANT_ROOT);
	assert_ok!(ContentFabric::create_tenant(root(), SPACE, TENANT));
	let level = Some(crate::TenantLevel::Content);
	assert_ok!(ContentFabric::set_tenant_key(root(), TENANT, EDITOR, level));
	assert_ok!(ContentFabric::add_kms(root(), TENANT, KMS, locator("x")));
	assert_ok!(ContentFabric::create_content_object(root(), TENANT, EMPTY_OBJECT));
	assert_ok!(ContentFabric::create_provider(signed(PROVIDER_ROOT), SPACE, PROVIDER));
	create_node(PROVIDER, NODE);
}

#[test]
fn a_message_does_not_come_again_with_what_it_names() {
	let comebacks: [(&str, Comeback, Error<Test>); 8] = [
		("version", delete_version, Error::MuidNotRising),
		("object", renew_object, Error::MuidNotRising),
		("KMS", renew_kms, Error::MuidNotRising),
		("key of the signer", renew_key_of_the_signer, Error::MuidNotRising),
		("tenant", renew_tenant, Error::MuidNotRising),
		// These have other medallions.
		("node", renew_node, Error::MuidOfOtherNode),
		("provider", renew_provider, Error::MuidOfOtherNode),
		("space", renew_space, Error::MuidOfOtherNode),
	];
	for (what, comeback, error) in comebacks {
		let error = DispatchError::from(error);
		let mut chain = Chain::fabric_with_keys();
		let (message, signature) = chain.block(|| {
			let message = VersionCommitMessage { object: EMPTY_OBJECT, ..message(NEW) };
			let signature = sign(EDITOR, &message);
			assert_ok!(submit(EDITOR, &message, signature.clone()));
			(message, signature)
		});
		chain.block(|| {
			comeback();
			assert_noop!(submit(EDITOR, &message, signature.clone()), error);
		});
		chain.block(|| {
			assert_noop!(submit(EDITOR, &message, signature.clone()), error);
			// Nothing but the message is at fault.
			let fresh = VersionCommitMessage { object: EMPTY_OBJECT, ..self::message(NEW) };
			assert_eq!(submit(EDITOR, &fresh, sign(EDITOR, &fresh)), Ok(()), "{what}");
		});
	}
}

#[test]
fn a_commit_that_fails_changes_nothing_and_may_be_tried_again() {
	Chain::small_fabric().block(|| {
		let message = message(NEW);
		let signature = || sign(TENANT_ROOT, &message);
		let set_free = |amount| {
			<Balances as Mutate<AccountId>>::set_balance(&TENANT_ROOT, amount);
		};
		// The deposit is what is asked for last.
		set_free(10);
		assert_noop!(submit(TENANT_ROOT, &message, signature()), TokenError::FundsUnavailable);
		set_free(10_000);
		// The node, too, may be put right.
		let unknown = VersionCommitMessage { object: ContentObjectId([7; 10]), ..message.clone() };
		assert_noop!(
			submit(TENANT_ROOT, &unknown, sign(TENANT_ROOT, &unknown)),
			Error::<Test>::ContentObjectNotFound
		);
		assert_ok!(submit(TENANT_ROOT, &message, signature()));
	});
}
