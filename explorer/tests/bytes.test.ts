// SPDX-License-Identifier: Apache-2.0
/** Bytes of versions, from nodes that serve them, do not answer, or lie. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { createServer, type ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import { blake3 } from '@noble/hashes/blake3.js';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { cidOf, type HashKind } from '../../sdk/src/ids/cid.ts';
import { formatId } from '../../sdk/src/ids/entity.ts';
import { encoder } from '../../sdk/tests/support/encode.ts';
import { contentOf } from '../src/format/sniff.ts';
import { addressOf, mediaOf, typeOf } from '../src/media/source.ts';
import { launch, NARROW, open, settled } from './support/browser.ts';
import { fullChain, HOSTILE, IDS } from './support/chain.ts';
import { Indexer } from './support/server.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const MOST = 1 << 20;
/** A picture of one pixel. */
const PNG = Buffer.from(
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==',
	'base64',
);
const TEXT = Buffer.from(`${HOSTILE}\r\nsecond line\n`);

const indexer = new Indexer(fullChain());
const asked: string[] = [];
let answer: (response: ServerResponse, method: string, url: string) => void;
const node = createServer(({ method = '', url = '' }, response) => {
	asked.push(`${method} ${url}`);
	answer(response, method, url);
});
let browser: Browser;
let origin: string;
let locator: string;

before(async () => {
	browser = await launch();
	origin = await indexer.start();
	await new Promise<void>((done) => node.listen(0, '127.0.0.1', done));
	locator = `/ip4/127.0.0.1/tcp/${(node.address() as AddressInfo).port}/http`;
});

beforeEach(() => {
	indexer.chain = fullChain();
	asked.length = 0;
});

after(async () => {
	await browser.close();
	await indexer.stop();
	node.closeAllConnections();
	await new Promise((done) => node.close(done));
});

const CORS = { 'Access-Control-Allow-Origin': '*' };
const sends = (data: Uint8Array) => (response: ServerResponse) => response.writeHead(200, CORS).end(data);
/** Sends the groups that are asked for, with the hashes that prove them. */
const proves = (data: Uint8Array, encode = encoder(data)) => (response: ServerResponse, _: string, url: string) => {
	const [first, last] = ['first', 'last'].map((name) => new URLSearchParams(url.split('?')[1]).get(name) ?? undefined);
	response.writeHead(200, CORS).end(encode(Number(first ?? 0), last === undefined ? undefined : Number(last)));
};

/** Puts a version on the chain, and opens its page. Its node has `at` as its locator. */
async function visit(data: Uint8Array, size: number | bigint | null, at = locator, options: Parameters<typeof open>[2] = {}, hash: HashKind = 'sha256') {
	const { versions, nodes } = indexer.chain;
	const id = formatId('version', hash === 'blake3' ? blake3(data) : createHash('sha256').update(data).digest());
	versions.push({ ...versions[1]!, id, hash, cid: cidOf({ version: id, hash }), size: size === null ? null : String(size), isHead: false, kms: null });
	nodes[0]!.locator = at;
	const watched = await open(browser, `${origin}/tenants/${IDS.tenant}/objects/${IDS.object}/versions/${id}`, options);
	await settled(watched.page);
	return { ...watched, id };
}

async function press(page: Page, name = 'Fetch and check') {
	await page.getByRole('button', { name }).click();
	await page.waitForFunction(() => !/^((Asking|Checking).*)?$/.test(document.querySelector('.answer')?.textContent ?? ''));
	const said = page.locator('.answer:not(.player)');
	return { said: await said.innerText(), tone: (await said.getAttribute('class'))?.split(' ')[1] };
}

const isShown = async (page: Page) => (await page.locator('.content, .picture').count()) > 0;

test('text is shown as text, once it has been asked for and its hash is right', async () => {
	answer = sends(TEXT);
	const { page, context, errors, id } = await visit(TEXT, TEXT.length);
	const link = page.locator('.bytes-link a');
	assert.equal(await link.getAttribute('href'), `http://127.0.0.1:${locator.split('/')[4]}/v1/versions/${id}`);
	assert.deepEqual(asked, [], 'the node is not asked before the reader wants it');
	const { said, tone } = await press(page);
	assert.equal(said, `The node ${IDS.node} answered, with ${TEXT.length} bytes whose hash is the version.`);
	assert.equal(tone, 'good');
	assert.deepEqual(asked, [`GET /v1/versions/${id}`]);
	const shown = await page.locator('.content').textContent();
	assert.equal(shown, '<img src=x onerror="window.broken=1"><script>window.broken=1</script>\\u{7}\\u{202e}gnp.exe\\u{202c} & more\nsecond line\n');
	assert.equal(await page.evaluate(() => 'broken' in window), false);
	assert.equal(await page.locator('main img, main script').count(), 0);
	assert.deepEqual(errors, []);
	await context.close();
});

