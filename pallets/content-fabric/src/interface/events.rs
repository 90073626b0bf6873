// SPDX-License-Identifier: Apache-2.0
//! Events of the pallet. Append only: the place of an event is its index. Clients and indexers know
//! the same events by `FabricEvent` of the primitives.
//!
//! Together, the events of a call or a hook name every row that it changed; the parents of a named
//! row change with it.

/// The events of the pallet.
#[frame_support::pallet_macros::pallet_section]
mod events {
	#[pallet::event]
	#[pallet::generate_deposit(pub(crate) fn deposit_event)]
	pub enum Event<T: Config> {
		/// A space was created.
		SpaceCreated {
			/// The space.
			space: SpaceId,
			/// Its governor.
			governor: T::AccountId,
		},
		/// A space was given new rules.
		SpaceRulesSet {
			/// The space.
			space: SpaceId,
			/// The new rules.
			rules: SpaceRulesOf<T>,
		},
		/// A space was given another governor.
		SpaceGovernorSet {
			/// The space.
			space: SpaceId,
			/// The new governor.
			governor: T::AccountId,
		},
		/// A space was deleted.
		SpaceDeleted {
			/// The space.
			space: SpaceId,
		},
		/// An account was admitted to a space.
		Admitted {
			/// The space.
			space: SpaceId,
			/// The account.
			account: T::AccountId,
			/// The kind of member that it may become the root of.
			role: Role,
		},
		/// An account used up its admission to a space.
		AdmissionUsed {
			/// The space.
			space: SpaceId,
			/// The account.
			account: T::AccountId,
			/// The kind of member that it became the root of.
			role: Role,
		},
		/// Governance revoked an unused admission.
		AdmissionRevoked {
			/// The space.
			space: SpaceId,
			/// The account.
			account: T::AccountId,
			/// The kind of member that it could have become the root of.
			role: Role,
		},
		/// A provider was created.
		ProviderCreated {
			/// The provider.
			provider: ProviderId,
			/// The space that it belongs to.
			space: SpaceId,
			/// Its root.
			root: T::AccountId,
		},
		/// A tenant was created.
		TenantCreated {
			/// The tenant.
			tenant: TenantId,
			/// The space that it belongs to.
			space: SpaceId,
			/// Its root.
			root: T::AccountId,
		},
		/// The root of a member added to its bond.
		BondToppedUp {
			/// The member.
			member: MemberId,
			/// The amount that was added.
			amount: BalanceOf<T>,
			/// The new bond.
			bond: BalanceOf<T>,
		},
		/// The root of a member set the most that may be on hold for it.
		MaxHeldSet {
			/// The member.
			member: MemberId,
			/// The new limit.
			max_held: BalanceOf<T>,
		},
		/// An account was nominated as the next root of a member, or the nomination was withdrawn.
		RootNominated {
			/// The member.
			member: MemberId,
			/// The nominated account, or `None` if the nomination was withdrawn.
			nominee: Option<T::AccountId>,
		},
		/// The nominee became the root of a member. Bond and deposits are on hold on it.
		RootSet {
			/// The member.
			member: MemberId,
			/// The new root.
			root: T::AccountId,
			/// The former root.
			previous: T::AccountId,
			/// Funds that the currency refused to release to the former root. They stay on hold
			/// there.
			unreleased: BalanceOf<T>,
		},
		/// The last row under a member was removed.
		MemberEmptied {
			/// The member.
			member: MemberId,
		},
		/// The root of a member deleted it.
		MemberDeleted {
			/// The member.
			member: MemberId,
			/// The space that it belonged to.
			space: SpaceId,
			/// When it was created.
			created: Muid,
		},
		/// The access key of an account in a provider was granted, changed or revoked.
		ProviderKeySet {
			/// The provider.
			provider: ProviderId,
			/// The account.
			account: T::AccountId,
			/// The new level, or `None` if the key was revoked.
			level: Option<ProviderLevel>,
		},
		/// The access key of an account in a tenant was granted, changed or revoked.
		TenantKeySet {
			/// The tenant.
			tenant: TenantId,
			/// The account.
			account: T::AccountId,
			/// The new level, or `None` if the key was revoked.
			level: Option<TenantLevel>,
		},
		/// A node was created. It is pending until it is confirmed.
		NodeCreated {
			/// The provider that runs the node.
			provider: ProviderId,
			/// The node.
			node: NodeId,
			/// The account that acts for the node.
			operator: T::AccountId,
			/// The medallion that it was assigned.
			medallion: Medallion,
		},
		/// A pending node was confirmed.
		NodeConfirmed {
			/// The provider that runs the node.
			provider: ProviderId,
			/// The node.
			node: NodeId,
		},
		/// A node was given another locator.
		NodeLocatorSet {
			/// The provider that runs the node.
			provider: ProviderId,
			/// The node.
			node: NodeId,
		},
		/// A node was given another operator.
		NodeOperatorSet {
			/// The provider that runs the node.
			provider: ProviderId,
			/// The node.
			node: NodeId,
			/// The new operator.
			operator: T::AccountId,
		},
		/// A node was removed.
		NodeRemoved {
			/// The provider that ran the node.
			provider: ProviderId,
			/// The node.
			node: NodeId,
		},
		/// A KMS was added.
		KmsAdded {
			/// The tenant that owns the KMS.
			tenant: TenantId,
			/// The KMS.
			kms: KmsId,
			/// The account that acts for the KMS.
			operator: T::AccountId,
			/// The key for which clients encrypt.
			key: KmsKey,
		},
		/// The locator and the key of a KMS were set.
		KmsSet {
			/// The tenant that owns the KMS.
			tenant: TenantId,
			/// The KMS.
			kms: KmsId,
			/// The key for which clients encrypt from now on.
			key: KmsKey,
		},
		/// A KMS was removed.
		KmsRemoved {
			/// The tenant that owned the KMS.
			tenant: TenantId,
			/// The KMS.
			kms: KmsId,
		},
		/// A content object was created.
		ContentObjectCreated {
			/// The tenant that owns the object.
			tenant: TenantId,
			/// The object.
			object: ContentObjectId,
		},
		/// A content object was deleted.
		ContentObjectDeleted {
			/// The tenant that owned the object.
			tenant: TenantId,
			/// The object.
			object: ContentObjectId,
		},
		/// A version was committed.
		VersionCommitted {
			/// The tenant that owns the object.
			tenant: TenantId,
			/// The object.
			object: ContentObjectId,
			/// The version.
			version: VersionId,
			/// The provider whose node takes in the data.
			originator: ProviderId,
			/// The node that takes in the data.
			node: NodeId,
			/// The muid that the node gave the version.
			muid: Muid,
		},
		/// The data of a version is complete: the first node holds it.
		VersionFinalized {
			/// The tenant that owns the object.
			tenant: TenantId,
			/// The object.
			object: ContentObjectId,
			/// The version.
			version: VersionId,
			/// True if the version became the head of its object.
			head_moved: bool,
		},
		/// The head of an object was set or cleared.
		HeadVersionSet {
			/// The tenant that owns the object.
			tenant: TenantId,
			/// The object.
			object: ContentObjectId,
			/// The new head, or `None` if it was cleared.
			version: Option<VersionId>,
		},
		/// A version was deleted.
		VersionDeleted {
			/// The tenant that owns the object.
			tenant: TenantId,
			/// The object.
			object: ContentObjectId,
			/// The version.
			version: VersionId,
		},
		/// A collection was created.
		CollectionCreated {
			/// The tenant that owns the collection.
			tenant: TenantId,
			/// Its name.
			collection: CollectionNameOf<T>,
		},
		/// A collection was deleted.
		CollectionDeleted {
			/// The tenant that owned the collection.
			tenant: TenantId,
			/// Its name.
			collection: CollectionNameOf<T>,
		},
		/// A record was created, or pointed to other content.
		RecordPut {
			/// The tenant that owns the collection.
			tenant: TenantId,
			/// The name of the collection.
			collection: CollectionNameOf<T>,
			/// The key of the record.
			key: RecordKeyOf<T>,
			/// The content that it names.
			target: ContentRef,
		},
		/// A record was deleted.
		RecordDeleted {
			/// The tenant that owns the collection.
			tenant: TenantId,
			/// The name of the collection.
			collection: CollectionNameOf<T>,
			/// The key of the record.
			key: RecordKeyOf<T>,
		},
		/// Governance slashed the bond of a member.
		Slashed {
			/// The member.
			member: MemberId,
			/// When it was created.
			created: Muid,
			/// The amount that was slashed.
			amount: BalanceOf<T>,
			/// The bond that was left.
			bond: BalanceOf<T>,
			/// The reason.
			reason: ReasonOf<T>,
		},
		/// Governance suspended a member, or lifted the suspension.
		Suspended {
			/// The member.
			member: MemberId,
			/// When it was created.
			created: Muid,
			/// True if it is suspended now.
			enabled: bool,
			/// Its bond.
			bond: BalanceOf<T>,
			/// The reason.
			reason: ReasonOf<T>,
		},
		/// Governance froze a member, and can now delete its rows one by one, or lifted the freeze.
		GovernanceDeleteSet {
			/// The member.
			member: MemberId,
			/// When it was created.
			created: Muid,
			/// The new value of the flag `governance_delete`.
			enabled: bool,
			/// Its bond.
			bond: BalanceOf<T>,
			/// The reason.
			reason: ReasonOf<T>,
		},
		/// Governance deleted a member. [`Event::PurgeStarted`] follows if there are rows under it,
		/// [`Event::Purged`] otherwise.
		GovernanceDeleted {
			/// The member.
			member: MemberId,
			/// When it was created.
			created: Muid,
			/// The reason.
			reason: ReasonOf<T>,
		},
		/// A purge started: the rows under the member no longer count, and all will be removed. It
		/// ends with [`Event::Purged`] if governance deleted the member, with
		/// [`Event::MemberEmptied`] if its root purged it.
		PurgeStarted {
			/// The member.
			member: MemberId,
			/// When it was created.
			created: Muid,
			/// Number of rows under it.
			rows: u32,
		},
		/// A step of a purge removed rows under a member.
		PurgeProgressed {
			/// The member.
			member: MemberId,
			/// Number of rows that were removed.
			removed: u32,
			/// Number of rows that are left.
			rows_left: u32,
		},
		/// A member that governance deleted was removed, after all rows under it. Its id is free.
		Purged {
			/// The member.
			member: MemberId,
			/// The space that it belonged to.
			space: SpaceId,
			/// When it was created.
			created: Muid,
		},
		/// Governance deleted a row of a frozen member. The events of the row follow.
		ChildDeletedByGovernance {
			/// The member.
			member: MemberId,
			/// When it was created.
			created: Muid,
			/// The reason.
			reason: ReasonOf<T>,
		},
		/// A commit asked other nodes to hold the data. [`Event::VersionCommitted`] follows for
		/// each version.
		CopiesAsked {
			/// The tenant that asks.
			tenant: TenantId,
			/// The muid of the commit. Its versions have muids with the same timestamp and medallion.
			muid: Muid,
			/// The nodes, each with its provider.
			copies: OtherNodesOf<T>,
		},
		/// A node was asked to hold the data of a version.
		CopyAdded {
			/// The tenant that owns the object.
			tenant: TenantId,
			/// The object.
			object: ContentObjectId,
			/// The version.
			version: VersionId,
			/// The provider of the node.
			provider: ProviderId,
			/// The node.
			node: NodeId,
		},
		/// A node declared that it holds the data of a version. [`Event::VersionFinalized`] follows
		/// if it is the first.
		CopyHeld {
			/// The tenant that owns the object.
			tenant: TenantId,
			/// The object.
			object: ContentObjectId,
			/// The version.
			version: VersionId,
			/// The provider of the node.
			provider: ProviderId,
			/// The node.
			node: NodeId,
		},
		/// The copy of a node was removed from a version, held or not.
		CopyRemoved {
			/// The tenant that owns the object.
			tenant: TenantId,
			/// The object.
			object: ContentObjectId,
			/// The version.
			version: VersionId,
			/// The provider of the node.
			provider: ProviderId,
			/// The node. It may have been removed before.
			node: NodeId,
		},
	}
}
