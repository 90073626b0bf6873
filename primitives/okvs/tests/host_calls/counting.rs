// SPDX-License-Identifier: Apache-2.0
//! A host that counts the calls of its functions.

use std::{
	any::{Any, TypeId},
	collections::BTreeMap,
};

use sp_externalities::{Error, Extension, ExtensionStore, Externalities, MultiRemovalResults};
use sp_io::TestExternalities;
use sp_storage::{ChildInfo, StateVersion, TrackedStorageKey};

/// Number of calls of each function.
pub type Calls = BTreeMap<&'static str, usize>;

/// Passes each call on, and counts it.
struct Counting<'a> {
	host: &'a mut dyn Externalities,
	calls: Calls,
}

/// Runs a closure, and returns its result and the calls that it made.
pub fn count<R>(externalities: &mut TestExternalities, run: impl FnOnce() -> R) -> (R, Calls) {
	let mut host = externalities.ext();
	let mut counting = Counting { host: &mut host, calls: Calls::new() };
	let result = sp_externalities::set_and_run_with_externalities(&mut counting, run);
	(result, counting.calls)
}

/// Implements functions of [`Externalities`] that can change the state.
macro_rules! counted {
	($($name:ident($($argument:ident: $type:ty),*) $(-> $result:ty)?;)*) => {$(
		fn $name(&mut self, $($argument: $type),*) $(-> $result)? {
			*self.calls.entry(stringify!($name)).or_default() += 1;
			self.host.$name($($argument),*)
		}
	)*};
}

/// Implements functions of [`Externalities`] for benchmarks of a runtime.
macro_rules! passed_on {
	($($name:ident -> $result:ty;)*) => {$(
		fn $name(&self) -> $result {
			self.host.$name()
		}
	)*};
}

impl Externalities for Counting<'_> {
	counted! {
		set_offchain_storage(key: &[u8], value: Option<&[u8]>);
		storage(key: &[u8]) -> Option<Vec<u8>>;
		storage_hash(key: &[u8]) -> Option<Vec<u8>>;
		child_storage_hash(child: &ChildInfo, key: &[u8]) -> Option<Vec<u8>>;
		child_storage(child: &ChildInfo, key: &[u8]) -> Option<Vec<u8>>;
		set_storage(key: Vec<u8>, value: Vec<u8>);
		clear_storage(key: &[u8]);
		exists_storage(key: &[u8]) -> bool;
		next_storage_key(key: &[u8]) -> Option<Vec<u8>>;
		next_child_storage_key(child: &ChildInfo, key: &[u8]) -> Option<Vec<u8>>;
		kill_child_storage(child: &ChildInfo, limit: Option<u32>, cursor: Option<&[u8]>)
			-> MultiRemovalResults;
		clear_prefix(prefix: &[u8], limit: Option<u32>, cursor: Option<&[u8]>)
			-> MultiRemovalResults;
		clear_child_prefix(
			child: &ChildInfo,
			prefix: &[u8],
			limit: Option<u32>,
			cursor: Option<&[u8]>
		) -> MultiRemovalResults;
		place_storage(key: Vec<u8>, value: Option<Vec<u8>>);
		place_child_storage(child: &ChildInfo, key: Vec<u8>, value: Option<Vec<u8>>);
		storage_root(version: StateVersion) -> Vec<u8>;
		child_storage_root(child: &ChildInfo, version: StateVersion) -> Vec<u8>;
		storage_append(key: Vec<u8>, value: Vec<u8>);
		storage_start_transaction();
		storage_rollback_transaction() -> Result<(), ()>;
		storage_commit_transaction() -> Result<(), ()>;
		wipe();
		commit();
		reset_read_write_count();
		set_whitelist(new: Vec<TrackedStorageKey>);
	}

	passed_on! {
		read_write_count -> (u32, u32, u32, u32);
		get_whitelist -> Vec<TrackedStorageKey>;
		get_read_and_written_keys -> Vec<(Vec<u8>, u32, u32, bool)>;
	}
}

impl ExtensionStore for Counting<'_> {
	fn extension_by_type_id(&mut self, id: TypeId) -> Option<&mut dyn Any> {
		self.host.extension_by_type_id(id)
	}

	fn register_extension_with_type_id(
		&mut self,
		id: TypeId,
		extension: Box<dyn Extension>,
	) -> Result<(), Error> {
		self.host.register_extension_with_type_id(id, extension)
	}

	fn deregister_extension_by_type_id(&mut self, id: TypeId) -> Result<(), Error> {
		self.host.deregister_extension_by_type_id(id)
	}
}
