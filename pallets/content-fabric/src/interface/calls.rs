// SPDX-License-Identifier: Apache-2.0
//! The calls of the pallet: guards and thin calls. The work is in the module of each subject.

/// The calls of the pallet.
#[frame_support::pallet_macros::pallet_section]
mod calls {
	// The crate's documentation has a table of all calls, and the errors that many of them share.
	//
	// Once released, a call keeps its index for good, and a call whose arguments change gets a new
	// one, because pending motions hold encoded calls.
	#[pallet::call(weight(<T as Config>::WeightInfo))]
	impl<T: Config> Pallet<T> {
		/// Creates a space.
		///
		/// - Origin: [`Config::CreateSpaceOrigin`].
		/// - Errors: [`Error::SpaceAlreadyExists`].
		/// - Events: [`Event::SpaceCreated`].
		#[pallet::call_index(0)]
		#[pallet::weight(T::WeightInfo::create_space(len_u32(rules.sla.len())))]
		pub fn create_space(
			origin: OriginFor<T>,
			space: SpaceId,
			governor: T::AccountId,
			rules: SpaceRulesOf<T>,
		) -> DispatchResult {
			Self::ensure_creator(origin)?;
			Self::do_create_space(space, governor, rules)
		}

		/// Gives a space new rules.
		///
		/// New rules seize no funds. A member whose bond is less than they require is under-bonded:
		/// it cannot add rows until its root tops the bond up. A larger bond stays until the member
		/// is deleted.
		///
		/// - Origin: governance of the space.
		/// - Events: [`Event::SpaceRulesSet`].
		#[pallet::call_index(1)]
		#[pallet::weight(T::WeightInfo::set_space_rules(len_u32(rules.sla.len())))]
		pub fn set_space_rules(
			origin: OriginFor<T>,
			space: SpaceId,
			rules: SpaceRulesOf<T>,
		) -> DispatchResult {
			Self::ensure_governance(origin, space)?;
			Self::do_set_space_rules(space, rules)
		}

		/// Gives a space another governor.
		///
		/// - Origin: governance of the space.
		/// - Events: [`Event::SpaceGovernorSet`].
		#[pallet::call_index(2)]
		pub fn set_space_governor(
			origin: OriginFor<T>,
			space: SpaceId,
			governor: T::AccountId,
		) -> DispatchResult {
			Self::ensure_governance(origin, space)?;
			Self::do_set_space_governor(space, governor)
		}

		/// Admits an account to a space: it may create one provider or one tenant there, or become
		/// the root of one by accepting a nomination.
		///
		/// Admissions are required, and used up, only where the rules of the space ask for
		/// approval.
		///
		/// - Origin: governance of the space.
		/// - Errors: [`Error::AlreadyAdmitted`], [`Error::TooManyAdmissions`].
		/// - Events: [`Event::Admitted`].
		#[pallet::call_index(3)]
		pub fn admit(
			origin: OriginFor<T>,
			space: SpaceId,
			account: T::AccountId,
			role: Role,
		) -> DispatchResult {
			Self::ensure_governance(origin, space)?;
			Self::do_admit(space, account, role)
		}

		/// Revokes unused admissions to a space: all of the list, or none.
		///
		/// - Origin: governance of the space.
		/// - Errors: [`Error::EmptyBatch`], [`Error::AdmissionNotFound`].
		/// - Events: [`Event::AdmissionRevoked`] for each.
		#[pallet::call_index(4)]
		#[pallet::weight(T::WeightInfo::revoke_admissions(len_u32(admissions.len())))]
		pub fn revoke_admissions(
			origin: OriginFor<T>,
			space: SpaceId,
			admissions: BoundedVec<(T::AccountId, Role), T::MaxAdmissions>,
		) -> DispatchResult {
			Self::ensure_governance(origin, space)?;
			Self::do_revoke_admissions(space, admissions)
		}

		/// Deletes a space without members and admissions.
		///
		/// - Origin: [`Config::CreateSpaceOrigin`], or governance of the space.
		/// - Errors: [`Error::SpaceNotEmpty`].
		/// - Events: [`Event::SpaceDeleted`].
		#[pallet::call_index(5)]
		pub fn delete_space(origin: OriginFor<T>, space: SpaceId) -> DispatchResult {
			Self::ensure_creator_or_governance(origin, space)?;
			Self::do_delete_space(space)
		}

