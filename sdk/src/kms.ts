// SPDX-License-Identifier: Apache-2.0
/**
 * Encrypted versions: age files, for whose file keys a KMS is asked with a signed request. Nothing
 * is decrypted before its hash was compared.
 */

// No type of it is in the interface: its types need the types of browsers.
import { Decrypter, Encrypter } from 'age-encryption';
import { fetchFrom, type Holder, type ReadOptions, serverOf, type SizedVersion, streamFrom } from './content.ts';
import { fromBase64, OneTimeKey, toBase64, type Wrapped, X25519 } from './file_key.ts';
import { concat } from './ids/bytes.ts';
import { parseKmsKey } from './ids/kms_key.ts';
import { NodeError, PATIENCE, readAtMost, REQUEST } from './nodes.ts';
import { type Account, clockToBlame, Requester } from './request.ts';
import { collect } from './verified.ts';

/**
 * Why there is no plain data:
 * - `unreachable`: the KMS does not answer, or does not let the page of a browser read its answer.
 * - `refused`: the KMS refuses. The message has its reason, such as a missing level, or a key on the
 *   chain that the server does not have (status 409).
 * - `clock`: the KMS refuses, as its clock differs by more than an account signs for.
 * - `busy`: the KMS is busy, or has no final state. `retryAfter` says when to ask again.
 * - `wrong-answer`: the answer is not one of a KMS, or the file key is for somebody else.
 * - `wrong-file`: the version is no age file, or it is not encrypted for a key of the KMS.
 * - `altered`: the age file does not match its key.
 */
export type KmsFault = 'unreachable' | 'refused' | 'clock' | 'busy' | 'wrong-answer' | 'wrong-file' | 'altered';

/** A version could not be decrypted. The message says why. */
export class KmsError extends Error {
	override readonly name = 'KmsError';
	readonly fault: KmsFault;
	/** The HTTP status of the KMS's answer. `undefined` if it has not answered with an error. */
	readonly status: number | undefined;
	/** Seconds after which a busy KMS may be asked again, if it says so. */
	readonly retryAfter: number | undefined;

	constructor(fault: KmsFault, message: string, { status, retryAfter }: { status?: number; retryAfter?: number | undefined } = {}) {
		super(message);
		[this.fault, this.status, this.retryAfter] = [fault, status, retryAfter];
	}
}

/** A KMS, and the account that asks it. Ids are texts. */
export interface KmsDestination {
	genesisHash: Uint8Array;
	tenant: string;
	kms: string;
	/** The locator in the KMS's row. */
	locator: string;
	/** An account with the level Read or above in the tenant. */
	account: Account;
}

export interface KmsOptions {
	/** Longest time for an answer, in milliseconds. */
	time?: number;
	/** Milliseconds for which a busy KMS is asked again. */
	patience?: number;
	/** Called for each file key, with the final block in which the account had the level. */
	onReleased?: ((block: { number: number; hash: string }) => void) | undefined;
}

/** Options of a decryption. */
export interface DecryptOptions {
	/** The version of a content object that the file is. The KMS checks it, and its receipt names it. */
	of?: { object: string; version: string } | undefined;
	/** Ends the read. */
	signal?: AbortSignal | undefined;
}

/** Largest number of stanzas that a KMS looks at. */
const MOST_STANZAS = 16;
/** Largest number of bytes of a stanza's arguments, and of its body. */
const LARGEST_STANZA = 512;
/** Largest number of bytes of an age file's header. */
const LARGEST_HEADER = 1 << 16;
/** Largest number of bytes of an answer. */
const LARGEST_ANSWER = 1 << 16;
/** Largest number of characters of a reason. */
const LONGEST_REASON = 1_000;
/** Shortest pause before a busy KMS is asked again, in milliseconds. */
const PAUSE = 500;
/** Bytes of a SHA-256 version, which is in memory as a whole, if the caller sets no other limit. */
const MOST = 64 << 20;

/**
 * A client of a KMS. One signature of the account serves for many files, for half an hour. The
 * one-time key of the client is in memory only.
 */
export class KmsClient {
	readonly #to: KmsDestination;
	readonly #options: Required<Omit<KmsOptions, 'onReleased'>> & KmsOptions;
	readonly #server: string;
	readonly #key = new OneTimeKey();
	readonly #requester: Requester;

