// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { constants, gzipSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { checkBudget, type Weight } from './budget.ts';

/** Files that are smaller when compressed. */
const TEXT = /\.(html|js|css|svg)$/;

/** Writes a `.gz` beside each text file of the build, and checks the budget of the first view. */
export function compressed(): Plugin {
	let folder = '';
	/** Scripts that no page loads at first. */
	const later = new Set<string>();
	return {
		name: 'compressed',
		apply: 'build',
		configResolved(config) {
			folder = config.build.outDir;
		},
		generateBundle(_, bundle) {
			for (const file of Object.values(bundle)) {
				if (file.type === 'chunk' && file.isDynamicEntry) later.add(file.fileName);
				if (file.type === 'asset' && /\/worker-[^/]*\.js$/.test(file.fileName)) later.add(file.fileName);
			}
		},
		// After the bundle is written, because the plugin of the page writes it last.
		closeBundle() {
			const weights: Weight[] = [];
			for (const file of filesUnder(folder).filter((file) => TEXT.test(file))) {
				const bytes = gzip(readFileSync(file));
				writeFileSync(`${file}.gz`, bytes);
				const name = relative(folder, file);
				weights.push({ name, bytes: bytes.length, later: later.has(name) });
			}
			checkBudget(weights);
		},
	};
}

/** Compresses `text`. The result depends on `text` only: zlib writes neither a name nor a time. */
function gzip(text: Buffer): Buffer {
	const bytes = gzipSync(text, { level: constants.Z_BEST_COMPRESSION });
	// The header names the operating system of the compressor: 255 is an unknown one.
	bytes[9] = 255;
	return bytes;
}

/** Lists the files under `folder` in order of their paths. */
function filesUnder(folder: string): string[] {
	return readdirSync(folder, { recursive: true, withFileTypes: true })
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name))
		.sort();
}
