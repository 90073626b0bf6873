// SPDX-License-Identifier: Apache-2.0
/** Several tabs of one browser, which share a connection of the feed. */

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { launch, open, settled, until } from './support/browser.ts';
import { event, fullChain, IDS } from './support/chain.ts';
import { Indexer } from './support/server.ts';

/** More tabs than the connections that browsers open to one server over HTTP/1.1. */
const MANY = 10;

let browser: Browser;
let indexer: Indexer;
let origin: string;

before(async () => {
	browser = await launch();
});

beforeEach(async () => {
	indexer = new Indexer(fullChain());
	origin = await indexer.start();
});

afterEach(async () => {
	await Promise.all(browser.contexts().map((context) => context.close()));
	await indexer.stop();
});

after(() => browser.close());

const put = (key: string) => (number: number) =>
	[event(number, 'RecordPut', { tenant: IDS.tenant, collection: 'names', key, target: { object: IDS.object, version: null } })];

/** The tabs of one browser, and the one that connected to the feed last. */
class Tabs {
	readonly pages: Page[] = [];
	readonly context: BrowserContext;
	last: Page | undefined;

	private constructor(context: BrowserContext) {
		this.context = context;
		context.on('request', (request) => {
			if (new URL(request.url()).pathname === '/v1/feed') this.last = request.frame().page();
		});
	}

	/** Opens tabs with the overview, one after the other. */
	static async open(count: number, script = ''): Promise<Tabs> {
		const { context, page } = await open(browser, 'about:blank');
		const tabs = new Tabs(context);
		await context.addInitScript(script);
		for (let opened = 0; opened < count; opened++) {
			const tab = opened === 0 ? page : await context.newPage();
			tabs.pages.push(tab);
			await tab.goto(origin);
			await settled(tab);
		}
		await until(() => indexer.feedReaders > 0);
		return tabs;
	}

	/** Returns the tabs besides the one that holds the connection. */
	get others(): Page[] {
		return this.pages.filter((page) => page !== this.last);
	}
}

/** Does as the browser does when a tab goes to the background or comes back. */
async function show(page: Page, state: 'visible' | 'hidden'): Promise<void> {
	await page.evaluate((state) => {
		Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
		document.dispatchEvent(new Event('visibilitychange'));
	}, state);
}

/** Has a tab count the events that its feed brings. */
async function pause(page: Page): Promise<void> {
	await page.getByRole('button', { name: 'Pause' }).click();
}

/** Waits until a tab is at a block. Then it must have counted so many events. */
async function counted(page: Page, block: number, events: number): Promise<void> {
	await page.locator('.tiles').getByRole('link', { name: block.toLocaleString('en') }).waitFor();
	const text = await page.getByText(/new events?$/).innerText();
	assert.equal(text, `${events} new event${events === 1 ? '' : 's'}`);
}

test('ten tabs load, hear of each event, and hold one connection', async () => {
	const { pages } = await Tabs.open(MANY);
	const number = indexer.block(put('for-all-tabs'));
	for (const page of pages) {
		await page.getByText('for-all-tabs').waitFor();
		await page.locator('.tiles').getByRole('link', { name: number.toLocaleString('en') }).waitFor();
	}
	assert.equal(indexer.feedReaders, 1);
	assert.equal(indexer.feedRequests.length, 1);
});

for (const [how, end] of [
	['is closed', (page: Page) => page.close()],
	[
		'crashes',
		async (page: Page) => {
			const session = await page.context().newCDPSession(page);
			const crashed = page.waitForEvent('crash');
			// A tab that crashes does not answer.
			void session.send('Page.crash').catch(() => undefined);
			await crashed;
		},
	],
] as const) {
	test(`another tab takes over when the one with the connection ${how}, without losing or doubling events`, async () => {
		const tabs = await Tabs.open(3);
		for (const page of tabs.pages) await pause(page);
		const before = indexer.block(put('before'));
		for (const page of tabs.pages) await counted(page, before, 1);
		const { last: holder, others } = tabs;
		assert.ok(holder && others.length === 2);
		await end(holder);
		indexer.block(put('between'));
		await until(() => indexer.feedRequests.length === 2 && indexer.feedReaders === 1);
		const after = indexer.block(put('after'));
		for (const page of others) await counted(page, after, 3);
		assert.ok(tabs.last && others.includes(tabs.last));
		assert.equal(indexer.feedReaders, 1);
	});
}

