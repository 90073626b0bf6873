// SPDX-License-Identifier: Apache-2.0
/** Encrypted versions, with a wallet, a content node and a KMS that agree, or do not. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { blake3 } from '@noble/hashes/blake3.js';
import { Decrypter, Encrypter, generateX25519Identity, type Identity, identityToRecipient, type Recipient, Stanza } from 'age-encryption';
import type { AxeResults } from 'axe-core';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { cidOf } from '../../sdk/src/ids/cid.ts';
import { formatId } from '../../sdk/src/ids/entity.ts';
import { encoder } from '../../sdk/tests/support/encode.ts';
import { launch, NARROW, open, settled } from './support/browser.ts';
import { fullChain, HOSTILE, IDS } from './support/chain.ts';
import { Indexer } from './support/server.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const CORS = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'Retry-After, WWW-Authenticate' };
const BLOCK = { number: 7, hash: `0x${'5e'.repeat(32)}` };
const ACCOUNTS = [
	{ address: IDS.operator, name: 'Operator', type: 'sr25519' },
	{ address: IDS.root, name: HOSTILE, type: 'ed25519' },
	{ address: '0x00000000000000000000000000000000deadbeef', name: 'of Ethereum', type: 'ethereum' },
];

const indexer = new Indexer(fullChain());
/** Requests to the KMS, in their order. */
const asked: { authorization: string; body: { recipient: string; object: string; version: string; stanzas: { args: string[]; body: string }[] } }[] = [];
/** Answers instead of the KMS's. */
let answer: ((response: ServerResponse) => void) | undefined;
let served: Uint8Array;
let reads: number;
let identity: string;
let browser: Browser;
let origin: string;

const node = createServer((_, response) => {
	reads += 1;
	response.writeHead(200, CORS).end(served);
});
const kms = createServer((request, response) => {
	if (request.method === 'OPTIONS') {
		const methods = { 'Access-Control-Allow-Methods': 'POST', 'Access-Control-Allow-Headers': 'Authorization, Content-Type' };
		response.writeHead(204, { ...CORS, ...methods }).end();
	} else void release(request, response);
});
const at = (server: typeof node) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

/** Gives a file key, as a KMS does. */
async function release(request: IncomingMessage, response: ServerResponse): Promise<void> {
	const parts: Buffer[] = [];
	for await (const part of request) parts.push(part as Buffer);
	const body = JSON.parse(Buffer.concat(parts).toString());
	asked.push({ authorization: request.headers.authorization ?? '', body });
	if (answer) return answer(response);
	const decrypter = new Decrypter();
	decrypter.addIdentity(identity);
	const stanzas = asked.at(-1)!.body.stanzas.map(({ args, body }) => new Stanza(args, Buffer.from(body, 'base64')));
	const fileKey = await (decrypter as unknown as { identities: [Identity] }).identities[0].unwrapFileKey(stanzas);
	const encrypter = new Encrypter();
	encrypter.addRecipient(body.recipient);
	const [stanza] = await (encrypter as unknown as { recipients: [Recipient] }).recipients[0].wrapFileKey(fileKey!);
	const wrapped = { args: stanza!.args, body: Buffer.from(stanza!.body).toString('base64').replace(/=+$/, '') };
	response.writeHead(200, CORS).end(JSON.stringify({ stanza: wrapped, block: BLOCK }));
}

before(async () => {
	browser = await launch();
	origin = await indexer.start();
	identity = await generateX25519Identity();
	for (const server of [node, kms]) await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
});

beforeEach(() => {
	indexer.chain = fullChain();
	[asked.length, reads, answer] = [0, 0, undefined];
});

after(async () => {
	await browser.close();
	await indexer.stop();
	for (const server of [node, kms]) {
		server.closeAllConnections();
		await new Promise((done) => server.close(done));
	}
});

interface Visit {
	/** The wallets of the browser, with their accounts. */
	wallets?: Record<string, typeof ACCOUNTS>;
	/** The error of the wallet, which then does not sign. */
	refuses?: string;
	options?: BrowserContextOptions;
}

