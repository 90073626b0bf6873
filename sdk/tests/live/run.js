// SPDX-License-Identifier: Apache-2.0
// Starts the development node whose path is in FABRIC_NODE, generates the descriptors of its
// runtime, packs the package, compiles the code of the README with it in a fresh folder, and runs
// the tests on the node, which run that code.
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const program = process.env.FABRIC_NODE;
if (!program) throw new Error('FABRIC_NODE is not set, expected the path of content-fabric-node-mock');
const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'fabric-sdk-'));
const run = (command, args, cwd = root) => execFileSync(command, args, { cwd, stdio: 'inherit' });

/** Returns the URL that a node logs. It goes on reading, so that the node does not block. */
function urlOf(node) {
	return new Promise((resolve, reject) => {
		const lines = [];
		const failed = (reason) => reject(new Error(`${reason}:\n${lines.join('\n')}`));
		createInterface(node.stderr).on('line', (line) => {
			const port = /Running JSON-RPC server: addr=127\.0\.0\.1:(\d+)/.exec(line)?.[1];
			if (port) resolve(`ws://127.0.0.1:${port}`);
			if (lines.length < 100) lines.push(line);
		});
		node.on('error', failed);
		node.on('exit', () => failed('the node stopped'));
		setTimeout(() => failed('the node did not start within a minute'), 60_000).unref();
	});
}

const options = ['--dev', '--base-path', join(folder, 'chain'), '--rpc-port', '0', '--no-prometheus', '--no-telemetry'];
const node = spawn(program, options, { stdio: ['ignore', 'ignore', 'pipe'] });
const stopped = new Promise((resolve) => node.on('exit', resolve).on('error', resolve));
// Also stops the node where a signal ends this process.
process.on('exit', () => node.kill());
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
try {
	const url = await urlOf(node);
	rmSync(join(root, 'dist'), { recursive: true, force: true });
	const early = spawnSync('npm', ['pack', '--pack-destination', folder], { cwd: root, encoding: 'utf8' });
	if (early.status === 0 || !early.stderr.includes('npm run descriptors')) throw new Error(`a package without code was packed:\n${early.stderr}`);
	run('npm', ['run', '--silent', 'descriptors', '--', url]);
	run('npm', ['pack', '--silent', '--pack-destination', folder]);
	run('npx', ['tsc', '--noEmit']);

	// A user's folder, with the code of the README and `user.ts`, as users compile theirs.
	const user = join(folder, 'user');
	mkdirSync(user);
	writeFileSync(join(user, 'package.json'), '{ "private": true, "type": "module" }');
	const packages = [join(folder, 'content-fabric-sdk-0.1.0.tgz'), 'ws@8.23.0', '@types/ws@8.18.1', '@types/node@22.20.5'];
	run('npm', ['install', '--silent', '--ignore-scripts', '--no-audit', ...packages], user);
	if (!existsSync(join(user, 'node_modules/@content-fabric/sdk/LICENSE'))) throw new Error('the package has no license');
	const [first, , encrypted] = Array.from(readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^```ts\n(.*?)^```$/gms), ([, code]) => code);
	writeFileSync(join(user, 'readme.ts'), first.replace('ws://127.0.0.1:9944', url));
	writeFileSync(join(user, 'decrypt.ts'), encrypted);
	cpSync(join(root, 'tests/live/user.ts'), join(user, 'user.ts'));
	const tsc = [join(root, 'node_modules/typescript/bin/tsc'), 'readme.ts', 'decrypt.ts', 'user.ts', '--strict', '--target', 'es2022'];
	// With the WebSocket of browsers, and of Node.js.
	run('node', [...tsc, '--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2023,dom', '--noEmit'], user);
	run('node', [...tsc, '--module', 'nodenext', '--lib', 'es2023'], user);

	// Apart from this process, which must read the node's log meanwhile.
	const env = { ...process.env, FABRIC_URL: url, README_CODE: join(user, 'readme.js'), DECRYPT_CODE: join(user, 'decrypt.js') };
	const tests = spawn('npx', ['vitest', 'run', 'tests/live'], { cwd: root, stdio: 'inherit', env });
	const status = await new Promise((resolve) => tests.on('exit', resolve));
	if (status !== 0) throw new Error('the tests on the node failed');
} finally {
	node.kill();
	await stopped;
	rmSync(folder, { recursive: true, force: true });
}
