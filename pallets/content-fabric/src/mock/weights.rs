// SPDX-License-Identifier: Apache-2.0
//! The weights of the benchmarks, except that rows, whole maps or scans may weigh nothing, and a list
//! of one call more than any block has room for.

use frame_support::{parameter_types, weights::Weight};
use pallet_content_fabric::WeightInfo;

parameter_types! {
	pub static RowsWeigh: bool = true;
	pub static MapsWeigh: bool = true;
	pub static ScansWeigh: bool = true;
	pub static TooHeavy: &'static str = "";
}

pub struct Adjustable;

/// Returns the weight of a call with a list of this length. One item is never too heavy.
fn unless_too_heavy(call: &str, len: u32, weight: Weight) -> Weight {
	match len > 1 && TooHeavy::get() == call {
		true => Weight::MAX,
		false => weight,
	}
}

macro_rules! as_measured {
	($($call:ident($($len:ident),*);)*) => {$(
		fn $call($($len: u32),*) -> Weight {
			let longest = [$($len),*].into_iter().max().unwrap_or_default();
			unless_too_heavy(stringify!($call), longest, <() as WeightInfo>::$call($($len),*))
		}
	)*};
}

impl WeightInfo for Adjustable {
	fn reap(r: u32) -> Weight {
		let weight = <() as WeightInfo>::reap(if RowsWeigh::get() { r } else { 0 });
		unless_too_heavy("reap", r, weight)
	}

	fn clear_prefix(r: u32) -> Weight {
		<() as WeightInfo>::clear_prefix(if MapsWeigh::get() { r } else { 0 })
	}

	fn overlay_scan(s: u32) -> Weight {
		<() as WeightInfo>::overlay_scan(if ScansWeigh::get() { s } else { 0 })
	}

	as_measured! {
		create_space(s);
		set_space_rules(s);
		set_space_governor();
		admit();
		revoke_admissions(a);
		delete_space();
		create_provider();
		create_tenant();
		top_up_bond();
		set_max_held();
		nominate_root();
		accept_root();
		purge_member();
		delete_member();
		set_provider_key();
		set_tenant_key();
		create_node();
		confirm_node();
		set_node_locator();
		set_node_operator();
		remove_node();
		add_kms();
		set_kms();
		remove_kms();
		create_content_object();
		commit_versions(v, c);
		finalize_versions(v);
		add_copies(v);
		remove_copies(v);
		set_head_version();
		delete_version();
		delete_content_object();
		create_collection(n);
		delete_collection(n);
		put_records(r);
		put_records_key_bytes(b);
		delete_records(r);
		delete_records_key_bytes(b);
		slash();
		set_suspended();
		set_governance_delete();
		governance_delete_node();
		governance_delete_provider_key();
		governance_delete_tenant_key();
		governance_delete_kms();
		governance_delete_content_object();
		governance_delete_version();
		governance_delete_collection(n);
		governance_delete_record(n, k);
		governance_delete();
		on_idle_base();
	}
}
