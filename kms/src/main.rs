// SPDX-License-Identifier: Apache-2.0
//! The command `fabric-kms`.

fn main() {}
