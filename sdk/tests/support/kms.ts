// SPDX-License-Identifier: Apache-2.0
/** A model of a KMS, made of the package `age-encryption`. The tests on a chain use a real one. */

import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sr25519 } from '@polkadot-labs/hdkd-helpers';
import { Decrypter, Encrypter, type Identity, identityToRecipient, type Recipient, Stanza } from 'age-encryption';
import { wrapPayload } from '../../src/commit.ts';
import { utf8 } from '../../src/ids/bytes.ts';
import { fromHex } from '../../src/ids/index.ts';
import { requestText } from '../../src/request.ts';

/** A request that a KMS was sent. */
export interface Asked {
	method: string;
	path: string;
	authorization: string;
	body: { recipient: string; object?: string; version?: string; stanzas: { args: string[]; body: string }[] };
}

export interface Answer {
	status: number;
	headers?: Record<string, string>;
	/** Sent as JSON, if it is no text. */
	body?: unknown;
}

/** The parties of the requests that the model takes. */
export interface Served {
	genesisHash: Uint8Array;
	kms: string;
	tenant: string;
	/** The account with the level, and its sr25519 key. */
	account: string;
	publicKey: Uint8Array;
}

export const BLOCK = { number: 18_204, hash: `0x${'5e'.repeat(32)}` };

const unpadded = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '');

export class KmsModel {
	readonly asked: Asked[] = [];
	/** Answers that replace the next ones. */
	readonly instead: ((asked: Asked) => Answer | Promise<Answer> | 'cut' | undefined)[] = [];
	/** The clock, in seconds ahead of the client's. */
	ahead = 0;
	readonly #served: Served;
	readonly #identity: string;
	readonly #server: Server;

	constructor(served: Served, identity: string) {
		[this.#served, this.#identity] = [served, identity];
		this.#server = createServer((request, response) => {
			void read(request).then(async (asked) => {
				this.asked.push(asked);
				const answer = (await this.instead.shift()?.(asked)) ?? (await this.answer(asked));
				if (answer === 'cut') request.socket.destroy();
				else response.writeHead(answer.status, answer.headers).end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body ?? {}));
			});
		});
	}

	/** Starts the server. Returns its locator. */
	async start(): Promise<string> {
		await new Promise<void>((done) => this.#server.listen(0, '127.0.0.1', done));
		return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
	}

	stop(): void {
		this.#server.close();
		this.#server.closeAllConnections();
	}

	/** The key in the row of the KMS. */
	key(): Promise<string> {
		return identityToRecipient(this.#identity);
	}

	async answer({ method, path, authorization, body }: Asked): Promise<Answer> {
		if (method !== 'POST' || path !== '/v1/unwrap') return { status: 404, body: { error: 'there is no such path' } };
		const refusal = this.refusal(authorization, body.recipient);
		if (refusal) return refusal;
		const fileKey = await this.unwrap(body.stanzas);
		if (!fileKey) return { status: 422, body: { error: 'no stanza is for a key of this KMS' } };
		return { status: 200, body: { stanza: await wrap(fileKey, body.recipient), block: BLOCK } };
	}

	/** Returns the file key of one of these stanzas. */
	async unwrap(stanzas: Asked['body']['stanzas']): Promise<Uint8Array | null> {
		const decrypter = new Decrypter();
		decrypter.addIdentity(this.#identity);
		const [identity] = (decrypter as unknown as { identities: [Identity] }).identities;
		return identity.unwrapFileKey(stanzas.map(({ args, body }) => new Stanza(args, Buffer.from(body, 'base64'))));
	}

	/** Returns the refusal of a request that is not signed for this KMS, tenant, recipient and time. */
	refusal(authorization: string, recipient: string): Answer | undefined {
		const [, account = '', until = '', signature = ''] = /^Fabric account="(\w+)", until="([^"]+)", signature="0x01(\w+)"$/.exec(authorization) ?? [];
		const now = Math.floor(Date.now() / 1_000) + this.ahead;
		const end = Date.parse(until) / 1_000;
		const { genesisHash, kms, tenant, publicKey } = this.#served;
		const text = () => utf8(requestText({ genesisHash, to: kms, tenant, account, recipient, until: end }));
		const isSigned = () => [text(), wrapPayload(text())].some((each) => sr25519.verify(fromHex(signature), each, publicKey));
		if (!(end > now - 60 && end <= now + 3_660) || !isSigned()) {
			const time = new Date(now * 1_000).toISOString().replace('.000Z', 'Z');
			return { status: 401, headers: { 'WWW-Authenticate': `Fabric time="${time}"` }, body: { error: 'the request is not signed' } };
		}
		return account === this.#served.account ? undefined : { status: 403, body: { error: 'the account lacks the level read' } };
	}
}

/** Wraps a file key for a recipient. */
export async function wrap(fileKey: Uint8Array, recipient: string): Promise<{ args: string[]; body: string }> {
	const encrypter = new Encrypter();
	encrypter.addRecipient(recipient);
	const [to] = (encrypter as unknown as { recipients: [Recipient] }).recipients;
	const [stanza] = await to.wrapFileKey(fileKey);
	if (!stanza) throw new Error('an X25519 recipient makes one stanza');
	return { args: stanza.args, body: unpadded(stanza.body) };
}

async function read(request: IncomingMessage): Promise<Asked> {
	const parts: Buffer[] = [];
	for await (const part of request) parts.push(part as Buffer);
	const body = Buffer.concat(parts).toString();
	return { method: request.method ?? '', path: request.url ?? '', authorization: request.headers.authorization ?? '', body: JSON.parse(body) as Asked['body'] };
}
