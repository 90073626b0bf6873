//! The calls of the pallet: who may do what. What is done is in the module of its subject.

/// The calls of the pallet.
#[frame_support::pallet_macros::pallet_section]
mod calls {
	// Indices are grouped by subject: spaces from 0, providers from 10, tenants from 20, content
	// from 30, governance from 50. A call keeps its index for good.
	#[pallet::call]
	impl<T: Config> Pallet<T> {
		/// Creates a space.
		///
		/// ## Dispatch Origin
		///
		/// [`Config::CreateSpaceOrigin`].
		///
		/// ## Errors
		///
		/// - [`Error::SpaceAlreadyExists`]: a space with this id exists.
		/// - [`Error::ClockExhausted`]: the time is past what a muid can hold.
		///
		/// ## Events
		///
		/// - [`Event::SpaceCreated`].
		#[pallet::call_index(0)]
		#[pallet::weight(T::WeightInfo::create_space())]
		pub fn create_space(
			origin: OriginFor<T>,
			space: SpaceId,
			governor: T::AccountId,
		) -> DispatchResult {
			T::CreateSpaceOrigin::ensure_origin(origin)?;
			Self::do_create_space(space, governor)
		}

		/// Gives a space a new governor.
		///
		/// ## Dispatch Origin
		///
		/// [`Config::GovernanceOrigin`] of the space.
		///
		/// ## Errors
		///
		/// - [`Error::SpaceNotFound`]: there is no such space.
		///
		/// ## Events
		///
		/// - [`Event::SpaceGovernorSet`].
		#[pallet::call_index(2)]
		#[pallet::weight(T::WeightInfo::set_space_governor())]
		pub fn set_space_governor(
			origin: OriginFor<T>,
			space: SpaceId,
			governor: T::AccountId,
		) -> DispatchResult {
			T::GovernanceOrigin::ensure_origin(origin, &space)?;
			Self::do_set_space_governor(space, governor)
		}

		/// Deletes an empty space.
		///
		/// ## Dispatch Origin
		///
		/// [`Config::CreateSpaceOrigin`], or [`Config::GovernanceOrigin`] of the space.
		///
		/// ## Errors
		///
		/// - [`Error::SpaceNotFound`]: there is no such space.
		/// - [`Error::SpaceNotEmpty`]: the space still has providers or tenants.
		///
		/// ## Events
		///
		/// - [`Event::SpaceDeleted`].
		#[pallet::call_index(5)]
		#[pallet::weight(T::WeightInfo::delete_space())]
		pub fn delete_space(origin: OriginFor<T>, space: SpaceId) -> DispatchResult {
			T::CreateSpaceOrigin::try_origin(origin)
				.map(drop)
				.or_else(|origin| T::GovernanceOrigin::ensure_origin(origin, &space).map(drop))?;
			Self::do_delete_space(space)
		}

		/// Creates a provider in a space. The signer becomes its root account.
		///
		/// ## Dispatch Origin
		///
		/// Signed by any account.
		///
		/// ## Details
		///
		/// The id is unique over all spaces.
		///
		/// ## Errors
		///
		/// - [`Error::SpaceNotFound`]: there is no such space.
		/// - [`Error::ProviderAlreadyExists`]: a provider with this id exists.
		/// - [`Error::ClockExhausted`]: the time is past what a muid can hold.
		///
		/// ## Events
		///
		/// - [`Event::ProviderCreated`].
		#[pallet::call_index(10)]
		#[pallet::weight(T::WeightInfo::create_provider())]
		pub fn create_provider(
			origin: OriginFor<T>,
			space: SpaceId,
			provider: ProviderId,
		) -> DispatchResult {
			let who = ensure_signed(origin)?;
			Self::do_create_provider(who, space, provider)
		}

