// SPDX-License-Identifier: Apache-2.0
import { createEffect, createSignal, on, Show } from 'solid-js';
import { onChange } from '../api/feed.ts';
import { createList } from '../api/query.ts';
import type { FabricEvent } from '../api/answers.ts';
import { count } from '../format/number.ts';
import { Events } from './Events.tsx';
import { Section } from './Section.tsx';
import { Empty, Loaded } from './States.tsx';

/** Events that the list shows at most. */
const LONGEST = 25;

/** The latest events, as they happen. */
export function Live() {
	// New events come from the feed. The list is loaded once, and after a break of the feed.
	const latest = createList<FabricEvent>(() => '/v1/events', 'none', LONGEST);
	const [events, setEvents] = createSignal<FabricEvent[]>([]);
	const [paused, setPaused] = createSignal(false);
	const [waiting, setWaiting] = createSignal(0);
	const arrived = new Set<string>();

	const add = (added: FabricEvent[]) =>
		setEvents((shown) => {
			const known = new Set(added.map((event) => event.id));
			return [...added, ...shown.filter((event) => !known.has(event.id))]
				.sort((a, b) => b.block - a.block || b.index - a.index)
				.slice(0, LONGEST);
		});
	createEffect(
		on(latest.data, (loaded) => {
			if (loaded) setEvents(loaded);
		}),
	);
	onChange((change) => {
		if (change.kind === 'block' && change.block.events.length > 0) {
			if (paused()) {
				setWaiting((known) => known + change.block.events.length);
				return;
			}
			change.block.events.forEach((event) => arrived.add(event.id));
			add(change.block.events);
		}
	});
	const toggle = () => {
		setPaused(!paused());
		setWaiting(0);
		if (!paused()) latest.retry();
	};
	return (
		<Section
			title="Latest events"
			tools={
				<>
					<Show when={waiting() > 0}>
						<span class="quiet">{count(waiting(), 'new event')}</span>
					</Show>
					<button type="button" onClick={toggle}>
						{paused() ? 'Resume' : 'Pause'}
					</button>
				</>
			}
		>
			<Loaded query={latest}>
				{() => (
					<Show when={events().length > 0} fallback={<Empty>No events yet. They appear here as blocks arrive.</Empty>}>
						<Events events={events()} label="Latest events" fresh={(event) => arrived.has(event.id)} />
					</Show>
				)}
			</Loaded>
		</Section>
	);
}
