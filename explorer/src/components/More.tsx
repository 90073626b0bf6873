// SPDX-License-Identifier: Apache-2.0
import { Show } from 'solid-js';
import type { ListQuery } from '../api/query.ts';
import { count } from '../format/number.ts';
import { asSentence } from '../format/text.ts';
import { announce } from './announce.tsx';

/** A button that loads the next page of a list. */
export function More(props: { query: ListQuery<unknown> }) {
	const more = async () => {
		const before = props.query.data()?.length ?? 0;
		await props.query.more();
		const loaded = (props.query.data()?.length ?? 0) - before;
		if (loaded > 0) announce(`Loaded ${count(loaded, 'more row')}`);
	};
	return (
		<Show when={props.query.hasMore()}>
			<p class="more">
				{/* A disabled button would lose the keyboard focus. */}
				<button type="button" aria-disabled={props.query.loadingMore()} onClick={() => void more()}>
					{props.query.loadingMore() ? 'Loading…' : 'Load more'}
				</button>
				<Show when={props.query.error()}>{(error) => <span role="alert">{asSentence(error().message)}</span>}</Show>
			</p>
		</Show>
	);
}