		/// Hands a provider over to a new root account.
		///
		/// ## Dispatch Origin
		///
		/// Signed by the root account of the provider, or [`Config::GovernanceOrigin`] of its space, for
		/// the case that the root is lost.
		///
		/// ## Details
		///
		/// The former root keeps no level but one that a key of its own gives it.
		///
		/// ## Errors
		///
		/// - [`Error::ProviderNotFound`]: there is no such provider.
		/// - [`Error::ProviderFrozen`]: governance has frozen the provider, and the origin is its root.
		///
		/// ## Events
		///
		/// - [`Event::ProviderRootSet`].
		#[pallet::call_index(12)]
		#[pallet::weight(T::WeightInfo::set_provider_root())]
		pub fn set_provider_root(
			origin: OriginFor<T>,
			provider: ProviderId,
			root: T::AccountId,
		) -> DispatchResult {
			let provider = Provider::load(provider)?;
			match ensure_signed(origin.clone()) {
				Ok(who) if who == provider.info.root => provider.ensure_active()?,
				_ => {
					T::GovernanceOrigin::ensure_origin(origin, &provider.info.space)?;
				},
			}
			Self::do_set_provider_root(provider, root)
		}

		/// Gives an account a level in a provider, or takes it with `None`.
		///
		/// ## Dispatch Origin
		///
		/// Signed by an account whose level in the provider is above both the account's present level and
		/// its new one.
		///
		/// ## Errors
		///
		/// - [`Error::ProviderNotFound`]: there is no such provider.
		/// - [`Error::ProviderFrozen`]: governance has frozen the provider.
		/// - [`Error::NoPermission`]: the signer's level is not above both levels.
		///
		/// ## Events
		///
		/// - [`Event::ProviderKeySet`].
		#[pallet::call_index(13)]
		#[pallet::weight(T::WeightInfo::set_provider_key())]
		pub fn set_provider_key(
			origin: OriginFor<T>,
			provider: ProviderId,
			account: T::AccountId,
			level: Option<ProviderLevel>,
		) -> DispatchResult {
			let who = ensure_signed(origin)?;
			Self::do_set_provider_key(&who, Provider::active(provider)?, account, level)
		}

		/// Creates a node of a provider. It is pending until it is confirmed.
		///
		/// ## Dispatch Origin
		///
		/// Signed by an account with the level [`ProviderLevel::Admin`] or above in the provider.
		///
		/// ## Details
		///
		/// Gives `operator` the level [`ProviderLevel::Node`] in the provider if it has none, and
		/// lowers none.
		///
		/// ## Errors
		///
		/// - [`Error::ProviderNotFound`]: there is no such provider.
		/// - [`Error::ProviderFrozen`]: governance has frozen the provider.
		/// - [`Error::NoPermission`]: the signer's level is too low.
		/// - [`Error::InvalidLocator`]: the locator is empty, or has a byte that is not a visible
		///   ASCII character.
		/// - [`Error::NodeAlreadyExists`]: the provider has a node with this id.
		///
		/// ## Events
		///
		/// - [`Event::ProviderKeySet`], if the operator had no level.
		/// - [`Event::NodeCreated`].
		#[pallet::call_index(14)]
		#[pallet::weight(T::WeightInfo::create_node())]
		pub fn create_node(
			origin: OriginFor<T>,
			provider: ProviderId,
			node: NodeId,
			operator: T::AccountId,
			locator: LocatorOf<T>,
		) -> DispatchResult {
			let who = ensure_signed(origin)?;
			let provider = Provider::by(&who, provider, ProviderLevel::can_manage_nodes)?;
			Self::do_create_node(provider, node, operator, locator)
		}

		/// Confirms a pending node: from now on it can take in versions.
		///
		/// ## Dispatch Origin
		///
		/// Signed by an account with the level [`ProviderLevel::Node`] or above in the provider.
		///
		/// ## Errors
		///
		/// - [`Error::ProviderNotFound`]: there is no such provider.
		/// - [`Error::ProviderFrozen`]: governance has frozen the provider.
		/// - [`Error::NoPermission`]: the signer's level is too low.
		/// - [`Error::NodeNotFound`]: the provider has no such node.
		/// - [`Error::NodeAlreadyConfirmed`]: the node is not pending.
		///
		/// ## Events
		///
		/// - [`Event::NodeConfirmed`].
		#[pallet::call_index(15)]
		#[pallet::weight(T::WeightInfo::confirm_node())]
		pub fn confirm_node(
			origin: OriginFor<T>,
			provider: ProviderId,
			node: NodeId,
		) -> DispatchResult {
			let who = ensure_signed(origin)?;
			Self::do_confirm_node(
				Provider::by(&who, provider, ProviderLevel::can_operate_nodes)?,
				node,
			)
		}

