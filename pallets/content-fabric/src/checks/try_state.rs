// SPDX-License-Identifier: Apache-2.0
//! Storage invariants, checked by `try_state`.

use alloc::{
	collections::{BTreeMap, BTreeSet},
	vec::Vec,
};

use codec::Decode;
use content_fabric_identifiers::{HashKind, Medallion, Muid, NodeId, ProviderId, SpaceId, Tid};
use content_fabric_primitives::{MemberId, ProviderLevel, TenantLevel};
use frame_support::{
	ensure,
	storage::{unhashed, KeyPrefixIterator},
	traits::fungible::InspectHold,
	IterableStorageMap,
};
use sp_runtime::{
	traits::{Saturating, Zero},
	TryRuntimeError,
};

use crate::{
	members::{InfoOf, MemberKind, ProviderKind, TenantKind},
	records::is_key_of,
	types::AccountIdOf,
	Admissions, BalanceOf, Collections, Config, ContentObjects, DeletionQueue, DeletionQueueBounds,
	HoldReason, LastMuid, LastTid, Medallions, NodeInfoOf, Nodes, Pallet, ProviderKeys, Providers,
	PurgeScope, Purges, Records, RowCounts, Spaces, TenantKeys, Tenants, VersionInfoOf, Versions,
};

/// Bytes of a storage key in front of the id of the member: two hashed names, and a hash.
const MEMBER_AT: usize = 32 + 16;

/// The funds that members record, by the reason for which they are held.
type Holds<T> = BTreeMap<AccountIdOf<T>, BTreeMap<u8, BalanceOf<T>>>;

impl<T: Config> Pallet<T> {
	/// Checks the whole storage of the pallet. This reads all of it, so that it is for tests and
	/// tools only.
	///
	/// # Errors
	///
	/// The first invariant that does not hold, as [`TryRuntimeError::Other`].
	pub fn do_try_state() -> Result<(), TryRuntimeError> {
		Self::try_state_spaces()?;
		Self::try_state_members::<ProviderKind>()?;
		Self::try_state_members::<TenantKind>()?;
		Self::try_state_keys()?;
		Self::try_state_content()?;
		Self::try_state_records()?;
		Self::try_state_purges()?;
		Self::try_state_holds()?;
		Self::try_state_clock()
	}

	/// # Invariants
	///
	/// - Every provider, tenant and admission belongs to a space that exists.
	/// - `provider_count`, `tenant_count` and `admission_count` of every space are exact.
	fn try_state_spaces() -> Result<(), TryRuntimeError> {
		let count = |spaces: &mut dyn Iterator<Item = SpaceId>| {
			let mut counts = BTreeMap::<SpaceId, u32>::new();
			spaces.for_each(|space| increment(counts.entry(space).or_default()));
			counts
		};
		let mut providers = count(&mut Providers::<T>::iter_values().map(|info| info.space));
		let mut tenants = count(&mut Tenants::<T>::iter_values().map(|info| info.space));
		let mut admissions = count(&mut Admissions::<T>::iter_keys().map(|(space, _)| space));
		for (space, info) in Spaces::<T>::iter() {
			ensure!(
				info.provider_count == providers.remove(&space).unwrap_or(0),
				"provider_count of a space is not exact"
			);
			ensure!(
				info.tenant_count == tenants.remove(&space).unwrap_or(0),
				"tenant_count of a space is not exact"
			);
			ensure!(
				info.admission_count == admissions.remove(&space).unwrap_or(0),
				"admission_count of a space is not exact"
			);
		}
		ensure!(providers.is_empty(), "a provider belongs to no space");
		ensure!(tenants.is_empty(), "a tenant belongs to no space");
		ensure!(admissions.is_empty(), "an admission belongs to no space");
		Ok(())
	}

