// SPDX-License-Identifier: Apache-2.0
/** The browser of the tests: Debian's Chromium with an empty profile. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';

export const WIDE = { width: 1280, height: 800 };
export const PHONE = { width: 390, height: 844 };
/** The narrowest screen that the pages support. */
export const NARROW = { width: 320, height: 640 };

export async function launch(): Promise<Browser> {
	return chromium.launch({
		executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium',
		args: [
			'--headless',
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
		],
	});
}

/**
 * A page that remembers its errors: exceptions, and whatever the content security policy refused.
 */
export interface Watched {
	page: Page;
	context: BrowserContext;
	errors: string[];
}

/** Opens `url` in a new context. */
export async function open(
	browser: Browser,
	url: string,
	options: Parameters<Browser['newContext']>[0] = {},
): Promise<Watched> {
	const context = await browser.newContext({ viewport: WIDE, locale: 'en-GB', timezoneId: 'Europe/Zurich', ...options });
	context.setDefaultTimeout(10_000);
	const page = await context.newPage();
	const errors: string[] = [];
	page.on('pageerror', (error) => errors.push(String(error)));
	page.on('console', (message) => {
		// A refused request is logged too; pages show it to the reader.
		if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) errors.push(message.text());
	});
	await page.goto(url);
	return { page, context, errors };
}

/** Waits until the page has a heading and nothing is loading. */
export async function settled(page: Page): Promise<void> {
	await page.locator('h1').waitFor();
	await page.waitForFunction(() => document.querySelector('.loading') === null);
}

/** Waits until the server has seen something. */
export async function until(condition: () => boolean): Promise<void> {
	const end = Date.now() + 10_000;
	while (!condition()) {
		if (Date.now() >= end) throw new Error('waited for 10 s');
		await new Promise((done) => setTimeout(done, 20));
	}
}

/** Returns a folder that is removed when the process ends. */
export function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'explorer-'));
	process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
	return folder;
}
