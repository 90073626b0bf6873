// SPDX-License-Identifier: Apache-2.0
//! Publishes what a [manifest](crate::manifest) lists.
//!
//! Each source becomes a tenant, each package a content object, each of its versions a version
//! whose id is its hash. The provider commits what a key of the tenant has signed, and finalizes
//! it in the same transaction; or a content node does both, when it has the bytes. The
//! version that the manifest marks becomes the object's head. Records in the collection `names` lead
//! from the names of packages, and from names with versions, to their content. A name that is not a
//! record key is escaped. A record in the collection `runs` stands for each run; its key is a TID by
//! the clock of this machine.
//!
//! [`Publisher::plan_removal`] plans the opposite: content is deleted, and its records last, so that
//! the next run finds what an interrupted one has left. Rows that change after the plan stay, and
//! are reported.
//!
//! Content that is on the chain already is left alone, so the next run finishes one that was
//! interrupted:
//!
//! ```no_run
//! # use std::{error::Error, sync::Arc};
//! # use content_fabric_client::{chain::Chain, ids, keys::Signer, manifest};
//! use content_fabric_client::publish::{Keys, Options, Publisher};
//!
//! # async fn run(chain: Arc<Chain>, key: Arc<Signer>, text: &str) -> Result<(), Box<dyn Error>> {
//! let space = ids::space("docs");
//! let sources = manifest::read(text.as_bytes(), space, Some("site"))?;
//! let keys = Keys { provider: key.clone(), tenant: key, governor: None };
//! let publisher = Publisher::new(chain, keys, Options::new(space)).await?;
//! let (_stopping, stop) = tokio::sync::watch::channel(false);
//! let report = publisher.plan(&sources).await?.publish(&stop).await;
//! report.end?;
//! assert!(report.sources.iter().all(|source| source.failures.is_empty()));
//! # Ok(())
//! # }
//! ```

mod aliases;
mod calls;
mod copies;
mod error;
mod estimate;
mod members;
mod paths;
mod plan;
mod publication;
mod publisher;
mod removal;
mod report;
#[cfg(feature = "http")]
mod restore;
mod rounds;
mod runs;
mod state;
mod tally;
#[cfg(feature = "http")]
mod upload;
mod work;

pub use copies::CopiesChange;
pub use error::Error;
pub use publication::Publication;
pub use publisher::{Keys, Options, Publisher};
pub use removal::{Absent, Kept, Removal, Removed};
pub use report::{EstimatedCost, Event, Failure, FailureCause, Published, Report, Uploaded};
pub use rounds::Head;
#[cfg(feature = "http")]
pub use upload::{Encrypted, Store};

/// The collection of the names of packages, alone and with a version.
const NAMES: &str = "names";
/// The collection of the runs.
const RUNS: &str = "runs";
