// SPDX-License-Identifier: Apache-2.0
/** Data of a page: loaded when its path changes, and again when the chain changes it. */

import { batch, createEffect, createSignal, on, onCleanup, untrack, type Accessor } from 'solid-js';
import { ApiError, asApiError, get, withQuery } from './client.ts';
import { answered } from './feed.ts';
import { onTouched, type Touches } from './touches.ts';
import type { At, List, One } from './answers.ts';

/** The state of a request. Data stays while it is loaded again. */
export interface Query<T> {
	data: Accessor<T | undefined>;
	at: Accessor<At | undefined>;
	error: Accessor<ApiError | undefined>;
	loading: Accessor<boolean>;
	retry: () => void;
}

/** A paginated list. */
export interface ListQuery<T> extends Query<T[]> {
	hasMore: Accessor<boolean>;
	loadingMore: Accessor<boolean>;
	more: () => Promise<void>;
}

/** Loads the one thing at `path`. Without a path nothing is loaded. */
export function createOne<T>(path: () => string | undefined, touches: Touches): Query<T> {
	return createQuery<T>(path, touches, async (from, signal) => {
		const { at, item } = await get<One<T>>(from, signal);
		return { at, value: item };
	});
}

/** Pages that are loaded again after a change. Later ones are dropped then. */
const MAX_PAGES = 5;

/** Loads the list at `path`, page by page. Lists without pages take no limit: pass 0. */
export function createList<T>(path: () => string | undefined, touches: Touches, limit = 50): ListQuery<T> {
	const [next, setNext] = createSignal<string | null>(null);
	const [loadingMore, setLoadingMore] = createSignal(false);
	let pages = 1;
	let current: string | undefined;
	const query = createQuery<T[]>(path, touches, async (from, signal) => {
		if (from !== current) pages = 1;
		current = from;
		let page = await get<List<T>>(withQuery(from, { limit: limit || undefined }), signal);
		const items = [...page.items];
		const wanted = Math.min(pages, MAX_PAGES);
		for (pages = 1; pages < wanted && page.next !== null; pages++) {
			page = await get<List<T>>(withQuery(from, { limit: limit || undefined, cursor: page.next }), signal);
			items.push(...page.items);
		}
		setNext(page.next);
		return { at: page.at, value: items };
	});
	const more = async () => {
		const from = untrack(path);
		const cursor = untrack(next);
		if (from === undefined || cursor === null || untrack(loadingMore)) return;
		setLoadingMore(true);
		try {
			const page = await get<List<T>>(withQuery(from, { limit, cursor }));
			// The list may have been loaded again in the meantime.
			if (untrack(path) !== from || untrack(next) !== cursor) return;
			batch(() => {
				query.set((items) => [...(items ?? []), ...page.items]);
				setNext(page.next);
			});
			pages++;
		} catch (error) {
			query.fail(asApiError(error));
		} finally {
			setLoadingMore(false);
		}
	};
	return { ...query, hasMore: () => next() !== null, loadingMore, more };
}

interface Settable<T> extends Query<T> {
	set: (change: (value: T | undefined) => T) => void;
	fail: (error: ApiError) => void;
}

function createQuery<T>(
	path: () => string | undefined,
	touches: Touches,
	fetchFrom: (path: string, signal: AbortSignal) => Promise<{ at: At; value: T }>,
): Settable<T> {
	const [data, setData] = createSignal<T>();
	const [at, setAt] = createSignal<At>();
	const [error, setError] = createSignal<ApiError>();
	const [loading, setLoading] = createSignal(true);
	let controller: AbortController | undefined;

	const load = async () => {
		const from = untrack(path);
		controller?.abort();
		if (from === undefined) return;
		const { signal } = (controller = new AbortController());
		try {
			const answer = await fetchFrom(from, signal);
			if (signal.aborted) return;
			batch(() => {
				setError(undefined);
				setAt(answer.at);
				setData((known) => reuse(known, answer.value) as Exclude<T, Function>);
				setLoading(false);
			});
			answered(answer.at.number);
		} catch (cause) {
			if (signal.aborted) return;
			batch(() => {
				const failure = asApiError(cause);
				if (failure.notFound) setData(undefined);
				setError(failure);
				setLoading(false);
			});
		}
	};
	const reset = () => {
		setData(undefined);
		setError(undefined);
		setLoading(true);
		void load();
	};
	createEffect(on(path, () => batch(reset)));
	onTouched(touches, () => void load());
	onCleanup(() => controller?.abort());
	return {
		data,
		at,
		error,
		loading,
		retry: () => batch(reset),
		set: (change) => setData(change as (value: T | undefined) => Exclude<T, Function>),
		fail: setError,
	};
}

/**
 * Returns `loaded` with those parts of `known` that are equal to it, so that rows that did not
 * change keep their elements, and with them the keyboard focus.
 */
function reuse(known: unknown, loaded: unknown): unknown {
	if (Array.isArray(known) && Array.isArray(loaded)) {
		const byText = new Map(known.map((item: unknown) => [JSON.stringify(item), item]));
		return loaded.map((item: unknown) => byText.get(JSON.stringify(item)) ?? item);
	}
	return JSON.stringify(known) === JSON.stringify(loaded) ? known : loaded;
}
