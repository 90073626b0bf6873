// SPDX-License-Identifier: Apache-2.0
import { createEffect, createSignal, For, on, Show } from 'solid-js';
import { createList, createOne } from '../api/query.ts';
import type {
	Collection,
	ContentObject,
	FabricEvent,
	Key,
	Kms,
	Member as MemberItem,
	Node,
	Purge,
} from '../api/answers.ts';
import { Amount } from '../components/Amount.tsx';
import { Badge, Badges } from '../components/Badges.tsx';
import { Commands } from '../components/Commands.tsx';
import { EventList } from '../components/Events.tsx';
import { Fact, Facts } from '../components/Facts.tsx';
import { Id } from '../components/Id.tsx';
import { AccountLink, BlockLink, CollectionLink, KmsLink, memberKind, NodeLink, ObjectLink, SpaceLink, VersionLink } from '../components/links.tsx';
import { MemberActions } from '../components/MemberActions.tsx';
import { IdPage } from '../components/Page.tsx';
import { part, useParam } from '../components/params.ts';
import { PurgeProgress } from '../components/Purge.tsx';
import { Risks } from '../components/Risks.tsx';
import { Section } from '../components/Section.tsx';
import { Loaded, Missing } from '../components/States.tsx';
import { ListTable, type Column } from '../components/Table.tsx';
import { Text } from '../components/Text.tsx';
import { Time } from '../components/Time.tsx';
import { commands } from '../format/commands.ts';
import { number } from '../format/number.ts';
import { states } from '../format/states.ts';
import { words } from '../format/text.ts';

/** Rows that each list under a member shows before its first "Load more". */
const SHORT = 10;

export function Member() {
	const id = useParam('member');
	const kind = () => memberKind(id());
	const touches = () => [id()];
	const member = createOne<MemberItem>(() => `/v1/members/${part(id())}`, touches);
	const history = createList<FabricEvent>(() => `/v1/history/${part(id())}?order=newest`, touches, 20);
	return (
		<IdPage
			what={kind()}
			id={id()}
			full
			badges={<Show when={member.data()}>{(item) => <Badges states={states.ofMember(item())} />}</Show>}
			parents={[
				<a href="/spaces">Spaces</a>,
				<Show when={member.data()}>{(item) => <SpaceLink bare id={item().space} />}</Show>,
			]}
		>
			<PurgePanel member={id()} />
			<Loaded query={member} missing={<Missing what={kind()} />}>
				{(item) => (
					<>
						<Summary member={item()} />
						<Commands
							lines={[
								commands.show(id()),
								item().purge === null ? commands.watch(id()) : commands.watchPurge(id()),
								commands.history(id()),
							]}
						/>
						<MemberActions member={item()} />
						{/* The index leaves out rows that a purge is removing. */}
						<Show when={item().purge === null}>
							<Show when={item().role === 'tenant'} fallback={<Nodes member={item()} />}>
								<Collections member={item()} />
								<Objects member={item()} />
								<Kmses member={item()} />
							</Show>
							<Risks id={item().id} role={item().role === 'tenant' ? 'tenant' : 'provider'} />
							<Keys member={item()} />
						</Show>
					</>
				)}
			</Loaded>
			<Section title="History">
				<EventList query={history} label="History" empty={`The index has no events of this ${kind()}.`} />
			</Section>
		</IdPage>
	);
}

function Summary(props: { member: MemberItem }) {
	const rows = () => Object.entries(props.member.rows).filter(([, rows]) => rows > 0);
	return (
		<Facts>
			<Fact name="Root">
				<AccountLink id={props.member.root} />
			</Fact>
			<Show when={props.member.nominee}>
				{(nominee) => (
					<Fact name="Nominee" note="May become the root by accepting.">
						<AccountLink id={nominee()} />
					</Fact>
				)}
			</Show>
			<Fact name="Bond" note={<>The space requires <Amount value={props.member.requiredBond} />.</>}>
				<Amount value={props.member.bond} />
			</Fact>
			<Fact name="Deposits">
				<Amount value={props.member.deposits} />
			</Fact>
			<Fact name="On hold" note={<>At most <Amount value={props.member.maxHeld} />.</>}>
				<Amount value={props.member.held} />
			</Fact>
			<Fact name="Created">
				<Time ms={props.member.createdAt} full />
			</Fact>
			<Show when={props.member.emptySince !== null}>
				<Fact name="Empty since">
					block <BlockLink number={props.member.emptySince ?? 0} />
				</Fact>
			</Show>
			<Fact name="Rows">
				{number(props.member.rowCount)}
				<Show when={rows().length > 0}>
					<ul class="row-counts">
						<For each={rows()}>
							{([name, rows]) => (
								<li>
									{words(name)} <b>{number(rows)}</b>
								</li>
							)}
						</For>
					</ul>
				</Show>
			</Fact>
		</Facts>
	);
}

