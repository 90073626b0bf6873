// SPDX-License-Identifier: Apache-2.0
/** The Rust library has the same vectors. */

import { ed25519, sr25519 } from '@polkadot-labs/hdkd-helpers';
import { afterEach, expect, test, vi } from 'vitest';
import vectors from '../../../primitives/fabric/tests/vectors/request.json' with { type: 'json' };
import { wrapPayload } from '../../src/commit.ts';
import { formatId, fromHex, IdError, toHex } from '../../src/ids/index.ts';
import { utf8 } from '../../src/ids/bytes.ts';
import { type Account, authorization, multiSignature, Requester, requestText, type SignatureKind, signRequest } from '../../src/request.ts';

const CURVES = { Sr25519: sr25519, Ed25519: ed25519 };
const NOW = Date.parse('2026-11-27T05:00:00Z');
const ten = (byte: number) => new Uint8Array(10).fill(byte);
const REQUEST = { genesisHash: new Uint8Array(32), to: formatId('node', ten(2)), tenant: formatId('tenant', ten(3)), account: '5Grw', until: NOW / 1_000 };
const RECIPIENT = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p';

afterEach(() => {
	vi.useRealTimers();
});

const parts = (vector: (typeof vectors)[number]) => ({
	...{ genesisHash: fromHex(vector.genesis), to: vector.to, tenant: vector.tenant, account: vector.account },
	...{ recipient: vector.recipient ?? undefined, until: vector.seconds },
});

test('texts, headers and signatures follow the vectors', async () => {
	const seen = new Set<string>();
	for (const vector of vectors) {
		const request = parts(vector);
		expect(requestText(request)).toBe(vector.text);
		for (const { wrapped, signature, authorization: header } of vector.signatures) {
			const kind = vector.kind as SignatureKind;
			const raw = fromHex(signature).slice(1);
			expect(`0x${toHex(multiSignature(kind, raw))}`).toBe(signature);
			expect(authorization(request, fromHex(signature))).toBe(header);
			// The Rust library also verifies ECDSA signatures.
			if (kind !== 'Ecdsa') {
				const [text, key] = [utf8(vector.text), fromHex(vector.publicKey)];
				expect(CURVES[kind].verify(raw, wrapped ? wrapPayload(text) : text, key)).toBe(true);
				expect(CURVES[kind].verify(raw, wrapped ? text : wrapPayload(text), key)).toBe(false);
			}
			// A wallet returns the raw signature, as bytes or as digits.
			for (const given of [raw, `0x${toHex(raw)}` as const]) {
				const account: Account = { address: vector.account, signBytes: () => given, kind };
				expect(await signRequest(request, account)).toBe(header);
			}
			seen.add(`${kind} ${wrapped}`);
		}
	}
	expect(seen.size).toBe(6);
});

test('parts that no request has are refused', () => {
	const kms = formatId('kms', ten(4));
	expect(() => requestText({ ...REQUEST, recipient: RECIPIENT })).toThrow('a request to a content node has no recipient');
	expect(() => requestText({ ...REQUEST, to: kms, recipient: 'age1' })).toThrow('has 4 characters');
	expect(requestText({ ...REQUEST, to: kms, recipient: RECIPIENT })).toContain(`\nfor ${RECIPIENT}\nuntil `);
	for (const to of ['', formatId('tenant', ten(2)), 'inod', 'ikms']) expect(() => requestText({ ...REQUEST, to })).toThrow(IdError);
	for (const account of ['', '5Grw\nto x', '5Grw"', '5'.repeat(65)]) expect(() => requestText({ ...REQUEST, account })).toThrow('is not an SS58 address');
	for (const until of [-1, 0.5, NaN, 253_402_300_800]) expect(() => requestText({ ...REQUEST, until })).toThrow('is not a number of whole seconds');
	expect(() => requestText({ ...REQUEST, genesisHash: ten(1) })).toThrow('the genesis hash has 10 bytes, expected 32');
	for (const [kind, length] of [['Sr25519', 65], ['Ed25519', 63], ['Ecdsa', 64]] as const) {
		expect(() => multiSignature(kind, new Uint8Array(length))).toThrow(`the ${kind} signature has ${length} bytes`);
	}
});

/** Returns a signer of requests, and the number of its signatures. */
function requester(): { requester: Requester; signed: () => number } {
	const signBytes = vi.fn(() => new Uint8Array(64));
	return { requester: new Requester(REQUEST, { address: '5Grw', signBytes }), signed: () => signBytes.mock.calls.length };
}

const untilOf = (header: string) => (Date.parse(/until="([^"]*)"/.exec(header)?.[1] ?? '') - NOW) / 1_000;

test('one signature serves until shortly before its end', async () => {
	vi.useFakeTimers({ now: NOW });
	const { requester: by, signed } = requester();
	const [first, second] = await Promise.all([by.authorization(), by.authorization()]);
	expect([untilOf(first), second, signed()]).toEqual([1_800, first, 1]);
	vi.setSystemTime(NOW + 1_500_000);
	expect([await by.authorization(), signed()]).toEqual([first, 1]);
	vi.setSystemTime(NOW + 1_501_000);
	expect([untilOf(await by.authorization()), signed()]).toEqual([3_301, 2]);
});

test('a wallet that has refused to sign is asked again', async () => {
	let refuses = true;
	const signBytes = () => (refuses ? Promise.reject(new Error('cancelled')) : new Uint8Array(64));
	const by = new Requester(REQUEST, { address: '5Grw', signBytes });
	await expect(by.authorization()).rejects.toThrow('cancelled');
	refuses = false;
	expect(await by.authorization()).toMatch(/^Fabric account="5Grw"/);
});

test('a request that is refused for its time is signed by the clock of the server', async () => {
	const refusal = (seconds: number) =>
		new Response('', { status: 401, headers: { 'WWW-Authenticate': `Fabric time="${new Date(NOW + seconds * 1_000).toISOString().replace('.000Z', 'Z')}"` } });
	for (const [seconds, adjusts] of [[7_200, true], [-7_200, true], [86_400, true], [86_401, false], [1_859, false], [1_860, true], [-1_860, false], [-1_861, true]] as const) {
		vi.useFakeTimers({ now: NOW });
		const { requester: by } = requester();
		const sent = await by.authorization();
		expect([seconds, await by.adjusts(sent, refusal(seconds))]).toEqual([seconds, adjusts]);
		const next = await by.authorization();
		expect(untilOf(next)).toBe(adjusts ? seconds + 1_800 : 1_800);
		// Requests that were sent with the first header are also sent again.
		if (adjusts) expect([await by.adjusts(sent, refusal(seconds)), await by.authorization()]).toEqual([true, next]);
	}
	const { requester: by } = requester();
	const sent = await by.authorization();
	for (const header of ['Fabric', 'Fabric time=""', 'Basic']) {
		expect(await by.adjusts(sent, new Response('', { status: 401, headers: { 'WWW-Authenticate': header } }))).toBe(false);
	}
	expect(await by.adjusts(sent, new Response('', { status: 401 }))).toBe(false);
});
