// SPDX-License-Identifier: Apache-2.0
/** Bytes that are verified group by group, from nodes that are honest and nodes that are not. */

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { blake3 } from '@noble/hashes/blake3.js';
import { afterAll, expect, test } from 'vitest';
import { Groups } from '../../src/blake3.ts';
import { fetchFrom, type Progress, type ReadOptions, streamFrom, UnservedError } from '../../src/content.ts';
import { formatId, toHex } from '../../src/ids/index.ts';
import { encoder } from '../support/encode.ts';

const GROUP = 16_384;
/** The data of the vectors. */
const dataOf = (size: number) => Uint8Array.from({ length: size }, (_, i) => i % 251);
const sized = (data: Uint8Array) => ({ version: formatId('version', blake3(data)), hash: 'blake3' as const, size: BigInt(data.length) });

/** Decodes an encoding. Returns the groups, and the error, if there is one. */
function decode(data: Uint8Array, first: number, last: number, encoded: Uint8Array) {
	const groups = new Groups(blake3(data), data.length, first, last);
	const found: Uint8Array[] = [];
	let at = 0;
	try {
		for (let length = groups.wants(); length !== undefined; length = groups.wants()) {
			const step = encoded.subarray(at, at + length);
			at += length;
			if (groups.verify(step) !== undefined) found.push(step);
		}
	} catch (error) {
		return { found, error: String(error) };
	}
	expect(at).toBe(encoded.length);
	return { found, error: undefined };
}

const path = new URL('../../../primitives/identifiers/tests/vectors/verified.json', import.meta.url);
const { cases } = JSON.parse(readFileSync(path, 'utf8')) as {
	cases: { size: number; hash: string; ranges: { first: number; last: number; length: number; encoding: string }[] }[];
};

test('the encodings of the vectors are verified', () => {
	expect(cases.length).toBeGreaterThan(10);
	for (const { size, hash, ranges } of cases) {
		const data = dataOf(size);
		const encode = encoder(data);
		expect(toHex(blake3(data))).toBe(hash);
		for (const { first, last, length, encoding } of ranges) {
			const encoded = encode(first, last);
			const name = `${first} to ${last} of ${size}`;
			expect([encoded.length, toHex(blake3(encoded))], name).toEqual([length, encoding]);
			const { found, error } = decode(data, first, last, encoded);
			expect(error, name).toBeUndefined();
			const end = Math.min(size, last - (last % GROUP) + GROUP);
			expect(Buffer.concat(found).equals(data.subarray(first - (first % GROUP), end)), name).toBe(true);
		}
	}
});

test('any range is verified, and no bit of it can differ', () => {
	// A generator with a seed: a failure can be repeated.
	let state = 42;
	const random = (below: number) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
	for (let round = 0; round < 40; round++) {
		const data = dataOf(1 + random(200_000));
		const ends = [random(data.length), random(data.length)];
		const [first, last] = [Math.min(...ends), Math.max(...ends)];
		const encoded = encoder(data)(first, last);
		const name = `${first} to ${last} of ${data.length}`;
		const whole = decode(data, first, last, encoded);
		expect(whole.error, name).toBeUndefined();
		const bit = random(8 * encoded.length);
		encoded[bit >> 3]! ^= 1 << (bit & 7);
		const { found, error } = decode(data, first, last, encoded);
		expect(error, name).toContain("that are not the version's");
		expect(found.length, name).toBeLessThan(whole.found.length);
	}
});

const data = dataOf(300_001);
const wanted = sized(data);
const encode = encoder(data);
const whole = encode();
const wrong = whole.slice();
wrong[150_000]! ^= 1;

