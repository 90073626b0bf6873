// SPDX-License-Identifier: Apache-2.0
import { Show } from 'solid-js';
import { latest } from '../api/feed.ts';
import { createList, createOne } from '../api/query.ts';
import type { FabricEvent, FullBlock } from '../api/answers.ts';
import { Commands } from '../components/Commands.tsx';
import { EventList } from '../components/Events.tsx';
import { Fact, Facts } from '../components/Facts.tsx';
import { Id } from '../components/Id.tsx';
import { Page } from '../components/Page.tsx';
import { part, useParam } from '../components/params.ts';
import { Section } from '../components/Section.tsx';
import { Loaded, Missing } from '../components/States.tsx';
import { Time } from '../components/Time.tsx';
import { commands } from '../format/commands.ts';
import { number } from '../format/number.ts';
import { routes } from '../format/routes.ts';
import { shortId } from '../format/text.ts';

export function Block() {
	const id = useParam('block');
	const block = createOne<FullBlock>(() => `/v1/blocks/${part(id())}`, 'none');
	const events = createList<FabricEvent>(() => `/v1/blocks/${part(id())}/events`, 'none');
	const title = () => (/^\d+$/.test(id()) ? number(BigInt(id())) : shortId(id()));
	const name = () => (block.data() ? number(block.data()?.number ?? 0) : title());
	return (
		<Page
			name={`Block ${name()}`}
			kind="Block"
			title={<span class="number">{name()}</span>}
		>
			<Loaded query={block} missing={<Missing what="block" />}>
				{(item) => (
					<>
						<nav class="toolbar" aria-label="Neighbours">
							<Show when={item().number > 0}>
								<a class="button" href={routes.block(item().number - 1)}>
									← {number(item().number - 1)}
								</a>
							</Show>
							<Show when={item().number < (latest()?.number ?? Infinity)}>
								<a class="button" href={routes.block(item().number + 1)}>
									{number(item().number + 1)} →
								</a>
							</Show>
						</nav>
						<Facts>
							<Fact name="Hash">
								<Id value={item().hash} what="hash" full />
							</Fact>
							<Fact name="Parent">
								<Id value={item().parent} what="hash of the parent" href={routes.block(item().parent)} />
							</Fact>
							<Fact name="Time">
								<Time ms={item().time} full />
							</Fact>
							<Fact name="Runtime">{item().specVersion}</Fact>
						</Facts>
						<Section title="Events">
							<EventList query={events} label="Events" empty="This block has no events of the fabric." />
						</Section>
						<Commands lines={[commands.watchFrom(item().number)]} />
					</>
				)}
			</Loaded>
		</Page>
	);
}
