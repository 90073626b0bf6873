// SPDX-License-Identifier: Apache-2.0
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transformWithOxc } from 'vite';

/** Compiles the TypeScript files of the tests when they are loaded. */
export async function load(url, context, next) {
	if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context);
	const path = fileURLToPath(url);
	const { code } = await transformWithOxc(await readFile(path, 'utf8'), path);
	return { format: 'module', source: code, shortCircuit: true };
}
