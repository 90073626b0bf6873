// SPDX-License-Identifier: Apache-2.0
/**
 * Muids: a timestamp of 52 bits in microseconds since the Unix epoch, a medallion of 44 bits, which
 * names the writer, and an offset of 32 bits.
 */

import { bigEndian, exactly, fromBigEndian, fromHex, IdError, toHex, utf8 } from './bytes.ts';

/** Digits of the timestamp, the medallion and the offset. */
const GROUPS = [13, 11, 8];
/** Offset 0, or medallion 0 and offset 0, in widths of an older layout. */
const OLD_TAILS = ['-0000000000000-00000', '-0000000000000'];
const DIGITS = [32, 24, 13];
const MAX_TIMESTAMP = 2n ** 52n - 1n;
/** All bits of a medallion: a sentinel. Muids may contain it, but no writer has it. */
const SENTINEL = 2n ** 44n - 1n;

export interface Muid {
	/** Microseconds since the Unix epoch. */
	timestamp: bigint;
	/** The writer. */
	medallion: bigint;
	/** Number of the creation in its transaction, which has 0 itself. */
	offset: number;
}

/** Returns the digits of a text without dashes, as many as it has. */
function digitsOf(text: string): string {
	const length = utf8(text).length;
	if (DIGITS.includes(length)) return text;
	const oldTail = OLD_TAILS.find((tail) => text.length === 13 + tail.length && text.endsWith(tail));
	if (oldTail) return text.slice(0, 13);
	const groups = text.split('-');
	let at = 0;
	groups.forEach((group, i) => {
		const expected = GROUPS[i];
		if (expected === undefined) throw new IdError(`a muid has at most three groups, not ${groups.length}`, at);
		if (group.length !== expected) {
			throw new IdError(`the group at byte ${at} has ${group.length} digits, expected ${expected}`, at);
		}
		at += group.length + 1;
	});
	return groups.join('');
}

/**
 * Parses the text of a muid: 32 digits, or 24 or 13 of them where the rest is zero, with dashes
 * between the groups or with none.
 */
export function parseMuid(text: string): Muid {
	const digits = digitsOf(text);
	const at = text.search(/[^0-9a-fA-F-]/);
	const bad = at >= 0 ? at : digits.indexOf('-');
	if (bad >= 0) throw new IdError(`byte ${bad} is not a hexadecimal digit`, bad);
	return muidOfBytes(fromHex(digits.padEnd(32, '0')));
}

/** Returns the muid of 16 big-endian bytes. */
export function muidOfBytes(bytes: Uint8Array): Muid {
	const value = fromBigEndian(exactly(bytes, 16, 'a muid'));
	return {
		timestamp: value >> 76n,
		medallion: (value >> 32n) & SENTINEL,
		offset: Number(BigInt.asIntN(32, value)),
	};
}

/** Returns the 16 big-endian bytes of a muid. Their order is the order of muids. */
export function muidBytes({ timestamp, medallion, offset }: Muid): Uint8Array {
	if (timestamp < 0n || timestamp > MAX_TIMESTAMP) {
		throw new IdError(`the timestamp of a muid is 0 to ${MAX_TIMESTAMP} microseconds, not ${timestamp}`);
	}
	if (medallion < 0n || medallion > SENTINEL) {
		throw new IdError(`the medallion ${medallion} is not a number of 44 bits`);
	}
	if (offset !== (offset | 0)) throw new IdError(`the offset ${offset} is not an integer of 32 bits`);
	return bigEndian((timestamp << 76n) | (medallion << 32n) | BigInt.asUintN(32, BigInt(offset)), 16);
}

/** Writes a muid as text: upper-case digits, with dashes. */
export function formatMuid(muid: Muid): string {
	const digits = toHex(muidBytes(muid)).toUpperCase();
	return `${digits.slice(0, 13)}-${digits.slice(13, 24)}-${digits.slice(24)}`;
}

/**
 * Resolves a reference, and returns the absolute muid. `context` is the muid of the item that has
 * the reference. A timestamp or medallion of zero stands for the context's. If all parts are zero,
 * the offset is also the context's. A negative offset counts back from the offset of the context,
 * and only within its transaction.
 */
export function resolveMuid(reference: Muid, context: Muid): Muid {
	const timestamp = reference.timestamp === 0n ? context.timestamp : reference.timestamp;
	const medallion = reference.medallion === 0n ? context.medallion : reference.medallion;
	const { offset } = reference;
	const isEmpty = reference.timestamp === 0n && reference.medallion === 0n && offset === 0;
	if (!isEmpty && offset >= 0) return { timestamp, medallion, offset };
	if (timestamp !== context.timestamp || medallion !== context.medallion) {
		throw new IdError(`offset ${offset} counts back in another transaction than the context's`);
	}
	const from = context.offset;
	if (from < 0) throw new IdError(`the context has the negative offset ${from}: resolve it first`);
	if (from + offset < 0) {
		throw new IdError(`offset ${offset} counts back from ${from}, which is before the start of the transaction`);
	}
	return { timestamp, medallion, offset: from + offset };
}

/**
 * Returns the muid of the transaction that a writer begins at the time `now`, in microseconds since
 * the Unix epoch, after `last`. Its timestamp is always later than `last`. The medallion
 * must be below 17592186044415.
 */
export function nextTransaction(last: Muid | undefined, now: bigint, medallion: bigint): Muid {
	if (medallion < 0n || medallion >= SENTINEL) {
		throw new IdError(`${medallion} is not a medallion: the largest is ${SENTINEL - 1n}`);
	}
	const timestamp = last !== undefined && now <= last.timestamp ? last.timestamp + 1n : now;
	const muid = { timestamp, medallion, offset: 0 };
	muidBytes(muid);
	return muid;
}
