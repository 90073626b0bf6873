// SPDX-License-Identifier: Apache-2.0
import { useLocation, useParams } from '@solidjs/router';
import { decodePart } from '../format/routes.ts';

/** Returns the decoded parameter `name` of the path, as a function that follows the path. */
export function useParam(name: string): () => string {
	const params = useParams();
	return () => decodePart(params[name]);
}

/**
 * Returns the version of the path as the reader named it: by its id, its hash, or its CID, whose kind
 * of hash the index compares.
 */
export function useNamedVersion(): () => string {
	const location = useLocation();
	const id = useParam('version');
	return () => {
		const found = /\/versions\/([^/]+)$/.exec(location.pathname);
		return found ? decodePart(found[1]) : id();
	};
}

/** Encodes a part of the path of a request. */
export const part = encodeURIComponent;
