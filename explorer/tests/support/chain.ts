// SPDX-License-Identifier: Apache-2.0
/** A chain with something on each page, and text that tries to do harm. */

import type {
	Account,
	Admission,
	Audit,
	Collection,
	ContentObject,
	CopyAtRisk,
	FabricEvent,
	FabricRecord,
	Hit,
	Hour,
	Key,
	Kms,
	Member,
	Node,
	Purge,
	Space,
	Status,
	Version,
	VersionRef,
} from '../../src/api/answers.ts';

export const UNIT = 10n ** 12n;
export const BLOCK_TIME = 6_000;
const HOUR = 3_600_000;

export const IDS = {
	space: 'ispcCJnC5xJbumjMfm',
	otherSpace: 'ispcHg7wQ2bRzT4kNa',
	provider: 'iprv8bASDk5uDEn5YQ',
	tenant: 'iten9E9GAJ7PbicYa8',
	purged: 'iten3i37NcgooY8f1S',
	node: 'inod3fdSVB3NAAbSkS',
	pendingNode: 'inodQ7rGm2WkPzXe4b',
	kms: 'ikms7tzJz9Y52ne1Rf',
	object: 'iq__2Nam51gKenBYp9',
	/** The object with its tenant. */
	path: 'itq_ehtvqn7D6AE1akVojnQ7Tu8JFf3X',
	version: 'hq__6Zs6hMqL7dH9QzBFd67R71yAy7M1N7FgJZV31uwr8urt',
	/** The CIDs of the version, if it is a SHA-256 hash or a BLAKE3 hash, and its hash. */
	cid: 'bafkreicswwvk7ibaz5ifhia7fjqor725zt2vb4hxp3cuutshfbnmfovuqu',
	blake3Cid: 'bafkr4icswwvk7ibaz5ifhia7fjqor725zt2vb4hxp3cuutshfbnmfovuqu',
	versionHash: '52b5aaafa020cf5053a01f2a60e8ff5dccf550f0f77ec54a4e47285ac2bab485',
	governor: '5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY',
	root: '5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty',
	tenantRoot: '5FLSigC9HGRKVhB9FiEo4Y3koPsNmBmLJbpXg2mp1hXcS59Y',
	operator: '5DAAnrj7VHTznn2AWBemMuyBwZWs6FNFjdyVXUeYum3PTXFy',
	unknown: 'itenUnknownUnknown',
};

/** HTML, controls, and an override of the direction of text. */
export const HOSTILE = '<img src=x onerror="window.broken=1"><script>window.broken=1</script>\u0007\u202egnp.exe\u202c & more';
export const HOSTILE_KEY = 'a%2Fb~c:1.0<b>\u202e';
/** A key whose writer chose the time 2255-06-05. */
export const LATE_KEY = 'bzzzzzzzzzzzz';
const LONG_KEY = `crates.io/${'very-long-name-of-a-package-'.repeat(5)}:1.0.0`;

export interface Chain {
	status: Status;
	spaces: Space[];
	admissions: Admission[];
	members: Member[];
	keys: Key[];
	nodes: Node[];
	kmses: Kms[];
	objects: ContentObject[];
	versions: Version[];
	collections: Collection[];
	records: FabricRecord[];
	events: FabricEvent[];
	purges: Purge[];
	hours: Hour[];
	missing: CopyAtRisk[];
	failing: CopyAtRisk[];
}

export const hash = (number: number) => `0x${number.toString(16).padStart(8, '0')}${'5eed'.repeat(14)}`;

let serial = 0;

/** Returns an event of the block `block`. */
export function event(block: number, name: string, fields: FabricEvent['fields'], more: Partial<FabricEvent> = {}): FabricEvent {
	const index = serial++;
	return {
		id: `${block}-${hash(block)}-${index}`,
		block,
		blockHash: hash(block),
		time: Date.now(),
		index,
		extrinsic: 1,
		name,
		fields,
		signer: IDS.tenantRoot,
		extrinsicHash: hash(1_000_000 + block),
		via: [],
		...more,
	};
}

