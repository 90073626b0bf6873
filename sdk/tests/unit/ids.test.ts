// SPDX-License-Identifier: Apache-2.0
/** The Rust library has the same vectors. */

import { expect, test } from 'vitest';
import muids from '../../../primitives/identifiers/tests/vectors/muid.json' with { type: 'json' };
import keys from '../../../primitives/identifiers/tests/vectors/record_key.json' with { type: 'json' };
import names from '../../../primitives/identifiers/tests/vectors/record_name.json' with { type: 'json' };
import tids from '../../../primitives/identifiers/tests/vectors/tid.json' with { type: 'json' };
import * as ids from '../../src/ids/index.ts';

test('TIDs of the vectors are read and written', () => {
	const strict = tids.valid.filter((vector) => vector.generated_by_conforming_generator ?? true);
	expect(strict.length).toBeGreaterThan(20);
	for (const { text, value, timestamp, clock_id: clockId } of tids.valid) {
		const tid = ids.parseLenientTid(text);
		expect(tid).toEqual({ value: BigInt(value), timestamp: BigInt(timestamp), clockId });
	}
	for (const { text } of strict) {
		const tid = ids.parseTid(text);
		expect(tid).toEqual(ids.parseLenientTid(text));
		expect(ids.formatTid(tid.timestamp, tid.clockId)).toBe(text);
	}
});

test('TIDs that break a rule are refused, also those with the top bit', () => {
	for (const text of tids.invalid) {
		expect(() => ids.parseTid(text), JSON.stringify(text)).toThrow(ids.IdError);
		expect(() => ids.parseLenientTid(text), JSON.stringify(text)).toThrow(ids.IdError);
	}
	for (const first of 'cdefghij') {
		for (const text of [`${first}222222222222`, `${first}zzzzzzzzzzzz`]) {
			expect(() => ids.parseTid(text)).toThrow('byte 0 is after `b`');
			expect(ids.parseLenientTid(text).value >> 63n).toBe(1n);
			expect(() => ids.checkRecordKey(text, { type: 'tid' })).toThrow('byte 0 is after `b`');
			expect(() => ids.idOfTid(text, 0)).toThrow('byte 0 is after `b`');
		}
	}
	expect(() => ids.parseTid('kjzfcijpj2z2a')).toThrow('needs more than 64 bits');
	expect(() => ids.parseTid('3jzfcijpj2z2!')).toThrow('byte 12 is not one of 234567');
	expect(() => ids.parseTid('222')).toThrow('a TID has 13 bytes of text, not 3');
	expect(ids.formatTid(2n ** 53n - 1n, 1023)).toBe('bzzzzzzzzzzzz');
	expect(() => ids.formatTid(2n ** 53n, 0)).toThrow(ids.IdError);
	expect(() => ids.formatTid(-1n, 0)).toThrow(ids.IdError);
	for (const clockId of [-1, 1024, 0.5]) expect(() => ids.formatTid(0n, clockId)).toThrow(`not ${clockId}`);
});

test('muids of the vectors are read and written in all forms', () => {
	const { canonical, accepted_short_forms: short, ascending } = muids;
	for (const { text, packed, timestamp, medallion, offset } of canonical) {
		const muid = { timestamp: BigInt(timestamp), medallion: BigInt(medallion), offset };
		expect(ids.parseMuid(text)).toEqual(muid);
		expect(ids.parseMuid(packed)).toEqual(muid);
		expect(ids.formatMuid(muid)).toBe(text);
		expect(ids.toHex(ids.muidBytes(muid)).toUpperCase()).toBe(packed);
	}
	for (const { text, canonical } of short) expect(ids.formatMuid(ids.parseMuid(text))).toBe(canonical);
	expect(ids.formatMuid(ids.parseMuid('5D5EAC793E61F1BFC71B112D'))).toBe('5D5EAC793E61F-1BFC71B112D-00000000');
	expect([...ascending].sort()).toEqual(ascending);
});

