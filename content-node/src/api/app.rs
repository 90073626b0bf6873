// SPDX-License-Identifier: Apache-2.0
//! State that all requests share.

use std::sync::{atomic::AtomicU64, Arc};

use axum::response::Response;
use content_fabric_http_server::{
	metrics::{exposition, latencies},
	Bodies, Gate,
};
use content_fabric_monitoring::{store as table, Figures};
use prometheus_client::metrics::{
	counter::Counter, family::Family, gauge::Gauge, histogram::Histogram,
};

use crate::{
	chain::Fabric,
	keep::{upload::Uploads, Keep},
	proof::Proofs,
	store::Store,
	verify::Verifier,
};

/// Largest number of bytes of memory for bodies, and for answers: in all, and of one client.
const BODIES: (usize, usize) = (32 << 20, 8 << 20);
/// Largest number of bytes of memory for large pieces of objects that are not files: in all, and
/// for one client.
const PIECES: (usize, usize) = (64 << 20, 16 << 20);
/// Largest number of simultaneous uploads, in all and of one client.
const UPLOADS: (usize, usize) = (128, 16);
/// Largest number of drafts that are made at the same time, in all and of one client. Others wait.
const DRAFTS: (usize, usize) = (64, 8);
/// Largest number of simultaneous commits, in all and of one client. One is submitted, and the
/// others wait for it. Further ones wait for a place.
const COMMITS: (usize, usize) = (64, 4);
/// Statuses of failures. They are counted from zero, so that an alert notices the first one.
const FAILURES: [u16; 4] = [500, 502, 503, 507];

/// State that all requests share.
pub struct App {
	pub keep: Arc<Keep>,
	pub store: Store,
	pub uploads: Arc<Uploads>,
	pub fabric: Arc<Fabric>,
	/// Knows which stored bytes are sound.
	pub verifier: Arc<Verifier>,
	/// The proven hashes of large objects.
	pub proofs: Proofs,
	/// The memory of bodies that arrive.
	pub bodies: Bodies,
	/// The memory of answers that are not sent in pieces.
	pub answers: Bodies,
	/// The memory of large pieces of objects.
	pub pieces: Bodies,
	/// The uploads that are under way.
	pub uploading: Gate,
	/// The drafts that are being made.
	pub drafting: Gate,
	/// The commits that have begun.
	pub committing: Gate,
	pub metrics: Metrics,
}

impl App {
	pub fn new(
		keep: Arc<Keep>,
		store: Store,
		uploads: Arc<Uploads>,
		fabric: Arc<Fabric>,
		verifier: Arc<Verifier>,
	) -> Arc<Self> {
		Arc::new(Self {
			keep,
			proofs: Proofs::new(store.clone(), verifier.clone()),
			store,
			uploads,
			fabric,
			verifier,
			bodies: Bodies::new(BODIES.0, BODIES.1),
			answers: Bodies::new(BODIES.0, BODIES.1),
			pieces: Bodies::new(PIECES.0, PIECES.1),
			uploading: Gate::new(UPLOADS.0, UPLOADS.1),
			drafting: Gate::new(DRAFTS.0, DRAFTS.1),
			committing: Gate::new(COMMITS.0, COMMITS.1),
			metrics: Metrics::new(),
		})
	}
}

/// Figures for Prometheus.
#[derive(Debug)]
pub struct Metrics {
	figures: Figures,
	pub answers: Family<[(&'static str, u16); 1], Counter>,
	/// Of reads of versions.
	pub latencies: Histogram,
	pub sent: Counter,
	pub received: Counter,
	gauges: Family<[(&'static str, &'static str); 1], Gauge>,
	balance: Gauge<f64, AtomicU64>,
	commits: Gauge<f64, AtomicU64>,
	age: Gauge<f64, AtomicU64>,
	clock: Gauge,
}

impl Metrics {
	fn new() -> Self {
		let mut this = Self {
			figures: Figures::default(),
			answers: Family::default(),
			latencies: latencies(),
			sent: Counter::default(),
			received: Counter::default(),
			gauges: Family::default(),
			balance: Gauge::default(),
			commits: Gauge::default(),
			age: Gauge::default(),
			clock: Gauge::default(),
		};
		for status in FAILURES {
			this.answers.get_or_create(&[("status", status)]).inc_by(0);
		}
		let figures = &mut this.figures;
		figures.add(&table::ANSWERS, this.answers.clone());
		figures.add(&table::LATENCY, this.latencies.clone());
		figures.add(&table::SENT, this.sent.clone());
		figures.add(&table::RECEIVED, this.received.clone());
		figures.add(&table::STATE, this.gauges.clone());
		figures.add(&table::BALANCE, this.balance.clone());
		figures.add(&table::AFFORDABLE_COMMITS, this.commits.clone());
		figures.add(&table::FINALIZED_AGE, this.age.clone());
		figures.add(&table::CLOCK_DIFFERENCE, this.clock.clone());
		this
	}

	/// Answers with all figures.
	pub fn answer(&self, app: &App) -> Response {
		let totals = app.keep.totals();
		let followed = app.fabric.followed();
		for (of, value) in [
			("versions", totals.versions),
			("held_bytes", totals.held),
			("promised_bytes", totals.promised),
			("room_bytes", app.fabric.room().unwrap_or_default()),
			("damaged", totals.damaged),
			("missing", totals.missing),
			("lost", app.fabric.pulls.lost() as u64),
			("asked", totals.asked),
			("read_only", app.keep.read_only().is_some().into()),
			("other_chain", app.fabric.other_origin().is_some().into()),
			("uploads", app.uploading.taken() as u64),
			("body_bytes", app.bodies.taken() as u64),
			("answer_bytes", (app.answers.taken() + app.pieces.taken()) as u64),
			("connected", followed.is_some().into()),
			("block", followed.unwrap_or_default()),
			("best_block", app.fabric.best().unwrap_or_default()),
		] {
			let gauge = self.gauges.get_or_create(&table::STATE.label(of));
			gauge.set(i64::try_from(value).unwrap_or(i64::MAX));
		}
		// Amounts have more than 64 bits, so they are not exact. Not a number while it is not known.
		let number = |known: Option<u128>| known.map_or(f64::NAN, |number| number as f64);
		self.balance.set(number(app.fabric.balance()));
		self.commits.set(number(app.fabric.affordable_commits()));
		self.age.set(number(app.fabric.age().map(u128::from)));
		self.clock.set(app.fabric.clock_ahead());
		exposition(&self.figures)
	}
}
