// SPDX-License-Identifier: Apache-2.0
//! Calls of the pallet and their commands.

/// The calls of the pallet, each with the command that makes it. Where several do, this is the one
/// that the call is named after.
///
/// The end-to-end tests compare the calls with the metadata of a chain.
pub const CALLS: &[(&str, &str)] = &[
	("create_space", "space create"),
	("set_space_rules", "space set-rules"),
	("set_space_governor", "space set-governor"),
	("admit", "space admit"),
	("revoke_admissions", "space revoke-admission"),
	("delete_space", "space delete"),
	("create_provider", "provider create"),
	("create_tenant", "tenant create"),
	("top_up_bond", "member top-up"),
	("set_max_held", "member set-max-held"),
	("nominate_root", "member nominate"),
	("accept_root", "member accept"),
	("purge_member", "member purge"),
	("delete_member", "member leave"),
	("set_provider_key", "key grant"),
	("set_tenant_key", "key grant"),
	("create_node", "node create"),
	("confirm_node", "node confirm"),
	("set_node_locator", "node set-locator"),
	("set_node_operator", "node set-operator"),
	("remove_node", "node remove"),
	("add_kms", "kms add"),
	("set_kms_locator", "kms set-locator"),
	("remove_kms", "kms remove"),
	("create_content_object", "object create"),
	("commit_versions", "version commit"),
	("finalize_versions", "version finalize"),
	("set_head_version", "object set-head"),
	("delete_version", "version delete"),
	("delete_content_object", "object delete"),
	("create_collection", "collection create"),
	("delete_collection", "collection delete"),
	("put_records", "record put"),
	("delete_records", "record delete"),
	("slash", "governance slash"),
	("set_suspended", "governance suspend"),
	("set_governance_delete", "governance freeze"),
	("governance_delete_node", "governance delete-node"),
	("governance_delete_provider_key", "governance delete-key"),
	("governance_delete_tenant_key", "governance delete-key"),
	("governance_delete_kms", "governance delete-kms"),
	("governance_delete_content_object", "governance delete-object"),
	("governance_delete_version", "governance delete-version"),
	("governance_delete_collection", "governance delete-collection"),
	("governance_delete_record", "governance delete-record"),
	("governance_delete", "governance purge"),
	("reap", "member reap"),
];

#[cfg(test)]
mod tests {
	use std::collections::BTreeSet;

	use clap::CommandFactory;

	use super::*;
	use crate::cli::Cli;

	/// Returns whether there is a command with this path that has no commands under it.
	fn exists(path: &str) -> bool {
		let mut command = &Cli::command();
		for name in path.split(' ') {
			let Some(found) = command.find_subcommand(name) else { return false };
			command = found;
		}
		!command.has_subcommands()
	}

	#[test]
	fn every_call_has_a_command_that_exists() {
		assert!(!exists("space") && !exists("space conquer"));
		let missing: Vec<_> = CALLS.iter().filter(|(_, path)| !exists(path)).collect();
		assert!(missing.is_empty(), "{missing:?}");
	}

	#[test]
	fn every_call_is_listed_once() {
		let calls: BTreeSet<_> = CALLS.iter().map(|(call, _)| call).collect();
		assert_eq!(calls.len(), CALLS.len());
	}
}
