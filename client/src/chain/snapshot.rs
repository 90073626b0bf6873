// SPDX-License-Identifier: Apache-2.0
//! The state of the chain at one block.

use codec::{Compact, Decode, Encode};
use scale_decode::DecodeAsType;
use subxt::{
	client::OnlineClientAtBlock,
	metadata::Metadata,
	storage::{Address, PrefixOf},
	utils::AccountId32,
};

use super::{
	calls::{Call, EncodedCall},
	config::{FabricConfig, MetadataHash},
	rows, Error, Weight,
};

/// The state of the chain at one block.
#[derive(Clone)]
pub struct Snapshot(pub(super) OnlineClientAtBlock<FabricConfig>);

impl Snapshot {
	/// Returns the client of `subxt` at this block, for what this type has no method for.
	pub fn subxt(&self) -> &OnlineClientAtBlock<FabricConfig> {
		&self.0
	}

	/// Returns the number of the block.
	pub fn block_number(&self) -> u64 {
		self.0.block_number()
	}

	/// Returns the hash of the block.
	pub fn block_hash(&self) -> [u8; 32] {
		self.0.block_hash().0
	}

	/// Returns the metadata of the runtime.
	pub fn metadata(&self) -> &Metadata {
		self.0.metadata_ref()
	}

	/// Returns the version of the runtime.
	pub fn spec_version(&self) -> u32 {
		self.0.spec_version()
	}

	/// Returns the code of the runtime.
	pub async fn code(&self) -> Result<Vec<u8>, Error> {
		Ok(self.0.storage().runtime_wasm_code().await?)
	}

	/// Returns the hash of the metadata, if transactions carry it.
	pub fn metadata_hash(&self) -> Option<[u8; 32]> {
		MetadataHash::of(self.metadata())?.0
	}

	/// Returns the chain's time, in microseconds since the Unix epoch. It may be far from
	/// wall-clock time.
	pub async fn now_micros(&self) -> Result<u64, Error> {
		let millis = self.get(rows::now(), ()).await?;
		Ok(millis.unwrap_or_default().saturating_mul(1_000))
	}

	/// Returns a constant of a pallet, from the chain's metadata.
	pub fn constant<Value: DecodeAsType>(&self, pallet: &str, name: &str) -> Result<Value, Error> {
		let constant = subxt::dynamic::constant::<Value>(pallet, name);
		let missing = || Error::Metadata(format!("constant {pallet}.{name} of the expected type"));
		self.0.constants().entry(constant).map_err(|_| missing())
	}

	/// Returns the first of these calls whose arguments have other names or types than in earlier
	/// metadata.
	pub fn changed_call(&self, before: &Metadata, calls: &[(&str, &str)]) -> Option<String> {
		let hash = |metadata: &Metadata, (pallet, call): &(&str, &str)| {
			metadata.pallet_by_name(pallet).and_then(|pallet| pallet.call_hash(call))
		};
		let changed = calls.iter().find(|call| hash(before, call) != hash(self.metadata(), call));
		changed.map(|(pallet, call)| format!("{pallet}.{call}"))
	}

	/// Returns whether the runtime has a call.
	pub fn has_call<C: Call>(&self) -> bool {
		let pallet = self.metadata().pallet_by_name(C::PALLET);
		pallet.is_some_and(|pallet| pallet.call_variant_by_name(C::NAME).is_some())
	}

	/// Returns a call as the chain's metadata encodes it.
	pub fn encode<C: Call>(&self, call: C) -> Result<EncodedCall, Error> {
		EncodedCall::new(&call, self.metadata())
	}

	/// Returns the number of transactions of an account that are in blocks.
	pub async fn nonce(&self, account: &AccountId32) -> Result<u64, Error> {
		Ok(self.0.tx().account_nonce(account).await?)
	}

	/// Calls a function of a runtime API with encoded arguments. `None` if the runtime does not
	/// have the API.
	pub(super) async fn call_api(
		&self,
		api: &str,
		function: &str,
		arguments: &[u8],
	) -> Result<Option<Vec<u8>>, Error> {
		if self.metadata().runtime_api_trait_by_name(api).is_none() {
			return Ok(None);
		}
		let function = format!("{api}_{function}");
		Ok(Some(self.0.runtime_apis().call_raw(&function, Some(arguments)).await?))
	}