		/// Sets where a node is reached.
		///
		/// ## Dispatch Origin
		///
		/// Signed by an account with the level [`ProviderLevel::Admin`] or above in the provider.
		///
		/// ## Errors
		///
		/// - [`Error::ProviderNotFound`]: there is no such provider.
		/// - [`Error::ProviderFrozen`]: governance has frozen the provider.
		/// - [`Error::NoPermission`]: the signer's level is too low.
		/// - [`Error::InvalidLocator`]: the locator is empty, or has a byte that is not a visible
		///   ASCII character.
		/// - [`Error::NodeNotFound`]: the provider has no such node.
		///
		/// ## Events
		///
		/// - [`Event::NodeLocatorSet`].
		#[pallet::call_index(16)]
		#[pallet::weight(T::WeightInfo::set_node_locator())]
		pub fn set_node_locator(
			origin: OriginFor<T>,
			provider: ProviderId,
			node: NodeId,
			locator: LocatorOf<T>,
		) -> DispatchResult {
			let who = ensure_signed(origin)?;
			Self::do_set_node_locator(
				Provider::by(&who, provider, ProviderLevel::can_manage_nodes)?,
				node,
				locator,
			)
		}

		/// Removes a node. The versions that it took in stay.
		///
		/// ## Dispatch Origin
		///
		/// Signed by an account with the level [`ProviderLevel::Admin`] or above in the provider.
		///
		/// ## Errors
		///
		/// - [`Error::ProviderNotFound`]: there is no such provider.
		/// - [`Error::ProviderFrozen`]: governance has frozen the provider.
		/// - [`Error::NoPermission`]: the signer's level is too low.
		/// - [`Error::NodeNotFound`]: the provider has no such node.
		///
		/// ## Events
		///
		/// - [`Event::NodeRemoved`].
		#[pallet::call_index(17)]
		#[pallet::weight(T::WeightInfo::remove_node())]
		pub fn remove_node(
			origin: OriginFor<T>,
			provider: ProviderId,
			node: NodeId,
		) -> DispatchResult {
			let who = ensure_signed(origin)?;
			Self::do_remove_node(
				Provider::by(&who, provider, ProviderLevel::can_manage_nodes)?,
				node,
			)
		}

		/// Deletes a provider that has no nodes.
		///
		/// ## Dispatch Origin
		///
		/// Signed by the root account of the provider.
		///
		/// ## Errors
		///
		/// - [`Error::ProviderNotFound`]: there is no such provider.
		/// - [`Error::ProviderFrozen`]: governance has frozen the provider.
		/// - [`Error::NoPermission`]: the signer is not the root account.
		/// - [`Error::ProviderNotEmpty`]: the provider still has nodes.
		///
		/// ## Events
		///
		/// - [`Event::ProviderDeleted`].
		#[pallet::call_index(18)]
		#[pallet::weight(T::WeightInfo::delete_provider())]
		pub fn delete_provider(origin: OriginFor<T>, provider: ProviderId) -> DispatchResult {
			let who = ensure_signed(origin)?;
			Self::do_delete_provider(Provider::by(
				&who,
				provider,
				ProviderLevel::can_delete_provider,
			)?)
		}

		/// Creates a tenant in a space. The signer becomes its root account.
		///
		/// ## Dispatch Origin
		///
		/// Signed by any account.
		///
		/// ## Details
		///
		/// The id is unique over all spaces.
		///
		/// ## Errors
		///
		/// - [`Error::SpaceNotFound`]: there is no such space.
		/// - [`Error::TenantAlreadyExists`]: a tenant with this id exists.
		/// - [`Error::ClockExhausted`]: the time is past what a muid can hold.
		///
		/// ## Events
		///
		/// - [`Event::TenantCreated`].
		#[pallet::call_index(20)]
		#[pallet::weight(T::WeightInfo::create_tenant())]
		pub fn create_tenant(
			origin: OriginFor<T>,
			space: SpaceId,
			tenant: TenantId,
		) -> DispatchResult {
			let who = ensure_signed(origin)?;
			Self::do_create_tenant(who, space, tenant)
		}

