// SPDX-License-Identifier: Apache-2.0
/** The vectors of the Rust library. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../primitives/identifiers/tests/vectors/', import.meta.url));

export function vectors<T>(name: string): T {
	return JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8')) as T;
}