/** Encrypts data for the KMS, puts it on the chain, and opens its page in a browser with wallets. */
async function visit(plain: Uint8Array, { wallets = { wallet: ACCOUNTS }, refuses, options = {} }: Visit = {}) {
	const encrypter = new Encrypter();
	encrypter.addRecipient(await identityToRecipient(identity));
	const data = await encrypter.encrypt(plain);
	served = encoder(data)();
	const id = formatId('version', blake3(data));
	const { versions, nodes, kmses, records } = indexer.chain;
	versions.push({ ...versions[1]!, id, hash: 'blake3', cid: cidOf({ version: id, hash: 'blake3' }), size: String(data.length), isHead: false });
	[nodes[0]!.locator, kmses[0]!.locator] = [at(node), at(kms)];
	records.unshift({ ...records[0]!, key: 'docs:serde', name: 'docs/serde', version: id });
	const watched = await open(browser, 'about:blank', options);
	const { context, page } = watched;
	/** The texts that were signed, by account. */
	const signed: { address: string; text: string }[] = [];
	await context.exposeFunction('noteSigned', (address: string, data: string) => signed.push({ address, text: Buffer.from(data.slice(2), 'hex').toString() }));
	await context.addInitScript(
		({ wallets, refuses }) => {
			const { noteSigned } = globalThis as unknown as { noteSigned: (address: string, data: string) => Promise<void> };
			const signRaw = async ({ address, data, type }: { address: string; data: string; type: string }) => {
				if (refuses !== undefined) throw new Error(refuses);
				if (type !== 'bytes') throw new Error('it signs bytes');
				await noteSigned(address, data);
				return { signature: `0x${'07'.repeat(64)}` };
			};
			const entries = Object.entries(wallets).map(([name, accounts]) => [name, { enable: async () => ({ accounts: { get: async () => accounts }, signer: { signRaw } }) }]);
			Object.assign(globalThis, { injectedWeb3: Object.fromEntries(entries) });
		},
		{ wallets, refuses },
	);
	await page.goto(`${origin}/tenants/${IDS.tenant}/objects/${IDS.object}/versions/${id}`);
	await settled(page);
	const section = page.getByRole('region', { name: 'Encrypted' });
	await section.getByText(at(kms)).waitFor();
	return { ...watched, id, signed, section };
}

type Section = ReturnType<Page['getByRole']>;

async function connect(section: Section): Promise<void> {
	await section.getByRole('button', { name: 'Connect a wallet' }).click();
	await section.getByRole('button', { name: 'Decrypt and download' }).waitFor();
}

/** Presses the button, and returns what the page says in the end. */
async function decrypt(section: Section) {
	await section.getByRole('button', { name: 'Decrypt and download' }).click();
	return outcome(section);
}

async function outcome(section: Section) {
	const said = section.locator('.answer:not(:empty):not(.quiet)');
	await said.waitFor();
	return { said: await said.innerText(), tone: (await said.getAttribute('class'))?.split(' ')[1] };
}

const PLAIN = Buffer.from('the plain text of a file');

test('the page says for which KMS a version is encrypted, and how to read it without a wallet', async () => {
	const { section, page, context, errors, id } = await visit(PLAIN, { wallets: {} });
	const text = await section.innerText();
	assert.match(text, /level read or above in the tenant\. Names, sizes and history are public all the same\./);
	await section.getByText(`fabric get ${id} --signer KEY`).waitFor();
	await section.getByRole('button', { name: 'Connect a wallet' }).click();
	assert.deepEqual(await outcome(section), {
		said: 'This browser has no wallet for accounts of this chain, or the wallet does not show itself to this page.',
		tone: 'warn',
	});
	assert.deepEqual([asked.length, reads], [0, 0]);
	const link = section.locator(`a[href="/tenants/${IDS.tenant}/kmses/${IDS.kms}"]`);
	await link.click();
	await page.getByRole('heading', { level: 1, name: `KMS ${IDS.kms}` }).waitFor();
	assert.match(await page.locator('main').innerText(), /age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p/);
	assert.deepEqual(errors, []);
	await context.close();

	indexer.chain.kmses = [];
	const gone = await open(browser, `${origin}/tenants/${IDS.tenant}/objects/${IDS.object}/versions/${id}`);
	await gone.page.getByText('is not on the chain any more. Only those who have its key can decrypt').waitFor();
	assert.equal(await gone.page.getByRole('button', { name: 'Connect a wallet' }).count(), 0);
	await gone.context.close();
});

