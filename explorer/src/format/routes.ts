// SPDX-License-Identifier: Apache-2.0
/** Addresses of the pages. */

import { fromHex, IdError } from '../../../sdk/src/ids/bytes.ts';
import { parseCid } from '../../../sdk/src/ids/cid.ts';
import { formatId, idKind, parseObjectPath } from '../../../sdk/src/ids/entity.ts';

const part = encodeURIComponent;

export const routes = {
	space: (space: string) => `/spaces/${part(space)}`,
	member: (member: string) => `/members/${part(member)}`,
	node: (provider: string, node: string) => `/providers/${part(provider)}/nodes/${part(node)}`,
	kms: (tenant: string, kms: string) => `/tenants/${part(tenant)}/kmses/${part(kms)}`,
	object: (tenant: string, object: string) => `/tenants/${part(tenant)}/objects/${part(object)}`,
	version: (tenant: string, object: string, version: string) =>
		`${routes.object(tenant, object)}/versions/${part(version)}`,
	collection: (tenant: string, collection: string) => `/tenants/${part(tenant)}/collections/${part(collection)}`,
	record: (tenant: string, collection: string, key: string) =>
		`${routes.collection(tenant, collection)}/records/${part(key)}`,
	account: (account: string) => `/accounts/${part(account)}`,
	anyObject: (object: string) => `/objects/${part(object)}`,
	anyVersion: (version: string) => `/versions/${part(version)}`,
	block: (block: number | string) => `/blocks/${part(block)}`,
	search: (query: string) => `/search?q=${part(query)}`,
};

/** Decodes a part of a path. Returns it as it is if it is not encoded properly. */
export function decodePart(text: string | undefined): string {
	try {
		return decodeURIComponent(text ?? '');
	} catch {
		return text ?? '';
	}
}

/** A content object with its tenant, alone or below its tenant. */
const OBJECT = /^(?:\/tenants\/([^/]+))?\/objects\/(itq_[^/]+)/;
const VERSION = /^((?:\/tenants\/[^/]+\/objects\/[^/]+)?\/versions\/)([^/]+)$/;

/**
 * Returns the path of the same page with the forms of ids that pages take: a content object after
 * its tenant instead of `itq_…`, and the id of a version instead of its CID or its hash.
 */
export function canonicalPath(path: string): string {
	return path
		.replace(OBJECT, (found, tenant: string | undefined, id: string) => {
			if (idKind(id) !== 'path') return found;
			const ids = parseObjectPath(id);
			const owner = formatId('tenant', ids.tenant);
			// The index refuses an object of another tenant.
			if (tenant !== undefined && tenant !== owner) return found;
			return routes.object(owner, formatId('object', ids.object));
		})
		.replace(VERSION, (_, before: string, id: string) => before + versionIn(id));
}

/** Returns the version that a CID or a hash names, or the text if it is neither. */
function versionIn(text: string): string {
	if (/^(0x)?[0-9a-f]{64}$/i.test(text)) return formatId('version', fromHex(text));
	try {
		return parseCid(text).version;
	} catch (error) {
		if (error instanceof IdError) return text;
		throw error;
	}
}

/** Returns `path` if it leads to a page of the explorer, else a search for `title`. */
export function ownPath(path: string, title: string): string {
	return /^\/(?!\/)/.test(path) ? path : routes.search(title);
}
