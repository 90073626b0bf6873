// SPDX-License-Identifier: Apache-2.0
/** Results of audits by day. */

import type { Audit, AuditDay, AuditResult } from '../api/answers.ts';
import { count } from './number.ts';

const DAY = 86_400_000;
/** Days that the index shows. */
const DAYS = 30;

/** The results, in the order in which a chart stacks them. */
export const RESULTS: readonly AuditResult[] = ['right', 'wrong', 'late', 'refused'];

/** The results as words. */
export const RESULT_NAMES: Readonly<Record<AuditResult, string>> = { right: 'Right', wrong: 'Wrong', late: 'Late', refused: 'Refused' };

/** Returns the number of audits. */
export const audits = (counts: Pick<AuditDay, AuditResult>): number => RESULTS.reduce((sum, result) => sum + counts[result], 0);

/** Returns the days of an audit up to today, or its last day. Those that are left out had no audit. */
export function filledDays(audit: Audit, now: number): AuditDay[] {
	const known = new Map(audit.days.map((item) => [item.day, item]));
	const last = Math.max(Math.floor(now / DAY) * DAY, audit.days.at(-1)?.day ?? 0);
	return Array.from({ length: DAYS }, (_, index) => {
		const day = last - (DAYS - 1 - index) * DAY;
		return known.get(day) ?? { day, right: 0, wrong: 0, late: 0, refused: 0 };
	});
}

/** Returns a sentence with the numbers of results. */
export function auditSummary(audit: Audit): string {
	const results = RESULTS.map((result) => `${audit[result]} ${result}`).join(', ');
	return `Results of ${count(audits(audit), 'audit')} in the last ${DAYS} days: ${results}.`;
}
