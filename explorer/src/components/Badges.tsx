// SPDX-License-Identifier: Apache-2.0
import { For, type JSX } from 'solid-js';
import type { State } from '../format/states.ts';

/** A state in one or two words. */
export function Badge(props: Partial<State> & { children: JSX.Element }) {
	return (
		<span class={`badge ${props.tone ?? 'plain'}`} title={props.title}>
			{props.children}
		</span>
	);
}

/** The states of what a page or a row shows. */
export function Badges(props: { states: State[] }) {
	return (
		<span class="badges">
			<For each={props.states}>{(state) => <Badge {...state}>{state.name}</Badge>}</For>
		</span>
	);
}
