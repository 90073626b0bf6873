// SPDX-License-Identifier: Apache-2.0
//! The fabric that a chain starts with.

use alloc::string::String;

use codec::Encode;
use content_fabric_identifiers::{KmsId, NodeId, ProviderId, SpaceId, TenantId};
use frame_support::{
	ensure,
	pallet_prelude::{BoundedVec, DispatchError, DispatchResult, Get},
	storage::StorageDoubleMap,
};
use serde::{Deserialize, Serialize};

use crate::{
	members::{Member, MemberKind, NewMember, Provider, Tenant},
	types::AccountIdOf,
	AdmissionPolicy, BalanceOf, Config, Error, KmsKey, Pallet, SpaceRules,
};

/// A space that a chain starts with.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenesisSpace<AccountId, Balance> {
	/// The space.
	pub space: SpaceId,
	/// Its governor.
	pub governor: AccountId,
	/// Bond that a provider needs.
	pub provider_bond: Balance,
	/// Bond that a tenant needs.
	pub tenant_bond: Balance,
	/// The accounts that may become a provider or a tenant. Members of the genesis need no
	/// admission.
	pub admission: AdmissionPolicy,
	/// Number of partitions of the space's content.
	pub partitions: u32,
	/// The service level that providers agree to.
	pub sla: String,
}

/// A provider or a tenant that a chain starts with. Its bond and deposits are held on its root.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenesisMember<Id, AccountId, Balance> {
	/// The provider or tenant.
	pub id: Id,
	/// The space that it belongs to.
	pub space: SpaceId,
	/// Its root.
	pub root: AccountId,
	/// The most that may be on hold for it, bond and deposits together.
	pub max_held: Balance,
}

/// An access key in a provider or a tenant that a chain starts with.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenesisKey<Id, AccountId, Level> {
	/// The provider or tenant.
	pub id: Id,
	/// The account.
	pub account: AccountId,
	/// Its level, below `Root`.
	pub level: Level,
}

/// A node that a chain starts with. It is confirmed.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenesisNode<AccountId> {
	/// The provider that runs the node.
	pub provider: ProviderId,
	/// The node.
	pub node: NodeId,
	/// The account that acts for it.
	pub operator: AccountId,
	/// Its locator.
	pub locator: String,
}

/// A KMS that a chain starts with.
#[derive(Clone, Debug, PartialEq, Eq, Encode, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenesisKms<AccountId> {
	/// The tenant that owns the KMS.
	pub tenant: TenantId,
	/// The KMS.
	pub kms: KmsId,
	/// The account that acts for it.
	pub operator: AccountId,
	/// Its locator.
	pub locator: String,
	/// The key for which clients encrypt.
	pub key: KmsKey,
}

/// The genesis of the pallet.
#[frame_support::pallet_macros::pallet_section]
mod genesis {
	/// The fabric that a chain starts with. Whatever would fail a call also fails the genesis.
	#[pallet::genesis_config]
	#[derive(DefaultNoBound)]
	pub struct GenesisConfig<T: Config> {
		/// The spaces.
		pub spaces: Vec<GenesisSpace<T::AccountId, BalanceOf<T>>>,
		/// The providers.
		pub providers: Vec<GenesisMember<ProviderId, T::AccountId, BalanceOf<T>>>,
		/// The access keys in providers.
		pub provider_keys: Vec<GenesisKey<ProviderId, T::AccountId, ProviderLevel>>,
		/// The nodes.
		pub nodes: Vec<GenesisNode<T::AccountId>>,
		/// The tenants.
		pub tenants: Vec<GenesisMember<TenantId, T::AccountId, BalanceOf<T>>>,
		/// The access keys in tenants.
		pub tenant_keys: Vec<GenesisKey<TenantId, T::AccountId, TenantLevel>>,
		/// The KMSes.
		pub kmses: Vec<GenesisKms<T::AccountId>>,
	}