test('bytes are checked by the kind of hash that the version is', async () => {
	answer = proves(TEXT);
	const right = await visit(TEXT, TEXT.length, locator, {}, 'blake3');
	assert.equal((await press(right.page)).tone, 'good');
	assert.deepEqual(asked, [`GET /v1/versions/${right.id}/verified`]);
	assert.match(await right.page.locator('main').innerText(), /BLAKE3[^]*bafkr4i/);
	await right.context.close();
	const other = Buffer.from('other bytes than the node sends');
	const wrong = await visit(other, TEXT.length, locator, {}, 'blake3');
	assert.equal((await press(wrong.page)).tone, 'bad');
	assert.equal(await isShown(wrong.page), false);
	await wrong.context.close();
});

test('a picture is shown as the type that its bytes have', async () => {
	answer = (response) => response.writeHead(200, { ...CORS, 'Content-Type': 'text/html' }).end(PNG);
	const { page, context, errors } = await visit(PNG, null);
	assert.equal((await press(page)).tone, 'good');
	const picture = page.locator('.picture');
	assert.match((await picture.getAttribute('src')) ?? '', /^blob:/);
	await page.waitForFunction(() => document.querySelector<HTMLImageElement>('.picture')?.naturalWidth === 1);
	assert.deepEqual(errors, []);
	await context.close();
});

test('bytes that do not match the version are never shown', async () => {
	answer = sends(Buffer.from('another text'));
	const { page, context } = await visit(TEXT, TEXT.length);
	assert.deepEqual(await press(page), {
		said: `The node ${IDS.node} answered with wrong bytes: the hash of its bytes is not the version. They are not shown.`,
		tone: 'bad',
	});
	assert.equal(await isShown(page), false);
	// A node that has been mended is asked anew.
	answer = sends(TEXT);
	assert.equal((await press(page)).tone, 'good');
	assert.equal(await isShown(page), true);
	await context.close();
});

test('a node that sends more than the chain has is wrong, and is not read to its end', async () => {
	let sent = 0;
	answer = (response) => {
		const more = () => {
			while (!response.destroyed && response.write(Buffer.alloc(65_536, 'a'))) sent += 65_536;
		};
		response.writeHead(200, CORS).on('drain', more);
		more();
	};
	const known = await visit(TEXT, TEXT.length);
	assert.equal((await press(known.page)).tone, 'bad');
	await known.context.close();

	const unknown = await visit(Buffer.from('of unknown size'), null);
	const { said, tone } = await press(unknown.page);
	assert.equal(said, 'A node sent more than 1.0 MiB, which is too large for this page. The bytes were not checked.');
	assert.equal(tone, 'warn');
	assert.equal(await isShown(unknown.page), false);
	assert.ok(sent < 64 * MOST, `${sent} bytes were sent`);
	await unknown.context.close();
});

test('exactly 1 MiB is shown, and of more only the size is asked for', async () => {
	const whole = Buffer.alloc(MOST, 'a');
	answer = sends(whole);
	const small = await visit(whole, MOST);
	assert.equal((await press(small.page)).tone, 'good');
	assert.equal((await small.page.locator('.content').textContent())?.length, MOST);
	await small.context.close();

	const larger = Buffer.alloc(MOST + 1, 'a');
	const length = (bytes: number | string) => (response: ServerResponse, method: string) => {
		response.writeHead(200, { ...CORS, 'Content-Length': bytes }).end(method === 'HEAD' ? undefined : larger);
	};
	asked.length = 0;
	const { page, context, id } = await visit(larger, larger.length);
	answer = length(larger.length);
	assert.deepEqual(await press(page, 'Ask the node'), {
		said: 'The node answered: it has the version. Its bytes were not fetched, and not checked.',
		tone: 'good',
	});
	assert.deepEqual(asked, [`HEAD /v1/versions/${id}`]);
	await page.getByText(`fabric get ${id}`).waitFor();
	answer = length(5);
	assert.deepEqual(await press(page, 'Ask the node'), {
		said: 'The node has 5 bytes, but the chain declares 1,048,577.',
		tone: 'bad',
	});
	await context.close();

	// The double-precision numbers nearest to these are equal.
	const huge = await visit(Buffer.from('huge'), 2n ** 53n);
	answer = length('9007199254740993');
	assert.deepEqual(await press(huge.page, 'Ask the node'), {
		said: 'The node has 9,007,199,254,740,993 bytes, but the chain declares 9,007,199,254,740,992.',
		tone: 'bad',
	});
	await huge.context.close();
});

