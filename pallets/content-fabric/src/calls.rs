//! The calls of the pallet: who may do what. What is done is in the module of its subject.

/// The calls of the pallet.
#[frame_support::pallet_macros::pallet_section]
mod calls {
	// Indices are grouped by subject: spaces from 0, providers from 10, tenants from 20, content
	// from 30, records from 40, governance from 50. A call keeps its index for good.
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
		#[pallet::weight(T::WeightInfo::create_space(rules.sla.len() as u32))]
		pub fn create_space(
			origin: OriginFor<T>,
			space: SpaceId,
			governor: T::AccountId,
			rules: SpaceRulesOf<T>,
		) -> DispatchResult {
			T::CreateSpaceOrigin::ensure_origin(origin)?;
			Self::do_create_space(space, governor, rules)
		}

		/// Gives a space new rules.
		///
		/// ## Dispatch Origin
		///
		/// [`Config::GovernanceOrigin`] of the space.
		///
		/// ## Details
		///
		/// New rules seize no funds. A provider or tenant whose bond is less than they ask for is
		/// under-bonded: it cannot add rows until its bond is topped up. One whose bond is more keeps it
		/// bonded until it is deleted.
		///
		/// ## Errors
		///
		/// - [`Error::SpaceNotFound`]: there is no such space.
		///
		/// ## Events
		///
		/// - [`Event::SpaceRulesSet`].
		#[pallet::call_index(1)]
		#[pallet::weight(T::WeightInfo::set_space_rules(rules.sla.len() as u32))]
		pub fn set_space_rules(
			origin: OriginFor<T>,
			space: SpaceId,
			rules: SpaceRulesOf<T>,
		) -> DispatchResult {
			Self::ensure_governance(origin, space)?;
			Self::do_set_space_rules(space, rules)
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
			Self::ensure_governance(origin, space)?;
			Self::do_set_space_governor(space, governor)
		}

		/// Admits an account to a space: it may create one provider, or one tenant, there.
		///
		/// ## Dispatch Origin
		///
		/// [`Config::GovernanceOrigin`] of the space.
		///
		/// ## Details
		///
		/// Only where the rules of the space ask for approval is an admission needed, and used up. An
		/// account can be admitted as both, but only once at a time as each.
		///
		/// ## Errors
		///
		/// - [`Error::SpaceNotFound`]: there is no such space.
		/// - [`Error::AlreadyAdmitted`]: the account is admitted, and has not used that.
		/// - [`Error::TooManyAdmissions`]: [`Config::MaxAdmissions`] admissions have not been used.
		///
		/// ## Events
		///
		/// - [`Event::Admitted`].
		#[pallet::call_index(3)]
		#[pallet::weight(T::WeightInfo::admit())]
		pub fn admit(
			origin: OriginFor<T>,
			space: SpaceId,
			account: T::AccountId,
			role: Role,
		) -> DispatchResult {
			Self::ensure_governance(origin, space)?;
			Self::do_admit(space, account, role)
		}

		/// Takes back an admission that has not been used.
		///
		/// ## Dispatch Origin
		///
		/// [`Config::GovernanceOrigin`] of the space.
		///
		/// ## Errors
		///
		/// - [`Error::SpaceNotFound`]: there is no such space.
		/// - [`Error::AdmissionNotFound`]: the account is not admitted as that, or has used it.
		///
		/// ## Events
		///
		/// - [`Event::AdmissionRevoked`].
		#[pallet::call_index(4)]
		#[pallet::weight(T::WeightInfo::revoke_admission())]
		pub fn revoke_admission(
			origin: OriginFor<T>,
			space: SpaceId,
			account: T::AccountId,
			role: Role,
		) -> DispatchResult {
			Self::ensure_governance(origin, space)?;
			Self::do_revoke_admission(space, account, role)
		}

		/// Deletes an empty space, with its admissions.
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
		#[pallet::weight(T::WeightInfo::delete_space(T::MaxAdmissions::get()))]
		pub fn delete_space(origin: OriginFor<T>, space: SpaceId) -> DispatchResultWithPostInfo {
			T::CreateSpaceOrigin::try_origin(origin)
				.map(drop)
				.or_else(|origin| Self::ensure_governance(origin, space))?;
			Self::do_delete_space(space)
		}

