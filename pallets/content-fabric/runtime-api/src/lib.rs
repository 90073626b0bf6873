// SPDX-License-Identifier: Apache-2.0
//! The state of a content fabric, and dry runs of calls, as a runtime API.
//!
//! A runtime implements it with the pallet's view functions of the same names, as the reference
//! runtime does: `impl ContentFabricApi<Block, Runtime> for Runtime`. Clients that can call view
//! functions need only one function of this crate, [`dry_run`](ContentFabricApi::dry_run).
//!
//! Lists are paginated. `limit` is clamped to `1..=`[`MAX_PAGE_SIZE`]; pass `next` as `after` to
//! continue. A member that does not exist or is being purged has no rows.

#![cfg_attr(not(feature = "std"), no_std)]
#![deny(missing_docs)]

extern crate alloc;

mod dry_run;

use alloc::vec::Vec;

use pallet_content_fabric::{
	identifiers::{ContentObjectId, KmsId, NodeId, ProviderId, SpaceId, TenantId, VersionId},
	*,
};

pub use dry_run::{dry_run, CallOf, DryRun, DryRunFilter, EventOf};

sp_api::decl_runtime_apis! {
	/// The state of the content fabric. `Types` is the runtime.
	pub trait ContentFabricApi<Types>
	where
		Types: pallet_content_fabric::Config,
	{
		/// Returns the outcome of a call for an account, for clients that have no signature yet.
		/// The function [`dry_run`](fn@dry_run) implements it, and says which calls it refuses.
		fn dry_run(account: AccountIdOf<Types>, call: CallOf<Types>) -> DryRun<EventOf<Types>>;

		/// Returns the number of rows under a member, even while they are being removed. `None` if
		/// the member does not exist.
		fn rows(member: MemberId) -> Option<u32>;

		/// Returns the funds on hold for a member, and the bond that its space requires. `None` if
		/// the member does not exist or is being deleted.
		fn bond(member: MemberId) -> Option<BondInfoOf<Types>>;

		/// Returns the level of an account in a provider. `None` if the account has no level, or
		/// the provider does not exist or is being deleted.
		fn provider_level(provider: ProviderId, account: AccountIdOf<Types>) -> Option<ProviderLevel>;

		/// Returns the level of an account in a tenant. `None` if the account has no level, or the
		/// tenant does not exist or is being deleted.
		fn tenant_level(tenant: TenantId, account: AccountIdOf<Types>) -> Option<TenantLevel>;

		/// Returns the head of a content object and its row. `None` if the object does not exist or
		/// has no head.
		fn head_version(tenant: TenantId, object: ContentObjectId) -> Option<(VersionId, VersionInfoOf<Types>)>;

		/// Returns what a record leads to. `None` if the record does not exist.
		fn resolve(tenant: TenantId, collection: Vec<u8>, key: Vec<u8>) -> Option<Resolution>;

		/// Returns how far the purge of a member has come. `None` if no purge of it is under way.
		fn purge_progress(member: MemberId) -> Option<PurgeProgress>;

		/// Lists the purges that are under way.
		fn purges(after: Option<MemberId>, limit: u32) -> Page<MemberId, PurgeOf<Types>>;

		/// Lists the spaces.
		fn spaces(after: Option<SpaceId>, limit: u32) -> Page<SpaceId, SpaceInfoOf<Types>>;

		/// Lists the unused admissions to a space.
		fn admissions(space: SpaceId, after: Option<(AccountIdOf<Types>, Role)>, limit: u32) -> Page<(AccountIdOf<Types>, Role), ()>;

		/// Lists the providers of a space, including those that are being purged. They are found
		/// among the providers of all spaces, so a page may have fewer than `limit` of them, or
		/// none, and still not be the last.
		fn providers(space: SpaceId, after: Option<ProviderId>, limit: u32) -> Page<ProviderId, ProviderInfoOf<Types>>;

		/// Lists the tenants of a space, including those that are being purged. They are found
		/// among the tenants of all spaces, so a page may have fewer than `limit` of them, or none,
		/// and still not be the last.
		fn tenants(space: SpaceId, after: Option<TenantId>, limit: u32) -> Page<TenantId, TenantInfoOf<Types>>;

		/// Lists the access keys of a provider.
		fn provider_keys(provider: ProviderId, after: Option<AccountIdOf<Types>>, limit: u32) -> Page<AccountIdOf<Types>, KeyInfoOf<Types, ProviderLevel>>;

		/// Lists the nodes of a provider.
		fn nodes(provider: ProviderId, after: Option<NodeId>, limit: u32) -> Page<NodeId, NodeInfoOf<Types>>;

		/// Lists the access keys of a tenant.
		fn tenant_keys(tenant: TenantId, after: Option<AccountIdOf<Types>>, limit: u32) -> Page<AccountIdOf<Types>, KeyInfoOf<Types, TenantLevel>>;

		/// Lists the KMSes of a tenant.
		fn kmses(tenant: TenantId, after: Option<KmsId>, limit: u32) -> Page<KmsId, KmsInfoOf<Types>>;

		/// Lists the content objects of a tenant.
		fn content_objects(tenant: TenantId, after: Option<ContentObjectId>, limit: u32) -> Page<ContentObjectId, ContentObjectInfoOf<Types>>;

		/// Lists the versions of a content object.
		fn versions(tenant: TenantId, object: ContentObjectId, after: Option<VersionId>, limit: u32) -> Page<VersionId, VersionInfoOf<Types>>;

		/// Lists the collections of a tenant.
		fn collections(tenant: TenantId, after: Option<CollectionNameOf<Types>>, limit: u32) -> Page<CollectionNameOf<Types>, CollectionInfoOf<Types>>;

		/// Lists the records of a collection.
		fn records(tenant: TenantId, collection: Vec<u8>, after: Option<RecordKeyOf<Types>>, limit: u32) -> Page<RecordKeyOf<Types>, RecordInfoOf<Types>>;

		/// Lists the records of a collection with what each leads to.
		fn resolutions(tenant: TenantId, collection: Vec<u8>, after: Option<RecordKeyOf<Types>>, limit: u32) -> Page<RecordKeyOf<Types>, Resolution>;
	}
}
