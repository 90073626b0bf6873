// SPDX-License-Identifier: Apache-2.0
/** Base58 with Bitcoin's alphabet, as in the texts of ids. */

import { IdError } from './bytes.ts';

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Writes `digits` of one base in another base, least significant digit first. */
function convert(digits: number[], from: number, to: number): number[] {
	const converted: number[] = [];
	for (const digit of digits) {
		let carry = digit;
		for (let i = 0; i < converted.length; i++) {
			carry += (converted[i] ?? 0) * from;
			converted[i] = carry % to;
			carry = Math.floor(carry / to);
		}
		for (; carry > 0; carry = Math.floor(carry / to)) converted.push(carry % to);
	}
	return converted;
}

/** Converts from one base to another. Each zero at the front stands for itself. */
function withZeros(digits: number[], from: number, to: number): number[] {
	const firstOther = digits.findIndex((digit) => digit !== 0);
	const zeros = firstOther < 0 ? digits.length : firstOther;
	return [...digits.slice(0, zeros), ...convert(digits.slice(zeros), from, to).reverse()];
}

export function encodeBase58(bytes: Uint8Array): string {
	return withZeros([...bytes], 256, 58)
		.map((digit) => ALPHABET.charAt(digit))
		.join('');
}

/** Decodes `text`, which begins at byte `start` of the text that errors are about. */
export function decodeBase58(text: string, start: number): Uint8Array {
	const digits = Array.from(text, (character, i) => {
		const digit = ALPHABET.indexOf(character);
		if (digit < 0) throw new IdError(`the character at byte ${start + i} is not base58`, start + i);
		return digit;
	});
	return Uint8Array.from(withZeros(digits, 58, 256));
}
