// SPDX-License-Identifier: Apache-2.0
/** Keys of KMSes: X25519 public keys, with the texts of age recipients, in bech32. */

import { bigEndian, exactly, fromBigEndian, IdError } from './bytes.ts';

const PREFIX = 'age1';
const DIGITS = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const KEY_LENGTH = 32;
const KEY_DIGITS = 52;
const CHECKSUM_DIGITS = 6;
const TEXT_LENGTH = PREFIX.length + KEY_DIGITS + CHECKSUM_DIGITS;
/** The characters of `age` as the checksum takes them: their high bits, a zero, their low bits. */
const AGE = [3, 3, 3, 0, 1, 7, 5];
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

/** Returns the checksum of digits, which is 1 if the last six are the checksum of the others. */
function checksum(digits: number[]): number {
	let sum = 1;
	for (const digit of [...AGE, ...digits]) {
		const top = sum >>> 25;
		sum = ((sum & 0x1ffffff) << 5) ^ digit;
		GENERATOR.forEach((term, bit) => {
			if ((top >> bit) & 1) sum ^= term;
		});
	}
	return sum;
}

/** Returns this many digits of five bits, the highest first. */
const digitsOf = (value: bigint, count: number) =>
	Array.from({ length: count }, (_, at) => Number((value >> BigInt(5 * (count - 1 - at))) & 31n));

/** Parses the text of a key, `age1…`. Returns its bytes. */
export function parseKmsKey(text: string): Uint8Array {
	if (!text.startsWith(PREFIX)) throw new IdError(`the key does not start with \`${PREFIX}\``, 0);
	const found = [...text].length;
	if (found !== TEXT_LENGTH) throw new IdError(`the key has ${found} characters, expected ${TEXT_LENGTH}`);
	const digits = [...text.slice(PREFIX.length)].map((character) => DIGITS.indexOf(character));
	const value = digits.slice(0, KEY_DIGITS).reduce((value, digit) => (value << 5n) | BigInt(Math.max(digit, 0)), 0n);
	// The last digit has four bits more than the key.
	if (digits.includes(-1) || checksum(digits) !== 1 || (value & 15n) !== 0n) {
		throw new IdError('the checksum of the key does not match: a character is wrong');
	}
	return bigEndian(value >> 4n, KEY_LENGTH);
}

/** Writes the 32 bytes of a key as text, `age1…`. */
export function formatKmsKey(bytes: Uint8Array): string {
	const digits = digitsOf(fromBigEndian(exactly(bytes, KEY_LENGTH, 'the key of a KMS')) << 4n, KEY_DIGITS);
	const zeros = Array.from({ length: CHECKSUM_DIGITS }, () => 0);
	const all = [...digits, ...digitsOf(BigInt(checksum([...digits, ...zeros]) ^ 1), CHECKSUM_DIGITS)];
	return PREFIX + all.map((digit) => DIGITS[digit]).join('');
}
