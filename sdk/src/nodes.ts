// SPDX-License-Identifier: Apache-2.0
/** Content nodes: their servers, how they are asked, and how they fail. */

import { concat } from './ids/bytes.ts';

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
	readonly failures: { node: string; fault: Fault; reason: string }[];

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
	// Numbers in another form, such as octal ones, would be another address.
	if (kind === 'ip4' && new URL(`http://${host}`).hostname !== host) return undefined;
	return `${scheme}://${name}:${port}`;
}

/** Returns the URL of the bytes of a version at a server. */
export const versionUrl = (server: string, version: string): string => `${server}/v1/versions/${encodeURIComponent(version)}`;

/** A node that may have the bytes of a version. */
export interface Holder {
	/** The node in words. */
	node: string;
	/** Its locator. `undefined` if the chain does not have the node any more. */
	locator: string | undefined;
}

/** Milliseconds for a request, without the time for its bytes. */
export const PATIENCE = 30_000;
/** Smallest number of bytes that a node must send in a millisecond. */
export const SLOWEST = 64;
/** A node sends its bytes itself, and needs to know nothing of its reader. */
export const REQUEST: RequestInit = { redirect: 'error', credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store' };

/** Returns the server of a locator, which is `undefined` if the chain does not have the node. */
export function serverAt(locator: string | undefined): string {
	if (locator === undefined) throw new NodeError('no-answer', 'the chain no longer has it');
	const server = serverOf(locator);
	if (server === undefined) throw new NodeError('no-answer', `its locator \`${locator}\` names no HTTP server`);
	return server;
}

/** Returns the body of an answer, which has at most this many bytes. */
export async function readAtMost(answer: Response, most: number): Promise<Uint8Array<ArrayBuffer>> {
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
