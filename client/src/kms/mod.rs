// SPDX-License-Identifier: Apache-2.0
//! KMSes: what clients and a KMS's server say to each other, and files that are encrypted for one.
//!
//! Files are encrypted in the format age v1 for the key of the KMS, which the chain has. The KMS
//! gives the key of a file to accounts that may read the tenant's content. It never sees the file.
//! The version of a file is the hash of its encrypted bytes.

#[cfg(feature = "encryption")]
mod decrypt;
#[cfg(feature = "encryption")]
mod encrypt;
#[cfg(feature = "encryption")]
mod error;
#[cfg(feature = "encryption")]
mod server;
#[cfg(all(test, feature = "encryption"))]
mod tests;
mod wire;

#[cfg(feature = "encryption")]
pub use decrypt::{Decrypted, Key, Sealed};
#[cfg(feature = "encryption")]
pub use encrypt::{is_of_low_order, most_encrypted, Encrypting};
#[cfg(feature = "encryption")]
pub use error::KmsError;
#[cfg(feature = "encryption")]
pub use server::{KmsServer, Reader, Status};
pub use wire::{AtBlock, Receipt, Receipts, Stanza, UnwrapRequest, Unwrapped};

/// Largest number of stanzas of a request.
#[cfg(feature = "encryption")]
const MAX_STANZAS: usize = 16;
/// The type of the stanzas that a KMS's key opens.
#[cfg(feature = "encryption")]
const X25519: &str = "X25519";
