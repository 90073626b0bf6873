// SPDX-License-Identifier: Apache-2.0
/** Compressed size of a file of the build. */
export interface Weight {
	name: string;
	bytes: number;
	/** True if a page loads it only when it needs it. */
	later: boolean;
}

/** Most bytes, compressed, that the first view may load. */
export const BUDGET = 64 * 1024;
/** Most bytes, compressed, that pages may load later. */
const BUDGET_LATER = 48 * 1024;

/** Prints the weights of the first view and of the rest, and throws if one exceeds its budget. */
export function checkBudget(weights: Weight[], budget = BUDGET): void {
	check('first view', weights.filter(({ later }) => !later), budget);
	check('loaded later', weights.filter(({ later }) => later), BUDGET_LATER);
}

function check(what: string, weights: Weight[], budget: number): void {
	const total = weights.reduce((sum, weight) => sum + weight.bytes, 0);
	const listed = weights.map(({ name, bytes }) => `${name} ${bytes}`).join(', ');
	if (total > budget) {
		throw new Error(`${what} weighs ${total} bytes, the budget is ${budget}: ${listed}`);
	}
	console.log(`${what}: ${total} of ${budget} bytes compressed (${listed})`);
}
