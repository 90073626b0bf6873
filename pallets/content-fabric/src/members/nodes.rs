// SPDX-License-Identifier: Apache-2.0
//! The nodes of providers.

use codec::{Encode, MaxEncodedLen};
use content_fabric_identifiers::{Muid, NodeId, ProviderId};
use frame_support::{
	dispatch::{DispatchResultWithPostInfo, Pays, PostDispatchInfo},
	ensure,
	pallet_prelude::{DispatchResult, Get},
};
use sp_runtime::{traits::Zero, DispatchError};

use super::{row_deposit, Provider, ID_LEN};
use crate::{
	observer::Observer,
	types::{ensure_locator, AccountIdOf},
	BalanceOf, Config, Error, Event, LocatorOf, NodeInfo, NodeInfoOf, Nodes, Pallet,
	ProviderRowCounts,
};

fn nodes(counts: &mut ProviderRowCounts) -> &mut u32 {
	&mut counts.nodes
}

impl<T: Config> Pallet<T> {
	pub(crate) fn do_create_node(
		provider: Provider<T>,
		node: NodeId,
		operator: AccountIdOf<T>,
		locator: LocatorOf<T>,
	) -> DispatchResult {
		Self::ensure_not_zero(&operator)?;
		ensure_locator::<T>(&locator)?;
		let id = provider.id;
		ensure!(!Nodes::<T>::contains_key(id, node), Error::<T>::NodeAlreadyExists);
		let medallion = Self::assign_medallion()?;
		let mut info = NodeInfo {
			operator: operator.clone(),
			pending: true,
			locator,
			medallion,
			last_muid: None,
			deposit: Zero::zero(),
		};
		info.deposit = node_deposit::<T>(&info);
		provider.update(|provider| provider.add_row(nodes, info.deposit))?;
		Nodes::<T>::insert(id, node, info);
		Self::deposit_event(Event::NodeCreated { provider: id, node, operator, medallion });
		Ok(())
	}

	pub(crate) fn do_confirm_node(
		(who, provider): (AccountIdOf<T>, Provider<T>),
		node: NodeId,
	) -> DispatchResultWithPostInfo {
		let info = Self::node_for(&provider, &who, node)?;
		let by_operator = info.operator == who;
		Self::mark_confirmed(provider.id, node, info)?;
		Ok(Self::fee_of_operator(by_operator))
	}

	/// Returns whether a successful call pays its fee. It is free if the signer is the node's
	/// operator and `FreeForOperators` is true. Such a call does what can be done only once, for a
	/// row that somebody has paid for.
	pub(crate) fn fee_of_operator(by_operator: bool) -> PostDispatchInfo {
		match by_operator && T::FreeForOperators::get() {
			true => Pays::No.into(),
			false => Pays::Yes.into(),
		}
	}

	/// Confirms a node without checking for permission.
	pub(crate) fn mark_confirmed(
		provider: ProviderId,
		node: NodeId,
		mut info: NodeInfoOf<T>,
	) -> DispatchResult {
		ensure!(info.pending, Error::<T>::NodeAlreadyConfirmed);
		info.pending = false;
		Nodes::<T>::insert(provider, node, info);
		Self::deposit_event(Event::NodeConfirmed { provider, node });
		Ok(())
	}

	pub(crate) fn do_set_node_locator(
		provider: Provider<T>,
		node: NodeId,
		locator: LocatorOf<T>,
	) -> DispatchResult {
		ensure_locator::<T>(&locator)?;
		let id = provider.id;
		let mut info = Self::node(id, node)?;
		info.locator = locator;
		let before = core::mem::replace(&mut info.deposit, Zero::zero());
		info.deposit = node_deposit::<T>(&info);
		provider.update(|provider| provider.reprice_row(before, info.deposit))?;
		Nodes::<T>::insert(id, node, info);
		Self::deposit_event(Event::NodeLocatorSet { provider: id, node });
		Ok(())
	}

	pub(crate) fn do_set_node_operator(
		provider: Provider<T>,
		node: NodeId,
		operator: AccountIdOf<T>,
	) -> DispatchResult {
		Self::ensure_not_zero(&operator)?;
		let mut info = Self::node(provider.id, node)?;
		info.operator = operator.clone();
		Nodes::<T>::insert(provider.id, node, info);
		Self::deposit_event(Event::NodeOperatorSet { provider: provider.id, node, operator });
		Ok(())
	}

	pub(crate) fn do_remove_node(provider: Provider<T>, node: NodeId) -> DispatchResult {
		let id = provider.id;
		let info = Self::node(id, node)?;
		provider.update(|provider| provider.remove_row(nodes, info.deposit))?;
		Nodes::<T>::remove(id, node);
		Self::deposit_event(Event::NodeRemoved { provider: id, node });
		T::Observer::on_node_removed(id, node, info.medallion);
		Ok(())
	}

	pub(crate) fn node(provider: ProviderId, node: NodeId) -> Result<NodeInfoOf<T>, Error<T>> {
		Nodes::<T>::get(provider, node).ok_or(Error::NodeNotFound)
	}

	/// Reads a node that an account may act for.
	pub(crate) fn node_for(
		provider: &Provider<T>,
		who: &AccountIdOf<T>,
		node: NodeId,
	) -> Result<NodeInfoOf<T>, DispatchError> {
		let info = Self::node(provider.id, node)?;
		provider.ensure_acts_for(who, &info)?;
		Ok(info)
	}
}

/// Returns the deposit for a node's row, as large as it is once the node has committed.
fn node_deposit<T: Config>(info: &NodeInfoOf<T>) -> BalanceOf<T> {
	let muid = match info.last_muid {
		Some(_) => 0,
		None => Muid::max_encoded_len(),
	};
	row_deposit::<T>(&[ID_LEN, ID_LEN], info.encoded_size().saturating_add(muid))
}
