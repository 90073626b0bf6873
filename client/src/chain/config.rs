// SPDX-License-Identifier: Apache-2.0
//! The configuration of subxt for this chain: Substrate's, with `CheckMetadataHash` switched on.
//!
//! A signer that includes the hash of the metadata in what it signs cannot be made to sign a call
//! whose meaning differs from what that metadata says: the chain knows the hash of its own.

use blake2::{digest::consts::U32, Blake2b, Digest};
use codec::{Decode, Encode};
use scale_info::PortableRegistry;
use subxt::{
	config::{
		substrate::{DynamicHasher256, SubstrateHeader, H256},
		transaction_extensions::{
			ChargeTransactionPayment, CheckGenesis, CheckMetadataHashMode, CheckMortality,
			CheckNonce, CheckSpecVersion, CheckTxVersion, VerifySignature,
		},
		ClientState, Config, TransactionExtension,
	},
	error::TransactionExtensionError,
	ext::{
		frame_decode::extrinsics::{
			TransactionExtension as EncodedExtension,
			TransactionExtensionError as EncodedExtensionError,
		},
		frame_metadata::v15::{CustomValueMetadata, RuntimeMetadataV15},
	},
	metadata::{ArcMetadata, Metadata},
	utils::{AccountId32, MultiAddress, MultiSignature},
	SubstrateConfig,
};

/// Returns the BLAKE2b-256 hash of bytes, by which the chain names blocks, transactions and calls.
pub fn blake2_256(bytes: &[u8]) -> [u8; 32] {
	Blake2b::<U32>::digest(bytes).into()
}

/// The types of the chain, as the reference runtime has them, and the metadata that the node gave
/// at the start.
#[derive(Clone, Debug)]
pub struct FabricConfig(SubstrateConfig);

impl FabricConfig {
	/// Returns the configuration for a chain, and for a runtime of this version with this metadata.
	/// The node is not asked for them again, when it might answer otherwise.
	pub(super) fn new(genesis_hash: [u8; 32], spec_version: u32, metadata: ArcMetadata) -> Self {
		let config = SubstrateConfig::builder()
			.set_genesis_hash(genesis_hash.into())
			.set_metadata_for_spec_versions([(spec_version, metadata)]);
		Self(config.build())
	}
}

impl Config for FabricConfig {
	type AccountId = AccountId32;
	type Address = MultiAddress<AccountId32, u32>;
	type Signature = MultiSignature;
	type Header = SubstrateHeader<H256>;
	type TransactionExtensions = (
		VerifySignature<Self>,
		CheckSpecVersion,
		CheckTxVersion,
		CheckNonce,
		CheckGenesis<Self>,
		CheckMortality<Self>,
		ChargeTransactionPayment,
		CheckMetadataHash,
	);
	type AssetId = u32;
	type Hasher = DynamicHasher256;

	fn genesis_hash(&self) -> Option<H256> {
		self.0.genesis_hash()
	}

	fn metadata_for_spec_version(&self, spec_version: u32) -> Option<ArcMetadata> {
		self.0.metadata_for_spec_version(spec_version)
	}

	fn set_metadata_for_spec_version(&self, spec_version: u32, metadata: ArcMetadata) {
		self.0.set_metadata_for_spec_version(spec_version, metadata);
	}
}

/// The transaction extension `CheckMetadataHash`: one byte for the mode in the transaction, and the
/// hash in what is signed.
///
/// subxt hands nothing but the metadata to extensions, so the metadata carries its own hash: see
/// [`MetadataHash`].
pub struct CheckMetadataHash(Option<[u8; 32]>);

impl TransactionExtension<FabricConfig> for CheckMetadataHash {
	type Decoded = CheckMetadataHashMode;
	type Params = ();

	fn new(client: &ClientState<FabricConfig>, (): ()) -> Result<Self, TransactionExtensionError> {
		let hash = MetadataHash::of(&client.metadata).ok_or_else(|| {
			TransactionExtensionError::custom(
				"the chain's runtime was upgraded: run the command again",
			)
		})?;
		Ok(Self(hash.0))
	}
}

impl EncodedExtension<PortableRegistry> for CheckMetadataHash {
	const NAME: &'static str = "CheckMetadataHash";

	fn encode_value_to(
		&self,
		_: u32,
		_: &PortableRegistry,
		out: &mut Vec<u8>,
	) -> Result<(), EncodedExtensionError> {
		u8::from(self.0.is_some()).encode_to(out);
		Ok(())
	}

	fn encode_implicit_to(
		&self,
		_: u32,
		_: &PortableRegistry,
		out: &mut Vec<u8>,
	) -> Result<(), EncodedExtensionError> {
		self.0.encode_to(out);
		Ok(())
	}
}

/// The hash that goes with metadata, as RFC 78 defines it, or `None` to sign without.
///
/// It is kept in the metadata's custom values. Metadata that subxt fetches after an upgrade of the
/// runtime has none, and so signs nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Encode, Decode)]
pub(super) struct MetadataHash(pub Option<[u8; 32]>);

impl MetadataHash {
	const KEY: &'static str = "content-fabric/metadata-hash";

	/// Puts the hash into metadata.
	pub fn put(self, metadata: &mut RuntimeMetadataV15) {
		let value = CustomValueMetadata { ty: 0.into(), value: self.encode() };
		metadata.custom.map.insert(Self::KEY.into(), value);
	}

	/// Returns the hash of metadata that has one.
	pub fn of(metadata: &Metadata) -> Option<Self> {
		let custom = metadata.custom();
		Self::decode(&mut custom.get(Self::KEY)?.bytes()).ok()
	}
}