test('muids that break a rule are refused', () => {
	for (const text of muids.rejected) expect(() => ids.parseMuid(text), JSON.stringify(text)).toThrow(ids.IdError);
	expect(() => ids.parseMuid('5D5EAC793E61-1BFC71B112D-0000000B')).toThrow('the group at byte 0 has 12 digits, expected 13');
	expect(() => ids.parseMuid('5D5EAC793E61F-1BFC71B112D-0000000G')).toThrow('byte 33 is not a hexadecimal digit');
	const parts = { timestamp: 0n, medallion: 0n, offset: 0 };
	for (const bad of [{ timestamp: 2n ** 52n }, { medallion: 2n ** 44n }, { offset: 2 ** 31 }, { timestamp: -1n }]) {
		expect(() => ids.muidBytes({ ...parts, ...bad })).toThrow(ids.IdError);
	}
});

test('transactions follow each other when the clock stands or steps back', () => {
	const first = ids.nextTransaction(undefined, 10n, 5n);
	expect(first).toEqual({ timestamp: 10n, medallion: 5n, offset: 0 });
	expect(ids.nextTransaction(first, 10n, 5n).timestamp).toBe(11n);
	expect(ids.nextTransaction(first, 3n, 5n).timestamp).toBe(11n);
	expect(ids.nextTransaction(first, 12n, 5n).timestamp).toBe(12n);
	expect(() => ids.nextTransaction({ ...first, timestamp: 2n ** 52n - 1n }, 0n, 5n)).toThrow(ids.IdError);
});

test('a transaction is minted only for a medallion that a writer can have, and read with any', () => {
	for (const legal of muids.medallion.legal) {
		expect(ids.nextTransaction(undefined, 1n, BigInt(legal)).medallion).toBe(BigInt(legal));
	}
	for (const illegal of [...muids.medallion.illegal, -1]) {
		expect(() => ids.nextTransaction(undefined, 1n, BigInt(illegal))).toThrow(`${illegal} is not a medallion`);
	}
	for (const medallion of muids.medallion.only_read.map(BigInt)) {
		const muid = { timestamp: 1n, medallion, offset: 0 };
		expect(ids.parseMuid(ids.formatMuid(muid))).toEqual(muid);
		expect(ids.muidOfBytes(ids.muidBytes(muid))).toEqual(muid);
	}
	expect(() => ids.nextTransaction(undefined, 2n ** 52n, 5n)).toThrow(ids.IdError);
	expect(() => ids.nextTransaction(undefined, -1n, 5n)).toThrow(ids.IdError);
});

test('a reference takes from its context only what it leaves out', () => {
	const reasons = {
		other_transaction: 'counts back in another transaction',
		before_transaction: 'before the start of the transaction',
		relative_context: 'resolve it first',
	};
	for (const { reference, context, absolute, error, note } of muids.references) {
		const resolve = () => ids.formatMuid(ids.resolveMuid(ids.parseMuid(reference), ids.parseMuid(context)));
		if (absolute !== undefined) expect(resolve(), note).toBe(absolute);
		else expect(resolve, note).toThrow(reasons[error as keyof typeof reasons]);
	}
});

test('record keys, their types and NSIDs follow the vectors', () => {
	const refused = (read: () => unknown, text: string) => expect(read, JSON.stringify(text)).toThrow(ids.IdError);
	for (const syntax of ['unreserved', 'path-segment'] as const) {
		for (const key of keys.valid_in_both) expect(ids.parseRecordKey(key, syntax)).toBe(key);
		for (const key of keys.invalid_in_both) refused(() => ids.parseRecordKey(key, syntax), key);
	}
	for (const key of keys.valid_only_in_path_segment) {
		expect(ids.parseRecordKey(key)).toBe(key);
		refused(() => ids.parseRecordKey(key, 'unreserved'), key);
	}
	for (const { type, ok, bad } of keys.key_types) {
		const parsed = ids.parseRecordKeyType(type);
		for (const key of ok) expect(ids.checkRecordKey(key, parsed)).toBe(key);
		for (const key of bad) refused(() => ids.checkRecordKey(key, parsed), key);
	}
	for (const text of keys.key_type_text.ok) ids.parseRecordKeyType(text);
	for (const text of keys.key_type_text.bad) refused(() => ids.parseRecordKeyType(text), text);
	for (const text of keys.nsid_valid) expect(ids.parseNsid(text)).toBe(text);
	for (const text of keys.nsid_invalid) refused(() => ids.parseNsid(text), text);
	expect(() => ids.parseRecordKey('pre:fix', 'unreserved')).toThrow('byte 3 is not allowed in a record key');
});

