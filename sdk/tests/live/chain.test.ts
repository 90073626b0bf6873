// SPDX-License-Identifier: Apache-2.0
/** Tests on the development node at FABRIC_URL, from an empty chain to a record. */

import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { blake3 } from '@noble/hashes/blake3.js';
import { sr25519CreateDerive } from '@polkadot-labs/hdkd';
import { DEV_PHRASE, entropyToMiniSecret, mnemonicToEntropy, ss58Address } from '@polkadot-labs/hdkd-helpers';
import type { Transaction } from 'polkadot-api';
import { getPolkadotSigner } from 'polkadot-api/signer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { commitTransaction, connect, ConnectError, draftCommit, fetchRecord, get, getDecrypted, idHex, kmsOf, openKms, put, resolve, signCommit, stream, type Fabric } from '../../src/chain.ts';
import { verifyVersion } from '../../src/commit.ts';
import { utf8 } from '../../src/ids/bytes.ts';
import { cidOf, formatId, formatTid, idOfTid, parseKmsKey, toHex } from '../../src/ids/index.ts';
import { encryptFor, KmsClient } from '../../src/kms.ts';

const derive = sr25519CreateDerive(entropyToMiniSecret(mnemonicToEntropy(DEV_PHRASE)));

/** Returns a development account. */
function account(path: string) {
	const { publicKey, sign } = derive(path);
	return { address: ss58Address(publicKey, 42), signer: getPolkadotSigner(publicKey, 'Sr25519', sign) };
}

const [alice, bob, charlie] = [account('//Alice'), account('//Bob'), account('//Charlie')];

const id = (kind: 'space' | 'provider' | 'node' | 'kms' | 'object', number: number) =>
	formatId(kind, idOfTid(formatTid(1_700_000_000_000_000n, 7), number));
// The tenant, its collection `names` and the record `serde` are the README's.
const parties = { originator: id('provider', 2), node: id('node', 3), tenant: 'iten9E9GAJ7PbicYa8', kms: id('kms', 5) };
const [provider, node, tenant] = [idHex('provider', parties.originator), idHex('node', parties.node), idHex('tenant', parties.tenant)];
const [space, object] = [id('space', 1), id('object', 6)];
const data = Uint8Array.from(Buffer.from('the data of a version'));
const hash = 'blake3' as const;
const version = formatId('version', blake3(data));
const MAX_HELD = 10n ** 18n;

/** The node of the provider: what it serves, whatever it is asked for. */
let served: Uint8Array = data;
const server = createServer((_, response) => response.end(served));

let fabric: Fabric;

beforeAll(async () => {
	const url = process.env['FABRIC_URL'];
	if (!url) throw new Error('FABRIC_URL is not set');
	await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
	fabric = await connect(url, WebSocket);
});
afterAll(() => {
	fabric?.close();
	server.close();
});

/** Submits a transaction, which must succeed. */
async function submit({ signer }: typeof alice, transaction: Pick<Transaction, 'signAndSubmit'>): Promise<void> {
	const { ok, dispatchError } = await transaction.signAndSubmit(signer);
	if (!ok) throw new Error(`the call failed: ${JSON.stringify(dispatchError)}`);
}

test('a space, a provider with a node, and a tenant with a KMS and an object are created', async () => {
	const calls = fabric.api.tx.ContentFabric;
	const rules = { provider_bond: 0n, tenant_bond: 0n, admission: { type: 'Open', value: undefined }, partitions: 1, sla: new Uint8Array() } as const;
	const create = calls.create_space({ space: idHex('space', space), governor: alice.address, rules });
	await submit(alice, fabric.api.tx.Sudo.sudo({ call: create.decodedCall }));
	const batch = (account: typeof alice, ...all: { decodedCall: typeof create.decodedCall }[]) =>
		submit(account, fabric.api.tx.Utility.batch_all({ calls: all.map(({ decodedCall }) => decodedCall) }));
	const locator = utf8(`/ip4/127.0.0.1/tcp/${(server.address() as AddressInfo).port}/http`);
	await batch(
		bob,
		calls.create_provider({ space: idHex('space', space), id: provider, max_held: MAX_HELD }),
		calls.create_node({ provider, node, operator: bob.address, locator }),
		calls.confirm_node({ provider, node }),
	);
	const key_type = { type: 'Any', value: undefined } as const;
	const syntax = { type: 'PathSegment', value: undefined } as const;
	await batch(
		charlie,
		calls.create_tenant({ space: idHex('space', space), id: tenant, max_held: MAX_HELD }),
		calls.add_kms({
			tenant,
			kms: idHex('kms', parties.kms),
			operator: charlie.address,
			locator: utf8('https://127.0.0.1/kms'),
			key: `0x${'07'.repeat(32)}`,
		}),
		calls.create_content_object({ tenant, object: idHex('object', object) }),
		calls.create_collection({ tenant, name: utf8('names'), key_type, syntax }),
	);
});

