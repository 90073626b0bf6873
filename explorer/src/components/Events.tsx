// SPDX-License-Identifier: Apache-2.0
import { For, Show, type JSX } from 'solid-js';
import type { ListQuery } from '../api/query.ts';
import type { FabricEvent, Field } from '../api/answers.ts';
import { capital, words } from '../format/text.ts';
import { FieldValue } from './Field.tsx';
import { AccountLink, BlockLink } from './links.tsx';
import { More } from './More.tsx';
import { sentence } from './sentences.ts';
import { Empty, Loaded } from './States.tsx';
import { Text } from './Text.tsx';
import { Time } from './Time.tsx';

/** Events, each as a sentence with its block, its signer and its reason. */
export function Events(props: { events: readonly FabricEvent[]; label: string; fresh?: (event: FabricEvent) => boolean }) {
	return (
		<ol class="events" aria-label={props.label}>
			<For each={props.events}>
				{(event) => (
					<li classList={{ fresh: props.fresh?.(event) === true }}>
						<EventLine event={event} />
					</li>
				)}
			</For>
		</ol>
	);
}

/** A list of events, with its states and a button for its next page. */
export function EventList(props: { query: ListQuery<FabricEvent>; label: string; empty: JSX.Element }) {
	return (
		<Loaded query={props.query}>
			{(events) => (
				<Show when={events().length > 0} fallback={<Empty>{props.empty}</Empty>}>
					<Events events={events()} label={props.label} />
					<More query={props.query} />
				</Show>
			)}
		</Loaded>
	);
}

/** An event as a sentence with links. */
export function EventText(props: { event: FabricEvent }) {
	return (
		<Show when={sentence(props.event)} fallback={<Unknown event={props.event} />}>
			{(parts) => (
				<For each={parts()}>
					{(part) =>
						'text' in part ? (
							part.text
						) : (
							<FieldValue
								name={part.field}
								value={props.event.fields[part.field] ?? null}
								fields={props.event.fields}
							/>
						)
					}
				</For>
			)}
		</Show>
	);
}

function EventLine(props: { event: FabricEvent }) {
	const reason = () => {
		const text = props.event.fields['reason'];
		return typeof text === 'string' && text !== '' ? text : undefined;
	};
	return (
		<>
			<span class="event-time">
				<Time ms={props.event.time} />
			</span>
			<div class="event-body">
				<p class="event-text">
					<EventText event={props.event} />
				</p>
				<Show when={reason()}>
					{(text) => (
						<p class="reason">
							<Text value={text()} longest={300} />
						</p>
					)}
				</Show>
				<p class="event-meta">
					<span>
						block <BlockLink number={props.event.block} />
					</span>
					<Show when={props.event.signer}>
						{(signer) => (
							<span>
								by <AccountLink bare id={signer()} />
							</span>
						)}
					</Show>
					<Show when={props.event.via.length > 0}>
						<span>via {props.event.via.join(', ')}</span>
					</Show>
				</p>
			</div>
		</>
	);
}

function Unknown(props: { event: FabricEvent }) {
	return (
		<>
			{capital(words(props.event.name))}
			<For each={Object.entries(props.event.fields) as [string, Field][]}>
				{([name, value], index) => (
					<>
						{index() === 0 ? ': ' : ', '}
						{words(name)} <FieldValue name={name} value={value} fields={props.event.fields} />
					</>
				)}
			</For>
		</>
	);
}
