// SPDX-License-Identifier: Apache-2.0
// Prepares a build: checks that it has descriptors, and copies the license, since npm does not pack
// links.
import { copyFileSync, existsSync } from 'node:fs';

if (!existsSync('dist/descriptors/index.d.ts')) {
	console.error('dist/descriptors is missing: run `npm run descriptors -- URL` with the URL of a node, then build or pack again');
	process.exit(1);
}
copyFileSync('../LICENSE', 'LICENSE');
