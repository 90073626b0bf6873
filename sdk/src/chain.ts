// SPDX-License-Identifier: Apache-2.0
/** A connection to a chain: typed calls and queries, signed version commits, and records. */

import { Enum, type PolkadotClient, type PolkadotSigner, type TypedApi } from 'polkadot-api';
import { fabric } from '#descriptors';
import { commitPayload, type DraftVersion, isSizeKnown, type VersionCommit } from './commit.ts';
import { open, type WebSocketClass } from './connection.ts';
import { fetchFrom, type Holder, type Limits, type ReadOptions, serverOf, type SizedVersion, streamFrom } from './content.ts';
import { fromHex, IdError, toHex, utf8 } from './ids/bytes.ts';
import { parseVersion, withHash } from './ids/cid.ts';
import { formatId, parseId } from './ids/entity.ts';
import { muidBytes, muidOfBytes, nextTransaction } from './ids/muid.ts';
import { formatKmsKey } from './ids/kms_key.ts';
import { type DecryptedReadOptions, type EncryptedVersion, fetchDecryptedFrom, KmsClient, type KmsOptions, streamDecryptedFrom } from './kms.ts';
import type { Account } from './request.ts';
import { type Destination, type NewVersion, upload, type Uploaded, type UploadOptions } from './upload.ts';

export { ConnectError, type WebSocketClass } from './connection.ts';

export type FabricApi = TypedApi<typeof fabric>;

export interface Fabric {
	client: PolkadotClient;
	/** The runtime's calls, storage, constants, view functions and runtime APIs. */
	api: FabricApi;
	genesisHash: Uint8Array;
	/** Ends the connection. */
	close: () => void;
}

/** Milliseconds in which a node must answer the first questions, unless the caller says otherwise. */
const PATIENCE = 20_000;

/**
 * Connects to a node. Node.js before version 22 has no `WebSocket`: pass the one of the package
 * `ws`. Compare the genesis hash with the one you expect before you sign anything. Rejects with a
 * `ConnectError` if no node answers within `time` milliseconds.
 */
export async function connect(
	url: string,
	webSocket: WebSocketClass = globalThis.WebSocket,
	{ time = PATIENCE }: { time?: number } = {},
): Promise<Fabric> {
	const { client, genesisHash } = await open(url, webSocket, time);
	const api = client.getTypedApi(fabric);
	return { client, api, genesisHash: fromHex(genesisHash), close: () => client.destroy() };
}

type Kind = Parameters<typeof parseId>[0];

/** Returns the hexadecimal form that calls and queries take of the text of an id. */
export const idHex = (kind: Kind, id: string): `0x${string}` => `0x${toHex(parseId(kind, id))}`;

/** The parties of a commit. Ids are texts. */
export type Parties = Pick<VersionCommit, 'originator' | 'node' | 'tenant' | 'kms'> & Partial<Pick<VersionCommit, 'copies'>>;

/**
 * Drafts a commit of a node, with a muid of the present that is later than its last commit's, and
 * the chain's.
 */
export async function draftCommit(
	{ api }: Fabric,
	parties: Parties,
	versions: DraftVersion[],
	createObjects = false,
): Promise<VersionCommit> {
	const ids = [idHex('provider', parties.originator), idHex('node', parties.node)] as const;
	const node = await api.query.ContentFabric.Nodes.getValue(...ids, { at: 'best' });
	if (!node) throw new IdError(`the node ${parties.node} of ${parties.originator} does not exist`);
	// The chain accepts only what was drafted after the signer was given its level, which has a
	// muid of the chain.
	const earlier = [node.last_muid, await api.query.ContentFabric.LastMuid.getValue({ at: 'best' })];
	const muids = earlier.flatMap((muid) => (muid === undefined ? [] : muidOfBytes(fromHex(muid))));
	const last = muids.sort((a, b) => Number(a.timestamp - b.timestamp)).pop();
	const now = (await api.query.Timestamp.Now.getValue({ at: 'best' })) * 1000n;
	return { copies: [], ...parties, muid: nextTransaction(last, now, BigInt(node.medallion)), createObjects, versions };
}

/** A commit with the signature of a key of its tenant. */
export interface SignedCommit {
	commit: VersionCommit;
	/** The account that signed. */
	account: string;
	/** An sr25519 signature. */
	signature: Uint8Array;
}

/**
 * Signs a commit with an sr25519 key of its tenant. Before that, compare the commit's timestamp
 * with a clock: one that is dated ahead can be used later than you expect.
 */
export async function signCommit(
	{ genesisHash }: Fabric,
	commit: VersionCommit,
	account: string,
	signer: PolkadotSigner,
): Promise<SignedCommit> {
	const signature = await signer.signBytes(commitPayload(genesisHash, commit));
	if (signature.length !== 64) throw new IdError(`the signature has ${signature.length} bytes, expected 64 of sr25519`);
	return { commit, account, signature };
}

