// SPDX-License-Identifier: Apache-2.0
//! The client library's connection, for tests that make single calls.

use std::time::Duration;

use content_fabric_client::{
	chain::{
		calls::{self, BatchAll, Call, EncodedCall, Rules, Sudo},
		Chain, Endpoint, Error, Included, Snapshot, Wait,
	},
	keys::{ChainKind, KeySource, Signer},
};
use content_fabric_identifiers::{SpaceId, TenantId};
use content_fabric_primitives::AdmissionPolicy;
use scale_encode::EncodeAsType;
use subxt::utils::MultiSignature;

/// The bond that the client asks for in a space that it creates.
pub const BOND: u128 = 1_000_000_000_000;
/// More than any test has on hold for a member, and less than an account has.
pub const MAX_HELD: u128 = 100_000_000_000_000_000;
/// Longest time that a transaction may take to get into a block.
const TIMEOUT: Duration = Duration::from_secs(120);

/// A commit, as the client makes it. The chain uses the same type, so the tests need no copy.
pub use content_fabric_client::chain::VersionCommit;

/// Returns a development key, such as `//Alice`.
pub fn signer(key: &str) -> Signer {
	let Ok(source) = key.parse::<KeySource>();
	source.load(ChainKind::Development).expect("a development key")
}

/// Returns the rules of a space that is open to all and requires the same bond of all.
pub fn rules(bond: u128) -> Rules {
	Rules {
		provider_bond: bond,
		tenant_bond: bond,
		admission: AdmissionPolicy::Open,
		partitions: 1,
		sla: Default::default(),
	}
}

/// Returns the call that creates a tenant.
pub fn create_tenant(space: SpaceId, id: TenantId) -> calls::CreateTenant {
	calls::CreateTenant { space, id, max_held: MAX_HELD }
}

/// The call that changes nothing but the count of an account's transactions.
#[derive(EncodeAsType)]
pub struct Remark {
	/// Any bytes.
	pub remark: Vec<u8>,
}

impl Call for Remark {
	const PALLET: &'static str = "System";
	const NAME: &'static str = "remark";
}

/// A connection of the client library to a node.
pub struct Client {
	/// The connection.
	pub chain: Chain,
	/// The state at the block that was the best when the client connected.
	start: Snapshot,
	/// The kind of block that it waits for after each call.
	wait: Wait,
}

impl Client {
	/// Connects.
	pub async fn connect(url: &str) -> Self {
		let url = url.parse().expect("the node has a URL");
		let endpoint = Endpoint::new(url);
		let chain = Chain::connect(endpoint).await.expect("the node answers");
		let start = chain.best().await.expect("there is a best block");
		Self { chain, start, wait: Wait::Best }
	}

	/// Waits for finalized blocks from now on, so that no fork can retract what was submitted.
	pub fn finalized(self) -> Self {
		Self { wait: Wait::Finalized, ..self }
	}

	/// Returns the state at the best block.
	pub async fn best(&self) -> Snapshot {
		self.chain.best().await.expect("there is a best block")
	}

	/// Encodes a call.
	pub fn encode(&self, call: impl Call) -> EncodedCall {
		self.start.encode(call).expect("the metadata has the call")
	}

	/// Makes one call of several, which succeed or fail together.
	pub fn batch(&self, calls: impl Into<Vec<EncodedCall>>) -> BatchAll {
		BatchAll { calls: calls.into() }
	}

	/// Makes a call as root.
	pub fn sudo(&self, call: impl Call) -> Sudo {
		Sudo { call: self.encode(call) }
	}

	/// Makes the call that submits a commit with the signature of an account of the tenant.
	pub fn signed(&self, signer: &Signer, commit: &VersionCommit) -> calls::CommitVersions {
		let payload = commit.payload(self.chain.identity().genesis_hash);
		commit_versions(signer, commit, signer.sign(&payload))
	}

	/// Submits a call, which must succeed.
	pub async fn submit(&self, signer: &Signer, call: impl Call) -> Included {
		let call = self.encode(call);
		let submitted = self.try_submit(signer, &call).await;
		submitted.unwrap_or_else(|error| panic!("{} is refused: {error}", call.name()))
	}

	/// Submits a call, and waits for its block.
	pub async fn try_submit(&self, signer: &Signer, call: &EncodedCall) -> Result<Included, Error> {
		self.chain.submit(signer, call, self.wait, TIMEOUT).await
	}

	/// Submits a call, which must fail. Returns the error.
	pub async fn refusal(&self, signer: &Signer, call: impl Call) -> String {
		let refused = self.try_submit(signer, &self.encode(call)).await.map(drop);
		refused.expect_err("the call is refused").to_string()
	}
}

/// Returns the call that commits versions with the signature of an account of the tenant.
pub fn commit_versions(
	signer: &Signer,
	commit: &VersionCommit,
	signature: [u8; 64],
) -> calls::CommitVersions {
	calls::CommitVersions {
		tenant_signer: *signer.account(),
		commit: calls::Encoded::new(commit),
		signature: MultiSignature::Sr25519(signature),
	}
}
