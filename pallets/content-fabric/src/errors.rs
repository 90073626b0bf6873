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
		/// The tenant still has keys, KMSes, content objects or collections.
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
		/// The time is past what a muid can hold, the year 2112, or a TID, the year 2255.
		ClockExhausted,
		/// The space asks for approval, and the account is not admitted to it in this role.
		NotAdmitted,
		/// The account is admitted to the space in this role, and has not used that.
		AlreadyAdmitted,
		/// The account is not admitted to the space in this role.
		AdmissionNotFound,
		/// As many admissions to the space as there may be have not been used.
		TooManyAdmissions,
		/// The bond of the provider is less than the rules of its space ask for.
		ProviderUnderBonded,
		/// The bond of the tenant is less than the rules of its space ask for.
		TenantUnderBonded,
		/// Governance has deleted the provider or tenant, and rows under it are left.
		BeingDeleted,
		/// The provider or tenant is not being deleted.
		NotBeingDeleted,
		/// All medallions have been assigned to nodes.
		MedallionsExhausted,
		/// The muid of a version commit does not have the medallion of its node.
		MuidOfOtherNode,
		/// The muid of a version commit is too long before the time of the block.
		MuidTooOld,
		/// The muid of a version commit is too long after the time of the block.
		MuidTooNew,
		/// The muid of a version commit is not later than that of the node's last one.
		MuidNotRising,
		/// The account that is said to have signed a version commit has no level in the tenant.
		SignerNotPermitted,
		/// The signature under a version commit is not that of the account, under this message, for
		/// this chain.
		InvalidSignature,
		/// The name of a collection is empty, `.` or `..`, or has a byte other than letters, digits,
		/// `.`, `-`, `_` and `~`.
		InvalidCollectionName,
		/// The tenant has no such collection.
		CollectionNotFound,
		/// The tenant has a collection with this name.
		CollectionAlreadyExists,
		/// The collection still has records.
		CollectionNotEmpty,
		/// The record key is not one that the collection can have, by its type or by its syntax.
		InvalidRecordKey,
		/// A record needs a key, as those of the collection are no TIDs.
		RecordKeyRequired,
		/// The record key that the chain minted is in use.
		RecordAlreadyExists,
		/// The tenant has no such record.
		RecordNotFound,
	}
}
