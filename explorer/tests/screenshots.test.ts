// SPDX-License-Identifier: Apache-2.0
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launch, open, PHONE, settled, WIDE } from './support/browser.ts';
import { emptyChain, fullChain, IDS } from './support/chain.ts';
import { PAGES } from './support/pages.ts';
import { Indexer } from './support/server.ts';

const folder = process.env['EXPLORER_SCREENSHOTS'] ?? fileURLToPath(new URL('../screenshots', import.meta.url));
let browser: Browser;
const indexer = new Indexer(fullChain());
let origin: string;

before(async () => {
	mkdirSync(folder, { recursive: true });
	browser = await launch();
	origin = await indexer.start();
});

after(async () => {
	await browser.close();
	await indexer.stop();
});

for (const [size, viewport] of [['wide', WIDE], ['phone', PHONE]] as const) {
	for (const colorScheme of ['light', 'dark'] as const) {
		test(`screenshots, ${size} and ${colorScheme}`, async () => {
			const { page, context } = await open(browser, origin, { viewport, colorScheme });
			for (const [name, path] of PAGES) {
				await page.goto(origin + path);
				await settled(page);
				await page.screenshot({ path: join(folder, `${name}-${size}-${colorScheme}.png`), fullPage: true });
			}
			await context.close();
		});
	}
}

test('screenshots of states', async () => {
	const { page, context } = await open(browser, `${origin}/members/${IDS.unknown}`);
	await settled(page);
	await page.screenshot({ path: join(folder, 'missing.png') });
	indexer.failure = 503;
	await page.goto(`${origin}/spaces`);
	await page.getByRole('alert').waitFor();
	indexer.chain.status.node.finalized += 12;
	await page.getByText('12 blocks behind.').waitFor();
	await page.screenshot({ path: join(folder, 'failure.png') });
	indexer.failure = undefined;
	indexer.chain = emptyChain();
	await page.goto(origin);
	await page.getByText('No events yet.').waitFor();
	await page.screenshot({ path: join(folder, 'empty-chain.png'), fullPage: true });
	await context.close();
});
