// SPDX-License-Identifier: Apache-2.0
//! Commits of versions with their signatures, and finalizations.

use frame_support::{pallet_prelude::Get, traits::Time};

use super::{bounded, calls::By, Generator};
use crate::{
	identifiers::{ContentObjectId, Medallion, Muid, NodeId, ProviderId, TenantId, VersionId},
	types::AccountIdOf,
	wrap_payload, Call, Config, DraftVersion, HashKind, Nodes, Pallet, TenantKeys, Tenants,
	VersionCommit, VersionCommitOf, Versions,
};

impl<T: Config> Generator<'_, T> {
	pub fn finalization(&mut self) -> (Call<T>, By<AccountIdOf<T>>) {
		// A tenant with a version that is not final, if there is one.
		let rows = Tenants::<T>::iter_keys().flat_map(|tenant| {
			let rows = Versions::<T>::iter_prefix((tenant,)).take(24);
			rows.filter(|(_, info)| info.finalized.is_none())
				.map(move |(version, info)| (tenant, version, info.originator, info.node))
		});
		let found = self.draws.one_of(rows).filter(|_| !self.draws.once_in(16));
		let (tenant, first, originator, node) = found.unwrap_or_else(|| {
			let (originator, tenant) = (self.provider(), self.tenant());
			(tenant, self.version(tenant), originator, self.node(originator))
		});
		let max = T::MaxVersionsPerCommit::get() as usize;
		let more = Versions::<T>::iter_prefix((tenant,)).take(max).filter(|(key, info)| {
			let is_of_node = (info.originator, info.node) == (originator, node);
			is_of_node && info.finalized.is_none() && *key != first
		});
		let versions = [first].into_iter().chain(more.map(|(key, _)| key));
		let versions = bounded(versions.take(self.list_len(max)).collect::<Vec<_>>());
		let call = Call::finalize_versions { originator, node, tenant, versions };
		(call, By::Operator(originator, node))
	}

	/// Returns a provider, one of its confirmed nodes, and a tenant of the same space, if all of
	/// them exist.
	fn partners(&mut self) -> (ProviderId, NodeId, TenantId) {
		let confirmed = Nodes::<T>::iter().filter(|(.., info)| !info.pending);
		let found = self.draws.one_of(confirmed.map(|(provider, node, _)| (provider, node)));
		let Some((provider, node)) = found.filter(|_| !self.draws.once_in(20)) else {
			let provider = self.provider();
			return (provider, self.node(provider), self.tenant());
		};
		let space = self.info(provider).map(|info| info.space);
		let tenants = self.tenants.iter().filter(|(_, info)| Some(info.space) == space);
		let found = self.draws.one_of(tenants.map(|(id, _)| *id));
		let found = found.filter(|_| !self.draws.once_in(30));
		(provider, node, found.unwrap_or_else(|| self.tenant()))
	}

	pub fn commit(&mut self) -> (Call<T>, By<AccountIdOf<T>>) {
		let (originator, node, tenant) = self.partners();
		let len = self.list_len(T::MaxVersionsPerCommit::get() as usize);
		let first = self.draws.number() as u32 % 1_000;
		let versions = (0..len).map(|place| {
			let (object, version) = match len {
				// Long lists have ids of their own.
				20.. => {
					let number = (first + place as u32).to_be_bytes();
					let (mut object, mut version) = ([9; 10], [9; 32]);
					object[6..].copy_from_slice(&number);
					version[28..].copy_from_slice(&number);
					(ContentObjectId(object), VersionId(version))
				},
				_ => (self.object(tenant), self.new_version()),
			};
			// One in about a hundred lacks its size.
			let hash = self.draws.pick(&HashKind::ALL);
			let unknown = hash == HashKind::Sha256 || self.draws.percent(5);
			let sizes: &[u64] =
				if unknown { &[0, 1, 1_000, u64::MAX] } else { &[1, 1_000, u64::MAX] };
			let size = self.draws.pick(sizes);
			let set_head_on_finalize = self.draws.percent(60);
			DraftVersion { object, version, hash, size, set_head_on_finalize }
		});
		let commit = VersionCommit {
			versions: bounded(versions.collect::<Vec<_>>()),
			muid: self.muid(originator, node),
			originator,
			node,
			tenant,
			kms: self.draws.percent(60).then(|| self.kms(tenant)),
			create_objects: self.draws.percent(75),
		};
		let tenant_signer = self.signer(tenant);
		let signature = self.signature(&tenant_signer, &commit);
		let call = Call::commit_versions { tenant_signer, commit, signature };
		(call, By::Operator(originator, node))
	}

	/// Returns an account of a tenant that can sign, most of the time.
	fn signer(&mut self, tenant: TenantId) -> AccountIdOf<T> {
		let root = self.root(tenant);
		let all = root.into_iter().chain(TenantKeys::<T>::iter_key_prefix(tenant));
		let signers = self.world.signers();
		let signer = self.draws.one_of(all.filter(|account| signers.contains(account)));
		signer.filter(|_| !self.draws.once_in(20)).unwrap_or_else(|| self.account())
	}

	/// Returns the signature of an account under a commit, or sometimes of another account or under
	/// other bytes.
	fn signature(
		&mut self,
		signer: &AccountIdOf<T>,
		commit: &VersionCommitOf<T>,
	) -> T::OffchainSignature {
		let signers = self.world.signers();
		let other = signers.iter().rfind(|account| *account != signer).unwrap_or(signer);
		let mut payload = Pallet::<T>::commit_payload(commit);
		let mut by = if signers.contains(signer) { signer } else { other };
		let change = self.draws.below(60);
		match change {
			0..3 => payload[60] ^= 1,
			3..6 => by = other,
			6..14 => payload = wrap_payload(&payload),
			_ => {},
		}
		self.is_signed = by == signer && change >= 3;
		self.world.sign(by, &payload)
	}

	/// Returns a muid that is valid most of the time, or wrong in one of several ways.
	fn muid(&mut self, provider: ProviderId, node: NodeId) -> Muid {
		let (age, drift) = (T::MaxCommitAge::get() * 1_000, T::MaxClockDrift::get() * 1_000);
		let info = Nodes::<T>::get(provider, node);
		let medallion = info.as_ref().map_or(Medallion::FIRST_ASSIGNABLE, |info| info.medallion);
		let last = info.and_then(|info| info.last_muid);
		let now = T::Time::now() * 1_000;
		let next = now.max(last.map_or(0, Muid::timestamp)) + 1;
		let (timestamp, medallion, offset) = match self.draws.below(60) {
			0 => (next, Medallion::MAX, 0),
			1 => (now.saturating_sub(age), medallion, 0),
			2 => (now.saturating_sub(age + 1), medallion, 0),
			3 => (now + drift, medallion, 0),
			4 => (now + drift + 1, medallion, 0),
			5 => (last.map_or(now, Muid::timestamp), medallion, 0),
			6 => (next, medallion, 1),
			7..12 => (now.saturating_sub(self.draws.number() % 60_000_000), medallion, 0),
			_ => (next, medallion, 0),
		};
		Muid::new(timestamp, medallion, offset).unwrap_or_default()
	}
}
