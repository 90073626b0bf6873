// SPDX-License-Identifier: Apache-2.0
/** Bytes, and the errors of texts that do not represent any. */

/** A text or a number that breaks a rule of ids. */
export class IdError extends Error {
	override readonly name = 'IdError';
	/** Position of the byte that broke the rule, where one did. */
	readonly position: number | undefined;

	constructor(message: string, position?: number) {
		super(message);
		this.position = position;
	}
}

/** Returns the UTF-8 bytes of a text. */
export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Returns the lower-case hexadecimal digits of bytes. */
export function toHex(bytes: Uint8Array): string {
	return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Returns the bytes of hexadecimal digits, which `0x` may precede. */
export function fromHex(text: string): Uint8Array {
	const digits = text.startsWith('0x') ? text.slice(2) : text;
	const at = digits.search(/[^0-9a-fA-F]/);
	if (at >= 0) throw new IdError(`character ${at} is not a hexadecimal digit`, at);
	if (digits.length % 2 !== 0) throw new IdError(`${digits.length} hexadecimal digits are not whole bytes`);
	return Uint8Array.from({ length: digits.length / 2 }, (_, i) => parseInt(digits.slice(2 * i, 2 * i + 2), 16));
}

/** Returns `bytes`, which must be `length` of them. */
export function exactly(bytes: Uint8Array, length: number, what: string): Uint8Array {
	if (bytes.length !== length) throw new IdError(`${what} has ${bytes.length} bytes, expected ${length}`);
	return bytes;
}

/** Joins bytes. */
export function concat(...parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
	const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
	let at = 0;
	for (const part of parts) {
		joined.set(part, at);
		at += part.length;
	}
	return joined;
}

/** Returns the big-endian bytes of a number, which must fit. */
export function bigEndian(value: bigint, length: number): Uint8Array {
	return fromHex(value.toString(16).padStart(2 * length, '0'));
}

/** Returns the number of big-endian bytes. */
export const fromBigEndian = (bytes: Uint8Array): bigint => BigInt(`0x${toHex(bytes) || '0'}`);