test('a version without a KMS is not encrypted', async () => {
	const plain = indexer.chain.versions.find(({ kms }) => kms === null)!;
	const { page, context } = await open(browser, `${origin}/tenants/${IDS.tenant}/objects/${IDS.object}/versions/${plain.id}`);
	await settled(page);
	assert.equal(await page.getByRole('region', { name: 'Encrypted' }).count(), 0);
	await context.close();
});

test('a reader with a wallet gets the plain file, and signs once for several', async () => {
	const plain = Buffer.from(Uint8Array.from({ length: 300_001 }, (_, i) => i % 251));
	const { section, page, context, errors, id, signed } = await visit(plain);
	await connect(section);
	const select = section.getByLabel('Account');
	const names = await select.locator('option').allInnerTexts();
	assert.equal(names.length, 2, 'accounts of Ethereum are left out');
	assert.match(names[1]!, /^<img src=x onerror[^]*…[^]*more 5FHneW46…94ty$/);
	assert.deepEqual([asked.length, reads, signed.length], [0, 0, 0]);
	for (let round = 0; round < 2; round++) {
		const saved = page.waitForEvent('download');
		assert.deepEqual(await decrypt(section), {
			said: 'The hash of the encrypted bytes is the version. The 300,001 plain bytes are saved as serde.',
			tone: 'good',
		});
		const file = await saved;
		assert.equal(file.suggestedFilename(), 'serde');
		assert.ok(readFileSync(await file.path()).equals(plain));
		assert.equal(await section.locator('progress').count(), 0);
	}
	const [first, second] = asked;
	assert.deepEqual([asked.length, reads, signed.length], [2, 2, 1]);
	const { recipient, object, version, stanzas } = first!.body;
	assert.deepEqual([object, version, stanzas.length, second!.body.recipient], [IDS.object, id, 1, recipient]);
	const until = /until="([^"]+)"/.exec(first!.authorization)?.[1];
	assert.deepEqual(signed[0], {
		address: IDS.operator,
		text: `content-fabric/request/v1\ngenesis ${indexer.chain.status.genesis}\nto ${IDS.kms}\ntenant ${IDS.tenant}\naccount ${IDS.operator}\nfor ${recipient}\nuntil ${until}`,
	});
	assert.equal(first!.authorization, `Fabric account="${IDS.operator}", until="${until}", signature="0x01${'07'.repeat(64)}"`);
	// Another account signs itself, with its kind of key.
	await select.selectOption(IDS.root);
	await decrypt(section);
	assert.equal(signed[1]?.address, IDS.root);
	assert.match(asked[2]?.authorization ?? '', /signature="0x0007/);
	assert.deepEqual(errors, []);
	await context.close();
});

test('the encrypted bytes are saved as an age file', async () => {
	const { page, context, id } = await visit(new Uint8Array((1 << 20) + 1));
	const saved = page.waitForEvent('download');
	await page.getByRole('button', { name: 'Check and download' }).click();
	const file = await saved;
	assert.equal(file.suggestedFilename(), `${id}.age`);
	assert.match(readFileSync(await file.path(), 'latin1'), /^age-encryption\.org\/v1\n-> X25519 /);
	assert.equal(asked.length, 0);
	await context.close();
});

test('all of it works by keyboard', async () => {
	const { section, page, context } = await visit(PLAIN, { wallets: { second: ACCOUNTS.slice(1), first: ACCOUNTS } });
	await section.getByRole('button', { name: 'Connect a wallet' }).press('Enter');
	const group = section.getByRole('group', { name: 'Wallet' });
	assert.deepEqual(await group.getByRole('button').allInnerTexts(), ['first', 'second']);
	await group.getByRole('button', { name: 'first' }).press('Enter');
	await section.getByLabel('Account').press('ArrowDown');
	const saved = page.waitForEvent('download');
	await section.getByRole('button', { name: 'Decrypt and download' }).press('Enter');
	assert.equal((await outcome(section)).tone, 'good');
	assert.ok(readFileSync(await (await saved).path()).equals(PLAIN));
	assert.match(asked[0]?.authorization ?? '', new RegExp(`account="${IDS.root}"`));
	await context.close();
});

