// SPDX-License-Identifier: Apache-2.0
/**
 * Shares the feed among the tabs of a browser, because browsers open at most six connections to an
 * HTTP/1.1 server, for all tabs together. One visible tab reads the feed, and passes it on to the
 * other visible tabs. Hidden tabs neither read nor receive.
 */

import type { Message } from './stream.ts';

/** Name of the lock that the reading tab holds, and of the channel. Names the form of `Message`. */
const NAME = 'content-fabric-feed-2';
/** Asks the reading tab for its position. */
const JOIN = 'join';

/** The functions by which a tab takes part in the feed. */
export interface Tab {
	/** Called when the tab becomes visible. */
	shown: () => void;
	/** Called when the tab is hidden. */
	hidden: () => void;
	/** Reads the feed until `signal`. */
	read: (signal: AbortSignal, receive: (message: Message) => void) => void;
	/** Takes a message. */
	receive: (message: Message) => void;
	/** Returns a message for a tab that begins at the position of this one. */
	position: () => Message | undefined;
}

/** Has a tab receive the feed whenever it is visible. */
export function shareFeed(tab: Tab): void {
	let visit: AbortController | undefined;
	const update = () => {
		const isVisible = document.visibilityState === 'visible';
		if (isVisible === (visit !== undefined)) return;
		if (visit) {
			visit.abort();
			visit = undefined;
			tab.hidden();
		} else {
			visit = new AbortController();
			tab.shown();
			join(tab, visit.signal);
		}
	};
	document.addEventListener('visibilitychange', update);
	update();
}

function join(tab: Tab, signal: AbortSignal): void {
	// Browsers offer locks only to pages from https or localhost.
	if (!isSecureContext) return tab.read(signal, tab.receive);
	share(tab, signal).catch((error: unknown) => {
		if (signal.aborted) return;
		console.warn(`This tab reads the feed alone, as the browser shares nothing among tabs: ${String(error)}`);
		tab.read(signal, tab.receive);
	});
}

/** Reads the feed for all tabs if no other one does, and otherwise receives it, until `signal`. */
async function share(tab: Tab, signal: AbortSignal): Promise<void> {
	let isReading = false;
	const channel = new BroadcastChannel(NAME);
	signal.addEventListener('abort', () => channel.close());
	channel.onmessage = ({ data }: MessageEvent<Message | typeof JOIN>) => {
		if (data !== JOIN) {
			// The tab that read before may have sent this message. This tab reads it itself.
			if (!isReading) tab.receive(data);
			return;
		}
		const position = isReading ? tab.position() : undefined;
		if (position) channel.postMessage(position);
	};
	channel.postMessage(JOIN);
	const read = () =>
		new Promise<void>((release) => {
			if (signal.aborted) return release();
			isReading = true;
			tab.read(signal, (message) => {
				channel.postMessage(message);
				tab.receive(message);
			});
			signal.addEventListener('abort', () => release());
		});
	// The browser passes the lock on when the tab is closed or crashes.
	await navigator.locks.request(NAME, { signal }, read);
}
