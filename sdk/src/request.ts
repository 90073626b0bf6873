// SPDX-License-Identifier: Apache-2.0
/** Signed requests to content nodes and KMSes: their texts, and the header `Authorization`. */

import { concat, exactly, fromHex, IdError, toHex, utf8 } from './ids/bytes.ts';
import { parseId } from './ids/entity.ts';
import { parseKmsKey } from './ids/kms_key.ts';

/** The first line of what is signed: its purpose and its format. */
const CONTEXT = 'content-fabric/request/v1';
/** Seconds for which a signature is valid. Servers accept at most an hour. */
const VALID = 1_800;
/** Seconds before the end at which a request is signed anew. */
const RENEWED = 300;
/** Largest difference between the clocks of a client and a server, in seconds. */
const CLOCK_DRIFT = 60;
/** The longest time for which a server accepts a request, in seconds. */
const LONGEST = 3_600;
/**
 * The most that a server's clock may be ahead, in seconds. So a false server cannot get signatures
 * that are valid on later days.
 */
const MAX_AHEAD = 86_400;

/** A request that an account signs. Ids are texts. */
export interface SignedRequest {
	genesisHash: Uint8Array;
	/** The content node or the KMS. */
	to: string;
	tenant: string;
	/** The account, in SS58 with any prefix. */
	account: string;
	/** Only for a KMS: the one-time recipient `age1…` for which it wraps file keys. */
	recipient?: string | undefined;
	/** The end of the request's validity, in whole seconds since the Unix epoch. */
	until: number;
}

/** Returns a time in UTC, such as `2026-11-27T05:00:00Z`. */
function timeText(seconds: number): string {
	if (!Number.isInteger(seconds) || seconds < 0 || seconds > 253_402_300_799) {
		throw new IdError(`the time ${seconds} is not a number of whole seconds from 1970 to 9999`);
	}
	return new Date(seconds * 1_000).toISOString().replace('.000Z', 'Z');
}

/**
 * Returns the text that the account signs: as it is, or between `<Bytes>` and `</Bytes>`, as
 * wallets do.
 */
export function requestText({ genesisHash, to, tenant, account, recipient, until }: SignedRequest): string {
	const kind = to.startsWith('ikms') ? 'kms' : 'node';
	parseId(kind, to);
	parseId('tenant', tenant);
	if (!/^[0-9A-Za-z]{1,64}$/.test(account)) throw new IdError(`the account ${account} is not an SS58 address`);
	if (recipient !== undefined) {
		if (kind !== 'kms') throw new IdError('a request to a content node has no recipient of file keys');
		parseKmsKey(recipient);
	}
	return [
		CONTEXT,
		`genesis 0x${toHex(exactly(genesisHash, 32, 'the genesis hash'))}`,
		`to ${to}`,
		`tenant ${tenant}`,
		`account ${account}`,
		...(recipient === undefined ? [] : [`for ${recipient}`]),
		`until ${timeText(until)}`,
	].join('\n');
}

/** The kinds of signature that the chain knows, in the order of their numbers. */
const KINDS = ['Ed25519', 'Sr25519', 'Ecdsa'] as const;

/** A kind of signature. */
export type SignatureKind = (typeof KINDS)[number];

/**
 * Returns the SCALE encoding of a `MultiSignature`: the byte of its kind, and the raw signature that
 * a wallet returns.
 */
export function multiSignature(kind: SignatureKind, signature: Uint8Array): Uint8Array {
	const length = kind === 'Ecdsa' ? 65 : 64;
	return concat(Uint8Array.of(KINDS.indexOf(kind)), exactly(signature, length, `the ${kind} signature`));
}

/** Returns the value of the header `Authorization`, of the encoding of a `MultiSignature`. */
export function authorization({ account, until }: Pick<SignedRequest, 'account' | 'until'>, signature: Uint8Array): string {
	return `Fabric account="${account}", until="${timeText(until)}", signature="0x${toHex(signature)}"`;
}

/** The bytes of a signature, or their hexadecimal digits. */
export type Signature = Uint8Array | `0x${string}`;

/** An account that signs. */
export interface Account {
	/** The account, in SS58 with any prefix. */
	address: string;
	/**
	 * Signs bytes. A signer of PAPI has it, and one of another wallet is a function such as
	 * `(bytes) => wallet.signRaw(…)`. It may put the bytes between `<Bytes>` and `</Bytes>`.
	 */
	signBytes: (bytes: Uint8Array) => Signature | Promise<Signature>;
	/** The kind of the signatures, by default `Sr25519`. */
	kind?: SignatureKind | undefined;
}

/** Has an account sign bytes. Returns the encoding of a `MultiSignature`. */
export async function signWith(account: Account, bytes: Uint8Array): Promise<Uint8Array> {
	const signature = await account.signBytes(bytes);
	return multiSignature(account.kind ?? 'Sr25519', typeof signature === 'string' ? fromHex(signature) : signature);
}

/** Signs a request. Returns the value of the header `Authorization`. */
export async function signRequest(request: Omit<SignedRequest, 'account'>, account: Account): Promise<string> {
	const whole = { ...request, account: account.address };
	return authorization(whole, await signWith(account, utf8(requestText(whole))));
}

const now = () => Math.floor(Date.now() / 1_000);

/**
 * Returns the time of a server, in seconds since the Unix epoch, that has refused the request with
 * the header `sent` for its time. `undefined` if it has refused it for another reason.
 */
export function clockToBlame(sent: string, answer: Response): number | undefined {
	const secondsOf = (text: string | undefined) => Math.floor(Date.parse(text ?? '') / 1_000);
	const server = secondsOf(/\btime="([^"]*)"/.exec(answer.headers.get('www-authenticate') ?? '')?.[1]);
	const until = secondsOf(/\buntil="([^"]*)"/.exec(sent)?.[1]);
	if (Number.isNaN(server)) return undefined;
	return until + CLOCK_DRIFT > server && until <= server + LONGEST + CLOCK_DRIFT ? undefined : server;
}

/**
 * Signs the requests of an account to a server for a tenant. One signature serves many requests,
 * until shortly before its end.
 */
export class Requester {
	readonly #request: Omit<SignedRequest, 'account' | 'until'>;
	readonly #account: Account;
	#signed: { until: number; header: Promise<string> } | undefined;
	/** Seconds from the clock of this machine to the server's, if it has refused a request for its time. */
	#difference = 0;

	constructor(request: Omit<SignedRequest, 'account' | 'until'>, account: Account) {
		this.#request = request;
		this.#account = account;
	}

	/** Returns the value of the header `Authorization`. */
	authorization(): Promise<string> {
		const time = now() + this.#difference;
		const signed = this.#signed;
		if (signed && signed.until >= time + RENEWED && signed.until <= time + VALID) return signed.header;
		const until = time + VALID;
		const header = signRequest({ ...this.#request, until }, this.#account);
		this.#signed = { until, header };
		// A person who has refused to sign is asked again.
		header.catch(() => {
			if (this.#signed?.header === header) this.#signed = undefined;
		});
		return header;
	}

	/**
	 * Handles a refusal with status 401 of a request with the header `sent`. Returns true if the
	 * clocks are to blame, and the next header has the server's time. That is safe, as the time only
	 * bounds how long the server accepts it.
	 */
	async adjusts(sent: string, answer: Response): Promise<boolean> {
		const server = clockToBlame(sent, answer);
		if (server === undefined) return false;
		// Another request was refused first.
		if (this.#signed && (await this.#signed.header) !== sent) return true;
		if (server > now() + MAX_AHEAD) return false;
		this.#difference = server - now();
		this.#signed = undefined;
		return true;
	}
}
