// SPDX-License-Identifier: Apache-2.0
import { createSignal } from 'solid-js';
import { createList } from '../api/query.ts';
import type { Space } from '../api/answers.ts';
import { Amount } from '../components/Amount.tsx';
import { Choice } from '../components/Choice.tsx';
import { Commands } from '../components/Commands.tsx';
import { AccountLink, SpaceLink } from '../components/links.tsx';
import { Page } from '../components/Page.tsx';
import { ListTable, type Column } from '../components/Table.tsx';
import { Time } from '../components/Time.tsx';
import { commands } from '../format/commands.ts';
import { number } from '../format/number.ts';

const COLUMNS: Column<Space>[] = [
	{ head: 'Space', cell: (space) => <SpaceLink id={space.id} /> },
	{ head: 'Governor', cell: (space) => <AccountLink id={space.governor} /> },
	{ head: 'Providers', numeric: true, cell: (space) => number(space.providerCount) },
	{ head: 'Tenants', numeric: true, cell: (space) => number(space.tenantCount) },
	{ head: 'Provider bond', amount: true, cell: (space) => <Amount value={space.providerBond} /> },
	{ head: 'Tenant bond', amount: true, cell: (space) => <Amount value={space.tenantBond} /> },
	{ head: 'Created', cell: (space) => <Time ms={space.createdAt} /> },
];

export function Spaces() {
	const [order, setOrder] = createSignal<'id' | 'age'>('age');
	const spaces = createList<Space>(() => `/v1/spaces?order=${order()}`, 'all');
	return (
		<Page name="Spaces" title="Spaces">
			<div class="toolbar">
				<Choice name="Order" options={[['age', 'By age'], ['id', 'By id']]} value={order()} choose={setOrder} />
			</div>
			<ListTable
				caption="Spaces"
				columns={COLUMNS}
				query={spaces}
				empty="This chain has no spaces yet. Root or the council creates them."
			/>
			<Commands lines={[commands.tree()]} />
		</Page>
	);
}