test('names have the record keys of the vectors', () => {
	for (const { name, path_segment: key, unreserved } of names.names) {
		expect([ids.keyOfName(name), ids.nameOfKey(key)]).toEqual([key, name]);
		expect([ids.keyOfName(name, 'unreserved'), ids.nameOfKey(unreserved, 'unreserved')]).toEqual([unreserved, name]);
	}
	for (const { key, escaped } of names.keys_with_two_names) {
		expect([ids.keyOfName(key), ids.keyOfName(escaped), ids.nameOfKey(key)]).toEqual([key, key, escaped]);
	}
	for (const key of names.own_names) expect([ids.keyOfName(key), ids.nameOfKey(key)]).toEqual([key, key]);
	for (const { text, repeat, found } of names.unnamed) {
		const reason = found === 0 ? 'must not be empty' : `at most 512 bytes, not ${found}`;
		expect(() => ids.keyOfName(text.repeat(repeat))).toThrow(reason);
	}
	for (const { text, repeat } of names.longest) {
		expect(ids.nameOfKey(ids.keyOfName(text.repeat(repeat)))).toBe(text.repeat(repeat));
	}
	expect(ids.nameOfKey('not a key')).toBe('not a key');
});

test('long keys and upper case come with advice', () => {
	expect(ids.recordKeyAdvice('names', 'a'.repeat(73))).toBeUndefined();
	for (const key of ['Serde', 'a'.repeat(74)]) expect(ids.recordKeyAdvice('names', key)).toContain('atproto recommends');
	for (const name of ['names', 'a'.repeat(79)]) expect(ids.collectionAdvice(name)).toBeUndefined();
	for (const name of ['Names', 'a'.repeat(80)]) expect(ids.collectionAdvice(name)).toContain('atproto recommends');
});

test('texts of ids round-trip at the extremes', () => {
	for (const byte of [0, 1, 0x7f, 0xff]) {
		for (const kind of ['space', 'provider', 'tenant', 'node', 'kms', 'object', 'version'] as const) {
			const bytes = new Uint8Array(kind === 'version' ? 32 : 10).fill(byte);
			const text = ids.formatId(kind, bytes);
			expect(ids.parseId(kind, text)).toEqual(bytes);
			expect([ids.kindOf(text), ids.idKind(text)]).toEqual([kind, kind]);
		}
		const path = { tenant: new Uint8Array(10).fill(byte), object: new Uint8Array(10).fill(255 - byte) };
		expect(ids.parseObjectPath(ids.formatObjectPath(path))).toEqual(path);
	}
	expect(ids.formatId('space', new Uint8Array(10))).toBe('ispc1111111111');
	expect(ids.formatId('tenant', new TextEncoder().encode('0123456789'))).toBe('iten3i37NcgooY8f1S');
});

test('a bad id says what is wrong and where', () => {
	const parse = (text: string) => () => ids.parseId('space', text);
	expect(parse('iten1111111111')).toThrow('the id does not start with `ispc`');
	for (const text of ['ispc', 'ispc111111111', 'ispc11111111111', `ispc${'1'.repeat(100_000)}`]) {
		expect(parse(text)).toThrow('the text after the prefix does not represent 10 bytes');
	}
	expect(parse('ispc11110')).toThrow('the character at byte 8 is not base58');
	expect(parse('ispc1é')).toThrow('the character at byte 5 is not base58');
	expect(() => ids.parseObjectPath(`itq_${'1'.repeat(21)}`)).toThrow('a tenant of 0 bytes instead of 10');
	expect(() => ids.formatId('space', new Uint8Array(9))).toThrow('has 9 bytes, expected 10');
	expect(ids.idKind('ispc0')).toBeUndefined();
	expect(ids.idKind('5Grwva')).toBeUndefined();
});

