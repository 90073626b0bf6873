// SPDX-License-Identifier: Apache-2.0
//! The accounts that publish, and what they own.

use std::{cell::OnceCell, collections::HashSet, sync::Arc};

use content_fabric_client::{
	chain::{self, calls, rows, Chain, Snapshot, TextLimit},
	content_node::Status,
	ids,
	keys::{ChainKind, KeySource, Signer},
	text::printable,
};
use content_fabric_identifiers::{NodeId, ProviderId, TenantId};

use super::{
	options::{Options, SpaceArgument},
	report::EstimatedCost,
};
use crate::{
	commands::{space::open_rules, Context},
	consent::{confirm, confirm_on_terminal, ConsentError},
	input::Input,
	Error,
};

/// The accounts that publish, and what they create.
pub(super) struct Publisher<'a> {
	pub context: &'a Context,
	pub options: &'a Options,
	pub provider: Arc<Signer>,
	pub tenant: Arc<Signer>,
	governor: OnceCell<Arc<Signer>>,
	pub provider_id: ProviderId,
	pub node_id: NodeId,
	/// The rules of the space if it does not exist.
	pub rules: calls::Rules,
	/// The limit on what is held for the members that do not exist.
	pub max_held: u128,
	/// True if a content node takes in the bytes and finalizes versions. Then the provider and the
	/// node exist, and belong to somebody else.
	pub is_put: bool,
	/// The instructions to which the operator has agreed. `None` if nobody is asked.
	agreed: OnceCell<HashSet<String>>,
}

/// Checks that standard input does not have to serve as both the input and a key.
pub(super) fn ensure_one_reader(options: &Options, context: &Context) -> Result<(), Error> {
	let keys = &options.keys;
	let given = [&keys.signer, &keys.provider, &keys.tenant, &keys.governor];
	let mut sources = given.into_iter().flatten().chain(context.profile_signer());
	if options.input == Input::Stdin && sources.any(|key| matches!(key, KeySource::Stdin)) {
		return Err(Error::Usage(
			"the input and a key cannot both come from standard input: pass a key other than -"
				.into(),
		));
	}
	Ok(())
}

impl<'a> Publisher<'a> {
	/// Reads the keys of provider and tenant, and derives the ids. A key that is given once for
	/// both is read once. With a content node that is the `taker`, only the tenant has a key.
	pub(super) fn new(
		context: &'a Context,
		options: &'a Options,
		chain: &Chain,
		at: &Snapshot,
		taker: Option<Status>,
	) -> Result<Self, Error> {
		let create = &options.create;
		TextLimit::Locator.ensure(at, "--node-locator", &create.node_locator)?;
		let units = &chain.identity().units;
		let provider_bond = create.provider_bond.resolve(units)?;
		let rules = open_rules(provider_bond, create.tenant_bond.resolve(units)?);
		let max_held = create.max_held.resolve(units)?;
		let keys = &options.keys;
		// The key of every role for which no other key is given. It is read once: it may come from
		// standard input, or ask for a password.
		let mut shared = None::<Arc<Signer>>;
		let is_given = keys.signer.is_some() || context.profile_signer().is_some();
		let mut load = |given: &Option<KeySource>, option, development| -> Result<_, Error> {
			if let (None, Some(key)) = (given, &shared) {
				return Ok(key.clone());
			}
			let source = given.as_ref().or(keys.signer.as_ref());
			let key = Arc::new(context.signer(chain, source, option, development)?);
			if given.is_none() && is_given {
				shared = Some(key.clone());
			}
			Ok(key)
		};
		let (provider, tenant) = match taker {
			Some(_) => {
				let tenant = load(&None, "--signer", "//Charlie")?;
				(tenant.clone(), tenant)
			},
			None => {
				let provider = load(&keys.provider, "--provider", "//Bob")?;
				(provider, load(&keys.tenant, "--tenant", "//Charlie")?)
			},
		};
		let governor = OnceCell::new();
		// It is read when it is needed, unless it is the same key.
		if let (None, Some(key)) = (&keys.governor, shared) {
			drop(governor.set(key));
		}
		let Status { provider: provider_id, node: node_id } = taker.unwrap_or_else(|| {
			let provider = ids::provider(options.space.id, &provider.account().to_string());
			Status { provider, node: ids::node(provider, "publisher") }
		});
		Ok(Self {
			context,
			options,
			provider,
			tenant,
			governor,
			provider_id,
			node_id,
			rules,
			max_held,
			is_put: taker.is_some(),
			agreed: OnceCell::new(),
		})
	}

