// SPDX-License-Identifier: Apache-2.0
/** `primitives/fabric/tests/kms_key.rs` has the same keys. */

import { expect, test } from 'vitest';
import { formatKmsKey, fromHex, IdError, parseKmsKey, toHex } from '../../src/ids/index.ts';

const KEY = 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p';
const BYTES = '07e22f5e44a542e8dc8e753a42251e1010cc79d192b3f71c5b1c95645209997a';

test('a key is read and written as an age recipient', () => {
	expect(toHex(parseKmsKey(KEY))).toBe(BYTES);
	expect(formatKmsKey(fromHex(BYTES))).toBe(KEY);
	for (const bytes of [new Uint8Array(32), new Uint8Array(32).fill(255), Uint8Array.from({ length: 32 }, (_, i) => i)]) {
		expect(parseKmsKey(formatKmsKey(bytes))).toEqual(bytes);
	}
	expect(() => formatKmsKey(new Uint8Array(31))).toThrow('31 bytes, expected 32');
});

test('other texts are refused', () => {
	const checksum = 'a character is wrong';
	for (const [text, error] of [
		['', 'does not start with `age1`'],
		[KEY.toUpperCase(), 'does not start with `age1`'],
		[KEY.slice(0, 61), 'has 61 characters, expected 62'],
		[`${KEY}q`, 'has 63 characters, expected 62'],
		[`${KEY.slice(0, 61)}q`, checksum],
		[KEY.replace('ql3z', 'ql3y'), checksum],
		[KEY.replace('ql3z', 'qb1o'), checksum],
		[KEY.replace('ql3z', 'qé3z'), checksum],
		// Its last digit has a bit that is not of the key.
		['age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqpfwgqrs', checksum],
	] as const) {
		expect(() => parseKmsKey(text), text).toThrow(error);
		expect(() => parseKmsKey(text), text).toThrow(IdError);
	}
});
