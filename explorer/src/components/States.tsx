// SPDX-License-Identifier: Apache-2.0
import { Match, Show, Switch, type Accessor, type JSX } from 'solid-js';
import type { ApiError } from '../api/client.ts';
import type { Query } from '../api/query.ts';
import { asSentence } from '../format/text.ts';
import { Text } from './Text.tsx';

export function Loading() {
	return (
		<div class="loading" role="status">
			<span class="hidden">Loading…</span>
			<span class="bar" />
			<span class="bar" />
			<span class="bar" />
		</div>
	);
}

export function Empty(props: { children: JSX.Element }) {
	return <p class="empty">{props.children}</p>;
}

export function Failure(props: { error: ApiError; retry: () => void }) {
	return (
		<div class="failure" role="alert">
			<p>
				<strong>This could not be loaded.</strong> <Text value={asSentence(props.error.message)} longest={300} />
			</p>
			<Show when={!props.error.malformed}>
				<button type="button" onClick={() => props.retry()}>
					Try again
				</button>
			</Show>
		</div>
	);
}

interface Props<T> {
	query: Query<T>;
	/** Shown if the thing does not exist. */
	missing?: JSX.Element;
	children: (value: Accessor<T>) => JSX.Element;
}

/** The data of a query, or its state while there is none. */
export function Loaded<T>(props: Props<T>) {
	return (
		<Switch fallback={<Loading />}>
			<Match when={props.query.data() as NonNullable<T> | undefined}>
				{(value) => props.children(value as Accessor<T>)}
			</Match>
			<Match when={props.query.error()}>
				{(error) => (
					<Show
						when={error().notFound && props.missing}
						fallback={<Failure error={error()} retry={props.query.retry} />}
					>
						{props.missing}
					</Show>
				)}
			</Match>
		</Switch>
	);
}

/** Says that a page has no subject, and why that is so, or may be. */
export function Missing(props: { what: string; reason?: string | undefined }) {
	return (
		<div class="missing">
			<p>
				<strong>There is no such {props.what} in the index.</strong>
			</p>
			<p>
				<Show
					when={props.reason}
					fallback="It may have been deleted, the id may be incomplete, or the index may not have reached its block yet."
				>
					{(reason) => <Text value={asSentence(reason())} longest={300} />}
				</Show>
			</p>
		</div>
	);
}
