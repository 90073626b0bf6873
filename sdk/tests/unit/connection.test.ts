// SPDX-License-Identifier: Apache-2.0
/** Connections to ports at which no node answers. */

import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, expect, test } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { ConnectError, open } from '../../src/connection.ts';

const sockets: Socket[] = [];
const servers: Server[] = [];

/** Starts a server that treats each connection in this way. Returns its URL. */
async function serve(treat: (socket: Socket) => void): Promise<string> {
	const server = createServer((socket) => {
		sockets.push(socket);
		treat(socket);
	}).listen(0, '127.0.0.1');
	servers.push(server);
	await once(server, 'listening');
	return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const mute = new WebSocketServer({ port: 0, host: '127.0.0.1' });
await once(mute, 'listening');
afterAll(() => {
	for (const socket of sockets) socket.destroy();
	for (const server of servers) server.close();
	for (const client of mute.clients) client.terminate();
	mute.close();
});

test('a dead port is an error at once', async () => {
	const failed = open('ws://127.0.0.1:1', WebSocket, 60_000);
	await expect(failed).rejects.toThrow(ConnectError);
	await expect(failed).rejects.toThrow(/^no node answers at ws:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/);
});

test('a server that cuts the connection is an error at once', async () => {
	const url = await serve((socket) => socket.destroy());
	await expect(open(url, WebSocket, 60_000)).rejects.toThrow(`no node answers at ${url}: `);
});

test('a silent port, and a server that answers no question, are errors within the time', async () => {
	for (const url of [await serve(() => undefined), `ws://127.0.0.1:${(mute.address() as AddressInfo).port}`]) {
		const failed = open(url, WebSocket, 200);
		await expect(failed).rejects.toThrow(ConnectError);
		await expect(failed).rejects.toThrow(`no node answers at ${url}: no answer within 0.2 seconds`);
	}
});

test.skipIf(globalThis.WebSocket === undefined)('the WebSocket of Node.js 22 fails in the same way', async () => {
	await expect(open('ws://127.0.0.1:1', globalThis.WebSocket, 60_000)).rejects.toThrow(ConnectError);
});
