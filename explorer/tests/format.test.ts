// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FabricEvent } from '../src/api/answers.ts';
import { actions } from '../src/format/actions.ts';
import { commands, word } from '../src/format/commands.ts';
import { auditSummary, filledDays } from '../src/format/audits.ts';
import { amountParts, exactSize, fullAmount, percent, size } from '../src/format/number.ts';
import { canonicalPath, decodePart, ownPath, routes } from '../src/format/routes.ts';
import { states } from '../src/format/states.ts';
import { pieces, plain, shortId, shortText, words } from '../src/format/text.ts';
import { left, relative, utc } from '../src/format/time.ts';
import { deed, DEEDS, sentence } from '../src/components/sentences.ts';
import { checkBudget } from '../build/budget.ts';
import { audit, fullChain, IDS } from './support/chain.ts';

test('amounts keep all digits', () => {
	assert.equal(fullAmount('186840800000000', 12, 'UNIT'), '186.8408 UNIT');
	assert.equal(fullAmount('100000000000000001', 12, 'UNIT'), '100,000.000000000001 UNIT');
	assert.equal(fullAmount('1', 12, 'UNIT'), '0.000000000001 UNIT');
	assert.equal(fullAmount('0', 12, 'UNIT'), '0 UNIT');
	assert.equal(fullAmount('42', 0, 'X'), '42 X');
});

test('short amounts mark digits that are left out', () => {
	assert.deepEqual(amountParts('412345678901', 12), { whole: '0', fraction: '.4123', cut: true });
	assert.deepEqual(amountParts('2500000000000', 12), { whole: '2', fraction: '.5', cut: false });
	assert.deepEqual(amountParts('many', 12), { whole: 'many', fraction: '', cut: false });
});

test('sizes and percentages are rounded', () => {
	assert.equal(size(null), 'size not known');
	assert.equal(size('0'), '0 bytes');
	assert.equal(size('1'), '1 byte');
	assert.equal(size('1023'), '1,023 bytes');
	assert.equal(size('78245'), '76 KiB');
	assert.equal(size('3145728'), '3.0 MiB');
	assert.equal(size('18446744073709551615'), '16 EiB');
	assert.equal(size('many'), 'many');
	assert.equal(percent(1_999, 2_000), '99%');
	assert.equal(percent(0, 0), '100%');
});

test('sizes keep all digits', () => {
	assert.equal(exactSize('1'), '1 byte');
	assert.equal(exactSize('9007199254740993'), '9,007,199,254,740,993 bytes');
	assert.equal(exactSize('18446744073709551615'), '18,446,744,073,709,551,615 bytes');
	assert.equal(exactSize('many'), 'many');
});

test('text shows characters that have no shape', () => {
	assert.equal(plain('a\u202eb'), 'a\\u{202e}b');
	assert.equal(plain('\u0007\u200b\u2066\ufeff\n'), '\\u{7}\\u{200b}\\u{2066}\\u{feff}\\u{a}');
	assert.equal(plain('\ud800'), '\\u{d800}');
	assert.equal(plain('grüße 漢字 <b>'), 'grüße 漢字 <b>');
});

