//! What clients can ask of the state of a chain with `pallet-content-fabric`: the pallet's view functions,
//! as a runtime API.
//!
//! A runtime implements it by its pallet's functions of the same names, as the reference runtime does:
//! `impl ContentFabricApi<Block, Runtime> for Runtime`.
//!
//! Lists are told in pages of at most `limit` rows, 1 to
//! [`MAX_PAGE_SIZE`] (other limits are taken for the nearest),
//! each after the key `next` of the page before. Under a provider or tenant that is being deleted there
//! is nothing to be listed.

#![cfg_attr(not(feature = "std"), no_std)]
#![deny(missing_docs)]

extern crate alloc;

use alloc::vec::Vec;

use pallet_content_fabric::{
	identifiers::{ContentObjectId, KmsId, NodeId, ProviderId, SpaceId, TenantId, VersionId},
	*,
};

sp_api::decl_runtime_apis! {
/// The state of the content fabric. `Types` is the runtime.
pub trait ContentFabricApi<Types>
where
	Types: pallet_content_fabric::Config,
{
	/// The number of storage rows under a provider or tenant: the `max_rows` that its deletion
	/// at once takes at least. `None` if there is no such provider or tenant.
	fn rows(subject: Subject) -> Option<u32>;

	/// What is held for a provider or a tenant, and what is asked of it. `None` if there is no
	/// such provider or tenant.
	fn bond(subject: Subject) -> Option<BondInfoOf<Types>>;

	/// The level of an account in a provider. `None` if it has none, or there is no such
	/// provider.
	fn provider_level(
		provider: ProviderId,
		account: AccountIdOf<Types>,
	) -> Option<ProviderLevel>;

	/// The level of an account in a tenant. `None` if it has none, or there is no such tenant.
	fn tenant_level(tenant: TenantId, account: AccountIdOf<Types>) -> Option<TenantLevel>;

	/// The head of a content object with its facts. `None` if the object does not exist or has
	/// no head.
	fn head_version(
		tenant: TenantId,
		object: ContentObjectId,
	) -> Option<(VersionId, VersionInfoOf<Types>)>;

	/// What a record leads to. `None` if there is no such record.
	fn resolve(
		tenant: TenantId,
		collection: Vec<u8>,
		key: Vec<u8>,
	) -> Option<Resolution>;

	/// How far the deletion of a provider or tenant has come. `None` if it is not being deleted.
	fn deletion_progress(subject: Subject) -> Option<DeletionProgress>;

	/// The providers and tenants that are being deleted.
	fn deletions(after: Option<Subject>, limit: u32) -> Page<Subject, DeletionOf<Types>>;

	/// The spaces.
	fn spaces(after: Option<SpaceId>, limit: u32) -> Page<SpaceId, SpaceInfoOf<Types>>;

	/// The admissions to a space that have not been used.
	fn admissions(
		space: SpaceId,
		after: Option<(AccountIdOf<Types>, Role)>,
		limit: u32,
	) -> Page<(AccountIdOf<Types>, Role), ()>;

	/// The providers of a space, those being deleted included. A page is made of the providers of
	/// all spaces, so it may have fewer than `limit` of them, or none, and still not be the last.
	fn providers(
		space: SpaceId,
		after: Option<ProviderId>,
		limit: u32,
	) -> Page<ProviderId, MemberInfoOf<Types>>;

	/// The tenants of a space, those being deleted included. A page is made of the tenants of all
	/// spaces, so it may have fewer than `limit` of them, or none, and still not be the last.
	fn tenants(
		space: SpaceId,
		after: Option<TenantId>,
		limit: u32,
	) -> Page<TenantId, MemberInfoOf<Types>>;

	/// The accounts with a key in a provider.
	fn provider_keys(
		provider: ProviderId,
		after: Option<AccountIdOf<Types>>,
		limit: u32,
	) -> Page<AccountIdOf<Types>, KeyInfo<ProviderLevel, BalanceOf<Types>>>;

	/// The nodes of a provider.
	fn nodes(
		provider: ProviderId,
		after: Option<NodeId>,
		limit: u32,
	) -> Page<NodeId, NodeInfoOf<Types>>;

	/// The accounts with a key in a tenant.
	fn tenant_keys(
		tenant: TenantId,
		after: Option<AccountIdOf<Types>>,
		limit: u32,
	) -> Page<AccountIdOf<Types>, KeyInfo<TenantLevel, BalanceOf<Types>>>;

	/// The KMSes of a tenant.
	fn kmses(
		tenant: TenantId,
		after: Option<KmsId>,
		limit: u32,
	) -> Page<KmsId, KmsInfoOf<Types>>;

	/// The content objects of a tenant.
	fn content_objects(
		tenant: TenantId,
		after: Option<ContentObjectId>,
		limit: u32,
	) -> Page<ContentObjectId, ContentObjectInfoOf<Types>>;

	/// The collections of a tenant.
	fn collections(
		tenant: TenantId,
		after: Option<CollectionNameOf<Types>>,
		limit: u32,
	) -> Page<CollectionNameOf<Types>, CollectionInfoOf<Types>>;

	/// The versions of a content object.
	fn versions(
		tenant: TenantId,
		object: ContentObjectId,
		after: Option<VersionId>,
		limit: u32,
	) -> Page<VersionId, VersionInfoOf<Types>>;

	/// The records of a collection.
	fn records(
		tenant: TenantId,
		collection: Vec<u8>,
		after: Option<RecordKeyOf<Types>>,
		limit: u32,
	) -> Page<RecordKeyOf<Types>, RecordInfoOf<Types>>;

	/// The records of a collection with what each leads to.
	fn resolutions(
		tenant: TenantId,
		collection: Vec<u8>,
		after: Option<RecordKeyOf<Types>>,
		limit: u32,
	) -> Page<RecordKeyOf<Types>, Resolution>;
}}
