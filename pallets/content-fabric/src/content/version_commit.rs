// SPDX-License-Identifier: Apache-2.0
//! Version commits: drafted by a node, signed by a key of the tenant, submitted for the node.

use alloc::vec::Vec;
use core::mem;

use content_fabric_identifiers::{ContentObjectId, Muid, SpaceId, TenantId};
use content_fabric_primitives::{wrap_payload, DraftVersion, VersionCommit};
use frame_support::{
	ensure,
	pallet_prelude::{DispatchResult, Get, Weight},
	traits::Time,
};
use frame_system::pallet_prelude::BlockNumberFor;
use sp_runtime::{
	traits::{Verify, Zero},
	ArithmeticError, DispatchError,
};

use super::{
	copies::{new_copy, place_of},
	version_deposit, versions,
};
use crate::{
	clock::Clock,
	members::{Provider, Tenant, TenantKind, Update},
	observer::{ObservedVersion, Observer},
	types::AccountIdOf,
	BalanceOf, Config, ContentObjectInfoOf, ContentObjects, CopiesOf, Error, Event, Kmses,
	NodeInfoOf, Nodes, Pallet, VersionCommitOf, VersionInfo, Versions, WeightInfo,
};

impl<T: Config> Pallet<T> {
	/// Returns the bytes that a key of the tenant signs. See
	/// [`VersionCommit::payload`](crate::VersionCommit::payload).
	pub fn commit_payload(commit: &VersionCommitOf<T>) -> Vec<u8> {
		commit.payload(frame_system::Pallet::<T>::block_hash(BlockNumberFor::<T>::zero()))
	}

	/// Commits versions. A commit that is submitted twice fails with [`Error::MuidNotMonotonic`].
	pub(crate) fn do_commit_versions(
		(who, provider): (AccountIdOf<T>, Provider<T>),
		tenant_signer: &AccountIdOf<T>,
		commit: VersionCommitOf<T>,
		signature: &T::OffchainSignature,
	) -> DispatchResult {
		ensure!(!commit.versions.is_empty(), Error::<T>::EmptyBatch);
		let mut node = Self::node_for(&provider, &who, commit.node)?;
		ensure!(!node.pending, Error::<T>::NodePending);
		let tenant = Tenant::<T>::undeleted(commit.tenant)?;
		tenant.ensure_open()?;
		Self::ensure_not_zero(tenant_signer)?;
		let signer = tenant.level_since(tenant_signer);
		let (_, since) = signer
			.filter(|(level, _)| level.can_manage_content())
			.ok_or(Error::<T>::SignerNotPermitted)?;
		let space = tenant.info().space;
		ensure!(provider.info().space == space, Error::<T>::SpaceMismatch);
		let rules = Self::space(space)?.rules;
		provider.ensure_bonded_by(&rules)?;
		tenant.ensure_bonded_by(&rules)?;
		let has_kms = commit.kms.is_none_or(|kms| Kmses::<T>::contains_key(tenant.id, kms));
		ensure!(has_kms, Error::<T>::KmsNotFound);
		let copies = Self::copies_of(&commit, &node, space)?;
		let is_signed = Self::is_signed_by(tenant_signer, &commit, signature);
		ensure!(is_signed, Error::<T>::InvalidSignature);
		ensure_fresh::<T>(&node, commit.muid)?;
		ensure!(commit.muid.timestamp() > since.timestamp(), Error::<T>::MuidBeforeGrant);
		node.last_muid = Some(commit.muid);
		let medallion = node.medallion;
		Nodes::<T>::insert(commit.originator, commit.node, node);
		if !commit.copies.is_empty() {
			let (tenant, muid, copies) = (commit.tenant, commit.muid, commit.copies.clone());
			Self::deposit_event(Event::CopiesAsked { tenant, muid, copies });
		}
		Self::with_clock(|clock| {
			tenant.update_bonded(|tenant| {
				let mut added = Additions::new(&commit, copies);
				for (muid, draft) in commit.drafts() {
					added.add(tenant, clock, muid, draft)?;
				}
				added.write_object(tenant.id);
				Ok(())
			})
		})?;
		let VersionCommit { tenant, originator: provider, node, versions, .. } = commit;
		for DraftVersion { object, version, size, .. } in versions {
			let finalized = false;
			T::Observer::on_version_committed(&ObservedVersion {
				tenant,
				object,
				version,
				size,
				provider,
				node,
				medallion,
				finalized,
			});
		}
		Ok(())
	}

	/// Returns the copies of each version of a commit: of the node that submits it, and of those
	/// that it asks.
	fn copies_of(
		commit: &VersionCommitOf<T>,
		node: &NodeInfoOf<T>,
		space: SpaceId,
	) -> Result<CopiesOf<T>, DispatchError> {
		let own = new_copy::<T>((commit.originator, commit.node), node);
		let mut copies = CopiesOf::<T>::default();
		copies.try_push(own).map_err(|_| Error::<T>::TooManyCopies)?;
		for place in &commit.copies {
			let is_known = copies.iter().any(|copy| place_of::<T>(copy) == *place);
			ensure!(!is_known, Error::<T>::CopyAlreadyExists);
			let copy = Self::asked_copy(space, *place)?;
			copies.try_push(copy).map_err(|_| Error::<T>::TooManyCopies)?;
		}
		Ok(copies)
	}

