// SPDX-License-Identifier: Apache-2.0
#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

mod figures;
pub mod index;
pub mod kms;
pub mod machine;
mod metric;
pub mod node;
mod program;
pub mod store;

pub use figures::Figures;
pub use metric::{Kind, Metric};
pub use program::{Alert, Panel, Program, Query, Row, Series, Severity};

/// All programs.
pub const PROGRAMS: [&Program; 5] =
	[&node::PROGRAM, &index::PROGRAM, &store::PROGRAM, &kms::PROGRAM, &machine::PROGRAM];
