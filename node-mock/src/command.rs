//! The execution of the commands.

use clap::{CommandFactory, FromArgMatches};
use content_fabric_runtime::OpaqueBlock as Block;
use sc_cli::SubstrateCli;
use sc_network::{
	config::{NetworkBackendType, TransportConfig},
	Litep2pNetworkBackend, NetworkWorker,
};
use sc_service::{Configuration, PartialComponents};

use crate::{
	chain_spec,
	cli::{Cli, Subcommand},
	service,
};

impl SubstrateCli for Cli {
	fn impl_name() -> String {
		"Content Fabric Mock Node".into()
	}

	fn impl_version() -> String {
		env!("SUBSTRATE_CLI_IMPL_VERSION").into()
	}

	fn description() -> String {
		env!("CARGO_PKG_DESCRIPTION").into()
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

/// Parses the command line. The default transaction pool is `single-state`: the usual one is made
/// for forks, which this chain does not have, and drops transactions in a burst of blocks that are
/// soon finalized.
fn parse() -> Cli {
	let command = Cli::command().mut_arg("pool_type", |arg| arg.default_value("single-state"));
	Cli::from_arg_matches(&command.get_matches()).unwrap_or_else(|error| error.exit())
}

/// Parses the command line and runs the command.
pub fn run() -> sc_cli::Result<()> {
	let cli = parse();
	match &cli.subcommand {
		None => run_node(&cli),
		Some(Subcommand::Key(cmd)) => cmd.run(&cli),
		Some(Subcommand::BuildSpec(cmd)) => {
			let runner = cli.create_runner(cmd)?;
			runner.sync_run(|config| cmd.run(config.chain_spec, config.network))
		},
		Some(Subcommand::ExportChainSpec(cmd)) => {
			let chain_spec = cli.load_spec(&cmd.chain)?;
			cmd.run(chain_spec)
		},
		Some(Subcommand::CheckBlock(cmd)) => cli.create_runner(cmd)?.async_run(|config| {
			let PartialComponents { client, task_manager, import_queue, .. } =
				service::new_partial(&config)?;
			Ok((cmd.run(client, import_queue), task_manager))
		}),
		Some(Subcommand::ExportBlocks(cmd)) => cli.create_runner(cmd)?.async_run(|config| {
			let PartialComponents { client, task_manager, .. } = service::new_partial(&config)?;
			Ok((cmd.run(client, config.database), task_manager))
		}),
		Some(Subcommand::ExportState(cmd)) => cli.create_runner(cmd)?.async_run(|config| {
			let PartialComponents { client, task_manager, .. } = service::new_partial(&config)?;
			Ok((cmd.run(client, config.chain_spec), task_manager))
		}),
		Some(Subcommand::ImportBlocks(cmd)) => cli.create_runner(cmd)?.async_run(|config| {
			let PartialComponents { client, task_manager, import_queue, .. } =
				service::new_partial(&config)?;
			Ok((cmd.run(client, import_queue), task_manager))
		}),
		Some(Subcommand::PurgeChain(cmd)) => {
			cli.create_runner(cmd)?.sync_run(|config| cmd.run(config.database))
		},
		Some(Subcommand::Revert(cmd)) => cli.create_runner(cmd)?.async_run(|config| {
			let PartialComponents { client, task_manager, backend, .. } =
				service::new_partial(&config)?;
			Ok((cmd.run(client, backend, None), task_manager))
		}),
		Some(Subcommand::ChainInfo(cmd)) => {
			cli.create_runner(cmd)?.sync_run(|config| cmd.run::<Block>(&config))
		},
		#[cfg(feature = "runtime-benchmarks")]
		Some(Subcommand::Benchmark(cmd)) => cli.create_runner(cmd)?.sync_run(|config| match cmd {
			frame_benchmarking_cli::BenchmarkCmd::Pallet(cmd) => cmd
				.run_with_spec::<sp_runtime::traits::HashingFor<Block>, ()>(Some(
					config.chain_spec,
				)),
			_ => Err("of the benchmarks, this node has those of pallets only".into()),
		}),
	}
}

fn run_node(cli: &Cli) -> sc_cli::Result<()> {
	let consensus = cli.consensus;
	cli.create_runner(&cli.run)?.run_node_until_exit(|mut config| async move {
		stay_alone(&mut config);
		let task_manager = match config.network.network_backend {
			NetworkBackendType::Libp2p => service::start::<NetworkWorker<_, _>>(config, consensus),
			NetworkBackendType::Litep2p => {
				service::start::<Litep2pNetworkBackend>(config, consensus)
			},
		};
		task_manager.map_err(sc_cli::Error::Service)
	})
}

/// A node that seals blocks by itself has nothing to say to other nodes: it neither listens for
/// them nor looks for them.
fn stay_alone(config: &mut Configuration) {
	config.network.listen_addresses.clear();
	config.network.boot_nodes.clear();
	config.network.transport =
		TransportConfig::Normal { enable_mdns: false, allow_private_ip: false };
}
