// SPDX-License-Identifier: Apache-2.0
//! The error with which a command ends although it has a report.

use crate::{output::Report, Error};

/// A report that is printed before it is known whether the command succeeds.
pub trait Verdict: Report {
	/// Returns the error with which the command ends after the report, such as that of a dry run
	/// that would fail.
	fn verdict(&self) -> Result<(), Error> {
		Ok(())
	}
}
