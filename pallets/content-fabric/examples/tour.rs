// SPDX-License-Identifier: Apache-2.0
//! Plays the tours of the crate's documentation on a small runtime, and prints the events of each
//! block: `cargo run -p pallet-content-fabric --example tour`.

#[allow(dead_code)]
#[path = "../src/mock.rs"]
mod mock;
#[path = "../src/tests/tours.rs"]
mod tours;

use mock::{Chain, System, GOVERNOR, PROVIDER_ROOT, TENANT_ROOT};

type Tour = fn(&mut Chain);

fn main() {
	let tours: [(&str, Tour); 3] = [
		("A provider and a tenant join a space", tours::join),
		("The tenant publishes a version and names it", tours::publish),
		("Governance deletes the tenant", tours::purge),
	];
	println!(
		"Accounts are numbers: governor {GOVERNOR}, root of the provider {PROVIDER_ROOT}, root of"
	);
	println!("the tenant {TENANT_ROOT}. Ids are shown as the text of their ten bytes.");
	let mut chain = Chain::empty();
	chain.on_block_end(print_block);
	for (title, tour) in tours {
		println!("\n{title}\n");
		tour(&mut chain);
		print_funds(&mut chain);
	}
}

/// Prints the events of the pallet in the present block.
fn print_block() {
	let events = mock::events();
	if events.is_empty() {
		return;
	}
	println!("  block {}", System::block_number());
	for event in events {
		println!("    {}", readable(&format!("{event:?}")));
	}
}

fn print_funds(chain: &mut Chain) {
	let [provider, tenant] = chain.run(|| [PROVIDER_ROOT, TENANT_ROOT].map(mock::funds));
	println!("  on hold: {} for the provider, {} for the tenant", provider.1, tenant.1);
}

/// Replaces lists of bytes that are text by that text.
fn readable(event: &str) -> String {
	let mut text = event.strip_prefix("Event::").unwrap_or(event).to_string();
	while let Some((range, bytes)) = find_bytes(&text) {
		text.replace_range(range, &bytes);
	}
	text
}

/// Finds the first list of at least ten bytes, and how it is to be shown.
fn find_bytes(text: &str) -> Option<(core::ops::Range<usize>, String)> {
	text.match_indices('[').find_map(|(start, _)| {
		let end = start + text[start..].find(']')?;
		let bytes: Vec<u8> = text[start + 1..end]
			.split(", ")
			.map(|byte| byte.parse().ok())
			.collect::<Option<_>>()?;
		let shown = match String::from_utf8(bytes.clone()) {
			Ok(text) if text.chars().all(|c| !c.is_control()) => format!("{text:?}"),
			_ => format!("0x{:02x}…", bytes.first()?),
		};
		Some((start..end + 1, shown))
	})
}
