// SPDX-License-Identifier: Apache-2.0
//! Compiles the runtime to WASM as a chain stores it: compressed, and without debug information.
//! The WASM contains the hash of its metadata, for transactions whose signers check that hash
//! (`CheckMetadataHash`). The hash is in the file `runtime/metadata-hash`, which a test compares
//! with the metadata. Computing it here would take a WASM executor as a build dependency, which
//! cargo compiles apart from the node's, and a second build of the WASM.
//!
//! `substrate-wasm-builder` does the same, but also contains the optimizer `wasm-opt`. Older
//! toolchains need that optimizer, and it takes longer to compile than the runtime. ADR 17 has the
//! details.
//!
//! Environment:
//!
//! - `SKIP_WASM_BUILD`: builds no WASM.
//! - `WASM_BUILD_TOOLCHAIN`: the rustup toolchain that has the target, if the default one does not.
//! - `WASM_BUILD_PROFILE`: the cargo profile. The default is `wasm` in an optimized build, and
//!   `wasm-quick` in any other.
//! - `WASM_BUILD_RUSTFLAGS`: more flags for the compiler.

use std::{
	collections::BTreeSet,
	env,
	error::Error,
	ffi::OsString,
	fs,
	path::{Path, PathBuf},
	process::Command,
};

use sp_maybe_compressed_blob::{compress_strongly, CODE_BLOB_BOMB_LIMIT};

const TARGET: &str = "wasm32v1-none";
/// The crate, and the file that the compiler makes of it.
const RUNTIME: (&str, &str) = ("content-fabric-runtime", "content_fabric_runtime");
/// Compiler flags. A node needs the exported function table and heap base, and supplies the memory
/// itself. The SDK's crates need the `cfg`.
const FLAGS: &str = "-C link-arg=--export-table -C link-arg=--export=__heap_base \
	-C link-arg=--import-memory --cfg substrate_runtime";
/// The features of the runtime that this crate has too.
const FEATURES: [&str; 3] = ["drill", "runtime-benchmarks", "try-runtime"];

fn main() {
	if let Err(error) = build() {
		eprintln!("error: cannot build the WASM runtime: {error}");
		std::process::exit(1);
	}
}

fn build() -> Result<(), Box<dyn Error>> {
	for variable in
		["SKIP_WASM_BUILD", "WASM_BUILD_TOOLCHAIN", "WASM_BUILD_PROFILE", "WASM_BUILD_RUSTFLAGS"]
	{
		println!("cargo::rerun-if-env-changed={variable}");
	}
	let out = PathBuf::from(variable("OUT_DIR")?);
	let blob = out.join("runtime.compressed.wasm");
	if env::var_os("SKIP_WASM_BUILD").is_some() {
		return Ok(fs::write(blob, [])?);
	}

	let package = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
	let workspace = package.ancestors().nth(2).ok_or("the crate is not in its workspace")?;
	let profile = env::var("WASM_BUILD_PROFILE").unwrap_or_else(|_| {
		let optimized = env::var("OPT_LEVEL").is_ok_and(|level| level != "0");
		if optimized { "wasm" } else { "wasm-quick" }.into()
	});
	// All builds share this folder. `OUT_DIR` has a hash in its path, which differs between them.
	let target = out.ancestors().nth(3).ok_or("OUT_DIR is not in a target folder")?.join("wbuild");
	compile(workspace, &target, &profile)?;

	let compiled = target.join(TARGET).join(folder_of(&profile)).join(RUNTIME.1);
	let wasm = read(&compiled.with_extension("wasm"))?;
	let compressed = compress_strongly(&wasm, CODE_BLOB_BOMB_LIMIT)
		.ok_or_else(|| format!("{} bytes are more than a node accepts", wasm.len()))?;
	fs::write(blob, compressed)?;
	watch(workspace, &compiled.with_extension("d"))
}

/// Returns the folder in which cargo puts what it builds with a profile.
fn folder_of(profile: &str) -> &str {
	match profile {
		"dev" | "test" => "debug",
		"bench" => "release",
		other => other,
	}
}

