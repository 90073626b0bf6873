// SPDX-License-Identifier: Apache-2.0
/** Actions: commands to run and calls to sign elsewhere. */

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { actions } from '../src/format/actions.ts';
import { launch, NARROW, open, settled } from './support/browser.ts';
import { fullChain, HOSTILE_KEY, IDS } from './support/chain.ts';
import { callOf, Indexer } from './support/server.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const indexer = new Indexer(fullChain());
let browser: Browser;
let origin: string;

before(async () => {
	browser = await launch();
	origin = await indexer.start();
});

after(async () => {
	await browser.close();
	await indexer.stop();
});

const TENANT = `/members/${IDS.tenant}`;
const VERSION = `/tenants/${IDS.tenant}/objects/${IDS.object}/versions/${IDS.version}`;
const RECORD = `/tenants/${IDS.tenant}/collections/names/records/${encodeURIComponent(HOSTILE_KEY)}`;

async function unfold(page: Page, title: string) {
	await settled(page);
	await page.getByText(title, { exact: true }).click();
	const list = page.getByRole('list', { name: title });
	await list.locator('.mono').first().waitFor();
	return list;
}

test('a decision is copied as a command and as a call, with its reason', async () => {
	const { page, context, errors } = await open(browser, origin + TENANT, {
		permissions: ['clipboard-read', 'clipboard-write'],
	});
	const list = await unfold(page, 'Actions of governance');
	await page.getByLabel('Reason').fill("it's <b>spam</b>");
	await page.getByLabel('Reason').press('Enter');
	const line = list.locator('li', { hasText: 'fabric governance suspend' });
	const command = `fabric governance suspend --reason 'it'\\''s <b>spam</b>' ${IDS.tenant}`;
	await line.getByText(command, { exact: true }).waitFor();
	await line.getByRole('button', { name: 'Copy call ContentFabric.set_suspended' }).click();
	await page.getByText('Copied call').waitFor({ state: 'attached' });
	const query = new URLSearchParams({ member: IDS.tenant, reason: "it's <b>spam</b>", enabled: 'true' });
	const expected = callOf(new URL(`/v1/calls/set_suspended?${query}`, origin));
	assert.equal(await page.evaluate(() => navigator.clipboard.readText()), expected);
	assert.deepEqual(errors, []);
	await context.close();
});

test('calls are asked for when they are shown', async () => {
	const { page, context } = await open(browser, origin + VERSION);
	const asked: string[] = [];
	page.on('request', (request) => request.url().includes('/v1/calls/') && asked.push(request.url()));
	await settled(page);
	assert.equal(asked.length, 0);
	await unfold(page, 'Actions');
	assert.ok(asked.some((url) => url.includes('/v1/calls/delete_version?')), asked.join(' '));
	await context.close();
});

test('a call that cannot be encoded leaves the command', async () => {
	const { page, context } = await open(browser, origin + TENANT);
	await settled(page);
	indexer.failure = 503;
	await page.getByText('Actions of governance', { exact: true }).click();
	const list = page.getByRole('list', { name: 'Actions of governance' });
	await list.getByText('The index is being opened.').first().waitFor();
	await list.getByText(/^fabric governance suspend/).waitFor();
	indexer.failure = undefined;
	await context.close();
});

for (const [name, path, title] of [
	['a member', TENANT, 'Actions of governance'],
	['a record with a hostile key', RECORD, 'Actions'],
] as const) {
	for (const colorScheme of ['light', 'dark'] as const) {
		test(`actions of ${name} are accessible in ${colorScheme} colours on a narrow screen`, async () => {
			const { page, context } = await open(browser, origin + path, { colorScheme, bypassCSP: true, viewport: NARROW });
			await unfold(page, title);
			const width = await page.evaluate(() => document.documentElement.scrollWidth);
			assert.ok(width <= NARROW.width, `the page is ${width} pixels wide`);
			await page.addScriptTag({ content: axe });
			const results = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })');
			const serious = results.violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
			assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes[0]?.html]), []);
			await context.close();
		});
	}
}

test('actions follow the state of a member', () => {
	const member = fullChain().members.find(({ id }) => id === IDS.tenant);
	assert.ok(member);
	const titles = (change: Partial<typeof member>) => {
		const changed = { ...member, ...change };
		return [...actions.ofRoot(changed), ...actions.ofGovernance(changed, '')].map(({ title }) => title);
	};
	const healthy = { suspended: false, governanceDelete: false, purge: null, rowCount: 5 } as const;
	assert.deepEqual(titles(healthy), ['Remove all rows', 'Suspend', 'Freeze', 'Delete with all rows']);
	assert.deepEqual(titles({ ...healthy, suspended: true, governanceDelete: true, rowCount: 0 }), [
		'Leave, and release the bond',
		'Resume',
		'Unfreeze',
		'Delete with all rows',
	]);
	assert.deepEqual(titles({ ...healthy, purge: 'member' }), ['Remove rows of the purge']);
	const [reap] = actions.ofRoot({ ...member, purge: 'member' });
	assert.equal(reap?.command, `fabric member reap --limit 1000 ${member.id}`);
	assert.equal(reap?.call, `/v1/calls/reap?member=${member.id}&limit=1000`);
});
