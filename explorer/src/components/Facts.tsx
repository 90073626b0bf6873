// SPDX-License-Identifier: Apache-2.0
import { Show, type JSX } from 'solid-js';

/** Names with their values. */
export function Facts(props: { children: JSX.Element }) {
	return <dl class="facts">{props.children}</dl>;
}

/** One name with its value. `note` explains the value. */
export function Fact(props: { name: string; note?: JSX.Element; children: JSX.Element }) {
	return (
		<div class="fact">
			<dt>{props.name}</dt>
			<dd>
				{props.children}
				<Show when={props.note}>
					<span class="note">{props.note}</span>
				</Show>
			</dd>
		</div>
	);
}
