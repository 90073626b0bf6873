// SPDX-License-Identifier: Apache-2.0
/** Compressed size of a file that the first view loads. */
export interface Weight {
	name: string;
	bytes: number;
}

/** Most bytes, compressed, that the first view may load. */
export const BUDGET = 64 * 1024;

/** Prints the weight of the first view, and throws if it exceeds the budget. */
export function checkBudget(weights: Weight[], budget = BUDGET): void {
	const total = weights.reduce((sum, weight) => sum + weight.bytes, 0);
	const listed = weights.map(({ name, bytes }) => `${name} ${bytes}`).join(', ');
	if (total > budget) {
		throw new Error(`first view weighs ${total} bytes, the budget is ${budget}: ${listed}`);
	}
	console.log(`first view: ${total} of ${budget} bytes compressed (${listed})`);
}
