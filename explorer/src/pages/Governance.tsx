// SPDX-License-Identifier: Apache-2.0
import { Show } from 'solid-js';
import { createList } from '../api/query.ts';
import type { FabricEvent } from '../api/answers.ts';
import { deed } from '../components/sentences.ts';
import { FieldValue } from '../components/Field.tsx';
import { AccountLink, BlockLink } from '../components/links.tsx';
import { Page } from '../components/Page.tsx';
import { ListTable, type Column } from '../components/Table.tsx';
import { Text } from '../components/Text.tsx';
import { Time } from '../components/Time.tsx';
import { Amount } from '../components/Amount.tsx';
import { Badge } from '../components/Badges.tsx';
import { Commands } from '../components/Commands.tsx';
import { commands } from '../format/commands.ts';
import { number } from '../format/number.ts';
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
	{ head: 'Whom', cell: (event) => <Subject event={event} /> },
	{ head: 'Why', cell: (event) => <Why event={event} /> },
	{ head: 'Who', cell: (event) => <Who event={event} /> },
	{ head: 'Block', numeric: true, cell: (event) => <BlockLink number={event.block} /> },
];

export function Governance() {
	const events = createList<FabricEvent>(() => '/v1/governance', 'all');
	return (
		<Page name="Governance" title="Governance">
			<p class="lead">Suspensions, freezes, slashes, purges and deletions of rows, newest first.</p>
			<ListTable caption="Acts of governance" columns={COLUMNS} query={events} empty="Governance has not acted on any member." />
			<Commands lines={[`${commands.watch()} --events Suspended,GovernanceDeleteSet,ChildDeletedByGovernance,Slashed,GovernanceDeleted,Purged`]} />
		</Page>
	);
}

function Subject(props: { event: FabricEvent }) {
	const name = () => ['member', 'space', 'account'].find((field) => typeof props.event.fields[field] === 'string');
	return (
		<Show when={name()} fallback={<span class="none">–</span>}>
			{(field) => (
				<FieldValue name={field()} value={props.event.fields[field()] ?? null} fields={props.event.fields} />
			)}
		</Show>
	);
}

/** The reason, and the amount or the rows that the act took. */
function Why(props: { event: FabricEvent }) {
	const { fields, name } = props.event;
	const reason = typeof fields['reason'] === 'string' ? fields['reason'] : undefined;
	return (
		<span class="why">
			<Show when={name === 'Slashed' && typeof fields['amount'] === 'string'}>
				<span>
					<Amount value={String(fields['amount'])} />
				</span>
			</Show>
			<Show when={name === 'PurgeStarted' && typeof fields['rows'] === 'number'}>
				<span>{number(Number(fields['rows']))} rows</span>
			</Show>
			<Show when={reason !== undefined} fallback={name === 'Slashed' || name === 'PurgeStarted' ? null : <span class="none">–</span>}>
				<span>
					<Text value={reason ?? ''} longest={200} />
				</span>
			</Show>
		</span>
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