test('a commit that the tenant signed is accepted once, and not with another signature', async () => {
	const draft = { object, version, hash, size: BigInt(data.length), setHeadOnFinalize: true };
	const commit = await draftCommit(fabric, parties, [draft]);
	const signed = await signCommit(fabric, commit, charlie.address, charlie.signer);
	const forged = await signCommit(fabric, commit, charlie.address, bob.signer);
	await expect(submit(bob, commitTransaction(fabric, forged))).rejects.toThrow();
	await submit(bob, commitTransaction(fabric, signed));
	await expect(submit(bob, commitTransaction(fabric, signed))).rejects.toThrow();
	const next = await draftCommit(fabric, parties, [draft]);
	expect(next.muid.timestamp).toBeGreaterThan(commit.muid.timestamp);
});

test('a record resolves to the head of its object, whose data is verified', async () => {
	const hex = idHex('object', object);
	const target = { object: hex, version: undefined };
	const records = ['serde', 'serde:1.0'].map((key): [Uint8Array, typeof target] => [utf8(key), target]);
	await submit(charlie, fabric.api.tx.ContentFabric.put_records({ tenant, collection: utf8('names'), records }));
	expect(await resolve(fabric, parties.tenant, 'names', 'serde:1.0')).toEqual({ object, version: undefined, dangling: false });

	const versions: [`0x${string}`, `0x${string}`][] = [[hex, idHex('version', version)]];
	await submit(bob, fabric.api.tx.ContentFabric.finalize_versions({ provider, node, tenant, versions }));
	const found = await resolve(fabric, parties.tenant, 'names', 'serde:1.0');
	expect(found).toEqual({ object, version, dangling: false });
	expect(await verifyVersion({ version: found?.version ?? '', hash }, data)).toBe(true);
	expect(await resolve(fabric, parties.tenant, 'names', 'missing')).toBeUndefined();
});

test('the code of the README gets the version with the packed package', async () => {
	const { stdout } = await promisify(execFile)(process.execPath, [process.env['README_CODE'] ?? 'README_CODE is not set']);
	expect(stdout).toBe(`tenant 1682739741953005n\ng~2b~2b:12 g++:12\n${data.length} bytes of ${version}\n`);
});

test('a record is fetched in one call, and the error names what is missing', async () => {
	expect(await fetchRecord(fabric, parties.tenant, 'names', 'serde')).toEqual(data);
	await expect(fetchRecord(fabric, parties.tenant, 'names', 'serde', { most: 1 })).rejects.toThrow('more than the limit of 1');
	await expect(fetchRecord(fabric, parties.tenant, 'names', 'missing')).rejects.toThrow('has no record missing in a collection names');
	const calls = fabric.api.tx.ContentFabric;
	const empty = id('object', 7);
	await submit(charlie, calls.create_content_object({ tenant, object: idHex('object', empty) }));
	const records: [Uint8Array, { object: `0x${string}`; version: undefined }][] = [[utf8('empty'), { object: idHex('object', empty), version: undefined }]];
	await submit(charlie, calls.put_records({ tenant, collection: utf8('names'), records }));
	await expect(fetchRecord(fabric, parties.tenant, 'names', 'empty')).rejects.toThrow(`${empty} of ${parties.tenant} has no head`);
	await submit(charlie, calls.delete_content_object({ tenant, object: idHex('object', empty) }));
	await expect(fetchRecord(fabric, parties.tenant, 'names', 'empty')).rejects.toThrow(`leads to ${empty}, which was deleted`);
});