test('the CID of a version is the same as in the Rust library', () => {
	// The vectors of `primitives/identifiers/tests/data.rs`: the hashes of no data and of `abc`.
	for (const [hash, digits, cid] of [
		['sha256', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855', 'bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku'],
		['sha256', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad', 'bafkreif2pall7dybz7vecqka3zo24irdwabwdi4wc55jznaq75q7eaavvu'],
		['blake3', 'af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262', 'bafkr4ifpcne3t5pzugtkaqcn5i3nzskjtpfslsnnyejlpte2spfoihzsmi'],
		['blake3', '6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85', 'bafkr4ideg6z2yocgkez77nr3outtvdnvjdcvqrs5phnqh7jvtrwnlpm5qu'],
	] as const) {
		const version = ids.formatId('version', ids.fromHex(digits));
		expect(ids.cidOf({ version, hash })).toBe(cid);
		expect(ids.parseCid(cid)).toEqual({ version, hash });
	}
	expect(() => ids.cidOf({ version: 'iq__1', hash: 'blake3' })).toThrow('does not start with `hq__`');
	expect(() => ids.cidOf({ version: 'hq__1', hash: 'sha256' })).toThrow('does not represent 32 bytes');
	expect(() => ids.cidOf({ version: 'hq__1', hash: 'md5' as 'sha256' })).toThrow('the hash is `md5`');
});

test('a version is read from its id or its CID, which must have the kind of hash that the version has', () => {
	const version = ids.formatId('version', new Uint8Array(32).fill(1));
	const [blake3, sha256] = (['blake3', 'sha256'] as const).map((hash) => ids.cidOf({ version, hash }));
	expect(ids.parseVersion(version)).toEqual({ version });
	expect(ids.parseVersion(sha256!)).toEqual({ version, hash: 'sha256' });
	expect(() => ids.parseVersion('iten1')).toThrow('does not start with `hq__`');
	for (const text of [version, sha256!]) expect(ids.withHash(ids.parseVersion(text), 'sha256')).toEqual({ version, hash: 'sha256' });
	expect(() => ids.withHash(ids.parseVersion(sha256!), 'blake3')).toThrow(
		`there is no version ${sha256}: ${version} is a BLAKE3 hash, so its CID is ${blake3}`,
	);
});

test('a CID that is not the one of a version is refused', () => {
	const cid = 'bafkreif2pall7dybz7vecqka3zo24irdwabwdi4wc55jznaq75q7eaavvu';
	for (const [text, message] of [
		['', 'has 59 characters, not 0'],
		[cid.slice(1), 'has 59 characters, not 58'],
		[cid.toUpperCase(), 'does not start with `b`'],
		[`z${cid.slice(1)}`, 'does not start with `b`'],
		[`${cid.slice(0, -1)}1`, 'the character at byte 58 is not base32'],
		// A bit after the last byte.
		[`${cid.slice(0, -1)}v`, 'does not name raw data'],
		// Data with a structure.
		[`bafybei${cid.slice(7)}`, 'does not name raw data'],
	] as const) {
		expect(() => ids.parseCid(text)).toThrow(message);
	}
});

test('ids of TIDs are the bytes of the TID and of the discriminator', () => {
	expect(ids.toHex(ids.idOfTid('2222222222223', 0x0102))).toBe('00000000000000010102');
	for (const discriminator of [-1, 65_536, 0.5]) {
		expect(() => ids.idOfTid('2222222222222', discriminator)).toThrow(ids.IdError);
	}
});
