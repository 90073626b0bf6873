// SPDX-License-Identifier: Apache-2.0
/**
 * Tests with a chain and its index: the programs in the folder EXPLORER_PROGRAMS, which publish the
 * manifest EXPLORER_MANIFEST. SEED repeats the choice of names of another run. The tests build on
 * each other.
 */

import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { build } from 'vite';
import { encodeBase58 } from '../../sdk/src/ids/base58.ts';
import { cidOf } from '../../sdk/src/ids/cid.ts';
import { formatObjectPath, parseId } from '../../sdk/src/ids/entity.ts';
import type { Status } from '../src/api/answers.ts';
import { HOSTILE, LATE_KEY } from './support/chain.ts';
import { launch, open, PHONE, settled, WIDE, type Watched } from './support/browser.ts';
import { Live } from './support/live.ts';

const folder = process.env['EXPLORER_SCREENSHOTS'] ?? fileURLToPath(new URL('../screenshots', import.meta.url));
const seed = process.env['SEED'] ?? String(Math.floor(Math.random() * 2 ** 32));
/** Names of the manifest that are looked for. */
const NAMES = 40;
/** Packages besides the manifest's, so that a purge takes several blocks. */
const MORE = 4_000;
/** The first of them, which also has a later version. */
const FIRST = 'more-0';
/** The part of `HOSTILE` that the chain accepts in a locator: visible characters of ASCII. */
const HOSTILE_LOCATOR = '<img/src=x/onerror=window.broken=1><script>window.broken=1</script>';
const ALICE = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
/** Time within which the explorer reports a node that hangs: more than the longest silence of a connection. */
const STALLED = 45_000;

let live: Live;
let browser: Browser;
let watched: Watched;
let names: string[];
/** Pages of the chain, which tests find in turn. */
const found: Record<string, string> = { overview: '/' };

before(async () => {
	const programs = process.env['EXPLORER_PROGRAMS'];
	const manifest = process.env['EXPLORER_MANIFEST'];
	assert.ok(programs && manifest, 'EXPLORER_PROGRAMS and EXPLORER_MANIFEST are set');
	console.log(`SEED=${seed}`);
	mkdirSync(folder, { recursive: true });
	live = await Live.start(programs);
	const text = readFileSync(manifest, 'utf8');
	writeFileSync(live.file('manifest.jsonl'), text + packages(MORE));
	names = choose([...new Set([...text.matchAll(/"name": "(.+?)"/g)].map(([, name]) => name ?? ''))]);
	const built = readFileSync(fileURLToPath(new URL('../../indexer/assets/index.html', import.meta.url)), 'utf8');
	assert.equal(await (await fetch(live.url)).text(), built, 'the index contains other assets: build it again');
	browser = await launch();
	watched = await open(browser, live.url);
});

after(async () => {
	await watched?.context.close();
	await browser?.close();
	await live?.stop();
});

/** Returns lines of a manifest. */
function packages(count: number): string {
	const source = 'registry+https://github.com/rust-lang/crates.io-index';
	const one = (name: string, version: string, number: number) => {
		const hash = `sha256:${number.toString(16).padStart(64, '0')}`;
		return `${JSON.stringify({ name, version, hash, source, head: name !== FIRST || version === '2.0.0' })}\n`;
	};
	const all = Array.from({ length: count }, (_, number) => one(`more-${number}`, '1.0.0', number));
	return [...all, one(FIRST, '2.0.0', count)].join('');
}

/** Chooses some of the names, by the seed. */
function choose(all: string[]): string[] {
	let state = Number(seed) >>> 0;
	const next = (below: number) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
	const chosen = [];
	while (chosen.length < NAMES && all.length > 0) chosen.push(...all.splice(next(all.length), 1));
	return chosen;
}

/** Returns the id of the space of this name. */
async function idOf(name: string): Promise<string> {
	const id = /ispc\w+/.exec(await live.fabric('id', 'from-name', 'space', name))?.[0];
	assert.ok(id);
	return id;
}