		/// Hands a tenant over to a new root account.
		///
		/// ## Dispatch Origin
		///
		/// Signed by the root account of the tenant, or [`Config::GovernanceOrigin`] of its space, for
		/// the case that the root is lost.
		///
		/// ## Details
		///
		/// The former root keeps no level but one that a key of its own gives it.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::TenantFrozen`]: governance has frozen the tenant, and the origin is its root.
		///
		/// ## Events
		///
		/// - [`Event::TenantRootSet`].
		#[pallet::call_index(22)]
		#[pallet::weight(T::WeightInfo::set_tenant_root())]
		pub fn set_tenant_root(
			origin: OriginFor<T>,
			tenant: TenantId,
			root: T::AccountId,
		) -> DispatchResult {
			let tenant = Tenant::load(tenant)?;
			match ensure_signed(origin.clone()) {
				Ok(who) if who == tenant.info.root => tenant.ensure_active()?,
				_ => {
					T::GovernanceOrigin::ensure_origin(origin, &tenant.info.space)?;
				},
			}
			Self::do_set_tenant_root(tenant, root)
		}

		/// Gives an account a level in a tenant, or takes it with `None`.
		///
		/// ## Dispatch Origin
		///
		/// Signed by an account whose level in the tenant is above both the account's present level and
		/// its new one.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::TenantFrozen`]: governance has frozen the tenant.
		/// - [`Error::NoPermission`]: the signer's level is not above both levels.
		///
		/// ## Events
		///
		/// - [`Event::TenantKeySet`].
		#[pallet::call_index(23)]
		#[pallet::weight(T::WeightInfo::set_tenant_key())]
		pub fn set_tenant_key(
			origin: OriginFor<T>,
			tenant: TenantId,
			account: T::AccountId,
			level: Option<TenantLevel>,
		) -> DispatchResult {
			let who = ensure_signed(origin)?;
			Self::do_set_tenant_key(&who, Tenant::active(tenant)?, account, level)
		}

		/// Adds a KMS to a tenant.
		///
		/// ## Dispatch Origin
		///
		/// Signed by an account with the level [`TenantLevel::Admin`] or above in the tenant.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::TenantFrozen`]: governance has frozen the tenant.
		/// - [`Error::NoPermission`]: the signer's level is too low.
		/// - [`Error::InvalidLocator`]: the locator is empty, or has a byte that is not a visible
		///   ASCII character.
		/// - [`Error::KmsAlreadyExists`]: the tenant has a KMS with this id.
		///
		/// ## Events
		///
		/// - [`Event::KmsAdded`].
		#[pallet::call_index(24)]
		#[pallet::weight(T::WeightInfo::add_kms())]
		pub fn add_kms(
			origin: OriginFor<T>,
			tenant: TenantId,
			kms: KmsId,
			locator: LocatorOf<T>,
		) -> DispatchResult {
			let who = ensure_signed(origin)?;
			Self::do_add_kms(Tenant::by(&who, tenant, TenantLevel::can_manage_kmses)?, kms, locator)
		}

		/// Sets where a KMS is reached.
		///
		/// ## Dispatch Origin
		///
		/// Signed by an account with the level [`TenantLevel::Admin`] or above in the tenant.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::TenantFrozen`]: governance has frozen the tenant.
		/// - [`Error::NoPermission`]: the signer's level is too low.
		/// - [`Error::InvalidLocator`]: the locator is empty, or has a byte that is not a visible
		///   ASCII character.
		/// - [`Error::KmsNotFound`]: the tenant has no such KMS.
		///
		/// ## Events
		///
		/// - [`Event::KmsLocatorSet`].
		#[pallet::call_index(25)]
		#[pallet::weight(T::WeightInfo::set_kms_locator())]
		pub fn set_kms_locator(
			origin: OriginFor<T>,
			tenant: TenantId,
			kms: KmsId,
			locator: LocatorOf<T>,
		) -> DispatchResult {
			let who = ensure_signed(origin)?;
			Self::do_set_kms_locator(
				Tenant::by(&who, tenant, TenantLevel::can_manage_kmses)?,
				kms,
				locator,
			)
		}