		/// Creates a provider in a space. The signer becomes its root account.
		///
		/// ## Dispatch Origin
		///
		/// Signed by any account; where the space asks for approval, by one that is admitted as a
		/// provider.
		///
		/// ## Details
		///
		/// The id is unique over all spaces. The admission is used up.
		///
		/// ## Deposits
		///
		/// The bond that the rules of the space ask of a provider is held on the signer, who becomes
		/// the depositor.
		///
		/// ## Errors
		///
		/// - [`Error::ProviderAlreadyExists`]: a provider with this id exists.
		/// - [`Error::BeingDeleted`]: a provider with this id was deleted, and is not gone yet.
		/// - [`Error::SpaceNotFound`]: there is no such space.
		/// - [`Error::NotAdmitted`]: the space asks for approval, and the signer has none.
		/// - An error of [`Config::Currency`]: the signer does not have the bond free.
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
			Self::do_create_member::<ProviderKind>(who, space, provider)
		}

		/// Adds to the bond of a provider.
		///
		/// ## Dispatch Origin
		///
		/// Signed by the root account of the provider.
		///
		/// ## Details
		///
		/// If the provider was handed over, and what is held for it is held on another account, all of
		/// that moves to the signer: the same amounts are held on the signer, and released to the former
		/// depositor. An amount of 0 does only that.
		///
		/// ## Deposits
		///
		/// The amount is held on the signer.
		///
		/// ## Errors
		///
		/// - [`Error::ProviderNotFound`]: there is no such provider.
		/// - [`Error::BeingDeleted`]: governance has deleted the provider.
		/// - [`Error::ProviderFrozen`]: governance has frozen the provider.
		/// - [`Error::NoPermission`]: the signer is not the root account.
		/// - An error of [`Config::Currency`]: the signer does not have the amount free.
		///
		/// ## Events
		///
		/// - [`Event::ProviderBondToppedUp`].
		#[pallet::call_index(11)]
		#[pallet::weight(T::WeightInfo::top_up_provider_bond())]
		pub fn top_up_provider_bond(
			origin: OriginFor<T>,
			provider: ProviderId,
			amount: BalanceOf<T>,
		) -> DispatchResult {
			let who = ensure_signed(origin)?;
			let provider = Provider::by(&who, provider, ProviderLevel::can_top_up_bond)?;
			Self::do_top_up_bond(who, provider, amount)
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
		/// - [`Error::BeingDeleted`]: governance has deleted the provider.
		/// - [`Error::ProviderFrozen`]: governance has frozen the provider, and the origin is its root.
		/// - [`BadOrigin`](sp_runtime::DispatchError::BadOrigin): the origin is neither.
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
			let provider = Provider::<T>::load(provider)?;
			provider.ensure_root_or_governance(origin)?;
			Self::do_set_root(provider, root)
		}

		/// Gives an account a level in a provider, or takes it with `None`.
		///
		/// ## Dispatch Origin
		///
		/// Signed by an account whose level in the provider is above both the account's present level and
		/// its new one.
		///
		/// ## Details
		///
		/// `None` for an account that has no level changes nothing. The root can take the key that it had
		/// before it became the root, and nothing else of its own.
		///
		/// ## Deposits
		///
		/// A deposit for the row is held on the depositor of the provider when the account is given a level,
		/// and given back when it loses it.
		///
		/// ## Errors
		///
		/// - [`Error::ProviderNotFound`]: there is no such provider.
		/// - [`Error::BeingDeleted`]: governance has deleted the provider.
		/// - [`Error::ProviderFrozen`]: governance has frozen the provider.
		/// - [`Error::NoPermission`]: the signer's level is not above both levels.
		/// - [`Error::ProviderUnderBonded`]: the account has no level so far, and the bond is less than the
		///   rules of the space ask for.
		/// - An error of [`Config::Currency`]: the depositor does not have the deposit free.
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
			Self::do_set_key(&who, Provider::active(provider)?, account, level)
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
		/// lowers none. Assigns the node a medallion that no other has or had: the one that the muids of
		/// its version commits must have.
		///
		/// ## Deposits
		///
		/// Deposits for the rows of the node, and of the operator's level, are held on the depositor of the provider.
		///
		/// ## Errors
		///
		/// - [`Error::ProviderNotFound`]: there is no such provider.
		/// - [`Error::BeingDeleted`]: governance has deleted the provider.
		/// - [`Error::ProviderFrozen`]: governance has frozen the provider.
		/// - [`Error::NoPermission`]: the signer's level is too low.
		/// - [`Error::InvalidLocator`]: the locator is empty, or has a byte that is not a visible
		///   ASCII character.
		/// - [`Error::ProviderUnderBonded`]: the bond is less than the rules of the space ask for.
		/// - [`Error::NodeAlreadyExists`]: the provider has a node with this id.
		/// - [`Error::MedallionsExhausted`]: as many nodes were created as there are medallions, 2^40.
		/// - An error of [`Config::Currency`]: the depositor does not have the deposit free.
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
		/// - [`Error::BeingDeleted`]: governance has deleted the provider.
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
		/// ## Deposits
		///
		/// The deposit for the row becomes what a row of its new size costs now.
		///
		/// ## Errors
		///
		/// - [`Error::ProviderNotFound`]: there is no such provider.
		/// - [`Error::BeingDeleted`]: governance has deleted the provider.
		/// - [`Error::ProviderFrozen`]: governance has frozen the provider.
		/// - [`Error::NoPermission`]: the signer's level is too low.
		/// - [`Error::InvalidLocator`]: the locator is empty, or has a byte that is not a visible
		///   ASCII character.
		/// - [`Error::NodeNotFound`]: the provider has no such node.
		/// - An error of [`Config::Currency`]: the depositor does not have the difference free.
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
		/// ## Deposits
		///
		/// The deposit for its row is given back.
		///
		/// ## Errors
		///
		/// - [`Error::ProviderNotFound`]: there is no such provider.
		/// - [`Error::BeingDeleted`]: governance has deleted the provider.
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

		/// Deletes a provider that has no keys and no nodes.
		///
		/// ## Dispatch Origin
		///
		/// Signed by the root account of the provider.
		///
		/// ## Deposits
		///
		/// The bond is released.
		///
		/// ## Errors
		///
		/// - [`Error::ProviderNotFound`]: there is no such provider.
		/// - [`Error::BeingDeleted`]: governance has deleted the provider.
		/// - [`Error::ProviderFrozen`]: governance has frozen the provider.
		/// - [`Error::NoPermission`]: the signer is not the root account.
		/// - [`Error::ProviderNotEmpty`]: the provider still has keys or nodes.
		///
		/// ## Events
		///
		/// - [`Event::ProviderDeleted`].
		#[pallet::call_index(18)]
		#[pallet::weight(T::WeightInfo::delete_provider())]
		pub fn delete_provider(origin: OriginFor<T>, provider: ProviderId) -> DispatchResult {
			let who = ensure_signed(origin)?;
			Self::do_delete_member(Provider::by(
				&who,
				provider,
				ProviderLevel::can_delete_provider,
			)?)
		}

		/// Creates a tenant in a space. The signer becomes its root account.
		///
		/// ## Dispatch Origin
		///
		/// Signed by any account; where the space asks for approval, by one that is admitted as a
		/// tenant.
		///
		/// ## Details
		///
		/// The id is unique over all spaces. The admission is used up.
		///
		/// ## Deposits
		///
		/// The bond that the rules of the space ask of a tenant is held on the signer, who becomes
		/// the depositor.
		///
		/// ## Errors
		///
		/// - [`Error::TenantAlreadyExists`]: a tenant with this id exists.
		/// - [`Error::BeingDeleted`]: a tenant with this id was deleted, and is not gone yet.
		/// - [`Error::SpaceNotFound`]: there is no such space.
		/// - [`Error::NotAdmitted`]: the space asks for approval, and the signer has none.
		/// - An error of [`Config::Currency`]: the signer does not have the bond free.
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
			Self::do_create_member::<TenantKind>(who, space, tenant)
		}

		/// Adds to the bond of a tenant.
		///
		/// ## Dispatch Origin
		///
		/// Signed by the root account of the tenant.
		///
		/// ## Details
		///
		/// If the tenant was handed over, and what is held for it is held on another account, all of
		/// that moves to the signer: the same amounts are held on the signer, and released to the former
		/// depositor. An amount of 0 does only that.
		///
		/// ## Deposits
		///
		/// The amount is held on the signer.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::BeingDeleted`]: governance has deleted the tenant.
		/// - [`Error::TenantFrozen`]: governance has frozen the tenant.
		/// - [`Error::NoPermission`]: the signer is not the root account.
		/// - An error of [`Config::Currency`]: the signer does not have the amount free.
		///
		/// ## Events
		///
		/// - [`Event::TenantBondToppedUp`].
		#[pallet::call_index(21)]
		#[pallet::weight(T::WeightInfo::top_up_tenant_bond())]
		pub fn top_up_tenant_bond(
			origin: OriginFor<T>,
			tenant: TenantId,
			amount: BalanceOf<T>,
		) -> DispatchResult {
			let who = ensure_signed(origin)?;
			let tenant = Tenant::by(&who, tenant, TenantLevel::can_top_up_bond)?;
			Self::do_top_up_bond(who, tenant, amount)
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
		/// - [`Error::BeingDeleted`]: governance has deleted the tenant.
		/// - [`Error::TenantFrozen`]: governance has frozen the tenant, and the origin is its root.
		/// - [`BadOrigin`](sp_runtime::DispatchError::BadOrigin): the origin is neither.
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
			let tenant = Tenant::<T>::load(tenant)?;
			tenant.ensure_root_or_governance(origin)?;
			Self::do_set_root(tenant, root)
		}

		/// Gives an account a level in a tenant, or takes it with `None`.
		///
		/// ## Dispatch Origin
		///
		/// Signed by an account whose level in the tenant is above both the account's present level and
		/// its new one.
		///
		/// ## Details
		///
		/// `None` for an account that has no level changes nothing. The root can take the key that it had
		/// before it became the root, and nothing else of its own.
		///
		/// ## Deposits
		///
		/// A deposit for the row is held on the depositor of the tenant when the account is given a level,
		/// and given back when it loses it.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::BeingDeleted`]: governance has deleted the tenant.
		/// - [`Error::TenantFrozen`]: governance has frozen the tenant.
		/// - [`Error::NoPermission`]: the signer's level is not above both levels.
		/// - [`Error::TenantUnderBonded`]: the account has no level so far, and the bond is less than the
		///   rules of the space ask for.
		/// - An error of [`Config::Currency`]: the depositor does not have the deposit free.
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
			Self::do_set_key(&who, Tenant::active(tenant)?, account, level)
		}

		/// Adds a KMS to a tenant.
		///
		/// ## Dispatch Origin
		///
		/// Signed by an account with the level [`TenantLevel::Admin`] or above in the tenant.
		///
		/// ## Deposits
		///
		/// A deposit for the row is held on the depositor of the tenant.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::BeingDeleted`]: governance has deleted the tenant.
		/// - [`Error::TenantFrozen`]: governance has frozen the tenant.
		/// - [`Error::NoPermission`]: the signer's level is too low.
		/// - [`Error::InvalidLocator`]: the locator is empty, or has a byte that is not a visible
		///   ASCII character.
		/// - [`Error::TenantUnderBonded`]: the bond is less than the rules of the space ask for.
		/// - [`Error::KmsAlreadyExists`]: the tenant has a KMS with this id.
		/// - An error of [`Config::Currency`]: the depositor does not have the deposit free.
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
		/// ## Deposits
		///
		/// The deposit for the row becomes what a row of its new size costs now.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::BeingDeleted`]: governance has deleted the tenant.
		/// - [`Error::TenantFrozen`]: governance has frozen the tenant.
		/// - [`Error::NoPermission`]: the signer's level is too low.
		/// - [`Error::InvalidLocator`]: the locator is empty, or has a byte that is not a visible
		///   ASCII character.
		/// - [`Error::KmsNotFound`]: the tenant has no such KMS.
		/// - An error of [`Config::Currency`]: the depositor does not have the difference free.
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
		/// ## Deposits
		///
		/// The deposit for its row is given back.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::BeingDeleted`]: governance has deleted the tenant.
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

		/// Deletes a tenant that has no rows under it.
		///
		/// ## Dispatch Origin
		///
		/// Signed by the root account of the tenant.
		///
		/// ## Deposits
		///
		/// The bond is released.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::BeingDeleted`]: governance has deleted the tenant.
		/// - [`Error::TenantFrozen`]: governance has frozen the tenant.
		/// - [`Error::NoPermission`]: the signer is not the root account.
		/// - [`Error::TenantNotEmpty`]: the tenant still has keys, KMSes, content objects or
		///   collections.
		///
		/// ## Events
		///
		/// - [`Event::TenantDeleted`].
		#[pallet::call_index(27)]
		#[pallet::weight(T::WeightInfo::delete_tenant())]
		pub fn delete_tenant(origin: OriginFor<T>, tenant: TenantId) -> DispatchResult {
			let who = ensure_signed(origin)?;
			Self::do_delete_member(Tenant::by(&who, tenant, TenantLevel::can_delete_tenant)?)
		}

		/// Creates a content object without versions.
		///
		/// ## Dispatch Origin
		///
		/// Signed by an account with the level [`TenantLevel::Content`] or above in the tenant.
		///
		/// ## Deposits
		///
		/// A deposit for the row is held on the depositor of the tenant.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::BeingDeleted`]: governance has deleted the tenant.
		/// - [`Error::TenantFrozen`]: governance has frozen the tenant.
		/// - [`Error::NoPermission`]: the signer's level is too low.
		/// - [`Error::TenantUnderBonded`]: the bond is less than the rules of the space ask for.
		/// - [`Error::ContentObjectAlreadyExists`]: the tenant has an object with this id.
		/// - [`Error::ClockExhausted`]: the time is past what a muid can hold.
		/// - An error of [`Config::Currency`]: the depositor does not have the deposit free.
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

		/// Commits a version of a content object, in the name of a node that takes in the data and with
		/// the consent of the tenant.
		///
		/// ## Dispatch Origin
		///
		/// Signed by an account with the level [`ProviderLevel::Node`] or above in the originator.
		///
		/// ## Details
		///
		/// `signature` is that of `tenant_signer`, an account with the level [`TenantLevel::Content`]
		/// or above in the tenant, under the bytes `content-fabric/version-commit/v1`, the hash of the
		/// chain's genesis block, and the SCALE encoding of the message; or under those bytes between
		/// `<Bytes>` and `</Bytes>`, as wallets sign them.
		///
		/// The message can be used once: its muid must have the node's medallion, and be later than all
		/// that the node has committed with. A node that is removed and created again has another
		/// medallion.
		///
		/// ## Deposits
		///
		/// A deposit for the row is held on the depositor of the tenant.
		///
		/// ## Errors
		///
		/// - [`Error::ProviderNotFound`]: there is no such provider.
		/// - [`Error::ProviderFrozen`]: governance has frozen the provider.
		/// - [`Error::NoPermission`]: the signer of the transaction has no level in the provider.
		/// - [`Error::NodeNotFound`]: the provider has no such node.
		/// - [`Error::NodePending`]: the node has not been confirmed.
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::BeingDeleted`]: governance has deleted the provider or the tenant.
		/// - [`Error::TenantFrozen`]: governance has frozen the tenant.
		/// - [`Error::SignerNotPermitted`]: `tenant_signer` has no level in the tenant.
		/// - [`Error::SpaceMismatch`]: provider and tenant belong to different spaces.
		/// - [`Error::ProviderUnderBonded`], [`Error::TenantUnderBonded`]: the bond is less than the
		///   rules of the space ask for.
		/// - [`Error::ContentObjectNotFound`]: the tenant has no such object.
		/// - [`Error::KmsNotFound`]: the tenant has no such KMS.
		/// - [`Error::VersionAlreadyExists`]: the object has this version.
		/// - [`Error::InvalidSignature`]: `tenant_signer` has not signed this message for this chain.
		/// - [`Error::MuidOfOtherNode`]: the muid does not have the node's medallion.
		/// - [`Error::MuidTooOld`]: the muid is more than [`Config::MaxCommitAge`] before the block.
		/// - [`Error::MuidTooNew`]: the muid is more than [`Config::MaxClockDrift`] after the block.
		/// - [`Error::MuidNotRising`]: the muid is not later than that of the node's last commit.
		/// - [`Error::ClockExhausted`]: the time is past what a muid can hold.
		/// - An error of [`Config::Currency`]: the depositor does not have the deposit free.
		///
		/// ## Events
		///
		/// - [`Event::VersionCommitted`].
		#[pallet::call_index(31)]
		#[pallet::weight(T::WeightInfo::commit_version())]
		pub fn commit_version(
			origin: OriginFor<T>,
			tenant_signer: T::AccountId,
			message: VersionCommitMessage,
			signature: T::OffchainSignature,
		) -> DispatchResult {
			let who = ensure_signed(origin)?;
			let originator = message.originator;
			Self::do_commit_version(
				Provider::by(&who, originator, ProviderLevel::can_operate_nodes)?,
				&tenant_signer,
				message,
				&signature,
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
		/// - [`Error::BeingDeleted`]: governance has deleted the tenant or the originator.
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
		/// - [`Error::BeingDeleted`]: governance has deleted the tenant.
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
		/// ## Deposits
		///
		/// The deposit for its row is given back.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::BeingDeleted`]: governance has deleted the tenant.
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
		/// ## Deposits
		///
		/// The deposit for its row is given back.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::BeingDeleted`]: governance has deleted the tenant.
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

		/// Creates a collection without records.
		///
		/// ## Dispatch Origin
		///
		/// Signed by an account with the level [`TenantLevel::Admin`] or above in the tenant.
		///
		/// ## Details
		///
		/// `key_type` and `syntax` say which keys the records have. They are not changed again.
		///
		/// ## Deposits
		///
		/// A deposit for the row is held on the depositor of the tenant.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::BeingDeleted`]: governance has deleted the tenant.
		/// - [`Error::TenantFrozen`]: governance has frozen the tenant.
		/// - [`Error::NoPermission`]: the signer's level is too low.
		/// - [`Error::InvalidCollectionName`]: the name is no record key without colons.
		/// - [`Error::InvalidRecordKey`]: the one key of a collection of the type `Literal` is no record
		///   key of the syntax.
		/// - [`Error::TenantUnderBonded`]: the bond is less than the rules of the space ask for.
		/// - [`Error::CollectionAlreadyExists`]: the tenant has a collection with this name.
		/// - [`Error::ClockExhausted`]: the time is past what a muid can hold.
		/// - An error of [`Config::Currency`]: the depositor does not have the deposit free.
		///
		/// ## Events
		///
		/// - [`Event::CollectionCreated`].
		#[pallet::call_index(40)]
		#[pallet::weight(T::WeightInfo::create_collection(name.len() as u32))]
		pub fn create_collection(
			origin: OriginFor<T>,
			tenant: TenantId,
			name: CollectionNameOf<T>,
			key_type: RecordKeyTypeOf<T>,
			syntax: RecordKeySyntax,
		) -> DispatchResult {
			let who = ensure_signed(origin)?;
			let tenant = Tenant::by(&who, tenant, TenantLevel::can_manage_collections)?;
			Self::do_create_collection(tenant, name, key_type, syntax)
		}

		/// Deletes a collection that has no records.
		///
		/// ## Dispatch Origin
		///
		/// Signed by an account with the level [`TenantLevel::Admin`] or above in the tenant.
		///
		/// ## Deposits
		///
		/// The deposit for its row is given back.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::BeingDeleted`]: governance has deleted the tenant.
		/// - [`Error::TenantFrozen`]: governance has frozen the tenant.
		/// - [`Error::NoPermission`]: the signer's level is too low.
		/// - [`Error::CollectionNotFound`]: the tenant has no such collection.
		/// - [`Error::CollectionNotEmpty`]: the collection still has records.
		///
		/// ## Events
		///
		/// - [`Event::CollectionDeleted`].
		#[pallet::call_index(41)]
		#[pallet::weight(T::WeightInfo::delete_collection(name.len() as u32))]
		pub fn delete_collection(
			origin: OriginFor<T>,
			tenant: TenantId,
			name: CollectionNameOf<T>,
		) -> DispatchResult {
			let who = ensure_signed(origin)?;
			Self::do_delete_collection(
				Tenant::by(&who, tenant, TenantLevel::can_manage_collections)?,
				name,
			)
		}

		/// Names content by a record, or points a record to other content.
		///
		/// ## Dispatch Origin
		///
		/// Signed by an account with the level [`TenantLevel::Content`] or above in the tenant.
		///
		/// ## Details
		///
		/// Without a key the chain mints one, in a collection whose keys are TIDs: later than all it has
		/// minted before. The event tells it.
		///
		/// A record may outlive what it names. It then leads nowhere, until content with these ids exists
		/// again, or the record is put again.
		///
		/// ## Deposits
		///
		/// A deposit for the row is held on the depositor of the tenant. That of a record that exists
		/// becomes what a row of its new size costs now.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::BeingDeleted`]: governance has deleted the tenant.
		/// - [`Error::TenantFrozen`]: governance has frozen the tenant.
		/// - [`Error::NoPermission`]: the signer's level is too low.
		/// - [`Error::CollectionNotFound`]: the tenant has no such collection.
		/// - [`Error::InvalidRecordKey`]: the key is not one that the collection can have.
		/// - [`Error::RecordKeyRequired`]: there is no key, and those of the collection are no TIDs.
		/// - [`Error::ContentObjectNotFound`]: the tenant has no such object.
		/// - [`Error::VersionNotFound`]: the object has no such version.
		/// - [`Error::RecordAlreadyExists`]: the key that the chain minted is in use; somebody has put
		///   a record from the future.
		/// - [`Error::TenantUnderBonded`]: the record is new, and the bond is less than the rules of the
		///   space ask for.
		/// - [`Error::ClockExhausted`]: the time is past what a muid or a TID can hold.
		/// - An error of [`Config::Currency`]: the depositor does not have the deposit free.
		///
		/// ## Events
		///
		/// - [`Event::RecordPut`].
		#[pallet::call_index(42)]
		#[pallet::weight(match key {
			Some(key) => T::WeightInfo::put_record(collection.len() as u32, key.len() as u32),
			None => T::WeightInfo::put_minted_record(collection.len() as u32),
		})]
		pub fn put_record(
			origin: OriginFor<T>,
			tenant: TenantId,
			collection: CollectionNameOf<T>,
			key: Option<RecordKeyOf<T>>,
			target: ContentRef,
		) -> DispatchResult {
			let who = ensure_signed(origin)?;
			let tenant = Tenant::by(&who, tenant, TenantLevel::can_manage_content)?;
			Self::do_put_record(tenant, collection, key, target)
		}

		/// Deletes a record. What it names stays.
		///
		/// ## Dispatch Origin
		///
		/// Signed by an account with the level [`TenantLevel::Content`] or above in the tenant.
		///
		/// ## Deposits
		///
		/// The deposit for its row is given back.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::BeingDeleted`]: governance has deleted the tenant.
		/// - [`Error::TenantFrozen`]: governance has frozen the tenant.
		/// - [`Error::NoPermission`]: the signer's level is too low.
		/// - [`Error::RecordNotFound`]: the tenant has no such record.
		///
		/// ## Events
		///
		/// - [`Event::RecordDeleted`].
		#[pallet::call_index(43)]
		#[pallet::weight(T::WeightInfo::delete_record(collection.len() as u32, key.len() as u32))]
		pub fn delete_record(
			origin: OriginFor<T>,
			tenant: TenantId,
			collection: CollectionNameOf<T>,
			key: RecordKeyOf<T>,
		) -> DispatchResult {
			let who = ensure_signed(origin)?;
			let tenant = Tenant::by(&who, tenant, TenantLevel::can_manage_content)?;
			Self::do_delete_record(tenant, collection, key)
		}

		/// Freezes a provider or tenant and gives its children up to deletion, or lifts that.
		///
		/// ## Dispatch Origin
		///
		/// [`Config::GovernanceOrigin`] of the space that the subject belongs to.
		///
		/// ## Details
		///
		/// While the flag is set, every call on the subject and its children fails that is not for
		/// governance, and anyone may call `governance_delete_…` on the children.
		///
		/// ## Errors
		///
		/// - [`Error::ProviderNotFound`]: there is no such provider.
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::BeingDeleted`]: governance has deleted it.
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
			match subject {
				Subject::Provider(provider) => {
					Self::do_set_governance_delete(Provider::governed(origin, provider)?, enabled)
				},
				Subject::Tenant(tenant) => {
					Self::do_set_governance_delete(Tenant::governed(origin, tenant)?, enabled)
				},
			}
		}

		/// Deletes a node of a provider that governance has given up.
		///
		/// ## Dispatch Origin
		///
		/// Signed by any account.
		///
		/// ## Details
		///
		/// There is no fee if a row was deleted. The deposit for the row is given back.
		///
		/// ## Errors
		///
		/// - [`Error::ProviderNotFound`]: there is no such provider.
		/// - [`Error::BeingDeleted`]: governance has deleted the provider.
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
		/// There is no fee if a row was deleted. The deposit for the row is given back.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::BeingDeleted`]: governance has deleted the tenant.
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
		/// There is no fee if a row was deleted. The deposit for the row is given back.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::BeingDeleted`]: governance has deleted the tenant.
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
		/// There is no fee if a row was deleted. The deposit for the row is given back.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::BeingDeleted`]: governance has deleted the tenant.
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

		/// Deletes a collection of a tenant that governance has given up.
		///
		/// ## Dispatch Origin
		///
		/// Signed by any account.
		///
		/// ## Details
		///
		/// There is no fee if a row was deleted. The deposit for the row is given back.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::BeingDeleted`]: governance has deleted the tenant.
		/// - [`Error::GovernanceDeleteNotSet`]: governance has not set the flag.
		/// - [`Error::CollectionNotFound`]: the tenant has no such collection.
		/// - [`Error::CollectionNotEmpty`]: the collection still has records; delete them first.
		///
		/// ## Events
		///
		/// - [`Event::CollectionDeleted`].
		#[pallet::call_index(55)]
		#[pallet::weight(T::WeightInfo::governance_delete_collection(name.len() as u32))]
		pub fn governance_delete_collection(
			origin: OriginFor<T>,
			tenant: TenantId,
			name: CollectionNameOf<T>,
		) -> DispatchResultWithPostInfo {
			ensure_signed(origin)?;
			Self::do_delete_collection(Tenant::given_up(tenant)?, name)?;
			Ok(Pays::No.into())
		}

		/// Deletes a record of a tenant that governance has given up.
		///
		/// ## Dispatch Origin
		///
		/// Signed by any account.
		///
		/// ## Details
		///
		/// There is no fee if a row was deleted. The deposit for the row is given back.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::BeingDeleted`]: governance has deleted the tenant.
		/// - [`Error::GovernanceDeleteNotSet`]: governance has not set the flag.
		/// - [`Error::RecordNotFound`]: the tenant has no such record.
		///
		/// ## Events
		///
		/// - [`Event::RecordDeleted`].
		#[pallet::call_index(56)]
		#[pallet::weight(T::WeightInfo::governance_delete_record(
			collection.len() as u32,
			key.len() as u32,
		))]
		pub fn governance_delete_record(
			origin: OriginFor<T>,
			tenant: TenantId,
			collection: CollectionNameOf<T>,
			key: RecordKeyOf<T>,
		) -> DispatchResultWithPostInfo {
			ensure_signed(origin)?;
			Self::do_delete_record(Tenant::given_up(tenant)?, collection, key)?;
			Ok(Pays::No.into())
		}

		/// Deletes a provider with all rows under it: keys and nodes.
		///
		/// ## Dispatch Origin
		///
		/// [`Config::GovernanceOrigin`] of the space that the provider belongs to.
		///
		/// ## Details
		///
		/// From this call on every call on the provider fails but [`Pallet::reap`]. If there are no more than
		/// `max_rows` rows they are removed at once, and the id can be used again. If there are more, they
		/// are removed in blocks that have weight to spare, or when somebody calls [`Pallet::reap`], and the
		/// id can be used again when the last is gone. The view functions `rows` and `deletion_progress`
		/// tell how many there are.
		///
		/// Where rows under this id have gone in the same block already, or
		/// [`MAX_RECENT_DELETIONS`](crate::MAX_RECENT_DELETIONS) deletions have removed rows in it, those
		/// that there are now are removed in steps too, from the next block on.
		///
		/// The weight is that of `max_rows` rows, which must fit an extrinsic, refunded to the rows that
		/// were removed.
		///
		/// ## Deposits
		///
		/// `slash`, but at most the bond, is slashed; the rest of the bond, and the deposits for all rows,
		/// are released.
		///
		/// ## Errors
		///
		/// - [`Error::ProviderNotFound`]: there is no such provider.
		/// - [`Error::BeingDeleted`]: governance has deleted the provider.
		///
		/// ## Events
		///
		/// - [`Event::ProviderSlashed`], if anything was.
		/// - [`Event::ProviderDeleted`], or [`Event::ProviderDeletionStarted`]. No events tell of the single
		///   rows.
		#[pallet::call_index(57)]
		#[pallet::weight(
			T::WeightInfo::governance_delete_provider(*max_rows).max(T::WeightInfo::start_deletion())
		)]
		pub fn governance_delete_provider(
			origin: OriginFor<T>,
			provider: ProviderId,
			slash: BalanceOf<T>,
			max_rows: u32,
		) -> DispatchResultWithPostInfo {
			let provider = Provider::<T>::governed(origin, provider)
				.map_err(|error| error.with_weight(T::WeightInfo::start_deletion()))?;
			Self::do_governance_delete(provider, slash, max_rows)
		}

		/// Deletes a tenant with all rows under it: keys, KMSes, content objects, versions, collections and records.
		///
		/// ## Dispatch Origin
		///
		/// [`Config::GovernanceOrigin`] of the space that the tenant belongs to.
		///
		/// ## Details
		///
		/// From this call on every call on the tenant fails but [`Pallet::reap`]. If there are no more than
		/// `max_rows` rows they are removed at once, and the id can be used again. If there are more, they
		/// are removed in blocks that have weight to spare, or when somebody calls [`Pallet::reap`], and the
		/// id can be used again when the last is gone. The view functions `rows` and `deletion_progress`
		/// tell how many there are.
		///
		/// Where rows under this id have gone in the same block already, or
		/// [`MAX_RECENT_DELETIONS`](crate::MAX_RECENT_DELETIONS) deletions have removed rows in it, those
		/// that there are now are removed in steps too, from the next block on.
		///
		/// The weight is that of `max_rows` rows, which must fit an extrinsic, refunded to the rows that
		/// were removed.
		///
		/// ## Deposits
		///
		/// `slash`, but at most the bond, is slashed; the rest of the bond, and the deposits for all rows,
		/// are released.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::BeingDeleted`]: governance has deleted the tenant.
		///
		/// ## Events
		///
		/// - [`Event::TenantSlashed`], if anything was.
		/// - [`Event::TenantDeleted`], or [`Event::TenantDeletionStarted`]. No events tell of the single
		///   rows.
		#[pallet::call_index(58)]
		#[pallet::weight(
			T::WeightInfo::governance_delete_tenant(*max_rows).max(T::WeightInfo::start_deletion())
		)]
		pub fn governance_delete_tenant(
			origin: OriginFor<T>,
			tenant: TenantId,
			slash: BalanceOf<T>,
			max_rows: u32,
		) -> DispatchResultWithPostInfo {
			let tenant = Tenant::<T>::governed(origin, tenant)
				.map_err(|error| error.with_weight(T::WeightInfo::start_deletion()))?;
			Self::do_governance_delete(tenant, slash, max_rows)
		}

		/// Removes rows of a provider or tenant that governance has deleted.
		///
		/// ## Dispatch Origin
		///
		/// Signed by any account.
		///
		/// ## Details
		///
		/// Removes at most `limit` rows, and the provider or tenant itself when none is left. The weight
		/// is that of `limit` rows, which must fit an extrinsic, refunded to the rows that were removed.
		/// There is no fee if any was. None is where the deletion was started in the same block and has to
		/// wait for the next one.
		///
		/// ## Errors
		///
		/// - [`Error::ProviderNotFound`]: there is no such provider.
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::NotBeingDeleted`]: governance has not deleted it.
		///
		/// ## Events
		///
		/// - [`Event::ProviderDeleted`] or [`Event::TenantDeleted`], if no row is left.
		#[pallet::call_index(59)]
		#[pallet::weight(T::WeightInfo::reap(*limit))]
		pub fn reap(
			origin: OriginFor<T>,
			subject: Subject,
			limit: u32,
		) -> DispatchResultWithPostInfo {
			ensure_signed(origin)?;
			Self::do_reap(subject, limit)
		}

		/// Slashes the bond of a provider.
		///
		/// ## Dispatch Origin
		///
		/// [`Config::GovernanceOrigin`] of the space that the provider belongs to.
		///
		/// ## Details
		///
		/// `amount`, but at most the bond, goes to [`Config::Slash`]. A provider whose bond is less than
		/// the rules of the space ask for cannot add rows until it is topped up.
		///
		/// ## Errors
		///
		/// - [`Error::ProviderNotFound`]: there is no such provider.
		/// - [`Error::BeingDeleted`]: governance has deleted the provider.
		///
		/// ## Events
		///
		/// - [`Event::ProviderSlashed`].
		#[pallet::call_index(60)]
		#[pallet::weight(T::WeightInfo::slash_provider())]
		pub fn slash_provider(
			origin: OriginFor<T>,
			provider: ProviderId,
			amount: BalanceOf<T>,
		) -> DispatchResult {
			Self::do_slash(Provider::governed(origin, provider)?, amount)
		}

		/// Slashes the bond of a tenant.
		///
		/// ## Dispatch Origin
		///
		/// [`Config::GovernanceOrigin`] of the space that the tenant belongs to.
		///
		/// ## Details
		///
		/// `amount`, but at most the bond, goes to [`Config::Slash`]. A tenant whose bond is less than
		/// the rules of the space ask for cannot add rows until it is topped up.
		///
		/// ## Errors
		///
		/// - [`Error::TenantNotFound`]: there is no such tenant.
		/// - [`Error::BeingDeleted`]: governance has deleted the tenant.
		///
		/// ## Events
		///
		/// - [`Event::TenantSlashed`].
		#[pallet::call_index(61)]
		#[pallet::weight(T::WeightInfo::slash_tenant())]
		pub fn slash_tenant(
			origin: OriginFor<T>,
			tenant: TenantId,
			amount: BalanceOf<T>,
		) -> DispatchResult {
			Self::do_slash(Tenant::governed(origin, tenant)?, amount)
		}
	}
}
