// SPDX-License-Identifier: Apache-2.0
//! Runs random sequences until the time is over, and shrinks the input of a finding.

use std::{
	collections::{BTreeMap, BTreeSet},
	env, fs,
	panic::{catch_unwind, AssertUnwindSafe},
	path::{Path, PathBuf},
	sync::{
		atomic::{AtomicU64, Ordering},
		Mutex,
	},
	thread,
	time::{Duration, Instant},
};

use rand::{rngs::StdRng, Rng, RngCore, SeedableRng};

use crate::{
	checks::{Checked, Finding},
	steps::STEP,
	table::Table,
	world::{self, Setup},
};

/// Bytes of a stack. Calls may be nested hundreds of levels deep.
const STACK: usize = 1 << 30;
/// Time for shrinking the input of a finding.
const SHRINKING: Duration = Duration::from_secs(120);
/// Steps of the longest sequence.
const MAX_STEPS: usize = 600;

/// The settings in the environment.
pub struct Settings {
	/// Seconds of random sequences.
	pub seconds: u64,
	/// Calls after which it ends, even if time is left.
	pub calls: u64,
	pub seed: u64,
	pub threads: usize,
	/// Folder for inputs that reach outcomes which no earlier one has reached.
	pub keep: Option<PathBuf>,
}

fn number(name: &str) -> Option<u64> {
	let text = env::var(name).ok()?;
	Some(text.parse().unwrap_or_else(|_| panic!("{name} is {text}, which is not a number")))
}

/// Returns whether a variable is set.
pub fn is_set(name: &str) -> bool {
	env::var_os(name).is_some()
}

impl Settings {
	pub fn from_env() -> Self {
		Self {
			seconds: number("RUNTIME_FUZZ_SECONDS").unwrap_or(45),
			calls: number("RUNTIME_FUZZ_CALLS").unwrap_or(u64::MAX),
			seed: number("RUNTIME_FUZZ_SEED").unwrap_or_else(|| rand::rng().next_u64()),
			threads: number("RUNTIME_FUZZ_THREADS").unwrap_or(2) as usize,
			keep: env::var_os("RUNTIME_FUZZ_KEEP").map(PathBuf::from),
		}
	}
}

/// Returns the set-up that the environment asks for.
pub fn setup() -> Setup {
	Setup::new(!is_set("RUNTIME_FUZZ_NATIVE"), is_set("RUNTIME_FUZZ_TIME"))
}

/// Runs on a thread with a deep stack.
pub fn with_deep_stack<R: Send>(body: impl FnOnce() -> R + Send) -> R {
	thread::scope(|scope| {
		let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, body);
		thread
			.expect("there is memory")
			.join()
			.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
	})
}

/// Runs an input. A panic is a finding, too.
pub fn try_run(
	setup: &Setup,
	input: &[u8],
	table: &mut Table,
	log: Option<&mut Vec<String>>,
) -> Checked {
	let run = AssertUnwindSafe(|| world::run(setup, input, table, log));
	catch_unwind(run).unwrap_or_else(|panic| {
		let text = panic.downcast_ref::<String>().cloned();
		let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| text.to_string()));
		Err(Finding::new("panic", text.unwrap_or_default()))
	})
}

/// Runs an input again in which a call took too long. That is a finding only if it repeats itself,
/// as other programs can hold up several measurements in a row.
fn again_if_time(setup: &Setup, input: &[u8], finding: Finding) -> Checked {
	if finding.kind != "time" {
		return Err(finding);
	}
	eprintln!("{}: trying again", finding.what);
	try_run(setup, input, &mut Table::default(), None)
}

/// Runs an input, and panics with all that is known of a finding.
pub fn check(setup: &Setup, input: &[u8], source: &str, table: &mut Table) {
	let checked = try_run(setup, input, table, None);
	if let Err(finding) = checked.or_else(|finding| again_if_time(setup, input, finding)) {
		panic!("{}", explain(setup, input, &finding, source));
	}
}

