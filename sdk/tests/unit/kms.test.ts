// SPDX-License-Identifier: Apache-2.0
/** Encrypted versions, with models of a KMS and of a content node. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { blake3 } from '@noble/hashes/blake3.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { sr25519CreateDerive } from '@polkadot-labs/hdkd';
import { DEV_MINI_SECRET, ss58Address } from '@polkadot-labs/hdkd-helpers';
import { Encrypter, generateX25519Identity, identityToRecipient, Stanza } from 'age-encryption';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import fixtures from '../fixtures/age.json' with { type: 'json' };
import { type Progress, UnservedError } from '../../src/content.ts';
import { fromBase64, OneTimeKey, toBase64 } from '../../src/file_key.ts';
import { formatId } from '../../src/ids/index.ts';
import { type EncryptedVersion, encryptFor, fetchDecryptedFrom, KmsClient, KmsError, type KmsOptions, streamDecryptedFrom } from '../../src/kms.ts';
import type { Account } from '../../src/request.ts';
import { encoder } from '../support/encode.ts';
import { type Answer, BLOCK, KmsModel, wrap } from '../support/kms.ts';

const ten = (byte: number) => new Uint8Array(10).fill(byte);
const PAIR = sr25519CreateDerive(DEV_MINI_SECRET)('//Charlie');
const ADDRESS = ss58Address(PAIR.publicKey);
const SERVED = { genesisHash: new Uint8Array(32).fill(7), kms: formatId('kms', ten(4)), tenant: formatId('tenant', ten(3)), account: ADDRESS, publicKey: PAIR.publicKey };
const OBJECT = formatId('object', ten(5));
const MOST = 8 << 20;
const bytes = (seed: number, length: number) => Uint8Array.from({ length }, (_, at) => (at * 31 + seed) >> 3);
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

/** The version that the node serves, and what it sends for it. */
let served: { path: string; body: Uint8Array };
let reads: number;
const node = createServer(({ url }, response) => {
	reads += 1;
	response.writeHead(url === served.path ? 200 : 404).end(served.body);
});
let holders: { node: string; locator: string }[];
let identity: string;
let kms: KmsModel;
let locator: string;
let key: string;
let signatures: number;

beforeAll(async () => {
	await new Promise<void>((done) => node.listen(0, '127.0.0.1', done));
	holders = [{ node: 'the node', locator: `http://127.0.0.1:${(node.address() as AddressInfo).port}` }];
	identity = await generateX25519Identity();
});
afterAll(() => node.close());
beforeEach(async () => {
	[signatures, reads] = [0, 0];
	kms = new KmsModel(SERVED, identity);
	[locator, key] = [await kms.start(), await kms.key()];
});
afterEach(() => kms.stop());

const account: Account = {
	address: ADDRESS,
	signBytes: (message) => {
		signatures += 1;
		return PAIR.sign(message);
	},
};
const client = (options: KmsOptions = {}, more: { locator?: string; account?: Account } = {}) =>
	new KmsClient({ ...SERVED, locator, account, ...more }, options);

/** Has the node serve these bytes. Returns their version. */
function serve(data: Uint8Array): EncryptedVersion & { object: string } {
	const version = formatId('version', blake3(data));
	served = { path: `/v1/versions/${version}/verified`, body: encoder(data)() };
	return { object: OBJECT, version, hash: 'blake3', size: BigInt(data.length) };
}

const encrypted = async (plain: Uint8Array<ArrayBuffer>) => new Uint8Array(await (await encryptFor(key, plain)).arrayBuffer());
const decrypted = (wanted: EncryptedVersion, by = client()) => fetchDecryptedFrom(holders, wanted, by, { most: MOST });

/** Returns the error of a read. */
async function failureOf(reading: Promise<unknown>): Promise<KmsError> {
	const error = await reading.catch((error: unknown) => error);
	if (!(error instanceof KmsError)) throw new Error(`expected a KmsError: ${String(error)}`);
	return error;
}

