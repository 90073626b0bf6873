// SPDX-License-Identifier: Apache-2.0
/** Each page in a browser, with a chain that tries to do harm. */

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';
import { launch, NARROW, open, settled } from './support/browser.ts';
import { emptyChain, fullChain, HOSTILE, HOSTILE_KEY, IDS, LATE_KEY } from './support/chain.ts';
import { PAGES } from './support/pages.ts';
import { Indexer } from './support/server.ts';
import { BUDGET } from '../build/budget.ts';
import { routes } from '../src/format/routes.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const indexer = new Indexer(fullChain());
let browser: Browser;
let origin: string;

before(async () => {
	browser = await launch();
	origin = await indexer.start();
});

beforeEach(() => {
	indexer.chain = fullChain();
	indexer.failure = undefined;
});

after(async () => {
	await browser.close();
	await indexer.stop();
});

for (const [name, path, heading] of PAGES) {
	test(`${name} renders with its heading and without errors`, async () => {
		const { page, context, errors } = await open(browser, origin + path);
		await settled(page);
		await page.getByRole('heading', { level: 1, name: heading, exact: true }).waitFor();
		assert.equal(await page.locator('.failure').count(), 0, 'no request failed');
		assert.equal(await page.locator('.missing').count(), 0, 'its subject exists');
		assert.match(await page.title(), / · Content Fabric$/);
		assert.equal(await page.evaluate(() => 'broken' in window), false, 'no script of the chain ran');
		assert.equal(await page.locator('main img, main script').count(), 0);
		assert.deepEqual(errors, []);
		await context.close();
	});

	test(`${name} fits a screen of 320 pixels`, async () => {
		const { page, context } = await open(browser, origin + path, { viewport: NARROW });
		await settled(page);
		const width = await page.evaluate(() => document.documentElement.scrollWidth);
		assert.ok(width <= NARROW.width, `the page is ${width} pixels wide`);
		await context.close();
	});

	for (const colorScheme of ['light', 'dark'] as const) {
		test(`${name} is accessible in ${colorScheme} colours`, async () => {
			// The policy of the pages forbids the script of axe; the other tests keep the policy.
			const { page, context } = await open(browser, origin + path, { colorScheme, bypassCSP: true });
			await settled(page);
			await page.addScriptTag({ content: axe });
			const results = await page.evaluate<AxeResults>('axe.run(document, { resultTypes: ["violations"] })');
			const serious = results.violations
				.filter(({ impact }) => impact === 'serious' || impact === 'critical')
				.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html).join(' ')}`);
			assert.deepEqual(serious, []);
			await context.close();
		});
	}
}

test('axe finds an image without a text', async () => {
	const { page, context } = await open(browser, origin, { bypassCSP: true });
	await settled(page);
	await page.evaluate(() => document.querySelector('main')?.append(new Image()));
	await page.addScriptTag({ content: axe });
	const results = await page.evaluate<AxeResults>('axe.run(document)');
	assert.ok(results.violations.some(({ id }) => id === 'image-alt'));
	await context.close();
});

test('text of the chain is shown with escapes', async () => {
	const { page, context } = await open(browser, `${origin}/spaces/${IDS.space}`);
	const sla = page.locator('.fact', { hasText: 'SLA' });
	await sla.waitFor();
	const text = await sla.innerText();
	assert.ok(text.includes('<img src=x onerror="window.broken=1">'), text);
	assert.ok(text.includes('\\u{7}\\u{202e}gnp.exe\\u{202c}'), text);
	assert.ok(!(await page.locator('body').innerText()).includes('\u202e'));
	assert.ok(HOSTILE.includes('\u202e'));
	await page.goto(`${origin}/providers/${IDS.provider}/nodes/${IDS.pendingNode}`);
	await page.locator('bdi .escape').first().waitFor();
	await page.goto(`${origin}/tenants/${IDS.tenant}/collections/names/records/${encodeURIComponent(HOSTILE_KEY)}`);
	await page.locator('h1 bdi .escape').waitFor();
	assert.ok(!(await page.title()).includes('\u202e'));
	await context.close();
});

for (const [what, path] of [
	['space', `/spaces/ispcUnknown`],
	['tenant', `/members/${IDS.unknown}`],
	['node', `/providers/${IDS.provider}/nodes/inodUnknown`],
	['content object', `/tenants/${IDS.tenant}/objects/iq__Unknown`],
	['version', `/tenants/${IDS.tenant}/objects/${IDS.object}/versions/hq__Unknown`],
	['collection', `/tenants/${IDS.tenant}/collections/unknown`],
	['record', `/tenants/${IDS.tenant}/collections/names/records/unknown`],
	['block', '/blocks/99999999'],
] as const) {
	test(`an unknown ${what} is said to be missing`, async () => {
		const { page, context, errors } = await open(browser, origin + path);
		await page.getByText(`There is no such ${what} in the index.`).waitFor();
		assert.deepEqual(errors, []);
		await context.close();
	});
}

test('a path with a malformed escape shows a page', async () => {
	const { page, context, errors } = await open(browser, `${origin}/members/%zz`);
	await page.locator('h1').waitFor();
	assert.deepEqual(errors, []);
	await context.close();
});

for (const [what, path, heading] of [
	['the id of an object with its tenant', `/objects/${IDS.path}`, /^Content object iq__2N/],
	['that id below a tenant', `/tenants/${IDS.tenant}/objects/${IDS.path}`, /^Content object iq__2N/],
	['a CID', `/versions/${IDS.cid}`, /^Version hq__6Zs6/],
	['a CID below an object', `/tenants/${IDS.tenant}/objects/${IDS.object}/versions/${IDS.cid}`, /^Version hq__6Zs6/],
	['the hash of a version', `/versions/0x${IDS.versionHash}`, /^Version hq__6Zs6/],
] as const) {
	test(`an address with ${what} shows its page`, async () => {
		const { page, context, errors } = await open(browser, origin + path);
		await settled(page);
		await page.getByRole('heading', { level: 1, name: heading }).waitFor();
		assert.equal(await page.locator('.missing, .failure').count(), 0);
		await page.getByText(IDS.object.slice(0, 8)).first().waitFor();
		assert.deepEqual(errors, []);
		await context.close();
	});
}

for (const path of ['/versions/', `/tenants/${IDS.tenant}/objects/${IDS.object}/versions/`, '/search?q=']) {
	test(`a CID of another kind of hash is said to be one at ${path}`, async () => {
		const { page, context, errors } = await open(browser, origin + path + IDS.blake3Cid);
		await page.getByText(`is a SHA-256 hash, so its CID is ${IDS.cid}`, { exact: false }).first().waitFor();
		assert.equal(await page.locator('tbody').count(), 0);
		assert.deepEqual(errors, []);
		await context.close();
	});
}

test('times of a record come from its row, whatever its key says', async () => {
	const record = indexer.chain.records.find(({ key }) => key === LATE_KEY)!;
	record.createdAt = Date.UTC(2025, 2, 14, 11, 30);
	record.updatedAt = Date.UTC(2026, 5, 1, 10);
	const { page, context, errors } = await open(browser, `${origin}/tenants/${IDS.tenant}/collections/runs`);
	const row = page.locator('tbody tr', { hasText: LATE_KEY });
	const times = () => row.locator('time').evaluateAll((all) => all.map((time) => time.getAttribute('datetime')));
	await row.waitFor();
	assert.deepEqual(await times(), ['2025-03-14T11:30:00.000Z', '2026-06-01T10:00:00.000Z']);
	assert.deepEqual(await page.locator('thead th').allInnerTexts(), ['Record', 'Leads to', 'Created', 'Updated']);
	await row.locator('a').first().click();
	await page.locator('.fact', { hasText: /^Created/ }).getByText('14 Mar 2025, 12:30:00').waitFor();
	await page.locator('.fact', { hasText: /^Updated/ }).getByText('1 Jun 2026, 12:00:00').waitFor();
	assert.ok(!(await page.content()).includes('2255'));
	assert.deepEqual(errors, []);
	await context.close();
});

test('the largest size is shown with all its digits', async () => {
	const size = '18446744073709551615';
	const exact = '18,446,744,073,709,551,615 bytes';
	indexer.chain.versions.find(({ isHead }) => isHead)!.size = size;
	indexer.chain.status.indexBytes = size;
	const { page, context, errors } = await open(browser, origin + routes.version(IDS.tenant, IDS.object, IDS.version));
	await page.locator('.fact', { hasText: /^Size/ }).getByText(exact).waitFor();
	for (const path of [routes.object(IDS.tenant, IDS.object), routes.record(IDS.tenant, 'names', 'serde'), '/']) {
		await page.goto(origin + path);
		assert.equal(await page.getByTitle(exact).innerText(), '16 EiB');
	}
	assert.deepEqual(errors, []);
	await context.close();
});

test('a node shows what audits have found, as a chart and as a table', async () => {
	const path = `${origin}/providers/${IDS.provider}/nodes/${IDS.node}`;
	const fact = (page: Page, name: string) => page.locator('.fact', { hasText: name });
	const { page, context } = await open(browser, path);
	await fact(page, 'Last audit').getByText('right', { exact: true }).waitFor();
	await fact(page, 'Right audits').getByText('98%').waitFor();
	await fact(page, 'Right audits').getByText('501 of 510 audits in the last 30 days').waitFor();
	await page.getByRole('img', { name: 'Results of 510 audits in the last 30 days: 501 right, 2 wrong, 3 late, 4 refused.' }).waitFor();
	// Bars of three days: right and wrong, right, late and refused, right.
	assert.equal(await page.locator('.chart .bar').count(), 6);
	await page.getByText('Table', { exact: true }).click();
	const rows = page.getByRole('table', { name: 'Audits by day' }).getByRole('row');
	assert.equal(await rows.count(), 4);
	assert.match(await rows.nth(2).innerText(), /^\d{4}-\d\d-\d\d\s+281\s+0\s+3\s+4\s+97%$/);
	const found = indexer.chain.nodes[0]!.audit!;
	for (const [result, status, shown] of [
		['wrong', null, 'wrong'],
		['late', null, 'late'],
		['refused', 404, 'refused with 404'],
		['refused', null, 'refused'],
	] as const) {
		indexer.chain.nodes[0]!.audit = { ...found, last: { ...found.last, result, status }, isFailing: true, failingCopies: 2 };
		await page.goto(path);
		await fact(page, 'Last audit').getByText(shown, { exact: true }).waitFor();
		await fact(page, 'Last audit').getByText('2 failing copies').waitFor();
	}
	indexer.chain.nodes[0]!.audit = { ...found, right: 0, wrong: 0, late: 0, refused: 0, share: null, days: [] };
	await page.goto(path);
	await page.getByText('There was no audit in the last 30 days.').waitFor();
	assert.equal(await page.getByText('No node is audited now').count(), 0);
	indexer.chain.status.auditsPaused = 'the node hangs';
	await page.goto(path);
	await fact(page, 'Last audit').getByText('No node is audited now: the node hangs').waitFor();
	indexer.chain.status.auditsPaused = null;
	await page.goto(`${origin}/providers/${IDS.provider}/nodes/${IDS.pendingNode}`);
	await page.getByText('This index has not asked the node').waitFor();
	indexer.chain.nodes[0]!.audit = found;
	await context.close();
});

test('tenants and providers show their copies at risk', async () => {
	for (const [id, heads] of [
		[IDS.tenant, 5],
		[IDS.provider, 6],
	] as const) {
		const { page, context } = await open(browser, `${origin}/members/${id}`);
		const table = page.getByRole('table', { name: 'Copies at risk' });
		await table.getByText('asked', { exact: true }).waitFor();
		assert.equal(await table.getByRole('columnheader').count(), heads);
		await page.getByRole('group', { name: 'State of copies' }).getByText('Failing').click();
		await table.getByText('wrong', { exact: true }).waitFor();
		await context.close();
	}
});

test('a version and its object say that no node holds the data any more', async () => {
	const version = indexer.chain.versions.find(({ isHead }) => isHead)!;
	const [held, asked] = version.copies;
	const { page, context, errors } = await open(browser, 'about:blank');
	for (const [isLost, copies, listed, states] of [
		[true, [{ ...held!, state: 'gone' }, asked!], 'lost', ['gone', 'asked']],
		[false, [{ ...held!, state: 'gone' }, { ...asked!, state: 'held' }], '1 copy', ['gone', 'held']],
	] as const) {
		Object.assign(version, { isLost, copies });
		await page.goto(origin + routes.version(IDS.tenant, IDS.object, IDS.version));
		const fact = page.locator('.fact', { hasText: /^Copies/ });
		await fact.locator('div').nth(1).waitFor();
		const shown = await fact.locator('div').allInnerTexts();
		assert.deepEqual(shown.map((text) => /, (\w+)/.exec(text)?.[1]), states);
		assert.equal(await fact.getByText('No node holds the data any more.').count(), isLost ? 1 : 0);
		await page.goto(origin + routes.object(IDS.tenant, IDS.object));
		await page.locator('.timeline li.head').getByText(listed, { exact: true }).waitFor();
		assert.equal(await page.locator('.timeline').getByText('lost', { exact: true }).count(), isLost ? 1 : 0);
	}
	assert.deepEqual(errors, []);
	await context.close();
});

test('an empty chain has pages without rows', async () => {
	indexer.chain = emptyChain();
	const { page, context, errors } = await open(browser, origin);
	await page.getByText('No events yet.').waitFor();
	await page.getByText('Nothing has changed in this time.').waitFor();
	await page.goto(`${origin}/spaces`);
	await page.getByText('This chain has no spaces yet.').waitFor();
	await page.goto(`${origin}/governance`);
	await page.getByText('Governance has not acted yet.').waitFor();
	await page.goto(`${origin}/purges`);
	await page.getByText('No purge is running.').waitFor();
	assert.deepEqual(errors, []);
	await context.close();
});

test('governance shows each act with its reason and the creation of its member', async () => {
	const { page, context } = await open(browser, `${origin}/governance`);
	const row = (text: string) => page.getByRole('table', { name: 'Acts of governance' }).getByRole('row', { name: text });
	for (const [act, reason] of [
		['row deleted', 'a court order'],
		['suspended', 'unpaid since May'],
		['deleted by governance', 'unlawful content'],
	] as const) {
		const cells = await row(act).filter({ hasText: reason }).innerText();
		assert.match(cells, /[0-9A-F]{5,}…/, act);
	}
	for (const act of ['was nominated as the root of', 'The admission of', 'was admitted to', 'became the governor of', 'The rules of']) {
		await row(act).waitFor();
	}
	await context.close();
});

test('a failure is shown, and trying again mends it', async () => {
	indexer.failure = 503;
	const { page, context } = await open(browser, `${origin}/spaces`);
	const alert = page.getByRole('alert');
	await alert.getByText('The index is being opened.').waitFor();
	indexer.failure = undefined;
	await alert.getByRole('button', { name: 'Try again' }).click();
	await page.getByRole('table', { name: 'Spaces' }).waitFor();
	assert.equal(await alert.count(), 0);
	await context.close();
});

test('the fault of an address is shown, and not to be tried again', async () => {
	indexer.failure = 400;
	const { page, context } = await open(browser, `${origin}/spaces`);
	await page.getByRole('alert').first().waitFor();
	assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
	indexer.failure = undefined;
	await context.close();
});

test('the copy button copies the whole id and says so', async () => {
	const { page, context } = await open(browser, `${origin}/members/${IDS.tenant}`, {
		permissions: ['clipboard-read', 'clipboard-write'],
	});
	await settled(page);
	const root = page.locator('.fact', { hasText: /^Root/ });
	assert.equal(await root.locator('a').innerText(), '5FLSigC9…S59Y');
	await root.getByRole('button', { name: 'Copy account' }).click();
	await page.getByText('Copied account').waitFor({ state: 'attached' });
	assert.equal(await page.evaluate(() => navigator.clipboard.readText()), IDS.tenantRoot);
	await context.close();
});

test('the collection loads more records, and filters them by prefix', async () => {
	const { page, context } = await open(browser, `${origin}/tenants/${IDS.tenant}/collections/names`);
	const rows = page.locator('tbody tr');
	await rows.nth(49).waitFor();
	assert.equal(await rows.count(), 50);
	const more = page.getByRole('button', { name: 'Load more' });
	await more.click();
	await rows.nth(99).waitFor();
	await more.click();
	await rows.nth(122).waitFor();
	assert.equal(await rows.count(), 123);
	await more.waitFor({ state: 'detached' });
	const keys = await rows.locator('th').allInnerTexts();
	assert.equal(new Set(keys).size, 123, 'no record is listed twice');

	await page.getByLabel('Names that begin with').fill('serde');
	await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 3);
	await page.getByRole('button', { name: 'Last updated first' }).click();
	await rows.nth(49).waitFor();
	assert.equal(await page.getByLabel('Names that begin with').inputValue(), '');
	await context.close();
});

test('the search leads to the only thing of that name', async () => {
	const { page, context } = await open(browser, origin);
	await settled(page);
	const box = page.getByRole('searchbox', { name: /^Search/ });
	await box.fill(IDS.tenant);
	await box.press('Enter');
	await page.waitForURL(`${origin}/members/${IDS.tenant}`);
	await box.fill('serde');
	await box.press('Enter');
	await page.waitForURL(`${origin}/tenants/${IDS.tenant}/collections/names/records/serde`);
	await box.fill(IDS.path);
	await box.press('Enter');
	await page.waitForURL(`${origin}/tenants/${IDS.tenant}/objects/${IDS.object}`);
	await box.fill(IDS.cid);
	await box.press('Enter');
	await page.waitForURL(`${origin}/tenants/${IDS.tenant}/objects/${IDS.object}/versions/${IDS.version}`);
	await box.fill('serd');
	await box.press('Enter');
	await page.waitForURL(`${origin}/search?q=serd`);
	await page.locator('.hits li').first().waitFor();
	assert.equal(await page.locator('.hits li').count(), 3);
	await box.fill('nothing of that name');
	await box.press('Enter');
	await page.getByText('Nothing matches').waitFor();
	await context.close();
});

test('a name leads to its version by the keyboard alone', async () => {
	const { page, context, errors } = await open(browser, origin);
	await settled(page);
	await page.keyboard.press('Tab');
	assert.equal(await page.evaluate(() => document.activeElement?.textContent?.trim()), 'Skip to the content');
	await page.keyboard.press('Enter');
	assert.equal(await page.evaluate(() => document.activeElement?.tagName), 'MAIN');
	await page.keyboard.press('/');
	await page.keyboard.type('serde');
	await page.keyboard.press('Enter');
	await page.waitForURL(/\/records\/serde$/);
	await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
	await page.locator('.resolved').waitFor();
	await page.keyboard.press('Tab');
	assert.equal(await page.evaluate(() => document.activeElement?.closest('.resolved') !== null), true);
	await page.keyboard.press('Enter');
	await page.getByRole('heading', { level: 1, name: /^Version hq__6Zs6/ }).waitFor();
	await page.waitForFunction(() => document.activeElement?.tagName === 'H1');
	assert.deepEqual(errors, []);
	await context.close();
});

test('the slash is typed into fields', async () => {
	const { page, context } = await open(browser, `${origin}/tenants/${IDS.tenant}/collections/names`);
	const filter = page.getByLabel('Names that begin with');
	await filter.focus();
	await page.keyboard.type('a/b');
	assert.equal(await filter.inputValue(), 'a/b');
	await context.close();
});

test('the first view takes less than a second and fits the budget', async () => {
	indexer.sentBytes = 0;
	const { page, context } = await open(browser, 'about:blank');
	await page.goto(origin, { waitUntil: 'commit' });
	await page.getByRole('heading', { level: 1, name: 'Development' }).waitFor();
	await page.locator('.tiles').waitFor();
	const shown = await page.evaluate(() => performance.now());
	assert.ok(shown < 1_000, `the chain is shown after ${Math.round(shown)} ms`);
	assert.ok(indexer.sentBytes > 0 && indexer.sentBytes <= BUDGET, `${indexer.sentBytes} bytes were sent`);
	const foreign = await page.evaluate(
		(own) => performance.getEntriesByType('resource').filter(({ name }) => !name.startsWith(own) && !name.startsWith('data:')).length,
		origin,
	);
	assert.equal(foreign, 0, 'nothing is loaded from elsewhere');
	await context.close();
});
