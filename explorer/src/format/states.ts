// SPDX-License-Identifier: Apache-2.0
/** States of members, nodes and versions. */

import type { Member, Node, Probe, Version } from '../api/answers.ts';

/** A state, and how good it is. */
export interface State {
	name: string;
	tone?: 'plain' | 'good' | 'warn' | 'bad';
	title?: string;
}

export const states = {
	/** The states of a member that are not the usual one. */
	ofMember(member: Member): State[] {
		const found: State[] = [];
		if (member.suspended) found.push({ name: 'suspended', tone: 'bad', title: 'Closed to everyone but governance' });
		if (member.governanceDelete) found.push({ name: 'frozen', tone: 'bad', title: 'Governance may delete its rows one by one' });
		if (member.purge !== null) {
			const title = member.purge === 'member' ? 'Governance deletes it with all its rows' : 'Its root removes all its rows';
			found.push({ name: 'purge', tone: 'bad', title });
		}
		// A deleted member has its bond back, or lost it.
		if (member.purge !== 'member' && lessThan(member.bond, member.requiredBond)) {
			found.push({ name: 'under-bonded', tone: 'warn', title: 'Has less bond than its space requires, and cannot add rows' });
		}
		return found;
	},

	/** All states of a member. At least one is always shown. */
	ofListedMember(member: Member): State[] {
		const unusual = states.ofMember(member);
		return unusual.length > 0 ? unusual : [{ name: 'active', tone: 'good' }];
	},

	ofNode: ({ pending }: Node): State[] => [pending ? { name: 'pending', tone: 'warn' } : { name: 'confirmed', tone: 'good' }],

	ofProbe({ answer, status }: Probe): State[] {
		switch (answer) {
			case 'good':
				return [{ name: 'answers', tone: 'good' }];
			case 'status':
				return [{ name: `status ${status}`, tone: 'bad', title: 'It answered with an error or a redirect' }];
			case 'other':
				return [{ name: 'not this node', tone: 'bad', title: 'The server is not the content node of this id' }];
			case 'locator':
				return [{ name: 'no HTTP server', tone: 'warn', title: 'Its locator names none' }];
			default:
				return [{ name: 'no answer', tone: 'bad', title: 'It did not answer in time, or has no public address' }];
		}
	},

	ofVersion(version: Version): State[] {
		const data: State =
			version.finalizedAt === null ? { name: 'committed', tone: 'warn', title: 'Its data is not complete yet' } : { name: 'finalized' };
		return version.isHead ? [{ name: 'head', tone: 'good', title: 'Stands for its content object' }, data] : [data];
	},
};

function lessThan(a: string, b: string): boolean {
	return /^\d+$/.test(a) && /^\d+$/.test(b) && BigInt(a) < BigInt(b);
}
