// SPDX-License-Identifier: Apache-2.0
import { For, Show } from 'solid-js';
import { createOne } from '../api/query.ts';
import type { Version as VersionItem } from '../api/answers.ts';
import { Actions } from '../components/Actions.tsx';
import { Amount } from '../components/Amount.tsx';
import { Badges } from '../components/Badges.tsx';
import { Bytes } from '../components/Bytes.tsx';
import { Cid, HASHES } from '../components/Cid.tsx';
import { Commands } from '../components/Commands.tsx';
import { Encrypted } from '../components/Encrypted.tsx';
import { Fact, Facts } from '../components/Facts.tsx';
import { Id } from '../components/Id.tsx';
import { KmsLink, MemberLink, NodeLink, ObjectLink } from '../components/links.tsx';
import { IdPage } from '../components/Page.tsx';
import { part, useNamedVersion, useParam } from '../components/params.ts';
import { Section } from '../components/Section.tsx';
import { Loaded, Missing } from '../components/States.tsx';
import { Time } from '../components/Time.tsx';
import { VersionRefs } from '../components/versionRefs.tsx';
import { actions } from '../format/actions.ts';
import { commands } from '../format/commands.ts';
import { exactSize, size } from '../format/number.ts';
import { states } from '../format/states.ts';

export function Version() {
	const tenant = useParam('tenant');
	const object = useParam('object');
	const id = useParam('version');
	const named = useNamedVersion();
	const version = createOne<VersionItem>(
		() => `/v1/tenants/${part(tenant())}/objects/${part(object())}/versions/${part(named())}`,
		() => [tenant(), object()],
	);
	return (
		<IdPage
			what="version"
			id={id()}
			badges={<Show when={version.data()}>{(item) => <Badges states={states.ofVersion(item())} />}</Show>}
			parents={[
				<a href="/spaces">Spaces</a>,
				<MemberLink bare id={tenant()} />,
				<ObjectLink bare tenant={tenant()} id={object()} />,
			]}
		>
			<Loaded query={version} missing={<Missing what="version" reason={named() === id() ? undefined : version.error()?.message} />}>
				{(item) => (
					<>
						<VersionFacts version={item()} />
						<Commands lines={[commands.show(id()), commands.who(id()), ...(item().kms === null ? [commands.get(id())] : [])]} />
						<Actions title="Actions" actions={actions.ofVersion(tenant(), object(), id(), canBeHead(item()))} />
						<Show when={item().kms}>{(kms) => <Encrypted version={item()} kms={kms()} />}</Show>
						<Bytes version={item()} />
						<Section title="Where it is found">
							<VersionRefs version={id()} touches={() => [tenant()]} />
						</Section>
					</>
				)}
			</Loaded>
		</IdPage>
	);
}

const canBeHead = (version: VersionItem) => version.finalizedAt !== null && !version.isHead;

const isRounded = (bytes: string | null) => bytes !== null && size(bytes) !== exactSize(bytes);

function VersionFacts(props: { version: VersionItem }) {
	return (
		<Facts>
			<Fact name="Id">
				<Id value={props.version.id} what="version" full />
			</Fact>
			<Fact name="Hash">{HASHES[props.version.hash]}</Fact>
			<Cid version={props.version.id} hash={props.version.hash} />
			<Fact name="Content object">
				<ObjectLink tenant={props.version.tenant} id={props.version.object} />
			</Fact>
			<Fact name="Size" note={isRounded(props.version.size) && exactSize(props.version.size ?? '')}>
				<Show when={props.version.size !== null} fallback={<span class="none">not known</span>}>
					{size(props.version.size)}
				</Show>
			</Fact>
			<Fact name="Committed">
				<Time ms={props.version.committedAt} full />
			</Fact>
			<Fact
				name="Finalized"
				note={
					props.version.finalizedAt === null && props.version.setHeadOnFinalize
						? 'Becomes the head of its object when it is finalized.'
						: undefined
				}
			>
				<Show when={props.version.finalizedAt !== null} fallback={<span class="none">not yet</span>}>
					<Time ms={props.version.finalizedAt ?? 0} full />
				</Show>
			</Fact>
			<Fact name="Copies" note={props.version.isLost ? 'No node holds the data any more.' : undefined}>
				<For each={props.version.copies} fallback={<span class="none">none</span>}>
					{(copy) => (
						<div>
							<NodeLink provider={copy.provider} id={copy.node} /> of <MemberLink bare id={copy.provider} />, {copy.state}
							<Show when={copy.state === 'held' && copy.heldAt}>
								{(at) => (
									<>
										{' '}
										<Time ms={at()} />
									</>
								)}
							</Show>
						</div>
					)}
				</For>
			</Fact>
			<Fact name="KMS">
				<Show when={props.version.kms} fallback={<span class="none">none: the data is plain</span>}>
					{(kms) => <KmsLink tenant={props.version.tenant} id={kms()} />}
				</Show>
			</Fact>
			<Fact name="Deposit">
				<Amount value={props.version.deposit} />
			</Fact>
			<Fact name="Muid" note="Given by the node.">
				<Id value={props.version.muid} what="muid" full />
			</Fact>
		</Facts>
	);
}