test('files of any size are decrypted, with one signature for all of them', async () => {
	const released: unknown[] = [];
	const by = client({ onReleased: (block) => released.push(block) });
	const sizes = [0, 1, 65_535, 65_536, 65_537, 5 << 20];
	for (const [seed, size] of sizes.entries()) {
		const plain = bytes(seed, size);
		const wanted = serve(await encrypted(plain));
		const progress: Progress[] = [];
		const found = await fetchDecryptedFrom(holders, wanted, by, { most: MOST, onProgress: (now) => progress.push(now) });
		expect(Buffer.compare(found, plain), `${size} bytes`).toBe(0);
		expect(progress.at(-1)).toEqual({ done: Number(wanted.size), total: Number(wanted.size), node: 'the node' });
		const { body, method, path } = kms.asked.at(-1)!;
		expect([method, path, body.object, body.version, body.stanzas.length]).toEqual(['POST', '/v1/unwrap', OBJECT, wanted.version, 1]);
	}
	expect(signatures).toBe(1);
	expect(new Set(kms.asked.map(({ authorization, body }) => `${authorization} ${body.recipient}`)).size).toBe(1);
	expect(released).toEqual(sizes.map(() => BLOCK));
});

test('files of other programs are decrypted', async () => {
	kms.stop();
	kms = new KmsModel(SERVED, fixtures.identity);
	locator = await kms.start();
	for (const { by, text: plain, file } of fixtures.files) {
		expect(text(await decrypted(serve(Buffer.from(file, 'base64')))), by).toBe(plain);
	}
});

test('SHA-256 versions are verified as a whole before they are decrypted', async () => {
	const data = await encrypted(bytes(1, 100_000));
	const version = formatId('version', sha256(data));
	const wanted = { version, hash: 'sha256', size: BigInt(data.length) } as const;
	served = { path: `/v1/versions/${version}`, body: data };
	expect(Buffer.compare(await decrypted(wanted), bytes(1, 100_000))).toBe(0);
	// Without its object, a version is not named.
	expect(Object.keys(kms.asked[0]!.body)).toEqual(['recipient', 'stanzas']);
	expect((await decrypted({ ...wanted, size: undefined })).length).toBe(100_000);
	served.body = data.map((byte) => byte ^ 1);
	await expect(decrypted(wanted)).rejects.toThrow(UnservedError);
	expect(kms.asked.length).toBe(2);
});

test('nothing is asked for a version that is too large', async () => {
	const wanted = serve(await encrypted(bytes(1, 10_000)));
	for (const hash of ['blake3', 'sha256'] as const) {
		await expect(fetchDecryptedFrom(holders, { ...wanted, hash }, client(), { most: 10_000 })).rejects.toThrow('more than the limit of 10000');
	}
	const most = Number(wanted.size);
	expect((await fetchDecryptedFrom(holders, wanted, client(), { most })).length).toBe(10_000);
	expect([reads, signatures]).toEqual([1, 1]);
});

test('only verified bytes are decrypted, and a stream that ends early fails', async () => {
	const plain = bytes(2, 300_000);
	const wanted = serve(await encrypted(plain));
	served.body[250_000]! ^= 1;
	const reader = (await streamDecryptedFrom(holders, wanted, client())).getReader();
	const pieces: Uint8Array[] = [];
	const failure = await (async () => {
		for (let part = await reader.read(); !part.done; part = await reader.read()) pieces.push(part.value);
	})().catch((error: unknown) => error);
	expect(failure).toBeInstanceOf(UnservedError);
	const found = Buffer.concat(pieces);
	expect(found.length).toBeGreaterThan(0);
	expect(found.length).toBeLessThan(250_000);
	expect(found.equals(plain.subarray(0, found.length))).toBe(true);
});

test('a file that is altered under another id does not match its key', async () => {
	const whole = await encrypted(bytes(3, 200_000));
	const header = text(whole).indexOf('\n---') + 1;
	const flipped = (at: number) => whole.map((byte, i) => (i === at ? byte ^ 1 : byte));
	// A bit of the code of the header that stays a digit of base64.
	const code = whole.map((byte, i) => (i === header + 4 ? (byte === 65 ? 66 : 65) : byte));
	const altered = [code, flipped(whole.length - 1), flipped(100_000), whole.subarray(0, whole.length - 1), whole.subarray(0, 100_000), whole.subarray(0, header + 60), Buffer.concat([whole, Uint8Array.of(0)])];
	for (const [at, data] of altered.entries()) {
		const error = await failureOf(decrypted(serve(data)));
		expect([at, error.fault, error.message]).toEqual([at, 'altered', expect.stringContaining(`does not match the key that the KMS ${SERVED.kms} gave`)]);
	}
	expect((await decrypted(serve(whole))).length).toBe(200_000);
});

