// SPDX-License-Identifier: Apache-2.0
/** Commands of the client that print or change what a page shows. */

/** Returns `text` as one word of a shell. */
export function word(text: string): string {
	if (/^[A-Za-z0-9_./:@%+=,-][A-Za-z0-9_./:@%+=,~-]*$/.test(text)) return text;
	if (/^[\x20-\x7e]*$/.test(text)) return `'${text.replaceAll("'", `'\\''`)}'`;
	const escaped = text.replace(/[^\x20-\x7e]|['\\]/gu, (character) => {
		const code = character.codePointAt(0) ?? 0;
		if (code > 0x7f) return `\\U${code.toString(16).padStart(8, '0')}`;
		return code < 0x20 || code === 0x7f ? `\\x${code.toString(16).padStart(2, '0')}` : `\\${character}`;
	});
	return `$'${escaped}'`;
}

/**
 * Returns an option with its value. After a space, a value such as `-x` would be an option itself.
 */
export const option = (name: string, value: string) => `${name}${value.startsWith('-') ? '=' : ' '}${word(value)}`;

/** Returns a command. `name` may contain options. `--` ends them if a value starts with `-`. */
export function command(name: string, ...values: string[]): string {
	const end = values.some((value) => value.startsWith('-')) ? ['--'] : [];
	return ['fabric', name, ...end, ...values.map(word)].join(' ');
}

/** Returns a command that reads this index. */
const fromIndex = (name: string, ...values: string[]) =>
	command(`${name} ${option('--index', globalThis.location?.origin ?? 'http://localhost')}`, ...values);

export const commands = {
	show: (id: string) => command('show', id),
	tree: (...id: string[]) => command('tree', ...id),
	watch: (id?: string) => command(id === undefined ? 'watch' : `watch ${option('--under', id)}`),
	watchPurge: (member: string) => command(`watch ${option('--purge', member)}`),
	/** A key without `~` is its own name. */
	resolve: (tenant: string, collection: string, key: string) =>
		key.includes('~')
			? command(`resolve ${option('--key', key)}`, tenant, collection)
			: command('resolve', tenant, collection, key),
	get: (version: string) => command('get', version),
	/** The key of the profile serves without an option. */
	getSigned: (version: string) => `${command('get', version)} --signer KEY`,
	showKms: (tenant: string, kms: string) => command('kms show', tenant, kms),
	grantRead: (tenant: string, account: string) => command('key grant', tenant, account, 'read'),
	history: (id: string) => fromIndex('history', id),
	signed: (account: string) => fromIndex('history --signed-by', account),
	who: (version: string) => fromIndex('who', version),
	find: (name: string) => fromIndex('find', name),
	records: (tenant: string, collection: string) => command('record list', tenant, collection),
	account: (account: string) => command('account', account),
	watchFrom: (block: number) => command(`watch --from-block ${block}`),
};
