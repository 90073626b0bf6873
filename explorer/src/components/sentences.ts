// SPDX-License-Identifier: Apache-2.0
import type { FabricEvent } from '../api/answers.ts';

type Fields = FabricEvent['fields'];
type Sentence = string | ((fields: Fields) => string);

/** The sentence of each event. Names in braces are fields. */
const SENTENCES: Record<string, Sentence> = {
	SpaceCreated: 'Space {space} was created, governed by {governor}',
	SpaceRulesSet: 'The rules of {space} were set: {rules}',
	SpaceGovernorSet: '{governor} became the governor of {space}',
	SpaceDeleted: 'Space {space} was deleted',
	Admitted: '{account} was admitted to {space} as a {role}',
	AdmissionUsed: '{account} used its admission to {space} as a {role}',
	AdmissionRevoked: 'The admission of {account} to {space} as a {role} was revoked',
	ProviderCreated: 'Provider {provider} was created in {space} by {root}',
	TenantCreated: 'Tenant {tenant} was created in {space} by {root}',
	BondToppedUp: 'The bond of {member} was raised by {amount} to {bond}',
	MaxHeldSet: 'At most {max_held} may be on hold for {member}',
	RootNominated: ({ nominee }) =>
		nominee === null ? 'The nomination for {member} was withdrawn' : '{nominee} was nominated as the root of {member}',
	RootSet: '{root} became the root of {member} in place of {previous}',
	MemberEmptied: 'The last row under {member} was removed',
	MemberDeleted: '{member} was deleted by its root',
	ProviderKeySet: (fields) => keySet(fields, 'provider'),
	TenantKeySet: (fields) => keySet(fields, 'tenant'),
	NodeCreated: 'Node {node} was created by {provider} for {operator}',
	NodeConfirmed: 'Node {node} was confirmed',
	NodeLocatorSet: 'Node {node} was given another locator',
	NodeOperatorSet: '{operator} became the operator of node {node}',
	NodeRemoved: 'Node {node} was removed',
	KmsAdded: 'KMS {kms} was added to {tenant} for {operator}',
	KmsSet: 'The locator and the key of KMS {kms} were set',
	KmsRemoved: 'KMS {kms} was removed from {tenant}',
	ContentObjectCreated: 'Content object {object} was created by {tenant}',
	ContentObjectDeleted: 'Content object {object} was deleted',
	VersionCommitted: 'Version {version} of {object} was committed through {node}',
	VersionFinalized: ({ head_moved: headMoved }) =>
		headMoved === true
			? 'Version {version} was finalized, and is the head of {object}'
			: 'Version {version} of {object} was finalized',
	HeadVersionSet: ({ version }) =>
		version === null ? 'The head of {object} was cleared' : '{version} became the head of {object}',
	VersionDeleted: 'Version {version} of {object} was deleted',
	CollectionCreated: 'Collection {collection} was created by {tenant}',
	CollectionDeleted: 'Collection {collection} of {tenant} was deleted',
	RecordPut: 'Record {key} in {collection} was put',
	RecordDeleted: 'Record {key} in {collection} was deleted',
	Slashed: 'The bond of {member} was slashed by {amount} to {bond}',
	Suspended: ({ enabled }) => (enabled === true ? '{member} was suspended' : 'The suspension of {member} was lifted'),
	GovernanceDeleteSet: ({ enabled }) => (enabled === true ? '{member} was frozen' : '{member} was unfrozen'),
	GovernanceDeleted: '{member} was deleted by governance',
	PurgeStarted: 'A purge of {rows} rows under {member} started',
	PurgeProgressed: '{removed} rows under {member} were removed, {rows_left} are left',
	Purged: 'The purge of {member} ended',
	ChildDeletedByGovernance: 'Governance deleted a row of {member}',
	CopiesAsked: 'A commit of {tenant} asks other nodes to hold its versions',
	CopyAdded: 'Node {node} was asked to hold version {version} of {object}',
	CopyHeld: 'Node {node} holds version {version} of {object}',
	CopyRemoved: 'The copy of version {version} of {object} at node {node} was removed',
};

function keySet({ level }: Fields, owner: string): string {
	return level === null
		? `The access key of {account} in {${owner}} was revoked`
		: `{account} was granted the level {level} in {${owner}}`;
}

/** A part of a sentence: text, or the name of a field. */
export type Part = { text: string } | { field: string };

/** Returns the sentence of an event in parts, or `undefined` if its name is unknown. */
export function sentence(event: Pick<FabricEvent, 'name' | 'fields'>): Part[] | undefined {
	const found = Object.hasOwn(SENTENCES, event.name) ? SENTENCES[event.name] : undefined;
	if (found === undefined) return undefined;
	const text = typeof found === 'string' ? found : found(event.fields);
	return text
		.split(/\{(\w+)\}/)
		.map((part, index) => (index % 2 === 0 ? { text: part } : { field: part }))
		.filter((part) => !('text' in part) || part.text !== '');
}

/** The events of `/v1/governance`. Roots deposit some of them, too. */
export const DEEDS = [
	...['Suspended', 'GovernanceDeleteSet', 'Slashed', 'RootNominated', 'ChildDeletedByGovernance', 'GovernanceDeleted'],
	...['PurgeStarted', 'Purged', 'MemberEmptied', 'Admitted', 'AdmissionRevoked'],
	...['SpaceCreated', 'SpaceRulesSet', 'SpaceGovernorSet', 'SpaceDeleted'],
];

/** Returns a word for what governance did. */
export function deed(event: Pick<FabricEvent, 'name' | 'fields'>): { word: string; bad: boolean } | undefined {
	const enabled = event.fields['enabled'] === true;
	switch (event.name) {
		case 'Suspended':
			return enabled ? { word: 'suspended', bad: true } : { word: 'resumed', bad: false };
		case 'GovernanceDeleteSet':
			return enabled ? { word: 'frozen', bad: true } : { word: 'unfrozen', bad: false };
		case 'Slashed':
			return { word: 'slashed', bad: true };
		case 'GovernanceDeleted':
			return { word: 'deleted', bad: true };
		case 'ChildDeletedByGovernance':
			return { word: 'row deleted', bad: true };
		case 'RootNominated':
			return { word: event.fields['nominee'] === null ? 'nomination withdrawn' : 'root nominated', bad: false };
		case 'Admitted':
			return { word: 'admitted', bad: false };
		case 'AdmissionRevoked':
			return { word: 'admission revoked', bad: true };
		case 'SpaceDeleted':
			return { word: 'space deleted', bad: true };
		case 'PurgeStarted':
			return { word: 'purge started', bad: true };
		case 'Purged':
			return { word: 'purged', bad: true };
		default:
			return undefined;
	}
}