async function search(page: Page, text: string) {
	await page.goto(`${live.url}/`);
	await page.keyboard.press('/');
	await page.keyboard.type(text);
	await page.keyboard.press('Enter');
	await page.waitForURL((at) => at.pathname !== '/');
	await settled(page);
}

/** Opens a page of the chain. */
async function visit(page: Page, path: string) {
	await page.goto(live.url + path);
	await settled(page);
}

/** Unfolds the actions of a page. Returns them once their calls are shown. */
async function unfold(page: Page) {
	for (const summary of await page.locator('.actions summary').all()) await summary.click();
	const lines = await page.locator('.actions li').all();
	for (const line of lines) await line.locator('.mono').waitFor();
	return lines;
}

test('an empty chain is shown as one', async () => {
	const { page, errors } = watched;
	await page.getByRole('heading', { level: 1, name: 'Development', exact: true }).waitFor();
	await page.getByText('No events yet.').waitFor();
	await page.goto(`${live.url}/spaces`);
	await settled(page);
	await page.locator('.empty').first().waitFor();
	assert.deepEqual(errors, []);
});

test('the head moves, and the feed shows a publish, without a reload', { timeout: 180_000 }, async () => {
	const { page, errors } = watched;
	await page.goto(live.url);
	const head = async () => Number((await page.locator('.tiles .figure').first().innerText()).replaceAll(',', ''));
	const before = await head();
	await live.fabric('publish', live.file('manifest.jsonl'), '--wait', 'finalized');
	assert.ok((await head()) > before);
	await page.locator('.events').getByText(/was put$/).first().waitFor();
	assert.deepEqual(errors, []);
});

test('every name that is looked for leads to its record', { timeout: 180_000 }, async () => {
	const { page, errors } = watched;
	assert.equal(names.length, NAMES);
	for (const name of names) {
		await live.named(name);
		await search(page, name);
		if (new URL(page.url()).pathname === '/search') {
			// A collection may have the name of a package too.
			const records = page.locator('.hits li', { has: page.locator('.hit-kind', { hasText: 'Record' }) });
			await records.getByRole('link', { name, exact: true }).first().click();
		}
		await page.getByRole('heading', { level: 1, name: `Record ${name}`, exact: true }).waitFor();
		await page.locator('.resolved a').first().waitFor();
	}
	assert.deepEqual(errors, []);
});

