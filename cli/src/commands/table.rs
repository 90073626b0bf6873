// SPDX-License-Identifier: Apache-2.0
//! Calls of the pallet and their commands.

use clap::CommandFactory;

use crate::cli::Cli;

/// The calls whose command has another name than [`named_after`] makes, which makes
/// `node set-locator` of `set_node_locator`. Where several commands make a call, this is the main
/// one.
const OTHERS: &[(&str, &str)] = &[
	("admit", "space admit"),
	("revoke_admissions", "space revoke-admission"),
	("top_up_bond", "member top-up"),
	("set_max_held", "member set-max-held"),
	("nominate_root", "member nominate"),
	("accept_root", "member accept"),
	("delete_member", "member leave"),
	("set_provider_key", "key grant"),
	("set_tenant_key", "key grant"),
	("create_content_object", "object create"),
	("commit_versions", "version commit"),
	("finalize_versions", "version finalize"),
	("set_head_version", "object set-head"),
	("delete_content_object", "object delete"),
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

/// Returns the command that makes a call of the pallet. `None` if there is none.
///
/// The end-to-end tests ask for each call in the metadata of a chain.
pub fn command_of(call: &str) -> Option<String> {
	let other = OTHERS.iter().find(|(name, _)| *name == call);
	let path = other.map_or_else(|| named_after(call), |(_, path)| Some((*path).into()))?;
	exists(&path).then_some(path)
}

/// Returns the command with the name of a call: the noun, then the verb and the rest.
fn named_after(call: &str) -> Option<String> {
	let (verb, rest) = call.split_once('_')?;
	let (noun, rest) = rest.split_once('_').unwrap_or((rest, ""));
	let words = [verb, rest].join("_").replace('_', "-");
	Some(format!("{noun} {}", words.trim_end_matches('-')))
}

/// Returns whether there is a command with this path that has no commands under it.
fn exists(path: &str) -> bool {
	let mut command = &Cli::command();
	for name in path.split(' ') {
		let Some(found) = command.find_subcommand(name) else { return false };
		command = found;
	}
	!command.has_subcommands()
}

#[cfg(test)]
mod tests {
	use super::*;

	#[test]
	fn calls_have_commands_that_exist() {
		assert_eq!(command_of("remove_node").as_deref(), Some("node remove"));
		assert_eq!(command_of("set_node_locator").as_deref(), Some("node set-locator"));
		assert_eq!(command_of("reap").as_deref(), Some("member reap"));
		for none in ["conquer", "conquer_space", "space_set", ""] {
			assert_eq!(command_of(none), None);
		}
	}

	#[test]
	fn calls_with_a_command_of_another_name_are_listed_once_and_no_others_are() {
		for (place, (call, path)) in OTHERS.iter().enumerate() {
			assert!(exists(path), "{path}");
			assert_ne!(named_after(call).as_deref(), Some(*path), "{call}");
			assert!(OTHERS[..place].iter().all(|(other, _)| other != call), "{call}");
		}
	}
}
