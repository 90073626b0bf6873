// SPDX-License-Identifier: Apache-2.0
import { createSignal, Show } from 'solid-js';
import { withQuery } from '../api/client.ts';
import { createList } from '../api/query.ts';
import type { CopyAtRisk } from '../api/answers.ts';
import { states } from '../format/states.ts';
import { Badges } from './Badges.tsx';
import { Choice } from './Choice.tsx';
import { MemberLink, NodeLink, VersionLink } from './links.tsx';
import { Section } from './Section.tsx';
import { ListTable, type Column } from './Table.tsx';
import { Time } from './Time.tsx';
import { Names } from './versionRefs.tsx';

const STATES = [
	['missing', 'Missing'],
	['failing', 'Failing'],
] as const;

const EMPTY = {
	missing: 'All nodes hold the copies that they were asked for, or have less than an hour to get them.',
	failing: 'No copy has failed an audit of this index.',
};

/** Copies at risk: of a tenant's versions, or at a provider's nodes. */
export function Risks(props: { id: string; role: 'tenant' | 'provider' }) {
	const [state, setState] = createSignal<(typeof STATES)[number][0]>('missing');
	const copies = createList<CopyAtRisk>(
		() => withQuery('/v1/copies', { state: state(), [props.role]: props.id }),
		() => [props.id],
		10,
	);
	const columns: Column<CopyAtRisk>[] = [
		{ head: 'Version', cell: (item) => <VersionLink tenant={item.tenant} object={item.object} id={item.version} /> },
		{ head: 'Names', cell: (item) => <Names item={item} /> },
		...(props.role === 'provider' ? [{ head: 'Tenant', cell: (item: CopyAtRisk) => <MemberLink id={item.tenant} /> }] : []),
		{
			head: 'Node',
			cell: (item) => <NodeLink provider={item.provider} id={item.node} />,
		},
		{ head: 'State', cell: (item) => <Badges states={states.ofCopy(item)} /> },
		{
			head: 'Asked or audited',
			cell: (item) => (
				<Show when={item.audit} fallback={<Time ms={item.askedAt} />}>
					{(audit) => <Time ms={audit().at} />}
				</Show>
			),
		},
	];
	return (
		<Section title="Copies at risk" tools={<Choice name="State of copies" options={STATES} value={state()} choose={setState} />}>
			<ListTable caption="Copies at risk" columns={columns} query={copies} empty={EMPTY[state()]} />
		</Section>
	);
}
