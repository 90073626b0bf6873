//! What holds of the storage between any two calls.

use alloc::{
	collections::{BTreeMap, BTreeSet},
	vec::Vec,
};

use content_fabric_identifiers::{Muid, ProviderId, SpaceId, TenantId};
use frame_support::{ensure, traits::fungible::InspectHold};
use sp_runtime::{
	traits::{Saturating, Zero},
	TryRuntimeError,
};

use crate::{
	clock::place_of_medallion, records::is_key_of, types::AccountIdOf, Admissions, BalanceOf,
	Collections, Config, ContentObjects, DeletionQueue, DeletionQueueBounds, Deletions, HoldReason,
	Kmses, LastMuid, MedallionCount, MemberInfoOf, Nodes, Pallet, ProviderKeys, ProviderLevel,
	Providers, Records, Spaces, Subject, TenantKeys, TenantLevel, Tenants, Versions,
};

/// The rows under a member, and the sum of their deposits.
struct Subtree<Balance> {
	rows: u32,
	deposit: Balance,
}

type Subtrees<T, Id> = BTreeMap<Id, Subtree<BalanceOf<T>>>;

fn add<T: Config, Id: Ord>(subtrees: &mut Subtrees<T, Id>, id: Id, deposit: BalanceOf<T>) {
	let subtree = subtrees.entry(id).or_insert(Subtree { rows: 0, deposit: Zero::zero() });
	subtree.rows += 1;
	subtree.deposit = subtree.deposit.saturating_add(deposit);
}

impl<T: Config> Pallet<T> {
	/// Checks the whole storage of the pallet.
	pub(crate) fn do_try_state() -> Result<(), TryRuntimeError> {
		Self::try_state_spaces()?;
		Self::try_state_providers()?;
		Self::try_state_tenants()?;
		Self::try_state_content()?;
		Self::try_state_records()?;
		Self::try_state_deletions()?;
		Self::try_state_holds()?;
		Self::try_state_clock()
	}

	/// # Invariants
	///
	/// - No two rows have the same muid, and none has a later one than the last that was minted.
	/// - No two nodes have the same medallion, and none has one that was not assigned.
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
		ensure!(muids.iter().max() <= LastMuid::<T>::get().as_ref(), "a row is from the future");
		let unique: BTreeSet<_> = muids.iter().collect();
		ensure!(unique.len() == muids.len(), "two rows have the same muid");