test('a large BLAKE3 version is checked while it arrives, and saved, by the nodes that are right', async () => {
	const data = Buffer.from(Uint8Array.from({ length: 2 * MOST + 1 }, (_, i) => i % 251));
	const whole = encoder(data)();
	const wrong = whole.slice();
	wrong[MOST]! ^= 1;
	const honest = proves(data);
	const second = indexer.chain.nodes[1]!;
	second.locator = locator;
	indexer.chain.versions[1]!.copies[1]!.state = 'held';
	// The first node is left at its first wrong group.
	answer = (response, ...asked) => (asked[1].includes('first=') ? honest(response, ...asked) : sends(wrong)(response));
	const { page, context, id, errors } = await visit(data, data.length, locator, {}, 'blake3');
	assert.deepEqual(asked, []);
	const saved = page.waitForEvent('download');
	const { said, tone } = await press(page, 'Check and download');
	assert.equal(said, `The node ${second.id} answered, with 2,097,153 bytes whose hash is the version. They are saved as ${id}.`);
	assert.equal(tone, 'good');
	const file = await saved;
	assert.equal(file.suggestedFilename(), id);
	assert.ok(readFileSync(await file.path()).equals(data));
	const at = Number(/verified\?first=(\d+)$/.exec(asked[1] ?? '')?.[1]);
	assert.ok(at > 1_000_000 && at % 16_384 === 0, asked.join());
	assert.equal(asked.length, 2);
	assert.equal(await page.locator('progress').count(), 0);

	// With nobody who is right, nothing is saved.
	answer = sends(wrong);
	const failure = await press(page, 'Check and download');
	assert.equal(failure.tone, 'bad');
	assert.match(failure.said, new RegExp(`${IDS.node} answered with wrong bytes: it sends bytes ${at} to [^]*${second.id} answered with wrong bytes`));
	assert.deepEqual(errors, []);
	await context.close();
});

/** A sound of so many seconds: noise, so that no two groups are the same. */
function sound(seconds: number): Buffer {
	const rate = 48_000;
	const samples = Buffer.from(Uint8Array.from({ length: 2 * rate * seconds }, (_, i) => (i * i) >> 5));
	const head = Buffer.alloc(44);
	head.write('RIFF\0\0\0\0WAVEfmt ', 'latin1');
	head.writeUInt32LE(36 + samples.length, 4);
	head.writeUInt32LE(16, 16);
	head.writeUInt16LE(1, 20);
	head.writeUInt16LE(1, 22);
	head.writeUInt32LE(rate, 24);
	head.writeUInt32LE(2 * rate, 28);
	head.writeUInt16LE(2, 32);
	head.writeUInt16LE(16, 34);
	head.write('data', 36);
	head.writeUInt32LE(samples.length, 40);
	return Buffer.concat([head, samples]);
}

