// SPDX-License-Identifier: Apache-2.0
/** The addresses by which players ask the worker for the bytes of versions, and what it reports. */

import type { Holder, UnservedError } from '../../../sdk/src/content.ts';

/** The bytes that a player can ask for. */
export interface Media {
	version: string;
	/** Number of its bytes. */
	size: number;
	/** The type of the bytes. */
	type: string;
	/** The nodes that hold them. */
	holders: Holder[];
}

/** A message of the worker to a page: bytes were verified, or no node serves them. */
export type Heard =
	| { version: string; first: number; last: number; node: string }
	| { version: string; reason: string; failures: UnservedError['failures'] };

const PATH = '/media/';

/** Video and audio that browsers play, by their first bytes. */
const TYPES: [type: string, start: RegExp][] = [
	['video/mp4', /^[^]{4}ftyp/],
	['video/webm', /^\x1aE\xdf\xa3/],
	['video/ogg', /^OggS/],
	['audio/wav', /^RIFF[^]{4}WAVE/],
	['audio/flac', /^fLaC/],
	['audio/mpeg', /^(ID3|\xff[\xe2-\xfb])/],
];

/** Number of bytes that decide the type. */
export const START = 12;

/** Returns the type of video or audio that begins with these bytes. */
export function typeOf(start: Uint8Array): string | undefined {
	const text = String.fromCharCode(...start.subarray(0, START));
	return TYPES.find(([, magic]) => magic.test(text))?.[0];
}

/** Returns the address of bytes. It says all, because the worker may be stopped at any time. */
export function addressOf({ version, size, type, holders }: Media): string {
	const query = new URLSearchParams({ size: String(size), type });
	for (const { node, locator } of holders) query.append('holder', JSON.stringify([node, locator ?? null]));
	return `${PATH}${encodeURIComponent(version)}?${query}`;
}

/** Returns the bytes that an address names. `undefined` if it names none. */
export function mediaOf({ pathname, searchParams }: URL): Media | undefined {
	const size = Number(searchParams.get('size'));
	const type = searchParams.get('type') ?? '';
	if (!pathname.startsWith(PATH) || !Number.isSafeInteger(size) || !TYPES.some(([known]) => known === type)) return undefined;
	try {
		const holders = searchParams.getAll('holder').map((text): Holder => {
			const [node, locator] = JSON.parse(text) as [string, string | null];
			return { node, locator: locator ?? undefined };
		});
		return { version: decodeURIComponent(pathname.slice(PATH.length)), size, type, holders };
	} catch {
		return undefined;
	}
}
