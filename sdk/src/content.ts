// SPDX-License-Identifier: Apache-2.0
/** The bytes of versions, from content nodes. Nothing is returned before its hash was compared. */

import { verifyVersion } from './commit.ts';
import { concat } from './ids/bytes.ts';
import type { HashedVersion } from './ids/cid.ts';
import { parseId } from './ids/entity.ts';

/** The failure of a node: no answer, an error status, too many bytes, or wrong bytes. */
export type Fault = 'no-answer' | 'refused' | 'long' | 'wrong';

/** A content node did not serve the bytes of a version. The message says why. */
export class NodeError extends Error {
	override readonly name = 'NodeError';
	readonly fault: Fault;

	constructor(fault: Fault, message: string) {
		super(message);
		this.fault = fault;
	}
}

/** No node served the bytes of a version. The message names the failure of each. */
export class UnservedError extends Error {
	override readonly name = 'UnservedError';
	readonly failures: { node: string; reason: string }[];

	constructor(version: string, failures: UnservedError['failures']) {
		const each = failures.map(({ node, reason }) => `${node}: ${reason}`);
		super(`no node served ${version}: ${each.join('; ') || 'none has it'}`);
		this.failures = failures;
	}
}

/**
 * Returns the URL of the HTTP server that a locator names: by its URL, or by a multiaddress of a
 * TCP port with `http` or `https` after it. `undefined` if it names none.
 */
export function serverOf(locator: string): string | undefined {
	const text = locator.startsWith('/') ? fromMultiaddress(locator) : locator;
	if (text === undefined || !/^https?:\/\/[^?#\\\s]*$/i.test(text) || !URL.canParse(text)) return undefined;
	const url = new URL(text);
	// Browsers send no requests to such URLs, and people take them for URLs of another host.
	if (url.username !== '' || url.password !== '') return undefined;
	return url.href.replace(/\/$/, '');
}

function fromMultiaddress(text: string): string | undefined {
	const [, kind = '', host = '', tcp, port = '', ...rest] = text.split('/');
	const scheme = new Map([['http', 'http'], ['https', 'https'], ['tls/http', 'https']]).get(rest.join('/'));
	const name = kind === 'ip6' ? `[${host}]` : host;
	const isHost = kind === 'ip4' ? /^\d+(\.\d+){3}$/.test(host) : /^(dns[46]?|ip6)$/.test(kind) && host !== '';
	if (scheme === undefined || tcp !== 'tcp' || !/^\d+$/.test(port) || !isHost || !URL.canParse(`http://${name}`)) return undefined;
	// Numbers that do not stand for themselves, such as octal ones, would be another address.
	if (kind === 'ip4' && new URL(`http://${host}`).hostname !== host) return undefined;
	return `${scheme}://${name}:${port}`;
}

/** Returns the URL of the bytes of a version at a server. */
export const versionUrl = (server: string, version: string): string => `${server}/v1/versions/${encodeURIComponent(version)}`;

export interface Limits {
	/** The largest number of bytes that are read. */
	most: number;
	/**
	 * The longest time until all of them are here, in milliseconds. Grows with `most` if not given.
	 */
	time?: number;
	/** Ends the request. */
	signal?: AbortSignal | undefined;
}

/** Milliseconds of a request, besides those for its bytes. */
const PATIENCE = 30_000;
/** Bytes in a millisecond that a node sends at least. */
const SLOWEST = 64;

/** Asks a server for the bytes of a version, and has `read` read the answer, within its limits. */
async function ask<T>(method: string, server: string, version: string, limits: Limits, read: (answer: Response) => Promise<T>): Promise<T> {
	const time = Math.min(limits.time ?? PATIENCE + Math.ceil(limits.most / SLOWEST), 2 ** 31 - 1);
	const late = AbortSignal.timeout(time);
	const signal = limits.signal ? AbortSignal.any([late, limits.signal]) : late;
	try {
		// A node sends its bytes itself, and needs to know nothing of its reader.
		const answer = await fetch(versionUrl(server, version), {
			...{ method, signal, redirect: 'error', credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store' },
		});
		if (!answer.ok) {
			await answer.body?.cancel();
			throw new NodeError('refused', `it answers with status ${answer.status}`);
		}
		return await read(answer);
	} catch (error) {
		if (error instanceof NodeError || limits.signal?.aborted) throw error;
		if (late.aborted) throw new NodeError('no-answer', `it has not sent all bytes within ${time / 1_000} s`);
		const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
		throw new NodeError('no-answer', `it does not answer, or the connection was cut${cause}`);
	}
}

/**
 * Asks a server whether it has a version. Returns the number of its bytes, if the server says it.
 */
export function askSize(server: string, version: string, limits: Limits): Promise<bigint | undefined> {
	return ask('HEAD', server, version, limits, async ({ status, headers }) => {
		// Another success says nothing about the bytes.
		if (status !== 200) throw new NodeError('refused', 'it does not have all of the bytes yet');
		const length = headers.get('content-length');
		return length === null ? undefined : BigInt(length);
	});
}

/**
 * Fetches the bytes of a version from a server. Returns them only if their hash is the version.
 */
export async function fetchVersion(server: string, wanted: HashedVersion, limits: Limits): Promise<Uint8Array<ArrayBuffer>> {
	// An id that is not valid is refused before anybody is asked.
	parseId('version', wanted.version);
	const bytes = await ask('GET', server, wanted.version, limits, (answer) => readAtMost(answer, limits.most));
	if (!(await verifyVersion(wanted, bytes))) throw new NodeError('wrong', 'the hash of its bytes is not the version');
	return bytes;
}

async function readAtMost(answer: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
	const reader = answer.body?.getReader();
	const parts: Uint8Array[] = [];
	let length = 0;
	for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
		length += part.value.length;
		if (length > most) {
			await reader?.cancel();
			throw new NodeError('long', `it sends more than ${most} bytes`);
		}
		parts.push(part.value);
	}
	return concat(...parts);
}

/** A node that may have the bytes of a version. */
export interface Holder {
	/** The node in words. */
	node: string;
	/** Its locator. `undefined` if the chain does not have the node any more. */
	locator: string | undefined;
}

/** Fetches the bytes of a version from the first of these nodes that serves them. */
export async function fetchFrom(holders: AsyncIterable<Holder> | Iterable<Holder>, wanted: HashedVersion, limits: Limits): Promise<Uint8Array<ArrayBuffer>> {
	const failures: UnservedError['failures'] = [];
	for await (const { node, locator } of holders) {
		try {
			if (locator === undefined) throw new NodeError('no-answer', 'the chain does not have it any more');
			const server = serverOf(locator);
			if (server === undefined) throw new NodeError('no-answer', `its locator \`${locator}\` names no HTTP server`);
			return await fetchVersion(server, wanted, limits);
		} catch (error) {
			if (!(error instanceof NodeError)) throw error;
			failures.push({ node, reason: error.message });
		}
	}
	throw new UnservedError(wanted.version, failures);
}
