// SPDX-License-Identifier: Apache-2.0
/** CIDs of the data of versions, for tools of other networks. */

import { concat } from './bytes.ts';
import { parseId } from './entity.ts';

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
/** CID version 1, data without structure, SHA-256, 32 bytes of hash. */
const START = Uint8Array.of(0x01, 0x55, 0x12, 0x20);

/** Returns the CID of the data of a version, `hq__…`, in lower-case base32. */
export function cidOf(version: string): string {
	const bytes = concat(START, parseId('version', version));
	const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
	return `b${bits.replace(/.{1,5}/g, (digit) => ALPHABET.charAt(parseInt(digit.padEnd(5, '0'), 2)))}`;
}
