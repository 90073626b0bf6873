// SPDX-License-Identifier: Apache-2.0
/** The type of bytes, from the bytes alone: a name or a node's header does not count. */

/** Bytes that a page can show, or `other` ones. */
export type Content = { kind: 'picture'; picture: Blob } | { kind: 'text'; text: string } | { kind: 'other' };

/** Pictures that browsers decode without running anything, by their first bytes. */
const PICTURES: [type: string, start: RegExp][] = [
	['image/png', /^\x89PNG\r\n\x1a\n/],
	['image/jpeg', /^\xff\xd8\xff/],
	['image/gif', /^GIF8[79]a/],
	['image/webp', /^RIFF[^]{4}WEBP/],
];

/** Controls that texts do not have. They have others: bells, escapes, backspaces. */
const BINARY = /[\x00-\x06\x0e-\x1a\x1c-\x1f]/;

/** Returns what bytes are. */
export function contentOf(bytes: Uint8Array<ArrayBuffer>): Content {
	const start = String.fromCharCode(...bytes.subarray(0, 12));
	const picture = PICTURES.find(([, magic]) => magic.test(start));
	if (picture) return { kind: 'picture', picture: new Blob([bytes], { type: picture[0] }) };
	try {
		const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
		return BINARY.test(text) ? { kind: 'other' } : { kind: 'text', text: text.replaceAll('\r\n', '\n') };
	} catch {
		return { kind: 'other' };
	}
}