test('audio is played from ranges that are checked, and a wrong range ends it', async () => {
	const seconds = 60;
	const data = sound(seconds);
	const encode = encoder(data);
	const honest = proves(data, encode);
	answer = honest;
	const { page, context, errors } = await visit(data, data.length, locator, {}, 'blake3');
	const play = async () => {
		await page.getByRole('button', { name: 'Check and play' }).click();
		const player = page.locator('video');
		await player.evaluate((video: HTMLVideoElement) => video.pause());
		return player;
	};
	const player = await play();
	await page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2);
	assert.equal(Math.round(await player.evaluate((video: HTMLVideoElement) => video.duration)), seconds);
	assert.match(await page.locator('.player').innerText(), new RegExp(`checked, the last of them from ${IDS.node}`));
	// Near the end: what lies between is not fetched.
	const before = asked.length;
	const seek = (to: number) => player.evaluate((video: HTMLVideoElement, to) => (video.currentTime = to), to);
	const late = seconds - 5;
	await seek(late);
	await page.waitForFunction((late) => {
		const video = document.querySelector('video');
		return video?.seeking === false && video.currentTime === late && video.readyState >= 2;
	}, late);
	const firsts = asked.slice(before).map((each) => Number(/first=(\d+)/.exec(each)?.[1] ?? 0));
	assert.ok(firsts.some((first) => first > 0.8 * data.length), asked.join());
	assert.ok(asked.every((each) => each.includes('/verified')), asked.join());
	// Whoever opens the address of a player gets no document from those bytes.
	const address = (await player.getAttribute('src')) ?? '';
	const opened = await open(browser, origin + address);
	assert.equal(await opened.page.evaluate(() => document.contentType), 'text/html');
	await opened.context.close();

	assert.deepEqual(errors, []);
	await context.close();

	// The first bytes are right, and what the player asks for is not.
	const other = sound(10);
	const right = proves(other);
	answer = (response, method, url) => (/last=11$/.test(url) ? right : sends(data))(response, method, url);
	const wrong = await visit(other, other.length, locator, {}, 'blake3');
	await wrong.page.getByRole('button', { name: 'Check and play' }).click();
	await wrong.page.getByText(`${IDS.node} answered with wrong bytes`).waitFor();
	assert.equal(await wrong.page.locator('video').count(), 0);
	await wrong.context.close();
});

test('a video is played', async () => {
	// Made by the browser itself.
	const maker = await open(browser, `${origin}/spaces`);
	const made = await maker.page.evaluate(async () => {
		const canvas = Object.assign(document.createElement('canvas'), { width: 64, height: 48 });
		const context = canvas.getContext('2d');
		const recorder = new MediaRecorder(canvas.captureStream(20), { mimeType: 'video/webm;codecs=vp8' });
		const parts: Blob[] = [];
		recorder.ondataavailable = ({ data }) => parts.push(data);
		const stopped = new Promise((done) => (recorder.onstop = done));
		recorder.start();
		for (let frame = 0; frame < 20; frame++) {
			context?.fillRect(frame, frame, 9, 9);
			await new Promise((done) => setTimeout(done, 50));
		}
		recorder.stop();
		await stopped;
		return Array.from(new Uint8Array(await new Blob(parts).arrayBuffer()));
	});
	await maker.context.close();
	const data = Buffer.from(made);
	answer = proves(data);
	const { page, context, errors } = await visit(data, data.length, locator, {}, 'blake3');
	await page.getByRole('button', { name: 'Check and play' }).click();
	await page.waitForFunction(() => document.querySelector('video')?.videoWidth === 64);
	assert.deepEqual(errors, []);
	await context.close();
	// Other bytes are not played.
	answer = proves(TEXT);
	const text = await visit(TEXT, TEXT.length, locator, {}, 'blake3');
	await text.page.getByRole('button', { name: 'Check and play' }).click();
	await text.page.getByText('These bytes are not video or audio').waitFor();
	await text.context.close();
});

test('a node that refuses, or does not answer, is said to', async () => {
	answer = (response) => response.writeHead(404, CORS).end('{"error":"the node does not have it"}');
	const { page, context } = await visit(TEXT, TEXT.length);
	assert.deepEqual(await press(page), {
		said: `The node ${IDS.node} does not serve the bytes: it answers with status 404.`,
		tone: 'warn',
	});
	const silent = /^The bytes could not be fetched from inod\w+: it does not answer, or the connection was cut/;
	for (const odd of [
		(response: ServerResponse) => response.destroy(),
		(response: ServerResponse) => response.writeHead(302, { ...CORS, Location: '/elsewhere' }).end(),
		// It does not let pages of other sites read.
		(response: ServerResponse) => response.end(TEXT),
	]) {
		answer = odd;
		const { said, tone } = await press(page);
		assert.match(said, silent);
		assert.equal(tone, 'warn');
	}
	assert.ok(!asked.some((each) => each.includes('elsewhere')), 'a redirect is not followed');
	assert.equal(await isShown(page), false);
	await context.close();
});