	/// Returns whether an account has signed a commit: its payload as it is, or as wallets wrap it.
	fn is_signed_by(
		account: &AccountIdOf<T>,
		commit: &VersionCommitOf<T>,
		signature: &T::OffchainSignature,
	) -> bool {
		let payload = Self::commit_payload(commit);
		signature.verify(&payload[..], account)
			|| signature.verify(&wrap_payload(&payload)[..], account)
	}
}

/// Adds the versions of a commit.
struct Additions<'a, T: Config> {
	commit: &'a VersionCommitOf<T>,
	/// The copies of each version.
	copies: CopiesOf<T>,
	/// The deposit for the row of each version.
	deposit: BalanceOf<T>,
	/// The object of the last version. Its row is written when another object follows.
	object: Option<(ContentObjectId, ContentObjectInfoOf<T>)>,
}

impl<'a, T: Config> Additions<'a, T> {
	fn new(commit: &'a VersionCommitOf<T>, copies: CopiesOf<T>) -> Self {
		let deposit = version_deposit::<T>(copies.len());
		Self { commit, copies, deposit, object: None }
	}

	/// Adds one version, and its object if that may be created.
	fn add(
		&mut self,
		tenant: &mut Update<T, TenantKind>,
		clock: &mut Clock<T>,
		muid: Muid,
		draft: &DraftVersion,
	) -> DispatchResult {
		let DraftVersion { object, version, hash, size, set_head_on_finalize } = *draft;
		ensure!(!draft.lacks_size(), Error::<T>::SizeMissing);
		let info = self.object(tenant, clock, object)?;
		let key = (tenant.id, object, version);
		ensure!(!Versions::<T>::contains_key(key), Error::<T>::VersionAlreadyExists);
		info.version_count = info.version_count.checked_add(1).ok_or(ArithmeticError::Overflow)?;
		tenant.add_row(versions, self.deposit)?;
		let VersionCommit { originator, node, kms, .. } = *self.commit;
		let row = VersionInfo {
			copies: mem::take(&mut self.copies),
			kms,
			muid,
			hash,
			size: size.into(),
			committed: clock.mint_muid()?,
			finalized: None,
			set_head_on_finalize,
			deposit: self.deposit,
		};
		Versions::<T>::insert(key, &row);
		self.copies = row.copies;
		let tenant = tenant.id;
		let event = Event::VersionCommitted { tenant, object, version, originator, node, muid };
		Pallet::<T>::deposit_event(event);
		Ok(())
	}

	/// Returns the row of an object, which may be the one of the last version.
	fn object(
		&mut self,
		tenant: &mut Update<T, TenantKind>,
		clock: &mut Clock<T>,
		object: ContentObjectId,
	) -> Result<&mut ContentObjectInfoOf<T>, DispatchError> {
		if self.object.as_ref().is_none_or(|(last, _)| *last != object) {
			self.write_object(tenant.id);
		}
		let info = match self.object.take() {
			Some((_, info)) => info,
			None => match ContentObjects::<T>::get(tenant.id, object) {
				Some(info) => info,
				None => {
					ensure!(self.commit.create_objects, Error::<T>::ContentObjectNotFound);
					// The commit was drafted before the object that it creates, so the creation
					// must not count as a decision of the tenant.
					let undecided = Muid::default();
					let created = clock.mint_muid()?;
					Pallet::<T>::add_content_object(tenant, object, created, undecided)?
				},
			},
		};
		Ok(&mut self.object.insert((object, info)).1)
	}

	/// Writes the row of the object of the last version.
	fn write_object(&mut self, tenant: TenantId) {
		if let Some((object, info)) = self.object.take() {
			ContentObjects::<T>::insert(tenant, object, info);
		}
	}
}

/// Checks that the node can have drafted a commit with this muid: it has the node's medallion, and
/// a time near the block's and later than all the node's earlier commits.
fn ensure_fresh<T: Config>(node: &NodeInfoOf<T>, muid: Muid) -> Result<(), Error<T>> {
	let (now, at) = (T::Time::now(), muid.timestamp());
	let micros = |millis: u64| millis.saturating_mul(1_000);
	let oldest = micros(now.saturating_sub(T::MaxCommitAge::get()));
	let newest = micros(now.saturating_add(T::MaxClockDrift::get()));
	ensure!(muid.offset() == 0, Error::InvalidMuidOffset);
	ensure!(muid.medallion() == node.medallion.get(), Error::MedallionMismatch);
	ensure!(at >= oldest, Error::MuidTooOld);
	ensure!(at <= newest, Error::MuidTooNew);
	let is_later = node.last_muid.is_none_or(|last| at > last.timestamp());
	ensure!(is_later, Error::MuidNotMonotonic);
	Ok(())
}

/// Returns the weight of committing this many versions that ask this many other nodes.
pub(crate) fn commit_versions_weight<T: Config>(versions: u32, copies: u32) -> Weight {
	let observed = T::Observer::version_committed_weight().saturating_mul(versions.into());
	T::WeightInfo::commit_versions(versions, copies).saturating_add(observed)
}
