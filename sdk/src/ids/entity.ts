// SPDX-License-Identifier: Apache-2.0
/** Ids of the fabric's entities: 10 bytes, or the 32 of a version. */

import { decodeBase58, encodeBase58 } from './base58.ts';
import { bigEndian, concat, exactly, IdError } from './bytes.ts';
import { kindOf, PREFIXES, type Kind } from './prefixes.ts';
import { parseTid } from './tid.ts';

const TENANT_LENGTH = 10;
const LENGTHS: Record<Kind, number> = {
	space: 10,
	provider: 10,
	tenant: TENANT_LENGTH,
	node: 10,
	kms: 10,
	object: 10,
	version: 32,
	// The length of the tenant, the tenant, the object.
	path: 21,
};
/** Base58 digits of the longest id. Longer texts are refused before they are decoded. */
const MAX_DIGITS = 44;

/** Returns the bytes of the text of an id of this kind. */
function decode(kind: Kind, text: string): Uint8Array {
	const prefix = PREFIXES[kind];
	if (!text.startsWith(prefix)) throw new IdError(`the id does not start with \`${prefix}\``, 0);
	const digits = text.slice(prefix.length);
	const wrongLength = () => new IdError(`the text after the prefix does not represent ${LENGTHS[kind]} bytes`);
	if (digits.length > MAX_DIGITS) throw wrongLength();
	const bytes = decodeBase58(digits, prefix.length);
	if (bytes.length !== LENGTHS[kind]) throw wrongLength();
	return bytes;
}

/** Parses the text of an id of this kind. Returns its bytes. */
export function parseId(kind: Exclude<Kind, 'path'>, text: string): Uint8Array {
	return decode(kind, text);
}

/** Writes the bytes of an id of this kind as text. */
export function formatId(kind: Exclude<Kind, 'path'>, bytes: Uint8Array): string {
	return PREFIXES[kind] + encodeBase58(exactly(bytes, LENGTHS[kind], `the id of a ${kind}`));
}

/** A content object and the tenant that owns it. */
export interface ObjectPath {
	tenant: Uint8Array;
	object: Uint8Array;
}

/** Parses the text `itq_…`. */
export function parseObjectPath(text: string): ObjectPath {
	const bytes = decode('path', text);
	if (bytes[0] !== TENANT_LENGTH) {
		throw new IdError(`the id holds a tenant of ${bytes[0]} bytes instead of ${TENANT_LENGTH}`);
	}
	return { tenant: bytes.slice(1, 1 + TENANT_LENGTH), object: bytes.slice(1 + TENANT_LENGTH) };
}

/** Writes a content object and its tenant as the text `itq_…`. */
export function formatObjectPath({ tenant, object }: ObjectPath): string {
	exactly(tenant, LENGTHS.tenant, 'the id of a tenant');
	exactly(object, LENGTHS.object, 'the id of an object');
	return PREFIXES.path + encodeBase58(concat(Uint8Array.of(TENANT_LENGTH), tenant, object));
}

/** Returns the kind of an id, or `undefined` if the text is not an id of any kind. */
export function idKind(text: string): Kind | undefined {
	const kind = kindOf(text);
	if (kind === undefined) return undefined;
	try {
		if (kind === 'path') parseObjectPath(text);
		else decode(kind, text);
		return kind;
	} catch (error) {
		if (error instanceof IdError) return undefined;
		throw error;
	}
}

/** Returns an id that is ordered by time. The discriminator distinguishes ids of the same TID. */
export function idOfTid(tid: string, discriminator: number): Uint8Array {
	if (!Number.isInteger(discriminator) || discriminator < 0 || discriminator > 0xffff) {
		throw new IdError(`the discriminator is at most 65535, not ${discriminator}`);
	}
	return concat(bigEndian(parseTid(tid).value, 8), bigEndian(BigInt(discriminator), 2));
}
