// SPDX-License-Identifier: Apache-2.0
/** A connection of the feed. */

import { withQuery } from './client.ts';

const NAMES = ['head', 'block'] as const;
const FIRST_RETRY = 1_000;
const LAST_RETRY = 10_000;

/** A message of the feed. */
export interface Message {
	name: (typeof NAMES)[number];
	data: unknown;
	/** The id of the last message before it. `undefined` at the start of a feed that resumes none. */
	after: string | undefined;
	/** The id of the message, or of the last one that has an id. */
	id: string;
}

/** Receives the messages that follow the one with the id `after`. Keeps connecting until `signal`. */
export function readFeed(after: string | undefined, signal: AbortSignal, receive: (message: Message) => void): void {
	let last = after;
	let retry = FIRST_RETRY;
	const connect = () => {
		if (signal.aborted) return;
		const source = new EventSource(withQuery('/v1/feed', { after: last }));
		const close = () => source.close();
		signal.addEventListener('abort', close);
		for (const name of NAMES) {
			source.addEventListener(name, ({ data, lastEventId: id }: MessageEvent<string>) => {
				const message = { name, data: JSON.parse(data) as unknown, after: last, id };
				last = id;
				receive(message);
			});
		}
		source.onopen = () => (retry = FIRST_RETRY);
		source.onerror = () => {
			// The browser reconnects by itself, and names its last message. After an answer such as
			// 410, which means that this message has expired, it gives up: start again without it.
			if (source.readyState !== EventSource.CLOSED) return;
			signal.removeEventListener('abort', close);
			last = undefined;
			setTimeout(connect, retry);
			retry = Math.min(retry * 2, LAST_RETRY);
		};
	};
	connect();
}