test('no connection is an error within the time', async () => {
	await expect(connect('ws://127.0.0.1:1', WebSocket, { time: 60_000 })).rejects.toThrow(ConnectError);
});

test('a version is got from its node, unless that lies', async () => {
	const key = { tenant: parties.tenant, object, version };
	expect(await get(fabric, key)).toEqual(data);
	expect(await get(fabric, { ...key, version: cidOf({ version, hash }) })).toEqual(data);
	const other = cidOf({ version, hash: 'sha256' });
	await expect(get(fabric, { ...key, version: other })).rejects.toThrow(`there is no version ${other}`);
	expect(await get(fabric, key, { most: 5, range: { first: 2, last: 6 } })).toEqual(data.slice(2, 7));
	const reader = (await stream(fabric, key, { range: { first: 4 } })).getReader();
	expect(await reader.read()).toEqual({ done: false, value: data.slice(4) });
	expect((await reader.read()).done).toBe(true);
	await expect(get(fabric, key, { most: data.length - 1 })).rejects.toThrow(`has ${data.length} bytes, more than the limit`);
	served = data.toReversed();
	await expect(get(fabric, key)).rejects.toThrow(new RegExp(`^no node served ${version}: ${parties.node} at /ip4/.*: it sends bytes 0 to ${data.length - 1} that are not the version's`));
	await expect(get(fabric, { ...key, object: id('object', 9) })).rejects.toThrow('does not exist');
});

/** Starts a server, and waits until it serves. Its environment has the given variables. */
async function serve(program: string, options: string[], variables: Record<string, string> = {}): Promise<{ address: string; stop: () => void }> {
	const server = spawn(program, ['serve', ...options, '--listen', '127.0.0.1:0'], { stdio: ['ignore', 'ignore', 'pipe'], env: { ...process.env, ...variables } });
	const address = await new Promise<string>((found, failed) => {
		let log = '';
		server.stderr.setEncoding('utf8').on('data', (text: string) => {
			log += text;
			const served = /serving (http:\/\/[0-9.:]+)/.exec(log)?.[1];
			if (served) found(served);
		});
		server.on('error', failed).on('exit', () => failed(new Error(`the server stopped:\n${log}`)));
	});
	return { address, stop: () => server.kill() };
}

/** Returns the value of an environment variable. */
function variable(name: string): string {
	const value = process.env[name];
	if (!value) throw new Error(`${name} is not set`);
	return value;
}

// The clock of a development chain can run ahead.
const limits = { maxAhead: 86_400 };
const own = { provider: parties.originator, node: id('node', 8), tenant: parties.tenant };
const signerOf = ({ address, signer }: typeof alice) => ({ address, signBytes: (bytes: Uint8Array) => signer.signBytes(bytes) });
let folder: string;
let store: Awaited<ReturnType<typeof serve>> | undefined;

beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), 'fabric-sdk-live-'));
});
afterAll(() => {
	store?.stop();
	rmSync(folder, { recursive: true, force: true });
});

test('versions are put through a content node, and got back', async () => {
	const ids = { provider, node: idHex('node', own.node) };
	const calls = fabric.api.tx.ContentFabric;
	await submit(bob, calls.create_node({ ...ids, operator: bob.address, locator: utf8('nowhere') }));
	await submit(bob, calls.confirm_node(ids));
	const who = signerOf(charlie);
	const versions = [{ object, data: Uint8Array.from(Buffer.from('bytes that are put')) }];
	await expect(put(fabric, own, who, versions)).rejects.toThrow('the locator `nowhere` of inod');
	const options = ['--url', variable('FABRIC_URL'), '--data', join(folder, 'store'), '--key', '//Bob'];
	store = await serve(variable('FABRIC_STORE'), [...options, '--provider', own.provider, '--node', own.node]);
	await submit(bob, calls.set_node_locator({ ...ids, locator: utf8(store.address) }));
	await expect(put(fabric, own, { ...who, address: bob.address }, versions, limits)).rejects.toThrow('status 401');
	const [done] = await put(fabric, own, who, versions, limits);
	expect(done?.size).toBe(versions[0]?.data.length);
	const key = { tenant: parties.tenant, object, version: done?.version ?? '' };
	expect(await get(fabric, key)).toEqual(versions[0]?.data);
	await expect(getDecrypted(fabric, key, who)).rejects.toThrow(`the version ${key.version} has no KMS: its data is plain`);
});

