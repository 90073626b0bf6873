//! Why a call fails. One error a cause; append only: the place of an error is its index.

/// The errors of the pallet.
#[frame_support::pallet_macros::pallet_section]
mod errors {
	#[pallet::error]
	#[derive(PartialEq)]
	pub enum Error<T> {
		/// The signer may not do this: its level in the provider or tenant is too low.
		NoPermission,
		/// There is no such space.
		SpaceNotFound,
		/// A space with this id exists.
		SpaceAlreadyExists,
		/// The space still has providers or tenants.
		SpaceNotEmpty,
		/// The provider and the tenant belong to different spaces.
		SpaceMismatch,
		/// There is no such provider.
		ProviderNotFound,
		/// A provider with this id exists, in this space or another.
		ProviderAlreadyExists,
		/// The provider still has keys or nodes.
		ProviderNotEmpty,
		/// Governance has frozen the provider.
		ProviderFrozen,
		/// The provider has no such node.
		NodeNotFound,
		/// The provider has a node with this id.
		NodeAlreadyExists,
		/// The node has not been confirmed.
		NodePending,
		/// The node has been confirmed before.
		NodeAlreadyConfirmed,
		/// There is no such tenant.
		TenantNotFound,
		/// A tenant with this id exists, in this space or another.
		TenantAlreadyExists,
		/// The tenant still has keys, KMSes or content objects.
		TenantNotEmpty,
		/// Governance has frozen the tenant.
		TenantFrozen,
		/// The tenant has no such KMS.
		KmsNotFound,
		/// The tenant has a KMS with this id.
		KmsAlreadyExists,
		/// The tenant has no such content object.
		ContentObjectNotFound,
		/// The tenant has a content object with this id.
		ContentObjectAlreadyExists,
		/// The content object still has versions.
		ContentObjectNotEmpty,
		/// The content object has no such version.
		VersionNotFound,
		/// The content object has this version.
		VersionAlreadyExists,
		/// The version has not been finalized.
		VersionNotFinalized,
		/// The version has been finalized before.
		VersionAlreadyFinalized,
		/// The version is the head of its object.
		VersionIsHead,
		/// A locator is empty, or has a byte that is not a visible ASCII character.
		InvalidLocator,
		/// Governance has not set the flag `governance_delete` of the parent.
		GovernanceDeleteNotSet,
		/// There are more rows under the provider or tenant than the call allows to be deleted.
		TooManyRows,
		/// The time is past what a muid can hold, the year 2112.
		ClockExhausted,
	}
}
