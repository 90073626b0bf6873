//! The calls that this client makes.

mod content;
mod governance;
mod members;
mod nodes;
mod records;
mod spaces;

pub use content::*;
use content_fabric_primitives::{MemberId, Role};
pub use governance::*;
pub use members::*;
pub use nodes::*;
pub use records::*;
pub use spaces::*;
use subxt::{dynamic::Value, ext::scale_value::Composite, tx::DynamicPayload};

/// A call of the runtime, with its arguments by name.
#[derive(Clone, Debug)]
pub struct Call {
	pallet: &'static str,
	name: &'static str,
	arguments: Vec<(&'static str, Value)>,
}

impl Call {
	/// Makes a call of the pallet. The functions of this module make those that the commands use.
	pub fn fabric(name: &'static str, arguments: Vec<(&'static str, Value)>) -> Self {
		Self { pallet: "ContentFabric", name, arguments }
	}

	/// Makes one call of several, which succeed or fail together.
	pub fn batch_all(calls: impl IntoIterator<Item = Self>) -> Self {
		let calls = calls.into_iter().map(|call| call.payload().into_value()).collect::<Vec<_>>();
		let calls = Value::unnamed_composite(calls);
		Self { pallet: "Utility", name: "batch_all", arguments: vec![("calls", calls)] }
	}

	/// Makes a call as root, on chains that have a sudo key.
	pub fn sudo(call: Self) -> Self {
		let call = call.payload().into_value();
		Self { pallet: "Sudo", name: "sudo", arguments: vec![("call", call)] }
	}

	/// Returns what subxt encodes by the chain's metadata.
	pub fn payload(self) -> DynamicPayload<Composite<()>> {
		subxt::dynamic::tx(self.pallet, self.name, Composite::named(self.arguments))
	}

	/// Returns the name of the pallet and the call.
	pub fn name(&self) -> String {
		format!("{}.{}", self.pallet, self.name)
	}
}

/// Returns the value of a `MemberId`.
pub fn member_id(member: MemberId) -> Value {
	Value::unnamed_variant(role_name(member.role()), [bytes(member.as_bytes())])
}

/// Returns the name of a role, and of the members that have it, on the chain.
fn role_name(role: Role) -> &'static str {
	match role {
		Role::Provider => "Provider",
		Role::Tenant => "Tenant",
	}
}

/// Returns the value of an id, an account, a muid, a text, or anything else that is made of bytes.
fn bytes(bytes: impl AsRef<[u8]>) -> Value {
	Value::from_bytes(bytes)
}

fn number(number: impl Into<u128>) -> Value {
	Value::u128(number.into())
}

/// Returns the value of a variant without fields.
fn unit(name: &str) -> Value {
	Value::unnamed_variant(name, [])
}

fn option(value: Option<Value>) -> Value {
	match value {
		Some(value) => Value::unnamed_variant("Some", [value]),
		None => unit("None"),
	}
}

/// Returns the value of a bounded list.
fn list(items: impl IntoIterator<Item = Value>) -> Value {
	// A bounded list wraps a list. Without the wrapper, a list of one item could be taken for it.
	Value::unnamed_composite([Value::unnamed_composite(items)])
}

#[cfg(test)]
mod tests {
	use bounded_collections::{BoundedVec, ConstU32};
	use content_fabric_identifiers::{
		ContentObjectId, KmsId, Muid, NodeId, ProviderId, TenantId, VersionId,
	};
	use content_fabric_primitives as primitives;
	use scale_info::{meta_type, PortableRegistry, Registry, TypeInfo};
	use subxt::{
		ext::{codec::Encode, scale_value::scale::encode_as_type},
		utils::AccountId32,
	};

	use super::*;
	use crate::storage::ContentRef;

	type List<Item> = BoundedVec<Item, ConstU32<500>>;

