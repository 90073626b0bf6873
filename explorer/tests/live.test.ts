/** Tests against an indexer with a chain, at EXPLORER_URL. Skipped without it. */

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launch, open, settled, type Watched } from './support/browser.ts';
import type { List, One, Purge, Status } from '../src/api/types.ts';

const url = process.env['EXPLORER_URL']?.replace(/\/$/, '');
/** Keys of records that the chain has. */
const names = (process.env['EXPLORER_NAMES'] ?? '').split(',').filter((name) => name !== '');
const folder = process.env['EXPLORER_SCREENSHOTS'] ?? fileURLToPath(new URL('../screenshots', import.meta.url));
const skip = url === undefined && 'EXPLORER_URL is not set';

let browser: Browser;
let watched: Watched;

before(async () => {
	if (url === undefined) return;
	mkdirSync(folder, { recursive: true });
	browser = await launch();
	watched = await open(browser, url);
});

after(async () => {
	await watched?.context.close();
	await browser?.close();
});

async function get<T>(path: string): Promise<T> {
	const answer = await fetch(url + path);
	assert.equal(answer.status, 200, `${path} is answered`);
	return (await answer.json()) as T;
}

test('the overview shows the chain and its blocks', { skip }, async () => {
	const { page, errors } = watched;
	const { item } = await get<One<Status>>('/v1/status');
	await page.getByRole('heading', { level: 1, name: item.chain, exact: true }).waitFor();
	const head = Number((await page.locator('.tiles .figure').first().innerText()).replaceAll(',', ''));
	assert.ok(head >= item.best.number, `block ${head} is shown, the status names ${item.best.number}`);
	await page.screenshot({ path: join(folder, 'live-overview.png'), fullPage: true });
	assert.deepEqual(errors, []);
});

test('the head moves without a reload', { skip }, async () => {
	const { page } = watched;
	const figure = page.locator('.tiles .figure').first();
	const before = await figure.innerText();
	await page.waitForFunction((text) => document.querySelector('.tiles .figure')?.textContent !== text, before, {
		timeout: 60_000,
	});
});

for (const name of names) {
	test(`the search finds ${name}, which leads to a version`, { skip }, async () => {
		const { page, errors } = watched;
		await page.goto(`${url}/`);
		await page.keyboard.press('/');
		await page.keyboard.type(name);
		await page.keyboard.press('Enter');
		await page.waitForURL((at) => at.pathname !== '/');
		await settled(page);
		if (new URL(page.url()).pathname === '/search') {
			await page.locator('.hits').getByRole('link', { name, exact: true }).first().click();
		}
		await page.getByRole('heading', { level: 1, name: `Record ${name}`, exact: true }).waitFor();
		await page.locator('.resolved a').first().click();
		await page.getByRole('heading', { level: 1, name: /^Version hq__/ }).waitFor();
		await page.locator('.facts', { hasText: 'Committed' }).waitFor();
		await page.screenshot({ path: join(folder, 'live-version.png'), fullPage: true });
		assert.deepEqual(errors, []);
	});
}

test('a running purge ends', { skip }, async (context) => {
	const { items } = await get<List<Purge>>('/v1/purges');
	const [purge] = items;
	if (purge === undefined) return context.skip('no purge is running');
	const { page } = watched;
	await page.goto(`${url}/members/${purge.member}`);
	await page.getByRole('progressbar').waitFor();
	await page.getByRole('heading', { name: 'Purge complete' }).waitFor({ timeout: 300_000 });
});
