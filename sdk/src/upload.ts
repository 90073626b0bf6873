// SPDX-License-Identifier: Apache-2.0
/** Uploads to content nodes: a draft, a signed commit, and the bytes. Resumes uploads that were cut. */

import { blake3 } from '@noble/hashes/blake3.js';
import { commitPayload, type VersionCommit } from './commit.ts';
import { versionUrl } from './content.ts';
import { formatId, type Muid, parseMuid, toHex } from './ids/index.ts';
import { type Account, Requester, signWith } from './request.ts';

/** A content node, and the tenant and account for which it takes bytes in. Ids are texts. */
export interface Destination {
	/** The URL of the content node, with the path of a reverse proxy, if it has one. */
	server: string;
	genesisHash: Uint8Array;
	provider: string;
	node: string;
	/** The medallion of the node on the chain. Without it, a commit with any other is signed. */
	medallion?: bigint | undefined;
	tenant: string;
	/** The KMS for which the data is encrypted, as age files. Without one, the data is plain. */
	kms?: string | undefined;
	/** An account with the level Content or above in the tenant. */
	account: Account;
}

/** Data that becomes a version of a content object. */
export interface NewVersion {
	object: string;
	data: Blob | Uint8Array<ArrayBuffer>;
	/** True, the default, to make the version the head of its object. */
	head?: boolean;
}

export interface UploadOptions {
	/** True, the default, to create objects that do not exist. */
	createObjects?: boolean;
	/** Largest number of versions in a commit. */
	versionsPerCommit?: number;
	/** Largest number of bytes in a request with a part of a version. */
	partSize?: number;
	/** Milliseconds without progress after which an upload fails. */
	patience?: number;
	/** Seconds that a commit may be dated ahead of this machine's clock. */
	maxAhead?: number;
	/** Called with the number of bytes that have arrived, and of all bytes. */
	onProgress?: ((arrived: number, all: number) => void) | undefined;
	signal?: AbortSignal | undefined;
}

/** A version that was uploaded. */
export interface Uploaded {
	object: string;
	version: string;
	size: number;
}

/** A content node refuses a draft, a commit or an upload, or does not answer. */
export class UploadError extends Error {
	override readonly name = 'UploadError';
	/** The HTTP status. `undefined` if the node does not answer. */
	readonly status: number | undefined;

	constructor(message: string, status?: number) {
		super(message);
		this.status = status;
	}
}

/** Versions that are uploaded at the same time. */
const JOBS = 4;
/** Number of drafts of a version that may lapse before their commit. */
const DRAFTS = 5;
/** Longest time for an answer, in milliseconds. */
const LONGEST = 600_000;
/** Milliseconds before a request is sent again. */
const PAUSE = 500;
/** The statuses after which the same request may succeed. */
const TRANSIENT = [400, 408, 409, 429, 500, 502, 503, 504];

type Prepared = Uploaded & { blob: Blob; head: boolean };
type Settings = Required<Omit<UploadOptions, 'signal' | 'onProgress'>> & UploadOptions;

/**
 * Uploads versions to a content node: has it draft commits, has the account sign them, and sends the
 * bytes. Ends when the node has all bytes. It finalizes the versions in the next seconds. The account
 * signs a request, and each commit. Called again with the same versions, it finishes what an earlier
 * call has begun.
 */
export async function upload(to: Destination, versions: NewVersion[], options: UploadOptions = {}): Promise<Uploaded[]> {
	const settings = { createObjects: true, versionsPerCommit: 100, partSize: 8 << 20, patience: 60_000, maxAhead: 60, ...options };
	const prepared: Prepared[] = [];
	for (const { object, data, head = true } of versions) {
		const blob = data instanceof Blob ? data : new Blob([data]);
		prepared.push({ object, version: await versionOf(blob), size: blob.size, blob, head });
	}
	const client = new Client(to, settings);
	for (let at = 0; at < prepared.length; at += settings.versionsPerCommit) {
		await client.commit(prepared.slice(at, at + settings.versionsPerCommit));
	}
	const all = prepared.reduce((sum, { size }) => sum + size, 0);
	const arrived = new Map<Prepared, number>();
	const waiting = [...prepared];
	const work = async () => {
		for (let next = waiting.shift(); next; next = waiting.shift()) {
			const each = next;
			await client.send(each, (bytes) => {
				arrived.set(each, bytes);
				settings.onProgress?.([...arrived.values()].reduce((sum, bytes) => sum + bytes, 0), all);
			});
		}
	};
	await Promise.all(Array.from({ length: JOBS }, work));
	return prepared.map(({ object, version, size }) => ({ object, version, size }));
}

