// SPDX-License-Identifier: Apache-2.0
/** CIDs of the data of versions, for tools of other networks. */

import { concat, IdError } from './bytes.ts';
import { formatId, parseId } from './entity.ts';

/** The hash function whose result is the id of a version. */
export type HashKind = 'blake3' | 'sha256';

/** A version, `hq__…`, with the kind of hash that its id is. */
export interface HashedVersion {
	version: string;
	hash: HashKind;
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567';
/** CID version 1, data without structure, the kind of the hash, its 32 bytes. */
const STARTS: [HashKind, Uint8Array][] = [
	['blake3', Uint8Array.of(0x01, 0x55, 0x1e, 0x20)],
	['sha256', Uint8Array.of(0x01, 0x55, 0x12, 0x20)],
];

/** Characters of the CID of a version. */
const LENGTH = 59;

/** Returns the CID of the data of a version, in lower-case base32. */
export function cidOf({ version, hash }: HashedVersion): string {
	const start = STARTS.find(([kind]) => kind === hash)?.[1];
	if (start === undefined) throw new IdError(`the hash is \`${hash}\`, expected \`blake3\` or \`sha256\``);
	const bytes = concat(start, parseId('version', version));
	const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
	return `b${bits.replace(/.{1,5}/g, (digit) => ALPHABET.charAt(parseInt(digit.padEnd(5, '0'), 2)))}`;
}

/** Returns the version whose data has this CID, in lower-case base32, and its kind of hash. */
export function parseCid(text: string): HashedVersion {
	if (text.length !== LENGTH) throw new IdError(`the CID of a version has ${LENGTH} characters, not ${text.length}`);
	if (!text.startsWith('b')) throw new IdError('the CID does not start with `b`', 0);
	const at = text.search(/[^a-z2-7]/);
	if (at >= 0) throw new IdError(`the character at byte ${at} is not base32`, at);
	const bits = Array.from(text.slice(1), (digit) => ALPHABET.indexOf(digit).toString(2).padStart(5, '0')).join('');
	const bytes = Uint8Array.from(bits.match(/.{8}/g) ?? [], (byte) => parseInt(byte, 2));
	const version = formatId('version', bytes.slice(4));
	// Compares the beginning, and the bits after the last byte.
	const hash = STARTS.map(([kind]) => kind).find((hash) => cidOf({ version, hash }) === text);
	if (hash === undefined) throw new IdError('the CID does not name raw data by a BLAKE3 or SHA-256 hash');
	return { version, hash };
}

/** A version as a reader names it: by its id, or by its CID, which also says the kind of hash. */
export interface NamedVersion {
	version: string;
	hash?: HashKind;
}

/** Reads the id of a version, or its CID. */
export function parseVersion(text: string): NamedVersion {
	return text.startsWith('b') ? parseCid(text) : { version: formatId('version', parseId('version', text)) };
}

/** Returns a version with its kind of hash. Fails if it was named by a CID of another kind. */
export function withHash({ version, hash: named }: NamedVersion, hash: HashKind): HashedVersion {
	if (named === undefined || named === hash) return { version, hash };
	const kind = hash === 'blake3' ? 'BLAKE3' : 'SHA-256';
	const [given, found] = [cidOf({ version, hash: named }), cidOf({ version, hash })];
	throw new IdError(`there is no version ${given}: ${version} is a ${kind} hash, so its CID is ${found}`);
}