	/// Asserts that the chain reads an argument of a call as the value that was meant.
	fn assert_argument<T: TypeInfo + Encode + 'static>(call: &Call, name: &str, meant: &T) {
		let argument = call.arguments.iter().find(|(found, _)| *found == name);
		let (_, value) = argument.expect("the call has the argument");
		let mut registry = Registry::new();
		let id = registry.register_type(&meta_type::<T>()).id;
		let registry = PortableRegistry::from(registry);
		let mut encoded = Vec::new();
		encode_as_type(value, id, &registry, &mut encoded).expect("the value is of the type");
		assert_eq!(encoded, meant.encode(), "{}: {name}", call.name());
	}

	fn list_of<Item>(items: Vec<Item>) -> List<Item> {
		items.try_into().map_err(drop).expect("the list is short")
	}

	const PROVIDER: ProviderId = ProviderId([1; 10]);
	const NODE: NodeId = NodeId([2; 10]);
	const TENANT: TenantId = TenantId([3; 10]);
	const OBJECT: ContentObjectId = ContentObjectId([4; 10]);
	const VERSION: VersionId = VersionId([5; 32]);

	#[test]
	fn members_are_encoded_as_the_shared_type() {
		for member in [MemberId::from(PROVIDER), MemberId::from(TENANT)] {
			assert_argument(&reap(member, 7), "member", &member);
			assert_argument(&reap(member, 7), "limit", &7u32);
		}
		let created = Muid::from_u128(0x0102_0304_0506_0708_090a_0b0c_0d0e_0f10);
		for reason in ["", "a", "spam: https://example.com/7"] {
			let call = governance_delete(TENANT.into(), created.to_bytes(), 8, reason);
			assert_argument(&call, "created", &created);
			assert_argument(&call, "slash", &8u128);
			assert_argument(&call, "reason", &list_of(reason.as_bytes().to_vec()));
		}
		for nominee in [None, Some(AccountId32([6; 32]))] {
			let call = nominate_root(TENANT.into(), created.to_bytes(), nominee.as_ref());
			assert_argument(&call, "nominee", &nominee.map(|account| account.0));
		}
	}

	#[test]
	fn commits_are_encoded_as_the_shared_type() {
		let draft = |number: u8| primitives::DraftVersion {
			object: OBJECT,
			version: VersionId([number; 32]),
			size: 0x0102_0304_0506_0708,
			set_head_on_finalize: number == 2,
		};
		for drafts in [vec![draft(1)], vec![draft(1), draft(2)]] {
			let commit = VersionCommit {
				muid: Muid::from_u128(0x0f),
				originator: PROVIDER,
				node: NODE,
				tenant: TENANT,
				kms: KmsId([7; 10]),
				create_objects: true,
				versions: drafts.clone().try_into().expect("the list is short"),
			};
			let bounded = primitives::VersionCommit::<ConstU32<500>> {
				muid: commit.muid,
				originator: PROVIDER,
				node: NODE,
				tenant: TENANT,
				kms: commit.kms,
				create_objects: true,
				versions: list_of(drafts),
			};
			let call = commit_versions(&AccountId32([8; 32]), &commit, &[9; 64]);
			assert_argument(&call, "commit", &bounded);
			// So the signature of one is that of the other.
			assert_eq!(commit.payload([1; 32]), bounded.payload([1; 32]));
		}
	}

	#[test]
	fn lists_are_encoded_as_bounded_lists() {
		for count in [0, 1, 2] {
			let versions = vec![(OBJECT, VERSION); count];
			let call = finalize_versions(PROVIDER, NODE, TENANT, &versions);
			assert_argument(&call, "versions", &list_of(versions));

			let target = ContentRef { object: OBJECT.0, version: Some(VERSION.0) };
			let meant = primitives::ContentRef { object: OBJECT, version: Some(VERSION) };
			for key in [None, Some("k"), Some("names")] {
				let call = put_records(TENANT, "names", vec![(key, target); count]);
				let key = key.map(|key| list_of(key.as_bytes().to_vec()));
				assert_argument(&call, "records", &list_of(vec![(key, meant); count]));
			}
			for key in ["k", "key"] {
				let call = delete_records(TENANT, "names", vec![key; count]);
				let keys = vec![list_of(key.as_bytes().to_vec()); count];
				assert_argument(&call, "keys", &list_of(keys));
			}

			let account = AccountId32([6; 32]);
			let admissions = vec![(&account, Role::Tenant); count];
			let call = revoke_admissions(content_fabric_identifiers::SpaceId([1; 10]), admissions);
			let meant = vec![([6u8; 32], Role::Tenant); count];
			assert_argument(&call, "admissions", &list_of(meant));
		}
	}
}