/** Returns the version of some data: its BLAKE3 hash. */
async function versionOf(data: Blob): Promise<string> {
	const hash = blake3.create();
	const reader = data.stream().getReader();
	for (let part = await reader.read(); !part.done; part = await reader.read()) hash.update(part.value);
	return formatId('version', hash.digest());
}

/** The headers of a request with a JSON body. */
const JSON_BODY = { 'Content-Type': 'application/json' };

class Client {
	readonly #to: Destination;
	readonly #settings: Settings;
	readonly #requester: Requester;

	constructor(to: Destination, settings: Settings) {
		[this.#to, this.#settings] = [to, settings];
		this.#requester = new Requester({ genesisHash: to.genesisHash, to: to.node, tenant: to.tenant }, to.account);
	}

	/** Has versions committed, except those that are committed already. */
	async commit(versions: Prepared[]): Promise<void> {
		const { server, tenant, kms, account } = this.#to;
		const asked = versions.map(({ object, version, size, head }) => ({ object, version, hash: 'blake3', size, head }));
		const request = JSON.stringify({ tenant, kms: kms ?? null, create_objects: this.#settings.createObjects, versions: asked });
		for (let left = DRAFTS; ; left -= 1) {
			const drafted = await this.#retried(() => this.#signed(`${server}/v1/drafts`, { method: 'POST', headers: JSON_BODY, body: request }));
			const draft = (await drafted.json()) as { muid?: unknown; payload?: unknown };
			const payload = this.#payload(versions, draft);
			const signature = `0x${toHex(await signWith(account, payload))}`;
			const body = JSON.stringify({ draft, account: account.address, signature });
			try {
				await this.#fetched(`${server}/v1/commits`, { method: 'POST', headers: JSON_BODY, body });
				return;
			} catch (error) {
				if (!(error instanceof UploadError)) throw error;
				// The answer to a commit may have been lost.
				if (error.status === 403 && error.message.includes('VersionAlreadyExists')) {
					if (versions.length > 1) for (const each of versions) await this.commit([each]);
					return;
				}
				const mayPass = error.status === undefined || [409, 502, 503].includes(error.status);
				if (!mayPass || left <= 1) throw error;
				await this.#pause();
			}
		}
	}

	/** Returns the bytes to sign. Checks that the draft is the commit that was asked for. */
	#payload(versions: Prepared[], { muid: text, payload }: { muid?: unknown; payload?: unknown }): Uint8Array {
		const { genesisHash, provider, node, tenant, kms, medallion } = this.#to;
		const muid = muidOf(text);
		if (medallion !== undefined && muid.medallion !== medallion) throw new UploadError('the content node has drafted a commit with a muid of another node');
		const latest = BigInt(Date.now() + this.#settings.maxAhead * 1_000) * 1_000n;
		if (muid.timestamp > latest) throw new UploadError('the content node has drafted a commit that is dated ahead of the clock of this machine');
		const commit: VersionCommit = {
			...{ muid, originator: provider, node, copies: [], tenant, kms, createObjects: this.#settings.createObjects },
			versions: versions.map(({ object, version, size, head }) => ({ object, version, hash: 'blake3', size: BigInt(size), setHeadOnFinalize: head })),
		};
		const expected = commitPayload(genesisHash, commit);
		if (payload !== `0x${toHex(expected)}`) throw new UploadError('the content node has drafted another commit than it was asked for');
		return expected;
	}

	/** Sends the bytes of a version that have not arrived. */
	async send({ version, size, blob }: Prepared, onArrived: (bytes: number) => void): Promise<void> {
		const url = versionUrl(this.#to.server, version);
		let [since, reached, at] = [Date.now(), 0, 0];
		let asks = true;
		for (;;) {
			try {
				if (asks) {
					const state = await this.#arrived(url);
					if (state === undefined) break;
					at = state < size ? state : 0;
				}
				const end = Math.min(at + this.#settings.partSize, size);
				// A request with the whole version needs no position.
				const place: Record<string, string> = end - at === size ? {} : { 'Content-Range': `bytes ${at}-${end - 1}/${size}` };
				const answer = await this.#signed(url, { method: 'PUT', headers: place, body: blob.slice(at, end) });
				if (answer.status !== 202) break;
				if (end === size) throw new UploadError('the content node has all bytes, and does not take them in', 503);
				[at, asks] = [end, false];
			} catch (error) {
				if (!(error instanceof UploadError) || (error.status !== undefined && !TRANSIENT.includes(error.status))) throw error;
				if (Date.now() - since >= this.#settings.patience) throw error;
				await this.#pause();
				asks = true;
			}
			if (at > reached) {
				[since, reached] = [Date.now(), at];
				onArrived(at);
			}
		}
		onArrived(size);
	}

	/** Asks how many bytes of a version have arrived. Returns `undefined` if the node has all. */
	async #arrived(url: string): Promise<number | undefined> {
		const answer = await this.#fetched(`${url}/upload`, { method: 'GET' });
		const { complete, arrived } = (await answer.json()) as { complete: boolean; arrived: string };
		return complete ? undefined : Number(arrived);
	}

	/** Sends a signed request. If the clocks differ, sends it once more, signed by the node's clock. */
	async #signed(url: string, request: RequestInit & { headers: Record<string, string> }): Promise<Response> {
		const send = (authorization: string) => this.#answer(url, { ...request, headers: { ...request.headers, Authorization: authorization } });
		const header = await this.#requester.authorization();
		const answer = await send(header);
		if (answer.status !== 401 || !(await this.#requester.adjusts(header, answer))) return checked(answer);
		await answer.body?.cancel();
		return checked(await send(await this.#requester.authorization()));
	}

	async #fetched(url: string, request: RequestInit): Promise<Response> {
		return checked(await this.#answer(url, request));
	}

	async #answer(url: string, request: RequestInit): Promise<Response> {
		const { signal } = this.#settings;
		const time = AbortSignal.timeout(LONGEST);
		try {
			return await fetch(url, {
				...request,
				...{ redirect: 'error', credentials: 'omit', referrerPolicy: 'no-referrer', cache: 'no-store' },
				signal: signal ? AbortSignal.any([signal, time]) : time,
			});
		} catch (error) {
			if (signal?.aborted) throw error;
			const cause = error instanceof Error && error.cause instanceof Error ? `: ${error.cause.message}` : '';
			throw new UploadError(`the content node does not answer, or the connection was cut${cause}`);
		}
	}

	/** Sends a request again while the node is away or busy. */
	async #retried(send: () => Promise<Response>): Promise<Response> {
		for (const since = Date.now(); ; ) {
			try {
				return await send();
			} catch (error) {
				const mayPass = error instanceof UploadError && (error.status === undefined || [408, 429, 502, 503, 504].includes(error.status));
				if (!mayPass || Date.now() - since >= this.#settings.patience) throw error;
				await this.#pause();
			}
		}
	}

	async #pause(): Promise<void> {
		await new Promise((done) => setTimeout(done, PAUSE));
		this.#settings.signal?.throwIfAborted();
	}
}

/** Reads the muid of a draft. */
function muidOf(text: unknown): Muid {
	try {
		return parseMuid(String(text));
	} catch (error) {
		const reason = error instanceof Error ? error.message : String(error);
		throw new UploadError(`the content node has drafted a commit without a sound muid: ${reason}`);
	}
}

/** Returns an answer that is not an error. */
async function checked(answer: Response): Promise<Response> {
	if (answer.ok) return answer;
	const text = await answer.text();
	let reason: unknown;
	try {
		reason = (JSON.parse(text) as { error?: unknown }).error;
	} catch {
		// A proxy answers with a page.
	}
	throw new UploadError(`the content node refuses, with status ${answer.status}: ${typeof reason === 'string' ? reason : 'it gives no reason'}`, answer.status);
}