	#[pallet::genesis_build]
	impl<T: Config> BuildGenesisConfig for GenesisConfig<T> {
		fn build(&self) {
			// There is no block before, whose hash draws the order of medallions on a running
			// chain. Whatever mints needs a space.
			if !self.spaces.is_empty() {
				let members =
					(&self.providers, &self.provider_keys, &self.tenants, &self.tenant_keys);
				let seed = (&self.spaces, members, &self.nodes, &self.kmses).encode();
				Pallet::<T>::draw_medallions(&seed)
					.unwrap_or_else(|error| panic!("medallions of the genesis: {error:?}"));
			}
			build_all("space", &self.spaces, Pallet::<T>::build_space);
			build_all("provider", &self.providers, Pallet::<T>::build_member::<ProviderKind>);
			build_all(
				"provider access key",
				&self.provider_keys,
				Pallet::<T>::build_key::<ProviderKind>,
			);
			build_all("node", &self.nodes, Pallet::<T>::build_node);
			build_all("tenant", &self.tenants, Pallet::<T>::build_member::<TenantKind>);
			build_all("tenant access key", &self.tenant_keys, Pallet::<T>::build_key::<TenantKind>);
			build_all("KMS", &self.kmses, Pallet::<T>::build_kms);
		}
	}
}

/// Builds the items of a list. Panics with the place of an item that cannot be built.
pub(crate) fn build_all<Item: Clone>(
	kind: &str,
	items: &[Item],
	build: fn(Item) -> DispatchResult,
) {
	for (place, item) in items.iter().enumerate() {
		build(item.clone())
			.unwrap_or_else(|error| panic!("{kind} {place} of the genesis: {error:?}"));
	}
}

impl<T: Config> Pallet<T> {
	pub(crate) fn build_space(space: GenesisSpace<AccountIdOf<T>, BalanceOf<T>>) -> DispatchResult {
		let rules = SpaceRules {
			provider_bond: space.provider_bond,
			tenant_bond: space.tenant_bond,
			admission: space.admission,
			partitions: space.partitions,
			sla: bytes(space.sla)?,
		};
		Self::do_create_space(space.space, space.governor, rules)
	}

	pub(crate) fn build_member<K: MemberKind<T>>(
		member: GenesisMember<K::Id, AccountIdOf<T>, BalanceOf<T>>,
	) -> DispatchResult {
		let GenesisMember { id, space, root, max_held } = member;
		Member::<T, K>::ensure_vacant(id)?;
		Member::<T, K>::create(id, Self::space(space)?, NewMember { space, root, max_held })
	}

	pub(crate) fn build_key<K: MemberKind<T>>(
		key: GenesisKey<K::Id, AccountIdOf<T>, K::Level>,
	) -> DispatchResult {
		let GenesisKey { id, account, level } = key;
		let member = Member::<T, K>::undeleted(id)?;
		let is_new = !K::Keys::contains_key(id, &account);
		ensure!(is_new, DispatchError::Other("the account already has an access key"));
		let may = K::can_set_level(K::ROOT, member.level(&account), Some(level));
		ensure!(may, Error::<T>::NoPermission);
		Self::set_key(member, account, Some(level))
	}

	pub(crate) fn build_node(node: GenesisNode<AccountIdOf<T>>) -> DispatchResult {
		let GenesisNode { provider, node, operator, locator } = node;
		Self::do_create_node(Provider::undeleted(provider)?, node, operator, bytes(locator)?)?;
		Self::mark_confirmed(provider, node, Self::node(provider, node)?)
	}

	pub(crate) fn build_kms(kms: GenesisKms<AccountIdOf<T>>) -> DispatchResult {
		let GenesisKms { tenant, kms, operator, locator, key } = kms;
		Self::do_add_kms(Tenant::undeleted(tenant)?, kms, operator, bytes(locator)?, key)
	}
}

/// Returns the bytes of a text that is not too long.
fn bytes<MaxLen: Get<u32>>(text: String) -> Result<BoundedVec<u8, MaxLen>, DispatchError> {
	text.into_bytes().try_into().map_err(|_| DispatchError::Other("a text is too long"))
}
