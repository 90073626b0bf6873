// SPDX-License-Identifier: Apache-2.0
//! Node of a content fabric.

fn main() -> sc_cli::Result<()> {
	content_fabric_node::run::<content_fabric_node::AuraGrandpa>()
}
