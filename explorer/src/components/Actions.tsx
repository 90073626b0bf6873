// SPDX-License-Identifier: Apache-2.0
import { createSignal, For, Show, type JSX } from 'solid-js';
import { createOne } from '../api/query.ts';
import type { EncodedCall } from '../api/answers.ts';
import type { Action } from '../format/actions.ts';
import { shortId, asSentence } from '../format/text.ts';
import { Command } from './Commands.tsx';
import { Copy } from './Copy.tsx';
import { Text } from './Text.tsx';

interface Props {
	actions: Action[];
	/** The heading, which names those who may take the actions. */
	title: string;
	/** Shown above the actions. */
	children?: JSX.Element;
}

/**
 * Actions as commands and as calls, to be run and signed elsewhere. Calls are encoded once they are
 * shown.
 */
export function Actions(props: Props) {
	const [shown, setShown] = createSignal(false);
	return (
		<Show when={props.actions.length > 0}>
			<details class="actions" onToggle={(event) => setShown(event.currentTarget.open)}>
				<summary>{props.title}</summary>
				{props.children}
				<ul class="commands" aria-label={props.title}>
					<For each={props.actions}>{(action) => <Line action={action} shown={shown()} />}</For>
				</ul>
			</details>
		</Show>
	);
}

function Line(props: { action: Action; shown: boolean }) {
	const call = createOne<EncodedCall>(() => (props.shown ? props.action.call : undefined), 'none');
	return (
		<li>
			<span class="action-title">{props.action.title}</span>
			<span class="action-form">
				<Command line={props.action.command} />
			</span>
			<span class="action-form">
				<Show
					when={call.data()}
					fallback={
						<Show when={call.error()} fallback={<span class="quiet">Encoding the call…</span>}>
							{(error) => <Text value={asSentence(error().message)} longest={200} />}
						</Show>
					}
				>
					{(encoded) => (
						<>
							<span class="mono" title={encoded().call}>
								{shortId(encoded().call)}
							</span>
							<Copy text={encoded().call} what={`call ${encoded().name}`} />
						</>
					)}
				</Show>
			</span>
		</li>
	);
}
