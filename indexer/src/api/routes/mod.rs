// SPDX-License-Identifier: Apache-2.0
//! The paths of the server.

pub(super) mod calls;
pub(super) mod content;
pub(super) mod copies;
pub(super) mod history;
pub(super) mod members;
pub(super) mod records;
pub(super) mod spaces;
pub(super) mod status;
