// SPDX-License-Identifier: Apache-2.0
//! State that all requests share, and its figures.

use std::{
	net::IpAddr,
	num::NonZeroU32,
	sync::{atomic::AtomicU64, Arc},
};

use axum::{
	http::{header, StatusCode},
	response::Response,
};
use content_fabric_http_server::{
	metrics::{exposition, Requests},
	Bodies, Failure, Gate, Rate,
};
use content_fabric_monitoring::{kms as table, Figures};
use prometheus_client::metrics::{family::Family, gauge::Gauge};
use subxt::utils::AccountId32;

use crate::{chain::Fabric, identity::Identities, receipts::Receipts};

/// Largest number of bytes of memory for bodies: in all, and of one client.
const BODIES: (usize, usize) = (16 << 20, 4 << 20);
/// Largest number of signed requests that are handled at the same time, in all and of one client.
/// Others wait.
const PLACES: (usize, usize) = (256, 64);
/// Number of signed requests of a client, and of an account: a second, and at once.
const RATE: (NonZeroU32, NonZeroU32) = (number(500), number(1_000));

const fn number(number: u32) -> NonZeroU32 {
	NonZeroU32::new(number).expect("it is not zero; qed")
}

/// State that all requests share.
pub struct App {
	pub fabric: Fabric,
	pub identities: Identities,
	pub receipts: Receipts,
	/// The memory of bodies that arrive.
	pub bodies: Bodies,
	/// The signed requests that are being handled.
	pub places: Gate,
	clients: Rate,
	accounts: Rate<[u8; 32]>,
	pub metrics: Metrics,
}

impl App {
	pub fn new(fabric: Fabric, identities: Identities, receipts: Receipts) -> Arc<Self> {
		Arc::new(Self {
			fabric,
			identities,
			receipts,
			bodies: Bodies::new(BODIES.0, BODIES.1),
			places: Gate::new(PLACES.0, PLACES.1),
			clients: Rate::new(RATE.0, RATE.1),
			accounts: Rate::new(RATE.0, RATE.1),
			metrics: Metrics::new(),
		})
	}

	/// Counts a request of a client. A client on this machine is a reverse proxy, which stands for
	/// many.
	pub fn count_client(&self, client: IpAddr) -> Result<(), Failure> {
		match client.is_loopback() {
			true => Ok(()),
			false => self.clients.count(client).map_err(|wait| too_many("address", wait)),
		}
	}

	/// Counts a request that an account has signed.
	pub fn count_account(&self, account: &AccountId32) -> Result<(), Failure> {
		self.accounts.count(account.0).map_err(|wait| too_many("account", wait))
	}

	/// Returns the reason why no key can be given to anybody now, if there is one.
	pub fn problem(&self) -> Option<String> {
		let unwritten = || Some(format!("receipts cannot be written: {}", self.receipts.fault()?));
		self.fabric.problem().or_else(unwritten)
	}
}

fn too_many(from: &str, wait: u64) -> Failure {
	let reason = format!("too many requests from this {from}");
	Failure::new(StatusCode::TOO_MANY_REQUESTS, reason).with(header::RETRY_AFTER, wait)
}

/// Figures for Prometheus. They name neither accounts nor versions.
#[derive(Debug)]
pub struct Metrics {
	figures: Figures,
	pub requests: Requests,
	gauges: Family<[(&'static str, &'static str); 1], Gauge>,
	age: Gauge<f64, AtomicU64>,
}

impl Metrics {
	fn new() -> Self {
		let mut this = Self {
			figures: Figures::default(),
			requests: Requests::default(),
			gauges: Family::default(),
			age: Gauge::default(),
		};
		let figures = &mut this.figures;
		this.requests.add_to(figures, &table::REQUESTS, &table::LATENCY);
		figures.add(&table::STATE, this.gauges.clone());
		figures.add(&table::FINALIZED_AGE, this.age.clone());
		this
	}

	/// Answers with all figures.
	pub fn answer(&self, app: &App) -> Response {
		let view = app.fabric.shown();
		for (of, value) in [
			("receipts", app.receipts.count()),
			("ready", app.problem().is_none().into()),
			("requests", app.places.taken() as u64),
			("body_bytes", app.bodies.taken() as u64),
			("block", view.as_ref().map_or(0, |view| view.block.number)),
		] {
			let gauge = self.gauges.get_or_create(&table::STATE.label(of));
			gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
		}
		self.age.set(view.map_or(f64::NAN, |view| view.age().as_secs_f64()));
		exposition(&self.figures)
	}
}
