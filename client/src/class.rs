// SPDX-License-Identifier: Apache-2.0
//! The classes of errors.

use serde::Serialize;

/// The class of an error, which is the exit code of the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
	/// Anything else.
	Other = 1,
	/// The command line, a file, a key or the configuration is wrong. Nothing was submitted.
	Usage = 2,
	/// The chain, or the index, has no such entity, record or motion.
	NotFound = 3,
	/// The chain refused a transaction, or would refuse it.
	Refused = 4,
	/// The node or the index cannot be reached, or does not answer, or is not to be trusted.
	Connection = 5,
	/// A part of the input was not published.
	Partial = 6,
	/// No node served the bytes of a version.
	Unserved = 7,
	/// The bytes have another hash than the version.
	Mismatch = 8,
	/// All was published, but its last block does not become final.
	NotFinal = 9,
	/// A set-up has problems.
	Unhealthy = 10,
	/// Ctrl-C.
	Interrupted = 130,
}
