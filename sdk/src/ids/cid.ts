// SPDX-License-Identifier: Apache-2.0
/** CIDs of the data of versions, for tools of other networks. */

import { concat, IdError } from './bytes.ts';
import { formatId, parseId } from './entity.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
/** CID version 1, data without structure, SHA-256, 32 bytes of hash. */
const START = Uint8Array.of(0x01, 0x55, 0x12, 0x20);

/** Characters of the CID of a version. */
const LENGTH = 59;

/** Returns the CID of the data of a version, `hq__…`, in lower-case base32. */
export function cidOf(version: string): string {
	const bytes = concat(START, parseId('version', version));
	const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
	return `b${bits.replace(/.{1,5}/g, (digit) => ALPHABET.charAt(parseInt(digit.padEnd(5, '0'), 2)))}`;
}

/** Returns the version, `hq__…`, whose data has this CID, in lower-case base32. */
export function parseCid(text: string): string {
	if (text.length !== LENGTH) throw new IdError(`the CID of a version has ${LENGTH} characters, not ${text.length}`);
	if (!text.startsWith('b')) throw new IdError('the CID does not start with `b`', 0);
	const at = text.search(/[^a-z2-7]/);
	if (at >= 0) throw new IdError(`the character at byte ${at} is not base32`, at);
	const bits = Array.from(text.slice(1), (digit) => ALPHABET.indexOf(digit).toString(2).padStart(5, '0')).join('');
	const bytes = Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => parseInt(byte, 2));
	const version = formatId('version', bytes.slice(START.length));
	// Compares the beginning, and the bits after the last byte.
	if (cidOf(version) !== text) throw new IdError('the CID does not name raw data by a SHA-256 hash');
	return version;
}