		/// Removes a KMS. The versions whose keys it holds stay.
		///
		/// ## Dispatch Origin
		///
		/// Signed by an account with the level [`TenantLevel::Admin`] or above in the tenant.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::TenantFrozen`]: governance has frozen the tenant.
		/// - [`Error::NoPermission`]: the signer's level is too low.
		/// - [`Error::KmsNotFound`]: the tenant has no such KMS.
		///
		/// ## Events
		///
		/// - [`Event::KmsRemoved`].
		#[pallet::call_index(26)]
		#[pallet::weight(T::WeightInfo::remove_kms())]
		pub fn remove_kms(origin: OriginFor<T>, tenant: TenantId, kms: KmsId) -> DispatchResult {
			let who = ensure_signed(origin)?;
			Self::do_remove_kms(Tenant::by(&who, tenant, TenantLevel::can_manage_kmses)?, kms)
		}

		/// Deletes a tenant that has no KMSes and no content objects.
		///
		/// ## Dispatch Origin
		///
		/// Signed by the root account of the tenant.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::TenantFrozen`]: governance has frozen the tenant.
		/// - [`Error::NoPermission`]: the signer is not the root account.
		/// - [`Error::TenantNotEmpty`]: the tenant still has KMSes or content objects.
		///
		/// ## Events
		///
		/// - [`Event::TenantDeleted`].
		#[pallet::call_index(27)]
		#[pallet::weight(T::WeightInfo::delete_tenant())]
		pub fn delete_tenant(origin: OriginFor<T>, tenant: TenantId) -> DispatchResult {
			let who = ensure_signed(origin)?;
			Self::do_delete_tenant(Tenant::by(&who, tenant, TenantLevel::can_delete_tenant)?)
		}

		/// Creates a content object without versions.
		///
		/// ## Dispatch Origin
		///
		/// Signed by an account with the level [`TenantLevel::Content`] or above in the tenant.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::TenantFrozen`]: governance has frozen the tenant.
		/// - [`Error::NoPermission`]: the signer's level is too low.
		/// - [`Error::ContentObjectAlreadyExists`]: the tenant has an object with this id.
		/// - [`Error::ClockExhausted`]: the time is past what a muid can hold.
		///
		/// ## Events
		///
		/// - [`Event::ContentObjectCreated`].
		#[pallet::call_index(30)]
		#[pallet::weight(T::WeightInfo::create_content_object())]
		pub fn create_content_object(
			origin: OriginFor<T>,
			tenant: TenantId,
			object: ContentObjectId,
		) -> DispatchResult {
			let who = ensure_signed(origin)?;
			Self::do_create_content_object(
				Tenant::by(&who, tenant, TenantLevel::can_manage_content)?,
				object,
			)
		}

		/// Commits a version of a content object.
		///
		/// ## Dispatch Origin
		///
		/// Signed by an account with the level [`TenantLevel::Content`] or above in the tenant in the message.
		///
		/// ## Details
		///
		/// The node must have been confirmed, and its provider and the tenant must belong to the
		/// same space.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::TenantFrozen`]: governance has frozen the tenant.
		/// - [`Error::NoPermission`]: the signer's level is too low.
		/// - [`Error::ProviderNotFound`]: there is no such provider.
		/// - [`Error::ProviderFrozen`]: governance has frozen the provider.
		/// - [`Error::SpaceMismatch`]: provider and tenant belong to different spaces.
		/// - [`Error::NodeNotFound`]: the provider has no such node.
		/// - [`Error::NodePending`]: the node has not been confirmed.
		/// - [`Error::KmsNotFound`]: the tenant has no such KMS.
		/// - [`Error::VersionAlreadyExists`]: the object has this version.
		/// - [`Error::ContentObjectNotFound`]: the tenant has no such object.
		/// - [`Error::ClockExhausted`]: the time is past what a muid can hold.
		///
		/// ## Events
		///
		/// - [`Event::VersionCommitted`].
		#[pallet::call_index(31)]
		#[pallet::weight(T::WeightInfo::commit_version())]
		pub fn commit_version(
			origin: OriginFor<T>,
			message: VersionCommitMessage,
		) -> DispatchResult {
			let who = ensure_signed(origin)?;
			Self::do_commit_version(
				Tenant::by(&who, message.tenant, TenantLevel::can_manage_content)?,
				message,
			)
		}