/// Returns all that is known of a finding, after shrinking its input.
fn explain(setup: &Setup, input: &[u8], finding: &Finding, source: &str) -> String {
	let input = smaller(setup, input, finding.kind);
	let mut log = Vec::new();
	let again = try_run(setup, &input, &mut Table::default(), Some(&mut log));
	let what = again.err().unwrap_or_else(|| finding.clone());
	let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("fuzz-{}", name_of(&input)));
	let saved = match fs::write(&path, &input) {
		Ok(()) => format!("RUNTIME_FUZZ_INPUT={} repeats it", path.display()),
		Err(error) => format!("the input could not be saved: {error}"),
	};
	let log = log.join("\n");
	format!("{log}\n\n{source}: {}: {}\n{saved}", what.kind, what.what)
}

/// Removes steps as long as the input still leads to the same kind of finding.
fn smaller(setup: &Setup, input: &[u8], kind: &'static str) -> Vec<u8> {
	let start = Instant::now();
	let mut input = input.to_vec();
	let fails = |input: &[u8]| {
		let result = try_run(setup, input, &mut Table::default(), None);
		result.is_err_and(|finding| finding.kind == kind)
	};
	let mut len = (input.len() / STEP / 2).max(1);
	loop {
		// The first step chooses the genesis, and stays.
		let mut place = 1;
		let mut is_smaller = false;
		while place * STEP < input.len() && start.elapsed() < SHRINKING {
			let mut without = input[..place * STEP].to_vec();
			without.extend_from_slice(input.get((place + len) * STEP..).unwrap_or_default());
			if fails(&without) {
				input = without;
				is_smaller = true;
			} else {
				place += len;
			}
		}
		if start.elapsed() >= SHRINKING || (len == 1 && !is_smaller) {
			return input;
		}
		len = (len / 2).max(1);
	}
}

pub fn name_of(input: &[u8]) -> String {
	let hash = sp_io::hashing::blake2_128(input);
	hash[..8].iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Runs random sequences. Panics at the end with the first finding of each kind.
pub fn random(setup: &Setup, settings: &Settings) -> Table {
	let start = Instant::now();
	let deadline = Duration::from_secs(settings.seconds);
	if let Some(folder) = &settings.keep {
		fs::create_dir_all(folder)
			.expect("RUNTIME_FUZZ_KEEP names a folder that exists or can be made");
	}
	let (calls, next) = (AtomicU64::new(0), AtomicU64::new(0));
	let total = Mutex::new(Table::default());
	let findings = Mutex::new(BTreeMap::new());
	let kept = Mutex::new(BTreeSet::new());
	let run = || {
		while start.elapsed() < deadline && calls.load(Ordering::Relaxed) < settings.calls {
			let number = next.fetch_add(1, Ordering::Relaxed);
			let input = random_input(settings.seed.wrapping_add(number));
			let mut table = Table::default();
			let result = try_run(setup, &input, &mut table, None)
				.or_else(|finding| again_if_time(setup, &input, finding));
			calls.fetch_add(table.calls, Ordering::Relaxed);
			if let Err(finding) = result {
				let mut findings = findings.lock().expect("no thread has panicked");
				findings.entry(finding.kind).or_insert_with(|| {
					let source = format!("sequence {number} of seed {}", settings.seed);
					explain(setup, &input, &finding, &source)
				});
			}
			if let Some(folder) = &settings.keep {
				let mut kept = kept.lock().expect("no thread has panicked");
				let pairs = table.pairs();
				if !pairs.is_subset(&kept) {
					kept.extend(pairs);
					let path = folder.join(name_of(&input));
					fs::write(&path, &input).expect("the folder can be written to");
				}
			}
			total.lock().expect("no thread has panicked").add(table);
		}
	};
	thread::scope(|scope| {
		for _ in 0..settings.threads {
			let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, run);
			thread.expect("there is memory");
		}
	});
	let table = total.into_inner().expect("no thread has panicked");
	println!("seed {}, {:?}: {table}", settings.seed, start.elapsed());
	let findings: BTreeMap<_, _> = findings.into_inner().expect("no thread has panicked");
	let texts: Vec<String> = findings.into_values().collect();
	assert!(texts.is_empty(), "{}", texts.join("\n\n"));
	table
}

fn random_input(seed: u64) -> Vec<u8> {
	let mut rng = StdRng::seed_from_u64(seed);
	let steps = rng.random_range(20..MAX_STEPS);
	let mut input = vec![0; (1 + steps) * STEP];
	rng.fill_bytes(&mut input);
	input
}