test('a record leads to its version, and that to all that it belongs to', async () => {
	const { page, errors } = watched;
	await search(page, `${FIRST}:2.0.0`);
	await page.getByRole('heading', { level: 1, name: `Record ${FIRST}:2.0.0`, exact: true }).waitFor();
	found['record'] = new URL(page.url()).pathname;
	await page.locator('.resolved a').first().click();
	await page.getByRole('heading', { level: 1, name: /^Version hq__/ }).waitFor();
	await page.locator('.facts', { hasText: 'Committed' }).waitFor();
	await page.locator('.title .badge', { hasText: 'head' }).waitFor();
	found['version'] = new URL(page.url()).pathname;
	const parts = found['version'].split('/');
	found['object'] = parts.slice(0, 5).join('/');
	found['tenant'] = `/members/${parts[2]}`;
	found['collection'] = `/tenants/${parts[2]}/collections/names`;
	for (const [name, path] of [['provider', /^\/members\/iprv/], ['node', /^\/providers\//]] as const) {
		const links = await page.locator('.facts a').evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
		found[name] = links.find((link) => path.test(link)) ?? '';
	}
	for (const name of ['object', 'tenant', 'collection', 'provider', 'node']) {
		await visit(page, found[name] ?? '');
		await page.locator('.facts').first().waitFor();
	}
	assert.deepEqual(errors, []);
});

test('the head of an object leads to its other versions', async () => {
	const { page, errors } = watched;
	await visit(page, found['object'] ?? '');
	await page.locator('.timeline li').nth(1).waitFor();
	await page.locator('.timeline li:not(.head) a').first().click();
	await page.getByRole('heading', { level: 1, name: /^Version hq__/ }).waitFor();
	found['other-version'] = new URL(page.url()).pathname;
	await page.locator('.title .badge', { hasText: 'finalized' }).waitFor();
	assert.equal(await page.locator('.title .badge', { hasText: 'head' }).count(), 0);
	assert.deepEqual(errors, []);
});

test('ids with a tenant, and CIDs, lead to their pages from the search and in addresses', async () => {
	const { page, errors } = watched;
	const [, , tenant = '', , object = '', , version = ''] = (found['version'] ?? '').split('/');
	const path = formatObjectPath({ tenant: parseId('tenant', tenant), object: parseId('object', object) });
	for (const [text, address, leadsTo] of [
		[path, `/objects/${path}`, found['object']],
		[cidOf({ version, hash: 'sha256' }), `${found['object']}/versions/${cidOf({ version, hash: 'sha256' })}`, found['version']],
	] as const) {
		await search(page, text);
		assert.equal(new URL(page.url()).pathname, leadsTo);
		const heading = await page.getByRole('heading', { level: 1 }).innerText();
		await visit(page, address);
		await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
		await page.locator('.facts').waitFor();
	}
	await visit(page, `/versions/${cidOf({ version, hash: 'sha256' })}`);
	await page.locator('tbody a', { hasText: tenant.slice(0, 8) }).waitFor();
	assert.deepEqual(errors, []);
});

test('times of a record come from its row, whatever its key says', async () => {
	const { page, errors } = watched;
	const [, , tenant = '', , object = ''] = (found['object'] ?? '').split('/');
	await live.fabric('collection', 'create', tenant, 'late', '--key-type', 'tid', '--yes');
	await live.fabric('record', 'put', tenant, 'late', LATE_KEY, '--object', object, '--yes');
	const records = `/tenants/${tenant}/collections/late/records`;
	await live.indexed(`/v1${records}/${LATE_KEY}`);
	const first = await times(page, `${records}/${LATE_KEY}`);
	assert.equal(first.updated, first.created);
	assert.ok(Math.abs(first.created - Date.now()) < 24 * 3_600_000, new Date(first.created).toISOString());
	await live.fabric('record', 'put', tenant, 'late', LATE_KEY, '--object', object, '--version', found['version']?.split('/').at(-1) ?? '', '--yes');
	await page.locator('.target', { hasText: 'version' }).waitFor();
	const second = await times(page, `${records}/${LATE_KEY}`);
	assert.equal(second.created, first.created);
	assert.ok(second.updated > first.updated);
	assert.deepEqual(errors, []);
});

/** Opens the page of a record. Returns its times, in milliseconds. */
async function times(page: Page, path: string) {
	await visit(page, path);
	const time = async (name: string) =>
		Date.parse((await page.locator('.fact', { hasText: new RegExp(`^${name}`) }).locator('time').getAttribute('datetime')) ?? '');
	return { created: await time('Created'), updated: await time('Updated') };
}

test('ten tabs hold one connection of the feed', { timeout: 60_000 }, async () => {
	const readers = async () => {
		const metrics = await (await fetch(`${live.url}/metrics`)).text();
		return Number(/^fabric_indexer_feed_readers (\d+)/m.exec(metrics)?.[1]);
	};
	await watched.page.goto('about:blank');
	const { page: first, context } = await open(browser, live.url);
	const pages = [first];
	while (pages.length < 10) pages.push(await context.newPage());
	for (const page of pages.slice(1)) await page.goto(live.url);
	await live.fabric('space', 'create', '--name', 'for-ten-tabs', '--governor', ALICE, '--yes');
	const id = await idOf('for-ten-tabs');
	const isShown = (page: Page) => page.locator('.events').getByTitle(id).first().waitFor();
	for (const page of pages) await isShown(page);
	assert.equal(await readers(), 1);
	await context.close();
	const end = Date.now() + 10_000;
	while ((await readers()) !== 0) {
		assert.ok(Date.now() < end, 'the connection stays open');
		await new Promise((done) => setTimeout(done, 100));
	}
});

/** Reads an answer in a page of another site. Returns its status, and the headers that the page sees. */
async function readElsewhere(url: string, request: RequestInit = {}) {
	const site = createServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html>'));
	await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
	const { page, context } = await open(browser, `http://127.0.0.1:${(site.address() as AddressInfo).port}`);
	const answer = await page.evaluate(
		async ([url, request]) => {
			const { status, headers } = await fetch(url, request);
			return { status, headers: Object.fromEntries(headers) };
		},
		[url, request] as const,
	);
	await context.close();
	await new Promise((done) => site.close(done));
	return answer;
}

test('pages of other sites read every header of the index that its documents name', async () => {
	const feed = `${live.url}/v1/feed`;
	const file = await readElsewhere(live.url);
	assert.match(file.headers['etag'] ?? '', /^"\w+(-gzip)?"$/);
	const wrong = await readElsewhere(`${live.url}/v1/status`, { method: 'POST' });
	assert.equal(wrong.status, 405);
	assert.match(wrong.headers['allow'] ?? '', /GET/);
	// As many readers as one address may have.
	const readers = await Promise.all(Array.from({ length: 20 }, () => new Promise<IncomingMessage>((done) => get(feed, { agent: false }, done))));
	const refused = await readElsewhere(feed);
	readers.forEach((reader) => reader.destroy());
	assert.equal(refused.status, 429);
	assert.match(refused.headers['retry-after'] ?? '', /^\d+$/);
	const exposed = (await fetch(live.url)).headers.get('access-control-expose-headers')?.toLowerCase().split(', ');
	assert.deepEqual(exposed?.sort(), ['allow', 'etag', 'retry-after'], 'each of them is read here');
});

test('an unknown id is not found', async () => {
	const { page, errors } = watched;
	const unknown = await idOf('hostile');
	await search(page, unknown);
	await page.getByText('Nothing matches').waitFor();
	await page.goto(`${live.url}/spaces/${unknown}`);
	await page.locator('.missing').first().waitFor();
	assert.deepEqual(errors, []);
});

test('text of the chain does no harm', async () => {
	const { page, errors } = watched;
	await live.fabric('space', 'create', '--name', 'hostile', '--governor', ALICE, '--sla', HOSTILE, '--yes');
	const id = await idOf('hostile');
	await live.indexed(`/v1/spaces/${id}`);
	await search(page, id);
	await page.getByRole('heading', { level: 1, name: `Space ${id}`, exact: true }).waitFor();
	await harmless(page, '<img src=x', 'live-hostile-sla.png');
	// The character that turns text around is shown, not obeyed.
	await page.locator('.escape', { hasText: '\\u{202e}' }).first().waitFor();

	const provider = found['provider']?.split('/').at(-1) ?? '';
	const created = await live.fabric('node', 'create', provider, '--name', 'hostile', '--operator', ALICE, '--locator', HOSTILE_LOCATOR, '--yes');
	found['pending-node'] = `/providers/${provider}/nodes/${/inod\w+/.exec(created)?.[0]}`;
	await page.goto(`${live.url}${found['provider']}`);
	await page.getByRole('row', { name: /pending/ }).waitFor();
	await harmless(page, HOSTILE_LOCATOR, 'live-hostile-locators.png');
	await visit(page, found['pending-node']);
	await harmless(page, HOSTILE_LOCATOR, 'live-hostile-locator.png');
	assert.deepEqual(errors, []);
});

/** Checks that text of the chain is on the page as text. */
async function harmless(page: Page, text: string, screenshot: string) {
	await page.getByText(text, { exact: false }).first().waitFor();
	assert.equal(await page.evaluate(() => 'broken' in window), false);
	assert.equal(await page.locator('main img, main script').count(), 0);
	await page.screenshot({ path: join(folder, screenshot), fullPage: true });
}

test('calls are those that the commands beside them submit', { timeout: 60_000 }, async () => {
	const { page, errors } = watched;
	const compared: string[] = [];
	const compare = async () => {
		for (const line of await unfold(page)) {
			const command = (await line.locator('code').textContent()) ?? '';
			const { call, call_data } = JSON.parse(await live.shell(`${command} --print-call --json`)) as Record<string, string>;
			assert.equal(await line.locator('.mono').getAttribute('title'), call_data, command);
			await line.getByRole('button', { name: `Copy call ${call}`, exact: true }).waitFor();
			compared.push(command.split(' ').slice(1, 3).join(' '));
		}
	};
	for (const name of ['node', 'pending-node', 'object', 'version', 'other-version', 'collection', 'record']) {
		await visit(page, found[name] ?? '');
		await compare();
	}
	for (const name of ['provider', 'tenant']) {
		await visit(page, found[name] ?? '');
		await unfold(page);
		await page.getByLabel('Reason').fill(`it's "late" — $HOME & <b>${HOSTILE}</b>`);
		await page.getByLabel('Reason').press('Enter');
		await page.locator('code', { hasText: 'late' }).first().waitFor();
		await page.locator('.actions').evaluateAll((all) => all.forEach((each) => each.removeAttribute('open')));
		await compare();
	}
	const offered = [
		...['collection delete', 'governance freeze', 'governance purge', 'governance suspend', 'member purge', 'node confirm'],
		...['node remove', 'object delete', 'object set-head', 'record delete', 'version delete'],
	];
	assert.deepEqual([...new Set(compared)].sort(), offered);
	assert.deepEqual(errors, []);
});

test('bytes are shown that a content node serves, and not once it has stopped', { timeout: 120_000 }, async () => {
	const { page, errors } = watched;
	const [provider = '', node = ''] = (found['node'] ?? '').split('/').filter((part) => /^i(prv|nod)/.test(part));
	const url = await live.startStore(provider, node);
	await live.fabric('node', 'set-locator', provider, node, url, '--yes');
	mkdirSync(live.file('site'));
	writeFileSync(live.file('site/page.html'), HOSTILE);
	await live.fabric('put', live.file('site'), '--node', node);
	const id = /hq__\w+/.exec(await live.fabric('verify', live.file('site/page.html')))?.[0];
	assert.ok(id);
	await page.goto(`${live.url}/versions/${id}`);
	await page.locator('tbody a', { hasText: 'hq__' }).first().click();
	await page.locator('.bytes-link').getByText(`${url}/v1/versions/${id}`).waitFor();
	const button = page.getByRole('button', { name: 'Fetch and check' });
	await button.click();
	await page.locator('.content', { hasText: '<script>window.broken=1</script>' }).waitFor();
	assert.equal(await page.evaluate(() => 'broken' in window), false);
	await page.screenshot({ path: join(folder, 'live-bytes.png'), fullPage: true });
	const range = await readElsewhere(`${url}/v1/versions/${id}`, { headers: { Range: 'bytes=0-4' } });
	assert.equal(range.status, 206);
	assert.equal(range.headers['content-range'], `bytes 0-4/${Buffer.byteLength(HOSTILE)}`);
	assert.equal(range.headers['content-length'], '5');
	assert.match(range.headers['etag'] ?? '', /^"[0-9a-f]{64}"$/);
	await live.stopStore();
	await button.click();
	await page.getByText('The bytes could not be fetched').waitFor();
	assert.equal(await page.locator('.content').count(), 0);
	assert.deepEqual(errors, []);
});

/** Returns the uploads of the TypeScript package as a script for pages. */
async function packagedUploads(): Promise<string> {
	const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));
	const built = await build({
		configFile: false,
		logLevel: 'error',
		resolve: { alias: { '@noble/hashes': path('../node_modules/@noble/hashes') } },
		build: { write: false, lib: { entry: path('../../sdk/src/upload.ts'), formats: ['iife'], name: 'fabricUploads' } },
	});
	const [output] = [built].flat();
	assert.ok(output && 'output' in output);
	return output.output[0].code;
}

