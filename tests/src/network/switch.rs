// SPDX-License-Identifier: Apache-2.0
//! A switch for the frames of nodes, each of which is on a TAP device: it delays them, loses some,
//! and lets none pass between the sides of a partition.

use std::{
	cmp::Reverse,
	collections::{BTreeMap, BinaryHeap, HashMap},
	net::Ipv4Addr,
	sync::{
		mpsc::{channel, Receiver, RecvTimeoutError, Sender},
		Arc, Mutex, MutexGuard, PoisonError,
	},
	thread,
	time::{Duration, Instant},
};

use tun_rs::{DeviceBuilder, Layer, SyncDevice};

/// The largest frame.
const FRAME: usize = 65_536;
/// Bytes of the two addresses with which a frame begins: its destination, and its source.
const ADDRESSES: usize = 12;

type Mac = [u8; 6];

/// A port of the switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Port {
	/// The test itself, whose frames always pass at once.
	Test,
	/// A node, by its number.
	Node(usize),
}

/// A switch. It forwards every frame at once unless a partition, a delay or a loss is set.
pub struct Switch {
	shared: Arc<Shared>,
}

struct Shared {
	state: Mutex<State>,
	queue: Sender<Frame>,
}

struct State {
	devices: BTreeMap<Port, Arc<SyncDevice>>,
	/// Ports at which the addresses were last seen.
	places: HashMap<Mac, Port>,
	/// The sides of the partition, if there is one.
	sides: Option<Vec<Vec<usize>>>,
	latency: Duration,
	loss: f64,
	/// Number of frames so far, by which those that are due at the same time keep their order.
	frames: u64,
}

/// A frame on its way to a port. The first to be ordered is the first that is due.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Frame {
	due: Instant,
	number: u64,
	port: Port,
	bytes: Arc<[u8]>,
}

impl Switch {
	/// Makes a switch, to which the test itself is connected with this address.
	pub fn new(address: Ipv4Addr) -> Self {
		let (queue, frames) = channel();
		let state = State {
			devices: BTreeMap::new(),
			places: HashMap::new(),
			sides: None,
			latency: Duration::ZERO,
			loss: 0.0,
			frames: 0,
		};
		let shared = Arc::new(Shared { state: Mutex::new(state), queue });
		let deliverer = shared.clone();
		thread::spawn(move || deliverer.deliver(&frames));
		let device = DeviceBuilder::new().name("test").layer(Layer::L2).ipv4(address, 24, None);
		let device = device.build_sync().unwrap_or_else(|error| panic!("no TAP device: {error}"));
		let switch = Self { shared };
		switch.plug(Port::Test, device);
		switch
	}

	/// Connects a node.
	pub fn connect(&self, node: usize, device: SyncDevice) {
		self.plug(Port::Node(node), device);
	}

	fn plug(&self, port: Port, device: SyncDevice) {
		let device = Arc::new(device);
		self.shared.state().devices.insert(port, device.clone());
		let shared = self.shared.clone();
		thread::spawn(move || {
			let mut buffer = vec![0; FRAME];
			loop {
				let length = device.recv(&mut buffer).expect("the TAP device can be read");
				shared.forward(port, &buffer[..length]);
			}
		});
	}

	/// Lets frames pass between the nodes of a side only. A node on no side is alone.
	pub fn partition(&self, sides: &[&[usize]]) {
		self.shared.state().sides = Some(sides.iter().map(|side| side.to_vec()).collect());
	}

	/// Ends the partition.
	pub fn heal(&self) {
		self.shared.state().sides = None;
	}

	/// Delays the frames between nodes by `latency`, and loses each with the probability `loss`.
	pub fn set_link(&self, latency: Duration, loss: f64) {
		let mut state = self.shared.state();
		state.latency = latency;
		state.loss = loss;
	}
}

impl Shared {
	fn state(&self) -> MutexGuard<'_, State> {
		self.state.lock().unwrap_or_else(PoisonError::into_inner)
	}

	/// Puts a frame on its way to all ports that it is for.
	fn forward(&self, from: Port, frame: &[u8]) {
		let Some((addresses, _)) = frame.split_first_chunk::<ADDRESSES>() else { return };
		let [to @ .., _, _, _, _, _, _] = *addresses;
		let [_, _, _, _, _, _, source @ ..] = *addresses;
		let mut state = self.state();
		state.places.insert(source, from);
		let ports: Vec<_> = match state.places.get(&to) {
			Some(port) => vec![*port],
			// Broadcasts, too.
			None => state.devices.keys().copied().collect(),
		};
		let (bytes, now) = (Arc::<[u8]>::from(frame), Instant::now());
		for port in ports.into_iter().filter(|port| *port != from) {
			let Some(delay) = state.delay(from, port) else { continue };
			state.frames += 1;
			let frame =
				Frame { due: now + delay, number: state.frames, port, bytes: bytes.clone() };
			self.queue.send(frame).expect("frames are delivered as long as there is a switch");
		}
	}

	/// Delivers the frames when they are due.
	fn deliver(&self, frames: &Receiver<Frame>) {
		let mut waiting = BinaryHeap::<Reverse<Frame>>::new();
		loop {
			let now = Instant::now();
			while waiting.peek().is_some_and(|Reverse(frame)| frame.due <= now) {
				let Some(Reverse(frame)) = waiting.pop() else { break };
				let device = self.state().devices.get(&frame.port).cloned();
				let device = device.expect("frames are for ports with a device");
				device.send(&frame.bytes).expect("the TAP device is up");
			}
			let due = waiting.peek().map(|Reverse(frame)| frame.due.duration_since(now));
			let frame = match due {
				Some(due) => frames.recv_timeout(due),
				None => frames.recv().map_err(|_| RecvTimeoutError::Disconnected),
			};
			match frame {
				Ok(frame) => waiting.push(Reverse(frame)),
				Err(RecvTimeoutError::Timeout) => {},
				Err(RecvTimeoutError::Disconnected) => return,
			}
		}
	}
}

impl State {
	/// Returns the delay of a frame between two ports, or nothing if it is lost.
	fn delay(&self, from: Port, to: Port) -> Option<Duration> {
		let (Port::Node(from), Port::Node(to)) = (from, to) else { return Some(Duration::ZERO) };
		let together = |side: &Vec<usize>| side.contains(&from) && side.contains(&to);
		let connected = self.sides.as_ref().is_none_or(|sides| sides.iter().any(together));
		(connected && !rand::random_bool(self.loss)).then_some(self.latency)
	}
}
