// SPDX-License-Identifier: Apache-2.0
//! The program of a server: its log, its exit code, and the signal that ends it.

use std::{
	fmt::Display,
	future::Future,
	io::{stderr, IsTerminal},
	process::ExitCode,
};

use rustix::process::Signal;
use tokio::signal::{
	ctrl_c,
	unix::{signal, SignalKind},
};
use tracing::warn;
use tracing_subscriber::EnvFilter;

/// Runs a program, which logs to standard error: what `RUST_LOG` says, or else warnings and what
/// the crate `name` reports besides. Returns its exit code, after its error if it has failed.
pub async fn run<E: Display>(name: &str, program: impl Future<Output = Result<(), E>>) -> ExitCode {
	let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| {
		EnvFilter::new(format!("warn,content_fabric_http_server=info,{name}=info"))
	});
	let colours = std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty());
	let log = tracing_subscriber::fmt().with_env_filter(filter).with_writer(stderr);
	log.with_ansi(colours && stderr().is_terminal()).init();
	// A write beyond the limit of file sizes fails, and does not end the process.
	if let Err(error) = signal(SignalKind::from_raw(Signal::XFSZ.as_raw())) {
		warn!("a file that reaches the limit of file sizes will end this program: {error}");
	}
	match program.await {
		Ok(()) => ExitCode::SUCCESS,
		Err(error) => {
			eprintln!("error: {error}");
			ExitCode::FAILURE
		},
	}
}

/// Waits for Ctrl-C or the signal that ends a service.
pub async fn told_to_stop() {
	match signal(SignalKind::terminate()) {
		Ok(mut terminate) => tokio::select! {
			_ = terminate.recv() => {},
			_ = ctrl_c() => {},
		},
		Err(_) => {
			let _ = ctrl_c().await;
		},
	}
}
