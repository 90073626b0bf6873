//! A fabric that a chain starts with.

use alloc::string::String;

use content_fabric_identifiers::{KmsId, NodeId, ProviderId, SpaceId, TenantId};
use frame_support::pallet_prelude::{BoundedVec, DispatchError, DispatchResult, Get};
use serde::{Deserialize, Serialize};

use crate::{
	members::{Member, MemberKind, Provider, Tenant},
	types::AccountIdOf,
	AdmissionPolicy, BalanceOf, Config, Pallet, SpaceRules,
};

/// A space that a chain starts with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenesisSpace<AccountId, Balance> {
	/// The space.
	pub space: SpaceId,
	/// Its governor.
	pub governor: AccountId,
	/// What a provider must have bonded.
	pub provider_bond: Balance,
	/// What a tenant must have bonded.
	pub tenant_bond: Balance,
	/// Who may become a provider or a tenant. Those of the genesis need no admission.
	pub admission: AdmissionPolicy,
	/// The number of partitions of the space's content.
	pub partitions: u32,
	/// The service level that providers agree to.
	pub sla: String,
}

/// A provider or a tenant that a chain starts with. Its bond is held on its root account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenesisMember<Id, AccountId> {
	/// The provider or tenant.
	pub id: Id,
	/// The space that it belongs to.
	pub space: SpaceId,
	/// Its root account.
	pub root: AccountId,
}

/// The level of an account in a provider or a tenant that a chain starts with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenesisKey<Id, AccountId, Level> {
	/// The provider or tenant.
	pub id: Id,
	/// The account.
	pub account: AccountId,
	/// Its level, below that of the root.
	pub level: Level,
}

/// A node that a chain starts with. It is confirmed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenesisNode<AccountId> {
	/// The provider that runs the node.
	pub provider: ProviderId,
	/// The node.
	pub node: NodeId,
	/// The account that operates it.
	pub operator: AccountId,
	/// Where it is reached.
	pub locator: String,
}

/// A KMS that a chain starts with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct GenesisKms {
	/// The tenant that owns the KMS.
	pub tenant: TenantId,
	/// The KMS.
	pub kms: KmsId,
	/// Where it is reached.
	pub locator: String,
}

/// The genesis of the pallet.
#[frame_support::pallet_macros::pallet_section]
mod genesis {
	/// The fabric that a chain starts with. What would be an error in a call makes the genesis fail.
	#[pallet::genesis_config]
	#[derive(DefaultNoBound)]
	pub struct GenesisConfig<T: Config> {
		/// The spaces.
		pub spaces: Vec<GenesisSpace<T::AccountId, BalanceOf<T>>>,
		/// The providers.
		pub providers: Vec<GenesisMember<ProviderId, T::AccountId>>,
		/// The levels of accounts in providers.
		pub provider_keys: Vec<GenesisKey<ProviderId, T::AccountId, ProviderLevel>>,
		/// The nodes.
		pub nodes: Vec<GenesisNode<T::AccountId>>,
		/// The tenants.
		pub tenants: Vec<GenesisMember<TenantId, T::AccountId>>,
		/// The levels of accounts in tenants.
		pub tenant_keys: Vec<GenesisKey<TenantId, T::AccountId, TenantLevel>>,
		/// The KMSes.
		pub kmses: Vec<GenesisKms>,
	}

	#[pallet::genesis_build]
	impl<T: Config> BuildGenesisConfig for GenesisConfig<T> {
		fn build(&self) {
			build_all("space", &self.spaces, Pallet::<T>::build_space);
			build_all("provider", &self.providers, Pallet::<T>::build_member::<ProviderKind>);
			build_all("provider key", &self.provider_keys, Pallet::<T>::build_key::<ProviderKind>);
			build_all("node", &self.nodes, Pallet::<T>::build_node);
			build_all("tenant", &self.tenants, Pallet::<T>::build_member::<TenantKind>);
			build_all("tenant key", &self.tenant_keys, Pallet::<T>::build_key::<TenantKind>);
			build_all("KMS", &self.kmses, Pallet::<T>::build_kms);
		}
	}
}

/// Builds what a list of the genesis has. Panics with the place of what cannot be built.
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
		member: GenesisMember<K::Id, AccountIdOf<T>>,
	) -> DispatchResult {
		Member::<T, K>::ensure_vacant(member.id)?;
		Member::<T, K>::create(member.space, Self::space(member.space)?, member.id, member.root)
	}

	pub(crate) fn build_key<K: MemberKind<T>>(
		key: GenesisKey<K::Id, AccountIdOf<T>, K::Level>,
	) -> DispatchResult {
		let member = Member::<T, K>::load(key.id)?;
		let root = member.info.root.clone();
		Self::do_set_key(&root, member, key.account, Some(key.level))
	}

	pub(crate) fn build_node(node: GenesisNode<AccountIdOf<T>>) -> DispatchResult {
		let provider = Provider::<T>::load(node.provider)?;
		Self::do_create_node(provider, node.node, node.operator, bytes(node.locator)?)?;
		Self::do_confirm_node(Provider::load(node.provider)?, node.node)
	}

	pub(crate) fn build_kms(kms: GenesisKms) -> DispatchResult {
		Self::do_add_kms(Tenant::load(kms.tenant)?, kms.kms, bytes(kms.locator)?)
	}
}

/// The bytes of a text that is not too long.
fn bytes<MaxLen: Get<u32>>(text: String) -> Result<BoundedVec<u8, MaxLen>, DispatchError> {
	text.into_bytes().try_into().map_err(|_| DispatchError::Other("a text is too long"))
}
