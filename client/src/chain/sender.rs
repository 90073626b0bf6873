// SPDX-License-Identifier: Apache-2.0
//! Sends the calls of one key one after the other.

use std::time::Duration;

use subxt::utils::AccountId32;
use tokio::sync::{Mutex, MutexGuard};

use super::{calls::EncodedCall, Chain, Error, Included, Wait};
use crate::keys::Signer;

/// A key whose calls are submitted one after the other, as each has the next nonce. All tasks of a
/// program that sign with the key share one sender.
pub struct Sender {
	signer: Signer,
	turn: Mutex<()>,
}

/// The turn of a task that has a call to submit. The others wait until it is dropped.
pub struct Turn<'a> {
	signer: &'a Signer,
	_turn: MutexGuard<'a, ()>,
}

impl Sender {
	/// Returns the sender of a key.
	pub fn new(signer: Signer) -> Self {
		Self { signer, turn: Mutex::default() }
	}

	/// Returns the account of the key.
	pub fn account(&self) -> &AccountId32 {
		self.signer.account()
	}

	/// Waits for a turn. Turns are given in the order in which they are asked for.
	pub async fn turn(&self) -> Turn<'_> {
		Turn { signer: &self.signer, _turn: self.turn.lock().await }
	}
}

impl Turn<'_> {
	/// Submits a call as [`Chain::submit`] does. The turn is over when its block is known.
	pub async fn submit(
		self,
		chain: &Chain,
		call: &EncodedCall,
		wait: Wait,
		timeout: Duration,
	) -> Result<Included, Error> {
		chain.submit(self.signer, call, wait, timeout).await
	}
}

#[cfg(test)]
mod tests {
	use std::{cell::RefCell, rc::Rc};

	use futures::future::join_all;
	use tokio::task::yield_now;

	use super::*;

	#[tokio::test]
	async fn turns_are_given_one_by_one_in_the_order_of_asking() {
		let sender = Sender::new(subxt_signer::sr25519::dev::alice().into());
		let log = Rc::new(RefCell::new(Vec::new()));
		join_all((0..4).map(|task| {
			let (sender, log) = (&sender, log.clone());
			async move {
				let _turn = sender.turn().await;
				for _ in 0..3 {
					log.borrow_mut().push(task);
					yield_now().await;
				}
			}
		}))
		.await;
		assert_eq!(log.take(), [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]);
	}
}
