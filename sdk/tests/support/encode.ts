// SPDX-License-Identifier: Apache-2.0
/** The encoding in which nodes send verified bytes, written like its definition, not for speed. */

const GROUP = 16_384;
const IV = [0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19];
const ORDER = [2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8];
const LINES = [[0, 4, 8, 12], [1, 5, 9, 13], [2, 6, 10, 14], [3, 7, 11, 15], [0, 5, 10, 15], [1, 6, 11, 12], [2, 7, 8, 13], [3, 4, 9, 14]];

const turned = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits));

function compress(cv: Uint32Array, block: Uint8Array, counter: number, flags: number): Uint32Array<ArrayBuffer> {
	const padded = new Uint8Array(64);
	padded.set(block);
	const view = new DataView(padded.buffer);
	let words = IV.flatMap((_, i) => [view.getUint32(8 * i, true), view.getUint32(8 * i + 4, true)]);
	const v = Uint32Array.of(...cv, ...IV.slice(0, 4), counter, counter / 2 ** 32, block.length, flags);
	for (let round = 0; round < 7; round++) {
		for (let line = 0; line < 8; line++) {
			const [a, b, c, d] = LINES[line] as [number, number, number, number];
			for (let half = 0; half < 2; half++) {
				v[a] = v[a]! + v[b]! + words[2 * line + half]!;
				v[d] = turned(v[d]! ^ v[a]!, half === 0 ? 16 : 8);
				v[c] = v[c]! + v[d]!;
				v[b] = turned(v[b]! ^ v[c]!, half === 0 ? 12 : 7);
			}
		}
		words = ORDER.map((from) => words[from]!);
	}
	return Uint32Array.from(IV, (_, i) => v[i]! ^ v[i + 8]!);
}

/** The largest power of two of chunks that is less than all of `size`. */
const half = (size: number) => 1_024 * 2 ** (Math.ceil(Math.log2(Math.ceil(size / 1_024))) - 1);

/** A part of data, with its hash. Parts of more than a chunk have two sides. */
interface Tree {
	part: Uint8Array;
	start: number;
	hash: Uint8Array;
	sides: [Tree, Tree] | undefined;
}

function treeOf(part: Uint8Array, start: number): Tree {
	let cv = Uint32Array.from(IV);
	if (part.length <= 1_024) {
		for (let at = 0; at < part.length; at += 64) {
			const flags = (at === 0 ? 1 : 0) | (at + 64 >= part.length ? 2 : 0);
			cv = compress(cv, part.subarray(at, at + 64), start / 1_024, flags);
		}
		return { part, start, hash: new Uint8Array(cv.buffer), sides: undefined };
	}
	const middle = half(part.length);
	const sides: [Tree, Tree] = [treeOf(part.subarray(0, middle), start), treeOf(part.subarray(middle), start + middle)];
	cv = compress(cv, Uint8Array.of(...sides[0].hash, ...sides[1].hash), 0, 4);
	return { part, start, hash: new Uint8Array(cv.buffer), sides };
}

/** Returns a function that encodes the groups of data with the bytes from `first` to `last`. */
export function encoder(data: Uint8Array): (first?: number, last?: number) => Uint8Array<ArrayBuffer> {
	const root = treeOf(data, 0);
	return (first = 0, last = data.length - 1) => {
		const parts: Uint8Array[] = [];
		const visit = ({ part, start, sides }: Tree) => {
			if (start > last || start + part.length <= first - (first % GROUP)) return;
			if (part.length <= GROUP || !sides) return void parts.push(part);
			parts.push(sides[0].hash, sides[1].hash);
			sides.forEach(visit);
		};
		visit(root);
		return Uint8Array.from(Buffer.concat(parts));
	};
}
