// SPDX-License-Identifier: Apache-2.0
import { Show } from 'solid-js';
import { createList } from '../api/query.ts';
import type { FabricEvent } from '../api/answers.ts';
import { EventText } from '../components/Events.tsx';
import { Id } from '../components/Id.tsx';
import { DEEDS, deed } from '../components/sentences.ts';
import { AccountLink, BlockLink } from '../components/links.tsx';
import { Page } from '../components/Page.tsx';
import { ListTable, type Column } from '../components/Table.tsx';
import { Text } from '../components/Text.tsx';
import { Time } from '../components/Time.tsx';
import { Badge } from '../components/Badges.tsx';
import { Commands } from '../components/Commands.tsx';
import { commands } from '../format/commands.ts';
import { words } from '../format/text.ts';

const COLUMNS: Column<FabricEvent>[] = [
	{ head: 'When', cell: (event) => <Time ms={event.time} /> },
	{
		head: 'What',
		cell: (event) => (
			<Show when={deed(event)} fallback={<Badge>{words(event.name)}</Badge>}>
				{(done) => <Badge tone={done().bad ? 'bad' : 'good'}>{done().word}</Badge>}
			</Show>
		),
	},
	{ head: 'Act', cell: (event) => <EventText event={event} /> },
	{ head: 'Why', cell: (event) => <Why event={event} /> },
	{ head: 'Member created', cell: (event) => <Created event={event} /> },
	{ head: 'Who', cell: (event) => <Who event={event} /> },
	{ head: 'Block', numeric: true, cell: (event) => <BlockLink number={event.block} /> },
];

export function Governance() {
	const events = createList<FabricEvent>(() => '/v1/governance', 'all');
	return (
		<Page name="Governance" title="Governance">
			<p class="lead">
				All that governance has decided on members, their rows, admissions and spaces, newest first. Roots can also nominate and
				purge: the last columns say who did.
			</p>
			<ListTable caption="Acts of governance" columns={COLUMNS} query={events} empty="Governance has not acted yet." />
			<Commands lines={[`${commands.watch()} --events ${DEEDS.join(',')}`]} />
		</Page>
	);
}

/** The reason, or a dash for acts that give none. */
function Why(props: { event: FabricEvent }) {
	const reason = () => props.event.fields['reason'];
	return (
		<Show when={typeof reason() === 'string' && reason()} fallback={<span class="none">–</span>}>
			<Text value={String(reason())} longest={200} />
		</Show>
	);
}

/** The creation of the member that the act was for: another member may have its id later. */
function Created(props: { event: FabricEvent }) {
	const created = () => props.event.fields['created'];
	return (
		<Show when={typeof created() === 'string'} fallback={<span class="none">–</span>}>
			<Id value={String(created())} what="muid" />
		</Show>
	);
}

function Who(props: { event: FabricEvent }) {
	return (
		<span class="who">
			<Show when={props.event.signer} fallback={<span class="none">{props.event.extrinsic === null ? 'the chain' : 'root'}</span>}>
				{(signer) => <AccountLink bare id={signer()} />}
			</Show>
			<Show when={props.event.via.length > 0}>
				<span class="quiet">via {props.event.via.join(', ')}</span>
			</Show>
		</span>
	);
}
