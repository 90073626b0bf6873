//! The calls that this client makes.

mod content;
mod governance;
mod members;
mod records;
mod spaces;

pub use content::*;
pub use governance::*;
pub use members::*;
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
	fn fabric(name: &'static str, arguments: Vec<(&'static str, Value)>) -> Self {
		Self { pallet: "ContentFabric", name, arguments }
	}

	/// Several calls that succeed or fail together.
	pub fn batch_all(calls: impl IntoIterator<Item = Self>) -> Self {
		let calls = calls.into_iter().map(|call| call.payload().into_value()).collect::<Vec<_>>();
		let calls = Value::unnamed_composite(calls);
		Self { pallet: "Utility", name: "batch_all", arguments: vec![("calls", calls)] }
	}

	/// A call as root, on chains that have a sudo key.
	pub fn sudo(call: Self) -> Self {
		let call = call.payload().into_value();
		Self { pallet: "Sudo", name: "sudo", arguments: vec![("call", call)] }
	}

	/// What subxt encodes by the chain's metadata.
	pub fn payload(self) -> DynamicPayload<Composite<()>> {
		subxt::dynamic::tx(self.pallet, self.name, Composite::named(self.arguments))
	}

	/// The pallet's and the call's name.
	pub fn name(&self) -> String {
		format!("{}.{}", self.pallet, self.name)
	}
}

/// An id, an account, a name, or anything else that is made of bytes.
fn bytes(bytes: impl AsRef<[u8]>) -> Value {
	Value::from_bytes(bytes)
}

fn number(number: impl Into<u128>) -> Value {
	Value::u128(number.into())
}

/// A variant without fields.
fn unit(name: &str) -> Value {
	Value::unnamed_variant(name, [])
}

fn option(value: Option<Value>) -> Value {
	match value {
		Some(value) => Value::unnamed_variant("Some", [value]),
		None => unit("None"),
	}
}