/** Returns a chain without anything on it. */
export function emptyChain(): Chain {
	const now = Date.now();
	const block = (number: number) => ({ number, hash: hash(number), time: now - 2_000 });
	return {
		status: {
			chain: 'Development',
			genesis: hash(0),
			token: 'UNIT',
			decimals: 12,
			finalized: block(1),
			node: { best: 3, finalized: 1, connected: true, begunAnew: false, heardAt: now },
			problem: null,
			auditsPaused: null,
			behind: 0,
			bestAhead: 2,
			historySince: 0,
			gaps: [],
			specVersion: 12,
			storageVersion: 4,
			totals: {
				spaces: 0,
				providers: 0,
				tenants: 0,
				nodes: 0,
				kmses: 0,
				objects: 0,
				versions: 0,
				collections: 0,
				records: 0,
				keys: 0,
				admissions: 0,
			},
			purges: 0,
			indexBytes: '1605632',
			version: '0.1.0',
		},
		spaces: [],
		admissions: [],
		members: [],
		keys: [],
		nodes: [],
		kmses: [],
		objects: [],
		versions: [],
		collections: [],
		records: [],
		events: [],
		purges: [],
		hours: [],
		missing: [],
		failing: [],
	};
}

/** Returns a chain with two spaces, three members, a purge, and 120 records. */
export function fullChain(): Chain {
	const now = Date.now();
	const chain = emptyChain();
	const day = 24 * HOUR;
	chain.status.finalized = { number: 18_204, hash: hash(18_204), time: now - 2_000 };
	chain.status.node = { best: 18_206, finalized: 18_204, connected: true, begunAnew: false, heardAt: now };
	chain.status.indexBytes = '48234496';
	chain.status.purges = 1;
	chain.status.totals = {
		spaces: 2,
		providers: 1,
		tenants: 2,
		nodes: 2,
		kmses: 1,
		objects: 1_064,
		versions: 1_270,
		collections: 2,
		records: 2_319,
		keys: 3,
		admissions: 1,
	};

	const muid = '5D5EAC793E61F-1BFC71B112D-0000000B';
	const space = (id: string, sla: string, createdAt: number): Space => ({
		id,
		governor: IDS.governor,
		providerBond: String(100n * UNIT),
		tenantBond: String((5n * UNIT) / 2n),
		admission: 'approval',
		partitions: 16,
		sla,
		providerCount: 1,
		tenantCount: 2,
		admissionCount: 1,
		created: muid,
		createdAt,
	});
	chain.spaces = [
		space(IDS.space, `Data is served within 200 ms.\nNodes are up 99.9% of each month.\n${HOSTILE}`, now - 9 * day),
		{ ...space(IDS.otherSpace, '', now - 2 * day), providerCount: 0, tenantCount: 0, admissionCount: 0, admission: 'open' },
	];
	chain.admissions = [{ account: IDS.operator, role: 'tenant' }];

	const member = (id: string, role: Member['role'], more: Partial<Member>): Member => ({
		id,
		role,
		space: IDS.space,
		root: IDS.tenantRoot,
		nominee: null,
		bond: String((5n * UNIT) / 2n),
		requiredBond: String((5n * UNIT) / 2n),
		deposits: '186840800000000',
		held: '189340800000000',
		maxHeld: String(100_000n * UNIT),
		rowCount: 4_656,
		rows: { TenantKeys: 2, Kmses: 1, ContentObjects: 1_064, Versions: 1_270, Collections: 2, Records: 2_319 },
		suspended: false,
		governanceDelete: false,
		purge: null,
		emptySince: null,
		created: muid,
		createdAt: now - 8 * day,
		...more,
	});
	chain.members = [
		member(IDS.provider, 'provider', {
			root: IDS.root,
			bond: '99750000000000',
			requiredBond: String(100n * UNIT),
			rowCount: 3,
			rows: { ProviderKeys: 1, Nodes: 2 },
			deposits: '412345678901',
		}),
		member(IDS.tenant, 'tenant', { nominee: IDS.operator }),
		member(IDS.purged, 'tenant', { purge: 'member', suspended: true, governanceDelete: true, rowCount: 0, rows: {} }),
	];
	chain.keys = [
		{ account: IDS.operator, level: 'admin' },
		{ account: IDS.governor, level: 'content' },
	];
	const node = (id: string, pending: boolean, locator: string): Node => ({
		id,
		provider: IDS.provider,
		operator: IDS.operator,
		pending,
		locator,
		medallion: '1C26D3B5CCB',
		lastMuid: pending ? null : muid,
		deposit: '205600000000',
		audit: pending ? null : audit(now),
	});
	chain.nodes = [
		node(IDS.node, false, '/dns/eu-1.example.org/tcp/30333'),
		node(IDS.pendingNode, true, HOSTILE),
	];
	chain.kmses = [
		{
			id: IDS.kms,
			tenant: IDS.tenant,
			operator: IDS.operator,
			locator: 'https://kms.example.org/main',
			key: 'age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p',
			deposit: '112000000000',
		},
	];

	const version = (id: string, age: number, more: Partial<Version>): Version => ({
		id,
		hash: 'sha256',
		cid: IDS.cid,
		tenant: IDS.tenant,
		object: IDS.object,
		isLost: false,
		copies: [
			{ provider: IDS.provider, node: IDS.node, medallion: '00000001003', state: 'held', heldAt: now - age + 12_000 },
			{ provider: IDS.provider, node: IDS.pendingNode, medallion: '00000001004', state: 'asked', heldAt: null },
		],
		kms: IDS.kms,
		muid,
		size: '78245',
		committed: muid,
		committedAt: now - age,
		finalizedAt: now - age + 12_000,
		setHeadOnFinalize: true,
		isHead: false,
		deposit: '101300000000',
		...more,
	});
	chain.versions = [
		version('hq__9kRt2vXwYbGh5uJcQ8nLmE4pZsAf7dTq3WiKoCxHyB6r1VgN', 40_000, { finalizedAt: null, size: '3145728', kms: null }),
		version(IDS.version, 3 * HOUR, { isHead: true }),
		version('hq__J7YJ8dAx5aTti8TcS5veQvZdcTe7My9XjjLBPvf4J5QvKs3e', 3 * day, {}),
		version('hq__Lm4nPq8rSt2uVw6xYz1aBc5dEf9gHi3jKk7oMn0pQr4sTu8v', 8 * day, { size: null }),
	];
	const object = (id: string, path: string, age: number, more: Partial<ContentObject>): ContentObject => ({
		id,
		tenant: IDS.tenant,
		path,
		head: IDS.version,
		versionCount: 4,
		deposit: '98000000000',
		created: muid,
		createdAt: now - age,
		...more,
	});
	chain.objects = [
		object(IDS.object, IDS.path, 8 * day, {}),
		...Array.from({ length: 24 }, (_, n) =>
			object(`iq__${base58(n * 7919 + 13)}K9sKbT7mWzR8`, `itq_${base58(n)}VojnQ7Tu8JFf3X`, (n + 1) * HOUR, {
				versionCount: n % 3,
				head: n % 3 === 0 ? null : IDS.version,
			}),
		),
	];
	chain.collections = [
		{ name: 'names', tenant: IDS.tenant, keyType: 'any', syntax: 'path-segment', recordCount: 123, deposit: '90100000000' },
		{ name: 'runs', tenant: IDS.tenant, keyType: 'tid', syntax: 'path-segment', recordCount: 1, deposit: '90000000000' },
	];
	const record = (key: string, age: number, more: Partial<FabricRecord> = {}): FabricRecord => ({
		tenant: IDS.tenant,
		collection: 'names',
		key,
		name: key,
		uri: `fabric:/${IDS.tenant}/names/${encodeURIComponent(key)}`,
		object: IDS.object,
		version: null,
		deposit: '9800000000',
		created: muid,
		createdAt: now - 20 * day,
		updated: muid,
		updatedAt: now - age,
		putIn: 18_000,
		...more,
	});
	chain.records = [
		record('serde', 3 * HOUR),
		record('serde:1.0.228', 3 * day, { version: IDS.version }),
		record('serde_json', 3 * HOUR),
		record(HOSTILE_KEY, 5 * HOUR),
		record(LONG_KEY, 5 * HOUR),
		record(LATE_KEY, 4 * HOUR, { collection: 'runs' }),
		record('gone', 6 * HOUR, { object: 'iq__GoneGoneGoneGoneGoneGo' }),
		...Array.from({ length: 117 }, (_, n) => record(`package-${String(n).padStart(3, '0')}`, (n + 7) * HOUR)),
	].sort((a, b) => (a.key < b.key ? -1 : 1));

	const past = (ago: number, name: string, fields: FabricEvent['fields'], more: Partial<FabricEvent> = {}) =>
		event(Math.max(40, 18_204 - Math.floor(ago / BLOCK_TIME)) - Math.floor(ago / day), name, fields, { time: now - ago, ...more });
	const governed = { signer: IDS.governor, via: ['council'] };
	chain.events = [
		past(2_000, 'VersionCommitted', { tenant: IDS.tenant, object: IDS.object, version: chain.versions[0]!.id, originator: IDS.provider, node: IDS.node, muid }),
		past(8_000, 'RecordPut', { tenant: IDS.tenant, collection: 'names', key: HOSTILE_KEY, target: { object: IDS.object, version: null } }),
		past(18_000, 'VersionFinalized', { tenant: IDS.tenant, object: IDS.object, version: IDS.version, head_moved: true }),
		past(30_000, 'PurgeProgressed', { member: IDS.purged, removed: 200, rows_left: 1_400 }, { signer: null, extrinsic: null }),
		past(60_000, 'PurgeStarted', { member: IDS.purged, created: muid, rows: 2_000 }, governed),
		past(60_000, 'GovernanceDeleted', { member: IDS.purged, created: muid, reason: 'unlawful content' }, governed),
		past(2 * HOUR, 'Slashed', { member: IDS.provider, created: muid, amount: '250000000000', bond: '99750000000000', reason: `Data lost. ${HOSTILE}` }, governed),
		past(3 * HOUR, 'ChildDeletedByGovernance', { member: IDS.tenant, created: muid, reason: 'a court order' }, governed),
		past(5 * HOUR, 'Suspended', { member: IDS.purged, created: muid, enabled: true, bond: '2500000000000', reason: 'unpaid since May' }, governed),
		past(6 * HOUR, 'RootNominated', { member: IDS.tenant, nominee: IDS.operator }, governed),
		past(7 * HOUR, 'AdmissionRevoked', { space: IDS.space, account: IDS.operator, role: 'Tenant' }, governed),
		past(8 * HOUR, 'Admitted', { space: IDS.space, account: IDS.operator, role: 'Tenant' }, governed),
		past(9 * HOUR, 'SpaceGovernorSet', { space: IDS.space, governor: IDS.governor }, governed),
		past(9 * HOUR, 'SpaceRulesSet', { space: IDS.space, rules: { provider_bond: '100000000000000', tenant_bond: '2500000000000', admission: 'Approval', partitions: 1, sla: '99 %' } }, governed),
		past(day, 'NodeConfirmed', { provider: IDS.provider, node: IDS.node }, { signer: IDS.operator }),
		past(2 * day, 'TenantKeySet', { tenant: IDS.tenant, account: IDS.operator, level: 'admin' }),
		past(8 * day, 'TenantCreated', { tenant: IDS.tenant, space: IDS.space, root: IDS.tenantRoot }),
		past(8 * day, 'ProviderCreated', { provider: IDS.provider, space: IDS.space, root: IDS.root }, { signer: IDS.root }),
		past(9 * day, 'SpaceCreated', { space: IDS.space, governor: IDS.governor }, governed),
	];
	chain.purges = [
		{
			member: IDS.purged,
			role: 'tenant',
			space: IDS.space,
			scope: 'member',
			rows: 2_000,
			rowsLeft: 1_400,
			startedIn: 18_194,
			place: '0',
			rate: 200,
			blocksLeft: 7,
		},
	];
	const atRisk = (more: Partial<CopyAtRisk>): CopyAtRisk => ({
		tenant: IDS.tenant,
		object: IDS.object,
		version: IDS.version,
		committedAt: now - 3 * HOUR,
		names: [{ collection: 'names', key: 'serde', name: 'serde' }],
		provider: IDS.provider,
		node: IDS.node,
		medallion: '00000001003',
		state: 'held',
		heldAt: now - 3 * HOUR,
		askedAt: now - 3 * HOUR,
		audit: null,
		...more,
	});
	chain.missing = [atRisk({ node: IDS.pendingNode, state: 'asked', heldAt: null })];
	chain.failing = [atRisk({ audit: { result: 'wrong', at: now - 60_000 } })];
	const thisHour = Math.floor(now / HOUR) * HOUR;
	let rows = 0;
	for (let ago = 167; ago >= 0; ago--) {
		if (ago % 5 === 3) continue;
		const commits = Math.round(20 + 18 * Math.sin(ago / 4) + (ago % 7) * 3);
		rows += commits;
		chain.hours.push({ hour: thisHour - ago * HOUR, rows, commits, members: 3 });
	}
	return chain;
}

