// SPDX-License-Identifier: Apache-2.0
//! Builds the program again when the explorer's files change, which it contains.

fn main() {
	println!("cargo:rerun-if-changed=assets");
}
