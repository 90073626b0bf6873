//! Providers and their nodes.

use codec::{Encode, MaxEncodedLen};
use content_fabric_identifiers::{Muid, NodeId, ProviderId};
use frame_support::{ensure, pallet_prelude::DispatchResult};
use sp_runtime::traits::Zero;

use crate::{
	bonds::row_deposit,
	members::{Provider, ID_LEN},
	types::ensure_locator,
	BalanceOf, Config, Error, Event, LocatorOf, NodeInfo, NodeInfoOf, Nodes, Pallet, ProviderLevel,
};

impl<T: Config> Pallet<T> {
	pub(crate) fn do_create_node(
		mut provider: Provider<T>,
		node: NodeId,
		operator: T::AccountId,
		locator: LocatorOf<T>,
	) -> DispatchResult {
		ensure_locator::<T>(&locator)?;
		provider.ensure_bonded()?;
		ensure!(!Nodes::<T>::contains_key(provider.id, node), Error::<T>::NodeAlreadyExists);
		let id = provider.id;
		let medallion = Self::assign_medallion()?;
		let mut info =
			NodeInfo { pending: true, locator, medallion, last_muid: None, deposit: Zero::zero() };
		info.deposit = node_deposit::<T>(&info);
		Nodes::<T>::insert(id, node, &info);
		provider.count_row(info.deposit)?;
		if provider.level(&operator).is_none() {
			let level = ProviderLevel::Node;
			provider.add_key(&operator, level)?;
			let level = Some(level);
			Self::deposit_event(Event::ProviderKeySet { provider: id, account: operator, level });
		}
		provider.save();
		Self::deposit_event(Event::NodeCreated { provider: id, node, medallion });
		Ok(())
	}

	pub(crate) fn do_confirm_node(provider: Provider<T>, node: NodeId) -> DispatchResult {
		let mut info = Self::node(provider.id, node)?;
		ensure!(info.pending, Error::<T>::NodeAlreadyConfirmed);
		info.pending = false;
		Nodes::<T>::insert(provider.id, node, info);
		Self::deposit_event(Event::NodeConfirmed { provider: provider.id, node });
		Ok(())
	}

	pub(crate) fn do_set_node_locator(
		provider: Provider<T>,
		node: NodeId,
		locator: LocatorOf<T>,
	) -> DispatchResult {
		ensure_locator::<T>(&locator)?;
		let (id, mut info) = (provider.id, Self::node(provider.id, node)?);
		info.locator = locator;
		let before = core::mem::replace(&mut info.deposit, Zero::zero());
		info.deposit = node_deposit::<T>(&info);
		Nodes::<T>::insert(id, node, &info);
		provider.change_row(before, info.deposit)?;
		Self::deposit_event(Event::NodeLocatorSet { provider: id, node });
		Ok(())
	}

	pub(crate) fn do_remove_node(provider: Provider<T>, node: NodeId) -> DispatchResult {
		let info = Nodes::<T>::take(provider.id, node).ok_or(Error::<T>::NodeNotFound)?;
		let event = Event::NodeRemoved { provider: provider.id, node };
		provider.remove_row(info.deposit)?;
		Self::deposit_event(event);
		Ok(())
	}

	pub(crate) fn node(provider: ProviderId, node: NodeId) -> Result<NodeInfoOf<T>, Error<T>> {
		Nodes::<T>::get(provider, node).ok_or(Error::NodeNotFound)
	}
}

/// The deposit for a node's row, as large as it is once the node has committed a version.
fn node_deposit<T: Config>(info: &NodeInfoOf<T>) -> BalanceOf<T> {
	let muid = match info.last_muid {
		Some(_) => 0,
		None => Muid::max_encoded_len(),
	};
	row_deposit::<T>(&[ID_LEN, ID_LEN], info.encoded_size() + muid)
}