test('only http and https locators become links', async () => {
	for (const at of ['javascript:alert(1)//', 'data:text/html,x', '/ip4/127.0.0.1/tcp/30333', HOSTILE]) {
		indexer.chain = fullChain();
		const { page, context } = await visit(TEXT, TEXT.length, at);
		await page.getByText('names no HTTP server').waitFor();
		assert.equal(await page.locator('.bytes-link').count(), 0);
		assert.equal(await page.getByRole('button', { name: /Fetch|Ask/ }).count(), 0);
		await context.close();
	}
	indexer.chain = fullChain();
	indexer.chain.versions[1]!.copies[0]!.node = 'inodGone';
	const { page, context } = await visit(TEXT, TEXT.length);
	await page.getByText('The node is not on the chain any more').waitFor();
	await context.close();
});

test('a page that cannot hash fetches nothing', async () => {
	answer = sends(TEXT);
	const { page, context } = await visit(TEXT, TEXT.length);
	await page.evaluate(() => Object.defineProperty(crypto, 'subtle', { value: undefined }));
	const { said, tone } = await press(page);
	assert.match(said, /on pages from https or localhost/);
	assert.equal(tone, 'warn');
	assert.deepEqual(asked, []);
	await context.close();
});

for (const colorScheme of ['light', 'dark'] as const) {
	test(`bytes are accessible in ${colorScheme} colours on a narrow screen`, async () => {
		for (const [data, sent] of [[TEXT, TEXT], [PNG, PNG], [TEXT, PNG]] as const) {
			indexer.chain = fullChain();
			answer = sends(sent);
			const { page, context } = await visit(data, null, locator, { colorScheme, bypassCSP: true, viewport: NARROW });
			await press(page);
			const width = await page.evaluate(() => document.documentElement.scrollWidth);
			assert.ok(width <= NARROW.width, `the page is ${width} pixels wide`);
			await page.addScriptTag({ content: axe });
			const results = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })');
			const serious = results.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
			assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes[0]?.html]), []);
			await context.close();
		}
	});
}

test('the first bytes decide the type', () => {
	const kind = (text: string) => {
		const content = contentOf(Uint8Array.from(Buffer.from(text, 'latin1')));
		return content.kind === 'picture' ? content.picture.type : content.kind;
	};
	assert.equal(kind('\x89PNG\r\n\x1a\n…'), 'image/png');
	assert.equal(kind('\xff\xd8\xff\xe0'), 'image/jpeg');
	assert.equal(kind('GIF89a'), 'image/gif');
	assert.equal(kind('RIFF\x00\x01\x02\x03WEBPVP8 '), 'image/webp');
	// Documents that can hold scripts are text, and others are not shown.
	assert.equal(kind('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'text');
	assert.equal(kind('<!doctype html>'), 'text');
	assert.equal(kind(''), 'text');
	for (const other of ['RIFF\x00\x01\x02\x03WAVEfmt ', '\x89PNG', 'a\x00b', '\xc3\x28', '\x7fELF\x02\x01\x01']) {
		assert.equal(kind(other), 'other', JSON.stringify(other));
	}
});

test('the first bytes decide what is played, and an address says all that a worker needs', () => {
	const type = (text: string) => typeOf(Uint8Array.from(Buffer.from(text, 'latin1')));
	for (const [start, expected] of [
		['\0\0\0\x20ftypisom', 'video/mp4'],
		['\x1aE\xdf\xa3', 'video/webm'],
		['OggS\0', 'video/ogg'],
		['RIFF\x01\x02\x03\x04WAVE', 'audio/wav'],
		['fLaC', 'audio/flac'],
		['ID3\x04', 'audio/mpeg'],
		['\xff\xfb\x90', 'audio/mpeg'],
		['\xff\xd8\xff', undefined],
		['RIFF\x01\x02\x03\x04WEBP', undefined],
		['<html>', undefined],
		['', undefined],
	] as const) {
		assert.equal(type(start), expected, JSON.stringify(start));
	}
	const media = { version: 'hq__1', size: 7, type: 'audio/wav', holders: [{ node: 'a&b', locator: 'https://c?d=e#f' }, { node: 'g', locator: undefined }] };
	const at = (address: string) => mediaOf(new URL(address, 'https://explorer'));
	assert.deepEqual(at(addressOf(media)), media);
	for (const other of ['/', '/media/hq__1?size=x&type=audio/wav', '/media/hq__1?size=7&type=text/html', '/assets/x?size=7&type=audio/wav']) assert.equal(at(other), undefined, other);
});