test('text shows all characters without a shape, and no others', () => {
	// Letters without a shape, variation selectors, and code points in between that later versions
	// of Unicode may assign.
	const letters = /[\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u2065\u{e0000}-\u{e007f}]/u;
	const selectors = /[\u180b-\u180f\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u;
	for (let code = 0; code <= 0x10ffff; code++) {
		const character = String.fromCodePoint(code);
		const byCategory = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/u.test(character);
		const invisible = byCategory || letters.test(character) || selectors.test(character);
		assert.equal(plain(character) !== character, invisible, code.toString(16));
	}
	assert.deepEqual(pieces('a\n\t\r', true), [
		{ text: 'a\n\t', escaped: false },
		{ text: '\\u{d}', escaped: true },
	]);
});

test('ids are shortened in the middle', () => {
	assert.equal(shortId('iten9E9GAJ7PbicYa8'), 'iten9E9G…cYa8');
	assert.equal(shortId('short'), 'short');
	assert.equal([...shortText('x'.repeat(100), 20)].length, 19);
});

test('names of events become words', () => {
	assert.equal(words('RecordPut'), 'record put');
	assert.equal(words('rows_left'), 'rows left');
	assert.equal(words('Kmses'), 'KMSes');
	assert.equal(words('ContentObjects'), 'content objects');
});

test('times are given by their distance', () => {
	const now = 1_700_000_000_000;
	assert.equal(relative(now - 3 * 60_000, now), '3 min ago');
	assert.equal(relative(now + 2 * 3_600_000, now), 'in 2 h');
	assert.equal(relative(now, now), 'just now');
	assert.equal(left(61_000), 'about 2 min');
	assert.equal(utc(0), '1970-01-01 00:00:00 UTC');
	assert.equal(utc(Number.NaN), '');
});

test('parts of paths survive encoding', () => {
	const key = 'a%2Fb~c:1.0?#/\u202e';
	const path = routes.record('iten', 'names', key);
	assert.equal(decodePart(path.split('/').at(-1)), key);
	assert.equal(decodePart('100%'), '100%');
});

test('other forms of ids in addresses become the forms of the pages', () => {
	const object = routes.object(IDS.tenant, IDS.object);
	const version = routes.version(IDS.tenant, IDS.object, IDS.version);
	assert.equal(canonicalPath(`/objects/${IDS.path}`), object);
	assert.equal(canonicalPath(`/tenants/${IDS.tenant}/objects/${IDS.path}`), object);
	for (const form of [IDS.version, IDS.cid, IDS.blake3Cid, IDS.versionHash, `0x${IDS.versionHash}`]) {
		assert.equal(canonicalPath(`/versions/${form}`), `/versions/${IDS.version}`);
		assert.equal(canonicalPath(`${object}/versions/${form}`), version);
		assert.equal(canonicalPath(`/tenants/${IDS.tenant}/objects/${IDS.path}/versions/${form}`), version);
	}
	assert.equal(canonicalPath(`/objects/${IDS.path}/versions/${IDS.cid}`), version);
});

test('addresses with anything else are left as they are', () => {
	for (const path of [
		...['/', '/objects', '/objects/', `/objects/${IDS.object}`, '/objects/itq_x', '/versions/bafybei', '/versions/%zz'],
		// The two tenants differ.
		`/tenants/${IDS.purged}/objects/${IDS.path}`,
		// Names and record keys are no ids.
		`/tenants/${IDS.tenant}/collections/objects/records/${IDS.path}`,
		`/tenants/${IDS.tenant}/collections/versions/records/${IDS.cid}`,
		`/members/${IDS.path}`,
	]) {
		assert.equal(canonicalPath(path), path);
	}
});

test('paths of hits stay within the explorer', () => {
	assert.equal(ownPath('/members/iten', 'iten'), '/members/iten');
	assert.equal(ownPath('//example.org', 'x'), '/search?q=x');
	assert.equal(ownPath('javascript:alert(1)', 'x'), '/search?q=x');
});

test('commands quote for a shell', () => {
	assert.equal(commands.watch('iten'), 'fabric watch --under iten');
	assert.equal(word('serde:1.0.0'), 'serde:1.0.0');
	assert.equal(word("it's; rm -rf ~"), "'it'\\''s; rm -rf ~'");
	assert.equal(word('a\u202e\n'), "$'a\\U0000202e\\x0a'");
});

test('values that start with a hyphen are not options of a command', () => {
	const fromIndex = '--index http://localhost';
	assert.equal(commands.resolve('iten', 'names', '--yes'), 'fabric resolve -- iten names --yes');
	assert.equal(commands.resolve('iten', 'names', 'a--yes'), 'fabric resolve iten names a--yes');
	assert.equal(commands.resolve('iten', 'names', 'q~2b'), 'fabric resolve --key q~2b iten names');
	assert.equal(commands.resolve('iten', 'names', '-~'), 'fabric resolve --key=-~ iten names');
	assert.equal(commands.records('iten', '-'), 'fabric record list -- iten -');
	assert.equal(commands.find('--words'), `fabric find ${fromIndex} -- --words`);
	assert.equal(commands.find('-a b'), `fabric find ${fromIndex} -- '-a b'`);
	assert.equal(commands.signed('5Grw'), `fabric history --signed-by ${fromIndex} 5Grw`);
	assert.equal(commands.find('serde'), `fabric find ${fromIndex} serde`);
	assert.equal(commands.watch('-x'), 'fabric watch --under=-x');
	assert.equal(actions.ofRecord('iten', 'names', '--yes')[0]?.command, 'fabric record delete -- iten names --yes');
	const [suspend] = actions.ofGovernance(fullChain().members[0]!, "-it's");
	assert.match(suspend?.command ?? '', /^fabric governance (suspend|resume) --reason='-it'\\''s' i\w+$/);
});

test('sentences name fields of the event', () => {
	assert.deepEqual(sentence({ name: 'SpaceDeleted', fields: { space: 'ispc' } }), [
		{ text: 'Space ' },
		{ field: 'space' },
		{ text: ' was deleted' },
	]);
	assert.equal(sentence({ name: 'toString', fields: {} }), undefined);
});

test('every act of governance has a sentence, and good and bad ones have a word', () => {
	const deedOf = (name: string, fields: FabricEvent['fields']) => deed({ name, fields })?.word;
	for (const name of DEEDS) assert.notEqual(sentence({ name, fields: {} }), undefined, name);
	assert.equal(deedOf('RootNominated', { nominee: null }), 'nomination withdrawn');
	assert.equal(deedOf('RootNominated', { nominee: '5F3s' }), 'root nominated');
	assert.equal(deedOf('GovernanceDeleteSet', { enabled: true }), 'frozen');
	assert.equal(deedOf('GovernanceDeleteSet', { enabled: false }), 'unfrozen');
	assert.equal(deedOf('SpaceCreated', {}), undefined);
});

test('the budget of the first view fails the build', () => {
	const later = { name: 'b', bytes: 1_000, later: true };
	checkBudget([{ name: 'a', bytes: 10, later: false }, later], 10);
	assert.throws(() => checkBudget([{ name: 'a', bytes: 11, later: false }, later], 10), /first view weighs 11 bytes, the budget is 10: a 11/);
	assert.throws(() => checkBudget([{ ...later, bytes: 1 << 20 }], 10), /loaded later weighs 1048576 bytes/);
});

test('audits are shown for 30 days, with those between', () => {
	const DAY = 86_400_000;
	const now = 20_785 * DAY + 5;
	const days = filledDays(audit(now), now);
	assert.equal(days.length, 30);
	assert.deepEqual(
		days.map(({ day }) => day),
		Array.from({ length: 30 }, (_, index) => (20_785 - 29 + index) * DAY),
	);
	assert.deepEqual(days.at(-1), { day: 20_785 * DAY, right: 120, wrong: 0, late: 0, refused: 0 });
	assert.deepEqual(days.at(-3), { day: 20_783 * DAY, right: 0, wrong: 0, late: 0, refused: 0 });
	// The clock of the reader is behind.
	assert.deepEqual(filledDays(audit(now), now - 3 * DAY), days);
	assert.equal(auditSummary(audit(now)), 'Results of 510 audits in the last 30 days: 501 right, 2 wrong, 3 late, 4 refused.');
});

test('each result of an audit has words, and failures are said', () => {
	const found = audit(0);
	const names = (result: 'right' | 'wrong' | 'late' | 'refused', status: number | null) =>
		states.ofAudit({ ...found, last: { ...found.last, result, status } }).map(({ name, tone }) => `${name} ${tone}`);
	assert.deepEqual(names('right', null), ['right good']);
	assert.deepEqual(names('wrong', null), ['wrong bad']);
	assert.deepEqual(names('late', null), ['late warn']);
	assert.deepEqual(names('refused', 404), ['refused with 404 bad']);
	assert.deepEqual(names('refused', null), ['refused bad']);
	const failing = states.ofAudit({ ...found, isFailing: true, failingCopies: 1 }).map(({ name }) => name);
	assert.deepEqual(failing, ['right', 'failing', '1 failing copy']);
	const { missing, failing: copies } = fullChain();
	assert.deepEqual(states.ofCopy(missing[0]!).map(({ name }) => name), ['asked']);
	assert.deepEqual(states.ofCopy(copies[0]!).map(({ name }) => name), ['held', 'wrong']);
});
