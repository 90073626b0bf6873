// SPDX-License-Identifier: Apache-2.0
import { useParams } from '@solidjs/router';
import { decodePart } from '../format/routes.ts';

/** Returns the decoded parameter `name` of the path, as a function that follows the path. */
export function useParam(name: string): () => string {
	const params = useParams();
	return () => decodePart(params[name]);
}

/** Encodes a part of the path of a request. */
export const part = encodeURIComponent;
