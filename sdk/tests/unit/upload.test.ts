// SPDX-License-Identifier: Apache-2.0
/** Uploads to a model of a content node. The tests on a chain use a real one. */

import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { blake3 } from '@noble/hashes/blake3.js';
import { DEV_MINI_SECRET, sr25519, ss58Address } from '@polkadot-labs/hdkd-helpers';
import { sr25519CreateDerive } from '@polkadot-labs/hdkd';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { commitPayload, type VersionCommit, wrapPayload } from '../../src/commit.ts';
import { utf8 } from '../../src/ids/bytes.ts';
import { formatId, formatMuid, fromHex, parseMuid, toHex } from '../../src/ids/index.ts';
import { requestText } from '../../src/request.ts';
import { type Destination, type NewVersion, upload, UploadError } from '../../src/upload.ts';

const ten = (byte: number) => new Uint8Array(10).fill(byte);
const KEY = sr25519CreateDerive(DEV_MINI_SECRET)('//Charlie');
const GENESIS = new Uint8Array(32).fill(7);
const MEDALLION = 0x3f4a38e73dn;
const IDS = { provider: formatId('provider', ten(1)), node: formatId('node', ten(2)), tenant: formatId('tenant', ten(3)) };
const OBJECT = formatId('object', ten(5));
const bytes = (seed: number, length: number) => Uint8Array.from({ length }, (_, at) => (at * 31 + seed) >> 3);
const idOf = (data: Uint8Array) => formatId('version', blake3(data));

interface Asked {
	method: string;
	path: string;
	authorization: string | undefined;
	range: string | undefined;
	body: Buffer;
}

interface Answer {
	status: number;
	headers?: Record<string, string>;
	body?: unknown;
}

interface DraftRequest {
	tenant: string;
	kms: string | null;
	create_objects: boolean;
	versions: { object: string; version: string; hash: 'blake3'; size: number; head: boolean }[];
}

/** A content node, as far as uploads need one. */
class Model {
	readonly asked: Asked[] = [];
	readonly stored = new Map<string, Buffer>();
	/** Answers that replace the next ones. */
	readonly instead: ((asked: Asked) => Answer | 'cut' | undefined)[] = [];
	/** The clock, in seconds ahead of the client's. */
	ahead = 0;
	/** Changes a draft. */
	lie: (draft: Record<string, unknown>, commit: VersionCommit) => void = () => {};
	committed: { object: string; version: string; size: number }[] = [];
	server!: Server;

	async start(): Promise<string> {
		this.server = createServer((request, response) => {
			void read(request).then((asked) => {
				this.asked.push(asked);
				const answer = this.instead.shift()?.(asked) ?? this.answer(asked);
				if (answer === 'cut') request.socket.destroy();
				else response.writeHead(answer.status, answer.headers).end(JSON.stringify(answer.body ?? {}));
			});
		});
		await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	answer({ method, path, authorization, range, body }: Asked): Answer {
		const refusal = path === '/v1/commits' || method === 'GET' ? undefined : this.refusal(authorization);
		if (refusal) return refusal;
		if (path === '/v1/drafts') return { status: 200, body: this.draft(JSON.parse(body.toString())) };
		if (path === '/v1/commits') {
			const { draft, account, signature } = JSON.parse(body.toString());
			if (!hasSigned(signature, fromHex(draft.payload)) || account !== ADDRESS) return { status: 400, body: { error: 'it is not signed' } };
			if (draft.versions.some(({ version }: { version: string }) => this.committed.some((each) => each.version === version))) {
				return { status: 403, body: { error: 'VersionAlreadyExists: it does' } };
			}
			this.committed.push(...draft.versions);
			return { status: 200, body: { block: 1 } };
		}
		const [, version = '', rest] = /^\/v1\/versions\/([^/]+)(\/upload)?$/.exec(path) ?? [];
		const promised = this.committed.find((each) => each.version === version);
		if (!promised) return { status: rest ? 404 : 403, body: { error: 'no commit' } };
		const here = this.stored.get(version) ?? Buffer.alloc(0);
		const complete = this.stored.has(version) && here.length === promised.size;
		if (rest) return { status: 200, body: { version, complete, arrived: String(here.length), size: String(promised.size) } };
		const start = Number(/^bytes (\d+)-/.exec(range ?? '')?.[1] ?? 0);
		if (start !== 0 && start !== here.length) return { status: 409, body: { error: 'another place' } };
		const now = Buffer.concat([here.subarray(0, start), body]);
		this.stored.set(version, now);
		if (now.length < promised.size) return { status: 202, body: { arrived: String(now.length) } };
		return idOf(now) === version ? { status: 201 } : { status: 422, body: { error: 'other bytes' } };
	}

	/** Returns the refusal of a request that is not signed for this node, tenant and time. */
	refusal(authorization: string | undefined): Answer | undefined {
		const [, account = '', until = '', signature = ''] = /^Fabric account="(\w+)", until="([^"]+)", signature="(0x\w+)"$/.exec(authorization ?? '') ?? [];
		const now = Math.floor(Date.now() / 1_000) + this.ahead;
		const end = Date.parse(until) / 1_000;
		const text = () => utf8(requestText({ genesisHash: GENESIS, to: IDS.node, tenant: IDS.tenant, account, until: end }));
		const isTimely = end > now - 60 && end <= now + 3_660;
		if (isTimely && hasSigned(signature, text())) return undefined;
		const time = new Date(now * 1_000).toISOString().replace('.000Z', 'Z');
		return { status: 401, headers: { 'WWW-Authenticate': `Fabric time="${time}"` }, body: { error: `not signed. The clock of this node is at ${time}` } };
	}

	draft({ tenant, kms, create_objects, versions }: DraftRequest): unknown {
		const muid = { timestamp: BigInt(Date.now()) * 1_000n, medallion: MEDALLION, offset: 0 };
		const commit: VersionCommit = {
			...{ muid, originator: IDS.provider, node: IDS.node, copies: [], tenant, kms: kms ?? undefined, createObjects: create_objects },
			versions: versions.map(({ object, version, hash, size, head }) => ({ object, version, hash, size: BigInt(size), setHeadOnFinalize: head })),
		};
		const draft: Record<string, unknown> = { provider: IDS.provider, node: IDS.node, tenant, kms, create_objects, versions };
		this.lie(draft, commit);
		return { muid: formatMuid(commit.muid), payload: `0x${toHex(commitPayload(GENESIS, commit))}`, ...draft };
	}
}

