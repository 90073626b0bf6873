// SPDX-License-Identifier: Apache-2.0
//! The client as a light client beside a node.

use std::{
	path::PathBuf,
	process::{Command, Output},
};

use serde_json::Value;
use tokio::task::block_in_place;

use super::Testbed;
use crate::process::{detach, program};

/// The client as a light client in the network of a validator, which is its only bootnode. It finds
/// other nodes through it, except behind a cut.
pub struct Light<'a> {
	testbed: &'a Testbed,
	number: usize,
	specification: PathBuf,
}

impl Testbed {
	/// Returns the light client beside a validator.
	pub fn light(&self, number: usize) -> Light<'_> {
		Light { testbed: self, number, specification: self.specification_of(number) }
	}
}

impl Light<'_> {
	/// Returns the command that runs the client with these arguments.
	pub fn command(&self, arguments: &[&str]) -> Command {
		let mut command = self.testbed.command_beside(self.number);
		detach(&mut command);
		command.arg(program("fabric")).arg("--light").arg(&self.specification).arg("--json");
		command.args(arguments);
		command
	}

	/// Runs the client, which must succeed. Returns what it prints, and its warnings.
	pub fn report(&self, arguments: &[&str]) -> (Value, String) {
		let Output { status, stdout, stderr } = self.output(arguments);
		let stderr = String::from_utf8(stderr).expect("warnings are text");
		assert!(status.success(), "fabric {arguments:?}: {stderr}");
		(serde_json::from_slice(&stdout).expect("the client prints JSON"), stderr)
	}

	/// Runs the client, which must fail. Returns its error.
	pub fn error(&self, arguments: &[&str]) -> String {
		let Output { status, stderr, .. } = self.output(arguments);
		let stderr = String::from_utf8(stderr).expect("errors are text");
		assert!(!status.success(), "fabric {arguments:?} did not fail: {stderr}");
		let last = stderr.lines().last().unwrap_or_default();
		let error: Value = serde_json::from_str(last).unwrap_or_else(|_| panic!("{stderr}"));
		error["error"].as_str().expect("errors have texts").to_owned()
	}

	fn output(&self, arguments: &[&str]) -> Output {
		block_in_place(|| self.command(arguments).output()).expect("the client starts")
	}
}
