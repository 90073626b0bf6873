// SPDX-License-Identifier: Apache-2.0
import { createSignal, Show } from 'solid-js';
import { withQuery } from '../api/client.ts';
import { createList, createOne } from '../api/query.ts';
import type { Admission, FabricEvent, Member, Role, Space as SpaceItem } from '../api/answers.ts';
import { Activity } from '../components/Activity.tsx';
import { Amount } from '../components/Amount.tsx';
import { Badges } from '../components/Badges.tsx';
import { Choice } from '../components/Choice.tsx';
import { Commands } from '../components/Commands.tsx';
import { EventList } from '../components/Events.tsx';
import { Fact, Facts } from '../components/Facts.tsx';
import { AccountLink, MemberLink } from '../components/links.tsx';
import { IdPage } from '../components/Page.tsx';
import { part, useParam } from '../components/params.ts';
import { Section } from '../components/Section.tsx';
import { Loaded, Missing } from '../components/States.tsx';
import { ListTable, type Column } from '../components/Table.tsx';
import { Text } from '../components/Text.tsx';
import { Time } from '../components/Time.tsx';
import { commands } from '../format/commands.ts';
import { count, number } from '../format/number.ts';
import { states } from '../format/states.ts';
import { capital } from '../format/text.ts';

const MEMBER_COLUMNS: Column<Member>[] = [
	{ head: 'Member', cell: (member) => <MemberLink id={member.id} /> },
	{ head: 'Role', cell: (member) => capital(member.role) },
	{ head: 'State', cell: (member) => <Badges states={states.ofListedMember(member)} /> },
	{ head: 'Root', cell: (member) => <AccountLink id={member.root} /> },
	{ head: 'Bond', amount: true, cell: (member) => <Amount value={member.bond} /> },
	{ head: 'Rows', numeric: true, cell: (member) => number(member.rowCount) },
	{ head: 'Created', cell: (member) => <Time ms={member.createdAt} /> },
];

const ADMISSION_COLUMNS: Column<Admission>[] = [
	{ head: 'Account', cell: (admission) => <AccountLink id={admission.account} /> },
	{ head: 'Admitted as', cell: (admission) => capital(admission.role) },
];

export function Space() {
	const id = useParam('space');
	const path = () => `/v1/spaces/${part(id())}`;
	const touches = () => [id()];
	const space = createOne<SpaceItem>(path, touches);
	const history = createList<FabricEvent>(() => `/v1/history/${part(id())}?order=newest`, touches, 20);
	return (
		<IdPage what="space" id={id()} full parents={[<a href="/spaces">Spaces</a>]}>
			<Loaded query={space} missing={<Missing what="space" />}>
				{(item) => (
					<>
						<Rules space={item()} />
						<Commands lines={[commands.show(id()), commands.tree(id()), commands.history(id())]} />
						<Members path={path()} total={item().providerCount + item().tenantCount} />
						<Show when={item().admissionCount > 0}>
							<Admissions path={path()} total={item().admissionCount} />
						</Show>
						<Activity path={`${path()}/totals`} />
					</>
				)}
			</Loaded>
			<Section title="History">
				<EventList query={history} label="History" empty="The index has no events of this space." />
			</Section>
		</IdPage>
	);
}

function Rules(props: { space: SpaceItem }) {
	return (
		<Facts>
			<Fact name="Governor">
				<AccountLink id={props.space.governor} />
			</Fact>
			<Fact name="Admission" note={props.space.admission === 'open' ? 'Any account may join.' : 'Governance admits each account.'}>
				{props.space.admission === 'open' ? 'Open' : 'By approval'}
			</Fact>
			<Fact name="Bond of a provider">
				<Amount value={props.space.providerBond} />
			</Fact>
			<Fact name="Bond of a tenant">
				<Amount value={props.space.tenantBond} />
			</Fact>
			<Fact name="Partitions">{number(props.space.partitions)}</Fact>
			<Fact name="Created">
				<Time ms={props.space.createdAt} full />
			</Fact>
			<Fact name="SLA">
				<Text value={props.space.sla} lineBreaks />
			</Fact>
		</Facts>
	);
}

function Members(props: { path: string; total: number }) {
	const [role, setRole] = createSignal<'' | Role>('');
	const [order, setOrder] = createSignal<'age' | 'id' | 'bond' | 'rows'>('age');
	// The lists by bond and by rows have one page.
	const limit = () => (order() === 'bond' || order() === 'rows' ? 100 : 50);
	const members = createList<Member>(
		() => withQuery(`${props.path}/members`, { role: role(), order: order(), limit: limit() }),
		'all',
		0,
	);
	return (
		<Section
			title="Members"
			count={number(props.total)}
			tools={
				<>
					<Choice
						name="Role"
						options={[['', 'All'], ['provider', 'Providers'], ['tenant', 'Tenants']]}
						value={role()}
						choose={setRole}
					/>
					<Choice
						name="Order"
						options={[['age', 'By age'], ['bond', 'Bond'], ['rows', 'Rows'], ['id', 'Id']]}
						value={order()}
						choose={setOrder}
					/>
				</>
			}
		>
			<ListTable caption="Members" columns={MEMBER_COLUMNS} query={members} empty="No member of this kind yet." />
		</Section>
	);
}

function Admissions(props: { path: string; total: number }) {
	const admissions = createList<Admission>(() => `${props.path}/admissions`, 'all');
	return (
		<Section title="Unused admissions" count={count(props.total, 'account')}>
			<ListTable caption="Unused admissions" columns={ADMISSION_COLUMNS} query={admissions} empty="No unused admissions." />
		</Section>
	);
}
