// SPDX-License-Identifier: Apache-2.0
/** The characters that begin the texts of ids. They say what an id names. */

export const PREFIXES = {
	space: 'ispc',
	provider: 'iprv',
	tenant: 'iten',
	node: 'inod',
	kms: 'ikms',
	object: 'iq__',
	version: 'hq__',
	path: 'itq_',
} as const;

/** The kind of entity that an id names. `path` is a content object together with its tenant. */
export type Kind = keyof typeof PREFIXES;

/** Returns what the prefix of a text stands for. Does not check the rest of the text. */
export function kindOf(text: string): Kind | undefined {
	return (Object.keys(PREFIXES) as Kind[]).find((kind) => text.startsWith(PREFIXES[kind]));
}
