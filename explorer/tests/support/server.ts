// SPDX-License-Identifier: Apache-2.0
/**
 * An indexer for tests: it serves the built assets, a canned chain, and a feed that the test
 * controls.
 */

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { existsSync, readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FabricEvent } from '../../src/api/answers.ts';
import { DEEDS } from '../../src/components/sentences.ts';
import { accountOf, hash, hitsOf, IDS, versionRefs, type Chain } from './chain.ts';

export const ASSETS = process.env['EXPLORER_ASSETS'] ?? fileURLToPath(new URL('../../../indexer/assets', import.meta.url));

/** The policy of the indexer. */
export const POLICY =
	"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; media-src 'self'; connect-src 'self' http: https:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const TYPES: Record<string, string> = {
	'.html': 'text/html; charset=utf-8',
	'.js': 'text/javascript; charset=utf-8',
	'.css': 'text/css; charset=utf-8',
};

/** Returns the version that a text names by its id, its hash or its CID. */
function named(text: string): string {
	if (text === IDS.blake3Cid) {
		throw new Refusal(404, `there is no version ${text}: ${IDS.version} is a SHA-256 hash, so its CID is ${IDS.cid}`);
	}
	return [IDS.cid, `0x${IDS.versionHash}`].includes(text) ? IDS.version : text;
}

/** An answer that is not 200. */
class Refusal {
	readonly status: number;
	readonly message: string;

	constructor(status: number, message: string) {
		this.status = status;
		this.message = message;
	}
}

export class Indexer {
	chain: Chain;
	/** Status of the next answers to requests for data, instead of the data. */
	failure: number | undefined;
	/** Status of the next answers to requests for the feed. */
	feedFailure: number | undefined;
	/** Requests for the feed, as their ids of the last message. */
	readonly feedRequests: (string | undefined)[] = [];
	/** Bytes that were sent for assets. */
	sentBytes = 0;
	private readonly feeds = new Set<ServerResponse>();
	/** Messages with an id, oldest first. The first one stands for the block at the start. */
	readonly log: { id: string; name: string; data: unknown }[];
	private readonly server: Server;
	private readonly beats: ReturnType<typeof setInterval>;
	/** False to keep the feed open without a message. */
	beating = true;

	constructor(chain: Chain) {
		this.chain = chain;
		this.log = [{ id: feedId(chain.status.finalized.number), name: '', data: undefined }];
		this.server = createServer((request, response) => this.answer(request, response));
		this.beats = setInterval(() => this.beating && this.head(), 1_000);
	}