	/// Shows what is missing, and what publishing costs, and asks whether to go on. A development
	/// chain binds no funds of value.
	pub(super) fn agree(
		&self,
		kind: ChainKind,
		missing: Vec<String>,
		costs: &[EstimatedCost],
	) -> Result<(), Error> {
		if kind == ChainKind::Development {
			return Ok(());
		}
		if !missing.is_empty() {
			let ask = match self.options.input {
				Input::Stdin => confirm_on_terminal,
				Input::Path(_) => confirm,
			};
			ask(&question(&missing, costs), self.options.yes)?;
		}
		self.agreed.get_or_init(|| missing.into_iter().collect());
		Ok(())
	}

	/// Checks that the operator has agreed to an instruction, where it was asked.
	pub(super) fn ensure_agreed(&self, missing: &str) -> Result<(), ConsentError> {
		match self.agreed.get() {
			Some(agreed) if !agreed.contains(missing) => {
				Err(ConsentError::Unasked(missing.to_owned()))
			},
			_ => Ok(()),
		}
	}

	/// Returns the tenant of a registry.
	pub(super) fn tenant_of(&self, source: &str) -> TenantId {
		ids::tenant(self.options.space.id, source)
	}

	/// Returns the key that can create the space: the sudo key.
	pub(super) async fn governor(
		&self,
		chain: &Chain,
		at: &Snapshot,
	) -> Result<Arc<Signer>, Error> {
		let sudo = match at.metadata().pallet_by_name("Sudo") {
			Some(_) => at.get(rows::sudo_key(), ()).await?,
			None => None,
		};
		let governor = match self.governor.get() {
			Some(governor) => Ok(governor.clone()),
			None => self.load_governor(chain),
		};
		let account = match &governor {
			Ok(governor) if sudo.as_ref() == Some(governor.account()) => {
				return Ok(governor.clone());
			},
			Ok(governor) => governor.account().to_string(),
			Err(Error::NoKey { .. }) => "ACCOUNT".into(),
			Err(_) => return governor,
		};
		let SpaceArgument { id, name } = &self.options.space;
		let name = match name {
			Some(name) => format!("--name '{name}'"),
			None => format!("--id {id}"),
		};
		Err(Error::from(chain::Error::unknown("space", id)).with_hint(format!(
			"only root or the council creates one, and no sudo key is given: let the council do it \
			 with `fabric space create {name} --governor {account} --council propose`"
		)))
	}

	fn load_governor(&self, chain: &Chain) -> Result<Arc<Signer>, Error> {
		let keys = &self.options.keys;
		let source = keys.governor.as_ref().or(keys.signer.as_ref());
		let loaded = self.context.signer(chain, source, "--governor", "//Alice").map(Arc::new)?;
		Ok(self.governor.get_or_init(|| loaded).clone())
	}
}

/// Returns what the operator is asked.
fn question(missing: &[String], costs: &[EstimatedCost]) -> String {
	let mut lines = vec!["About to create what the chain lacks, and to publish the input.".into()];
	lines.extend(missing.iter().map(|missing| format!("  {missing}")));
	lines.extend(costs.iter().map(|cost| format!("  {cost}")));
	let lines: Vec<_> = lines.iter().map(|line| printable(line)).collect();
	lines.join("\n")
}
