// SPDX-License-Identifier: Apache-2.0
import { Show } from 'solid-js';
import type { FabricRecord } from '../api/answers.ts';
import { CollectionLink, MemberLink, ObjectLink, RecordLink, VersionLink } from './links.tsx';
import type { Column } from './Table.tsx';
import { Time } from './Time.tsx';

const KEY: Column<FabricRecord> = {
	head: 'Record',
	cell: (record) => (
		<RecordLink tenant={record.tenant} collection={record.collection} recordKey={record.key} name={record.name} />
	),
};

const COLLECTION: Column<FabricRecord> = {
	head: 'Collection',
	cell: (record) => <CollectionLink tenant={record.tenant} name={record.collection} />,
};

const TARGET: Column<FabricRecord> = { head: 'Leads to', cell: (record) => <Target record={record} /> };

const TIMES: Column<FabricRecord>[] = [
	{ head: 'Created', cell: (record) => <Time ms={record.createdAt} /> },
	{ head: 'Updated', cell: (record) => <Time ms={record.updatedAt} /> },
];

/** Columns of the records of one collection. */
export const RECORD_COLUMNS = [KEY, TARGET, ...TIMES];

/** Columns of the records that name one object. */
export const NAME_COLUMNS = [KEY, COLLECTION, TARGET, ...TIMES];

/** Columns of records across tenants. */
export const ANY_RECORD_COLUMNS: Column<FabricRecord>[] = [
	...NAME_COLUMNS,
	{ head: 'Tenant', cell: (record) => <MemberLink id={record.tenant} /> },
];

/** The object or the version that a record names. */
export function Target(props: { record: FabricRecord }) {
	return (
		<Show
			when={props.record.version}
			fallback={
				<span class="target">
					<span class="quiet">head of </span>
					<ObjectLink tenant={props.record.tenant} id={props.record.object} />
				</span>
			}
		>
			{(version) => (
				<span class="target">
					<span class="quiet">version </span>
					<VersionLink tenant={props.record.tenant} object={props.record.object} id={version()} />
				</span>
			)}
		</Show>
	);
}
