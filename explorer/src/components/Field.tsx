// SPDX-License-Identifier: Apache-2.0
import { For, Match, Show, Switch } from 'solid-js';
import { kindOf } from '../../../sdk/src/ids/prefixes.ts';
import type { FabricEvent, Field } from '../api/answers.ts';
import { routes } from '../format/routes.ts';
import { number } from '../format/number.ts';
import { words } from '../format/text.ts';
import { Amount } from './Amount.tsx';
import { Id } from './Id.tsx';
import { CollectionLink, KmsLink, MemberLink, RecordLink } from './links.tsx';
import { Text } from './Text.tsx';

type Fields = FabricEvent['fields'];

const AMOUNTS = new Set(['amount', 'bond', 'max_held', 'provider_bond', 'tenant_bond']);
const ACCOUNTS = new Set(['account', 'root', 'previous', 'governor', 'operator', 'nominee']);

/** A field of an event. The other fields give the parents that its page needs. */
export function FieldValue(props: { name: string; value: Field; fields: Fields }) {
	const text = () => (typeof props.value === 'string' ? props.value : '');
	const parent = (name: string) => {
		const value = props.fields[name];
		return typeof value === 'string' ? value : undefined;
	};
	const tenant = () => parent('tenant');
	return (
		<Switch fallback={<Plain value={props.value} fields={props.fields} />}>
			<Match when={AMOUNTS.has(props.name) && text() !== ''}>
				<Amount value={text()} />
			</Match>
			<Match when={ACCOUNTS.has(props.name) && text() !== ''}>
				<Id bare value={text()} what="account" href={routes.account(text())} />
			</Match>
			<Match when={props.name === 'collection' && tenant()}>
				{(owner) => <CollectionLink tenant={owner()} name={text()} />}
			</Match>
			<Match when={props.name === 'key' && tenant() && parent('collection')}>
				{(collection) => <RecordLink tenant={tenant() ?? ''} collection={collection()} recordKey={text()} name={text()} />}
			</Match>
			<Match when={kindOf(text()) === 'space'}>
				<Id bare value={text()} what="space" href={routes.space(text())} />
			</Match>
			<Match when={['provider', 'tenant'].includes(kindOf(text()) ?? '')}>
				<MemberLink bare id={text()} />
			</Match>
			<Match when={kindOf(text()) === 'node'}>
				<Id bare value={text()} what="node" href={nodePath(parent('provider') ?? parent('originator'), text())} />
			</Match>
			<Match when={kindOf(text()) === 'kms' && tenant()}>
				{(owner) => <KmsLink bare tenant={owner()} id={text()} />}
			</Match>
			<Match when={kindOf(text()) === 'object'}>
				<Id bare value={text()} what="content object" href={objectPath(tenant(), text())} />
			</Match>
			<Match when={kindOf(text()) === 'version'}>
				<Id bare value={text()} what="version" href={versionPath(tenant(), parent('object'), text())} />
			</Match>
		</Switch>
	);
}

function Plain(props: { value: Field; fields: Fields }) {
	return (
		<Switch fallback={<Text value={String(props.value)} />}>
			<Match when={props.value === null}>
				<span class="none">none</span>
			</Match>
			<Match when={typeof props.value === 'boolean'}>{props.value ? 'yes' : 'no'}</Match>
			<Match when={typeof props.value === 'number'}>{number(props.value as number)}</Match>
			<Match when={typeof props.value === 'object'}>
				<span class="fields">
					<For each={Object.entries(props.value as object) as [string, Field][]}>
						{([name, value], index) => (
							<>
								<Show when={index() > 0}>, </Show>
								{words(name)} <FieldValue name={name} value={value} fields={{ ...props.fields, ...asFields(props.value) }} />
							</>
						)}
					</For>
				</span>
			</Match>
		</Switch>
	);
}

function asFields(value: Field): Fields {
	return value !== null && typeof value === 'object' && !Array.isArray(value) ? value : {};
}

const nodePath = (provider: string | undefined, node: string) =>
	provider === undefined ? undefined : routes.node(provider, node);

const objectPath = (tenant: string | undefined, object: string) =>
	tenant === undefined ? routes.anyObject(object) : routes.object(tenant, object);

const versionPath = (tenant: string | undefined, object: string | undefined, version: string) =>
	tenant === undefined || object === undefined
		? routes.anyVersion(version)
		: routes.version(tenant, object, version);
