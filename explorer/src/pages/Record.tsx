// SPDX-License-Identifier: Apache-2.0
import { Show } from 'solid-js';
import { createOne } from '../api/query.ts';
import type { ResolvedRecord, Version } from '../api/answers.ts';
import { Actions } from '../components/Actions.tsx';
import { Amount } from '../components/Amount.tsx';
import { Badges } from '../components/Badges.tsx';
import { Commands } from '../components/Commands.tsx';
import { Copy } from '../components/Copy.tsx';
import { Fact, Facts } from '../components/Facts.tsx';
import { BlockLink, CollectionLink, MemberLink, ObjectLink, VersionLink } from '../components/links.tsx';
import { Page } from '../components/Page.tsx';
import { part, useParam } from '../components/params.ts';
import { Target } from '../components/records.tsx';
import { Section } from '../components/Section.tsx';
import { Size } from '../components/Size.tsx';
import { Loaded, Missing } from '../components/States.tsx';
import { Text } from '../components/Text.tsx';
import { Time } from '../components/Time.tsx';
import { actions } from '../format/actions.ts';
import { commands } from '../format/commands.ts';
import { states } from '../format/states.ts';
import { plain } from '../format/text.ts';

export function Record() {
	const tenant = useParam('tenant');
	const collection = useParam('collection');
	const key = useParam('key');
	// The tenant is enough: a head that moves changes what the record leads to.
	const record = createOne<ResolvedRecord>(
		() => `/v1/tenants/${part(tenant())}/collections/${part(collection())}/records/${part(key())}`,
		() => [tenant()],
	);
	return (
		<Page
			name={`Record ${plain(key())}`}
			kind="Record"
			title={<Text value={record.data()?.name ?? key()} />}
			parents={[
				<a href="/spaces">Spaces</a>,
				<MemberLink bare id={tenant()} />,
				<CollectionLink tenant={tenant()} name={collection()} />,
			]}
		>
			<Loaded query={record} missing={<Missing what="record" />}>
				{(item) => (
					<>
						<Section title="Resolves to">
							<Show
								when={item().resolved}
								fallback={
									<p class="card dangling">
										<strong>Nothing.</strong> The content that the record names was deleted, or its object has no head.
									</p>
								}
							>
								{(version) => <Resolved version={version()} />}
							</Show>
						</Section>
						<Section title="Record">
							<Facts>
								<Fact name="Leads to" note={item().version === null ? 'Follows the head when it moves.' : undefined}>
									<Target record={item()} />
								</Fact>
								<Fact name="URI">
									<Text value={item().uri} longest={600} /> <Copy text={item().uri} what="URI" />
								</Fact>
								<Fact name="Created">
									<Time ms={item().createdAt} full />
								</Fact>
								<Fact name="Updated">
									<Time ms={item().updatedAt} full />
									<Show when={item().putIn !== null}>
										<span class="note">
											Put in block <BlockLink number={item().putIn ?? 0} />.
										</span>
									</Show>
								</Fact>
								<Fact name="Name">
									<Text value={item().name} longest={600} /> <Copy text={item().name} what="name" />
								</Fact>
								<Fact name="Key">
									<Text value={item().key} longest={600} /> <Copy text={item().key} what="key" />
								</Fact>
								<Fact name="Deposit">
									<Amount value={item().deposit} />
								</Fact>
							</Facts>
						</Section>
						<Commands lines={[commands.resolve(tenant(), collection(), item().key)]} />
						<Actions title="Actions" actions={actions.ofRecord(tenant(), collection(), item().key)} />
					</>
				)}
			</Loaded>
		</Page>
	);
}

function Resolved(props: { version: Version }) {
	return (
		<div class="card resolved">
			<p class="timeline-title">
				<VersionLink tenant={props.version.tenant} object={props.version.object} id={props.version.id} />
				<Badges states={states.ofVersion(props.version)} />
			</p>
			<p class="event-meta">
				<span>
					of <ObjectLink bare tenant={props.version.tenant} id={props.version.object} />
				</span>
				<Size bytes={props.version.size} />
				<span>
					committed <Time ms={props.version.committedAt} />
				</span>
			</p>
		</div>
	);
}