test('a file that is not an age file for the KMS is the wrong file, and the KMS is not asked', async () => {
	const passphrase = new Encrypter();
	passphrase.setPassphrase('secret');
	passphrase.setScryptWorkFactor(10);
	const many = new Encrypter();
	for (let count = 0; count < 17; count++) many.addRecipient(key);
	const large = new Encrypter();
	large.addRecipient({ wrapFileKey: () => [new Stanza(['X25519', 'a'], new Uint8Array(513))] });
	const first = 'age-encryption.org/v1\n';
	const wrong: [string, string | Uint8Array][] = [
		['is not an age file', 'plain data'],
		['is not an age file', '-----BEGIN AGE ENCRYPTED FILE-----\n'],
		['is not an age file', 'age-encryption.org/v2\n'],
		['ends before the end of the header', ''],
		['ends before the end of the header', 'age-encry'],
		['ends before the end of the header', `${first}-> X25519 a\n`],
		['the header of the age file has more than 65536 bytes', first + '-> a b\n\n'.repeat(20_000)],
		['is not a sound age file', `${first}-> X25519 a\n*\n--- a\n`],
		['is not a sound age file', `${first}---\n`],
		['not encrypted for an X25519 key', await passphrase.encrypt('text')],
		['has 17 X25519 stanzas: a KMS takes up to 16', await many.encrypt('text')],
		['has 1 X25519 stanzas: a KMS takes up to 16, of 512 bytes', await large.encrypt('text')],
	];
	for (const [reason, data] of wrong) {
		const error = await failureOf(decrypted(serve(Buffer.from(data))));
		expect([error.fault, error.message]).toEqual(['wrong-file', expect.stringContaining(reason)]);
	}
	expect(kms.asked).toEqual([]);
	const other = new Encrypter();
	other.addRecipient(await identityToRecipient(await generateX25519Identity()));
	const error = await failureOf(decrypted(serve(await other.encrypt('text'))));
	expect([error.fault, error.status, error.message]).toEqual(['wrong-file', 422, expect.stringContaining('no stanza is for a key of this KMS')]);
	// A file also for others, with a stanza for nobody, which age adds.
	const both = new Encrypter();
	both.addRecipient({ wrapFileKey: () => [new Stanza(['x-grease', 'a'], new Uint8Array(48))] });
	both.addRecipient(await identityToRecipient(await generateX25519Identity()));
	both.addRecipient(key);
	expect(text(await decrypted(serve(await both.encrypt('text'))))).toBe('text');
	expect(kms.asked.at(-1)!.body.stanzas.map(({ args }) => args[0])).toEqual(['X25519', 'X25519']);
});

test('refusals have the reason of the KMS', async () => {
	const wanted = serve(await encrypted(bytes(4, 10)));
	const answers: [Answer, Partial<KmsError>][] = [
		[{ status: 403, body: { error: 'the account lacks the level read' } }, { fault: 'refused', message: 'the KMS refuses, with status 403: the account lacks the level read' }],
		[{ status: 400, body: { error: 'one is named' } }, { fault: 'refused', message: 'the KMS refuses, with status 400: one is named' }],
		[{ status: 409, headers: { 'Retry-After': '1' }, body: { error: 'another key' } }, { fault: 'refused', message: 'the KMS refuses, with status 409: another key' }],
		[{ status: 403, body: '<html>' }, { fault: 'refused', message: 'the KMS refuses, with status 403: it gives no reason' }],
		[{ status: 429, headers: { 'Retry-After': '60' }, body: { error: 'too many' } }, { fault: 'busy', retryAfter: 60, message: 'the KMS cannot answer now, with status 429: too many. Ask again after 60 s' }],
		[{ status: 503, headers: { 'Retry-After': '11' }, body: { error: 'no final state' } }, { fault: 'busy', retryAfter: 11 }],
		[{ status: 404, body: '<html>' }, { fault: 'wrong-answer', message: `the KMS at ${locator} answers with status 404: it gives no reason` }],
		[{ status: 500, body: { error: 7 } }, { fault: 'wrong-answer' }],
	];
	for (const [answer, expected] of answers) {
		kms.instead.push(() => answer);
		expect(await failureOf(decrypted(wanted))).toMatchObject({ name: 'KmsError', status: answer.status, ...expected });
	}
	const stranger: Account = { ...account, address: ss58Address(sr25519CreateDerive(DEV_MINI_SECRET)('//Bob').publicKey) };
	expect(await failureOf(decrypted(wanted, client({}, { account: stranger })))).toMatchObject({ fault: 'refused', status: 403 });
	const forger: Account = { ...account, signBytes: (message) => PAIR.sign(Uint8Array.of(...message, 0)) };
	expect(await failureOf(decrypted(wanted, client({}, { account: forger })))).toMatchObject({ fault: 'refused', status: 401, message: 'the KMS refuses, with status 401: the request is not signed' });
});

