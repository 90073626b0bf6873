// SPDX-License-Identifier: Apache-2.0
/** Names as record keys: an escape for each byte that a record key cannot have. */

import { fromHex, toHex, utf8 } from './bytes.ts';
import { allows, isRecordKey, parseRecordKey, type RecordKeySyntax } from './record_key.ts';

const ESCAPE = /~[0-9a-f]{2}/g;

/**
 * Returns the record key of a name. A name that is a record key is its own key. In any other name,
 * each byte that the syntax does not allow becomes `~` and two hex digits. So do the dots of `.` and
 * `..`, and a `~` before two such digits.
 */
export function keyOfName(name: string, syntax: RecordKeySyntax = 'path-segment'): string {
	const characters = [...name];
	const areDots = name === '.' || name === '..';
	if (!areDots && characters.every((character) => allows(character, syntax))) return parseRecordKey(name, syntax);
	const escaped = (character: string) => [...utf8(character)].map((byte) => `~${toHex(Uint8Array.of(byte))}`).join('');
	const tildes = new Set([...name.matchAll(ESCAPE)].map(({ index }) => index));
	let at = 0;
	const parts = characters.map((character) => {
		const isPlain = allows(character, syntax) && !areDots && !tildes.has(at);
		at += character.length;
		return isPlain ? character : escaped(character);
	});
	return parseRecordKey(parts.join(''), syntax);
}

/** Returns the name that `keyOfName` escapes as this record key. Any other key stands for itself. */
export function nameOfKey(key: string, syntax: RecordKeySyntax = 'path-segment'): string {
	if (!isRecordKey(key)) return key;
	const hex = key.replace(/~[0-9a-f]{2}|[^]/g, (part) => (part.length > 1 ? part.slice(1) : toHex(utf8(part))));
	try {
		const name = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(fromHex(hex));
		return keyOfName(name, syntax) === key ? name : key;
	} catch {
		// The bytes are no text, or no name.
		return key;
	}
}
