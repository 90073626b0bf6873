//! Providers and their nodes.

use content_fabric_identifiers::{NodeId, ProviderId, SpaceId};
use frame_support::{ensure, pallet_prelude::DispatchResult};

use crate::{
	members::Provider, types::ensure_locator, Config, Error, Event, LocatorOf, NodeInfo,
	NodeInfoOf, Nodes, Pallet, ProviderLevel,
};

impl<T: Config> Pallet<T> {
	pub(crate) fn do_create_provider(
		root: T::AccountId,
		space: SpaceId,
		provider: ProviderId,
	) -> DispatchResult {
		Provider::<T>::create(space, provider, root.clone())?;
		Self::deposit_event(Event::ProviderCreated { provider, space, root });
		Ok(())
	}

	pub(crate) fn do_delete_provider(provider: Provider<T>) -> DispatchResult {
		provider.ensure_empty()?;
		let event = Event::ProviderDeleted { provider: provider.id, rows: 0 };
		provider.remove()?;
		Self::deposit_event(event);
		Ok(())
	}

	pub(crate) fn do_set_provider_root(
		provider: Provider<T>,
		root: T::AccountId,
	) -> DispatchResult {
		let event = Event::ProviderRootSet { provider: provider.id, root: root.clone() };
		provider.set_root(root);
		Self::deposit_event(event);
		Ok(())
	}

	pub(crate) fn do_set_provider_key(
		who: &T::AccountId,
		mut provider: Provider<T>,
		account: T::AccountId,
		level: Option<ProviderLevel>,
	) -> DispatchResult {
		let present = provider.level(&account);
		let may = |own: ProviderLevel| own.can_set_level(present, level);
		ensure!(provider.level(who).is_some_and(may), Error::<T>::NoPermission);
		let id = provider.id;
		provider.set_key(&account, present, level)?;
		provider.save();
		Self::deposit_event(Event::ProviderKeySet { provider: id, account, level });
		Ok(())
	}

	pub(crate) fn do_create_node(
		mut provider: Provider<T>,
		node: NodeId,
		operator: T::AccountId,
		locator: LocatorOf<T>,
	) -> DispatchResult {
		ensure_locator::<T>(&locator)?;
		ensure!(!Nodes::<T>::contains_key(provider.id, node), Error::<T>::NodeAlreadyExists);
		Nodes::<T>::insert(provider.id, node, NodeInfo { pending: true, locator });
		let id = provider.id;
		provider.count_row()?;
		if provider.level(&operator).is_none() {
			let level = Some(ProviderLevel::Node);
			provider.set_key(&operator, None, level)?;
			Self::deposit_event(Event::ProviderKeySet { provider: id, account: operator, level });
		}
		provider.save();
		Self::deposit_event(Event::NodeCreated { provider: id, node });
		Ok(())
	}

	pub(crate) fn do_confirm_node(provider: Provider<T>, node: NodeId) -> DispatchResult {
		Self::mutate_node(provider.id, node, |info| {
			ensure!(info.pending, Error::<T>::NodeAlreadyConfirmed);
			info.pending = false;
			Ok(())
		})?;
		Self::deposit_event(Event::NodeConfirmed { provider: provider.id, node });
		Ok(())
	}

	pub(crate) fn do_set_node_locator(
		provider: Provider<T>,
		node: NodeId,
		locator: LocatorOf<T>,
	) -> DispatchResult {
		ensure_locator::<T>(&locator)?;
		Self::mutate_node(provider.id, node, |info| {
			info.locator = locator;
			Ok(())
		})?;
		Self::deposit_event(Event::NodeLocatorSet { provider: provider.id, node });
		Ok(())
	}

	pub(crate) fn do_remove_node(provider: Provider<T>, node: NodeId) -> DispatchResult {
		ensure!(Nodes::<T>::contains_key(provider.id, node), Error::<T>::NodeNotFound);
		Nodes::<T>::remove(provider.id, node);
		let event = Event::NodeRemoved { provider: provider.id, node };
		provider.remove_row()?;
		Self::deposit_event(event);
		Ok(())
	}

	fn mutate_node(
		provider: ProviderId,
		node: NodeId,
		change: impl FnOnce(&mut NodeInfoOf<T>) -> Result<(), Error<T>>,
	) -> Result<(), Error<T>> {
		Nodes::<T>::try_mutate(provider, node, |info| {
			change(info.as_mut().ok_or(Error::<T>::NodeNotFound)?)
		})
	}
}
