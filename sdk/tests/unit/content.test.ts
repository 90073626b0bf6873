// SPDX-License-Identifier: Apache-2.0
/** Bytes from content nodes. Some of the nodes lie. */

import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { askSize, fetchFrom, serverOf, UnservedError } from '../../src/content.ts';
import { formatId } from '../../src/ids/index.ts';

const data = Uint8Array.from({ length: 100_000 }, (_, i) => i * 31);
const other = data.toReversed();
const version = formatId('version', new Uint8Array(await crypto.subtle.digest('SHA-256', data)));
const wanted = { version, hash: 'sha256', size: BigInt(data.length) } as const;
const asked: string[] = [];

function* forever() {
	for (;;) yield data;
}

/** The answer of each node. */
const nodes: Record<string, (response: ServerResponse, method: string) => void> = {
	honest: (response, method) => response.writeHead(200, { 'content-length': data.length }).end(method === 'HEAD' ? undefined : data),
	lying: (response) => response.end(other),
	long: (response) => response.end(Buffer.concat([data, Uint8Array.of(0)])),
	endless: (response) => void Readable.from(forever()).pipe(response),
	empty: (response) => response.writeHead(404).end('{"error":"the node does not have it"}'),
	uploading: (response) => response.writeHead(204).end(),
	redirecting: (response) => response.writeHead(302, { location: '/honest/v1/versions/x' }).end(),
	cut(response) {
		response.writeHead(200, { 'content-length': data.length }).write(data.subarray(0, 10));
		setTimeout(() => response.destroy(), 50);
	},
	silent: () => undefined,
};

const server = createServer(({ url = '', method = '' }, response) => {
	const [, name = '', ...path] = url.split('/');
	asked.push(name);
	if (path.join('/') !== `v1/versions/${version}`) response.writeHead(400).end();
	else nodes[name]?.(response, method);
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => {
	server.closeAllConnections();
	server.close();
});

const limits = { most: data.length };
const holder = (node: string) => ({ node, locator: `${origin}/${node}` });

test('locators name servers as they do for the client', () => {
	for (const [locator, expected] of [
		['/dns4/example.org/tcp/443/https', 'https://example.org'],
		['/dns/example.org/tcp/8443/tls/http', 'https://example.org:8443'],
		['/dns6/example.org/tcp/80/http', 'http://example.org'],
		['/ip4/127.0.0.1/tcp/8090/http', 'http://127.0.0.1:8090'],
		['/ip6/::1/tcp/8090/http', 'http://[::1]:8090'],
		['https://example.org/store', 'https://example.org/store'],
		['http://127.0.0.1:8090/', 'http://127.0.0.1:8090'],
	] as const) {
		expect(serverOf(locator), locator).toBe(expected);
	}
	for (const locator of [
		...['', 'example.org', 'wss://example.org', 'javascript:alert(1)//x', 'data:text/html,x', 'file:///etc/passwd'],
		...['https://example.org?a=b', 'https://example.org#a', 'https://', 'https://user:pass@example.org', 'https://a b'],
		...['/ip4/127.0.0.1/tcp/30333', '/ip4/127.0.0.1/udp/443/quic-v1', '/dns4/example.org/tcp/443/wss', '/unix/tmp'],
		...['/dns4/example.org/tcp/443/https/http', '/dns4/example.org/tcp/99999/http', '/dns4/a?b/tcp/80/http'],
		...['/dns4/good@evil/tcp/80/http', '/ip4/010.0.0.1/tcp/80/http', '/ip4/1/tcp/80/http', '/ip6/x/tcp/80/http'],
		...['/constructor/a/tcp/80/http', '/dns4/a/tcp/80/constructor', '/dns4/a\\b/tcp/80/http', '/dns4//tcp/80/http'],
	]) {
		expect(serverOf(locator), locator).toBeUndefined();
	}
});

test('bytes with the hash of the version are returned', async () => {
	expect(await fetchFrom([holder('honest')], wanted, limits)).toEqual(data);
	// No node can prove a part of a SHA-256 version.
	await expect(fetchFrom([holder('honest')], wanted, { ...limits, range: { last: 9 } })).rejects.toThrow('proves only the whole version');
	expect(await askSize(`${origin}/honest`, version, limits)).toBe(BigInt(data.length));
	await expect(askSize(`${origin}/uploading`, version, limits)).rejects.toThrow('does not have all');
});

for (const [name, fault, reason] of [
	['lying', 'wrong', /^the hash of its bytes is not the version$/],
	['long', 'long', /^it sends more than 100000 bytes$/],
	['endless', 'long', /^it sends more than 100000 bytes$/],
	['empty', 'refused', /^it answers with status 404$/],
	['redirecting', 'no-answer', /^it does not answer, or the connection was cut/],
	['cut', 'no-answer', /^it does not answer, or the connection was cut/],
	['silent', 'no-answer', /^it has not sent all bytes within 0.5 s$/],
] as const) {
	test(`a node that is ${name} is refused with the reason`, async () => {
		const failure = await fetchFrom([holder(name)], wanted, { ...limits, time: name === 'silent' ? 500 : 20_000 }).catch((error) => error);
		expect(failure).toBeInstanceOf(UnservedError);
		expect(failure.failures).toEqual([{ node: name, fault, reason: expect.stringMatching(reason) }]);
	});
}

test('an honest node is found beside lying ones, and no further one is asked', async () => {
	asked.length = 0;
	const bytes = await fetchFrom(['lying', 'empty', 'long', 'honest', 'cut'].map(holder), wanted, limits);
	expect(bytes).toEqual(data);
	expect(asked).toEqual(['lying', 'empty', 'long', 'honest']);
});

test('an error names the failure of each node', async () => {
	const holders = [
		holder('lying'),
		{ node: 'gone', locator: undefined },
		{ node: 'odd', locator: '/ip4/127.0.0.1/tcp/30333' },
		holder('cut'),
	];
	const failure = await fetchFrom(holders, wanted, limits).catch((error) => error);
	expect(failure).toBeInstanceOf(UnservedError);
	expect(failure.failures).toEqual([
		{ node: 'lying', fault: 'wrong', reason: expect.stringContaining('hash') },
		{ node: 'gone', fault: 'no-answer', reason: 'the chain no longer has it' },
		{ node: 'odd', fault: 'no-answer', reason: 'its locator `/ip4/127.0.0.1/tcp/30333` names no HTTP server' },
		{ node: 'cut', fault: 'no-answer', reason: expect.stringContaining('does not answer') },
	]);
	for (const { node, reason } of failure.failures) expect(failure.message).toContain(`${node}: ${reason}`);
	await expect(fetchFrom([], wanted, limits)).rejects.toThrow(`no node served ${version}: none has it`);
});

test('the caller ends a request, and an id that is not valid begins none', async () => {
	const signal = AbortSignal.timeout(50);
	await expect(fetchFrom([holder('silent'), holder('honest')], wanted, { ...limits, signal })).rejects.toMatchObject({ name: 'TimeoutError' });
	asked.length = 0;
	await expect(fetchFrom([holder('honest')], { version: 'hq__0', hash: 'blake3', size: 1n }, limits)).rejects.toThrow('byte 4 is not base58');
	expect(asked).toEqual([]);
});
