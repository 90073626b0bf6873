// SPDX-License-Identifier: Apache-2.0
/** The live feed, and the changes that its messages make for all pages. */

import { batch, createSignal, onCleanup } from 'solid-js';
import { readFeed, type Message } from './stream.ts';
import { shareFeed } from './tabs.ts';
import type { FullBlock, FeedHead } from './answers.ts';

/** The change that a message of the feed makes for a page. */
export type Change =
	| { kind: 'block'; block: FullBlock }
	/** Messages may be missing between the last change and this one. */
	| { kind: 'restart' };

/**
 * Milliseconds without a `head` message, sent every 5 s, after which the indexer counts as silent.
 */
const SILENCE = 11_000;
/** Number of ids of the last messages that are kept. */
const RECENT = 64;
/** Number of the last blocks that the block time is measured from. */
const MEASURED = 20;

const [head, setHead] = createSignal<FeedHead>();
const [latest, setLatest] = createSignal<{ number: number; hash: string; time: number }>();
const [heardAt, setHeardAt] = createSignal(Date.now());
const [silent, setSilent] = createSignal(false);
const [blockTime, setBlockTime] = createSignal<number>();

export { blockTime, head, heardAt, latest, silent };

const listeners = new Set<(change: Change) => void>();

/** Calls `listener` for each change until the owner is disposed of. */
export function onChange(listener: (change: Change) => void): void {
	listeners.add(listener);
	onCleanup(() => listeners.delete(listener));
}

/** Returns the number of the last block of the index. */
export function indexed(): number {
	return Math.max(head()?.finalized ?? 0, latest()?.number ?? 0);
}

/** Returns the number of final blocks that the index is behind its node. */
export function blocksBehind(): number {
	return Math.max(0, (head()?.node.finalized ?? 0) - indexed());
}

let silence: ReturnType<typeof setTimeout> | undefined;
/** The id of the last message. */
let cursor: string | undefined;
/** Ids of the last messages, while the tab is visible. */
let recent: string[] = [];
let arrivals: { number: number; at: number }[] = [];
/** The last block of the index when the feed was opened: it sends the blocks after it. */
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
		setLatest(undefined);
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
		if (opened !== undefined) return;
		opened = message.finalized;
		if (oldest < opened) emit({ kind: 'restart' });
	},
	block(block: FullBlock) {
		measure(block.number);
		setLatest({ number: block.number, hash: block.hash, time: block.time });
		opened ??= block.number - 1;
		emit({ kind: 'block', block });
	},
};

/** Returns a message that tells another tab where this one is. */
function position(): Message | undefined {
	const known = head();
	if (!known || cursor === undefined) return undefined;
	const data: FeedHead = { ...known, finalized: latest()?.number ?? known.finalized };
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
 * Measures the block time as the mean interval between arrivals, as several blocks may become final
 * at once. The times in the blocks do not serve: the clock of a development chain runs ahead of time.
 */
function measure(number: number): void {
	// A block that the index had before does not arrive as it becomes final.
	if (number <= (head()?.finalized ?? 0)) return;
	const last = { number, at: performance.now() };
	arrivals = [...arrivals, last].slice(-MEASURED);
	const first = arrivals[0];
	if (first && first.number < number) setBlockTime((last.at - first.at) / (number - first.number));
}
