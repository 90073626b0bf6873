// SPDX-License-Identifier: Apache-2.0
/** The pages while the chain moves and stalls. */

import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launch, open, settled, until } from './support/browser.ts';
import { event, fullChain, IDS } from './support/chain.ts';
import { Indexer } from './support/server.ts';

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

test('the overview follows the head without a reload', async () => {
	const { page, errors } = await open(browser, origin);
	await settled(page);
	const number = indexer.block(put('fresh-record'));
	await page.locator('.tiles').getByRole('link', { name: number.toLocaleString('en') }).waitFor();
	await page.locator('.events li', { hasText: 'fresh-record' }).waitFor();
	await page.locator('.tiles').getByText('1 block ahead').waitFor();
	assert.equal(await page.getByRole('status').filter({ hasText: 'behind' }).count(), 0);
	assert.deepEqual(errors, []);
});

test('the list of events pauses and resumes', async () => {
	const { page } = await open(browser, origin);
	await settled(page);
	await page.getByRole('button', { name: 'Pause' }).click();
	indexer.block(put('while-paused'));
	await page.getByText('1 new event').waitFor();
	assert.equal(await page.getByText('while-paused').count(), 0);
	await page.getByRole('button', { name: 'Resume' }).click();
	await page.getByText('while-paused').waitFor();
});

test('a page loads its data again only if a block touches its subject', async () => {
	const { page } = await open(browser, `${origin}/members/${IDS.tenant}`);
	await page.getByText('4,656').waitFor();
	const asked: string[] = [];
	page.on('request', (request) => asked.push(new URL(request.url()).pathname));
	const status = page.waitForResponse(/\/v1\/status/);
	indexer.block((number) => [event(number, 'MaxHeldSet', { member: IDS.provider, max_held: '1' })]);
	await status;
	assert.deepEqual(
		asked.filter((path) => path.includes('/members/')),
		[],
	);
	indexer.chain.members[1]!.rowCount = 4_657;
	indexer.block(put('one-more'));
	await page.getByText('4,657').waitFor();
});

test('rows that did not change keep the focus', async () => {
	const { page } = await open(browser, `${origin}/tenants/${IDS.tenant}/collections/names`);
	const link = page.locator('tbody a', { hasText: 'package-000' });
	await link.focus();
	indexer.chain.records.unshift({ ...indexer.chain.records[0]!, key: '000-first', name: '000-first' });
	indexer.block(put('000-first'));
	await page.getByText('000-first').waitFor();
	assert.equal(await page.evaluate(() => document.activeElement?.textContent), 'package-000');
});

test('a node that runs ahead of the index is shown within 12 seconds', async () => {
	const { page } = await open(browser, `${origin}/spaces`);
	await settled(page);
	indexer.chain.status.node.finalized += 12;
	await page.getByText('12 blocks behind.').waitFor({ timeout: 12_000 });
	indexer.chain.status.node.finalized -= 12;
	await page.getByText('12 blocks behind.').waitFor({ state: 'detached' });
});

test('a chain whose finality stalls is shown', async () => {
	const { page } = await open(browser, origin);
	await settled(page);
	await page.locator('.tiles').getByText('2 blocks ahead').waitFor();
	assert.equal(await page.getByText('Finality stalls.').count(), 0);
	indexer.chain.status.node.best += 20;
	await page.getByText('Finality stalls.').waitFor();
	await page.locator('.tiles').getByText('22 blocks ahead').waitFor();
	indexer.chain.status.node.best -= 20;
	await page.getByText('Finality stalls.').waitFor({ state: 'detached' });
});

test('an indexer that lost its node is shown', async () => {
	const { page } = await open(browser, `${origin}/spaces`);
	await settled(page);
	indexer.chain.status.node.connected = false;
	await page.getByText('The indexer has lost its node.').waitFor();
});

test('a node whose chain was begun anew is shown', async () => {
	const { page } = await open(browser, origin);
	await settled(page);
	Object.assign(indexer.chain.status.node, { begunAnew: true, best: 3, finalized: 1 });
	await page.getByText('The node has another chain.').waitFor();
	await page.locator('.tiles').getByText('other chain').waitFor();
});

