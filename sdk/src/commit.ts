// SPDX-License-Identifier: Apache-2.0
/** Version commits, which a key of the tenant signs, and the check of data against its version. */

import { blake3 } from '@noble/hashes/blake3.js';
import { bigEndian, concat, exactly, IdError, utf8 } from './ids/bytes.ts';
import type { HashedVersion, HashKind } from './ids/cid.ts';
import { parseId } from './ids/entity.ts';
import { muidBytes, type Muid } from './ids/muid.ts';

/** The first bytes of what is signed: its purpose and its format. */
const CONTEXT = utf8('content-fabric/version-commit/v3');

/** A version in a commit. Ids are texts. */
export interface DraftVersion {
	object: string;
	version: string;
	/** The kind of hash that the version is. */
	hash: HashKind;
	/** Size of the data, in bytes. A `sha256` version of unknown size has 0. */
	size: bigint;
	/** Makes the version the head of its object when it is finalized. */
	setHeadOnFinalize: boolean;
}

/** A node that a commit asks to hold its data. Ids are texts. */
export interface AskedNode {
	provider: string;
	node: string;
}

/** Versions that a node takes in for a tenant. Ids are texts. */
export interface VersionCommit {
	/**
	 * The node's medallion, offset 0, and a later timestamp than in earlier commits of the node.
	 */
	muid: Muid;
	originator: string;
	node: string;
	/** Other nodes that the tenant asks to hold the data. */
	copies: AskedNode[];
	tenant: string;
	/** The KMS for which the data is encrypted, as age files. Without one, the data is plain. */
	kms?: string | undefined;
	/** Creates objects that do not exist. */
	createObjects: boolean;
	versions: DraftVersion[];
}

const flag = (value: boolean) => Uint8Array.of(value ? 1 : 0);

/** Returns the little-endian bytes of a number, which must fit. */
const littleEndian = (value: bigint, length: number) => bigEndian(value, length).reverse();

/** Returns a compact number: the lowest two bits say how many bytes it has. */
const compact = (count: number) => (count < 64 ? Uint8Array.of(count << 2) : littleEndian(BigInt((count << 2) | 1), 2));

/** Returns the SCALE encoding of a commit. */
export function encodeCommit(commit: VersionCommit): Uint8Array {
	const count = commit.versions.length;
	if (count === 0) throw new IdError('the commit has no versions, expected at least one');
	if (count >= 2 ** 14) throw new IdError(`the commit has ${count} versions, more than any chain takes`);
	if (commit.copies.length >= 2 ** 14) throw new IdError(`the commit asks ${commit.copies.length} nodes, more than any chain takes`);
	return concat(
		muidBytes(commit.muid),
		parseId('provider', commit.originator),
		parseId('node', commit.node),
		compact(commit.copies.length),
		...commit.copies.flatMap(({ provider, node }) => [parseId('provider', provider), parseId('node', node)]),
		parseId('tenant', commit.tenant),
		...(commit.kms === undefined ? [flag(false)] : [flag(true), parseId('kms', commit.kms)]),
		flag(commit.createObjects),
		compact(count),
		...commit.versions.map(encodeDraft),
	);
}

/** The kinds of hash, in the order of their numbers. */
const HASHES: HashKind[] = ['blake3', 'sha256'];
/** The id of the version without data, of each kind. */
const EMPTY: Record<HashKind, string> = {
	blake3: 'hq__CnRQX8RHiCM1krnQRbGMXaXPm6egnqUrV2ZiJLk7XPmb',
	sha256: 'hq__GKot5hBsd81kMupNCXHaqbhv3huEbxAFMLnpcX2hniwn',
};

/**
 * Returns true if a number is the size of a version. 0 stands for a size that is not known, except
 * for the version without data.
 */
export const isSizeKnown = ({ version, hash }: HashedVersion, size: bigint): boolean => size > 0n || version === EMPTY[hash];

function encodeDraft(draft: DraftVersion): Uint8Array {
	const { object, version, hash, size, setHeadOnFinalize } = draft;
	if (size < 0n || size >= 2n ** 64n) throw new IdError(`the size ${size} is not a number of 64 bits`);
	const kind = HASHES.indexOf(hash);
	if (kind < 0) throw new IdError(`the hash is \`${hash}\`, expected \`blake3\` or \`sha256\``);
	if (hash === 'blake3' && !isSizeKnown(draft, size)) throw new IdError(`${version} is a BLAKE3 hash, and lacks its size`);
	return concat(parseId('object', object), parseId('version', version), Uint8Array.of(kind), littleEndian(size, 8), flag(setHeadOnFinalize));
}

/** Returns the bytes that a key of the tenant signs for the chain with this genesis hash. */
export function commitPayload(genesisHash: Uint8Array, commit: VersionCommit): Uint8Array {
	return concat(CONTEXT, exactly(genesisHash, 32, 'the genesis hash'), encodeCommit(commit));
}

/**
 * Returns a payload between `<Bytes>` and `</Bytes>`, as wallets sign it. The chain accepts both.
 */
export function wrapPayload(payload: Uint8Array): Uint8Array {
	return concat(utf8('<Bytes>'), payload, utf8('</Bytes>'));
}

/** Returns true if `data` is the version's: its hash of this kind is the version's id. */
export async function verifyVersion({ version, hash }: HashedVersion, data: Uint8Array<ArrayBuffer>): Promise<boolean> {
	const expected = parseId('version', version);
	const found = hash === 'blake3' ? blake3(data) : new Uint8Array(await crypto.subtle.digest('SHA-256', data));
	return found.every((byte, i) => byte === expected[i]);
}