test('tabs that are all hidden hold no connection, and the first one shown again has missed nothing', async () => {
	const { pages } = await Tabs.open(3);
	const [first, second] = pages as [Page, Page];
	for (const page of pages) await pause(page);
	const number = indexer.block();
	for (const page of pages) await page.locator('.tiles').getByRole('link', { name: number.toLocaleString('en') }).waitFor();
	for (const page of pages) await show(page, 'hidden');
	await until(() => indexer.feedReaders === 0);
	indexer.block(put('while-hidden'));
	const latest = indexer.block(put('and-another'));
	assert.equal(indexer.feedReaders, 0);
	await show(second, 'visible');
	await counted(second, latest, 2);
	assert.match(indexer.feedRequests.at(-1) ?? '', new RegExp(`^${number}-0x`));
	assert.equal(await first.getByText('new event').count(), 0);
	assert.equal(indexer.feedReaders, 1);
});

test('a tab that begins to read behind the others does not repeat events to them', async () => {
	const tabs = await Tabs.open(2);
	const [page] = tabs.others;
	assert.ok(page);
	await pause(page);
	const numbers = [indexer.block(put('one')), indexer.block(put('two'))];
	await counted(page, numbers[1]!, 2);
	const repeated = indexer.log.map((message, at) => ({ ...message, after: indexer.log[at - 1]?.id })).slice(1);
	await page.evaluate((messages) => {
		const channel = new BroadcastChannel('content-fabric-feed-1');
		for (const message of messages) channel.postMessage(message);
	}, repeated);
	const latest = indexer.block(put('three'));
	await counted(page, latest, 3);
});

test('a tab that is shown while another holds the connection catches up from that one', async () => {
	const tabs = await Tabs.open(2);
	const [hidden] = tabs.others;
	assert.ok(hidden);
	await show(hidden, 'hidden');
	indexer.block(put('missed'));
	await tabs.last?.getByText('missed').waitFor();
	assert.equal(await hidden.getByText('missed').count(), 0);
	await show(hidden, 'visible');
	await hidden.getByText('missed').waitFor();
	const number = indexer.block(put('next'));
	await hidden.getByText('next').waitFor();
	await hidden.locator('.tiles').getByRole('link', { name: number.toLocaleString('en') }).waitFor();
	assert.equal(indexer.feedRequests.length, 1);
});

test('a tab that is hidden for a moment does not load its data again', async () => {
	const tabs = await Tabs.open(2);
	const [hidden] = tabs.others;
	assert.ok(hidden);
	await show(hidden, 'hidden');
	const asked: string[] = [];
	hidden.on('request', (request) => asked.push(request.url()));
	await show(hidden, 'visible');
	const status = hidden.waitForRequest(/\/v1\/status/);
	indexer.block(put('next'));
	await hidden.getByText('next').waitFor();
	await status;
	assert.equal(asked.filter((url) => url.includes('/v1/events')).length, 0);
});

test('a feed whose last message expired starts again for all tabs', async () => {
	const { pages } = await Tabs.open(3);
	indexer.block();
	indexer.feedFailure = 410;
	indexer.chain.status.totals.records = 9_999;
	indexer.dropFeeds();
	indexer.block();
	for (const page of pages) await page.getByText('9,999').waitFor();
	assert.equal(indexer.feedReaders, 1);
});

for (const [where, script] of [
	['on pages that are not secure', "Object.defineProperty(window, 'isSecureContext', { value: false })"],
	['where storage is blocked', "navigator.locks.request = () => Promise.reject(new DOMException('denied', 'SecurityError'))"],
] as const) {
	test(`tabs hold a connection each while they are visible ${where}`, async () => {
		const { pages } = await Tabs.open(2, script);
		const [first, second] = pages as [Page, Page];
		await until(() => indexer.feedReaders === 2);
		await show(first, 'hidden');
		await until(() => indexer.feedReaders === 1);
		await pause(second);
		indexer.block(put('one'));
		const latest = indexer.block(put('two'));
		await counted(second, latest, 2);
		await show(first, 'visible');
		await first.getByText('two').waitFor();
	});
}
