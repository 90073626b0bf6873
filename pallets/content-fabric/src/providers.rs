//! Providers and their nodes.

use content_fabric_identifiers::{NodeId, ProviderId, SpaceId};
use frame_support::{ensure, pallet_prelude::DispatchResult};

use crate::{
	members::Provider, types::ensure_locator, Config, Error, Event, LocatorOf, NodeInfo,
	NodeInfoOf, Nodes, Pallet,
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

	pub(crate) fn do_create_node(
		provider: Provider<T>,
		node: NodeId,
		locator: LocatorOf<T>,
	) -> DispatchResult {
		ensure_locator::<T>(&locator)?;
		ensure!(!Nodes::<T>::contains_key(provider.id, node), Error::<T>::NodeAlreadyExists);
		Nodes::<T>::insert(provider.id, node, NodeInfo { pending: true, locator });
		let event = Event::NodeCreated { provider: provider.id, node };
		provider.add_row()?;
		Self::deposit_event(event);
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