/** The answer of each node. */
const nodes: Record<string, (response: ServerResponse, first: number, last: number) => void> = {
	honest: (response, first, last) => response.end(encode(first, last)),
	wrong: (response) => response.end(wrong),
	plain: (response) => response.end(data),
	shorter: (response) => response.end(encoder(data.subarray(0, -1))()),
	ending: (response) => response.end(whole.subarray(0, 150_000)),
	empty: (response) => response.writeHead(404).end('{"error":"the node does not have it"}'),
	busy: (response) => response.writeHead(503, { 'retry-after': '3600' }).end(),
	none: (response) => response.writeHead(204).end(),
	redirecting: (response) => response.writeHead(302, { location: '/honest/v1/versions/x' }).end(),
	endless(response) {
		const more = () => {
			while (!response.destroyed && response.write(data));
		};
		response.on('drain', more);
		more();
	},
	cut(response) {
		response.writeHead(200, { 'content-length': whole.length }).write(whole.subarray(0, 150_000));
		setTimeout(() => response.destroy(), 50);
	},
	late: (response) => void response.write(whole.subarray(0, 150_000)),
	silent: () => undefined,
};

const asked: string[] = [];
const server = createServer(({ url = '' }, response) => {
	const { pathname, search, searchParams } = new URL(url, 'http://localhost');
	const [, name = '', ...path] = pathname.split('/');
	asked.push(`${name}${search}`);
	if (path.join('/') !== `v1/versions/${wanted.version}/verified`) return void response.writeHead(400).end();
	nodes[name]?.(response, Number(searchParams.get('first') ?? 0), Number(searchParams.get('last') ?? data.length - 1));
}).listen(0, '127.0.0.1');
await once(server, 'listening');
const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
afterAll(() => {
	server.closeAllConnections();
	server.close();
});

const holder = (node: string) => ({ node, locator: `${origin}/${node}` });

async function read(names: string[], options: ReadOptions = {}) {
	asked.length = 0;
	const pieces: Uint8Array[] = [];
	let error: unknown;
	try {
		const reader = streamFrom(names.map(holder), wanted, options).getReader();
		for (let part = await reader.read(); !part.done; part = await reader.read()) pieces.push(part.value);
	} catch (caught) {
		error = caught;
	}
	return { pieces, bytes: Buffer.concat(pieces), error };
}

test('a version is streamed in verified groups, with its progress', async () => {
	const steps: Progress[] = [];
	const { pieces, bytes } = await read(['honest'], { onProgress: (progress) => steps.push(progress) });
	expect(bytes.equals(data)).toBe(true);
	expect(pieces.map((piece) => piece.length)).toEqual([...Array(18).fill(GROUP), 300_001 - 18 * GROUP]);
	expect(asked).toEqual(['honest']);
	expect(steps.map(({ done }) => done)).toEqual(pieces.map((_, i) => Math.min((i + 1) * GROUP, 300_001)));
	expect(steps.every(({ total, node }) => total === 300_001 && node === 'honest')).toBe(true);
	expect(await fetchFrom([holder('honest')], wanted, { most: 300_001 })).toEqual(data);
});

test('a range is exactly its bytes', async () => {
	for (const [first, last] of [[0, 0], [300_000, 300_000], [GROUP - 1, GROUP], [100, 99_999], [200_000, 999_999]] as const) {
		let total = 0;
		const { bytes, error } = await read(['honest'], { range: { first, last }, onProgress: (progress) => (total = progress.total) });
		expect(error, `${first} to ${last}`).toBeUndefined();
		expect(bytes.equals(data.subarray(first, last + 1)), `${first} to ${last}`).toBe(true);
		expect(total).toBe(bytes.length);
	}
	expect(asked).toEqual(['honest?first=200000']);
	expect((await read(['honest'], { range: { last: 5 } })).bytes.length).toBe(6);
	expect(asked).toEqual(['honest?last=5']);
	const bytes = await fetchFrom([holder('honest')], wanted, { most: 10, range: { first: 7, last: 16 } });
	expect(bytes).toEqual(data.slice(7, 17));
});