/** Returns the transaction that submits a commit. The operator of its node signs it. */
export function commitTransaction({ api }: Fabric, { commit, account, signature }: SignedCommit) {
	return api.tx.ContentFabric.commit_versions({
		tenant_signer: account,
		commit: {
			muid: `0x${toHex(muidBytes(commit.muid))}`,
			originator: idHex('provider', commit.originator),
			node: idHex('node', commit.node),
			copies: commit.copies.map(({ provider, node }) => [idHex('provider', provider), idHex('node', node)] as [`0x${string}`, `0x${string}`]),
			tenant: idHex('tenant', commit.tenant),
			kms: commit.kms === undefined ? undefined : idHex('kms', commit.kms),
			create_objects: commit.createObjects,
			versions: commit.versions.map((draft) => ({
				object: idHex('object', draft.object),
				version: idHex('version', draft.version),
				hash: draft.hash === 'blake3' ? Enum('Blake3') : Enum('Sha256'),
				size: draft.size,
				set_head_on_finalize: draft.setHeadOnFinalize,
			})),
		},
		signature: { type: 'Sr25519', value: `0x${toHex(signature)}` },
	});
}

/** The content that a record leads to. Ids are texts. */
export interface Resolution {
	object: string;
	/** The version that the record names, or the object's head, if it has one. */
	version: string | undefined;
	/** True if the content has been deleted. */
	dangling: boolean;
}

/** Resolves a record at the best block. Returns `undefined` if there is no such record. */
export async function resolve(
	{ api }: Fabric,
	tenant: string,
	collection: string,
	key: string,
): Promise<Resolution | undefined> {
	const parts = [idHex('tenant', tenant), utf8(collection), utf8(key)] as const;
	const found = await api.view.ContentFabric.resolve(...parts, { at: 'best' });
	if (found === undefined) return undefined;
	const { object, version } = found.value;
	return {
		object: formatId('object', fromHex(object)),
		version: version === undefined ? undefined : formatId('version', fromHex(version)),
		dangling: found.type === 'Dangling',
	};
}

/**
 * Uploads versions to the content node at the locator of a node on the chain, as `upload` does, in
 * commits as large as the chain takes.
 */
export async function put(
	{ api, genesisHash }: Fabric,
	{ provider, node, ...of }: Pick<Destination, 'provider' | 'node' | 'tenant' | 'kms'>,
	account: Account,
	versions: NewVersion[],
	options: UploadOptions = {},
): Promise<Uploaded[]> {
	const row = await api.query.ContentFabric.Nodes.getValue(idHex('provider', provider), idHex('node', node), { at: 'best' });
	if (!row) throw new IdError(`the node ${node} of ${provider} does not exist`);
	const locator = new TextDecoder().decode(row.locator);
	const server = serverOf(locator);
	if (server === undefined) throw new IdError(`the locator \`${locator}\` of ${node} names no HTTP server`);
	const versionsPerCommit = await api.constants.ContentFabric.MaxVersionsPerCommit();
	const to = { server, genesisHash, provider, node, medallion: BigInt(row.medallion), ...of, account };
	return upload(to, versions, { versionsPerCommit, ...options });
}

/** Bytes that `get` reads at most, if the caller sets no other limit. */
const MOST = 64 << 20;

/** Returns a version by its row, named by its id or its CID, and the nodes that may have its bytes. */
async function find(
	{ api }: Fabric,
	{ tenant, object, ...wanted }: { tenant: string; object: string; version: string },
): Promise<{ wanted: SizedVersion; kms: string | undefined; holders: AsyncIterable<Holder> }> {
	const named = parseVersion(wanted.version);
	const version = named.version;
	const { Nodes, Purges, Versions } = api.query.ContentFabric;
	const key = [idHex('tenant', tenant), idHex('object', object), idHex('version', version)] as const;
	const row = await Versions.getValue(...key, { at: 'best' });
	if (!row) throw new IdError(`the version ${version} of ${object} does not exist`);
	const { size } = row;
	const { hash } = withHash(named, row.hash.type === 'Blake3' ? 'blake3' : 'sha256');
	const isKnown = isSizeKnown({ version, hash }, size);

	const rows = async function* () {
		yield row;
		const all = await Versions.getEntries({ at: 'best' });
		yield* all.filter(({ keyArgs }) => keyArgs[2] === key[2]).map(({ value }) => value);
	};
	// Those that were asked to hold what is not final yet may have it, too.
	const copies = async function* () {
		for await (const { copies, finalized } of rows()) {
			yield* copies.filter(({ held }) => held !== undefined || finalized === undefined);
		}
	};
	const holders = async function* (): AsyncGenerator<Holder> {
		const asked = new Set<string>();
		for await (const { provider, node, medallion } of copies()) {
			if (asked.has(String(medallion))) continue;
			asked.add(String(medallion));
			const purge = await Purges.getValue({ type: 'Provider', value: provider }, { at: 'best' });
			const found = purge ? undefined : await Nodes.getValue(provider, node, { at: 'best' });
			// Another node may have the id by now.
			const locator = found?.medallion === medallion ? new TextDecoder().decode(found.locator) : undefined;
			yield { node: `${formatId('node', fromHex(node))}${locator === undefined ? '' : ` at ${locator}`}`, locator };
		}
	};
	const kms = row.kms === undefined ? undefined : formatId('kms', fromHex(row.kms));
	return { wanted: { version, hash, size: isKnown ? size : undefined }, kms, holders: holders() };
}

