// SPDX-License-Identifier: Apache-2.0
import { createSignal, For, Show } from 'solid-js';
import { createList, createOne } from '../api/query.ts';
import type { ContentObject, FabricEvent, FabricRecord, Version } from '../api/answers.ts';
import { Actions } from '../components/Actions.tsx';
import { Amount } from '../components/Amount.tsx';
import { Badges } from '../components/Badges.tsx';
import { Choice } from '../components/Choice.tsx';
import { Commands } from '../components/Commands.tsx';
import { EventList } from '../components/Events.tsx';
import { Fact, Facts } from '../components/Facts.tsx';
import { Id } from '../components/Id.tsx';
import { KmsLink, MemberLink, VersionLink } from '../components/links.tsx';
import { More } from '../components/More.tsx';
import { IdPage } from '../components/Page.tsx';
import { part, useParam } from '../components/params.ts';
import { NAME_COLUMNS } from '../components/records.tsx';
import { Section } from '../components/Section.tsx';
import { Size } from '../components/Size.tsx';
import { Empty, Loaded, Missing } from '../components/States.tsx';
import { ListTable } from '../components/Table.tsx';
import { Time } from '../components/Time.tsx';
import { actions } from '../format/actions.ts';
import { commands } from '../format/commands.ts';
import { count, number } from '../format/number.ts';
import { routes } from '../format/routes.ts';
import { states } from '../format/states.ts';

export function ObjectPage() {
	const tenant = useParam('tenant');
	const id = useParam('object');
	const path = () => `/v1/tenants/${part(tenant())}/objects/${part(id())}`;
	const touches = () => [tenant(), id()];
	const object = createOne<ContentObject>(path, touches);
	const names = createList<FabricRecord>(() => `${path()}/names`, touches, 20);
	const history = createList<FabricEvent>(
		() => object.data() && `/v1/history/${part(object.data()?.path ?? '')}?order=newest`,
		touches,
		20,
	);
	return (
		<IdPage
			what="content object"
			id={id()}
			parents={[<a href="/spaces">Spaces</a>, <MemberLink bare id={tenant()} />]}
		>
			<Loaded query={object} missing={<Missing what="content object" />}>
				{(item) => (
					<>
						<Facts>
							<Fact name="Id">
								<Id value={id()} what="content object" full />
							</Fact>
							<Fact name="Path" note="Names the object with its tenant.">
								<Id value={item().path} what="path" full />
							</Fact>
							<Fact name="Tenant">
								<MemberLink id={tenant()} />
							</Fact>
							<Fact name="Head">
								<Show when={item().head} fallback={<span class="none">none</span>}>
									{(head) => <VersionLink tenant={tenant()} object={id()} id={head()} />}
								</Show>
							</Fact>
							<Fact name="Deposit">
								<Amount value={item().deposit} />
							</Fact>
							<Fact name="Created">
								<Time ms={item().createdAt} full />
							</Fact>
						</Facts>
						<Commands lines={[commands.show(item().path), commands.history(item().path)]} />
						<Actions title="Actions" actions={actions.ofObject(tenant(), id())} />
						<Timeline path={path()} object={item()} />
						<Section title="Names">
							<ListTable caption="Records that name the object" columns={NAME_COLUMNS} query={names} empty="No record names this object." />
						</Section>
						<Section title="History">
							<EventList query={history} label="History" empty="The index has no events of this object." />
						</Section>
					</>
				)}
			</Loaded>
		</IdPage>
	);
}

/** The versions of an object on a time line. */
function Timeline(props: { path: string; object: ContentObject }) {
	const [order, setOrder] = createSignal<'newest' | 'oldest'>('newest');
	const versions = createList<Version>(
		() => `${props.path}/versions?order=${order()}`,
		() => [props.object.tenant, props.object.id],
		20,
	);
	return (
		<Section
			title="Versions"
			count={number(props.object.versionCount)}
			tools={
				<Choice name="Order" options={[['newest', 'Newest first'], ['oldest', 'Oldest first']]} value={order()} choose={setOrder} />
			}
		>
			<Loaded query={versions}>
				{(items) => (
					<Show when={items().length > 0} fallback={<Empty>This object has no versions.</Empty>}>
						<ol class="timeline" aria-label="Versions">
							<For each={items()}>
								{(version) => (
									<li classList={{ head: version.isHead }}>
										<div class="timeline-title">
											<Id
												value={version.id}
												what="version"
												href={routes.version(version.tenant, version.object, version.id)}
											/>
											<Badges states={states.ofVersion(version)} />
										</div>
										<p class="event-meta">
											<span>
												committed <Time ms={version.committedAt} />
											</span>
											<Size bytes={version.size} />
											<Show when={version.kms} fallback={<span>plain</span>}>
												{(kms) => (
													<span>
														KMS <KmsLink bare tenant={version.tenant} id={kms()} />
													</span>
												)}
											</Show>
											<span>
												{version.isLost
													? 'lost'
													: count(version.copies.filter(({ state }) => state === 'held').length, 'copy', 'copies')}
											</span>
										</p>
									</li>
								)}
							</For>
						</ol>
						<More query={versions} />
					</Show>
				)}
			</Loaded>
		</Section>
	);
}
