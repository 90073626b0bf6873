// SPDX-License-Identifier: Apache-2.0
/** Actions on the entity of a page: commands of the client, and the calls behind them. */

import type { Member } from '../api/answers.ts';
import { command, option } from './commands.ts';

/** An action, as the client's command and as the path by which the index encodes its call. */
export interface Action {
	title: string;
	command: string;
	call: string;
}

const action = (title: string, name: string, words: string[], call: string, values: Record<string, string>): Action => ({
	title,
	command: command(name, ...words),
	call: `/v1/calls/${call}?${new URLSearchParams(values)}`,
});

/** A decision of governance, with its reason. */
function decision(title: string, name: string, member: Member, reason: string, call: string, values: Record<string, string>): Action {
	return action(title, `governance ${name} ${option('--reason', reason)}`, [member.id], call, { member: member.id, reason, ...values });
}

export const actions = {
	/** Returns the actions of a member's root. */
	ofRoot(member: Member): Action[] {
		const { id } = member;
		if (member.purge !== null) return [action('Remove rows of the purge', 'member reap --limit 1000', [id], 'reap', { member: id, limit: '1000' })];
		if (member.rowCount === 0) return [action('Leave, and release the bond', 'member leave', [id], 'delete_member', { member: id })];
		return [action('Remove all rows', 'member purge', [id], 'purge_member', { member: id })];
	},

	/** Returns the actions of governance on a member. */
	ofGovernance(member: Member, reason: string): Action[] {
		const { suspended, governanceDelete: frozen } = member;
		const suspend = suspended ? 'resume' : 'suspend';
		const freeze = frozen ? 'unfreeze' : 'freeze';
		const decisions = [
			decision(suspended ? 'Resume' : 'Suspend', suspend, member, reason, 'set_suspended', { enabled: String(!suspended) }),
			decision(frozen ? 'Unfreeze' : 'Freeze', freeze, member, reason, 'set_governance_delete', { enabled: String(!frozen) }),
		];
		if (member.purge === 'member') return [];
		return [...decisions, decision('Delete with all rows', 'purge', member, reason, 'governance_delete', { slash: '0' })];
	},

	ofNode(provider: string, node: string, pending: boolean): Action[] {
		const values = { provider, node };
		const confirm = action('Confirm', 'node confirm', [provider, node], 'confirm_node', values);
		const remove = action('Remove', 'node remove', [provider, node], 'remove_node', values);
		return pending ? [confirm, remove] : [remove];
	},

	ofObject: (tenant: string, object: string): Action[] => [
		action('Delete', 'object delete', [tenant, object], 'delete_content_object', { tenant, object }),
	],

	ofVersion(tenant: string, object: string, version: string, canBeHead: boolean): Action[] {
		const [words, values] = [[tenant, object, version], { tenant, object, version }];
		const remove = action('Delete', 'version delete', words, 'delete_version', values);
		return canBeHead ? [action('Make it the head', 'object set-head', words, 'set_head_version', values), remove] : [remove];
	},

	ofCollection: (tenant: string, collection: string): Action[] => [
		action('Delete', 'collection delete', [tenant, collection], 'delete_collection', { tenant, collection }),
	],

	ofRecord: (tenant: string, collection: string, key: string): Action[] => [
		action('Delete', 'record delete', [tenant, collection, key], 'delete_record', { tenant, collection, key }),
	],
};
