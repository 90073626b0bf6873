//! What the pallet tells of. Append only: the place of an event is its index.

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
		/// A space was given a governor.
		SpaceGovernorSet {
			/// The space.
			space: SpaceId,
			/// The new governor.
			governor: T::AccountId,
		},
		/// An empty space was deleted.
		SpaceDeleted {
			/// The space.
			space: SpaceId,
		},
		/// A provider was created.
		ProviderCreated {
			/// The provider.
			provider: ProviderId,
			/// The space that it belongs to.
			space: SpaceId,
			/// Its root account.
			root: T::AccountId,
		},
		/// A provider was deleted, with all rows under it. No events tell of the single rows.
		ProviderDeleted {
			/// The provider.
			provider: ProviderId,
			/// The number of rows that were under it.
			rows: u32,
		},
		/// A node was created. It is pending until it is confirmed.
		NodeCreated {
			/// The provider that runs the node.
			provider: ProviderId,
			/// The node.
			node: NodeId,
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
		/// A node was given a locator.
		NodeLocatorSet {
			/// The provider that runs the node.
			provider: ProviderId,
			/// The node.
			node: NodeId,
		},
		/// A node was removed.
		NodeRemoved {
			/// The provider that ran the node.
			provider: ProviderId,
			/// The node.
			node: NodeId,
		},
		/// A tenant was created.
		TenantCreated {
			/// The tenant.
			tenant: TenantId,
			/// The space that it belongs to.
			space: SpaceId,
			/// Its root account.
			root: T::AccountId,
		},
		/// A tenant was deleted, with all rows under it. No events tell of the single rows.
		TenantDeleted {
			/// The tenant.
			tenant: TenantId,
			/// The number of rows that were under it.
			rows: u32,
		},
		/// A KMS was added.
		KmsAdded {
			/// The tenant that owns the KMS.
			tenant: TenantId,
			/// The KMS.
			kms: KmsId,
		},
		/// A KMS was given a locator.
		KmsLocatorSet {
			/// The tenant that owns the KMS.
			tenant: TenantId,
			/// The KMS.
			kms: KmsId,
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
		/// A content object was deleted. It had no versions.
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
			/// The muid with which the node committed it.
			muid: Muid,
		},
		/// The data of a version is complete.
		VersionFinalized {
			/// The tenant that owns the object.
			tenant: TenantId,
			/// The object.
			object: ContentObjectId,
			/// The version.
			version: VersionId,
		},
		/// The head of an object was set, or cleared.
		HeadVersionSet {
			/// The tenant that owns the object.
			tenant: TenantId,
			/// The object.
			object: ContentObjectId,
			/// The new head.
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
		/// Governance froze a provider or tenant and gave its children up to deletion, or lifted
		/// that.
		GovernanceDeleteSet {
			/// The provider or tenant.
			subject: Subject,
			/// The new value of its flag.
			enabled: bool,
		},
		/// A provider was handed over.
		ProviderRootSet {
			/// The provider.
			provider: ProviderId,
			/// The new root account.
			root: T::AccountId,
		},
		/// An account was given a level in a provider, or lost it.
		ProviderKeySet {
			/// The provider.
			provider: ProviderId,
			/// The account.
			account: T::AccountId,
			/// The new level.
			level: Option<ProviderLevel>,
		},
		/// A tenant was handed over.
		TenantRootSet {
			/// The tenant.
			tenant: TenantId,
			/// The new root account.
			root: T::AccountId,
		},
		/// An account was given a level in a tenant, or lost it.
		TenantKeySet {
			/// The tenant.
			tenant: TenantId,
			/// The account.
			account: T::AccountId,
			/// The new level.
			level: Option<TenantLevel>,
		},
		/// A space was given rules.
		SpaceRulesSet {
			/// The space.
			space: SpaceId,
			/// The new rules.
			rules: SpaceRulesOf<T>,
		},
		/// An account was admitted to a space.
		Admitted {
			/// The space.
			space: SpaceId,
			/// The account.
			account: T::AccountId,
			/// What it may create there.
			role: Role,
		},
		/// An admission that had not been used was taken back.
		AdmissionRevoked {
			/// The space.
			space: SpaceId,
			/// The account.
			account: T::AccountId,
			/// What it might have created there.
			role: Role,
		},
		/// The bond of a provider was added to, and what is held for it is held on its root account.
		ProviderBondToppedUp {
			/// The provider.
			provider: ProviderId,
			/// What was added.
			amount: BalanceOf<T>,
			/// The bond as it is now.
			bond: BalanceOf<T>,
		},
		/// The bond of a provider was slashed.
		ProviderSlashed {
			/// The provider.
			provider: ProviderId,
			/// What was slashed.
			amount: BalanceOf<T>,
		},
		/// Governance deleted a provider. All rows under it are as good as gone, and will be removed.
		ProviderDeletionStarted {
			/// The provider.
			provider: ProviderId,
			/// The number of rows under it.
			rows: u32,
		},
		/// The bond of a tenant was added to, and what is held for it is held on its root account.
		TenantBondToppedUp {
			/// The tenant.
			tenant: TenantId,
			/// What was added.
			amount: BalanceOf<T>,
			/// The bond as it is now.
			bond: BalanceOf<T>,
		},
		/// The bond of a tenant was slashed.
		TenantSlashed {
			/// The tenant.
			tenant: TenantId,
			/// What was slashed.
			amount: BalanceOf<T>,
		},
		/// Governance deleted a tenant. All rows under it are as good as gone, and will be removed.
		TenantDeletionStarted {
			/// The tenant.
			tenant: TenantId,
			/// The number of rows under it.
			rows: u32,
		},
		/// A collection was created.
		CollectionCreated {
			/// The tenant that owns the collection.
			tenant: TenantId,
			/// Its name.
			collection: CollectionNameOf<T>,
		},
		/// A collection was deleted. It had no records.
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
			/// What it names.
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
	}
}
