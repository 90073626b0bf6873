// SPDX-License-Identifier: Apache-2.0
/**
 * The service worker that gives players the bytes of versions. A player asks for ranges, and the
 * worker reads each from the nodes, verified, in parts of bounded size.
 */

import { fetchFrom, UnservedError } from '../../../sdk/src/content.ts';
import { type Heard, mediaOf } from './source.ts';

/** Largest number of bytes of an answer. A player asks again for what follows. */
const PART = 1 << 20;

/** The scope of a service worker, as far as this script needs it. Its types and a page's exclude each other. */
interface Worker {
	addEventListener(kind: 'activate' | 'install' | 'message', listener: (event: { waitUntil(task: Promise<unknown>): void }) => void): void;
	addEventListener(kind: 'fetch', listener: (event: Fetch) => void): void;
	skipWaiting(): Promise<void>;
	readonly clients: { claim(): Promise<void>; get(id: string): Promise<{ postMessage(heard: Heard): void } | undefined> };
}

interface Fetch {
	readonly request: Request;
	readonly clientId: string;
	respondWith(answer: Promise<Response>): void;
}

const worker = self as unknown as Worker;

worker.addEventListener('install', (event) => event.waitUntil(worker.skipWaiting()));
// Also serves the page that has started it, and a page that was loaded without it.
for (const kind of ['activate', 'message'] as const) worker.addEventListener(kind, (event) => event.waitUntil(worker.clients.claim()));

worker.addEventListener('fetch', (event) => {
	const { url, destination } = event.request;
	// No page is ever made of such bytes.
	if (destination !== 'audio' && destination !== 'video') return;
	const media = mediaOf(new URL(url));
	if (media) event.respondWith(answer(event, media));
});

/** Answers with a part of the bytes, from the first one that is asked for. */
async function answer({ request, clientId }: Fetch, { version, size, type, holders }: NonNullable<ReturnType<typeof mediaOf>>): Promise<Response> {
	const [, from = '0', to] = /^bytes=(\d+)-(\d+)?$/.exec(request.headers.get('range') ?? '') ?? [];
	const [first, end] = [Number(from), Math.min(to === undefined ? Infinity : Number(to), size - 1)];
	if (first > end) return new Response(null, { status: 416, headers: { 'Content-Range': `bytes */${size}` } });
	const last = Math.min(end, first + PART - 1);
	const tell = async (heard: Heard) => (await worker.clients.get(clientId))?.postMessage(heard);
	let node = '';
	try {
		const bytes = await fetchFrom(holders, { version, hash: 'blake3', size: BigInt(size) }, {
			...{ range: { first, last }, most: PART, signal: request.signal },
			onProgress: (progress) => (node = progress.node),
		});
		await tell({ version, first, last, node });
		const headers = { 'Content-Type': type, 'Content-Range': `bytes ${first}-${last}/${size}`, 'Content-Length': String(bytes.length), 'Cache-Control': 'no-store' };
		return new Response(bytes, { status: 206, headers });
	} catch (error) {
		// The player no longer wants them.
		if (!request.signal.aborted) await tell({ version, reason: String(error), failures: error instanceof UnservedError ? error.failures : [] });
		return Response.error();
	}
}
