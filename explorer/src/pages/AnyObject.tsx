// SPDX-License-Identifier: Apache-2.0
import { Show } from 'solid-js';
import { createList } from '../api/query.ts';
import type { ContentObject } from '../api/answers.ts';
import { Commands } from '../components/Commands.tsx';
import { MemberLink, ObjectLink, VersionLink } from '../components/links.tsx';
import { IdPage } from '../components/Page.tsx';
import { part, useParam } from '../components/params.ts';
import { ListTable, type Column } from '../components/Table.tsx';
import { Time } from '../components/Time.tsx';
import { commands } from '../format/commands.ts';
import { number } from '../format/number.ts';

const COLUMNS: Column<ContentObject>[] = [
	{ head: 'Content object', cell: (item) => <ObjectLink tenant={item.tenant} id={item.id} /> },
	{ head: 'Tenant', cell: (item) => <MemberLink id={item.tenant} /> },
	{
		head: 'Head',
		cell: (item) => (
			<Show when={item.head} fallback={<span class="none">none</span>}>
				{(head) => <VersionLink tenant={item.tenant} object={item.id} id={head()} />}
			</Show>
		),
	},
	{ head: 'Versions', numeric: true, cell: (item) => number(item.versionCount) },
	{ head: 'Created', cell: (item) => <Time ms={item.createdAt} /> },
];

/** The tenants that have an object. */
export function AnyObject() {
	const id = useParam('object');
	const objects = createList<ContentObject>(
		() => `/v1/objects/${part(id())}`,
		() => [id()],
	);
	return (
		<IdPage what="content object" id={id()}>
			<p class="lead">Each tenant that has this object has its own versions of it.</p>
			<ListTable caption="Tenants with this object" columns={COLUMNS} query={objects} empty="No tenant has this object." />
			<Commands lines={[commands.show(id())]} />
		</IdPage>
	);
}