	async start(): Promise<string> {
		await new Promise<void>((done) => this.server.listen(0, '127.0.0.1', done));
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	async stop(): Promise<void> {
		clearInterval(this.beats);
		this.server.closeAllConnections();
		await new Promise((done) => this.server.close(done));
	}

	/** The number of connections of the feed. */
	get feedReaders(): number {
		return this.feeds.size;
	}

	/** Sends the heads of the index and of its node. */
	head(): void {
		this.send(this.headAt(this.log.at(-1)?.id));
	}

	/** Adds a final block with events, and sends it. */
	block(makeEvents: (number: number) => FabricEvent[] = () => []): number {
		const { status } = this.chain;
		const number = status.finalized.number + 1;
		status.finalized = { number, hash: hash(number), time: Date.now() };
		const { best, finalized } = status.node;
		status.node = { ...status.node, best: Math.max(best, number), finalized: Math.max(finalized, number) };
		const events = makeEvents(number);
		this.chain.events.unshift(...events);
		this.sendLogged('block', { ...status.finalized, parent: hash(number - 1), events }, feedId(number));
		return number;
	}

	/** Ends the connections of the feed. */
	dropFeeds(): void {
		for (const feed of this.feeds) feed.destroy();
	}

	private send(text: string): void {
		for (const feed of this.feeds) feed.write(text);
	}

	private sendLogged(name: string, data: unknown, id: string): void {
		this.log.push({ id, name, data });
		this.send(message(name, data, id));
	}

	/** Returns the message `head` for a reader whose last message is `id`. */
	private headAt(id: string | undefined): string {
		const { finalized, node } = this.chain.status;
		return message('head', { finalized: finalized.number, node }, id);
	}

	private answer(request: IncomingMessage, response: ServerResponse): void {
		const url = new URL(request.url ?? '/', 'http://localhost');
		if (url.pathname === '/v1/feed') return this.openFeed(request.headers['last-event-id'] ?? url.searchParams.get('after'), response);
		if (url.pathname.startsWith('/v1/')) return this.answerData(url, response);
		this.answerAsset(url.pathname, response);
	}

	/** Sends what follows the message `after`, or what comes. */
	private openFeed(after: string | string[] | null, response: ServerResponse): void {
		this.feedRequests.push(after?.toString());
		const from = after === null ? this.log.length - 1 : this.log.findLastIndex(({ id }) => id === after);
		const failure = this.feedFailure ?? (from < 0 ? 410 : undefined);
		if (failure !== undefined) {
			response.writeHead(failure, { 'Content-Type': 'application/json' }).end('{"error":{"kind":"gone"}}');
			this.feedFailure = undefined;
			return;
		}
		response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
		response.write('retry: 100\n\n');
		this.feeds.add(response);
		response.on('close', () => this.feeds.delete(response));
		if (this.beating) response.write(this.headAt(this.log[from]?.id));
		for (const { id, name, data } of this.log.slice(from + 1)) response.write(message(name, data, id));
	}

	private answerAsset(path: string, response: ServerResponse): void {
		// Record keys may contain dots, so the end of a path does not tell whether it is a file.
		const file = join(ASSETS, path.startsWith('/assets/') ? path : 'index.html');
		if (!existsSync(file)) {
			response.writeHead(404).end();
			return;
		}
		const bytes = readFileSync(`${file}.gz`);
		this.sentBytes += bytes.length;
		response
			.writeHead(200, {
				'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
				'Content-Encoding': 'gzip',
				'Content-Security-Policy': POLICY,
				'X-Content-Type-Options': 'nosniff',
				'Service-Worker-Allowed': '/',
			})
			.end(bytes);
	}

	private answerData(url: URL, response: ServerResponse): void {
		let status = 200;
		let body: unknown;
		try {
			if (this.failure !== undefined) throw new Refusal(this.failure, 'the index is being opened');
			body = this.data(url);
		} catch (refusal) {
			if (!(refusal instanceof Refusal)) throw refusal;
			status = refusal.status;
			body = { error: { kind: status === 404 ? 'not-found' : 'unavailable', field: null, message: refusal.message } };
		}
		response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' }).end(JSON.stringify(body));
	}

	private data(url: URL): unknown {
		const { chain } = this;
		const at = { ...chain.status.finalized, age: Date.now() - chain.status.finalized.time };
		const parts = url.pathname.split('/').slice(2).map(decodeURIComponent);
		const query = url.searchParams;
		const list = (items: readonly unknown[]) => {
			const limit = Number(query.get('limit') ?? 50);
			const from = Number(query.get('cursor') ?? 0);
			const next = from + limit < items.length ? String(from + limit) : null;
			return { at, items: items.slice(from, from + limit), next };
		};
		const one = (item: unknown) => {
			if (item === undefined) throw new Refusal(404, 'nothing has this id');
			return { at, item };
		};
		const exists = (item: unknown, items: readonly unknown[]) => {
			if (item === undefined) throw new Refusal(404, 'nothing has this id');
			return list(items);
		};
		const mentions = (id: string) =>
			chain.events.filter((event) => event.signer === id || JSON.stringify(event.fields).includes(`"${id}"`));
		const [kind, id, child, childId, grandchild, last] = parts as [string, ...(string | undefined)[]];
		switch (kind) {
			case 'status':
				return one(chain.status);
			case 'totals':
				return { at, items: chain.hours.slice(-Number(query.get('hours') ?? 168)), next: null };
			case 'events':
				return list(chain.events);
			case 'governance':
				return list(chain.events.filter((event) => DEEDS.includes(event.name)));
			case 'purges':
				return list(chain.purges);
			case 'calls':
				return one({ name: `ContentFabric.${id}`, call: callOf(url), specVersion: chain.status.specVersion });
			case 'search':
				named(query.get('q') ?? '');
				return { at, items: hitsOf(chain, query.get('q') ?? ''), next: null };
			case 'names':
				return list(chain.records.filter((record) => record.key.startsWith(query.get('prefix') ?? '')));
			case 'history':
				return list(mentions(id === IDS.path ? IDS.object : id ?? ''));
			case 'accounts':
				if (child === 'signed') return list(chain.events.filter((event) => event.signer === id));
				return one(accountOf(chain, id ?? ''));
			case 'versions':
				return list(versionRefs(chain, named(id ?? '')));
			case 'objects':
				return list(chain.objects.filter((object) => object.id === id));
			case 'blocks':
				if (child !== 'events') return one(this.fullBlock(id ?? ''));
				return exists(
					this.fullBlock(id ?? ''),
					chain.events.filter((event) => event.block === this.fullBlock(id ?? '')?.number),
				);
			case 'spaces': {
				if (id === undefined) return list(chain.spaces);
				const space = chain.spaces.find((space) => space.id === id);
				if (child === 'admissions') return exists(space, chain.admissions);
				if (child === 'totals') return { at, items: chain.hours, next: null };
				if (child !== 'members') return one(space);
				const role = query.get('role');
				return exists(
					space,
					chain.members.filter((member) => member.space === id && (role === null || member.role === role)),
				);
			}
			case 'members': {
				const member = chain.members.find((member) => member.id === id);
				return child === 'keys' ? exists(member, chain.keys) : one(member);
			}
			case 'copies': {
				const copies = query.get('state') === 'failing' ? chain.failing : chain.missing;
				const [tenant, provider] = [query.get('tenant'), query.get('provider')];
				return list(copies.filter((copy) => (tenant ?? copy.tenant) === copy.tenant && (provider ?? copy.provider) === copy.provider));
			}
			case 'providers': {
				const nodes = chain.nodes.filter((node) => node.provider === id);
				if (childId === undefined) return list(nodes);
				const node = nodes.find((node) => node.id === childId);
				return grandchild === 'versions'
					? exists(node, versionRefs(chain).filter(() => node?.pending === false))
					: one(node);
			}
			case 'tenants':
				return this.tenant(id ?? '', child, childId, grandchild, last, query, list, one, exists);
			default:
				throw new Refusal(404, 'there is no such path');
		}
	}

	private tenant(
		tenant: string,
		child: string | undefined,
		id: string | undefined,
		grandchild: string | undefined,
		last: string | undefined,
		query: URLSearchParams,
		list: (items: readonly unknown[]) => unknown,
		one: (item: unknown) => unknown,
		exists: (item: unknown, items: readonly unknown[]) => unknown,
	): unknown {
		const { chain } = this;
		if (child === 'kmses') {
			const kmses = chain.kmses.filter((kms) => kms.tenant === tenant);
			return id === undefined ? list(kmses) : one(kmses.find((kms) => kms.id === id));
		}
		if (child === 'objects') {
			const objects = chain.objects.filter((object) => object.tenant === tenant);
			if (id === undefined) return list(objects);
			const object = objects.find((object) => object.id === id);
			const versions = chain.versions.filter((version) => version.object === id);
			if (grandchild === 'names') return exists(object, chain.records.filter((record) => record.object === id));
			if (grandchild !== 'versions') return one(object);
			if (last !== undefined) return one(versions.find((version) => version.id === named(last)));
			return exists(object, query.get('order') === 'oldest' ? [...versions].reverse() : versions);
		}
		const collections = chain.collections.filter((collection) => collection.tenant === tenant);
		if (id === undefined) return list(collections);
		const collection = collections.find(({ name }) => name === id);
		if (grandchild === undefined) return one(collection);
		const records = chain.records.filter((record) => record.tenant === tenant && record.collection === id);
		if (last !== undefined) {
			const record = records.find(({ key }) => key === last);
			const resolved = chain.versions.find((version) => version.object === record?.object && version.isHead) ?? null;
			return one(record && { ...record, resolved });
		}
		const prefix = query.get('prefix') ?? '';
		if (query.get('order') === 'newest') return exists(collection, [...records].sort((a, b) => b.updatedAt - a.updatedAt));
		return exists(collection, records.filter(({ key }) => key.startsWith(prefix)));
	}

	private fullBlock(id: string) {
		const { finalized, specVersion } = this.chain.status;
		const number = id.startsWith('0x') ? Number.parseInt(id.slice(2, 10), 16) : Number(id);
		if (!(number >= 0 && number <= finalized.number)) return undefined;
		return {
			number,
			hash: hash(number),
			parent: hash(number - 1),
			time: finalized.time - (finalized.number - number) * 6_000,
			specVersion,
		};
	}
}

/** Returns the id of a message of the feed about a block. */
const feedId = (number: number) => `${number}-${hash(number)}-0`;

function message(name: string, data: unknown, id?: string): string {
	return `${id === undefined ? '' : `id: ${id}\n`}event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** Returns what stands for the call that a request is for. */
export function callOf(url: URL): string {
	return `0x${Buffer.from(url.pathname + url.search).toString('hex')}`;
}
