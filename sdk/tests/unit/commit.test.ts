// SPDX-License-Identifier: Apache-2.0
/** `primitives/fabric/tests/scale.rs` has the same bytes. */

import { readFileSync } from 'node:fs';
import { blake3 } from '@noble/hashes/blake3.js';
import { expect, test } from 'vitest';
import { commitPayload, encodeCommit, verifyVersion, wrapPayload, type VersionCommit } from '../../src/commit.ts';
import { formatId, fromHex, muidOfBytes, toHex } from '../../src/ids/index.ts';

const ten = (byte: number) => new Uint8Array(10).fill(byte);
const MUID = `${'ab'.repeat(12)}00000000`;
const DRAFT = `${'05'.repeat(10)}${'06'.repeat(32)}01080706050403020101`;

function commit(versions: number): VersionCommit {
	const draft = {
		object: formatId('object', ten(5)),
		version: formatId('version', new Uint8Array(32).fill(6)),
		hash: 'sha256' as const,
		size: 0x0102030405060708n,
		setHeadOnFinalize: true,
	};
	return {
		muid: muidOfBytes(fromHex(MUID)),
		originator: formatId('provider', ten(1)),
		node: formatId('node', ten(2)),
		copies: Array.from({ length: 7 }, () => ({ provider: formatId('provider', ten(7)), node: formatId('node', ten(8)) })),
		tenant: formatId('tenant', ten(3)),
		kms: formatId('kms', ten(4)),
		createObjects: false,
		versions: Array.from({ length: versions }, () => draft),
	};
}

function expected(length: string, versions: number): string {
	const ids = (...bytes: number[]) => bytes.map((byte) => toHex(ten(byte))).join('');
	return `${MUID}${ids(1, 2)}1c${ids(7, 8).repeat(7)}${ids(3)}01${ids(4)}00${length}${DRAFT.repeat(versions)}`;
}

test('a commit is its fields in order', () => {
	expect(toHex(encodeCommit(commit(1)))).toBe(expected('04', 1));
	expect(toHex(encodeCommit(commit(63)))).toBe(expected('fc', 63));
	expect(toHex(encodeCommit(commit(64)))).toBe(expected('0101', 64));
	expect(toHex(encodeCommit(commit(300)))).toBe(expected('b104', 300));
	const { kms, ...plain } = commit(1);
	for (const without of [plain, { ...plain, kms: undefined }]) {
		expect(toHex(encodeCommit(without))).toBe(expected('04', 1).replace(`01${toHex(ten(4))}`, '00'));
	}
	expect(kms).toMatch(/^ikms/);
});

test('a commit that no chain takes is refused', () => {
	expect(() => encodeCommit(commit(0))).toThrow('has no versions');
	expect(() => encodeCommit(commit(2 ** 14))).toThrow('has 16384 versions');
	const [draft] = commit(1).versions;
	for (const size of [-1n, 2n ** 64n]) {
		expect(() => encodeCommit({ ...commit(1), versions: [{ ...draft!, size }] })).toThrow(`the size ${size}`);
	}
	const hash = 'blake3' as const;
	expect(() => encodeCommit({ ...commit(1), versions: [{ ...draft!, hash, size: 0n }] })).toThrow('is a BLAKE3 hash, and lacks its size');
	const empty = formatId('version', blake3(new Uint8Array()));
	const encoded = encodeCommit({ ...commit(1), versions: [{ ...draft!, version: empty, hash, size: 0n }] });
	expect(toHex(encoded.slice(-10))).toBe(`00${'00'.repeat(8)}01`);
	expect(() => encodeCommit({ ...commit(1), versions: [{ ...draft!, hash: 'md5' as 'sha256' }] })).toThrow('the hash is `md5`');
	expect(() => encodeCommit({ ...commit(1), tenant: formatId('kms', ten(4)) })).toThrow('does not start with `iten`');
	expect(() => commitPayload(new Uint8Array(31), commit(1))).toThrow('31 bytes, expected 32');
});

test('the payload is context, genesis hash and commit', () => {
	const payload = commitPayload(new Uint8Array(32).fill(9), commit(2));
	const context = Buffer.from('content-fabric/version-commit/v3').toString('hex');
	expect(toHex(payload)).toBe(`${context}${'09'.repeat(32)}${expected('08', 2)}`);
	expect(Buffer.from(wrapPayload(payload)).toString('latin1')).toBe(`<Bytes>${Buffer.from(payload).toString('latin1')}</Bytes>`);
});

test('data is verified against its version, by the kind of its hash', async () => {
	// SHA-256 of `abc`, from FIPS 180-2, and BLAKE3, by `b3sum`.
	for (const [hash, digits] of [
		['sha256', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
		['blake3', '6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85'],
	] as const) {
		const version = formatId('version', fromHex(digits));
		const wanted = { version, hash };
		expect(await verifyVersion(wanted, Uint8Array.from(Buffer.from('abc')))).toBe(true);
		expect(await verifyVersion(wanted, Uint8Array.from(Buffer.from('abd')))).toBe(false);
		expect(await verifyVersion(wanted, new Uint8Array())).toBe(false);
		const other = { version, hash: hash === 'blake3' ? 'sha256' : 'blake3' } as const;
		expect(await verifyVersion(other, Uint8Array.from(Buffer.from('abc')))).toBe(false);
	}
	await expect(verifyVersion({ version: 'hq__0', hash: 'sha256' }, new Uint8Array())).rejects.toThrow('byte 4 is not base58');
});

test('BLAKE3 hashes are the ones of the Rust library', async () => {
	const path = new URL('../../../primitives/identifiers/tests/vectors/blake3.json', import.meta.url);
	const { cases } = JSON.parse(readFileSync(path, 'utf8')) as { cases: { size: number; hash: string }[] };
	expect(cases.length).toBeGreaterThan(30);
	for (const { size, hash } of cases) {
		const data = Uint8Array.from({ length: size }, (_, i) => i % 251);
		const version = formatId('version', fromHex(hash));
		expect(await verifyVersion({ version, hash: 'blake3' }, data), `${size} bytes`).toBe(true);
	}
});