/**
 * Gets the bytes of a version, named by its id or its CID, or of a range of a BLAKE3 version. Asks the nodes that hold it, and if
 * these do not serve them, the nodes that hold the same version for others; the chain has no index by version, so that reads all
 * versions. Bytes are returned only if they are the version's. If the version has a KMS, they are an age file.
 */
export async function get(
	fabric: Fabric,
	version: { tenant: string; object: string; version: string },
	{ most = MOST, ...limits }: Partial<Limits> = {},
): Promise<Uint8Array<ArrayBuffer>> {
	const { wanted, holders } = await find(fabric, version);
	const { size } = wanted;
	if (wanted.hash === 'blake3' || limits.range) return fetchFrom(holders, wanted, { most, ...limits });
	if (size !== undefined && size > most) throw new RangeError(`the version has ${size} bytes, more than the limit of ${most}`);
	return fetchFrom(holders, wanted, { most: size === undefined ? most : Number(size), ...limits });
}

/**
 * Gets the bytes of a BLAKE3 version, or of a range of it, as a stream of verified pieces. Asks the
 * nodes that `get` asks, for more only when the stream is read.
 */
export async function stream(
	fabric: Fabric,
	version: { tenant: string; object: string; version: string },
	options: ReadOptions = {},
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
	const { wanted, holders } = await find(fabric, version);
	return streamFrom(holders, wanted, options);
}

/**
 * Gets the bytes of the content that a record leads to at the best block, as `get` does: `resolve`
 * and `get` in one.
 */
export async function fetchRecord(
	fabric: Fabric,
	tenant: string,
	collection: string,
	key: string,
	limits: Partial<Limits> = {},
): Promise<Uint8Array<ArrayBuffer>> {
	const found = await resolve(fabric, tenant, collection, key);
	if (!found) throw new IdError(`the tenant ${tenant} has no record ${key} in a collection ${collection}`);
	const { object, version, dangling } = found;
	if (dangling) throw new IdError(`the record ${key} in ${collection} of ${tenant} leads to ${version ?? object}, which was deleted`);
	if (version === undefined) throw new IdError(`the content object ${object} of ${tenant} has no head`);
	return get(fabric, { tenant, object, version }, limits);
}

/** Returns the locator and the key of a KMS, by its row in final state. */
export async function kmsOf({ api }: Fabric, tenant: string, kms: string): Promise<{ locator: string; key: string }> {
	const row = await api.query.ContentFabric.Kmses.getValue(idHex('tenant', tenant), idHex('kms', kms), { at: 'finalized' });
	if (!row) throw new IdError(`the KMS ${kms} of ${tenant} does not exist`);
	return { locator: new TextDecoder().decode(row.locator), key: formatKmsKey(fromHex(row.key)) };
}

/** Returns a client of a KMS, at the locator in its row. */
export async function openKms(fabric: Fabric, tenant: string, kms: string, account: Account, options: KmsOptions = {}): Promise<KmsClient> {
	const { locator } = await kmsOf(fabric, tenant, kms);
	return new KmsClient({ genesisHash: fabric.genesisHash, tenant, kms, locator, account }, options);
}

/** Returns an encrypted version, and a client of its KMS: the given one, or one of the given account. */
async function findEncrypted(fabric: Fabric, version: { tenant: string; object: string; version: string }, by: Account | KmsClient): Promise<{ wanted: EncryptedVersion; holders: AsyncIterable<Holder>; client: KmsClient }> {
	const { tenant, object } = version;
	const { wanted, kms, holders } = await find(fabric, version);
	if (kms === undefined) throw new IdError(`the version ${wanted.version} has no KMS: its data is plain`);
	const client = by instanceof KmsClient ? by : await openKms(fabric, tenant, kms, by);
	if (client.kms !== kms || client.tenant !== tenant) throw new IdError(`the version ${wanted.version} is encrypted for the KMS ${kms} of ${tenant}, not for ${client.kms} of ${client.tenant}`);
	return { wanted: { ...wanted, object }, holders, client };
}

/**
 * Gets the plain bytes of an encrypted version, from the nodes that `get` asks, with a client of its
 * KMS or with an account that signs a request to it. `most` is the largest number of encrypted bytes.
 */
export async function getDecrypted(
	fabric: Fabric,
	version: { tenant: string; object: string; version: string },
	by: Account | KmsClient,
	options: DecryptedReadOptions = {},
): Promise<Uint8Array<ArrayBuffer>> {
	const { wanted, holders, client } = await findEncrypted(fabric, version, by);
	return fetchDecryptedFrom(holders, wanted, client, { ...options, most: options.most ?? MOST });
}

/** Gets the plain bytes of an encrypted version, as `getDecrypted` does, as a stream. */
export async function streamDecrypted(
	fabric: Fabric,
	version: { tenant: string; object: string; version: string },
	by: Account | KmsClient,
	options: DecryptedReadOptions = {},
): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
	const { wanted, holders, client } = await findEncrypted(fabric, version, by);
	return streamDecryptedFrom(holders, wanted, client, options);
}
