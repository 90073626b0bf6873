// SPDX-License-Identifier: Apache-2.0
/** The live feed: one connection for all pages. */

import { batch, createSignal, onCleanup } from 'solid-js';
import type { FabricEvent, FeedBlock, FeedHead } from './types.ts';

/** The change that a message of the feed makes for a page. */
export type Change =
	| { kind: 'block'; block: FeedBlock }
	| { kind: 'retract'; to: number }
	/** Messages may be missing between the last change and this one. */
	| { kind: 'restart' };

/**
 * Milliseconds without a `head` message, sent every 5 s, after which the indexer counts as silent.
 */
const SILENCE = 11_000;
const FIRST_RETRY = 1_000;
const LAST_RETRY = 10_000;
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

let source: EventSource | undefined;
let retry = FIRST_RETRY;
let silence: ReturnType<typeof setTimeout> | undefined;
let interrupted = false;
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

/** Connects to the feed, and keeps connecting. */
export function startFeed(): void {
	source?.close();
	source = new EventSource('/v1/feed?finalized=false');
	expectNews();
	listen<FeedHead>('head', (message) => {
		setHeardAt(Date.now());
		setSilent(false);
		expectNews();
		setHead(message);
		setFinalized((known) => Math.max(known, message.finalized));
		if (opened !== undefined) return;
		opened = message.best;
		if (oldest < opened) emit({ kind: 'restart' });
	});
	listen<FeedBlock>('block', (block) => {
		measure(block.number);
		setBest({ number: block.number, hash: block.hash, time: block.time });
		opened ??= block.number - 1;
		emit({ kind: 'block', block });
	});
	listen<{ to: { number: number; hash: string } }>('retract', ({ to }) => {
		// The time of that block is not in the message; the next block brings its own.
		setBest((known) => known && { ...known, number: to.number, hash: to.hash });
		setHead((known) => known && { ...known, best: Math.min(known.best, to.number) });
		if (opened !== undefined) opened = Math.min(opened, to.number);
		emit({ kind: 'retract', to: to.number });
	});
	listen<{ number: number }>('finalized', ({ number }) => setFinalized((known) => Math.max(known, number)));
	source.onopen = () => {
		retry = FIRST_RETRY;
		if (interrupted) emit({ kind: 'restart' });
		interrupted = false;
	};
	source.onerror = () => {
		last = undefined;
		// The browser reconnects by itself, and names its last message. After an answer such as
		// 410, which means that this message has expired, it gives up: start again without it.
		if (source?.readyState !== EventSource.CLOSED) return;
		interrupted = true;
		setTimeout(startFeed, retry);
		retry = Math.min(retry * 2, LAST_RETRY);
	};
}

function listen<T>(name: string, handle: (message: T) => void): void {
	source?.addEventListener(name, (message: MessageEvent<string>) => batch(() => handle(JSON.parse(message.data) as T)));
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
	const arrived = performance.now();
	const blocks = last ? number - last.number : 0;
	if (last && blocks > 0) {
		intervals = [...intervals, (arrived - last.arrived) / blocks].slice(-INTERVALS);
		const sorted = [...intervals].sort((a, b) => a - b);
		setBlockTime(sorted[sorted.length >> 1]);
	}
	last = { number, arrived };
}