/** Returns the audits of a node: three days, one of them bad. */
export function audit(now: number): Audit {
	const today = Math.floor(now / (24 * HOUR)) * 24 * HOUR;
	return {
		last: { result: 'right', status: null, version: IDS.version, at: now - 120_000 },
		right: 501,
		wrong: 2,
		late: 3,
		refused: 4,
		share: 501 / 510,
		isFailing: false,
		failingCopies: 0,
		days: [
			{ day: today - 9 * 24 * HOUR, right: 100, wrong: 2, late: 0, refused: 0 },
			{ day: today - 24 * HOUR, right: 281, wrong: 0, late: 3, refused: 4 },
			{ day: today, right: 120, wrong: 0, late: 0, refused: 0 },
		],
	};
}

/** Returns what an account may do, by the members and nodes of the chain. */
export function accountOf(chain: Chain, account: string): Account {
	const roles: Account['roles'] = [];
	const none = { held: null, bond: null, deposits: null };
	for (const space of chain.spaces) {
		if (space.governor === account) roles.push({ member: space.id, kind: 'space', role: 'governor', ...none });
	}
	for (const { id, role, root, nominee, held, bond, deposits } of chain.members) {
		if (root === account) roles.push({ member: id, kind: role, role: 'root', held, bond, deposits });
		if (nominee === account) roles.push({ member: id, kind: role, role: 'nominee', ...none });
	}
	for (const node of chain.nodes) {
		if (node.operator === account) roles.push({ member: node.id, kind: 'node', role: 'operator', ...none });
	}
	return { account, roles, more: false };
}

