// SPDX-License-Identifier: Apache-2.0
//! Commits of versions with their signatures, and finalizations.

use frame_support::{pallet_prelude::Get, traits::Time};

use super::{bounded, calls::By, Generator};
use crate::{
	identifiers::{
		ContentObjectId, Medallion, Muid, NodeId, ProviderId, SpaceId, TenantId, VersionId,
	},
	types::AccountIdOf,
	wrap_payload, Call, Config, CopyOf, DraftVersion, HashKind, Nodes, Pallet, TenantKeys, Tenants,
	VersionCommit, VersionCommitOf, Versions, VersionsOf,
};

/// A version in a list.
type VersionKey = (ContentObjectId, VersionId);

/// Returns copies of the first versions of a tenant.
fn copies_of<T: Config>(tenant: TenantId) -> impl Iterator<Item = (VersionKey, CopyOf<T>)> {
	let rows = Versions::<T>::iter_prefix((tenant,)).take(32);
	rows.flat_map(|(version, info)| info.copies.into_iter().map(move |copy| (version, copy)))
}

impl<T: Config> Generator<'_, T> {
	pub fn finalization(&mut self) -> (Call<T>, By<AccountIdOf<T>>) {
		// A tenant with a version that a node was asked to hold, if there is one.
		let rows = Tenants::<T>::iter_keys().flat_map(|tenant| {
			let copies = copies_of::<T>(tenant).filter(|(_, copy)| copy.held.is_none());
			copies.map(move |(version, copy)| (tenant, version, copy.provider, copy.node))
		});
		let found = self.draws.one_of(rows).filter(|_| !self.draws.once_in(16));
		let (tenant, first, provider, node) = found.unwrap_or_else(|| {
			let (provider, tenant) = (self.provider(), self.tenant());
			(tenant, self.version(tenant), provider, self.node(provider))
		});
		let more = copies_of::<T>(tenant).filter(|(version, copy)| {
			let is_of_node = (copy.provider, copy.node) == (provider, node);
			is_of_node && copy.held.is_none() && *version != first
		});
		let versions = self.versions_of(first, more.map(|(version, _)| version));
		(Call::finalize_versions { provider, node, tenant, versions }, By::Operator(provider, node))
	}

	/// Returns a call that asks a node to hold versions.
	pub fn addition(&mut self) -> (Call<T>, By<AccountIdOf<T>>) {
		let (provider, node, tenant) = self.partners();
		let rows = Versions::<T>::iter_prefix((tenant,)).take(24);
		let without = rows.filter(|(_, info)| {
			!info.copies.iter().any(|copy| (copy.provider, copy.node) == (provider, node))
		});
		let without: Vec<_> = without.map(|(version, _)| version).collect();
		let found = self.draws.one_of(without.iter().copied());
		let first = found.filter(|_| !self.draws.once_in(16));
		let first = first.unwrap_or_else(|| self.version(tenant));
		let more = without.into_iter().filter(|version| *version != first);
		let versions = self.versions_of(first, more);
		(Call::add_copies { tenant, provider, node, versions }, By::Root(tenant.into()))
	}

	/// Returns a call that removes copies, by the tenant or for the node.
	pub fn removal(&mut self) -> (Call<T>, By<AccountIdOf<T>>) {
		let tenant = self.tenant();
		let found = self.draws.one_of(copies_of::<T>(tenant));
		let found = found.map(|(version, copy)| (version, copy.provider, copy.node));
		let (first, provider, node) = found.unwrap_or_else(|| {
			let provider = self.provider();
			(self.version(tenant), provider, self.node(provider))
		});
		let more = copies_of::<T>(tenant).filter(|(version, copy)| {
			(copy.provider, copy.node) == (provider, node) && *version != first
		});
		let versions = self.versions_of(first, more.map(|(version, _)| version));
		let by = match self.draws.percent(50) {
			true => By::Root(tenant.into()),
			false => By::Operator(provider, node),
		};
		(Call::remove_copies { tenant, provider, node, versions }, by)
	}

	/// Returns a list of versions, of any length.
	fn versions_of(
		&mut self,
		first: VersionKey,
		more: impl Iterator<Item = VersionKey>,
	) -> VersionsOf<T, VersionKey> {
		let len = self.list_len(T::MaxVersionsPerCommit::get() as usize);
		bounded([first].into_iter().chain(more).take(len).collect::<Vec<_>>())
	}

	/// Returns other nodes that a commit asks: few most of the time, or all of its space. Sometimes
	/// one does not exist, or is there twice.
	fn other_nodes(&mut self, space: Option<SpaceId>) -> Vec<(ProviderId, NodeId)> {
		let confirmed = Nodes::<T>::iter().filter(|(.., info)| !info.pending);
		let of_space = confirmed.filter(|(provider, ..)| {
			self.info(*provider).is_some_and(|info| Some(info.space) == space)
		});
		let of_space: Vec<_> = of_space.map(|(provider, node, _)| (provider, node)).collect();
		let few = self.draws.pick(&[Some(0), Some(0), None, Some(1), Some(1), Some(2), Some(3)]);
		let Some(few) = few else { return of_space };
		let nodes = (0..few).map(|_| {
			let found = self.draws.one_of(of_space.iter().copied());
			found.filter(|_| !self.draws.once_in(30)).unwrap_or_else(|| {
				let provider = self.provider();
				(provider, self.node(provider))
			})
		});
		let mut nodes: Vec<_> = nodes.collect();
		if !self.draws.once_in(20) {
			nodes.sort();
			nodes.dedup();
		}
		nodes
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
		let versions = bounded(versions.collect::<Vec<_>>());
		let space = self.info(tenant).map(|info| info.space);
		let mut copies = self.other_nodes(space);
		if !self.draws.once_in(20) {
			copies.retain(|place| *place != (originator, node));
		}
		let commit = VersionCommit {
			versions,
			muid: self.muid(originator, node),
			originator,
			node,
			// As many as a version may have.
			copies: bounded(copies),
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