	/// # Invariants, for each kind of member
	///
	/// - Every row belongs to a member that exists, and every row decodes.
	/// - The counts of every member are exact, map by map.
	/// - `deposit` of every member is the sum of the deposits of its rows. While a purge empties
	///   it, no less than that; while one deletes it, zero.
	/// - `empty_since` of every member is set if and only if it has no rows.
	/// - No more is on hold for a member than its root has agreed to.
	/// - No root became the root before its member was created.
	fn try_state_members<K: MemberKind<T>>() -> Result<(), TryRuntimeError>
	where
		K::Id: Ord,
		K::Map: IterableStorageMap<K::Id, InfoOf<T, K>>,
	{
		let mut members: BTreeMap<K::Id, InfoOf<T, K>> =
			<K::Map as IterableStorageMap<_, _>>::iter().collect();
		let mut deposits = BTreeMap::<K::Id, BalanceOf<T>>::new();
		for map in K::CHILDREN {
			let prefix = (map.prefix)().to_vec();
			let mut keys =
				KeyPrefixIterator::<Vec<u8>>::new(prefix.clone(), prefix, |key| Ok(key.to_vec()));
			while keys.next().is_some() {
				let key = keys.last_raw_key();
				let id = key
					.get(MEMBER_AT..)
					.and_then(|mut key| K::Id::decode(&mut key).ok())
					.ok_or("a key has no member")?;
				let row = unhashed::get_raw(key).ok_or("a row does not exist")?;
				let deposit = (map.deposit)(&row).ok_or("a row does not decode")?;
				let info = members.get_mut(&id).ok_or("a row belongs to no member")?;
				let count = (map.count)(&mut info.rows);
				*count = count.checked_sub(1).ok_or("a count of a member is not exact")?;
				let sum = deposits.entry(id).or_default();
				*sum = sum.saturating_add(deposit);
			}
		}
		for (id, info) in members {
			ensure!(info.rows.rows() == 0, "a count of a member is not exact");
			let deposit = deposits.get(&id).copied();
			let sum = deposit.unwrap_or_default();
			let is_exact = match info.purge {
				None => info.deposit == sum,
				Some(PurgeScope::Rows) => info.deposit >= sum,
				Some(PurgeScope::Member) => info.deposit.is_zero(),
			};
			ensure!(is_exact, "deposit of a member is not exact");
			ensure!(
				info.empty_since.is_some() == deposit.is_none(),
				"empty_since of a member is not exact"
			);
			let held = info.bond.saturating_add(info.own_deposit).saturating_add(info.deposit);
			ensure!(held <= info.max_held, "more is on hold than the root has agreed to");
			ensure!(info.created <= info.root_since, "a root is older than its member");
			let is_root = info.nomination.is_some_and(|it| it.nominee == info.root);
			ensure!(!is_root, "the root of a member is nominated as its root");
		}
		Ok(())
	}

	/// # Invariants, except during a purge
	///
	/// - No access key has the level `Root`, and no root has an access key.
	/// - Every access key was granted after its member was created.
	fn try_state_keys() -> Result<(), TryRuntimeError> {
		for (provider, account, key) in ProviderKeys::<T>::iter() {
			let info = Providers::<T>::get(provider).ok_or("a key belongs to no provider")?;
			let is_below = key.level < ProviderLevel::Root;
			check_key::<T, ProviderKind>(&info, &account, is_below, key.granted)?;
		}
		for (tenant, account, key) in TenantKeys::<T>::iter() {
			let info = Tenants::<T>::get(tenant).ok_or("a key belongs to no tenant")?;
			let is_below = key.level < TenantLevel::Root;
			check_key::<T, TenantKind>(&info, &account, is_below, key.granted)?;
		}
		Ok(())
	}