		let medallions: Vec<_> = Nodes::<T>::iter_values().map(|info| info.medallion).collect();
		let unique: BTreeSet<_> = medallions.iter().collect();
		ensure!(unique.len() == medallions.len(), "two nodes have the same medallion");
		let assigned = MedallionCount::<T>::get();
		ensure!(
			medallions.iter().all(|medallion| {
				place_of_medallion(*medallion).is_some_and(|place| place < assigned)
			}),
			"a node has a medallion that was not assigned"
		);
		Ok(())
	}

	/// # Invariants
	///
	/// - Every provider, tenant and admission belongs to a space that exists.
	/// - `provider_count`, `tenant_count` and `admission_count` of every space are exact.
	fn try_state_spaces() -> Result<(), TryRuntimeError> {
		let count = |spaces: &mut dyn Iterator<Item = SpaceId>| {
			let mut counts = BTreeMap::<SpaceId, u32>::new();
			spaces.for_each(|space| *counts.entry(space).or_default() += 1);
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

	/// # Invariants
	///
	/// - Every key and node belongs to a provider that exists.
	/// - `rows` and `deposit` of every provider are those of its keys and nodes together; but while it
	///   is being deleted, nothing is held for it.
	/// - No key has the level of the root.
	fn try_state_providers() -> Result<(), TryRuntimeError> {
		let mut subtrees = Subtrees::<T, ProviderId>::new();
		for (provider, _, info) in Nodes::<T>::iter() {
			add::<T, _>(&mut subtrees, provider, info.deposit);
		}
		for (provider, _, info) in ProviderKeys::<T>::iter() {
			add::<T, _>(&mut subtrees, provider, info.deposit);
		}
		for (provider, info) in Providers::<T>::iter() {
			let subtree = subtrees.remove(&provider);
			ensure!(
				info.rows == subtree.as_ref().map_or(0, |subtree| subtree.rows),
				"rows of a provider is not exact"
			);
			ensure!(
				info.deposit == expected_deposit::<T>(&info, subtree),
				"deposit of a provider is not exact"
			);
		}
		ensure!(subtrees.is_empty(), "a key or node belongs to no provider");
		ensure!(
			ProviderKeys::<T>::iter_values().all(|key| key.level < ProviderLevel::Root),
			"a key of a provider has the level of the root"
		);
		Ok(())
	}

	/// # Invariants
	///
	/// - Every key, KMS, content object, version, collection and record belongs to a tenant that
	///   exists.
	/// - `rows` and `deposit` of every tenant are those of all of these together; but while it is being
	///   deleted, nothing is held for it.
	/// - No key has the level of the root.
	fn try_state_tenants() -> Result<(), TryRuntimeError> {
		let mut subtrees = Subtrees::<T, TenantId>::new();
		for (tenant, _, info) in TenantKeys::<T>::iter() {
			add::<T, _>(&mut subtrees, tenant, info.deposit);
		}
		for (tenant, _, info) in Kmses::<T>::iter() {
			add::<T, _>(&mut subtrees, tenant, info.deposit);
		}
		for (tenant, _, info) in ContentObjects::<T>::iter() {
			add::<T, _>(&mut subtrees, tenant, info.deposit);
		}
		for ((tenant, _, _), info) in Versions::<T>::iter() {
			add::<T, _>(&mut subtrees, tenant, info.deposit);
		}
		for (tenant, _, info) in Collections::<T>::iter() {
			add::<T, _>(&mut subtrees, tenant, info.deposit);
		}
		for ((tenant, _, _), info) in Records::<T>::iter() {
			add::<T, _>(&mut subtrees, tenant, info.deposit);
		}
		for (tenant, info) in Tenants::<T>::iter() {
			let subtree = subtrees.remove(&tenant);
			ensure!(
				info.rows == subtree.as_ref().map_or(0, |subtree| subtree.rows),
				"rows of a tenant is not exact"
			);
			ensure!(
				info.deposit == expected_deposit::<T>(&info, subtree),
				"deposit of a tenant is not exact"
			);
		}
		ensure!(subtrees.is_empty(), "a row belongs to no tenant");
		ensure!(
			TenantKeys::<T>::iter_values().all(|key| key.level < TenantLevel::Root),
			"a key of a tenant has the level of the root"
		);
		Ok(())
	}

	/// # Invariants, but for tenants that are being deleted
	///
	/// - Every version belongs to a content object that exists.
	/// - `version_count` of every content object is exact.
	/// - Every head exists and is finalized.
	/// - No version was finalized before it was committed.
	fn try_state_content() -> Result<(), TryRuntimeError> {
		let mut counts = BTreeMap::new();
		for ((tenant, object, _), info) in Versions::<T>::iter() {
			if Self::is_going(tenant) {
				continue;
			}
			*counts.entry((tenant, object)).or_insert(0u32) += 1;
			ensure!(
				info.finalized
					// The chain's clock may be ahead of the block by some microseconds.
					.is_none_or(|at| at >= info.committed.timestamp() / 1_000),
				"a version was finalized before it was committed"
			);
		}
		for (tenant, object, info) in ContentObjects::<T>::iter() {
			if Self::is_going(tenant) {
				continue;
			}
			ensure!(
				info.version_count == counts.remove(&(tenant, object)).unwrap_or(0),
				"version_count of a content object is not exact"
			);
			if let Some(head) = info.head_version {
				let head = Versions::<T>::get((tenant, object, head))
					.ok_or("the head of a content object does not exist")?;
				ensure!(head.finalized.is_some(), "the head of a content object is not finalized");
			}
		}
		ensure!(counts.is_empty(), "a version belongs to no content object");
		Ok(())
	}

	/// # Invariants, but for tenants that are being deleted
	///
	/// - Every record belongs to a collection that exists, and has a key that it can have.
	/// - `record_count` of every collection is exact.
	fn try_state_records() -> Result<(), TryRuntimeError> {
		let mut counts = BTreeMap::new();
		for (tenant, name, key) in Records::<T>::iter_keys() {
			if Self::is_going(tenant) {
				continue;
			}
			let collection =
				Collections::<T>::get(tenant, &name).ok_or("a record belongs to no collection")?;
			ensure!(
				is_key_of::<T>(&collection, &key),
				"a record has a key that its collection cannot have"
			);
			*counts.entry((tenant, name)).or_insert(0u32) += 1;
		}
		for (tenant, name, info) in Collections::<T>::iter() {
			ensure!(
				Self::is_going(tenant)
					|| info.record_count == counts.remove(&(tenant, name)).unwrap_or(0),
				"record_count of a collection is not exact"
			);
		}
		Ok(())
	}

	/// # Invariants
	///
	/// - A member has the flag `being_deleted` if and only if it has a row in `Deletions`.
	/// - Nothing is recorded as held for such a member.
	/// - Every such row has a place in the queue, and no other place has a deletion.
	fn try_state_deletions() -> Result<(), TryRuntimeError> {
		let going: BTreeSet<Subject> = Providers::<T>::iter()
			.filter(|(_, info)| info.being_deleted)
			.map(|(id, _)| Subject::Provider(id))
			.chain(
				Tenants::<T>::iter()
					.filter(|(_, info)| info.being_deleted)
					.map(|(id, _)| Subject::Tenant(id)),
			)
			.collect();
		ensure!(going == Deletions::<T>::iter_keys().collect(), "flags and deletions do not agree");
		let bounds = DeletionQueueBounds::<T>::get();
		for (subject, deletion) in Deletions::<T>::iter() {
			ensure!(
				Self::member_info(subject)
					.is_some_and(|info| info.bond.is_zero() && info.deposit.is_zero()),
				"a deletion has not been settled"
			);
			ensure!(
				DeletionQueue::<T>::get(deletion.place) == Some(subject)
					&& (bounds.first..bounds.next).contains(&deletion.place),
				"a deletion is not in the queue"
			);
		}
		ensure!(
			DeletionQueue::<T>::iter_keys().count() == going.len(),
			"a place in the queue has no deletion"
		);
		Ok(())
	}

	/// # Invariants
	///
	/// - What is on hold on every depositor is no less than what its members have recorded. (On a chain
	///   where somebody slashes holds from outside of the pallet it may be less.)
	fn try_state_holds() -> Result<(), TryRuntimeError> {
		let mut holds = BTreeMap::<AccountIdOf<T>, [BalanceOf<T>; 3]>::new();
		let mut add = |account, amounts: [BalanceOf<T>; 3]| {
			let sums = holds.entry(account).or_insert([Zero::zero(); 3]);
			for (sum, amount) in sums.iter_mut().zip(amounts) {
				*sum = sum.saturating_add(amount);
			}
		};
		for info in Providers::<T>::iter_values() {
			add(info.depositor, [info.bond, Zero::zero(), info.deposit]);
		}
		for info in Tenants::<T>::iter_values() {
			add(info.depositor, [Zero::zero(), info.bond, info.deposit]);
		}
		for (account, [provider_bond, tenant_bond, deposit]) in holds {
			for (reason, recorded) in [
				(HoldReason::ProviderBond, provider_bond),
				(HoldReason::TenantBond, tenant_bond),
				(HoldReason::StorageDeposit, deposit),
			] {
				ensure!(
					T::Currency::balance_on_hold(&reason.into(), &account) >= recorded,
					"less is on hold than was recorded"
				);
			}
		}
		Ok(())
	}

	fn is_going(tenant: TenantId) -> bool {
		Tenants::<T>::get(tenant).is_some_and(|info| info.being_deleted)
	}
}

fn expected_deposit<T: Config>(
	info: &MemberInfoOf<T>,
	subtree: Option<Subtree<BalanceOf<T>>>,
) -> BalanceOf<T> {
	match subtree {
		Some(subtree) if !info.being_deleted => subtree.deposit,
		_ => Zero::zero(),
	}
}
