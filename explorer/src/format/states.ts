// SPDX-License-Identifier: Apache-2.0
/** States of members, nodes and versions. */

import type { Audit, AuditResult, CopyAtRisk, Member, Node, Version } from '../api/answers.ts';
import { count } from './number.ts';

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

	/** The last result of a node's audits, and what else speaks against the node. */
	ofAudit({ last, isFailing, failingCopies }: Audit): State[] {
		const found = [ofResult(last.result, last.status)];
		if (isFailing) found.push({ name: 'failing', tone: 'bad', title: 'The last three audits found no content node of this id, or the last ten were late' });
		if (failingCopies > 0) {
			found.push({ name: count(failingCopies, 'failing copy', 'failing copies'), tone: 'bad', title: 'Their last audits were wrong or refused, or the last ten were late' });
		}
		return found;
	},

	/** The state of a copy at risk, and the result of the audit that it failed. */
	ofCopy({ state, audit }: CopyAtRisk): State[] {
		const data: State = {
			held: { name: 'held' },
			asked: { name: 'asked', tone: 'warn' as const, title: 'The node was asked for the copy, and does not hold it' },
			gone: { name: 'gone', tone: 'bad' as const, title: 'The node was removed, or its provider is being purged' },
		}[state];
		return audit === null ? [data] : [data, ofResult(audit.result, null)];
	},

	ofVersion(version: Version): State[] {
		const data: State =
			version.finalizedAt === null ? { name: 'committed', tone: 'warn', title: 'Its data is not complete yet' } : { name: 'finalized' };
		return version.isHead ? [{ name: 'head', tone: 'good', title: 'Stands for its content object' }, data] : [data];
	},
};

function ofResult(result: AuditResult, status: number | null): State {
	switch (result) {
		case 'right':
			return { name: 'right', tone: 'good', title: 'It sent the bytes that it was asked for' };
		case 'wrong':
			return { name: 'wrong', tone: 'bad', title: 'Its bytes are not the bytes of the version, or the server is another one' };
		case 'late':
			return { name: 'late', tone: 'warn', title: 'It did not answer to the end in time' };
		case 'refused':
			return {
				name: status === null ? 'refused' : `refused with ${status}`,
				tone: 'bad',
				title: 'It answered with an error, or could not be reached',
			};
	}
}

function lessThan(a: string, b: string): boolean {
	return /^\d+$/.test(a) && /^\d+$/.test(b) && BigInt(a) < BigInt(b);
}