/** Returns the versions with a given id, or all, with their names. */
export function versionRefs(chain: Chain, id?: string): VersionRef[] {
	return chain.versions
		.filter((version) => id === undefined || version.id === id)
		.map(({ tenant, object, id: version, committedAt }) => ({
			tenant,
			object,
			version,
			committedAt,
			names: chain.records
				.filter((record) => record.version === version)
				.map(({ collection, key, name }) => ({ collection, key, name })),
		}));
}

/** Returns what the search finds. */
export function hitsOf(chain: Chain, query: string): Hit[] {
	const part = encodeURIComponent;
	const hits: Hit[] = [];
	for (const { id, role } of chain.members) {
		if (id === query) hits.push({ kind: role, id, title: id, path: `/members/${id}` });
	}
	for (const { tenant, id, path } of chain.objects) {
		if (path === query) hits.push({ kind: 'object', id: path, title: path, path: `/tenants/${tenant}/objects/${id}` });
	}
	for (const { tenant, object, id } of chain.versions) {
		const forms = id === IDS.version ? [id, IDS.cid] : [id];
		if (forms.includes(query)) {
			hits.push({ kind: 'version', id, title: query, path: `/tenants/${tenant}/objects/${object}/versions/${id}` });
		}
	}
	for (const { tenant, collection, key } of chain.records) {
		if (key.startsWith(query)) {
			hits.push({
				kind: 'record',
				id: `${tenant}/${collection}/${key}`,
				title: key,
				path: `/tenants/${tenant}/collections/${collection}/records/${part(key)}`,
			});
		}
	}
	return hits.slice(0, 20);
}

function base58(number: number): string {
	const digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
	let text = '';
	for (let rest = number * 48_271 + 11; text.length < 10; rest = Math.floor(rest / 3) + 17 * text.length) {
		text += digits[rest % digits.length];
	}
	return text;
}
