// SPDX-License-Identifier: Apache-2.0
import { useLocation, useNavigate } from '@solidjs/router';
import { createEffect, createSignal, on, onCleanup, onMount } from 'solid-js';
import { get, withQuery } from '../api/client.ts';
import type { Hit, List } from '../api/answers.ts';
import { ownPath, routes } from '../format/routes.ts';
import { SearchIcon } from './icons.tsx';

/**
 * The search box. Enter leads to the page of the only thing with that id or name, or to all hits.
 */
export function Search() {
	const navigate = useNavigate();
	const location = useLocation();
	const [text, setText] = createSignal('');
	let input: HTMLInputElement | undefined;

	createEffect(
		on(
			() => [location.pathname, location.query['q']] as const,
			([path, query]) => setText(path === '/search' && typeof query === 'string' ? query : ''),
		),
	);
	const focusBySlash = (event: KeyboardEvent) => {
		const target = event.target as HTMLElement;
		const typing = target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
		if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || typing) return;
		event.preventDefault();
		input?.focus();
		input?.select();
	};
	onMount(() => document.addEventListener('keydown', focusBySlash));
	onCleanup(() => document.removeEventListener('keydown', focusBySlash));

	const search = async (event: SubmitEvent) => {
		event.preventDefault();
		const query = text().trim();
		if (query === '') return;
		navigate((await onlyHit(query)) ?? routes.search(query));
	};
	return (
		<form class="search" role="search" action="/search" onSubmit={(event) => void search(event)}>
			<label class="hidden" for="search">
				Search by id, hash, account, block or name
			</label>
			<SearchIcon />
			<input
				id="search"
				ref={(element) => (input = element)}
				type="search"
				name="q"
				autocomplete="off"
				autocapitalize="off"
				spellcheck={false}
				placeholder="Id, hash, account, block or name"
				value={text()}
				onInput={(event) => setText(event.currentTarget.value)}
			/>
			<kbd aria-hidden="true">/</kbd>
		</form>
	);
}

/** Returns the page of the only hit whose id or title equals the query. */
async function onlyHit(query: string): Promise<string | undefined> {
	try {
		const { items } = await get<List<Hit>>(withQuery('/v1/search', { q: query }));
		const equal = items.filter((hit) => hit.id === query || hit.title === query);
		const [hit] = equal;
		return equal.length === 1 && hit ? ownPath(hit.path, hit.title) : undefined;
	} catch {
		// The page of the search shows the error.
		return undefined;
	}
}
