// SPDX-License-Identifier: Apache-2.0
// Generates `dist/descriptors` from the metadata of the node whose URL is the argument. Asks over
// HTTP, as Node.js before version 22 has no WebSocket.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [url] = process.argv.slice(2);
if (!url) throw new Error('usage: npm run descriptors -- URL, such as http://127.0.0.1:9944');

/** Returns the metadata, of version 16, which describes runtime APIs and view functions. */
async function metadata() {
	const request = { jsonrpc: '2.0', id: 1, method: 'state_call', params: ['Metadata_metadata_at_version', '0x10000000'] };
	const response = await fetch(url.replace(/^ws/, 'http'), {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(request),
		signal: AbortSignal.timeout(30_000),
	});
	const { result, error } = await response.json();
	if (error) throw new Error(`the node at ${url} refused to return its metadata: ${error.message}`);
	const bytes = Buffer.from(result.slice(2), 'hex');
	const at = bytes.indexOf('meta');
	if (at < 0) throw new Error(`the node at ${url} has no metadata of version 16`);
	// Before it are the byte of an option and the length.
	return bytes.subarray(at);
}

const root = join(import.meta.dirname, '..');
// Within the package, so that the generated code finds its dependencies.
const folder = mkdtempSync(join(root, '.descriptors-'));
try {
	mkdirSync(join(folder, '.papi'));
	writeFileSync(join(folder, 'fabric.scale'), await metadata());
	writeFileSync(join(folder, 'package.json'), '{}');
	const config = {
		version: 0,
		descriptorPath: '.papi/descriptors',
		entries: { fabric: { metadata: 'fabric.scale' } },
		options: { noDescriptorsPackage: true },
	};
	writeFileSync(join(folder, '.papi', 'polkadot-api.json'), JSON.stringify(config));
	const papi = join(root, 'node_modules', 'polkadot-api', 'bin', 'cli.js');
	execFileSync(process.execPath, [papi, 'generate'], { cwd: folder, stdio: 'inherit' });
	const target = join(root, 'dist', 'descriptors');
	rmSync(target, { recursive: true, force: true });
	cpSync(join(folder, '.papi', 'descriptors', 'dist'), target, { recursive: true });
	// Node.js and TypeScript's `nodenext` find modules only by their whole names.
	for (const file of readdirSync(target).filter((file) => file.endsWith('.d.ts'))) {
		const types = readFileSync(join(target, file), 'utf8');
		writeFileSync(join(target, file), types.replace(/( from (["'])\.\/[\w-]+)\2/g, '$1.js$2'));
	}
} finally {
	rmSync(folder, { recursive: true });
}