const ADDRESS = ss58Address(KEY.publicKey);
const hasSigned = (signature: string, message: Uint8Array) =>
	[message, wrapPayload(message)].some((each) => sr25519.verify(fromHex(signature).slice(1), each, KEY.publicKey));

async function read(request: IncomingMessage): Promise<Asked> {
	const parts: Buffer[] = [];
	for await (const part of request) parts.push(part as Buffer);
	const { authorization, 'content-range': range } = request.headers;
	return { method: request.method ?? '', path: decodeURIComponent(request.url ?? ''), authorization, range, body: Buffer.concat(parts) };
}

let node: Model;
let to: Destination;
let signatures: number;

beforeEach(async () => {
	[node, signatures] = [new Model(), 0];
	const signBytes = (message: Uint8Array) => {
		signatures += 1;
		// As an extension does.
		return KEY.sign(wrapPayload(message));
	};
	to = { server: await node.start(), genesisHash: GENESIS, ...IDS, medallion: MEDALLION, account: { address: ADDRESS, signBytes } };
});

afterEach(() => {
	node.server.close();
});

const file = (data: Uint8Array<ArrayBuffer>): NewVersion => ({ object: OBJECT, data });
const puts = () => node.asked.filter(({ method }) => method === 'PUT');

test('versions are drafted, committed and uploaded with one signed request', async () => {
	const contents = [bytes(1, 200_000), bytes(2, 5), new Uint8Array()];
	const progress: number[] = [];
	const done = await upload(to, [file(contents[0]!), { ...file(contents[1]!), data: new Blob([contents[1]!]) }, file(contents[2]!)], {
		partSize: 80_000,
		onProgress: (arrived, all) => {
			expect(all).toBe(200_005);
			progress.push(arrived);
		},
	});
	expect(done).toEqual(contents.map((data) => ({ object: OBJECT, version: idOf(data), size: data.length })));
	for (const data of contents) expect(Buffer.compare(node.stored.get(idOf(data))!, data)).toBe(0);
	expect(progress.at(-1)).toBe(200_005);
	expect(progress).toEqual(progress.toSorted((a, b) => a - b));
	// The request and the commit.
	expect(signatures).toBe(2);
	expect(new Set(node.asked.filter(({ path }) => path !== '/v1/commits' && !path.endsWith('/upload')).map(({ authorization }) => authorization)).size).toBe(1);
	expect(puts().flatMap(({ range }) => range ?? []).length).toBe(3);
});

