// SPDX-License-Identifier: Apache-2.0
//! The connection to a node, or to nodes through a light client: which chain it is, its state, its
//! calls, its events.

mod blocks;
pub mod calls;
mod commits;
mod config;
mod connection;
mod dry_run;
mod error;
mod events;
mod finalized;
mod identity;
mod levels;
mod light;
#[cfg(any(feature = "light", test))]
mod light_reads;
pub mod limits;
mod liveness;
mod lookup;
mod members;
mod metadata_types;
mod node_client;
mod resolve;
mod row_len;
pub mod rows;
mod scan;
mod sender;
mod snapshot;
mod specification;
mod stream;
mod transaction;

pub use blocks::{BlockStream, Wait};
pub use commits::{wall_clock, MuidSource, VersionCommit};
pub use config::{blake2_256, FabricConfig};
pub use connection::{Chain, Endpoint, SessionKeys, Source};
pub use dry_run::{no_dry_run, DryRun};
pub use error::{dispatch_line, Error};
pub use events::{BlockEvent, ChainEvent, FabricEvent};
pub use identity::Identity;
pub use levels::{closed, Standing};
pub use limits::{TextLimit, Weight};
pub use liveness::Heads;
pub use lookup::{Members, VersionRows};
pub use members::{
	admission_name, kind, open_rules, provider_level_name, role_name, tenant_level_name,
};
pub use resolve::{PlaceError, RecordPlace, Resolved};
pub use row_len::storage_key_len;
pub use scan::KeyRest;
pub use sender::{Sender, Turn};
pub use snapshot::Snapshot;
pub use specification::Specification;
pub(crate) use transaction::MORTALITY;
pub use transaction::{Included, Signed};