		/// Declares the data of a version complete.
		///
		/// ## Dispatch Origin
		///
		/// Signed by an account with the level [`ProviderLevel::Node`] or above in the provider that
		/// originated the version.
		///
		/// ## Details
		///
		/// Makes the version the head of its object if its commit asked so.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::TenantFrozen`]: governance has frozen the tenant.
		/// - [`Error::VersionNotFound`]: the object has no such version.
		/// - [`Error::ProviderNotFound`]: the originator has been deleted.
		/// - [`Error::ProviderFrozen`]: governance has frozen the provider.
		/// - [`Error::NoPermission`]: the signer has no level in the provider.
		/// - [`Error::VersionAlreadyFinalized`]: the version has been finalized before.
		///
		/// ## Events
		///
		/// - [`Event::VersionFinalized`].
		/// - [`Event::HeadVersionSet`], if the commit asked so.
		#[pallet::call_index(32)]
		#[pallet::weight(T::WeightInfo::finalize_version())]
		pub fn finalize_version(
			origin: OriginFor<T>,
			tenant: TenantId,
			object: ContentObjectId,
			version: VersionId,
		) -> DispatchResult {
			let who = ensure_signed(origin)?;
			Self::do_finalize_version(&who, Tenant::active(tenant)?, object, version)
		}

		/// Sets the head of a content object, or clears it with `None`.
		///
		/// ## Dispatch Origin
		///
		/// Signed by an account with the level [`TenantLevel::Content`] or above in the tenant.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::TenantFrozen`]: governance has frozen the tenant.
		/// - [`Error::NoPermission`]: the signer's level is too low.
		/// - [`Error::VersionNotFound`]: the object has no such version.
		/// - [`Error::VersionNotFinalized`]: the version has not been finalized.
		/// - [`Error::ContentObjectNotFound`]: the tenant has no such object.
		///
		/// ## Events
		///
		/// - [`Event::HeadVersionSet`].
		#[pallet::call_index(33)]
		#[pallet::weight(T::WeightInfo::set_head_version())]
		pub fn set_head_version(
			origin: OriginFor<T>,
			tenant: TenantId,
			object: ContentObjectId,
			version: Option<VersionId>,
		) -> DispatchResult {
			let who = ensure_signed(origin)?;
			Self::do_set_head_version(
				Tenant::by(&who, tenant, TenantLevel::can_manage_content)?,
				object,
				version,
			)
		}

		/// Deletes a version that is not the head of its object.
		///
		/// ## Dispatch Origin
		///
		/// Signed by an account with the level [`TenantLevel::Content`] or above in the tenant.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::TenantFrozen`]: governance has frozen the tenant.
		/// - [`Error::NoPermission`]: the signer's level is too low.
		/// - [`Error::VersionNotFound`]: the object has no such version.
		/// - [`Error::VersionIsHead`]: the version is the head of its object.
		///
		/// ## Events
		///
		/// - [`Event::VersionDeleted`].
		#[pallet::call_index(34)]
		#[pallet::weight(T::WeightInfo::delete_version())]
		pub fn delete_version(
			origin: OriginFor<T>,
			tenant: TenantId,
			object: ContentObjectId,
			version: VersionId,
		) -> DispatchResult {
			let who = ensure_signed(origin)?;
			Self::do_delete_version(
				Tenant::by(&who, tenant, TenantLevel::can_manage_content)?,
				object,
				version,
			)
		}

