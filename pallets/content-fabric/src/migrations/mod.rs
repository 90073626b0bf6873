// SPDX-License-Identifier: Apache-2.0
//! Migrations of the storage: one module for each target version.

pub mod v2;
