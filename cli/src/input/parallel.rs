// SPDX-License-Identifier: Apache-2.0
//! Work on many files at the same time.

use std::{
	num::NonZeroUsize,
	sync::atomic::{AtomicUsize, Ordering},
	thread,
};

/// Maximum number of threads that read files.
const MAX_THREADS: usize = 8;

/// Does work for each item on several threads. Returns the results in the order of the items.
pub fn in_parallel<Item: Sync, Done: Send>(
	items: &[Item],
	work: impl Fn(&Item) -> Done + Sync,
) -> Vec<Done> {
	let threads = thread::available_parallelism().map_or(1, NonZeroUsize::get);
	let threads = threads.min(MAX_THREADS).min(items.len());
	let next = AtomicUsize::new(0);
	let run = || {
		let mut done = Vec::new();
		let take = || {
			let index = next.fetch_add(1, Ordering::Relaxed);
			Some((index, items.get(index)?))
		};
		while let Some((index, item)) = take() {
			done.push((index, work(item)));
		}
		done
	};
	let mut done: Vec<_> = thread::scope(|scope| {
		let workers: Vec<_> = (0..threads).map(|_| scope.spawn(run)).collect();
		let join = |worker: thread::ScopedJoinHandle<'_, _>| {
			worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
		};
		workers.into_iter().flat_map(join).collect()
	});
	done.sort_by_key(|(index, _)| *index);
	done.into_iter().map(|(_, done)| done).collect()
}