test('an encrypted version is put, and its KMS gives its key to those who may read', async () => {
	const program = variable('FABRIC_KMS');
	const [secret, identity] = [join(folder, 'passphrase'), join(folder, 'identity.age')];
	writeFileSync(secret, 'a passphrase of the tests', { mode: 0o600 });
	const { stdout } = await promisify(execFile)(program, ['key', 'new', '--output', identity, '--passphrase-file', secret]);
	const key = stdout.trim();
	const row = { tenant, kms: idHex('kms', parties.kms), key: `0x${toHex(parseKmsKey(key))}` as const };
	const calls = fabric.api.tx.ContentFabric;
	await submit(charlie, calls.set_kms({ ...row, locator: utf8('https://127.0.0.1/kms') }));
	const options = ['--url', variable('FABRIC_URL'), '--tenant', parties.tenant, '--kms', parties.kms, '--identity', identity, '--data', join(folder, 'kms')];
	const kms = await serve(program, options, { FABRIC_PASSWORD_FILE: secret });
	try {
		await submit(charlie, calls.set_kms({ ...row, locator: utf8(kms.address) }));
		expect(await kmsOf(fabric, parties.tenant, parties.kms)).toEqual({ locator: kms.address, key });

		const text = 'a text that only readers get';
		const data = await encryptFor(key, Uint8Array.from(Buffer.from(text)));
		const [done] = await put(fabric, { ...own, kms: parties.kms }, signerOf(charlie), [{ object, data }], limits);
		const version = { tenant: parties.tenant, object, version: done?.version ?? '' };
		// The KMS looks at final state.
		const place = [tenant, idHex('object', object), idHex('version', version.version)] as const;
		await expect.poll(() => fabric.api.query.ContentFabric.Versions.getValue(...place, { at: 'finalized' }), { timeout: 60_000 }).toBeDefined();
		expect(Buffer.from(await get(fabric, version)).toString()).toMatch(/^age-encryption\.org\/v1\n/);
		const blocks: number[] = [];
		const client = await openKms(fabric, parties.tenant, parties.kms, signerOf(charlie), { onReleased: ({ number }) => blocks.push(number) });
		for (let file = 0; file < 2; file++) expect(Buffer.from(await getDecrypted(fabric, version, client)).toString()).toBe(text);
		expect(blocks.length).toBe(2);

		// Another account has no level until it is given one, which holds from the next final block.
		const reader = signerOf(alice);
		const refusal = await getDecrypted(fabric, version, reader).catch((error: unknown) => error);
		expect(refusal).toMatchObject({ name: 'KmsError', fault: 'refused', status: 403 });
		await submit(charlie, calls.set_tenant_key({ id: tenant, account: alice.address, level: { type: 'Read', value: undefined } }));
		// The code of the README, with the packed package.
		const { read } = (await import(variable('DECRYPT_CODE'))) as { read: (...arguments_: unknown[]) => Promise<{ text: string; first: Uint8Array }> };
		const found = await read(fabric, reader, parties.kms, version);
		expect([found.text, Buffer.from(found.first).toString()]).toEqual([text, text]);
		await submit(charlie, calls.set_tenant_key({ id: tenant, account: alice.address, level: undefined }));
		await expect(getDecrypted(fabric, version, reader)).rejects.toThrow('the KMS refuses, with status 403');
		const other = new KmsClient({ genesisHash: fabric.genesisHash, tenant: parties.tenant, kms: id('kms', 9), locator: kms.address, account: reader });
		await expect(getDecrypted(fabric, version, other)).rejects.toThrow(`is encrypted for the KMS ${parties.kms} of`);
		await expect(openKms(fabric, parties.tenant, id('kms', 9), reader)).rejects.toThrow('does not exist');
	} finally {
		kms.stop();
	}
});

test('a node that does not exist drafts no commit', async () => {
	await expect(draftCommit(fabric, { ...parties, node: id('node', 9) }, [])).rejects.toThrow('does not exist');
});
