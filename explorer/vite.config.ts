// SPDX-License-Identifier: Apache-2.0
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import solid from 'vite-plugin-solid';
import { compressed } from './build/compressed.ts';

const committed = fileURLToPath(new URL('../indexer/assets', import.meta.url));

export default defineConfig({
	plugins: [solid(), compressed()],
	// The files of the SDK that pages use are built without its packages.
	resolve: { dedupe: ['@noble/ciphers', '@noble/curves', '@noble/hashes', 'age-encryption'] },
	build: {
		outDir: process.env['EXPLORER_ASSETS'] ?? committed,
		emptyOutDir: true,
		target: 'es2022',
		// The one lazy chunk is loaded when a reader asks for it.
		modulePreload: false,
		// A data URL of a script or a style sheet would violate the content security policy.
		assetsInlineLimit: 0,
		reportCompressedSize: false,
	},
});
