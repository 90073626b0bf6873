// SPDX-License-Identifier: Apache-2.0
/** The bytes of versions, from content nodes. Nothing is returned before its hash was compared. */

import { verifyVersion } from './commit.ts';
import type { HashedVersion } from './ids/cid.ts';
import { parseId } from './ids/entity.ts';
import { type Holder, NodeError, PATIENCE, readAtMost, REQUEST, serverAt, SLOWEST, UnservedError, versionUrl } from './nodes.ts';
import { collect, type ReadOptions, type SizedVersion, streamFrom } from './verified.ts';

export { type Fault, type Holder, NodeError, serverOf, UnservedError, versionUrl } from './nodes.ts';
export { type ByteRange, type Progress, type ReadOptions, type SizedVersion, streamFrom } from './verified.ts';

/** The limits of a read into memory. For SHA-256 versions, `time` limits the whole read. */
export interface Limits extends ReadOptions {
	most: number;
}

/** Asks a server for the bytes of a version, and has `read` read the answer, within its limits. */
async function ask<T>(method: string, server: string, version: string, limits: Limits, read: (answer: Response) => Promise<T>): Promise<T> {
	const time = Math.min(limits.time ?? PATIENCE + Math.ceil(limits.most / SLOWEST), 2 ** 31 - 1);
	const late = AbortSignal.timeout(time);
	const signal = limits.signal ? AbortSignal.any([late, limits.signal]) : late;
	try {
		const answer = await fetch(versionUrl(server, version), { ...REQUEST, method, signal });
		if (!answer.ok) {
			await answer.body?.cancel();
			throw new NodeError('refused', `it answers with status ${answer.status}`);
		}
		return await read(answer);
	} catch (error) {
		if (error instanceof NodeError || limits.signal?.aborted) throw error;
		if (late.aborted) throw new NodeError('no-answer', `it has not sent all bytes within ${time / 1_000} s`);
		const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
		throw new NodeError('no-answer', `it does not answer, or the connection was cut${cause}`);
	}
}

/**
 * Asks a server whether it has a version. Returns the number of its bytes, if the server says it.
 */
export function askSize(server: string, version: string, limits: Limits): Promise<bigint | undefined> {
	return ask('HEAD', server, version, limits, async ({ status, headers }) => {
		// Another success says nothing about the bytes.
		if (status !== 200) throw new NodeError('refused', 'it does not have all of the bytes yet');
		const length = headers.get('content-length');
		return length === null ? undefined : BigInt(length);
	});
}

/** Fetches the bytes of a SHA-256 version from a server. Returns them only if their hash is right. */
async function fetchWhole(server: string, wanted: HashedVersion, limits: Limits): Promise<Uint8Array<ArrayBuffer>> {
	const bytes = await ask('GET', server, wanted.version, limits, (answer) => readAtMost(answer, limits.most));
	if (!(await verifyVersion(wanted, bytes))) throw new NodeError('wrong', 'the hash of its bytes is not the version');
	return bytes;
}

/**
 * Fetches the bytes of a version, or of a range of a BLAKE3 version, from the first of these nodes
 * that serve them. Verified bytes of a BLAKE3 version are kept when the next node is asked.
 */
export async function fetchFrom(holders: AsyncIterable<Holder> | Iterable<Holder>, wanted: SizedVersion, limits: Limits): Promise<Uint8Array<ArrayBuffer>> {
	// An id that is not valid is refused before anybody is asked.
	parseId('version', wanted.version);
	if (wanted.hash === 'blake3' || limits.range) {
		return collect(streamFrom(holders, wanted, limits));
	}
	const failures: UnservedError['failures'] = [];
	for await (const { node, locator } of holders) {
		try {
			const bytes = await fetchWhole(serverAt(locator), wanted, limits);
			limits.onProgress?.({ done: bytes.length, total: bytes.length, node });
			return bytes;
		} catch (error) {
			if (!(error instanceof NodeError)) throw error;
			failures.push({ node, fault: error.fault, reason: error.message });
		}
	}
	throw new UnservedError(wanted.version, failures);
}
