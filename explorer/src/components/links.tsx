// SPDX-License-Identifier: Apache-2.0
/** Ids of each kind, with the page that they lead to. */

import { kindOf } from '../../../sdk/src/ids/prefixes.ts';
import { routes } from '../format/routes.ts';
import { Id } from './Id.tsx';
import { Text } from './Text.tsx';

interface Looks {
	full?: boolean;
	bare?: boolean;
}

export const SpaceLink = (props: { id: string } & Looks) => (
	<Id value={props.id} what="space" href={routes.space(props.id)} {...looks(props)} />
);

export const MemberLink = (props: { id: string } & Looks) => (
	<Id value={props.id} what={memberKind(props.id)} href={routes.member(props.id)} {...looks(props)} />
);

export const AccountLink = (props: { id: string } & Looks) => (
	<Id value={props.id} what="account" href={routes.account(props.id)} {...looks(props)} />
);

export const NodeLink = (props: { provider: string; id: string } & Looks) => (
	<Id value={props.id} what="node" href={routes.node(props.provider, props.id)} {...looks(props)} />
);

export const KmsLink = (props: { tenant: string; id: string } & Looks) => (
	<Id value={props.id} what="KMS" href={routes.kms(props.tenant, props.id)} {...looks(props)} />
);

export const ObjectLink = (props: { tenant: string; id: string } & Looks) => (
	<Id value={props.id} what="content object" href={routes.object(props.tenant, props.id)} {...looks(props)} />
);

export const VersionLink = (props: { tenant: string; object: string; id: string } & Looks) => (
	<Id value={props.id} what="version" href={routes.version(props.tenant, props.object, props.id)} {...looks(props)} />
);

export const CollectionLink = (props: { tenant: string; name: string }) => (
	<a href={routes.collection(props.tenant, props.name)}>
		<Text value={props.name} />
	</a>
);

export const RecordLink = (props: { tenant: string; collection: string; recordKey: string; name: string }) => (
	<a href={routes.record(props.tenant, props.collection, props.recordKey)}>
		<Text value={props.name} />
	</a>
);

export const BlockLink = (props: { number: number }) => (
	<a class="number" href={routes.block(props.number)}>
		{new Intl.NumberFormat('en').format(props.number)}
	</a>
);

/** Returns the kind of member that an id names. */
export function memberKind(id: string): 'provider' | 'tenant' {
	return kindOf(id) === 'provider' ? 'provider' : 'tenant';
}

function looks(props: Looks): Looks {
	return { ...(props.full && { full: true }), ...(props.bare && { bare: true }) };
}