	/// # Invariants, except during a purge
	///
	/// - Every version belongs to a content object that exists.
	/// - `version_count` of every content object is exact.
	/// - Every head exists and is finalized, and was committed at `head_since` of its object.
	/// - No version was finalized before it was committed.
	/// - Every version that is a BLAKE3 hash states its size.
	/// - No two copies of a version are on one node, and each was asked of the node that has, or
	///   had, its medallion.
	/// - A version of which a node holds the data is final, since the first one held it.
	fn try_state_content() -> Result<(), TryRuntimeError> {
		let purged = purged_tenants::<T>();
		let nodes = Nodes::<T>::iter()
			.map(|(provider, node, info)| (info.medallion, (provider, node)))
			.collect();
		let mut counts = BTreeMap::new();
		for ((tenant, object, version), info) in Versions::<T>::iter() {
			if purged.contains(&tenant) {
				continue;
			}
			increment(counts.entry((tenant, object)).or_default());
			ensure!(
				info.hash != HashKind::Blake3 || info.known_size(version).is_some(),
				"a version that is a BLAKE3 hash does not state its size"
			);
			ensure!(
				info.finalized
					// The chain's clock may be ahead of the block by some microseconds.
					.is_none_or(|at| at >= info.committed.timestamp() / 1_000),
				"a version was finalized before it was committed"
			);
			check_copies::<T>(&info, &nodes)?;
		}
		for (tenant, object, info) in ContentObjects::<T>::iter() {
			if purged.contains(&tenant) {
				continue;
			}
			ensure!(
				info.version_count == counts.remove(&(tenant, object)).unwrap_or(0),
				"version_count of a content object is not exact"
			);
			let decided = info.head_set == Muid::default() || info.created <= info.head_set;
			ensure!(
				decided && info.created <= info.head_since,
				"a head was set before its object was created"
			);
			if let Some(head) = info.head_version {
				let head = Versions::<T>::get((tenant, object, head))
					.ok_or("the head of a content object does not exist")?;
				ensure!(head.finalized.is_some(), "the head of a content object is not finalized");
				ensure!(info.head_since == head.committed, "head_since of an object is not exact");
			}
		}
		ensure!(counts.is_empty(), "a version belongs to no content object");
		Ok(())
	}

	/// # Invariants, except during a purge
	///
	/// - Every record belongs to a collection that exists, and has a key that it allows.
	/// - `record_count` of every collection is exact.
	fn try_state_records() -> Result<(), TryRuntimeError> {
		let purged = purged_tenants::<T>();
		let mut counts = BTreeMap::new();
		for (tenant, name, key) in Records::<T>::iter_keys() {
			if purged.contains(&tenant) {
				continue;
			}
			let collection =
				Collections::<T>::get(tenant, &name).ok_or("a record belongs to no collection")?;
			ensure!(
				is_key_of::<T>(&collection, &key),
				"a record has a key that its collection does not allow"
			);
			increment(counts.entry((tenant, name)).or_default());
		}
		for (tenant, name, info) in Collections::<T>::iter() {
			ensure!(
				purged.contains(&tenant)
					|| info.record_count == counts.remove(&(tenant, name)).unwrap_or(0),
				"record_count of a collection is not exact"
			);
		}
		Ok(())
	}

