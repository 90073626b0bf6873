// SPDX-License-Identifier: Apache-2.0
//! The events of a content fabric.

use content_fabric_identifiers::{
	ContentObjectId, KmsId, Medallion, Muid, NodeId, ProviderId, SpaceId, TenantId, VersionId,
};

use crate::{
	rows::rows, ContentRef, KmsKey, MemberId, ProviderLevel, Role, SpaceRules, TenantLevel,
};

rows! {
	/// An event of a content fabric. `pallet_content_fabric::Event` documents each, and its fields:
	/// that is the same enum, written as FRAME requires. A test of the pallet compares them.
	///
	/// A client finds events and their fields by their names, so a chain may have more of both.
	#[allow(missing_docs, reason = "the pallet's event has the documentation")]
	pub enum FabricEvent<AccountId, Balance, Sla, CollectionName, RecordKey, Reason, Nodes> {
		SpaceCreated { space: SpaceId, governor: AccountId },
		SpaceRulesSet { space: SpaceId, rules: SpaceRules<Balance, Sla> },
		SpaceGovernorSet { space: SpaceId, governor: AccountId },
		SpaceDeleted { space: SpaceId },
		Admitted { space: SpaceId, account: AccountId, role: Role },
		AdmissionUsed { space: SpaceId, account: AccountId, role: Role },
		AdmissionRevoked { space: SpaceId, account: AccountId, role: Role },
		ProviderCreated { provider: ProviderId, space: SpaceId, root: AccountId },
		TenantCreated { tenant: TenantId, space: SpaceId, root: AccountId },
		BondToppedUp { member: MemberId, amount: Balance, bond: Balance },
		MaxHeldSet { member: MemberId, max_held: Balance },
		RootNominated { member: MemberId, nominee: Option<AccountId> },
		RootSet { member: MemberId, root: AccountId, previous: AccountId, unreleased: Balance },
		MemberEmptied { member: MemberId },
		MemberDeleted { member: MemberId, space: SpaceId, created: Muid },
		ProviderKeySet { provider: ProviderId, account: AccountId, level: Option<ProviderLevel> },
		TenantKeySet { tenant: TenantId, account: AccountId, level: Option<TenantLevel> },
		NodeCreated {
			provider: ProviderId,
			node: NodeId,
			operator: AccountId,
			medallion: Medallion,
		},
		NodeConfirmed { provider: ProviderId, node: NodeId },
		NodeLocatorSet { provider: ProviderId, node: NodeId },
		NodeOperatorSet { provider: ProviderId, node: NodeId, operator: AccountId },
		NodeRemoved { provider: ProviderId, node: NodeId },
		KmsAdded { tenant: TenantId, kms: KmsId, operator: AccountId, key: KmsKey },
		KmsSet { tenant: TenantId, kms: KmsId, key: KmsKey },
		KmsRemoved { tenant: TenantId, kms: KmsId },
		ContentObjectCreated { tenant: TenantId, object: ContentObjectId },
		ContentObjectDeleted { tenant: TenantId, object: ContentObjectId },
		VersionCommitted {
			tenant: TenantId,
			object: ContentObjectId,
			version: VersionId,
			originator: ProviderId,
			node: NodeId,
			muid: Muid,
		},
		VersionFinalized {
			tenant: TenantId,
			object: ContentObjectId,
			version: VersionId,
			head_moved: bool,
		},
		HeadVersionSet { tenant: TenantId, object: ContentObjectId, version: Option<VersionId> },
		VersionDeleted { tenant: TenantId, object: ContentObjectId, version: VersionId },
		CollectionCreated { tenant: TenantId, collection: CollectionName },
		CollectionDeleted { tenant: TenantId, collection: CollectionName },
		RecordPut {
			tenant: TenantId,
			collection: CollectionName,
			key: RecordKey,
			target: ContentRef,
		},
		RecordDeleted { tenant: TenantId, collection: CollectionName, key: RecordKey },
		Slashed { member: MemberId, created: Muid, amount: Balance, bond: Balance, reason: Reason },
		Suspended { member: MemberId, created: Muid, enabled: bool, bond: Balance, reason: Reason },
		GovernanceDeleteSet {
			member: MemberId,
			created: Muid,
			enabled: bool,
			bond: Balance,
			reason: Reason,
		},
		GovernanceDeleted { member: MemberId, created: Muid, reason: Reason },
		PurgeStarted { member: MemberId, created: Muid, rows: u32 },
		PurgeProgressed { member: MemberId, removed: u32, rows_left: u32 },
		Purged { member: MemberId, space: SpaceId, created: Muid },
		ChildDeletedByGovernance { member: MemberId, created: Muid, reason: Reason },
		CopiesAsked { tenant: TenantId, muid: Muid, copies: Nodes },
		CopyAdded {
			tenant: TenantId,
			object: ContentObjectId,
			version: VersionId,
			provider: ProviderId,
			node: NodeId,
		},
		CopyHeld {
			tenant: TenantId,
			object: ContentObjectId,
			version: VersionId,
			provider: ProviderId,
			node: NodeId,
		},
		CopyRemoved {
			tenant: TenantId,
			object: ContentObjectId,
			version: VersionId,
			provider: ProviderId,
			node: NodeId,
		},
	}
}
