// SPDX-License-Identifier: Apache-2.0
/** `primitives/fabric/tests/scale.rs` has the same bytes. */

import { expect, test } from 'vitest';
import { commitPayload, encodeCommit, verifyVersion, wrapPayload, type VersionCommit } from '../../src/commit.ts';
import { formatId, fromHex, muidOfBytes, toHex } from '../../src/ids/index.ts';

const ten = (byte: number) => new Uint8Array(10).fill(byte);
const MUID = `${'ab'.repeat(12)}00000000`;
const DRAFT = `${'05'.repeat(10)}${'06'.repeat(32)}080706050403020101`;

function commit(versions: number): VersionCommit {
	const draft = {
		object: formatId('object', ten(5)),
		version: formatId('version', new Uint8Array(32).fill(6)),
		size: 0x0102030405060708n,
		setHeadOnFinalize: true,
	};
	return {
		muid: muidOfBytes(fromHex(MUID)),
		originator: formatId('provider', ten(1)),
		node: formatId('node', ten(2)),
		tenant: formatId('tenant', ten(3)),
		kms: formatId('kms', ten(4)),
		createObjects: false,
		versions: Array.from({ length: versions }, () => draft),
	};
}

function expected(length: string, versions: number): string {
	return `${MUID}${[1, 2, 3].map((byte) => toHex(ten(byte))).join('')}01${toHex(ten(4))}00${length}${DRAFT.repeat(versions)}`;
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
	expect(() => encodeCommit({ ...commit(1), tenant: formatId('kms', ten(4)) })).toThrow('does not start with `iten`');
	expect(() => commitPayload(new Uint8Array(31), commit(1))).toThrow('31 bytes, expected 32');
});

test('the payload is context, genesis hash and commit', () => {
	const payload = commitPayload(new Uint8Array(32).fill(9), commit(2));
	const context = Buffer.from('content-fabric/version-commit/v2').toString('hex');
	expect(toHex(payload)).toBe(`${context}${'09'.repeat(32)}${expected('08', 2)}`);
	expect(Buffer.from(wrapPayload(payload)).toString('latin1')).toBe(`<Bytes>${Buffer.from(payload).toString('latin1')}</Bytes>`);
});

test('data is verified against its version', async () => {
	// SHA-256 of `abc`, from FIPS 180-2.
	const hash = fromHex('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
	const version = formatId('version', hash);
	expect(await verifyVersion(version, Uint8Array.from(Buffer.from('abc')))).toBe(true);
	expect(await verifyVersion(version, Uint8Array.from(Buffer.from('abd')))).toBe(false);
	expect(await verifyVersion(version, new Uint8Array())).toBe(false);
	await expect(verifyVersion('hq__0', new Uint8Array())).rejects.toThrow('byte 4 is not base58');
});
