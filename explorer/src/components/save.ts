// SPDX-License-Identifier: Apache-2.0
/** Downloads that come from the page itself. */

/** Bytes of a download that are in memory, before the browser may put them on disk. */
const PIECE = 4 << 20;

/** Saves all bytes of a stream as a file. Returns their number. A stream that fails saves nothing. */
export async function save(stream: ReadableStream<Uint8Array<ArrayBuffer>>, name: string): Promise<number> {
	const reader = stream.getReader();
	const files: Blob[] = [];
	let [pieces, held, length]: [Uint8Array<ArrayBuffer>[], number, number] = [[], 0, 0];
	for (let part = await reader.read(); !part.done; part = await reader.read()) {
		length += part.value.length;
		held += part.value.length;
		pieces.push(part.value);
		if (held < PIECE) continue;
		files.push(new Blob(pieces));
		[pieces, held] = [[], 0];
	}
	const url = URL.createObjectURL(new Blob([...files, ...pieces], { type: 'application/octet-stream' }));
	Object.assign(document.createElement('a'), { href: url, download: name }).click();
	// The browser has begun to read it by then.
	setTimeout(() => URL.revokeObjectURL(url), 60_000);
	return length;
}
