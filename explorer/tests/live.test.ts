/**
 * Tests with a chain and its index: the programs in the folder EXPLORER_PROGRAMS, which publish the lock
 * file EXPLORER_LOCKFILE. SEED repeats the choice of names of another run. The tests build on each other.
 */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { HOSTILE } from './support/chain.ts';
import { launch, open, PHONE, settled, WIDE, type Watched } from './support/browser.ts';
import { Live } from './support/live.ts';

const folder = process.env['EXPLORER_SCREENSHOTS'] ?? fileURLToPath(new URL('../screenshots', import.meta.url));
const seed = process.env['SEED'] ?? String(Math.floor(Math.random() * 2 ** 32));
/** Names of the lock file that are looked for. */
const NAMES = 40;
/** Packages besides those of the lock file, so that a purge takes several blocks. */
const MORE = 4_000;
/** What the explorer says within 12 seconds of a node that hangs. */
const STALLED = 12_000;

let live: Live;
let browser: Browser;
let watched: Watched;
let names: string[];

before(async () => {
	const programs = process.env['EXPLORER_PROGRAMS'];
	const lockfile = process.env['EXPLORER_LOCKFILE'];
	assert.ok(programs && lockfile, 'EXPLORER_PROGRAMS and EXPLORER_LOCKFILE are set');
	console.log(`SEED=${seed}`);
	mkdirSync(folder, { recursive: true });
	live = await Live.start(programs);
	const text = readFileSync(lockfile, 'utf8');
	writeFileSync(live.file('Cargo.lock'), text + packages(MORE));
	names = choose([...new Set([...text.matchAll(/^name = "(.+)"\nversion = ".+"\nsource = "registry/gm)].map(([, name]) => name ?? ''))]);
	browser = await launch();
	watched = await open(browser, live.url);
});

after(async () => {
	await watched?.context.close();
	await browser?.close();
	await live?.stop();
});

/** Returns packages of a lock file. */
function packages(count: number): string {
	const one = (number: number) =>
		`\n[[package]]\nname = "more-${number}"\nversion = "1.0.0"\n` +
		`source = "registry+https://github.com/rust-lang/crates.io-index"\nchecksum = "${number.toString(16).padStart(64, 'a')}"\n`;
	return Array.from({ length: count }, (_, number) => one(number)).join('');
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
	const figure = page.locator('.tiles .figure').first();
	const before = await figure.innerText();
	await live.fabric('publish', live.file('Cargo.lock'), '--wait', 'finalized');
	assert.notEqual(await figure.innerText(), before);
	await page.locator('.events').getByText(/was put$/).first().waitFor();
	assert.deepEqual(errors, []);
});

test('every name that is looked for leads to its record', { timeout: 180_000 }, async () => {
	const { page, errors } = watched;
	assert.equal(names.length, NAMES);
	for (const name of names) {
		await search(page, name);
		if (new URL(page.url()).pathname === '/search') {
			await page.locator('.hits').getByRole('link', { name, exact: true }).first().click();
		}
		await page.getByRole('heading', { level: 1, name: `Record ${name}`, exact: true }).waitFor();
		await page.locator('.resolved a').first().waitFor();
	}
	assert.deepEqual(errors, []);
});

test('a record leads to its version, whose call a wallet can take', async () => {
	const { page, errors } = watched;
	await page.locator('.resolved a').first().click();
	await page.getByRole('heading', { level: 1, name: /^Version hq__/ }).waitFor();
	await page.locator('.facts', { hasText: 'Committed' }).waitFor();
	await page.getByText('Actions', { exact: true }).click();
	const call = page.getByRole('list', { name: 'Actions' }).locator('.mono').first();
	await call.waitFor();
	assert.match((await call.getAttribute('title')) ?? '', /^0x[0-9a-f]{100,}$/);
	assert.deepEqual(errors, []);
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
	const governor = '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY';
	await live.fabric('space', 'create', '--name', 'hostile', '--governor', governor, '--sla', HOSTILE, '--yes');
	const id = await idOf('hostile');
	await search(page, id);
	await page.getByRole('heading', { level: 1, name: `Space ${id}`, exact: true }).waitFor();
	await page.getByText('<img src=x', { exact: false }).first().waitFor();
	assert.equal(await page.evaluate(() => 'broken' in window), false);
	assert.equal(await page.locator('main img, main script').count(), 0);
	await page.screenshot({ path: join(folder, 'live-hostile.png'), fullPage: true });
	assert.deepEqual(errors, []);
});

for (const [size, viewport] of [['wide', WIDE], ['phone', PHONE]] as const) {
	for (const colorScheme of ['light', 'dark'] as const) {
		test(`screenshots of the chain, ${size} and ${colorScheme}`, async () => {
			const { page, context, errors } = await open(browser, live.url, { viewport, colorScheme });
			await settled(page);
			await page.screenshot({ path: join(folder, `live-overview-${size}-${colorScheme}.png`), fullPage: true });
			await page.goto(watched.page.url().replace(/\/members\/.*/, '/spaces'));
			await settled(page);
			await page.getByRole('link', { name: /^ispc/ }).first().click();
			await settled(page);
			await page.screenshot({ path: join(folder, `live-space-${size}-${colorScheme}.png`), fullPage: true });
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
	const [name] = names;
	await search(page, name ?? '');
	const tenant = /iten\w+/.exec(page.url())?.[0] ?? (await page.locator('.hits a').first().getAttribute('href'))?.split('/')[2];
	await page.goto(`${live.url}/members/${tenant}`);
	await settled(page);
	await live.fabric('governance', 'purge', tenant ?? '', '--slash', '0', '--reason', 'the end', '--yes');
	await page.getByRole('progressbar').waitFor();
	await page.screenshot({ path: join(folder, 'live-purge.png') });
	await page.getByRole('heading', { name: 'Purge complete' }).waitFor({ timeout: 60_000 });
	await search(page, name ?? '');
	assert.equal(await page.locator('.hits').getByRole('link', { name: name ?? '', exact: true }).count(), 0);
	assert.deepEqual(errors, []);
});
