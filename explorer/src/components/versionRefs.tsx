// SPDX-License-Identifier: Apache-2.0
import { For, Show } from 'solid-js';
import { createList } from '../api/query.ts';
import type { Touches } from '../api/touches.ts';
import type { VersionRef } from '../api/answers.ts';
import { MemberLink, ObjectLink, RecordLink, VersionLink } from './links.tsx';
import { part } from './params.ts';
import { ListTable, type Column } from './Table.tsx';
import { Time } from './Time.tsx';

/** Columns of a table of versions across objects. */
export const VERSION_REF_COLUMNS: Column<VersionRef>[] = [
	{ head: 'Version', cell: (item) => <VersionLink tenant={item.tenant} object={item.object} id={item.version} /> },
	{ head: 'Names', cell: (item) => <Names item={item} /> },
	{ head: 'Content object', cell: (item) => <ObjectLink tenant={item.tenant} id={item.object} /> },
	{ head: 'Tenant', cell: (item) => <MemberLink id={item.tenant} /> },
	{ head: 'Committed', cell: (item) => <Time ms={item.committedAt} /> },
];

/** The records that name a version. */
export function Names(props: { item: Pick<VersionRef, 'tenant' | 'names'> }) {
	return (
		<Show when={props.item.names.length > 0} fallback={<span class="none">none</span>}>
			<span class="names">
				<For each={props.item.names}>
					{({ collection, key, name }) => (
						<RecordLink tenant={props.item.tenant} collection={collection} recordKey={key} name={name} />
					)}
				</For>
			</span>
		</Show>
	);
}

/** The objects that have a version. */
export function VersionRefs(props: { version: string; touches: Touches }) {
	const refs = createList<VersionRef>(() => `/v1/versions/${part(props.version)}`, props.touches);
	return <ListTable caption="Objects with this version" columns={VERSION_REF_COLUMNS} query={refs} empty="No object has this version." />;
}
