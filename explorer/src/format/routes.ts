// SPDX-License-Identifier: Apache-2.0
/** Addresses of the pages. */

const part = encodeURIComponent;

export const routes = {
	space: (space: string) => `/spaces/${part(space)}`,
	member: (member: string) => `/members/${part(member)}`,
	node: (provider: string, node: string) => `/providers/${part(provider)}/nodes/${part(node)}`,
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

/** Returns `path` if it leads to a page of the explorer, else a search for `title`. */
export function ownPath(path: string, title: string): string {
	return /^\/(?!\/)/.test(path) ? path : routes.search(title);
}