	/// # Invariants
	///
	/// - A member is marked as being purged if and only if it has a row in `Purges`.
	/// - Nothing is on hold for a member that is being deleted.
	/// - Every purge has a place in the queue, and every other place is empty.
	/// - The queue does not end before its first place.
	/// - No purge was started after this block, and none removed rows before it was started, or
	///   after this block.
	fn try_state_purges() -> Result<(), TryRuntimeError> {
		let providers = Providers::<T>::iter()
			.map(|(id, info)| (id.into(), info.purge, info.bond.saturating_add(info.own_deposit)));
		let tenants = Tenants::<T>::iter()
			.map(|(id, info)| (id.into(), info.purge, info.bond.saturating_add(info.own_deposit)));
		let marked: Vec<(MemberId, Option<PurgeScope>, BalanceOf<T>)> =
			providers.chain(tenants).filter(|(_, purge, _)| purge.is_some()).collect();
		let members: BTreeSet<_> = marked.iter().map(|(member, ..)| *member).collect();
		ensure!(members == Purges::<T>::iter_keys().collect(), "marks and purges do not agree");
		let settled = |(_, purge, held): &(_, _, BalanceOf<T>)| {
			*purge != Some(PurgeScope::Member) || held.is_zero()
		};
		ensure!(marked.iter().all(settled), "a member that is being deleted has not been settled");
		let bounds = DeletionQueueBounds::<T>::get();
		ensure!(bounds.first <= bounds.next, "the queue ends before its first place");
		let now = frame_system::Pallet::<T>::block_number();
		for (member, purge) in Purges::<T>::iter() {
			ensure!(
				purge.started <= purge.cursor_block && purge.cursor_block <= now,
				"the blocks of a purge are not in order"
			);
			ensure!(
				DeletionQueue::<T>::get(purge.place) == Some(member)
					&& (bounds.first..bounds.next).contains(&purge.place),
				"a purge is not in the queue"
			);
		}
		ensure!(
			DeletionQueue::<T>::iter_keys().count() == members.len(),
			"a place in the queue has no purge"
		);
		Ok(())
	}

	/// # Invariants
	///
	/// - At least as much is on hold on every root as its members record, for each reason and in
	///   all. (It may be less if holds are slashed from outside the pallet. Another pallet that
	///   unreserves more than it has reserved takes from all holds together.)
	fn try_state_holds() -> Result<(), TryRuntimeError> {
		let mut holds = Holds::<T>::new();
		add_holds::<T, ProviderKind>(&mut holds);
		add_holds::<T, TenantKind>(&mut holds);
		for (account, recorded) in holds {
			for reason in
				[HoldReason::ProviderBond, HoldReason::TenantBond, HoldReason::StorageDeposit]
			{
				let recorded = recorded.get(&(reason as u8)).copied().unwrap_or_default();
				ensure!(
					T::Currency::balance_on_hold(&reason.into(), &account) >= recorded,
					"less is on hold than members record"
				);
			}
			let all = recorded
				.values()
				.fold(Zero::zero(), |sum: BalanceOf<T>, it| sum.saturating_add(*it));
			ensure!(
				T::Currency::total_balance_on_hold(&account) >= all,
				"less is reserved than members record"
			);
		}
		Ok(())
	}

