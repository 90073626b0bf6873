// SPDX-License-Identifier: Apache-2.0
//! Measures what it costs to verify a version commit with each scheme of `MultiSignature`.
//!
//! `cargo run --release -p pallet-content-fabric --example signatures` prints the figures of
//! `docs/benchmarks.md`. Verification runs in the host, natively, even on a chain. A payload is the
//! longest that one commit of this many versions has: between `<Bytes>` tags, each object named.

use std::{hint::black_box, time::Instant};

use sp_core::{ecdsa, ed25519, sr25519, Pair};
use sp_runtime::{
	traits::{IdentifyAccount, Verify},
	AccountId32, MultiSignature, MultiSigner,
};

const SAMPLES: usize = 501;
/// Bytes of a payload without its versions, and bytes of a version.
const FRAME: usize = 15 + 32 + 32 + 16 + 4 * 10 + 1 + 2;
const VERSION: usize = 10 + 32 + 8 + 1;

/// Signs a payload.
type Sign<'a> = &'a dyn Fn(&[u8]) -> MultiSignature;

fn main() {
	println!("| scheme | 1 version | 500 versions |\n| --- | ---: | ---: |");
	let payloads = [1, 500].map(|versions| vec![0x5a; FRAME + versions * VERSION]);
	let (ed25519, _) = ed25519::Pair::generate();
	let (sr25519, _) = sr25519::Pair::generate();
	let (ecdsa, _) = ecdsa::Pair::generate();
	let (eth, _) = ecdsa::KeccakPair::generate();
	let account = |signer: MultiSigner| signer.into_account();
	let schemes: [(&str, AccountId32, Sign<'_>); 4] = [
		("ed25519", account(ed25519.public().into()), &|payload| ed25519.sign(payload).into()),
		("sr25519", account(sr25519.public().into()), &|payload| sr25519.sign(payload).into()),
		("ecdsa", account(ecdsa.public().into()), &|payload| ecdsa.sign(payload).into()),
		("eth", account(MultiSigner::Eth(eth.public())), &|payload| {
			MultiSignature::Eth(eth.sign(payload))
		}),
	];
	for (name, account, sign) in schemes {
		let times = payloads.each_ref().map(|payload| median(payload, &account, sign(payload)));
		println!("| {name} | {:.1} µs | {:.1} µs |", times[0], times[1]);
	}
}

/// Returns the median time of a verification, in microseconds.
fn median(payload: &[u8], account: &AccountId32, signature: MultiSignature) -> f64 {
	let mut times: Vec<_> = (0..SAMPLES)
		.map(|_| {
			let start = Instant::now();
			assert!(black_box(&signature).verify(black_box(payload), black_box(account)));
			start.elapsed().as_secs_f64() * 1e6
		})
		.collect();
	times.sort_by(f64::total_cmp);
	times[SAMPLES / 2]
}
