// SPDX-License-Identifier: Apache-2.0
//! Limits per client.

use std::{
	collections::HashMap,
	net::{IpAddr, Ipv6Addr},
	sync::{Arc, Mutex, MutexGuard, PoisonError, Weak},
	time::Duration,
};

use tokio::{
	sync::{AcquireError, OwnedSemaphorePermit, Semaphore},
	time::timeout,
};

/// Number of clients up to which none is forgotten.
const FEW: usize = 64;

/// Returns the address that limits count by: the first half of an IPv6 one, as a client may have
/// all addresses of it.
pub fn client_of(address: IpAddr) -> IpAddr {
	match address.to_canonical() {
		IpAddr::V6(address) => {
			let [a, b, c, d, ..] = address.segments();
			Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).into()
		},
		address => address,
	}
}

/// Places that are limited in number, in all and for each client. They are taken at once, or waited
/// for.
#[derive(Debug)]
pub struct Gate {
	most: usize,
	all: Arc<Semaphore>,
	most_each: usize,
	each: Mutex<Each>,
}

/// The places of each client.
#[derive(Debug)]
struct Each {
	/// Gone for clients that neither have a place nor wait for one.
	places: HashMap<IpAddr, Weak<Semaphore>>,
	/// Number of entries at which the entries of such clients are removed.
	full: usize,
}

/// A place among all places, and usually among the places of a client, until it is dropped.
#[derive(Debug)]
pub struct Pass {
	_own: Option<OwnedSemaphorePermit>,
	_all: OwnedSemaphorePermit,
}

impl Gate {
	/// Makes `most` places. Each client can take `most_each` of them.
	pub fn new(most: usize, most_each: usize) -> Self {
		let each = Each { places: HashMap::new(), full: FEW };
		Self { most, all: Arc::new(Semaphore::new(most)), most_each, each: Mutex::new(each) }
	}

	/// Waits for a place. Returns `None` if the time is over before.
	pub async fn enter(&self, client: IpAddr, wait: Duration) -> Option<Pass> {
		let (own, all) = (self.own(client), self.all.clone());
		let pass = async {
			let _own = Some(own.acquire_owned().await?);
			Ok::<_, AcquireError>(Pass { _own, _all: all.acquire_owned().await? })
		};
		timeout(wait, pass).await.ok()?.ok()
	}

	/// Takes a place. Returns `None` if all are taken, or the client has taken its share.
	pub fn take(&self, client: IpAddr) -> Option<Pass> {
		let _own = Some(self.own(client).try_acquire_owned().ok()?);
		Some(Pass { _own, ..self.take_uncounted()? })
	}

	/// Takes a place that does not count as one of a client. Returns `None` if all are taken.
	pub fn take_uncounted(&self) -> Option<Pass> {
		Some(Pass { _own: None, _all: self.all.clone().try_acquire_owned().ok()? })
	}

	/// Waits until not all places are taken.
	pub async fn until_free(&self) {
		drop(self.all.acquire().await);
	}

	/// Returns the places of a client.
	fn own(&self, client: IpAddr) -> Arc<Semaphore> {
		let mut each = self.each();
		if let Some(own) = each.places.get(&client).and_then(Weak::upgrade) {
			return own;
		}
		if each.places.len() >= each.full {
			each.places.retain(|_, own| own.strong_count() > 0);
			// So many more have to come before the next time.
			each.full = each.places.len().saturating_mul(2).max(FEW);
		}
		let own = Arc::new(Semaphore::new(self.most_each));
		each.places.insert(client, Arc::downgrade(&own));
		own
	}

	/// Returns the number of places that are taken.
	pub fn taken(&self) -> usize {
		self.most.saturating_sub(self.all.available_permits())
	}

	fn each(&self) -> MutexGuard<'_, Each> {
		// Each change is whole.
		self.each.lock().unwrap_or_else(PoisonError::into_inner)
	}
}

#[cfg(test)]
mod tests {
	use super::*;

	const WAIT: Duration = Duration::from_millis(20);

	fn address(last: u8) -> IpAddr {
		[127, 0, 0, last].into()
	}

	#[test]
	fn addresses_of_one_network_are_one_client() {
		let client = |text: &str| client_of(text.parse().expect("it is an address; qed"));
		assert_eq!(client("2001:db8:1:2:3:4:5:6"), client("2001:db8:1:2:ffff::1"));
		assert_ne!(client("2001:db8:1:2::1"), client("2001:db8:1:3::1"));
		assert_eq!(client("::ffff:10.0.0.1"), client("10.0.0.1"));
		assert_ne!(client("10.0.0.1"), client("10.0.0.2"));
	}

	#[test]
	fn places_are_limited_in_all_and_by_address() {
		let gate = Gate::new(3, 2);
		let first = gate.take(address(1)).expect("there is room");
		let second = gate.take(address(1)).expect("there is room");
		assert!(gate.take(address(1)).is_none());
		let _third = gate.take(address(2)).expect("there is room");
		assert!(gate.take(address(3)).is_none());
		drop(first);
		assert_eq!(gate.taken(), 2);
		let _fourth = gate.take(address(3)).expect("there is room again");
		drop(second);
		assert!(gate.take(address(1)).is_some());
	}

	#[test]
	fn clients_without_places_are_forgotten() {
		let gate = Gate::new(1_000, 1);
		let client =
			|number: usize| IpAddr::from([10, 0, (number / 250) as u8, (number % 250) as u8]);
		let held: Vec<_> = (0..3 * FEW).map(|number| gate.take(client(number))).collect();
		assert!(held.iter().all(Option::is_some));
		for number in 3 * FEW..100 * FEW {
			assert!(gate.take(client(number)).is_some());
			assert!(gate.each().places.len() <= 2 * held.len());
		}
		assert!((0..held.len()).all(|number| gate.take(client(number)).is_none()));
	}

	#[tokio::test(start_paused = true)]
	async fn places_are_waited_for() {
		let gate = Gate::new(2, 1);
		let first = gate.enter(address(1), WAIT).await.expect("there is room");
		assert!(gate.enter(address(1), WAIT).await.is_none());
		let _second = gate.enter(address(2), WAIT).await.expect("there is room");
		assert!(gate.enter(address(3), WAIT).await.is_none());
		assert_eq!(gate.taken(), 2);
		let (third, ()) = tokio::join!(gate.enter(address(1), WAIT * 10), async { drop(first) });
		assert!(third.is_some());
		drop(third);
		assert_eq!(gate.taken(), 1);
	}
}