test('refusals have their reasons, and say what to do', async () => {
	const { section, page, context } = await visit(PLAIN);
	let downloads = 0;
	page.on('download', () => (downloads += 1));
	await connect(section);
	const refuse = (status: number, error: string, headers = {}) => (response: ServerResponse) =>
		response.writeHead(status, { ...CORS, ...headers }).end(JSON.stringify({ error }));
	answer = refuse(403, `the account lacks the level Read ${HOSTILE}`);
	const { said, tone } = await decrypt(section);
	assert.equal(tone, 'warn');
	assert.match(said, /^The KMS refuses, with status 403: the account lacks the level Read <img[^]*\\u\{202e\}/);
	await section.getByText('Ask an admin of the tenant for the level read:').waitFor();
	await section.getByText(`fabric key grant ${IDS.tenant} ${IDS.operator} read`).waitFor();
	for (const [reply, expected, tone] of [
		[refuse(429, 'too many requests', { 'Retry-After': '60' }), /^The KMS cannot answer now, with status 429: too many requests\. Ask again after 60 s\.$/, 'warn'],
		[refuse(422, 'no stanza is for a key of this KMS'), /^The version is not encrypted for a key of the KMS ikms\w+: no stanza is for a key of this KMS\.$/, 'warn'],
		[refuse(404, 'no path'), /answers with status 404: no path\.$/, 'bad'],
		[(response: ServerResponse) => response.destroy(), /does not answer, or the connection was cut[^]*A page from https:\/\/ cannot ask a KMS at http:\/\//, 'warn'],
		// It does not let pages of other origins read.
		[(response: ServerResponse) => response.writeHead(200).end('{}'), /or the browser may not read its answer/, 'warn'],
	] as const) {
		answer = reply;
		const found = await decrypt(section);
		assert.match(found.said, expected);
		assert.equal(found.tone, tone);
		assert.equal(await section.getByText('Ask an admin of the tenant').count(), 0);
	}
	answer = undefined;
	served[served.length - 1]! ^= 1;
	const wrong = await decrypt(section);
	assert.match(wrong.said, /answered with wrong bytes/);
	assert.equal(wrong.tone, 'bad');
	assert.equal(downloads, 0);
	served[served.length - 1]! ^= 1;
	assert.equal((await decrypt(section)).tone, 'good');
	await context.close();
});

test('a wallet that refuses, or has no account, is said to', async () => {
	const refusing = await visit(PLAIN, { refuses: 'Cancelled' });
	await connect(refusing.section);
	assert.deepEqual(await decrypt(refusing.section), { said: 'The wallet has not signed: Cancelled.', tone: 'warn' });
	assert.deepEqual([asked.length, reads], [0, 0]);
	await refusing.context.close();
	const empty = await visit(PLAIN, { wallets: { wallet: [] } });
	await empty.section.getByRole('button', { name: 'Connect a wallet' }).click();
	assert.equal((await outcome(empty.section)).said, 'The wallet shows no account to this page.');
	await empty.context.close();
});

for (const colorScheme of ['light', 'dark'] as const) {
	test(`encrypted versions are accessible in ${colorScheme} colours on a narrow screen`, async () => {
		const { section, page, context } = await visit(PLAIN, { options: { colorScheme, bypassCSP: true, viewport: NARROW } });
		await connect(section);
		answer = (response) => response.writeHead(403, CORS).end('{"error":"the account lacks the level Read"}');
		await decrypt(section);
		await section.getByText('Ask an admin of the tenant').waitFor();
		const width = await page.evaluate(() => document.documentElement.scrollWidth);
		assert.ok(width <= NARROW.width, `the page is ${width} pixels wide`);
		await page.addScriptTag({ content: axe });
		const results = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })');
		const serious = results.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
		assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes[0]?.html]), []);
		await context.close();
	});
}