	/// Returns the weight of a call, and the fee of a transaction of this length with it. `None` if
	/// the runtime does not offer that.
	pub async fn weight_and_fee(
		&self,
		call: &EncodedCall,
		length: usize,
	) -> Result<Option<(Weight, u128)>, Error> {
		const API: &str = "TransactionPaymentCallApi";
		let mut arguments = call.bytes().to_vec();
		u32::try_from(length).unwrap_or(u32::MAX).encode_to(&mut arguments);
		let Some(info) = self.call_api(API, "query_call_info", &arguments).await? else {
			return Ok(None);
		};
		// `RuntimeDispatchInfo`: the weight, the class, the fee.
		let info = <((Compact<u64>, Compact<u64>), u8, u128)>::decode(&mut &info[..]);
		let ((Compact(ref_time), Compact(proof_size)), _, fee) =
			info.map_err(|_| Error::Metadata(format!("function {API}_query_call_info")))?;
		Ok(Some((Weight { ref_time, proof_size }, fee)))
	}

	/// Returns the amount that an account can spend: its free balance, without the existential
	/// deposit and what is frozen.
	pub async fn spendable(&self, account: &AccountId32) -> Result<u128, Error> {
		let minimum: u128 = self.constant("Balances", "ExistentialDeposit")?;
		let row = self.get(rows::accounts(), (*account,)).await?;
		Ok(row.map_or(0, |row| {
			let locked = row.data.frozen.saturating_sub(row.data.reserved).max(minimum);
			row.data.free.saturating_sub(locked)
		}))
	}

	/// Returns the type of the values of a map.
	pub(super) fn value_type(&self, pallet: &str, map: &str) -> Result<u32, Error> {
		let found = self.metadata().pallet_by_name(pallet).and_then(|pallet| pallet.storage());
		let found = found.and_then(|storage| storage.entry_by_name(map));
		let missing = || Error::Metadata(format!("map {pallet}.{map}"));
		Ok(found.ok_or_else(missing)?.value_ty())
	}

	/// Returns a row of a map, if it exists.
	pub async fn get<Map: Address>(
		&self,
		map: Map,
		key: Map::KeyParts,
	) -> Result<Option<Map::Value>, Error> {
		let value = self.0.storage().try_fetch(map, key).await?;
		Ok(value.map(|value| value.decode()).transpose()?)
	}

	/// Returns whether a map has a row. `false` if the runtime does not have the map.
	pub async fn contains<Map: Address>(
		&self,
		map: Map,
		key: Map::KeyParts,
	) -> Result<bool, Error> {
		// A runtime without the map has no rows in it.
		if self.value_type(map.pallet_name(), map.entry_name()).is_err() {
			return Ok(false);
		}
		Ok(self.0.storage().try_fetch(map, key).await?.is_some())
	}

	/// Returns the rows of a map whose keys start with `prefix`, ascending by key.
	pub async fn rows<Map: Address<KeyParts: Ord>>(
		&self,
		map: Map,
		prefix: impl PrefixOf<Map::KeyParts>,
	) -> Result<Vec<(Map::KeyParts, Map::Value)>, Error> {
		self.first_rows(map, prefix, usize::MAX).await
	}

	/// Returns the first `limit` rows of a map whose keys start with `prefix`, ascending by key.
	///
	/// Storage is ordered by the hashes of the keys, so the first rows are not those with the
	/// lowest keys.
	pub async fn first_rows<Map: Address<KeyParts: Ord>>(
		&self,
		map: Map,
		prefix: impl PrefixOf<Map::KeyParts>,
		limit: usize,
	) -> Result<Vec<(Map::KeyParts, Map::Value)>, Error> {
		let mut rows = Vec::new();
		if limit == 0 {
			return Ok(rows);
		}
		let mut entries = self.0.storage().iter(&map, prefix).await?;
		while let Some(entry) = entries.next().await {
			let entry = entry?;
			let undecodable = |reason: String| Error::Row {
				map: format!("{}.{}", map.pallet_name(), map.entry_name()),
				key: hex::encode(entry.key_bytes()),
				reason,
			};
			let key = entry.key()?.decode().map_err(|error| undecodable(error.to_string()))?;
			let value = entry.value().decode().map_err(|error| undecodable(error.to_string()))?;
			rows.push((key, value));
			if rows.len() == limit {
				break;
			}
		}
		rows.sort_by(|(a, _), (b, _)| a.cmp(b));
		Ok(rows)
	}
}
