// SPDX-License-Identifier: Apache-2.0
/**
 * TIDs: a zero bit, 53 bits of microseconds since the Unix epoch, and 10 bits of a clock id, in 13
 * characters of five bits.
 */

import { IdError, utf8 } from './bytes.ts';

const ALPHABET = '234567abcdefghijklmnopqrstuvwxyz';
const LENGTH = 13;
const MAX_TIMESTAMP = 2n ** 53n - 1n;
const MAX_CLOCK_ID = 1023;

export interface Tid {
	/** The whole number. */
	value: bigint;
	/** Microseconds since the Unix epoch. */
	timestamp: bigint;
	clockId: number;
}

/** Parses the text of a TID. Case counts. The top bit of the number must be zero. */
export function parseTid(text: string): Tid {
	const tid = parseLenientTid(text);
	if (tid.timestamp > MAX_TIMESTAMP) {
		throw new IdError('byte 0 is after `b`, so the top bit of the number is not zero', 0);
	}
	return tid;
}

/**
 * Parses the text of a TID whose top bit may be set, as in the AT Protocol's interoperability
 * vectors. Its timestamp then has 54 bits. It is not the key of a record in a collection of TIDs.
 */
export function parseLenientTid(text: string): Tid {
	const length = utf8(text).length;
	if (length !== LENGTH) throw new IdError(`a TID has ${LENGTH} bytes of text, not ${length}`, length);
	let value = 0n;
	for (let at = 0; at < text.length; at++) {
		const digit = ALPHABET.indexOf(text.charAt(at));
		if (digit < 0) throw new IdError(`byte ${at} is not one of ${ALPHABET}`, at);
		value = (value << 5n) | BigInt(digit);
	}
	if (value >> 64n !== 0n) throw new IdError('byte 0 is after `j`, so the number needs more than 64 bits', 0);
	return { value, timestamp: value >> 10n, clockId: Number(value & 1023n) };
}

/** Writes a timestamp, in microseconds since the Unix epoch, and a clock id as a TID. */
export function formatTid(timestamp: bigint, clockId: number): string {
	if (timestamp < 0n || timestamp > MAX_TIMESTAMP) {
		throw new IdError(`the timestamp of a TID is 0 to ${MAX_TIMESTAMP} microseconds, not ${timestamp}`);
	}
	if (!Number.isInteger(clockId) || clockId < 0 || clockId > MAX_CLOCK_ID) {
		throw new IdError(`a clock id is 0 to ${MAX_CLOCK_ID}, not ${clockId}`);
	}
	let text = '';
	for (let rest = (timestamp << 10n) | BigInt(clockId); text.length < LENGTH; rest >>= 5n) {
		text = ALPHABET.charAt(Number(rest & 31n)) + text;
	}
	return text;
}
