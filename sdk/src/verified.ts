// SPDX-License-Identifier: Apache-2.0
/**
 * Bytes of BLAKE3 versions, verified in groups of 16 KiB while they arrive: a whole version or a
 * range of it, in bounded memory.
 */

import { Groups, WrongBytesError } from './blake3.ts';
import { concat } from './ids/bytes.ts';
import type { HashedVersion } from './ids/cid.ts';
import { parseId } from './ids/entity.ts';
import { type Holder, NodeError, PATIENCE, REQUEST, serverAt, SLOWEST, UnservedError, versionUrl } from './nodes.ts';

/** Milliseconds to wait for the end of an answer, after all its bytes have arrived. */
const END = 500;

/** A version with the number of its bytes, by its row. */
export interface SizedVersion extends HashedVersion {
	/** Rows of BLAKE3 versions always have it. */
	size: bigint | undefined;
}

/** The bytes that are wanted: positions begin at 0, and both ends belong to the range. */
export interface ByteRange {
	/** By default 0. */
	first?: number;
	/** By default, and if it is beyond the end, the last byte of the version. */
	last?: number;
}

/** The progress of a read. */
export interface Progress {
	/** Number of bytes that are verified. */
	done: number;
	/** Number of bytes that are wanted. */
	total: number;
	/** The node that sent the last of them. */
	node: string;
}

export interface ReadOptions {
	/** By default the whole version. */
	range?: ByteRange | undefined;
	/** The largest number of bytes that are read. By default, any number. */
	most?: number | undefined;
	/** Called after each group. */
	onProgress?: ((progress: Progress) => void) | undefined;
	/**
	 * The longest time that a node may keep the reader waiting in all, in milliseconds. By default 30
	 * seconds, and one more for each 64 kB that have arrived.
	 */
	time?: number | undefined;
	/** Ends the read. */
	signal?: AbortSignal | undefined;
}

/** Returns the first and the last byte of the range that is wanted of a version. */
function within({ version, hash, size }: SizedVersion, { range: { first = 0, last } = {}, most = Infinity }: ReadOptions): { size: number; first: number; last: number } {
	if (hash !== 'blake3') throw new RangeError(`${version} is a SHA-256 hash, which proves only the whole version`);
	if (size === undefined) throw new RangeError(`${version} is a BLAKE3 hash, and lacks its size`);
	if (size > Number.MAX_SAFE_INTEGER) throw new RangeError(`${version} has ${size} bytes, more than numbers can count`);
	for (const position of [first, last ?? 0]) {
		if (!Number.isSafeInteger(position) || position < 0) throw new RangeError(`the range has ${position}, which is not the position of a byte`);
	}
	if (last !== undefined && last < first) throw new RangeError(`the first byte of the range, ${first}, is after its last one, ${last}`);
	const end = Math.max(0, Number(size) - 1);
	if (first > end || (size === 0n && last !== undefined)) throw new RangeError(`the range begins at ${first}, after the end of the version, which has ${size} bytes`);
	const bounds = { size: Number(size), first, last: Math.min(last ?? end, end) };
	const length = Math.min(bounds.size, bounds.last + 1) - first;
	if (length > most) throw new RangeError(`the version has ${length} bytes, more than the limit of ${most}`);
	return bounds;
}

/**
 * Returns the bytes of a BLAKE3 version, or of a range of it, as a stream of verified pieces of at
 * most 16 KiB. If a node fails or sends a wrong group, the next one is asked for the rest. The stream
 * fails with an `UnservedError` if none is left. It asks for more only when it is read.
 */
export function streamFrom(holders: AsyncIterable<Holder> | Iterable<Holder>, wanted: SizedVersion, options: ReadOptions = {}): ReadableStream<Uint8Array<ArrayBuffer>> {
	// An id or a range that is not valid is refused before anybody is asked.
	const bounds = within(wanted, options);
	const hash = parseId('version', wanted.version);
	const groups = readFrom(holders, wanted.version, hash, bounds, options);
	return new ReadableStream({
		async pull(controller) {
			const { done, value } = await groups.next();
			if (done) controller.close();
			else controller.enqueue(value);
		},
		async cancel() {
			await groups.return();
		},
		// Asks for nothing before the reader wants it.
	}, { highWaterMark: 0 });
}