for (const [name, fault, kept, reason] of [
	['wrong', 'wrong', 147_456, "it sends bytes 147456 to 163839 that are not the version's"],
	['plain', 'wrong', 0, "it sends hashes of bytes 0 to 300000 that are not the version's"],
	['shorter', 'wrong', 0, "it sends hashes of bytes 0 to 300000 that are not the version's"],
	['endless', 'wrong', 0, "it sends hashes of bytes 0 to 300000 that are not the version's"],
	['ending', 'no-answer', 147_456, 'it ends its answer early'],
	['empty', 'refused', 0, 'it answers with status 404'],
	['busy', 'refused', 0, 'it answers with status 503'],
	['none', 'refused', 0, 'it answers with status 204'],
	['redirecting', 'no-answer', 0, 'it does not answer, or the connection was cut'],
	['cut', 'no-answer', 147_456, 'it does not answer, or the connection was cut'],
	['late', 'no-answer', 147_456, 'it has kept its reader waiting for'],
	['silent', 'no-answer', 0, 'it has kept its reader waiting for'],
] as const) {
	test(`a node that is ${name} is left, and the next one sends the rest`, async () => {
		const time = name === 'late' || name === 'silent' ? 3_000 : 60_000;
		const steps: Progress[] = [];
		const alone = await read([name], { time });
		expect(alone.error).toBeInstanceOf(UnservedError);
		expect((alone.error as UnservedError).failures).toEqual([{ node: name, fault, reason: expect.stringContaining(reason) }]);
		expect(alone.bytes.equals(data.subarray(0, kept)), 'only verified bytes arrive').toBe(true);
		const both = await read([name, 'honest', 'silent'], { time, onProgress: (progress) => steps.push(progress) });
		expect(both.bytes.equals(data)).toBe(true);
		expect(asked).toEqual([name, kept > 0 ? `honest?first=${kept}` : 'honest']);
		expect(steps.at(-1)).toEqual({ done: 300_001, total: 300_001, node: 'honest' });
	});
}

test('a stream asks for bytes only when they are read, and for no more when the reader stops', async () => {
	asked.length = 0;
	const stream = streamFrom([holder('honest')], wanted);
	await new Promise((done) => setTimeout(done, 50));
	expect(asked).toEqual([]);
	const reader = stream.getReader();
	expect((await reader.read()).value?.length).toBe(GROUP);
	await reader.cancel();
	const ended = new AbortController();
	const reading = read(['silent', 'honest'], { signal: ended.signal });
	while (asked.length === 0) await new Promise((done) => setTimeout(done, 10));
	ended.abort(new Error('enough'));
	expect((await reading).error).toMatchObject({ message: 'enough' });
	expect(asked).toEqual(['silent']);
});

test('a read that cannot succeed is refused before anybody is asked', async () => {
	asked.length = 0;
	const refused = (other: Partial<typeof wanted> | { hash: 'sha256' } | { size: undefined }, options: ReadOptions, reason: string) =>
		expect(() => streamFrom([holder('honest')], { ...wanted, ...other }, options)).toThrow(reason);
	refused({ version: 'hq__0' }, {}, 'byte 4 is not base58');
	refused({ hash: 'sha256' }, {}, 'is a SHA-256 hash, which proves only the whole version');
	refused({ size: undefined }, {}, 'lacks its size');
	refused({ size: 2n ** 53n }, {}, 'more than numbers can count');
	refused({}, { most: 300_000 }, 'the version has 300001 bytes, more than the limit of 300000');
	refused({}, { range: { first: 300_001 } }, 'after the end of the version, which has 300001 bytes');
	refused({}, { range: { first: 2, last: 1 } }, 'the first byte of the range, 2, is after its last one, 1');
	refused({}, { range: { first: -1 } }, 'the range has -1');
	refused({}, { range: { last: 0.5 } }, 'the range has 0.5');
	refused({ size: 0n }, { range: { last: 0 } }, 'after the end of the version');
	expect(asked).toEqual([]);
});