		/// Creates a provider in a space. The signer becomes its root.
		///
		/// The id is unique across all spaces.
		///
		/// - Origin: any signed account, admitted where the space asks for approval.
		/// - Deposit: the bond that the space requires of a provider, and a deposit for the
		///   provider's row, on the signer. Never more than `max_held`, see
		///   [`set_max_held`](Call::set_max_held).
		/// - Errors: [`Error::ProviderAlreadyExists`], [`Error::NotAdmitted`].
		/// - Events: [`Event::AdmissionUsed`] if an admission was, [`Event::ProviderCreated`].
		#[pallet::call_index(6)]
		#[pallet::weight(
			T::WeightInfo::create_provider().saturating_add(T::Observer::member_created_weight())
		)]
		pub fn create_provider(
			origin: OriginFor<T>,
			space: SpaceId,
			id: ProviderId,
			max_held: BalanceOf<T>,
		) -> DispatchResult {
			let root = Self::ensure_signed(origin)?;
			Self::do_create_member::<ProviderKind>(root, space, id, max_held)
		}

		/// Creates a tenant in a space. The signer becomes its root.
		///
		/// The id is unique across all spaces.
		///
		/// - Origin: any signed account, admitted where the space asks for approval.
		/// - Deposit: the bond that the space requires of a tenant, and a deposit for the tenant's
		///   row, on the signer. Never more than `max_held`, see
		///   [`set_max_held`](Call::set_max_held).
		/// - Errors: [`Error::TenantAlreadyExists`], [`Error::NotAdmitted`].
		/// - Events: [`Event::AdmissionUsed`] if an admission was, [`Event::TenantCreated`].
		#[pallet::call_index(7)]
		#[pallet::weight(
			T::WeightInfo::create_tenant().saturating_add(T::Observer::member_created_weight())
		)]
		pub fn create_tenant(
			origin: OriginFor<T>,
			space: SpaceId,
			id: TenantId,
			max_held: BalanceOf<T>,
		) -> DispatchResult {
			let root = Self::ensure_signed(origin)?;
			Self::do_create_member::<TenantKind>(root, space, id, max_held)
		}

		/// Adds to the bond of a member.
		///
		/// - Origin: the root.
		/// - Deposit: the amount.
		/// - Events: [`Event::BondToppedUp`].
		#[pallet::call_index(8)]
		pub fn top_up_bond(
			origin: OriginFor<T>,
			member: MemberId,
			amount: BalanceOf<T>,
		) -> DispatchResult {
			guarded!(member, by_root(origin), do_top_up_bond(amount))
		}

		/// Sets the most that may be on hold for a member, bond and deposits together, whoever
		/// signs.
		///
		/// A call that would hold more fails. The limit cannot be less than what is on hold.
		///
		/// - Origin: the root.
		/// - Events: [`Event::MaxHeldSet`].
		#[pallet::call_index(9)]
		pub fn set_max_held(
			origin: OriginFor<T>,
			member: MemberId,
			amount: BalanceOf<T>,
		) -> DispatchResult {
			guarded!(member, by_root(origin), do_set_max_held(amount))
		}

		/// Nominates an account as the next root of a member, or withdraws the nomination with
		/// `None`.
		///
		/// There is one nomination at a time: a new one replaces it. Governance may nominate a root
		/// where the present one is lost, even while the member is frozen or suspended. Its nominee
		/// can accept [`Config::UnbondingPeriod`] blocks later; until then the root can withdraw or
		/// replace the nomination, unless the member is frozen or suspended. From then on only
		/// governance can withdraw or replace it, and it does not lapse.
		///
		/// - Origin: the root, or governance of the member's space.
		/// - Errors: [`Error::NomineeIsRoot`], [`Error::NominationNotFound`],
		///   [`Error::NominationMatured`].
		/// - Events: [`Event::RootNominated`].
		#[pallet::call_index(10)]
		pub fn nominate_root(
			origin: OriginFor<T>,
			member: MemberId,
			created: Muid,
			nominee: Option<T::AccountId>,
		) -> DispatchResult {
			guarded!(member, by_nominator(origin, created), do_nominate_root(nominee))
		}

		/// Accepts a nomination: the signer becomes the root of the member.
		///
		/// The signer's own access key is removed. All other access keys stay: the new root should
		/// review them. A nominee of the present root needs an admission where the space asks for
		/// approval, and cannot accept while the member is frozen or suspended.
		///
		/// - Origin: the nominee.
		/// - Deposit: bond and deposits of the member move to the signer. Never more than
		///   `max_held`, see [`set_max_held`](Call::set_max_held).
		/// - Errors: [`Error::NotNominated`], [`Error::NominationNotMature`],
		///   [`Error::NotAdmitted`], [`Error::BeingPurged`].
		/// - Events: [`Event::AdmissionUsed`] if an admission was, [`Event::ProviderKeySet`] or
		///   [`Event::TenantKeySet`] if the signer had an access key, [`Event::RootSet`].
		#[pallet::call_index(11)]
		pub fn accept_root(
			origin: OriginFor<T>,
			member: MemberId,
			max_held: BalanceOf<T>,
		) -> DispatchResult {
			guarded!(member, by_nominee(origin), do_accept_root(max_held))
		}

		/// Removes all rows under a member. The member stays, empty, with its bond.
		///
		/// The rows no longer count from now on, and none can be added or deleted. They are removed
		/// in the blocks that follow, by the chain itself or by [`reap`](Call::reap). Meanwhile the
		/// root still acts for the member itself: it may top up the bond, set `max_held`, and
		/// nominate a root, which can accept after the last row.
		///
		/// - Origin: the root.
		/// - Deposit: the deposits of all rows are released after the last step.
		/// - Errors: [`Error::NothingToPurge`].
		/// - Events: [`Event::PurgeStarted`]; then [`Event::PurgeProgressed`] for each step and
		///   [`Event::MemberEmptied`] after the last.
		#[pallet::call_index(12)]
		pub fn purge_member(origin: OriginFor<T>, member: MemberId) -> DispatchResult {
			guarded!(member, by_root(origin), do_purge_member())
		}

		/// Deletes a member without rows.
		///
		/// While a bond is held, the member must have been empty for [`Config::UnbondingPeriod`]
		/// blocks, so that governance has time to slash it.
		///
		/// - Origin: the root.
		/// - Deposit: the bond and the deposit for the member's row are released.
		/// - Errors: [`Error::ProviderNotEmpty`], [`Error::TenantNotEmpty`],
		///   [`Error::UnbondingPeriodNotOver`].
		/// - Events: [`Event::MemberDeleted`].
		#[pallet::call_index(13)]
		#[pallet::weight(
			T::WeightInfo::delete_member().saturating_add(T::Observer::member_deleted_weight())
		)]
		pub fn delete_member(origin: OriginFor<T>, member: MemberId) -> DispatchResult {
			guarded!(member, by_root(origin), do_delete_member())
		}

		/// Gives an account an access key in a provider, changes its level, or revokes it with
		/// `None`.
		///
		/// - Origin: an Admin or the root, if the account's present level and its new one are both
		///   below the signer's own.
		/// - Deposit: for the row of a new access key; released when the key is revoked.
		/// - Errors: [`Error::KeyNotFound`].
		/// - Events: [`Event::ProviderKeySet`].
		#[pallet::call_index(14)]
		pub fn set_provider_key(
			origin: OriginFor<T>,
			id: ProviderId,
			account: T::AccountId,
			level: Option<ProviderLevel>,
		) -> DispatchResult {
			Self::do_set_key(Provider::signed(origin, id)?, account, level)
		}

		/// Gives an account an access key in a tenant, changes its level, or revokes it with
		/// `None`.
		///
		/// - Origin: an Admin or the root, if the account's present level and its new one are both
		///   below the signer's own.
		/// - Deposit: for the row of a new access key; released when the key is revoked.
		/// - Errors: [`Error::KeyNotFound`].
		/// - Events: [`Event::TenantKeySet`].
		#[pallet::call_index(15)]
		pub fn set_tenant_key(
			origin: OriginFor<T>,
			id: TenantId,
			account: T::AccountId,
			level: Option<TenantLevel>,
		) -> DispatchResult {
			Self::do_set_key(Tenant::signed(origin, id)?, account, level)
		}

		/// Creates a node of a provider. It is pending until it is confirmed.
		///
		/// The node is assigned a medallion that no other node has or had. The muids of its commits
		/// must have it.
		///
		/// - Origin: provider Admin.
		/// - Deposit: for the row, as large as it is once the node has committed.
		/// - Errors: [`Error::InvalidLocator`], [`Error::NodeAlreadyExists`],
		///   [`Error::MedallionsExhausted`].
		/// - Events: [`Event::NodeCreated`].
		#[pallet::call_index(16)]
		pub fn create_node(
			origin: OriginFor<T>,
			provider: ProviderId,
			node: NodeId,
			operator: T::AccountId,
			locator: LocatorOf<T>,
		) -> DispatchResult {
			let provider = Provider::by(origin, provider, ProviderLevel::can_manage_nodes)?;
			Self::do_create_node(provider, node, operator, locator)
		}

		/// Confirms a pending node: from now on it can commit versions.
		///
		/// Free of charge for the operator, if [`Config::FreeForOperators`] is true.
		///
		/// - Origin: the node's operator, or provider Admin.
		/// - Errors: [`Error::NodeNotFound`], [`Error::NodeAlreadyConfirmed`].
		/// - Events: [`Event::NodeConfirmed`].
		#[pallet::call_index(17)]
		pub fn confirm_node(
			origin: OriginFor<T>,
			provider: ProviderId,
			node: NodeId,
		) -> DispatchResultWithPostInfo {
			Self::do_confirm_node(Provider::signed(origin, provider)?, node)
		}

		/// Sets where a node is reached.
		///
		/// - Origin: provider Admin.
		/// - Deposit: the row is re-priced at the current deposit rates.
		/// - Errors: [`Error::InvalidLocator`], [`Error::NodeNotFound`].
		/// - Events: [`Event::NodeLocatorSet`].
		#[pallet::call_index(18)]
		pub fn set_node_locator(
			origin: OriginFor<T>,
			provider: ProviderId,
			node: NodeId,
			locator: LocatorOf<T>,
		) -> DispatchResult {
			let provider = Provider::by(origin, provider, ProviderLevel::can_manage_nodes)?;
			Self::do_set_node_locator(provider, node, locator)
		}

		/// Gives a node another operator.
		///
		/// - Origin: provider Admin.
		/// - Errors: [`Error::NodeNotFound`].
		/// - Events: [`Event::NodeOperatorSet`].
		#[pallet::call_index(19)]
		pub fn set_node_operator(
			origin: OriginFor<T>,
			provider: ProviderId,
			node: NodeId,
			operator: T::AccountId,
		) -> DispatchResult {
			let provider = Provider::by(origin, provider, ProviderLevel::can_manage_nodes)?;
			Self::do_set_node_operator(provider, node, operator)
		}

		/// Removes a node. The versions that it took in stay.
		///
		/// - Origin: provider Admin.
		/// - Deposit: the deposit for the row is released.
		/// - Errors: [`Error::NodeNotFound`].
		/// - Events: [`Event::NodeRemoved`].
		#[pallet::call_index(20)]
		#[pallet::weight(
			T::WeightInfo::remove_node().saturating_add(T::Observer::node_removed_weight())
		)]
		pub fn remove_node(
			origin: OriginFor<T>,
			provider: ProviderId,
			node: NodeId,
		) -> DispatchResult {
			let provider = Provider::by(origin, provider, ProviderLevel::can_manage_nodes)?;
			Self::do_remove_node(provider, node)
		}

		/// Adds a KMS to a tenant.
		///
		/// - Origin: tenant Admin.
		/// - Deposit: for the row.
		/// - Errors: [`Error::InvalidLocator`], [`Error::ZeroKmsKey`],
		///   [`Error::KmsAlreadyExists`].
		/// - Events: [`Event::KmsAdded`].
		#[pallet::call_index(21)]
		pub fn add_kms(
			origin: OriginFor<T>,
			tenant: TenantId,
			kms: KmsId,
			operator: T::AccountId,
			locator: LocatorOf<T>,
			key: KmsKey,
		) -> DispatchResult {
			let tenant = Tenant::by(origin, tenant, TenantLevel::can_manage_kmses)?;
			Self::do_add_kms(tenant, kms, operator, locator, key)
		}

		/// Sets where a KMS is reached, and the key for which clients encrypt from now on.
		///
		/// The level Kms does not suffice: the account of one KMS could replace the key of another,
		/// and read what is uploaded from then on.
		///
		/// - Origin: the operator of this KMS, or tenant Admin.
		/// - Deposit: the row is re-priced at the current deposit rates.
		/// - Errors: [`Error::KmsNotFound`], [`Error::InvalidLocator`], [`Error::ZeroKmsKey`].
		/// - Events: [`Event::KmsSet`].
		#[pallet::call_index(22)]
		pub fn set_kms(
			origin: OriginFor<T>,
			tenant: TenantId,
			kms: KmsId,
			locator: LocatorOf<T>,
			key: KmsKey,
		) -> DispatchResult {
			Self::do_set_kms(Tenant::signed(origin, tenant)?, kms, locator, key)
		}

		/// Removes a KMS. The versions that are encrypted for it stay.
		///
		/// - Origin: tenant Admin.
		/// - Deposit: the deposit for the row is released.
		/// - Errors: [`Error::KmsNotFound`].
		/// - Events: [`Event::KmsRemoved`].
		#[pallet::call_index(23)]
		pub fn remove_kms(origin: OriginFor<T>, tenant: TenantId, kms: KmsId) -> DispatchResult {
			let tenant = Tenant::by(origin, tenant, TenantLevel::can_manage_kmses)?;
			Self::do_remove_kms(tenant, kms)
		}

		/// Creates a content object.
		///
		/// - Origin: tenant Content.
		/// - Deposit: for the row, as large as it is with a head.
		/// - Errors: [`Error::ContentObjectAlreadyExists`].
		/// - Events: [`Event::ContentObjectCreated`].
		#[pallet::call_index(24)]
		pub fn create_content_object(
			origin: OriginFor<T>,
			tenant: TenantId,
			object: ContentObjectId,
		) -> DispatchResult {
			let tenant = Tenant::by(origin, tenant, TenantLevel::can_manage_content)?;
			Self::do_create_content_object(tenant, object)
		}

		/// Commits versions that a node takes in: all of the commit, or none.
		///
		/// The commit is drafted by the node and signed by `tenant_signer`, see
		/// [`VersionCommit`](crate::VersionCommit). It can be used once: its muid must have the
		/// medallion of the node, and a timestamp from [`Config::MaxCommitAge`] before the time of
		/// the block to [`Config::MaxClockDrift`] after it, later than the node's last commit. A
		/// node must therefore submit its commits in the order of their muids. The timestamp must
		/// also be later than the block in which `tenant_signer` was given its level, so no commit
		/// outlives a revocation, or the tenant that it was signed for.
		///
		/// Each version gets a copy of the node, and of each other node that the commit asks. Such
		/// a node must be confirmed, and belong to the tenant's space. Its provider need not be
		/// open and bonded before the node holds the data.
		///
		/// - Origin: the node's operator, or Admin of the commit's `originator`. `tenant_signer`
		///   needs Content in the tenant.
		/// - Deposit: for the row of each version, and of each content object that is created, on
		///   the root of the tenant.
		/// - Errors, in this order, after the provider's: [`Error::EmptyBatch`],
		///   [`Error::NodeNotFound`], [`Error::NoPermission`], [`Error::NodePending`], the
		///   tenant's, [`Error::SignerNotPermitted`], [`Error::SpaceMismatch`],
		///   [`Error::KmsNotFound`]; for each other node in turn [`Error::CopyAlreadyExists`], its
		///   provider's, [`Error::SpaceMismatch`], [`Error::NodeNotFound`], [`Error::NodePending`];
		///   [`Error::InvalidSignature`], [`Error::InvalidMuidOffset`],
		///   [`Error::MedallionMismatch`], [`Error::MuidTooOld`], [`Error::MuidTooNew`],
		///   [`Error::MuidNotMonotonic`], [`Error::MuidBeforeGrant`]; for each version in turn
		///   [`Error::SizeMissing`], [`Error::ContentObjectNotFound`] unless objects may be
		///   created, [`Error::VersionAlreadyExists`].
		/// - Events: [`Event::CopiesAsked`] if it asks other nodes; for each version
		///   [`Event::ContentObjectCreated`] if its object was created,
		///   [`Event::VersionCommitted`].
		#[pallet::call_index(25)]
		#[pallet::weight(commit_versions_weight::<T>(
			len_u32(commit.versions.len()),
			len_u32(commit.copies.len()),
		))]
		pub fn commit_versions(
			origin: OriginFor<T>,
			tenant_signer: T::AccountId,
			commit: VersionCommitOf<T>,
			signature: T::OffchainSignature,
		) -> DispatchResult {
			let provider = Provider::signed(origin, commit.originator)?;
			Self::do_commit_versions(provider, &tenant_signer, commit, &signature)
		}

		/// Declares that a node holds the data of versions: all of the list, or none.
		///
		/// The first node that holds a version makes it final. If its commit asked for it, the
		/// version becomes the head of its object. A late finalization never turns a head back: the
		/// version must have been committed after the head, and after the tenant last set or
		/// cleared the head, and drafted after that, too. Other nodes that hold the version later
		/// do not move a head.
		///
		/// Free of charge for the operator, if it made all versions of the list final and
		/// [`Config::FreeForOperators`] is true.
		///
		/// - Origin: the node's operator, or provider Admin. Each version must have a copy of the
		///   node, under its present medallion.
		/// - Errors: [`Error::EmptyBatch`], [`Error::NodeNotFound`]; for each version in turn
		///   [`Error::VersionNotFound`], [`Error::CopyNotFound`], [`Error::CopyAlreadyHeld`].
		/// - Events: for each version [`Event::CopyHeld`], and [`Event::VersionFinalized`] if it is
		///   final now.
		#[pallet::call_index(26)]
		#[pallet::weight(finalize_versions_weight::<T>(len_u32(versions.len())))]
		pub fn finalize_versions(
			origin: OriginFor<T>,
			provider: ProviderId,
			node: NodeId,
			tenant: TenantId,
			versions: VersionsOf<T, (ContentObjectId, VersionId)>,
		) -> DispatchResultWithPostInfo {
			let provider = Provider::signed(origin, provider)?;
			Self::do_finalize_versions(provider, node, tenant, versions)
		}

		/// Makes a finalized version the head of its object, or clears the head with `None`.
		///
		/// - Origin: tenant Content.
		/// - Errors: [`Error::ContentObjectNotFound`], [`Error::VersionNotFound`],
		///   [`Error::VersionNotFinalized`].
		/// - Events: [`Event::HeadVersionSet`].
		#[pallet::call_index(27)]
		#[pallet::weight(
			T::WeightInfo::set_head_version().saturating_add(T::Observer::head_moved_weight())
		)]
		pub fn set_head_version(
			origin: OriginFor<T>,
			tenant: TenantId,
			object: ContentObjectId,
			version: Option<VersionId>,
		) -> DispatchResult {
			let tenant = Tenant::by(origin, tenant, TenantLevel::can_manage_content)?;
			Self::do_set_head_version(tenant, object, version)
		}

		/// Deletes a version that is not the head of its object.
		///
		/// - Origin: tenant Content.
		/// - Deposit: the deposit for the row is released.
		/// - Errors: [`Error::ContentObjectNotFound`], [`Error::VersionIsHead`],
		///   [`Error::VersionNotFound`].
		/// - Events: [`Event::VersionDeleted`].
		#[pallet::call_index(28)]
		#[pallet::weight(
			T::WeightInfo::delete_version().saturating_add(deleted_version_weight::<T>())
		)]
		pub fn delete_version(
			origin: OriginFor<T>,
			tenant: TenantId,
			object: ContentObjectId,
			version: VersionId,
		) -> DispatchResult {
			let tenant = Tenant::by(origin, tenant, TenantLevel::can_manage_content)?;
			Self::do_delete_version(tenant, object, version)
		}

		/// Deletes a content object without versions.
		///
		/// - Origin: tenant Content.
		/// - Deposit: the deposit for the row is released.
		/// - Errors: [`Error::ContentObjectNotFound`], [`Error::ContentObjectNotEmpty`].
		/// - Events: [`Event::ContentObjectDeleted`].
		#[pallet::call_index(29)]
		pub fn delete_content_object(
			origin: OriginFor<T>,
			tenant: TenantId,
			object: ContentObjectId,
		) -> DispatchResult {
			let tenant = Tenant::by(origin, tenant, TenantLevel::can_manage_content)?;
			Self::do_delete_content_object(tenant, object)
		}

		/// Creates a collection.
		///
		/// - Origin: tenant Admin.
		/// - Deposit: for the row.
		/// - Errors: [`Error::InvalidCollectionName`], [`Error::InvalidRecordKey`] for a literal
		///   that the syntax does not allow, [`Error::CollectionAlreadyExists`].
		/// - Events: [`Event::CollectionCreated`].
		#[pallet::call_index(30)]
		#[pallet::weight(T::WeightInfo::create_collection(len_u32(name.len())))]
		pub fn create_collection(
			origin: OriginFor<T>,
			tenant: TenantId,
			name: CollectionNameOf<T>,
			key_type: RecordKeyTypeOf<T>,
			syntax: RecordKeySyntax,
		) -> DispatchResult {
			let tenant = Tenant::by(origin, tenant, TenantLevel::can_manage_collections)?;
			Self::do_create_collection(tenant, name, key_type, syntax)
		}

		/// Deletes a collection without records.
		///
		/// - Origin: tenant Admin.
		/// - Deposit: the deposit for the row is released.
		/// - Errors: [`Error::CollectionNotFound`], [`Error::CollectionNotEmpty`].
		/// - Events: [`Event::CollectionDeleted`].
		#[pallet::call_index(31)]
		#[pallet::weight(T::WeightInfo::delete_collection(len_u32(name.len())))]
		pub fn delete_collection(
			origin: OriginFor<T>,
			tenant: TenantId,
			name: CollectionNameOf<T>,
		) -> DispatchResult {
			let tenant = Tenant::by(origin, tenant, TenantLevel::can_manage_collections)?;
			Self::do_delete_collection(tenant, name)
		}

		/// Puts records into a collection: all of the list, or none.
		///
		/// A new key creates a record, and a key in use gets the new target. In a collection of
		/// TIDs, the chain mints a key in place of `None`. A target without a version stands for
		/// the head of its object.
		///
		/// - Origin: tenant Content.
		/// - Deposit: for the row of each new record. Other rows are re-priced at the current
		///   deposit rates.
		/// - Errors: [`Error::EmptyBatch`], [`Error::CollectionNotFound`]; for each record in turn
		///   [`Error::InvalidRecordKey`], [`Error::RecordKeyRequired`],
		///   [`Error::ContentObjectNotFound`], [`Error::VersionNotFound`],
		///   [`Error::RecordAlreadyExists`] for a minted key.
		/// - Events: [`Event::RecordPut`] for each.
		#[pallet::call_index(32)]
		#[pallet::weight({
			let (records, key_bytes) = put_records_size::<T>(records);
			put_records_weight::<T>(records, key_bytes)
		})]
		pub fn put_records(
			origin: OriginFor<T>,
			tenant: TenantId,
			collection: CollectionNameOf<T>,
			records: RecordsOf<T, RecordPutOf<T>>,
		) -> DispatchResult {
			let tenant = Tenant::by(origin, tenant, TenantLevel::can_manage_content)?;
			Self::do_put_records(tenant, collection, records)
		}

		/// Deletes records of a collection: all of the list, or none. The content that they name
		/// stays.
		///
		/// - Origin: tenant Content.
		/// - Deposit: the deposits for the rows are released.
		/// - Errors: [`Error::EmptyBatch`], [`Error::CollectionNotFound`],
		///   [`Error::RecordNotFound`].
		/// - Events: [`Event::RecordDeleted`] for each.
		#[pallet::call_index(33)]
		#[pallet::weight(delete_records_weight::<T>(
			len_u32(keys.len()),
			keys.iter().map(|key| len_u32(key.len())).fold(0, u32::saturating_add),
		))]
		pub fn delete_records(
			origin: OriginFor<T>,
			tenant: TenantId,
			collection: CollectionNameOf<T>,
			keys: RecordsOf<T, RecordKeyOf<T>>,
		) -> DispatchResult {
			let tenant = Tenant::by(origin, tenant, TenantLevel::can_manage_content)?;
			Self::do_delete_records(tenant, collection, keys.into_iter())
		}

		/// Slashes the bond of a member, at most all of it. The funds go to [`Config::Slash`].
		///
		/// - Origin: governance of the member's space.
		/// - Events: [`Event::Slashed`].
		#[pallet::call_index(34)]
		#[pallet::weight(T::WeightInfo::slash().saturating_add(T::Observer::slashed_weight()))]
		pub fn slash(
			origin: OriginFor<T>,
			member: MemberId,
			created: Muid,
			amount: BalanceOf<T>,
			reason: ReasonOf<T>,
		) -> DispatchResult {
			guarded!(member, by_governance(origin, created), do_slash(amount, reason))
		}

		/// Suspends a member, or lifts the suspension.
		///
		/// Nobody but governance can act for a suspended member, and its rows stay closed even if
		/// it is frozen as well. A purge of its rows that is under way continues.
		///
		/// - Origin: governance of the member's space.
		/// - Events: [`Event::Suspended`].
		#[pallet::call_index(35)]
		pub fn set_suspended(
			origin: OriginFor<T>,
			member: MemberId,
			created: Muid,
			enabled: bool,
			reason: ReasonOf<T>,
		) -> DispatchResult {
			guarded!(member, by_governance(origin, created), do_set_suspended(enabled, reason))
		}

		/// Freezes a member with the flag `governance_delete`, or lifts the freeze.
		///
		/// Only governance can act for a frozen member. It can delete the member's rows one by one
		/// with the `governance_delete_…` calls, even while the member is suspended, but not while
		/// a purge removes them all.
		///
		/// - Origin: governance of the member's space.
		/// - Events: [`Event::GovernanceDeleteSet`].
		#[pallet::call_index(36)]
		pub fn set_governance_delete(
			origin: OriginFor<T>,
			member: MemberId,
			created: Muid,
			enabled: bool,
			reason: ReasonOf<T>,
		) -> DispatchResult {
			guarded!(
				member,
				by_governance(origin, created),
				do_set_governance_delete(enabled, reason)
			)
		}

		/// Removes a node of a frozen provider.
		///
		/// - Origin: governance of the member's space, while the member is frozen.
		/// - Deposit: the deposit for the row is released.
		/// - Errors: [`Error::NodeNotFound`].
		/// - Events: [`Event::ChildDeletedByGovernance`], [`Event::NodeRemoved`].
		#[pallet::call_index(37)]
		#[pallet::weight(
			T::WeightInfo::governance_delete_node()
				.saturating_add(T::Observer::node_removed_weight())
		)]
		pub fn governance_delete_node(
			origin: OriginFor<T>,
			provider: ProviderId,
			created: Muid,
			node: NodeId,
			reason: ReasonOf<T>,
		) -> DispatchResult {
			Self::do_remove_node(Provider::frozen(origin, created, reason, provider)?, node)
		}

		/// Revokes an access key in a frozen provider.
		///
		/// - Origin: governance of the member's space, while the member is frozen.
		/// - Deposit: the deposit for the row is released.
		/// - Errors: [`Error::KeyNotFound`].
		/// - Events: [`Event::ChildDeletedByGovernance`], [`Event::ProviderKeySet`].
		#[pallet::call_index(38)]
		pub fn governance_delete_provider_key(
			origin: OriginFor<T>,
			id: ProviderId,
			created: Muid,
			account: T::AccountId,
			reason: ReasonOf<T>,
		) -> DispatchResult {
			Self::set_key(Provider::frozen(origin, created, reason, id)?, account, None)
		}

		/// Revokes an access key in a frozen tenant.
		///
		/// - Origin: governance of the member's space, while the member is frozen.
		/// - Deposit: the deposit for the row is released.
		/// - Errors: [`Error::KeyNotFound`].
		/// - Events: [`Event::ChildDeletedByGovernance`], [`Event::TenantKeySet`].
		#[pallet::call_index(39)]
		pub fn governance_delete_tenant_key(
			origin: OriginFor<T>,
			id: TenantId,
			created: Muid,
			account: T::AccountId,
			reason: ReasonOf<T>,
		) -> DispatchResult {
			Self::set_key(Tenant::frozen(origin, created, reason, id)?, account, None)
		}

		/// Removes a KMS of a frozen tenant.
		///
		/// - Origin: governance of the member's space, while the member is frozen.
		/// - Deposit: the deposit for the row is released.
		/// - Errors: [`Error::KmsNotFound`].
		/// - Events: [`Event::ChildDeletedByGovernance`], [`Event::KmsRemoved`].
		#[pallet::call_index(40)]
		pub fn governance_delete_kms(
			origin: OriginFor<T>,
			tenant: TenantId,
			created: Muid,
			kms: KmsId,
			reason: ReasonOf<T>,
		) -> DispatchResult {
			Self::do_remove_kms(Tenant::frozen(origin, created, reason, tenant)?, kms)
		}

		/// Deletes a content object of a frozen tenant. It must not have versions.
		///
		/// - Origin: governance of the member's space, while the member is frozen.
		/// - Deposit: the deposit for the row is released.
		/// - Errors: [`Error::ContentObjectNotFound`], [`Error::ContentObjectNotEmpty`].
		/// - Events: [`Event::ChildDeletedByGovernance`], [`Event::ContentObjectDeleted`].
		#[pallet::call_index(41)]
		pub fn governance_delete_content_object(
			origin: OriginFor<T>,
			tenant: TenantId,
			created: Muid,
			object: ContentObjectId,
			reason: ReasonOf<T>,
		) -> DispatchResult {
			Self::do_delete_content_object(Tenant::frozen(origin, created, reason, tenant)?, object)
		}

		/// Deletes a version of a frozen tenant, even the head.
		///
		/// - Origin: governance of the member's space, while the member is frozen.
		/// - Deposit: the deposit for the row is released.
		/// - Errors: [`Error::ContentObjectNotFound`], [`Error::VersionNotFound`].
		/// - Events: [`Event::ChildDeletedByGovernance`], [`Event::HeadVersionSet`] if it was the
		///   head, [`Event::VersionDeleted`].
		#[pallet::call_index(42)]
		#[pallet::weight(
			T::WeightInfo::governance_delete_version()
				.saturating_add(T::Observer::head_moved_weight())
				.saturating_add(deleted_version_weight::<T>())
		)]
		pub fn governance_delete_version(
			origin: OriginFor<T>,
			tenant: TenantId,
			created: Muid,
			object: ContentObjectId,
			version: VersionId,
			reason: ReasonOf<T>,
		) -> DispatchResult {
			Self::do_governance_delete_version(
				Tenant::frozen(origin, created, reason, tenant)?,
				object,
				version,
			)
		}

		/// Deletes a collection of a frozen tenant. It must not have records.
		///
		/// - Origin: governance of the member's space, while the member is frozen.
		/// - Deposit: the deposit for the row is released.
		/// - Errors: [`Error::CollectionNotFound`], [`Error::CollectionNotEmpty`].
		/// - Events: [`Event::ChildDeletedByGovernance`], [`Event::CollectionDeleted`].
		#[pallet::call_index(43)]
		#[pallet::weight(T::WeightInfo::governance_delete_collection(len_u32(name.len())))]
		pub fn governance_delete_collection(
			origin: OriginFor<T>,
			tenant: TenantId,
			created: Muid,
			name: CollectionNameOf<T>,
			reason: ReasonOf<T>,
		) -> DispatchResult {
			Self::do_delete_collection(Tenant::frozen(origin, created, reason, tenant)?, name)
		}

		/// Deletes a record of a frozen tenant.
		///
		/// - Origin: governance of the member's space, while the member is frozen.
		/// - Deposit: the deposit for the row is released.
		/// - Errors: [`Error::CollectionNotFound`], [`Error::RecordNotFound`].
		/// - Events: [`Event::ChildDeletedByGovernance`], [`Event::RecordDeleted`].
		#[pallet::call_index(44)]
		#[pallet::weight(
			T::WeightInfo::governance_delete_record(len_u32(collection.len()), len_u32(key.len()))
				.saturating_add(T::Observer::record_deleted_weight())
		)]
		pub fn governance_delete_record(
			origin: OriginFor<T>,
			tenant: TenantId,
			created: Muid,
			collection: CollectionNameOf<T>,
			key: RecordKeyOf<T>,
			reason: ReasonOf<T>,
		) -> DispatchResult {
			let tenant = Tenant::frozen(origin, created, reason, tenant)?;
			Self::do_delete_records(tenant, collection, [key].into_iter())
		}

		/// Deletes a whole provider or tenant, however large.
		///
		/// The call settles bond and deposits and closes the member: every call on it or on a row
		/// under it fails from now on with [`Error::BeingDeleted`]. The rows are removed in the
		/// blocks that follow, by the chain itself or by [`reap`](Call::reap). Then the member
		/// itself is removed, and its id is free. A member without rows is removed at once.
		///
		/// - Origin: governance of the member's space.
		/// - Deposit: at most `slash` of the bond is slashed. All else that is on hold for the
		///   member is released.
		/// - Events: [`Event::GovernanceDeleted`]; [`Event::Slashed`] unless `slash` is zero; then
		///   [`Event::PurgeStarted`], [`Event::PurgeProgressed`] for each step and
		///   [`Event::Purged`] after the last, or [`Event::Purged`] at once.
		#[pallet::call_index(45)]
		#[pallet::weight(governance_delete_weight::<T>())]
		pub fn governance_delete(
			origin: OriginFor<T>,
			member: MemberId,
			created: Muid,
			slash: BalanceOf<T>,
			reason: ReasonOf<T>,
		) -> DispatchResult {
			guarded!(member, by_governance(origin, created), do_governance_delete(slash, reason))
		}

		/// Removes at most `limit` rows of a member that is being purged, from the block after the
		/// one in which the purge was started.
		///
		/// Free of charge if it removed at least [`Config::MinFreeReap`] rows, or all that were
		/// left. The weight is for `limit` rows; the part that was not used is refunded.
		///
		/// - Origin: any signed account, while a purge is under way.
		/// - Errors: [`Error::EmptyBatch`], [`Error::NotBeingPurged`], [`Error::PurgeNotStarted`].
		/// - Events: [`Event::PurgeProgressed`]; after the last row [`Event::Purged`] or
		///   [`Event::MemberEmptied`].
		#[pallet::call_index(46)]
		#[pallet::weight(reap_weight::<T>(*limit))]
		pub fn reap(
			origin: OriginFor<T>,
			member: MemberId,
			limit: u32,
		) -> DispatchResultWithPostInfo {
			Self::ensure_signed(origin)
				.map_err(|error| error.with_weight(T::WeightInfo::reap(0)))?;
			Self::do_reap(member, limit)
		}

		/// Asks a node to hold the data of versions: all of the list, or none.
		///
		/// The node must be confirmed, and belong to the tenant's space. A copy of an earlier node
		/// with the same id is replaced.
		///
		/// - Origin: tenant Content.
		/// - Deposit: the rows are re-priced at the current deposit rates, as if the node held the
		///   data.
		/// - Errors: [`Error::EmptyBatch`], the provider's, [`Error::SpaceMismatch`],
		///   [`Error::NodeNotFound`], [`Error::NodePending`]; for each version in turn
		///   [`Error::VersionNotFound`], [`Error::CopyAlreadyExists`], [`Error::TooManyCopies`].
		/// - Events: [`Event::CopyAdded`] for each.
		#[pallet::call_index(47)]
		#[pallet::weight(add_copies_weight::<T>(len_u32(versions.len())))]
		pub fn add_copies(
			origin: OriginFor<T>,
			tenant: TenantId,
			provider: ProviderId,
			node: NodeId,
			versions: VersionsOf<T, (ContentObjectId, VersionId)>,
		) -> DispatchResult {
			let tenant = Tenant::by(origin, tenant, TenantLevel::can_manage_content)?;
			Self::do_add_copies(tenant, (provider, node), versions)
		}

		/// Removes the copies that a node has of versions: all of the list, or none. A final
		/// version without a copy that counts is lost, and stays until the tenant deletes it.
		///
		/// - Origin: tenant Content, even if the provider or node no longer exists; or the node's
		///   operator or provider Admin, for copies of the node under its present medallion.
		/// - Deposit: the rows are re-priced at the current deposit rates. If the node removes its
		///   copy, a row's deposit is at most what it was.
		/// - Errors: [`Error::EmptyBatch`], for the node the provider's and
		///   [`Error::NodeNotFound`]; for each version in turn [`Error::VersionNotFound`],
		///   [`Error::CopyNotFound`].
		/// - Events: [`Event::CopyRemoved`] for each.
		#[pallet::call_index(48)]
		#[pallet::weight(remove_copies_weight::<T>(len_u32(versions.len())))]
		pub fn remove_copies(
			origin: OriginFor<T>,
			tenant: TenantId,
			provider: ProviderId,
			node: NodeId,
			versions: VersionsOf<T, (ContentObjectId, VersionId)>,
		) -> DispatchResult {
			let tenant = Tenant::signed(origin, tenant)?;
			Self::do_remove_copies(tenant, (provider, node), versions)
		}
	}
}