		/// Deletes a content object that has no versions.
		///
		/// ## Dispatch Origin
		///
		/// Signed by an account with the level [`TenantLevel::Content`] or above in the tenant.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::TenantFrozen`]: governance has frozen the tenant.
		/// - [`Error::NoPermission`]: the signer's level is too low.
		/// - [`Error::ContentObjectNotFound`]: the tenant has no such object.
		/// - [`Error::ContentObjectNotEmpty`]: the object still has versions.
		///
		/// ## Events
		///
		/// - [`Event::ContentObjectDeleted`].
		#[pallet::call_index(35)]
		#[pallet::weight(T::WeightInfo::delete_content_object())]
		pub fn delete_content_object(
			origin: OriginFor<T>,
			tenant: TenantId,
			object: ContentObjectId,
		) -> DispatchResult {
			let who = ensure_signed(origin)?;
			Self::do_delete_content_object(
				Tenant::by(&who, tenant, TenantLevel::can_manage_content)?,
				object,
			)
		}

		/// Freezes a provider or tenant and gives its children up to deletion, or lifts that.
		///
		/// ## Dispatch Origin
		///
		/// [`Config::GovernanceOrigin`] of the space that the subject belongs to.
		///
		/// ## Details
		///
		/// While the flag is set, every signed call on the subject and its children
		/// fails, and anyone may call `governance_delete_…` on the children.
		///
		/// ## Errors
		///
		/// - [`Error::ProviderNotFound`]: there is no such provider.
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		///
		/// ## Events
		///
		/// - [`Event::GovernanceDeleteSet`].
		#[pallet::call_index(50)]
		#[pallet::weight(T::WeightInfo::set_governance_delete())]
		pub fn set_governance_delete(
			origin: OriginFor<T>,
			subject: Subject,
			enabled: bool,
		) -> DispatchResult {
			let space = match subject {
				Subject::Provider(provider) => Provider::<T>::load(provider)?.info.space,
				Subject::Tenant(tenant) => Tenant::<T>::load(tenant)?.info.space,
			};
			T::GovernanceOrigin::ensure_origin(origin, &space)?;
			Self::do_set_governance_delete(subject, enabled)
		}

		/// Deletes a node of a provider that governance has given up.
		///
		/// ## Dispatch Origin
		///
		/// Signed by any account.
		///
		/// ## Details
		///
		/// There is no fee if a row was deleted.
		///
		/// ## Errors
		///
		/// - [`Error::ProviderNotFound`]: there is no such provider.
		/// - [`Error::GovernanceDeleteNotSet`]: governance has not set the flag.
		/// - [`Error::NodeNotFound`]: the provider has no such node.
		///
		/// ## Events
		///
		/// - [`Event::NodeRemoved`].
		#[pallet::call_index(51)]
		#[pallet::weight(T::WeightInfo::governance_delete_node())]
		pub fn governance_delete_node(
			origin: OriginFor<T>,
			provider: ProviderId,
			node: NodeId,
		) -> DispatchResultWithPostInfo {
			ensure_signed(origin)?;
			Self::do_remove_node(Provider::given_up(provider)?, node)?;
			Ok(Pays::No.into())
		}

		/// Deletes a KMS of a tenant that governance has given up.
		///
		/// ## Dispatch Origin
		///
		/// Signed by any account.
		///
		/// ## Details
		///
		/// There is no fee if a row was deleted.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::GovernanceDeleteNotSet`]: governance has not set the flag.
		/// - [`Error::KmsNotFound`]: the tenant has no such KMS.
		///
		/// ## Events
		///
		/// - [`Event::KmsRemoved`].
		#[pallet::call_index(52)]
		#[pallet::weight(T::WeightInfo::governance_delete_kms())]
		pub fn governance_delete_kms(
			origin: OriginFor<T>,
			tenant: TenantId,
			kms: KmsId,
		) -> DispatchResultWithPostInfo {
			ensure_signed(origin)?;
			Self::do_remove_kms(Tenant::given_up(tenant)?, kms)?;
			Ok(Pays::No.into())
		}

