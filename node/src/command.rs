// SPDX-License-Identifier: Apache-2.0
//! The execution of the commands.

use clap::{error::ErrorKind, CommandFactory, FromArgMatches};
use sc_cli::SubstrateCli;
use sc_network::{config::NetworkBackendType, Litep2pNetworkBackend, NetworkWorker};

use crate::{
	chain_spec,
	cli::{Cli, Subcommand},
	service,
	types::Block,
	Consensus,
};

impl<C: Consensus> SubstrateCli for Cli<C> {
	fn impl_name() -> String {
		C::NAME.into()
	}

	fn impl_version() -> String {
		env!("SUBSTRATE_CLI_IMPL_VERSION").into()
	}

	fn description() -> String {
		C::DESCRIPTION.into()
	}

	fn author() -> String {
		"Content Fabric".into()
	}

	fn support_url() -> String {
		"the README of this project".into()
	}

	fn copyright_start_year() -> i32 {
		2026
	}

	fn load_spec(&self, id: &str) -> Result<Box<dyn sc_service::ChainSpec>, String> {
		Ok(match id {
			"" | "dev" => Box::new(chain_spec::development()?),
			"local" => Box::new(chain_spec::local_testnet()?),
			path => Box::new(chain_spec::ChainSpec::from_json_file(path.into())?),
		})
	}
}

/// Returns the command line of the program.
fn command<C: Consensus>() -> clap::Command {
	let command = Cli::<C>::command()
		.name(Cli::<C>::executable_name())
		.about(C::DESCRIPTION)
		.author(Cli::<C>::author())
		.version(Cli::<C>::impl_version())
		.propagate_version(true);
	C::adapt(command)
}

/// Parses the command line.
fn parse<C: Consensus>() -> Cli<C> {
	let mut command = command::<C>();
	let matches = command.clone().get_matches();
	C::check(&matches)
		.map_err(|refusal| command.error(ErrorKind::UnknownArgument, refusal))
		.and_then(|()| Cli::from_arg_matches(&matches))
		.unwrap_or_else(|error| error.exit())
}

/// Parses the command line and runs the command.
pub fn run<C: Consensus>() -> sc_cli::Result<()> {
	let cli = parse::<C>();
	match &cli.subcommand {
		None => run_node(&cli),
		Some(Subcommand::Key(cmd)) => cmd.run(&cli),
		Some(Subcommand::BuildSpec(cmd)) => {
			cli.create_runner(cmd)?.sync_run(|config| cmd.run(config.chain_spec, config.network))
		},
		Some(Subcommand::ExportChainSpec(cmd)) => cmd.run(cli.load_spec(&cmd.chain)?),
		Some(Subcommand::CheckBlock(cmd)) => cli.create_runner(cmd)?.async_run(|config| {
			let node = service::new_partial::<C>(&config)?;
			Ok((cmd.run(node.client, node.import_queue), node.task_manager))
		}),
		Some(Subcommand::ExportBlocks(cmd)) => cli.create_runner(cmd)?.async_run(|config| {
			let node = service::new_partial::<C>(&config)?;
			Ok((cmd.run(node.client, config.database), node.task_manager))
		}),
		Some(Subcommand::ExportState(cmd)) => cli.create_runner(cmd)?.async_run(|config| {
			let node = service::new_partial::<C>(&config)?;
			Ok((cmd.run(node.client, config.chain_spec), node.task_manager))
		}),
		Some(Subcommand::ImportBlocks(cmd)) => cli.create_runner(cmd)?.async_run(|config| {
			let node = service::new_partial::<C>(&config)?;
			Ok((cmd.run(node.client, node.import_queue), node.task_manager))
		}),
		Some(Subcommand::PurgeChain(cmd)) => {
			cli.create_runner(cmd)?.sync_run(|config| cmd.run(config.database))
		},
		Some(Subcommand::Revert(cmd)) => cli.create_runner(cmd)?.async_run(|config| {
			let node = service::new_partial::<C>(&config)?;
			let revert = Box::new(|client, _, blocks| {
				C::revert(client, blocks)?;
				Ok(())
			});
			Ok((cmd.run(node.client, node.backend, Some(revert)), node.task_manager))
		}),
		Some(Subcommand::ChainInfo(cmd)) => {
			cli.create_runner(cmd)?.sync_run(|config| cmd.run::<Block>(&config))
		},
		Some(Subcommand::Documents(documents)) => {
			documents.clone().run(command::<C>()).map_err(Into::into)
		},
		#[cfg(feature = "runtime-benchmarks")]
		Some(Subcommand::Benchmark(cmd)) => {
			cli.create_runner(cmd)?.sync_run(|config| benchmark::<C>(cmd, config))
		},
	}
}

#[cfg(feature = "runtime-benchmarks")]
fn benchmark<C: Consensus>(
	cmd: &frame_benchmarking_cli::BenchmarkCmd,
	config: sc_service::Configuration,
) -> sc_cli::Result<()> {
	use frame_benchmarking_cli::BenchmarkCmd;
	type Hashing = sp_runtime::traits::HashingFor<Block>;
	match cmd {
		BenchmarkCmd::Pallet(cmd) => cmd.run_with_spec::<Hashing, ()>(Some(config.chain_spec)),
		BenchmarkCmd::Storage(cmd) => {
			let node = service::new_partial::<C>(&config)?;
			let (database, storage) = (node.backend.expose_db(), node.backend.expose_storage());
			let cache = node.backend.expose_shared_trie_cache();
			let client = node.client;
			cmd.run::<Block, crate::types::FullBackend, _>(config, client, database, storage, cache)
		},
		_ => {
			Err("unsupported benchmark: expected `benchmark pallet` or `benchmark storage`".into())
		},
	}
}

fn run_node<C: Consensus>(cli: &Cli<C>) -> sc_cli::Result<()> {
	let consensus = cli.consensus.clone();
	cli.create_runner(&cli.run)?.run_node_until_exit(|mut config| async move {
		let settings = consensus.configure(&mut config);
		let task_manager = match config.network.network_backend {
			NetworkBackendType::Libp2p => {
				service::start::<C, NetworkWorker<_, _>>(config, settings)
			},
			NetworkBackendType::Litep2p => {
				service::start::<C, Litep2pNetworkBackend>(config, settings)
			},
		};
		task_manager.map_err(sc_cli::Error::Service)
	})
}
