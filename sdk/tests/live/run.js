// SPDX-License-Identifier: Apache-2.0
// Starts the development node whose path is in FABRIC_NODE, generates the descriptors of its
// runtime, builds the package, tests it on the node, and uses the packed package in a fresh folder.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = process.env.FABRIC_NODE;
if (!program) throw new Error('FABRIC_NODE is not set, expected the path of content-fabric-node-mock');
const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'fabric-sdk-'));
const run = (command, args, cwd = root, env = {}) =>
	execFileSync(command, args, { cwd, stdio: 'inherit', env: { ...process.env, ...env } });

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
// Also stops the node where a signal ends this process.
process.on('exit', () => node.kill());
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
try {
	const url = await urlOf(node);
	run('npm', ['run', '--silent', 'descriptors', '--', url]);
	run('npx', ['tsc', '--noEmit']);
	run('npm', ['run', '--silent', 'build']);
	// Apart from this process, which must read the node's log meanwhile.
	const tests = spawn('npx', ['vitest', 'run', 'tests/live'], { cwd: root, stdio: 'inherit', env: { ...process.env, FABRIC_URL: url } });
	const code = await new Promise((resolve) => tests.on('exit', resolve));
	if (code !== 0) throw new Error('the tests on the node failed');

	const user = join(folder, 'user');
	run('mkdir', [user]);
	run('npm', ['pack', '--silent', '--pack-destination', folder]);
	writeFileSync(join(user, 'package.json'), '{ "private": true, "type": "module" }');
	run('npm', ['install', '--silent', '--ignore-scripts', '--no-audit', join(folder, 'content-fabric-sdk-0.1.0.tgz'), 'ws@8.23.0'], user);
	writeFileSync(
		join(user, 'use.js'),
		`import { connect } from '@content-fabric/sdk/chain';
import { idKind } from '@content-fabric/sdk/ids';
import { WebSocket } from 'ws';
const fabric = await connect(process.env.FABRIC_URL, WebSocket);
if (idKind('ispc1111111111') !== 'space' || fabric.genesisHash.length !== 32) throw new Error('the package does not work');
fabric.close();
console.log('the packed package works in a fresh folder');
`,
	);
	run('node', ['use.js'], user, { FABRIC_URL: url });
} finally {
	node.removeAllListeners('exit');
	if (node.exitCode === null && node.signalCode === null) {
		const stopped = new Promise((resolve) => node.on('exit', resolve));
		if (node.kill()) await stopped;
	}
	rmSync(folder, { recursive: true, force: true });
}