	/// # Invariants
	///
	/// - No two rows have the same muid, and no row has a muid later than the last that was minted.
	/// - The chain has a medallion and a clock id of its own if and only if something was minted, and
	///   all its muids and TIDs have them.
	/// - No two nodes have the same medallion, and every medallion of a node was assigned, after the
	///   chain's. The last muid of a node has its medallion.
	fn try_state_clock() -> Result<(), TryRuntimeError> {
		let muids: Vec<Muid> = Spaces::<T>::iter_values()
			.map(|info| info.created)
			.chain(Providers::<T>::iter_values().map(|info| info.created))
			.chain(Tenants::<T>::iter_values().map(|info| info.created))
			.chain(ContentObjects::<T>::iter_values().map(|info| info.created))
			.chain(Versions::<T>::iter_values().map(|info| info.committed))
			.chain(Collections::<T>::iter_values().map(|info| info.created))
			.chain(Records::<T>::iter_values().map(|info| info.updated))
			.collect();
		let keys = ProviderKeys::<T>::iter_values()
			.map(|key| key.granted)
			.chain(TenantKeys::<T>::iter_values().map(|key| key.granted))
			.chain(Providers::<T>::iter_values().map(|info| info.root_since))
			.chain(Tenants::<T>::iter_values().map(|info| info.root_since))
			.chain(ContentObjects::<T>::iter_values().map(|info| info.head_set));
		ensure!(
			muids.iter().copied().chain(keys).max() <= LastMuid::<T>::get(),
			"a row is from the future"
		);
		let unique: BTreeSet<_> = muids.iter().collect();
		ensure!(unique.len() == muids.len(), "two rows have the same muid");

		let sequence = Medallions::<T>::get();
		let chain = sequence.as_ref().and_then(|it| it.chain()).map(Medallion::get);
		ensure!(
			LastMuid::<T>::get().map(Muid::medallion) == chain
				&& muids.iter().all(|muid| Some(muid.medallion()) == chain),
			"a muid does not have the chain's medallion"
		);
		ensure!(
			LastTid::<T>::get().map(Tid::clock_id)
				== sequence.as_ref().map(|it| it.clock_id().get()),
			"the last TID does not have the chain's clock id"
		);

		let medallions: Vec<_> = Nodes::<T>::iter_values().map(|info| info.medallion).collect();
		let unique: BTreeSet<_> = medallions.iter().collect();
		ensure!(unique.len() == medallions.len(), "two nodes have the same medallion");
		let is_assigned = |medallion| {
			let sequence = sequence.as_ref()?;
			sequence.place_of(medallion).filter(|place| (1..sequence.assigned).contains(place))
		};
		ensure!(
			medallions.into_iter().all(|medallion| is_assigned(medallion).is_some()),
			"a node has a medallion that was not assigned"
		);
		let is_own = |info: NodeInfoOf<T>| {
			info.last_muid.is_none_or(|muid| muid.medallion() == info.medallion.get())
		};
		ensure!(
			Nodes::<T>::iter_values().all(is_own),
			"the last muid of a node has another medallion"
		);
		Ok(())
	}
}

fn check_key<T: Config, K: MemberKind<T>>(
	member: &InfoOf<T, K>,
	account: &AccountIdOf<T>,
	is_below_root: bool,
	granted: Muid,
) -> Result<(), TryRuntimeError> {
	if member.purge.is_some() {
		return Ok(());
	}
	ensure!(is_below_root, "an access key has the level of the root");
	ensure!(member.root != *account, "the root of a member has an access key");
	ensure!(member.created < granted, "an access key is older than its member");
	Ok(())
}

fn check_copies<T: Config>(
	info: &VersionInfoOf<T>,
	nodes: &BTreeMap<Medallion, (ProviderId, NodeId)>,
) -> Result<(), TryRuntimeError> {
	let places: BTreeSet<_> = info.copies.iter().map(|copy| (copy.provider, copy.node)).collect();
	ensure!(places.len() == info.copies.len(), "a version has two copies on one node");
	for copy in &info.copies {
		let place = (copy.provider, copy.node);
		ensure!(
			nodes.get(&copy.medallion).is_none_or(|owner| *owner == place),
			"a copy has the medallion of another node"
		);
		ensure!(
			copy.held.is_none_or(|held| info.finalized.is_some_and(|first| first <= held)),
			"a node holds a version that was not final by then"
		);
	}
	Ok(())
}

fn purged_tenants<T: Config>() -> BTreeSet<content_fabric_identifiers::TenantId> {
	let purged = Tenants::<T>::iter().filter(|(_, info)| info.purge.is_some());
	purged.map(|(tenant, _)| tenant).collect()
}

fn add_holds<T: Config, K: MemberKind<T>>(holds: &mut Holds<T>)
where
	K::Map: IterableStorageMap<K::Id, InfoOf<T, K>>,
{
	for (_, info) in <K::Map as IterableStorageMap<_, _>>::iter() {
		let held = holds.entry(info.root).or_default();
		let deposit = info.own_deposit.saturating_add(info.deposit);
		for (reason, amount) in [(K::BOND, info.bond), (HoldReason::StorageDeposit, deposit)] {
			let sum = held.entry(reason as u8).or_default();
			*sum = sum.saturating_add(amount);
		}
	}
}

fn increment(count: &mut u32) {
	*count = count.saturating_add(1);
}
