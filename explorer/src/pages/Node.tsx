// SPDX-License-Identifier: Apache-2.0
import { Show } from 'solid-js';
import { createList, createOne } from '../api/query.ts';
import type { FabricEvent, Node as NodeItem, VersionRef } from '../api/answers.ts';
import { Actions } from '../components/Actions.tsx';
import { Amount } from '../components/Amount.tsx';
import { AuditDays, AuditFacts } from '../components/Audits.tsx';
import { Badges } from '../components/Badges.tsx';
import { Commands } from '../components/Commands.tsx';
import { EventList } from '../components/Events.tsx';
import { Fact, Facts } from '../components/Facts.tsx';
import { Id } from '../components/Id.tsx';
import { AccountLink, MemberLink } from '../components/links.tsx';
import { IdPage } from '../components/Page.tsx';
import { part, useParam } from '../components/params.ts';
import { Section } from '../components/Section.tsx';
import { Loaded, Missing } from '../components/States.tsx';
import { ListTable } from '../components/Table.tsx';
import { Text } from '../components/Text.tsx';
import { VERSION_REF_COLUMNS } from '../components/versionRefs.tsx';
import { actions } from '../format/actions.ts';
import { commands } from '../format/commands.ts';
import { states } from '../format/states.ts';

export function Node() {
	const provider = useParam('provider');
	const id = useParam('node');
	const path = () => `/v1/providers/${part(provider())}/nodes/${part(id())}`;
	const touches = () => [id()];
	const node = createOne<NodeItem>(path, touches);
	const versions = createList<VersionRef>(() => `${path()}/versions`, touches, 20);
	const history = createList<FabricEvent>(
		() => `/v1/history/${part(id())}?order=newest&member=${part(provider())}`,
		touches,
		20,
	);
	return (
		<IdPage
			what="node"
			id={id()}
			full
			badges={<Show when={node.data()}>{(item) => <Badges states={states.ofNode(item())} />}</Show>}
			parents={[<a href="/spaces">Spaces</a>, <MemberLink bare id={provider()} />]}
		>
			<Loaded query={node} missing={<Missing what="node" />}>
				{(item) => (
					<>
						<Facts>
							<Fact name="Provider">
								<MemberLink id={item().provider} />
							</Fact>
							<Fact name="Operator">
								<AccountLink id={item().operator} />
							</Fact>
							<Fact name="Locator">
								<Text value={item().locator} lineBreaks />
							</Fact>
							<Fact name="Medallion" note="Identifies the node in the muids that it writes.">
								<span class="number">{item().medallion}</span>
							</Fact>
							<Fact name="Last muid">
								<Show when={item().lastMuid} fallback={<span class="none">none</span>}>
									{(muid) => <Id value={muid()} what="muid" full />}
								</Show>
							</Fact>
							<Fact name="Deposit">
								<Amount value={item().deposit} />
							</Fact>
							<AuditFacts audit={item().audit} />
						</Facts>
						<Commands lines={[commands.show(id()), commands.history(id())]} />
						<Actions title="Actions" actions={actions.ofNode(provider(), id(), item().pending)} />
						<Show when={item().audit}>{(audit) => <AuditDays audit={audit()} />}</Show>
						<Section title="Versions that it holds or was asked to">
							<ListTable
								caption="Versions that the node holds or was asked to hold"
								columns={VERSION_REF_COLUMNS}
								query={versions}
								empty="No version has a copy at this node."
							/>
						</Section>
					</>
				)}
			</Loaded>
			<Section title="History">
				<EventList query={history} label="History" empty="The index has no events of this node." />
			</Section>
		</IdPage>
	);
}
