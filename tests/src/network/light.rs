// SPDX-License-Identifier: Apache-2.0
//! The client as a light client beside a node.

use std::{
	path::PathBuf,
	process::{Command, Output},
};

use serde_json::Value;
use tokio::task::block_in_place;

use super::Testbed;
use crate::process::{detach, failure, program, report, stderr};

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
		let output = self.output(arguments);
		(report(&output, 0), stderr(&output))
	}

	/// Runs the client, which must fail. Returns its error.
	pub fn error(&self, arguments: &[&str]) -> String {
		failure(&self.output(arguments)).error
	}

	fn output(&self, arguments: &[&str]) -> Output {
		block_in_place(|| self.command(arguments).output()).expect("the client starts")
	}
}
