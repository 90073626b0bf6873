// SPDX-License-Identifier: Apache-2.0
/** Text from the chain, which may contain anything. */

import invisibleRanges from '../../../client/src/invisible.json' with { type: 'json' };

export interface Piece {
	text: string;
	/**
	 * True if the piece is the visible form of a character that is invisible or changes the order.
	 */
	escaped: boolean;
}

/**
 * Characters without a shape of their own: controls, marks that change the direction of text and
 * other format characters, separators of lines, surrogates without their other half, and
 * characters for private use. The client escapes the same ones.
 */
const RANGES = invisibleRanges.map(([first, last]) => `\\u{${first}}-\\u{${last}}`).join('');
const INVISIBLE = new RegExp(`[${RANGES}]`, 'u');
const INVISIBLE_BUT_LINE_BREAKS = new RegExp(`(?![\\n\\t])[${RANGES}]`, 'u');

/** Splits `text` into pieces that are shown as they are, and escapes such as `\u{202e}`. */
export function pieces(text: string, lineBreaks = false): Piece[] {
	const invisible = lineBreaks ? INVISIBLE_BUT_LINE_BREAKS : INVISIBLE;
	const found: Piece[] = [];
	for (const character of text) {
		const escaped = invisible.test(character);
		const shown = escaped ? escapeOf(character) : character;
		const last = found.at(-1);
		if (last && last.escaped === escaped) last.text += shown;
		else found.push({ text: shown, escaped });
	}
	return found;
}

/** Returns `text` with escapes: on one line, for titles and labels, or with its line breaks. */
export function plain(text: string, lineBreaks = false): string {
	return pieces(text, lineBreaks)
		.map((piece) => piece.text)
		.join('');
}

function escapeOf(character: string): string {
	return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

/** Shortens `id` in the middle to its first 8 and last 4 characters. */
export function shortId(id: string): string {
	return id.length > 14 ? `${id.slice(0, 8)}…${id.slice(-4)}` : id;
}

const LONGEST_KEY = 72;

/** Shortens a record key or another text in the middle. */
export function shortText(text: string, longest = LONGEST_KEY): string {
	const characters = [...text];
	if (characters.length <= longest) return text;
	const half = Math.floor((longest - 1) / 2);
	return `${characters.slice(0, half).join('')}…${characters.slice(-half).join('')}`;
}

/** Returns `name` of an event or a storage item in words: `RecordPut` as `record put`. */
export function words(name: string): string {
	return name
		.replace(/([a-z0-9])([A-Z])/g, '$1 $2')
		.replaceAll('_', ' ')
		.toLowerCase()
		.replace(/\bkms(es)?\b/g, 'KMS$1');
}

/** Returns a message, such as one of the indexer, as a sentence. */
export function asSentence(message: string): string {
	return /[.!?]$/.test(message) ? capital(message) : `${capital(message)}.`;
}

/** Returns `text` with a capital first letter. */
export function capital(text: string): string {
	return text.charAt(0).toUpperCase() + text.slice(1);
}