fn read(file: &Path) -> Result<Vec<u8>, String> {
	fs::read(file).map_err(|error| format!("{}: {error}", file.display()))
}

fn variable(name: &str) -> Result<OsString, String> {
	env::var_os(name).ok_or_else(|| format!("cargo has not set {name}"))
}

/// Compiles the runtime with a cargo of its own: for another target, with other features, and maybe
/// with another toolchain.
fn compile(workspace: &Path, target: &Path, profile: &str) -> Result<(), Box<dyn Error>> {
	println!("cargo::rerun-if-changed=../metadata-hash");
	let hashes = String::from_utf8(read(&workspace.join("runtime/metadata-hash"))?)?;
	// The second line has the hash of the runtime with the feature `drill`.
	let line = usize::from(env::var_os("CARGO_FEATURE_DRILL").is_some());
	let hash = hashes.lines().nth(line).ok_or("runtime/metadata-hash has too few lines")?;
	// Cargo does not rebuild a registry crate when an environment variable changes, so the runtime
	// would keep the old hash. It does rebuild when a flag changes.
	let more = env::var("WASM_BUILD_RUSTFLAGS").unwrap_or_default();
	let flags = format!("{FLAGS} --cfg metadata_hash_{hash} {more}");
	let features = FEATURES.into_iter().filter(|feature| {
		let name = feature.to_uppercase().replace('-', "_");
		env::var_os(format!("CARGO_FEATURE_{name}")).is_some()
	});

	let mut cargo = match env::var("WASM_BUILD_TOOLCHAIN") {
		Ok(toolchain) => {
			let mut rustup = Command::new("rustup");
			rustup.args(["run", &toolchain, "cargo"]);
			rustup
		},
		Err(_) => Command::new(variable("CARGO")?),
	};
	cargo
		.current_dir(workspace)
		.args(["rustc", "--locked", "--package", RUNTIME.0, "--lib", "--crate-type", "cdylib"])
		.args(["--target", TARGET, "--profile", profile, "--no-default-features", "--features"])
		.arg(features.collect::<Vec<_>>().join(","))
		.arg("--target-dir")
		.arg(target)
		.env("RUSTFLAGS", flags)
		.env("RUNTIME_METADATA_HASH", hash)
		// The outer cargo sets these for its own build.
		.env_remove("CARGO_ENCODED_RUSTFLAGS")
		.env_remove("RUSTC")
		.env_remove("RUSTC_WORKSPACE_WRAPPER")
		.env_remove("RUSTDOC");
	if !cargo.status()?.success() {
		return Err("cargo failed, see its output above; if the target is missing, run \
			scripts/setup"
			.into());
	}
	Ok(())
}

/// Makes cargo rerun this script when a source or its manifest changes. The compiler lists the
/// sources in the makefile `dependencies`.
fn watch(workspace: &Path, dependencies: &Path) -> Result<(), Box<dyn Error>> {
	let mut watched = BTreeSet::from(["Cargo.toml", "Cargo.lock"].map(|file| workspace.join(file)));
	// A line of a makefile: the product, a colon, and what it is made of.
	let text = String::from_utf8(read(dependencies)?)?;
	let (_, sources) = text.split_once(": ").ok_or("the compiler has named no sources")?;
	for source in sources.trim_end().replace("\\ ", "\0").split(' ') {
		let source = PathBuf::from(source.replace('\0', " "));
		let manifests = source.ancestors().map(|folder| folder.join("Cargo.toml"));
		watched.extend(
			manifests.take_while(|file| file.starts_with(workspace)).find(|file| file.exists()),
		);
		watched.insert(source);
	}
	for file in watched {
		// Relative to this package, as another checkout can share the target folder.
		match file.strip_prefix(workspace) {
			Ok(inside) => println!("cargo::rerun-if-changed=../../{}", inside.display()),
			Err(_) => println!("cargo::rerun-if-changed={}", file.display()),
		}
	}
	Ok(())
}