test('a busy KMS is asked again after the time that it says, within the patience', async () => {
	const wanted = serve(await encrypted(bytes(5, 10)));
	kms.instead.push(() => ({ status: 429, headers: { 'Retry-After': '1' } }), () => ({ status: 503, headers: { 'Retry-After': 'soon' } }));
	expect((await decrypted(wanted)).length).toBe(10);
	expect(kms.asked.length).toBe(3);
	kms.instead.push(() => ({ status: 429, headers: { 'Retry-After': '1' } }));
	expect(await failureOf(decrypted(wanted, client({ patience: 900 })))).toMatchObject({ fault: 'busy', retryAfter: 1 });
	kms.instead.push(() => ({ status: 503 }));
	expect(await failureOf(decrypted(wanted, client({ patience: 0 })))).toMatchObject({ fault: 'busy', retryAfter: undefined });
	expect(kms.asked.length).toBe(5);
});

test('a request is signed once more by the clock of the KMS, unless that is days ahead', async () => {
	const wanted = serve(await encrypted(bytes(6, 10)));
	for (const ahead of [7_200, -7_200]) {
		[kms.ahead, signatures] = [ahead, 0];
		const by = client();
		for (let file = 0; file < 2; file++) expect((await decrypted(wanted, by)).length).toBe(10);
		expect(signatures).toBe(2);
	}
	[kms.ahead, signatures] = [200_000, 0];
	expect(await failureOf(decrypted(wanted))).toMatchObject({ fault: 'clock', status: 401, message: expect.stringMatching(/^the clock of the KMS is at 20.*Z, and this machine's at 20/) });
	expect(signatures).toBe(1);
});

test('an answer that is not the one of a KMS is refused', async () => {
	const wanted = serve(await encrypted(bytes(7, 10)));
	const stanza = await wrap(new Uint8Array(16), new OneTimeKey().recipient);
	const answers = ['', '<html>', 'null', '7', {}, { stanza }, { block: BLOCK }, { stanza, block: {} }, { stanza: { ...stanza, args: 'X25519' }, block: BLOCK }, { stanza: { ...stanza, args: [1] }, block: BLOCK }];
	const more = [{ stanza: { ...stanza, body: 'a' }, block: BLOCK }, { stanza: { ...stanza, body: 'ab==' }, block: BLOCK }, { stanza, block: { ...BLOCK, hash: '0x' } }, { stanza, block: { ...BLOCK, number: '1' } }];
	for (const body of [...answers, ...more]) {
		kms.instead.push(() => ({ status: 200, body }));
		expect(await failureOf(decrypted(wanted)), JSON.stringify(body)).toMatchObject({ fault: 'wrong-answer', message: expect.stringContaining('has no file key and block') });
	}
	kms.instead.push(() => ({ status: 200, body: ' '.repeat((1 << 16) + 1) }));
	expect(await failureOf(decrypted(wanted))).toMatchObject({ fault: 'wrong-answer', message: expect.stringContaining('answers with more than 65536 bytes') });
	// For another recipient, or of another kind.
	for (const other of [stanza, { ...stanza, args: ['scrypt'] }, { ...stanza, args: ['X25519', 'AAAA'] }, { ...stanza, args: ['X25519', toBase64(new Uint8Array(32))] }, { ...stanza, body: 'AAAA' }]) {
		kms.instead.push(() => ({ status: 200, body: { stanza: other, block: BLOCK } }));
		expect(await failureOf(decrypted(wanted))).toMatchObject({ fault: 'wrong-answer', message: `the file key of the KMS ${SERVED.kms} is wrapped for somebody else` });
	}
	// The key of another file.
	kms.instead.push(async ({ body }) => ({ status: 200, body: { stanza: await wrap(new Uint8Array(16), body.recipient), block: BLOCK } }));
	expect((await failureOf(decrypted(wanted))).fault).toBe('altered');
});

test('a KMS that does not answer is unreachable', async () => {
	const wanted = serve(await encrypted(bytes(8, 10)));
	for (const wrong of ['', 'kms.example.com', '/ip4/127.0.0.1/tcp/30333', 'javascript:alert(1)//']) {
		expect(() => client({}, { locator: wrong })).toThrow(`the locator \`${wrong}\` of the KMS ${SERVED.kms} names no HTTP server`);
	}
	kms.instead.push(() => 'cut');
	expect(await failureOf(decrypted(wanted))).toMatchObject({ fault: 'unreachable', status: undefined, message: expect.stringContaining(`the KMS at ${locator} does not answer, or the connection was cut: `) });
	kms.instead.push(() => ({ status: 307, headers: { Location: '/v1/unwrap' } }));
	expect((await failureOf(decrypted(wanted))).fault).toBe('unreachable');
	let answer = (_: Answer) => {};
	kms.instead.push(() => new Promise<Answer>((done) => (answer = done)));
	expect(await failureOf(decrypted(wanted, client({ time: 50 })))).toMatchObject({ fault: 'unreachable', message: `the KMS at ${locator} has not answered within 0.05 s` });
	answer({ status: 200 });
	kms.stop();
	expect((await failureOf(decrypted(wanted))).fault).toBe('unreachable');
	expect(kms.asked.length).toBe(3);
});

test('a read ends when it is aborted, or when the wallet refuses, and a multiaddress names a KMS', async () => {
	const wanted = serve(await encrypted(bytes(9, 10)));
	const stopped = new Error('stopped');
	const read = (by: KmsClient, signal: AbortSignal) => fetchDecryptedFrom(holders, wanted, by, { most: MOST, signal });
	const controller = new AbortController();
	const never: Account = { ...account, signBytes: () => new Promise(() => controller.abort(stopped)) };
	await expect(read(client({}, { account: never }), controller.signal)).rejects.toBe(stopped);
	await expect(read(client(), controller.signal)).rejects.toBe(stopped);
	expect(reads).toBe(0);
	for (const status of [429, 200]) {
		const later = new AbortController();
		kms.instead.push(() => {
			later.abort(stopped);
			return { status, headers: { 'Retry-After': '9' } };
		});
		await expect(read(client(), later.signal)).rejects.toBe(stopped);
	}
	const cancelled = new Error('cancelled');
	const refuses: Account = { ...account, signBytes: () => Promise.reject(cancelled) };
	await expect(decrypted(wanted, client({}, { account: refuses }))).rejects.toBe(cancelled);
	const port = new URL(locator).port;
	expect((await decrypted(wanted, client({}, { locator: `/ip4/127.0.0.1/tcp/${port}/http` }))).length).toBe(10);
});

test('a stream that is cancelled ends the read of its node', async () => {
	const wanted = serve(await encrypted(bytes(1, 1_000_000)));
	let read = 0;
	const reader = (await streamDecryptedFrom(holders, wanted, client(), { onProgress: ({ done }) => (read = done) })).getReader();
	await reader.read();
	await reader.cancel();
	const [before] = [read];
	await new Promise((done) => setTimeout(done, 50));
	expect(read).toBe(before);
	expect(read).toBeLessThan(400_000);
});

test('data is encrypted for a key of a KMS, each time in another way', async () => {
	const plain = bytes(1, 1_000);
	const [first, second] = [await encrypted(plain), await encrypted(plain)];
	expect(Buffer.compare(first, second)).not.toBe(0);
	expect(text(first)).toMatch(/^age-encryption\.org\/v1\n-> X25519 \S+\n\S+\n--- /);
	await expect(encryptFor('age1', plain)).rejects.toThrow('has 4 characters');
	await expect(encryptFor(`${key.slice(0, -1)}${key.endsWith('q') ? 'p' : 'q'}`, plain)).rejects.toThrow('checksum');
});

test('base64 has no padding', () => {
	for (const length of [0, 1, 2, 3, 32]) {
		const data = bytes(200, length);
		expect(toBase64(data)).toBe(Buffer.from(data).toString('base64').replace(/=+$/, ''));
		expect(fromBase64(toBase64(data))).toEqual(data);
	}
	for (const wrong of ['a', 'ab==', 'a b', 'ab\n', 'ab-_']) expect(fromBase64(wrong)).toBeUndefined();
});