test('an indexer that went silent is shown within 12 seconds', async () => {
	const { page } = await open(browser, `${origin}/spaces`);
	await settled(page);
	indexer.beating = false;
	await page.getByText(/^No news since \d\d:\d\d:\d\d/).waitFor({ timeout: 12_000 });
	indexer.beating = true;
	await page.getByText(/^No news since/).waitFor({ state: 'detached' });
});

test('the feed continues after its last message', async () => {
	const { page } = await open(browser, origin);
	await settled(page);
	const number = indexer.block(put('before-the-break'));
	await page.getByText('before-the-break').waitFor();
	indexer.dropFeeds();
	await until(() => indexer.feedRequests.length === 2);
	assert.match(indexer.feedRequests[1] ?? '', new RegExp(`^${number}-0x`));
});

test('a feed whose last message expired starts again without it', async () => {
	const { page } = await open(browser, `${origin}/members/${IDS.tenant}`);
	await page.getByText('4,656').waitFor();
	indexer.block();
	indexer.feedFailure = 410;
	indexer.chain.members[1]!.rowCount = 5_000;
	indexer.dropFeeds();
	indexer.block();
	await until(() => indexer.feedRequests.length === 3);
	assert.equal(indexer.feedRequests[2], undefined);
	// Messages may have been missed, so the page loads its data again.
	await page.getByText('5,000').waitFor();
});

test('a page loads its data again if a block came before the feed was opened', async () => {
	const { page } = await open(browser, 'about:blank');
	let openFeed = () => {};
	const late = new Promise<void>((done) => (openFeed = done));
	await page.route('**/v1/feed*', async (route) => {
		await late;
		await route.continue();
	});
	await page.goto(`${origin}/members/${IDS.tenant}`);
	await page.getByText('4,656').waitFor();
	indexer.chain.members[1]!.rowCount = 4_657;
	indexer.block(put('missed'));
	assert.equal(indexer.feedRequests.length, 0);
	openFeed();
	await page.getByText('4,657').waitFor();
});

test('the overview does not call an index up to date that lost its node', async () => {
	const { page } = await open(browser, origin);
	await page.locator('.tiles').getByText('up to date').waitFor();
	indexer.chain.status.node.connected = false;
	await page.locator('.tiles').getByText('no node').waitFor();
});

test('the progress bar of a purge moves to its end', async () => {
	const { page, errors } = await open(browser, `${origin}/members/${IDS.purged}`);
	const bar = page.getByRole('progressbar');
	await bar.waitFor();
	const value = () => bar.evaluate((element) => (element as HTMLProgressElement).value);
	assert.equal(await value(), 600);
	// Rows that are being removed are not listed, and not said to be missing.
	await page.locator('.facts').waitFor();
	assert.equal(await page.getByRole('heading', { name: 'Collections' }).count(), 0);
	const [purge] = indexer.chain.purges;
	for (const rowsLeft of [900, 400]) {
		Object.assign(purge!, { rowsLeft, blocksLeft: rowsLeft / 100 });
		indexer.block((number) => [event(number, 'PurgeProgressed', { member: IDS.purged, removed: 500, rows_left: rowsLeft })]);
		await page.waitForFunction((left) => document.querySelector('progress')?.value === 2_000 - left, rowsLeft);
	}
	// The block time has been measured by now.
	await page.getByText(/About \d+ s left, 4 blocks\./).waitFor();
	indexer.chain.purges = [];
	indexer.chain.members = indexer.chain.members.filter((member) => member.id !== IDS.purged);
	indexer.block((number) => [event(number, 'Purged', { member: IDS.purged, space: IDS.space, created: '' })]);
	await page.getByRole('heading', { name: 'Purge complete' }).waitFor();
	assert.equal(await value(), 2_000);
	await page.getByText('All rows are removed.').waitFor();
	await page.getByText('There is no such tenant in the index.').waitFor();
	assert.deepEqual(errors, []);
});