/** Returns all bytes of a stream. */
export async function collect(stream: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<Uint8Array<ArrayBuffer>> {
	const reader = stream.getReader();
	const parts: Uint8Array[] = [];
	for (let part = await reader.read(); !part.done; part = await reader.read()) parts.push(part.value);
	return concat(...parts);
}

type Bounds = ReturnType<typeof within>;
type Pieces = AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined>;

async function* readFrom(holders: AsyncIterable<Holder> | Iterable<Holder>, version: string, hash: Uint8Array, { size, first, last }: Bounds, options: ReadOptions): Pieces {
	const failures: UnservedError['failures'] = [];
	let at = first;
	for await (const { node, locator } of holders) {
		try {
			const server = serverAt(locator);
			const groups = new Groups(hash, size, at, last);
			for await (const { start, bytes } of groupsAt(`${versionUrl(server, version)}/verified${query(at, last, size)}`, groups, options)) {
				const piece = bytes.subarray(at - start, last + 1 - start);
				at += piece.length;
				options.onProgress?.({ done: at - first, total: Math.min(size, last + 1) - first, node });
				if (piece.length > 0) yield piece;
			}
			return;
		} catch (error) {
			if (!(error instanceof NodeError)) throw error;
			failures.push({ node, fault: error.fault, reason: error.message });
		}
	}
	throw new UnservedError(version, failures);
}

function query(first: number, last: number, size: number): string {
	const bounds = [...(first > 0 ? [`first=${first}`] : []), ...(last + 1 < size ? [`last=${last}`] : [])];
	return bounds.length > 0 ? `?${bounds.join('&')}` : '';
}

/** Asks for groups at a URL, and yields each of them once it is verified. */
async function* groupsAt(url: string, groups: Groups, { time, signal }: ReadOptions): AsyncGenerator<{ start: number; bytes: Uint8Array<ArrayBuffer> }, void, undefined> {
	const ended = new AbortController();
	const signals = signal ? AbortSignal.any([ended.signal, signal]) : ended.signal;
	let [waited, arrived, isLate] = [0, 0, false];
	/** Waits for the node, within the time that is left. Only waiting counts. */
	const wait = async <T>(awaited: () => Promise<T>): Promise<T> => {
		const begun = performance.now();
		const left = (time ?? PATIENCE + arrived / SLOWEST) - waited;
		const timer = setTimeout(() => {
			isLate = true;
			ended.abort();
		}, Math.min(Math.max(left, 0), 2 ** 31 - 1));
		try {
			return await awaited();
		} catch (error) {
			if (signal?.aborted) throw signal.reason;
			if (isLate) throw new NodeError('no-answer', `it has kept its reader waiting for ${Math.round((waited + performance.now() - begun) / 1_000)} s`);
			const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
			throw new NodeError('no-answer', `it does not answer, or the connection was cut${cause}`);
		} finally {
			clearTimeout(timer);
			waited += performance.now() - begun;
		}
	};
	try {
		const answer = await wait(() => fetch(url, { ...REQUEST, signal: signals }));
		if (answer.status !== 200) throw new NodeError('refused', `it answers with status ${answer.status}`);
		const reader = answer.body?.getReader();
		let rest: Uint8Array = new Uint8Array();
		for (let length = groups.wants(); length !== undefined; length = groups.wants()) {
			const bytes = new Uint8Array(length);
			for (let at = 0; at < length; ) {
				if (rest.length === 0) {
					const part = await wait(async () => reader?.read());
					if (part?.value === undefined) throw new NodeError('no-answer', 'it ends its answer early');
					rest = part.value;
					arrived += rest.length;
				}
				const taken = rest.subarray(0, length - at);
				bytes.set(taken, at);
				at += taken.length;
				rest = rest.subarray(taken.length);
			}
			const start = groups.verify(bytes);
			if (start !== undefined) yield { start, bytes };
		}
		// A connection is used again only if the end of the answer was read, which should be here.
		await Promise.race([reader?.read().catch(() => undefined), new Promise((done) => setTimeout(done, END))]);
	} catch (error) {
		throw error instanceof WrongBytesError ? new NodeError('wrong', error.message) : error;
	} finally {
		// Also runs when the reader stops early.
		ended.abort();
	}
}
