// SPDX-License-Identifier: Apache-2.0
/** Record keys: the names of records in a collection. */

import { IdError, utf8 } from './bytes.ts';
import { parseTid } from './tid.ts';

/** The characters that a record key may have. Only `path-segment` has `:`. */
export type RecordKeySyntax = 'unreserved' | 'path-segment';

const ALLOWED: Record<RecordKeySyntax, RegExp> = {
	unreserved: /[A-Za-z0-9._~-]/,
	'path-segment': /[A-Za-z0-9._~:-]/,
};
const MAX_LENGTH = 512;
/** Keys, and paths of a collection and a key, are recommended to have fewer characters. */
const RECOMMENDED_LENGTH = 80;
const MAX_NSID = 317;
const MAX_SEGMENT = 63;

/** Returns `text` if it is a record key. */
export function parseRecordKey(text: string, syntax: RecordKeySyntax = 'path-segment'): string {
	const { length } = utf8(text);
	if (length === 0) throw new IdError('a record key must not be empty', 0);
	if (length > MAX_LENGTH) throw new IdError(`a record key has at most ${MAX_LENGTH} bytes, not ${length}`, MAX_LENGTH);
	if (text === '.' || text === '..') throw new IdError('`.` and `..` are not record keys', 0);
	const at = [...text].findIndex((character) => !allows(character, syntax));
	if (at >= 0) throw new IdError(`byte ${at} is not allowed in a record key`, at);
	return text;
}

/** Returns true if a record key may have this character. */
export const allows = (character: string, syntax: RecordKeySyntax): boolean => ALLOWED[syntax].test(character);

/** Returns true if `text` is a record key. */
export function isRecordKey(text: string, syntax: RecordKeySyntax = 'path-segment'): boolean {
	const isShort = text.length > 0 && text.length <= MAX_LENGTH;
	return isShort && text !== '.' && text !== '..' && [...text].every((character) => allows(character, syntax));
}

/** Returns what atproto recommends, if the name of a collection, which is valid, does not follow it. */
export function collectionAdvice(collection: string): string | undefined {
	if (!/[A-Z]/.test(collection) && collection.length < RECOMMENDED_LENGTH) return undefined;
	return 'atproto recommends names of collections without upper-case letters, and with fewer than 80 characters';
}

/** Returns what atproto recommends, if a record key in a collection, both valid, does not follow it. */
export function recordKeyAdvice(collection: string, key: string): string | undefined {
	if (!/[A-Z]/.test(key) && collection.length + 1 + key.length < RECOMMENDED_LENGTH) return undefined;
	return (
		'atproto recommends record keys without upper-case letters, and fewer than 80 characters together ' +
		'with the collection and a slash'
	);
}

/** Returns `text` if it is an NSID, the name of a record type. */
export function parseNsid(text: string): string {
	const { length } = utf8(text);
	if (length > MAX_NSID) throw new IdError(`an NSID has at most ${MAX_NSID} bytes, not ${length}`, MAX_NSID);
	const segments = text.split('.');
	let start = 0;
	segments.forEach((segment, i) => {
		checkSegment(segment, start, i === 0, i === segments.length - 1);
		start += segment.length + 1;
	});
	if (segments.length < 3) throw new IdError(`an NSID has at least three segments, not ${segments.length}`, 0);
	return text;
}

function checkSegment(segment: string, start: number, first: boolean, last: boolean): void {
	if (segment === '') throw new IdError(`the segment at byte ${start} is empty`, start);
	const refused = (at: number) =>
		new IdError(`byte ${start + at} is not allowed at this position of an NSID`, start + at);
	const bad = segment.search(last ? /[^A-Za-z0-9]/ : /[^A-Za-z0-9-]/);
	if (bad >= 0) throw refused(bad);
	if (segment.length > MAX_SEGMENT) {
		const at = start + MAX_SEGMENT;
		throw new IdError(`byte ${at} is beyond the ${MAX_SEGMENT} bytes of its segment`, at);
	}
	if (segment.startsWith('-')) throw refused(0);
	if (segment.endsWith('-')) throw refused(segment.length - 1);
	if ((first || last) && /^[0-9]/.test(segment)) {
		throw new IdError(`byte ${start} is a digit, expected a letter`, start);
	}
}

/** The type of the record keys that a collection has. */
export type RecordKeyType = { type: 'tid' | 'nsid' | 'any' } | { type: 'literal'; value: string };

const LITERAL = 'literal:';

/** Parses `tid`, `nsid`, `any`, or `literal:` and a record key. */
export function parseRecordKeyType(text: string, syntax: RecordKeySyntax = 'path-segment'): RecordKeyType {
	if (text === 'tid' || text === 'nsid' || text === 'any') return { type: text };
	if (text.startsWith(LITERAL)) return { type: 'literal', value: parseRecordKey(text.slice(LITERAL.length), syntax) };
	throw new IdError('a record key type is `tid`, `nsid`, `any`, or `literal:` and a record key', 0);
}

/** Returns `key` if it is a record key of this type. */
export function checkRecordKey(key: string, type: RecordKeyType, syntax: RecordKeySyntax = 'path-segment'): string {
	parseRecordKey(key, syntax);
	if (type.type === 'tid') parseTid(key);
	if (type.type === 'nsid') parseNsid(key);
	if (type.type === 'literal' && key !== type.value) {
		throw new IdError(`the key differs from \`${type.value}\`, the only one that is allowed`);
	}
	return key;
}