/** An account of a visitor, whose wallet signs with an ed25519 key. */
function visitor() {
	const { publicKey, privateKey } = generateKeyPairSync('ed25519');
	const key = Buffer.concat([Buffer.of(42), Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url')]);
	const checksum = createHash('blake2b512').update('SS58PRE').update(key).digest().subarray(0, 2);
	const signed: string[] = [];
	const signBytes = (hex: string) => {
		const bytes = Buffer.from(`<Bytes>${Buffer.from(hex, 'hex').toString('latin1')}</Bytes>`, 'latin1');
		signed.push(bytes.toString('latin1'));
		return `0x${sign(null, bytes, privateKey).toString('hex')}` as const;
	};
	return { address: encodeBase58(Buffer.concat([key, checksum])), signBytes, signed };
}

/** Runs the uploads of the package in a page of another origin. Returns the versions, or the error. */
async function uploadElsewhere(to: object, object: string, text: string, who: ReturnType<typeof visitor>) {
	const site = createServer((_, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html>'));
	await new Promise<void>((done) => site.listen(0, '127.0.0.1', done));
	const { page, context } = await open(browser, `http://127.0.0.1:${(site.address() as AddressInfo).port}`);
	const asked: string[] = [];
	page.on('request', (request) => asked.push(`${request.method()} ${new URL(request.url()).pathname.split('/').slice(0, 3).join('/')}`));
	await page.exposeFunction('signBytes', who.signBytes);
	await page.addScriptTag({ content: await packagedUploads() });
	const uploaded = await page.evaluate(
		async ([to, object, text, address]) => {
			const { fabricUploads, signBytes } = window as unknown as {
				fabricUploads: typeof import('../../sdk/src/upload.ts');
				signBytes: (hex: string) => Promise<`0x${string}`>;
			};
			const hex = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
			const account = { address, kind: 'Ed25519' as const, signBytes: (bytes: Uint8Array) => signBytes(hex(bytes)) };
			const genesisHash = Uint8Array.from(to.genesis.match(/\w\w/g) ?? [], (byte) => parseInt(byte, 16));
			const versions = [{ object, data: new TextEncoder().encode(text) as Uint8Array<ArrayBuffer> }];
			try {
				return await fabricUploads.upload({ ...to, genesisHash, account }, versions, { maxAhead: 86_400, partSize: 100_000 });
			} catch (error) {
				return String(error);
			}
		},
		[to as { server: string; genesis: string; provider: string; node: string; tenant: string }, object, text, who.address] as const,
	);
	await context.close();
	await new Promise((done) => site.close(done));
	return { uploaded, asked };
}

test('a page of another site uploads what its visitor signs, after preflight requests', { timeout: 120_000 }, async () => {
	const [provider = '', node = ''] = (found['node'] ?? '').split('/').filter((part) => /^i(prv|nod)/.test(part));
	const tenant = found['tenant']?.split('/').at(-1) ?? '';
	const server = await live.startStore(provider, node);
	const { item } = (await (await fetch(`${live.url}/v1/status`)).json()) as { item: Status };
	const to = { server, genesis: item.genesis.replace('0x', ''), provider, node, tenant };
	const object = /iq__\w+/.exec(await live.fabric('id', 'from-name', 'object', '--tenant', tenant, 'page'))?.[0] ?? '';
	const who = visitor();
	const text = 'bytes of a page, '.repeat(20_000);
	const refused = await uploadElsewhere(to, object, text, who);
	assert.match(String(refused.uploaded), /status 403: .*has no access key in the tenant/);
	await live.fabric('key', 'grant', tenant, who.address, 'content', '--yes');
	who.signed.length = 0;
	const { uploaded, asked } = await uploadElsewhere(to, object, text, who);
	assert.ok(typeof uploaded !== 'string', String(uploaded));
	assert.equal(who.signed.length, 2, 'a request and a commit are signed');
	assert.match(who.signed[0] ?? '', new RegExp(`^<Bytes>content-fabric/request/v1\n.*\nto ${node}\ntenant ${tenant}\n`));
	// The browser asks by itself for leave, which Chromium does not report.
	assert.deepEqual(asked.filter((each) => each.startsWith('PUT')).length, 4);
	const [{ version } = { version: '' }] = uploaded;
	const answer = await readElsewhere(`${server}/v1/versions/${version}`);
	assert.deepEqual([answer.status, answer.headers['content-length']], [200, String(text.length)]);
	// Without a signature, a page learns why and when, and can read the node's time.
	const unsigned = await readElsewhere(`${server}/v1/versions/${version}`, { method: 'PUT', body: text });
	assert.equal(unsigned.status, 401);
	assert.match(unsigned.headers['www-authenticate'] ?? '', /^Fabric time="20/);
	await live.stopStore();
});

for (const [size, viewport] of [['wide', WIDE], ['phone', PHONE]] as const) {
	for (const colorScheme of ['light', 'dark'] as const) {
		test(`screenshots of the chain, ${size} and ${colorScheme}`, { timeout: 60_000 }, async () => {
			const { page, context, errors } = await open(browser, live.url, { viewport, colorScheme });
			const space = await idOf('cargo');
			for (const [name, path] of [...Object.entries(found), ['space', `/spaces/${space}`] as const]) {
				await visit(page, path);
				await unfold(page);
				await page.screenshot({ path: join(folder, `live-${name}-${size}-${colorScheme}.png`), fullPage: true });
			}
			assert.deepEqual(errors, []);
			await context.close();
		});
	}
}

test('a node that hangs is noticed, and one that goes on', async () => {
	const { page } = watched;
	await page.goto(live.url);
	await settled(page);
	live.hang();
	try {
		await page.getByText('The indexer has lost its node.').waitFor({ timeout: STALLED });
		await page.screenshot({ path: join(folder, 'live-stalled.png') });
	} finally {
		live.resume();
	}
	await page.locator('.banner').waitFor({ state: 'detached', timeout: 30_000 });
});

test('a purge is watched to its end', { timeout: 120_000 }, async () => {
	const { page, errors } = watched;
	const tenant = found['tenant']?.split('/').at(-1) ?? '';
	await visit(page, found['tenant'] ?? '');
	await live.fabric('governance', 'purge', tenant, '--slash', '0', '--reason', 'the end', '--yes');
	const bar = page.getByRole('progressbar');
	await bar.waitFor();
	await page.screenshot({ path: join(folder, 'live-purge.png') });
	const complete = page.getByRole('heading', { name: 'Purge complete' });
	const seen = new Set<number>();
	for (const end = Date.now() + 60_000; Date.now() < end && !(await complete.isVisible()); await page.waitForTimeout(100)) {
		seen.add(await bar.evaluate((each: HTMLProgressElement) => each.value / each.max));
	}
	await complete.waitFor();
	seen.add(await bar.evaluate((each: HTMLProgressElement) => each.value / each.max));
	assert.ok([...seen].some((value) => value > 0 && value < 1), `the bar stood at ${[...seen]} only`);
	assert.deepEqual([...seen], [...seen].sort((a, b) => a - b));
	assert.equal([...seen].at(-1), 1);
	await page.screenshot({ path: join(folder, 'live-purge-complete.png') });
	await search(page, FIRST);
	assert.equal(await page.locator('.hits').getByRole('link', { name: FIRST, exact: true }).count(), 0);
	assert.deepEqual(errors, []);
});
