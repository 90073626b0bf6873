// SPDX-License-Identifier: Apache-2.0
//! Errors of the pallet, one for each cause. Append only: the place of an error is its index.

/// The errors of the pallet.
#[frame_support::pallet_macros::pallet_section]
mod errors {
	#[pallet::error]
	#[derive(PartialEq)]
	pub enum Error<T> {
		/// The signer has no level in the member that permits this.
		NoPermission,
		/// The storage has not been migrated to the version of this runtime.
		MigrationPending,
		/// The list has no items, or the limit is zero.
		EmptyBatch,
		/// The space does not exist.
		SpaceNotFound,
		/// A space with this id exists.
		SpaceAlreadyExists,
		/// The space still has providers, tenants or admissions.
		SpaceNotEmpty,
		/// The provider and the tenant belong to different spaces.
		SpaceMismatch,
		/// The space requires an admission, and the account has none for this role.
		NotAdmitted,
		/// The account already has an unused admission to the space for this role.
		AlreadyAdmitted,
		/// The account has no unused admission to the space for this role.
		AdmissionNotFound,
		/// The space already has `MaxAdmissions` unused admissions.
		TooManyAdmissions,
		/// The provider does not exist.
		ProviderNotFound,
		/// A provider with this id exists, in this space or another.
		ProviderAlreadyExists,
		/// The provider still has access keys or nodes.
		ProviderNotEmpty,
		/// Governance has frozen the provider with the flag `governance_delete`.
		ProviderFrozen,
		/// Governance has suspended the provider.
		ProviderSuspended,
		/// The bond of the provider is less than the rules of its space require.
		ProviderUnderBonded,
		/// The tenant does not exist.
		TenantNotFound,
		/// A tenant with this id exists, in this space or another.
		TenantAlreadyExists,
		/// The tenant still has access keys, KMSes, content objects or collections.
		TenantNotEmpty,
		/// Governance has frozen the tenant with the flag `governance_delete`.
		TenantFrozen,
		/// Governance has suspended the tenant.
		TenantSuspended,
		/// The bond of the tenant is less than the rules of its space require.
		TenantUnderBonded,
		/// The member was not created at that time: the id has been taken by another one since.
		IncarnationMismatch,
		/// More would be on hold for the member than its root has agreed to in `max_held`.
		HeldLimitExceeded,
		/// The member has not been empty for `UnbondingPeriod` blocks.
		UnbondingPeriodNotOver,
		/// The account already is the root of the member.
		NomineeIsRoot,
		/// No root is nominated for the member.
		NominationNotFound,
		/// Governance nominated a root at least `UnbondingPeriod` blocks ago, so the present root
		/// can neither withdraw nor replace the nomination.
		NominationMatured,
		/// Governance nominated the account less than `UnbondingPeriod` blocks ago.
		NominationNotMature,
		/// The signer is not nominated as the root of the member.
		NotNominated,
		/// The account has no access key in the member.
		KeyNotFound,
		/// Governance has deleted the member, and rows under it are still being removed.
		BeingDeleted,
		/// The root of the member has purged it, and rows under it are still being removed.
		BeingPurged,
		/// No purge of the member is under way.
		NotBeingPurged,
		/// The purge was started in this block. Rows are removed from the next block on.
		PurgeNotStarted,
		/// The member has no rows.
		NothingToPurge,
		/// Governance has not frozen the member with the flag `governance_delete`.
		GovernanceDeleteNotSet,
		/// The locator is empty, or has a byte that is not a visible ASCII character.
		InvalidLocator,
		/// The provider has no such node.
		NodeNotFound,
		/// The provider already has a node with this id.
		NodeAlreadyExists,
		/// The node has not been confirmed.
		NodePending,
		/// The node has already been confirmed.
		NodeAlreadyConfirmed,
		/// All medallions have been assigned to nodes.
		MedallionsExhausted,
		/// The tenant has no such KMS.
		KmsNotFound,
		/// The tenant already has a KMS with this id.
		KmsAlreadyExists,
		/// The tenant has no such content object.
		ContentObjectNotFound,
		/// The tenant already has a content object with this id.
		ContentObjectAlreadyExists,
		/// The content object still has versions.
		ContentObjectNotEmpty,
		/// The content object has no such version.
		VersionNotFound,
		/// The content object already has this version.
		VersionAlreadyExists,
		/// The version has not been finalized.
		VersionNotFinalized,
		/// The node has already declared that it holds the version.
		CopyAlreadyHeld,
		/// The version is the head of its object.
		VersionIsHead,
		/// The version has no copy of the node: it was not asked, or only an earlier node with the
		/// same id was.
		CopyNotFound,
		/// The account that is named as the signer of the commit has no level in the tenant.
		SignerNotPermitted,
		/// The account has not signed this commit for this chain.
		InvalidSignature,
		/// The muid of the commit does not have the offset 0.
		InvalidMuidOffset,
		/// The muid of the commit does not have the medallion of the node.
		MedallionMismatch,
		/// The muid of the commit is more than `MaxCommitAge` before the time of the block.
		MuidTooOld,
		/// The muid of the commit is more than `MaxClockDrift` after the time of the block.
		MuidTooNew,
		/// The timestamp of the commit's muid is not later than the node's last commit.
		MuidNotMonotonic,
		/// The name of the collection is empty, `.` or `..`, or has a byte other than letters,
		/// digits, `.`, `-`, `_` and `~`.
		InvalidCollectionName,
		/// The tenant has no such collection.
		CollectionNotFound,
		/// The tenant already has a collection with this name.
		CollectionAlreadyExists,
		/// The collection still has records.
		CollectionNotEmpty,
		/// The collection's type or syntax does not allow this record key.
		InvalidRecordKey,
		/// The record needs a key, because the keys of the collection are not TIDs.
		RecordKeyRequired,
		/// The record key that the chain minted is in use.
		RecordAlreadyExists,
		/// The collection has no such record.
		RecordNotFound,
		/// The time is past what a muid can hold, the year 2112, or a TID, the year 2255.
		ClockExhausted,
		/// The timestamp of the commit's muid is not later than the moment at which the signer was
		/// given its level in the tenant.
		MuidBeforeGrant,
		/// The account consists of zeros. Anybody can sign for it, so it cannot be given
		/// permissions.
		ZeroAccount,
		/// The commit does not state the size of a BLAKE3 version. Size 0 is valid only for the
		/// hash of no bytes.
		SizeMissing,
		/// The key of the KMS consists of zeros. Everybody could read what is encrypted for it.
		ZeroKmsKey,
		/// The version already has a copy of the node, or the commit names the node twice.
		CopyAlreadyExists,
		/// The version already has `MaxCopies` copies.
		TooManyCopies,
	}
}