		/// Deletes a content object of a tenant that governance has given up.
		///
		/// ## Dispatch Origin
		///
		/// Signed by any account.
		///
		/// ## Details
		///
		/// There is no fee if a row was deleted.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::GovernanceDeleteNotSet`]: governance has not set the flag.
		/// - [`Error::ContentObjectNotFound`]: the tenant has no such object.
		/// - [`Error::ContentObjectNotEmpty`]: the object still has versions; delete them first.
		///
		/// ## Events
		///
		/// - [`Event::ContentObjectDeleted`].
		#[pallet::call_index(53)]
		#[pallet::weight(T::WeightInfo::governance_delete_content_object())]
		pub fn governance_delete_content_object(
			origin: OriginFor<T>,
			tenant: TenantId,
			object: ContentObjectId,
		) -> DispatchResultWithPostInfo {
			ensure_signed(origin)?;
			Self::do_delete_content_object(Tenant::given_up(tenant)?, object)?;
			Ok(Pays::No.into())
		}

		/// Deletes a version of a content object of a tenant that governance has given up.
		///
		/// ## Dispatch Origin
		///
		/// Signed by any account.
		///
		/// ## Details
		///
		/// The head may be deleted too; the object then has none.
		/// There is no fee if a row was deleted.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::GovernanceDeleteNotSet`]: governance has not set the flag.
		/// - [`Error::ContentObjectNotFound`]: the tenant has no such object.
		/// - [`Error::VersionNotFound`]: the object has no such version.
		///
		/// ## Events
		///
		/// - [`Event::HeadVersionSet`] with `None`, if the version was the head.
		/// - [`Event::VersionDeleted`].
		#[pallet::call_index(54)]
		#[pallet::weight(T::WeightInfo::governance_delete_version())]
		pub fn governance_delete_version(
			origin: OriginFor<T>,
			tenant: TenantId,
			object: ContentObjectId,
			version: VersionId,
		) -> DispatchResultWithPostInfo {
			ensure_signed(origin)?;
			Self::do_governance_delete_version(Tenant::given_up(tenant)?, object, version)?;
			Ok(Pays::No.into())
		}

		/// Deletes a provider with all its nodes.
		///
		/// ## Dispatch Origin
		///
		/// [`Config::GovernanceOrigin`] of the space that the provider belongs to.
		///
		/// ## Details
		///
		/// The weight is that of `max_rows` rows, refunded to the rows that there were. The view
		/// function `rows` tells how many there are. The id can be used again at once.
		///
		/// ## Errors
		///
		/// - [`Error::ProviderNotFound`]: there is no such provider.
		/// - [`Error::TooManyRows`]: there are more than `max_rows` rows under the provider;
		///   nothing is changed.
		///
		/// ## Events
		///
		/// - [`Event::ProviderDeleted`].
		#[pallet::call_index(57)]
		#[pallet::weight(T::WeightInfo::governance_delete_provider(*max_rows))]
		pub fn governance_delete_provider(
			origin: OriginFor<T>,
			provider: ProviderId,
			max_rows: u32,
		) -> DispatchResultWithPostInfo {
			let provider = Provider::load(provider)?;
			T::GovernanceOrigin::ensure_origin(origin, &provider.info.space)?;
			Self::do_governance_delete_provider(provider, max_rows)
		}

		/// Deletes a tenant with all its KMSes, content objects and versions.
		///
		/// ## Dispatch Origin
		///
		/// [`Config::GovernanceOrigin`] of the space that the tenant belongs to.
		///
		/// ## Details
		///
		/// The weight is that of `max_rows` rows, refunded to the rows that there were. The view
		/// function `rows` tells how many there are. The id can be used again at once.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::TooManyRows`]: there are more than `max_rows` rows under the tenant; nothing
		///   is changed.
		///
		/// ## Events
		///
		/// - [`Event::TenantDeleted`].
		#[pallet::call_index(58)]
		#[pallet::weight(T::WeightInfo::governance_delete_tenant(*max_rows))]
		pub fn governance_delete_tenant(
			origin: OriginFor<T>,
			tenant: TenantId,
			max_rows: u32,
		) -> DispatchResultWithPostInfo {
			let tenant = Tenant::load(tenant)?;
			T::GovernanceOrigin::ensure_origin(origin, &tenant.info.space)?;
			Self::do_governance_delete_tenant(tenant, max_rows)
		}
	}
}
