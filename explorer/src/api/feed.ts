// SPDX-License-Identifier: Apache-2.0
/** The live feed, and the changes that its messages make for all pages. */

import { batch, createSignal, onCleanup } from 'solid-js';
import { readFeed, type Message } from './stream.ts';
import { shareFeed } from './tabs.ts';
import type { FabricEvent, FullBlock, FeedHead } from './answers.ts';

/** The change that a message of the feed makes for a page. */
export type Change =
	| { kind: 'block'; block: FullBlock }
	| { kind: 'retract'; to: number }
	/** Messages may be missing between the last change and this one. */
	| { kind: 'restart' };

/**
 * Milliseconds without a `head` message, sent every 5 s, after which the indexer counts as silent.
 */
const SILENCE = 11_000;
/** Number of ids of the last messages that are kept. */
const RECENT = 64;
/** Number of intervals between blocks that the block time is measured from. */
const INTERVALS = 20;

const [head, setHead] = createSignal<FeedHead>();
const [best, setBest] = createSignal<{ number: number; hash: string; time: number }>();
const [finalized, setFinalized] = createSignal(-1);
const [heardAt, setHeardAt] = createSignal(Date.now());
const [silent, setSilent] = createSignal(false);
const [blockTime, setBlockTime] = createSignal<number>();

export { best, blockTime, finalized, head, heardAt, silent };

const listeners = new Set<(change: Change) => void>();

/** Calls `listener` for each change until the owner is disposed of. */
export function onChange(listener: (change: Change) => void): void {
	listeners.add(listener);
	onCleanup(() => listeners.delete(listener));
}

/** Returns true if the event is in a final block. */
export function isFinal(event: Pick<FabricEvent, 'block' | 'final'>): boolean {
	return event.final || event.block <= finalized();
}

/** Returns the number of blocks that the index is behind its node. */
export function blocksBehind(): number {
	const last = head();
	if (!last) return 0;
	const indexed = Math.max(last.best, best()?.number ?? 0);
	return Math.max(0, last.node.best - indexed, last.node.finalized - Math.max(last.finalized, finalized()));
}

let silence: ReturnType<typeof setTimeout> | undefined;
/** The id of the last message. */
let cursor: string | undefined;
/** Ids of the last messages, while the tab is visible. */
let recent: string[] = [];
let last: { number: number; arrived: number } | undefined;
let intervals: number[] = [];
/** The head when the feed was opened: it sends the blocks after it. */
let opened: number | undefined;
/** The oldest block that an answer from before that is a snapshot of. */
let oldest = Infinity;

/**
 * Notes the block that an answer is a snapshot of. The feed may have been opened after a later one.
 */
export function answered(block: number): void {
	if (opened === undefined) oldest = Math.min(oldest, block);
	else if (block < opened) emit({ kind: 'restart' });
}

/** Receives the feed while the tab is visible. */
export function startFeed(): void {
	shareFeed({
		shown: expectNews,
		hidden: () => {
			clearTimeout(silence);
			recent = [];
		},
		read: (signal, pass) => readFeed(cursor, signal, pass),
		receive: (message) => batch(() => receive(message)),
		position,
	});
}

/** Takes a message, which this tab or another one has read. */
function receive({ name, data, after, id }: Message): void {
	const isNext = after === cursor;
	// Skips messages of a tab that has just begun to read, and is behind this one.
	if (!isNext && after !== undefined && recent.includes(id)) return;
	if (!isNext && cursor !== undefined && id !== cursor) {
		setBest(undefined);
		emit({ kind: 'restart' });
	}
	if (id !== cursor) recent = [...recent, id].slice(-RECENT);
	cursor = id;
	handlers[name](data as never);
}

const handlers = {
	head(message: FeedHead) {
		setHeardAt(Date.now());
		setSilent(false);
		expectNews();
		setHead(message);
		setFinalized((known) => Math.max(known, message.finalized));
		if (opened !== undefined) return;
		opened = message.best;
		if (oldest < opened) emit({ kind: 'restart' });
	},
	block(block: FullBlock) {
		measure(block.number);
		setBest({ number: block.number, hash: block.hash, time: block.time });
		opened ??= block.number - 1;
		emit({ kind: 'block', block });
	},
	retract({ to }: { to: { number: number; hash: string } }) {
		// The time of that block is not in the message; the next block brings its own.
		setBest((known) => known && { ...known, number: to.number, hash: to.hash });
		setHead((known) => known && { ...known, best: Math.min(known.best, to.number) });
		if (opened !== undefined) opened = Math.min(opened, to.number);
		emit({ kind: 'retract', to: to.number });
	},
	finalized({ number }: { number: number }) {
		setFinalized((known) => Math.max(known, number));
	},
};

/** Returns a message that tells another tab where this one is. */
function position(): Message | undefined {
	const known = head();
	if (!known || cursor === undefined) return undefined;
	const data: FeedHead = { ...known, best: best()?.number ?? known.best, finalized: finalized() };
	return { name: 'head', data, after: cursor, id: cursor };
}

function emit(change: Change): void {
	for (const listener of [...listeners]) listener(change);
}

function expectNews(): void {
	clearTimeout(silence);
	silence = setTimeout(() => setSilent(true), SILENCE);
}

/**
 * Measures the block time as the median interval between arrivals. The times in the blocks do not
 * serve: the clock of a development chain runs ahead of time.
 */
function measure(number: number): void {
	// A block that the index had before does not arrive as it is made.
	if (number <= (head()?.best ?? 0)) return;
	const arrived = performance.now();
	const blocks = last ? number - last.number : 0;
	if (last && blocks > 0) {
		intervals = [...intervals, (arrived - last.arrived) / blocks].slice(-INTERVALS);
		const sorted = [...intervals].sort((a, b) => a - b);
		setBlockTime(sorted[sorted.length >> 1]);
	}
	last = { number, arrived };
}