/** The purge of a member. Stays, full, when the purge ends while the page is open. */
function PurgePanel(props: { member: string }) {
	const purges = createList<Purge>(
		() => '/v1/purges',
		() => [props.member],
		100,
	);
	const [seen, setSeen] = createSignal<Purge>();
	const running = () => purges.data()?.find((purge) => purge.member === props.member);
	createEffect(
		on(
			() => props.member,
			() => setSeen(undefined),
			{ defer: true },
		),
	);
	createEffect(() => {
		const purge = running();
		if (purge) setSeen(purge);
	});
	return (
		<Show when={running() ?? seen()}>
			{(purge) => (
				<section class="card alarm" aria-label="Purge">
					<h2>{running() ? purgeTitle(purge()) : 'Purge complete'}</h2>
					<PurgeProgress purge={purge()} done={running() === undefined} />
				</section>
			)}
		</Show>
	);
}

const purgeTitle = (purge: Purge) =>
	purge.scope === 'member' ? `This ${purge.role} is being deleted` : `All rows of this ${purge.role} are being removed`;

interface UnderMember {
	member: MemberItem;
}

const of = (props: UnderMember) => () => [props.member.id];

function Nodes(props: UnderMember) {
	const nodes = createList<Node>(() => `/v1/providers/${part(props.member.id)}/nodes`, of(props), SHORT);
	const columns: Column<Node>[] = [
		{ head: 'Node', cell: (node) => <NodeLink provider={node.provider} id={node.id} /> },
		{ head: 'State', cell: (node) => <Badges states={states.ofNode(node)} /> },
		{ head: 'Locator', cell: (node) => <Text value={node.locator} /> },
		{ head: 'Operator', cell: (node) => <AccountLink id={node.operator} /> },
		{ head: 'Deposit', amount: true, cell: (node) => <Amount value={node.deposit} /> },
	];
	return (
		<Section title="Nodes">
			<ListTable caption="Nodes" columns={columns} query={nodes} empty="This provider runs no nodes." />
		</Section>
	);
}

function Collections(props: UnderMember) {
	const collections = createList<Collection>(() => `/v1/tenants/${part(props.member.id)}/collections`, of(props), SHORT);
	const columns: Column<Collection>[] = [
		{ head: 'Collection', cell: (item) => <CollectionLink tenant={item.tenant} name={item.name} /> },
		{ head: 'Type of keys', cell: (item) => <Text value={item.keyType} /> },
		{ head: 'Syntax', cell: (item) => <Text value={item.syntax} /> },
		{ head: 'Records', numeric: true, cell: (item) => number(item.recordCount) },
		{ head: 'Deposit', amount: true, cell: (item) => <Amount value={item.deposit} /> },
	];
	return (
		<Section title="Collections">
			<ListTable caption="Collections" columns={columns} query={collections} empty="This tenant has no collections." />
		</Section>
	);
}

function Objects(props: UnderMember) {
	const objects = createList<ContentObject>(
		() => `/v1/tenants/${part(props.member.id)}/objects?order=age`,
		of(props),
		SHORT,
	);
	const columns: Column<ContentObject>[] = [
		{ head: 'Content object', cell: (item) => <ObjectLink tenant={item.tenant} id={item.id} /> },
		{
			head: 'Head',
			cell: (item) => (
				<Show when={item.head} fallback={<span class="none">none</span>}>
					{(head) => <VersionLink tenant={item.tenant} object={item.id} id={head()} />}
				</Show>
			),
		},
		{ head: 'Versions', numeric: true, cell: (item) => number(item.versionCount) },
		{ head: 'Deposit', amount: true, cell: (item) => <Amount value={item.deposit} /> },
		{ head: 'Created', cell: (item) => <Time ms={item.createdAt} /> },
	];
	return (
		<Section title="Content objects">
			<ListTable caption="Content objects" columns={columns} query={objects} empty="This tenant has no content objects." />
		</Section>
	);
}

function Kmses(props: UnderMember) {
	const kmses = createList<Kms>(() => `/v1/tenants/${part(props.member.id)}/kmses`, of(props), SHORT);
	const columns: Column<Kms>[] = [
		{ head: 'KMS', cell: (kms) => <KmsLink tenant={kms.tenant} id={kms.id} /> },
		{ head: 'Locator', cell: (kms) => <Text value={kms.locator} /> },
		{ head: 'Operator', cell: (kms) => <AccountLink id={kms.operator} /> },
		{ head: 'Key', cell: (kms) => <Id value={kms.key} what="key" /> },
		{ head: 'Deposit', amount: true, cell: (kms) => <Amount value={kms.deposit} /> },
	];
	return (
		<Section title="KMSes">
			<ListTable caption="KMSes" columns={columns} query={kmses} empty="This tenant has no KMS." />
		</Section>
	);
}

function Keys(props: UnderMember) {
	const keys = createList<Key>(() => `/v1/members/${part(props.member.id)}/keys`, of(props), SHORT);
	const columns: Column<Key>[] = [
		{ head: 'Account', cell: (key) => <AccountLink id={key.account} /> },
		{ head: 'Level', cell: (key) => <Badge>{key.level}</Badge> },
	];
	return (
		<Section title="Access keys">
			<ListTable caption="Access keys" columns={columns} query={keys} empty="No account but the root has access." />
		</Section>
	);
}