	constructor(to: KmsDestination, options: KmsOptions = {}) {
		const server = serverOf(to.locator);
		if (server === undefined) throw new KmsError('unreachable', `the locator \`${to.locator}\` of the KMS ${to.kms} names no HTTP server`);
		[this.#to, this.#server] = [to, server];
		this.#options = { time: PATIENCE, patience: 10_000, ...options };
		const { genesisHash, kms, tenant, account } = to;
		this.#requester = new Requester({ genesisHash, to: kms, tenant, recipient: this.#key.recipient }, account);
	}

	/** The id of the KMS. */
	get kms(): string {
		return this.#to.kms;
	}

	/** The tenant whose files the KMS opens. */
	get tenant(): string {
		return this.#to.tenant;
	}

	/** Has the account sign now, if it has not, so that nothing else waits for a person. */
	async sign(signal?: AbortSignal): Promise<void> {
		await abortable(this.#requester.authorization(), signal);
	}

	/** Returns an `Identity` of the package `age-encryption` that asks the KMS for file keys. */
	identity(options: DecryptOptions = {}): { unwrapFileKey: (stanzas: Wrapped[]) => Promise<Uint8Array> } {
		return { unwrapFileKey: (stanzas) => this.#unwrap(stanzas, options) };
	}

	/**
	 * Decrypts an age file. Pieces are authentic as soon as they are read. The stream fails if the
	 * file is cut or altered, so only all of them together are the whole file.
	 */
	async decrypt(encrypted: ReadableStream<Uint8Array>, options: DecryptOptions = {}): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
		const source = encrypted.getReader();
		let failure: { error: unknown } | undefined;
		/** Reads the source. Its errors are not the file's. */
		const read = async () => {
			try {
				return (await source.read()).value;
			} catch (error) {
				failure = { error };
				throw error;
			}
		};
		let stage: 'header' | 'key' | 'data' = 'header';
		const asError = (error: unknown) => {
			if (failure) return failure.error;
			// A wallet throws what it likes.
			if (error instanceof KmsError || stage === 'key') return error;
			const reason = error instanceof Error ? error.message : String(error);
			if (stage === 'header') return new KmsError('wrong-file', `the version is not a sound age file: ${reason}`);
			return new KmsError('altered', `the file does not match the key that the KMS ${this.kms} gave for it: ${reason}`);
		};
		try {
			let next: Uint8Array | undefined = await headOf(read);
			const file = new ReadableStream<Uint8Array>({
				async pull(controller) {
					const piece = next ?? (await read());
					next = undefined;
					if (piece) controller.enqueue(piece);
					else controller.close();
				},
				cancel: (reason) => source.cancel(reason),
			}, { highWaterMark: 0 });
			const decrypter = new Decrypter();
			decrypter.addIdentity({
				unwrapFileKey: async (stanzas) => {
					stage = 'key';
					const key = await this.#unwrap(stanzas, options);
					stage = 'data';
					return key;
				},
			});
			const plain = (await decrypter.decrypt(file)).getReader();
			return new ReadableStream({
				async pull(controller) {
					try {
						const { value } = await plain.read();
						if (value) controller.enqueue(value as Uint8Array<ArrayBuffer>);
						else controller.close();
					} catch (error) {
						await source.cancel().catch(() => undefined);
						throw asError(error);
					}
				},
				cancel: (reason) => plain.cancel(reason),
			}, { highWaterMark: 0 });
		} catch (error) {
			await source.cancel().catch(() => undefined);
			throw asError(error);
		}
	}

	/** Asks the KMS for the file key of these stanzas. */
	async #unwrap(stanzas: Wrapped[], { of, signal }: DecryptOptions): Promise<Uint8Array> {
		// Others are for recipients that no KMS has, or for none: age adds such stanzas.
		const wrapped = stanzas.filter(({ args }) => args[0] === X25519);
		if (wrapped.length === 0) throw new KmsError('wrong-file', 'the age file is not encrypted for an X25519 key, such as the key of a KMS');
		const isLarge = ({ args, body }: Wrapped) => args.join('').length > LARGEST_STANZA || body.length > LARGEST_STANZA;
		if (wrapped.length > MOST_STANZAS || wrapped.some(isLarge)) {
			throw new KmsError('wrong-file', `the age file has ${wrapped.length} X25519 stanzas: a KMS takes up to ${MOST_STANZAS}, of ${LARGEST_STANZA} bytes`);
		}
		const { object, version } = of ?? {};
		const body = { recipient: this.#key.recipient, object, version, stanzas: wrapped.map(({ args, body }) => ({ args, body: toBase64(body) })) };
		const { stanza, block } = await this.#retried(JSON.stringify(body), signal);
		const key = this.#key.unwrap(stanza);
		if (!key) throw new KmsError('wrong-answer', `the file key of the KMS ${this.kms} is wrapped for somebody else`);
		this.#options.onReleased?.(block);
		return key;
	}

	/** Sends a request again while the KMS is busy, after the time that it asks for. */
	async #retried(body: string, signal: AbortSignal | undefined): Promise<ReturnType<typeof released>> {
		for (const since = Date.now(); ; ) {
			try {
				return released(await this.#signed(body, signal));
			} catch (error) {
				if (!(error instanceof KmsError) || error.fault !== 'busy') throw error;
				const pause = Math.max(PAUSE, 1_000 * (error.retryAfter ?? 0));
				if (Date.now() + pause - since > this.#options.patience) throw error;
				await abortable(new Promise((done) => setTimeout(done, pause)), signal);
			}
		}
	}

	/** Sends a signed request. If the clocks differ, sends it once more, signed by the KMS's clock. */
	async #signed(body: string, signal: AbortSignal | undefined): Promise<unknown> {
		const send = async () => {
			const header = await abortable(this.#requester.authorization(), signal);
			return { header, ...(await this.#post(header, body, signal)) };
		};
		let sent = await send();
		if (sent.answer.status === 401 && (await this.#requester.adjusts(sent.header, sent.answer))) sent = await send();
		const { header, answer, value } = sent;
		if (answer.status !== 200) throw this.#failed(answer, value, clockToBlame(header, answer));
		return value;
	}

	/** Sends a request. Returns the answer, and its JSON if it has some. */
	async #post(authorization: string, body: string, signal: AbortSignal | undefined): Promise<{ answer: Response; value: unknown }> {
		const late = AbortSignal.timeout(this.#options.time);
		let answer: Response;
		let bytes: Uint8Array;
		try {
			answer = await fetch(`${this.#server}/v1/unwrap`, {
				...REQUEST,
				method: 'POST',
				headers: { Authorization: authorization, 'Content-Type': 'application/json' },
				body,
				signal: signal ? AbortSignal.any([signal, late]) : late,
			});
			bytes = await readAtMost(answer, LARGEST_ANSWER);
		} catch (error) {
			if (signal?.aborted) throw signal.reason;
			if (error instanceof NodeError) throw new KmsError('wrong-answer', `the KMS at ${this.#server} answers with more than ${LARGEST_ANSWER} bytes`);
			if (late.aborted) throw new KmsError('unreachable', `the KMS at ${this.#server} has not answered within ${this.#options.time / 1_000} s`);
			// Browsers do not say why.
			const cause = error instanceof Error && error.cause instanceof Error ? error.cause.message : 'or the browser may not read its answer';
			throw new KmsError('unreachable', `the KMS at ${this.#server} does not answer, or the connection was cut: ${cause}`);
		}
		try {
			return { answer, value: JSON.parse(new TextDecoder().decode(bytes)) };
		} catch {
			// A proxy answers with a page.
			return { answer, value: undefined };
		}
	}

	/** Returns the error of an answer that is not 200. */
	#failed({ status, headers }: Response, value: unknown, clock: number | undefined): KmsError {
		const { error } = (value ?? {}) as { error?: unknown };
		const reason = typeof error === 'string' && error !== '' ? error.slice(0, LONGEST_REASON) : 'it gives no reason';
		if (clock !== undefined) {
			const time = (seconds: number) => new Date(1_000 * seconds).toISOString();
			return new KmsError('clock', `the clock of the KMS is at ${time(clock)}, and this machine's at ${time(Math.floor(Date.now() / 1_000))}: set the one that is wrong`, { status });
		}
		const after = headers.get('retry-after') ?? '';
		const retryAfter = /^\d{1,6}$/.test(after) ? Number(after) : undefined;
		switch (status) {
			case 400:
			case 401:
			case 403:
			case 409:
				return new KmsError('refused', `the KMS refuses, with status ${status}: ${reason}`, { status });
			case 422:
				return new KmsError('wrong-file', `the version is not encrypted for a key of the KMS ${this.kms}: ${reason}`, { status });
			case 429:
			case 503:
				return new KmsError('busy', `the KMS cannot answer now, with status ${status}: ${reason}${retryAfter === undefined ? '' : `. Ask again after ${retryAfter} s`}`, { status, retryAfter });
			default:
				return new KmsError('wrong-answer', `the KMS at ${this.#server} answers with status ${status}: ${reason}`, { status });
		}
	}
}

/** Reads the answer of a KMS that gives a file key. */
function released(value: unknown): { stanza: Wrapped; block: { number: number; hash: string } } {
	const { stanza, block } = (value ?? {}) as { stanza?: { args?: unknown; body?: unknown }; block?: { number?: unknown; hash?: unknown } };
	const { args, body } = stanza ?? {};
	const bytes = typeof body === 'string' ? fromBase64(body) : undefined;
	const { number, hash } = block ?? {};
	const isStanza = Array.isArray(args) && args.every((arg) => typeof arg === 'string') && bytes !== undefined;
	if (!isStanza || !Number.isSafeInteger(number) || typeof hash !== 'string' || !/^0x[0-9a-f]{64}$/.test(hash)) {
		throw new KmsError('wrong-answer', 'the answer of the KMS has no file key and block');
	}
	return { stanza: { args, body: bytes }, block: { number: number as number, hash } };
}

/** Awaits something that cannot be ended itself, such as a person at a wallet. */
async function abortable<T>(awaited: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
	if (!signal) return awaited;
	signal.throwIfAborted();
	let abort = (): void => undefined;
	const aborted = new Promise<never>((_, reject) => {
		abort = () => reject(signal.reason);
		signal.addEventListener('abort', abort);
	});
	try {
		return await Promise.race([awaited, aborted]);
	} finally {
		signal.removeEventListener('abort', abort);
	}
}

/** Reads the first pieces of an age file, up to the end of its header, which has a bounded size. */
async function headOf(read: () => Promise<Uint8Array | undefined>): Promise<Uint8Array> {
	const first = 'age-encryption.org/v1\n';
	for (let head: Uint8Array = new Uint8Array(); ; ) {
		const text = new TextDecoder('latin1').decode(head.subarray(0, LARGEST_HEADER));
		if (!text.startsWith(first.slice(0, text.length))) throw new KmsError('wrong-file', 'the version is not an age file, although the chain says that it is encrypted');
		if (/\n---[^\n]*\n/.test(text)) return head;
		if (text.length === LARGEST_HEADER) throw new KmsError('wrong-file', `the header of the age file has more than ${LARGEST_HEADER} bytes`);
		const piece = await read();
		if (!piece) throw new KmsError('wrong-file', 'the version ends before the end of the header of an age file');
		head = concat(head, piece);
	}
}

/** A version with a KMS. */
export interface EncryptedVersion extends SizedVersion {
	/** The content object of the version. If it is here, the KMS checks it, and its receipt names both. */
	object?: string | undefined;
}

/** Options of the read of encrypted bytes. The progress is in these bytes. */
export type DecryptedReadOptions = Omit<ReadOptions, 'range'>;

/**
 * Returns the plain bytes of an encrypted version as a stream. The account signs first. Then the
 * encrypted bytes are read, as `streamFrom` does, and only verified ones are decrypted. SHA-256
 * versions are read into memory, up to 64 MiB unless `most` is another limit.
 */
export async function streamDecryptedFrom(holders: AsyncIterable<Holder> | Iterable<Holder>, wanted: EncryptedVersion, kms: KmsClient, options: DecryptedReadOptions = {}): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
	const { signal } = options;
	const { object, version } = wanted;
	const of = object === undefined ? undefined : { object, version };
	if (wanted.hash === 'blake3') {
		// A version or a limit that is not valid is refused before a person is asked.
		const encrypted = streamFrom(holders, wanted, options);
		await kms.sign(signal);
		return kms.decrypt(encrypted, { of, signal });
	}
	const { most = MOST } = options;
	const { size = BigInt(most) } = wanted;
	if (size > most) throw new RangeError(`the version has ${size} bytes, more than the limit of ${most}`);
	await kms.sign(signal);
	const bytes = await fetchFrom(holders, wanted, { ...options, most: Number(size) });
	return kms.decrypt(new Blob([bytes]).stream(), { of, signal });
}

/**
 * Returns the plain bytes of an encrypted version, as `streamDecryptedFrom` does. `most` is the
 * largest number of encrypted bytes.
 */
export async function fetchDecryptedFrom(holders: AsyncIterable<Holder> | Iterable<Holder>, wanted: EncryptedVersion, kms: KmsClient, options: DecryptedReadOptions & { most: number }): Promise<Uint8Array<ArrayBuffer>> {
	return collect(await streamDecryptedFrom(holders, wanted, kms, options));
}

/**
 * Encrypts data for the key of a KMS, `age1…`. Returns the age file, for `upload` with that KMS. Each
 * call makes another file, so keep the result to resume an upload.
 */
export async function encryptFor(key: string, data: Blob | Uint8Array<ArrayBuffer>): Promise<Blob> {
	parseKmsKey(key);
	const encrypter = new Encrypter();
	encrypter.addRecipient(key);
	const plain = (data instanceof Blob ? data : new Blob([data])).stream();
	return new Response(await encrypter.encrypt(plain)).blob();
}
