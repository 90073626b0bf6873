// SPDX-License-Identifier: Apache-2.0
/**
 * The tree of BLAKE3 down to groups of 16 KiB, by its specification: https://c2sp.org/BLAKE3.
 * Hash libraries do not expose the hashes below the root.
 */

/** Bytes of a group. The last one of a version may have fewer. */
export const GROUP = 16_384;

const BLOCK = 64;
const CHUNK = 1_024;
const [CHUNK_START, CHUNK_END, PARENT, ROOT] = [1, 2, 4, 8];

/** The hash of a part of the tree: eight words. */
type Words = Int32Array<ArrayBuffer>;

const IV = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19].map((word) => word | 0);
const [IV0, IV1, IV2, IV3] = IV as [number, number, number, number];

/** Mixes a block of `length` bytes, at `at` of the view, into `cv`. */
function compress(cv: Words, view: DataView, at: number, chunk: number, length: number, flags: number): void {
	let a = cv[0]!, b = cv[1]!, c = cv[2]!, d = cv[3]!, e = cv[4]!, f = cv[5]!, g = cv[6]!, h = cv[7]!;
	let i = IV0, j = IV1, k = IV2, l = IV3;
	let m = chunk | 0, n = (chunk / 2 ** 32) | 0, o = length, p = flags;
	let m0 = view.getInt32(at, true), m1 = view.getInt32(at + 4, true), m2 = view.getInt32(at + 8, true), m3 = view.getInt32(at + 12, true);
	let m4 = view.getInt32(at + 16, true), m5 = view.getInt32(at + 20, true), m6 = view.getInt32(at + 24, true), m7 = view.getInt32(at + 28, true);
	let m8 = view.getInt32(at + 32, true), m9 = view.getInt32(at + 36, true), m10 = view.getInt32(at + 40, true), m11 = view.getInt32(at + 44, true);
	let m12 = view.getInt32(at + 48, true), m13 = view.getInt32(at + 52, true), m14 = view.getInt32(at + 56, true), m15 = view.getInt32(at + 60, true);
	// The state is in variables, and the function `G` written out: arrays and calls are much slower.
	for (let round = 0; ; round++) {
		a = (a + e + m0) | 0, m ^= a, m = (m >>> 16) | (m << 16), i = (i + m) | 0, e ^= i, e = (e >>> 12) | (e << 20);
		a = (a + e + m1) | 0, m ^= a, m = (m >>> 8) | (m << 24), i = (i + m) | 0, e ^= i, e = (e >>> 7) | (e << 25);
		b = (b + f + m2) | 0, n ^= b, n = (n >>> 16) | (n << 16), j = (j + n) | 0, f ^= j, f = (f >>> 12) | (f << 20);
		b = (b + f + m3) | 0, n ^= b, n = (n >>> 8) | (n << 24), j = (j + n) | 0, f ^= j, f = (f >>> 7) | (f << 25);
		c = (c + g + m4) | 0, o ^= c, o = (o >>> 16) | (o << 16), k = (k + o) | 0, g ^= k, g = (g >>> 12) | (g << 20);
		c = (c + g + m5) | 0, o ^= c, o = (o >>> 8) | (o << 24), k = (k + o) | 0, g ^= k, g = (g >>> 7) | (g << 25);
		d = (d + h + m6) | 0, p ^= d, p = (p >>> 16) | (p << 16), l = (l + p) | 0, h ^= l, h = (h >>> 12) | (h << 20);
		d = (d + h + m7) | 0, p ^= d, p = (p >>> 8) | (p << 24), l = (l + p) | 0, h ^= l, h = (h >>> 7) | (h << 25);
		a = (a + f + m8) | 0, p ^= a, p = (p >>> 16) | (p << 16), k = (k + p) | 0, f ^= k, f = (f >>> 12) | (f << 20);
		a = (a + f + m9) | 0, p ^= a, p = (p >>> 8) | (p << 24), k = (k + p) | 0, f ^= k, f = (f >>> 7) | (f << 25);
		b = (b + g + m10) | 0, m ^= b, m = (m >>> 16) | (m << 16), l = (l + m) | 0, g ^= l, g = (g >>> 12) | (g << 20);
		b = (b + g + m11) | 0, m ^= b, m = (m >>> 8) | (m << 24), l = (l + m) | 0, g ^= l, g = (g >>> 7) | (g << 25);
		c = (c + h + m12) | 0, n ^= c, n = (n >>> 16) | (n << 16), i = (i + n) | 0, h ^= i, h = (h >>> 12) | (h << 20);
		c = (c + h + m13) | 0, n ^= c, n = (n >>> 8) | (n << 24), i = (i + n) | 0, h ^= i, h = (h >>> 7) | (h << 25);
		d = (d + e + m14) | 0, o ^= d, o = (o >>> 16) | (o << 16), j = (j + o) | 0, e ^= j, e = (e >>> 12) | (e << 20);
		d = (d + e + m15) | 0, o ^= d, o = (o >>> 8) | (o << 24), j = (j + o) | 0, e ^= j, e = (e >>> 7) | (e << 25);
		if (round === 6) break;
		// The next round takes the words in another order: two cycles of eight.
		let first = m0;
		m0 = m2, m2 = m3, m3 = m10, m10 = m12, m12 = m9, m9 = m11, m11 = m5, m5 = first;
		first = m1;
		m1 = m6, m6 = m4, m4 = m7, m7 = m13, m13 = m14, m14 = m15, m15 = m8, m8 = first;
	}
	cv[0] = a ^ i, cv[1] = b ^ j, cv[2] = c ^ k, cv[3] = d ^ l, cv[4] = e ^ m, cv[5] = f ^ n, cv[6] = g ^ o, cv[7] = h ^ p;
}

