// SPDX-License-Identifier: Apache-2.0
/** A development chain with an index, as processes of this workspace's release build. */

import assert from 'node:assert/strict';
import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import type { FabricRecord, List } from '../../src/api/answers.ts';
import { temporaryFolder } from './browser.ts';

const run = promisify(execFile);

/** Longest time until a process serves. */
const START = 30_000;
/**
 * Milliseconds between two blocks: as long as pages wait between two loads, so that they load each
 * step of a purge.
 */
const BLOCK_TIME = 2_000;

// Without handlers a signal would end this process without its exit handlers.
for (const signal of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1));

/** A process whose log says where it serves. It ends with this process, however that ends. */
class Server {
	readonly process: ChildProcess;
	private log = '';
	// A process that stands still takes no other signal.
	private readonly kill = () => this.process.kill('SIGKILL');

	constructor(program: string, args: string[]) {
		this.process = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, NO_COLOR: '1' } });
		process.prependListener('exit', this.kill);
		this.process.stderr?.setEncoding('utf8').on('data', (text: string) => (this.log += text));
	}

	/** Waits for a log line, and returns what `pattern` takes from it. */
	async logged(pattern: RegExp): Promise<string> {
		const end = Date.now() + START;
		while (Date.now() < end && this.process.exitCode === null) {
			const found = pattern.exec(this.log)?.[1];
			if (found !== undefined) return found;
			await new Promise((done) => setTimeout(done, 50));
		}
		throw new Error(`${this.process.spawnfile} does not serve:\n${this.log}`);
	}

	async stop(): Promise<void> {
		process.off('exit', this.kill);
		if (this.process.exitCode !== null || this.process.signalCode !== null) return;
		const ended = once(this.process, 'exit');
		this.kill();
		await ended;
	}
}

export class Live {
	/** The address of the index, and of the explorer. */
	readonly url: string;
	private readonly nodeUrl: string;
	private readonly programs: string;
	private readonly folder: string;
	private readonly node: Server;
	private readonly index: Server;
	private store: Server | undefined;

	private constructor(programs: string, folder: string, node: Server, nodeUrl: string, index: Server, url: string) {
		[this.programs, this.folder, this.node, this.nodeUrl, this.index, this.url] = [programs, folder, node, nodeUrl, index, url];
	}

	/** Starts a chain that makes blocks, and its index. */
	static async start(programs: string): Promise<Live> {
		const folder = temporaryFolder();
		const node = new Server(join(programs, 'content-fabric-node-mock'), [
			...['--dev', '--consensus', `interval=${BLOCK_TIME}`, '--base-path', join(folder, 'chain')],
			...['--rpc-port', '0', '--no-prometheus', '--no-telemetry'],
		]);
		let index: Server | undefined;
		try {
			const nodeUrl = `ws://127.0.0.1:${await node.logged(/Running JSON-RPC server: addr=127\.0\.0\.1:(\d+)/)}`;
			index = new Server(join(programs, 'fabric-indexer'), [
				...['serve', '--history', '--url', nodeUrl, '--data', join(folder, 'index'), '--listen', '127.0.0.1:0'],
			]);
			const url = await index.logged(/serving (http:\/\/[0-9.:]+)/);
			return new Live(programs, folder, node, nodeUrl, index, url);
		} catch (error) {
			await index?.stop();
			await node.stop();
			throw error;
		}
	}

	/** Runs the client, which must succeed. Returns its output. */
	async fabric(...args: string[]): Promise<string> {
		const { stdout } = await run(join(this.programs, 'fabric'), args, { env: this.environment(), maxBuffer: 64 << 20 });
		return stdout;
	}

	/** Starts the content node of a node, whose operator is //Bob. Returns its address. */
	async startStore(provider: string, node: string): Promise<string> {
		this.store = new Server(join(this.programs, 'fabric-store'), [
			...['serve', '--url', this.nodeUrl, '--data', join(this.folder, 'store'), '--listen', '127.0.0.1:0'],
			...['--key', '//Bob', '--provider', provider, '--node', node],
		]);
		return this.store.logged(/serving (http:\/\/[0-9.:]+)/);
	}

	async stopStore(): Promise<void> {
		await this.store?.stop();
	}

	/** Waits until the index has what a query asks for. */
	async indexed(path: string): Promise<void> {
		await this.answered(path, ({ status }) => status === 200);
	}

	/** Waits until the index has a record of this name. */
	async named(name: string): Promise<void> {
		await this.answered(`/v1/names?prefix=${encodeURIComponent(name)}`, async (answer) => {
			const { items } = (await answer.json()) as List<FabricRecord>;
			return items.some((record) => record.name === name);
		});
	}

	private async answered(path: string, isRight: (answer: Response) => boolean | Promise<boolean>): Promise<void> {
		const end = Date.now() + START;
		while (!(await isRight(await fetch(this.url + path)))) {
			assert.ok(Date.now() < end, `the index does not have ${path}`);
			await new Promise((done) => setTimeout(done, 100));
		}
	}

	/**
	 * Runs a line of a shell, such as a command that a page shows. It must succeed. Returns its
	 * output.
	 */
	async shell(line: string): Promise<string> {
		const { stdout } = await run('bash', ['-c', line], { env: this.environment() });
		return stdout;
	}

	/** The environment of the client, without the user's own configuration and keys. */
	private environment(): NodeJS.ProcessEnv {
		const { FABRIC_SIGNER: _signer, FABRIC_PROFILE: _profile, FABRIC_INDEX: _index, ...own } = process.env;
		const PATH = `${this.programs}${delimiter}${own['PATH']}`;
		return { ...own, PATH, FABRIC_URL: this.nodeUrl, FABRIC_CONFIG: join(this.folder, 'config.toml') };
	}

	/** Stops the node as if its machine hung. */
	hang(): void {
		this.node.process.kill('SIGSTOP');
	}

	/** Lets the node go on. */
	resume(): void {
		this.node.process.kill('SIGCONT');
	}

	/** Returns a path in the folder of the data. */
	file(name: string): string {
		return join(this.folder, name);
	}

	async stop(): Promise<void> {
		await this.stopStore();
		await this.index.stop();
		await this.node.stop();
	}
}