test('an upload goes on where it was cut, and a second call finishes the first', async () => {
	const data = bytes(3, 200_000);
	const cut = () => 'cut' as const;
	// The draft, the commit, the state, two parts, of which the second is cut.
	node.instead.push(() => undefined, () => undefined, () => undefined, () => undefined, cut);
	await upload(to, [file(data)], { partSize: 80_000 });
	expect(puts().map(({ range }) => range?.split('-')[0])).toEqual(['bytes 0', 'bytes 80000', 'bytes 80000', 'bytes 160000']);
	expect(idOf(node.stored.get(idOf(data))!)).toBe(idOf(data));
	// The answer to the commit is lost: the version exists.
	const [more, other] = [bytes(4, 1_000), bytes(5, 1_000)];
	node.instead.push(() => undefined, (asked) => (node.answer(asked), 'cut'));
	await upload(to, [file(more)]);
	expect(node.stored.get(idOf(more))?.length).toBe(1_000);
	const before = puts().length;
	await upload(to, [file(data), file(other), file(more)]);
	expect(node.stored.get(idOf(other))?.length).toBe(1_000);
	expect(puts().length).toBe(before + 1);
});

test('a request that is refused for its time is sent once more, by the clock of the node', async () => {
	for (const ahead of [7_200, -7_200]) {
		node.ahead = ahead;
		node.asked.length = 0;
		await upload(to, [file(bytes(ahead, 10))]);
		expect(node.asked.filter(({ path }) => path === '/v1/drafts').length).toBe(2);
		expect(puts().length).toBe(1);
	}
	node.ahead = 200_000;
	await expect(upload(to, [file(bytes(9, 10))])).rejects.toThrow('status 401: not signed. The clock of this node is at 20');
});

test('errors have the reason of the node, and no request is repeated forever', async () => {
	const refuse = (status: number, body: unknown = { error: 'the reason' }) => () => ({ status, body });
	for (const [status, body, reason] of [
		[403, { error: 'the account has no access key' }, 'the account has no access key'],
		[507, { error: 'the node has no room' }, 'the node has no room'],
		[404, '<html>', 'it gives no reason'],
	] as const) {
		node.instead.push(refuse(status, body));
		const refused = await upload(to, [file(bytes(6, 10))]).catch((error: unknown) => error);
		expect(refused).toBeInstanceOf(UploadError);
		expect((refused as UploadError).status).toBe(status);
		expect((refused as UploadError).message).toContain(`with status ${status}: ${reason}`);
	}
	// Busy for a moment.
	node.instead.push(refuse(503));
	await upload(to, [file(bytes(7, 10))]);
	// Other bytes than were committed.
	node.instead.push(() => undefined, () => undefined, () => undefined, refuse(422));
	await expect(upload(to, [file(bytes(8, 10))])).rejects.toThrow('with status 422');
	// All bytes have arrived, and yet the node asks for more.
	const answer = node.answer.bind(node);
	node.answer = (asked) => (asked.method === 'PUT' ? { status: 202 } : answer(asked));
	await expect(upload(to, [file(bytes(9, 10))], { patience: 0 })).rejects.toThrow('does not take them in');
	node.server.close();
	node.server.closeAllConnections();
	await expect(upload(to, [file(bytes(6, 10))], { patience: 0 })).rejects.toThrow('the content node does not answer');
});

test('no draft is signed that differs from what was asked for', async () => {
	const lies: [string, Model['lie']][] = [
		['another commit', (_, commit) => (commit.versions[0]!.size += 1n)],
		['another commit', (_, commit) => (commit.node = formatId('node', ten(9)))],
		['another commit', (_, commit) => (commit.tenant = formatId('tenant', ten(9)))],
		['another commit', (_, commit) => (commit.kms = formatId('kms', ten(9)))],
		['another commit', (_, commit) => (commit.createObjects = false)],
		['another commit', (_, commit) => commit.copies.push({ provider: IDS.provider, node: IDS.node })],
		['another commit', (draft) => (draft['payload'] = '0x')],
		['a muid of another node', (_, commit) => (commit.muid = { ...commit.muid, medallion: 1n })],
		['dated ahead', (_, commit) => (commit.muid = { ...commit.muid, timestamp: commit.muid.timestamp + 70_000_000n })],
		['without a sound muid', (draft) => (draft['muid'] = 'muid')],
	];
	for (const [reason, lie] of lies) {
		node.lie = lie;
		await expect(upload(to, [file(bytes(1, 10))])).rejects.toThrow(reason);
	}
	expect(node.asked.some(({ path }) => path === '/v1/commits')).toBe(false);
	expect(parseMuid(formatMuid({ timestamp: 1n, medallion: MEDALLION, offset: 0 })).medallion).toBe(MEDALLION);
});

test('an upload ends when it is aborted', async () => {
	const controller = new AbortController();
	node.instead.push(() => {
		controller.abort();
		return { status: 503 };
	});
	await expect(upload(to, [file(bytes(1, 10))], { signal: controller.signal })).rejects.toThrow('abort');
});