const viewOf = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Returns the hash of the chunk with an index. It is the root if it is the only one of a version. */
function hashChunk(bytes: Uint8Array, index: number, root: number): Words {
	const cv = Int32Array.from(IV);
	const view = viewOf(bytes);
	const blocks = Math.max(1, Math.ceil(bytes.length / BLOCK));
	for (let block = 0; block < blocks; block++) {
		const at = block * BLOCK;
		const length = Math.min(BLOCK, bytes.length - at);
		const flags = (block === 0 ? CHUNK_START : 0) | (block === blocks - 1 ? CHUNK_END | root : 0);
		if (length === BLOCK) {
			compress(cv, view, at, index, BLOCK, flags);
			continue;
		}
		const padded = new Uint8Array(BLOCK);
		padded.set(bytes.subarray(at));
		compress(cv, viewOf(padded), 0, index, length, flags);
	}
	return cv;
}

/** Returns the hash of a place where the tree forks, of the 64 bytes of both hashes below. */
function hashPair(pair: Uint8Array, root: number): Words {
	const cv = Int32Array.from(IV);
	compress(cv, viewOf(pair), 0, 0, BLOCK, PARENT | root);
	return cv;
}

function bytesOf(words: Words): Uint8Array {
	const bytes = new Uint8Array(32);
	words.forEach((word, i) => viewOf(bytes).setInt32(4 * i, word, true));
	return bytes;
}

/** Returns the hash of bytes that begin at the chunk with an index. */
function hashPart(bytes: Uint8Array, index: number, root: number): Words {
	if (bytes.length <= CHUNK) return hashChunk(bytes, index, root);
	const left = leftOf(bytes.length, CHUNK);
	const pair = new Uint8Array(BLOCK);
	pair.set(bytesOf(hashPart(bytes.subarray(0, left), index, 0)));
	pair.set(bytesOf(hashPart(bytes.subarray(left), index + left / CHUNK, 0)), 32);
	return hashPair(pair, root);
}

/**
 * Returns the number of bytes on the left of a fork above `size` bytes: the largest power of two of
 * pieces that leaves some to the right.
 */
function leftOf(size: number, piece: number): number {
	let left = piece;
	while (2 * left < size) left *= 2;
	return left;
}

/** A group, or several that are below one fork of the tree. */
interface Part {
	start: number;
	size: number;
	hash: Uint8Array;
	/** The flag of the root. */
	root: number;
}

/** Bytes, or hashes, that do not belong to the version. */
export class WrongBytesError extends Error {
	override readonly name = 'WrongBytesError';
}

/**
 * The steps through the encoding of the groups of a version, which is the bao encoding without the
 * size: two hashes for each fork, before all that is below, and the bytes of each group.
 */
export class Groups {
	/** The first byte of the first group, and the one after the last group. */
	readonly #first: number;
	readonly #end: number;
	/** The parts to come. The next one is the last. */
	readonly #ahead: Part[];

	/** Begins with the groups that have the bytes from `first` to `last` of a version of `size`. */
	constructor(hash: Uint8Array, size: number, first: number, last: number) {
		this.#first = first - (first % GROUP);
		this.#end = last + 1;
		this.#ahead = [{ start: 0, size, hash, root: ROOT }];
	}

	/** Returns the number of bytes that the next step takes, or `undefined` after the last one. */
	wants(): number | undefined {
		for (let part = this.#ahead.at(-1); part; this.#ahead.pop(), part = this.#ahead.at(-1)) {
			const isWanted = part.size === 0 || (part.start < this.#end && part.start + part.size > this.#first);
			if (isWanted) return part.size <= GROUP ? part.size : BLOCK;
		}
		return undefined;
	}

	/** Takes the bytes of a step. Returns where they begin in the version, if they are a group. */
	verify(bytes: Uint8Array): number | undefined {
		const part = this.#ahead.pop();
		if (part === undefined) return undefined;
		const { start, size, root } = part;
		const isGroup = size <= GROUP;
		const found = bytesOf(isGroup ? hashPart(bytes, start / CHUNK, root) : hashPair(bytes, root));
		if (found.some((byte, i) => byte !== part.hash[i])) {
			const where = `${isGroup ? '' : 'hashes of '}bytes ${start} to ${start + size - 1} that are not the version's`;
			throw new WrongBytesError(`it sends ${size === 0 ? 'nothing, but the version is not empty' : where}`);
		}
		if (isGroup) return start;
		const left = leftOf(size, GROUP);
		this.#ahead.push({ start: start + left, size: size - left, hash: bytes.slice(32), root: 0 });
		this.#ahead.push({ start, size: left, hash: bytes.slice(0, 32), root: 0 });
		return undefined;
	}
}
