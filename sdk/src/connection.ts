// SPDX-License-Identifier: Apache-2.0
/** A client of the JSON-RPC server of a node. */

import { createClient, type PolkadotClient } from 'polkadot-api';
import { getWsProvider, SocketEvents } from 'polkadot-api/ws';

/** A WebSocket class, of browsers, Node.js or the package `ws`. Has what the client uses.
 */
export type WebSocketClass = new (url: string) => {
	readonly url: string;
	addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
	removeEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
	send(data: string): void;
	close(): void;
};

/** No node answers. The message says where, and why. */
export class ConnectError extends Error {
	override readonly name = 'ConnectError';
}

/** Returns a connected client, and the genesis hash in hexadecimal form. `time` is in milliseconds. */
export async function open(
	url: string,
	webSocket: WebSocketClass,
	time: number,
): Promise<{ client: PolkadotClient; genesisHash: string }> {
	let fail = (_: string): void => undefined;
	const failed = new Promise<never>((_, reject) => {
		fail = (reason) => reject(new ConnectError(`no node answers at ${url}: ${reason}`));
	});
	const late = setTimeout(() => fail(`no answer within ${time / 1_000} seconds`), time);
	const client = createClient(
		getWsProvider(url, {
			websocketClass: webSocket as typeof globalThis.WebSocket,
			// The first attempt has all of the time.
			timeout: time,
			logger(event) {
				if (event.type === SocketEvents.CLOSE) fail('the connection was closed');
				// Browsers do not say why.
				if (event.type === SocketEvents.ERROR) fail(event.error?.message || 'the connection failed');
			},
		}),
	);
	try {
		// A client that is closed before it knows a block tries to connect again, and fails.
		const known = Promise.all([client.getChainSpecData(), client.getFinalizedBlock()]);
		const [{ genesisHash }] = await Promise.race([known, failed]);
		return { client, genesisHash };
	} catch (error) {
		client.destroy();
		throw error;
	} finally {
		clearTimeout(late);
	}
}
