// SPDX-License-Identifier: Apache-2.0
/** Answers of the indexer, as its HTTP interface defines them. */

/** The block that an answer is a snapshot of. */
export interface At {
	number: number;
	hash: string;
	time: number;
	final: boolean;
}

export interface One<T> {
	at: At;
	item: T;
}

export interface List<T> {
	at: At;
	items: T[];
	next: string | null;
}

export interface Block {
	number: number;
	hash: string;
	time: number;
}

export const TOTALS = [
	'spaces',
	'providers',
	'tenants',
	'nodes',
	'kmses',
	'objects',
	'versions',
	'collections',
	'records',
	'keys',
	'admissions',
] as const;

export type Totals = Record<(typeof TOTALS)[number], number>;

/** The blocks of the index's node. */
export interface NodeHead {
	best: number;
	finalized: number;
	connected: boolean;
	/** True if its chain is not the chain of the index. */
	begunAnew: boolean;
}

export interface Status {
	chain: string;
	genesis: string;
	token: string;
	decimals: number;
	best: Block;
	finalized: Block;
	node: NodeHead & { heardAt: number };
	behind: number;
	historySince: number | null;
	gaps: [number, number][];
	specVersion: number;
	storageVersion: number;
	totals: Totals;
	purges: number;
	/** A size in bytes. Sizes are digits, because numbers in JSON are exact up to 2^53 only. */
	indexBytes: string;
	version: string;
}

export interface Hit {
	kind: string;
	id: string;
	title: string;
	path: string;
}

export type Role = 'provider' | 'tenant';

export interface Space {
	id: string;
	governor: string;
	providerBond: string;
	tenantBond: string;
	admission: 'open' | 'approval';
	partitions: number;
	sla: string;
	providerCount: number;
	tenantCount: number;
	admissionCount: number;
	created: string;
	createdAt: number;
}

export interface Member {
	id: string;
	role: Role;
	space: string;
	root: string;
	nominee: string | null;
	bond: string;
	requiredBond: string;
	deposits: string;
	held: string;
	maxHeld: string;
	rowCount: number;
	rows: Record<string, number>;
	suspended: boolean;
	governanceDelete: boolean;
	purge: 'rows' | 'member' | null;
	emptySince: number | null;
	created: string;
	createdAt: number;
}

/** A call, encoded for the runtime of the chain. */
export interface EncodedCall {
	name: string;
	call: string;
	specVersion: number;
}

export interface Admission {
	account: string;
	role: Role;
}

export interface Hour {
	hour: number;
	rows: number;
	commits: number;
	members: number;
}

export interface Key {
	account: string;
	level: string;
}

export interface Node {
	id: string;
	provider: string;
	operator: string;
	pending: boolean;
	locator: string;
	medallion: string;
	lastMuid: string | null;
	deposit: string;
	/** `null` if the index has not probed it. */
	probe: Probe | null;
}

/** Results of the index's probes of a node, in the last 24 hours. */
export interface Probe {
	answer: 'good' | 'status' | 'other' | 'none' | 'locator';
	status: number | null;
	at: number;
	asked: number;
	good: number;
	share: number;
}

export interface Kms {
	id: string;
	tenant: string;
	locator: string;
	deposit: string;
}

export interface ContentObject {
	id: string;
	tenant: string;
	path: string;
	head: string | null;
	versionCount: number;
	deposit: string;
	created: string;
	createdAt: number;
}

export interface Version {
	id: string;
	tenant: string;
	object: string;
	provider: string;
	node: string;
	kms: string;
	muid: string;
	/** `null` if it is not known. */
	size: string | null;
	committed: string;
	committedAt: number;
	finalizedAt: number | null;
	setHeadOnFinalize: boolean;
	isHead: boolean;
	deposit: string;
}

export interface VersionRef {
	tenant: string;
	object: string;
	version: string;
	committedAt: number;
	names: { collection: string; key: string; name: string }[];
}

export interface Collection {
	name: string;
	tenant: string;
	keyType: string;
	syntax: string;
	recordCount: number;
	deposit: string;
}

export interface FabricRecord {
	tenant: string;
	collection: string;
	key: string;
	/** The key without escapes. */
	name: string;
	uri: string;
	object: string;
	version: string | null;
	deposit: string;
	/** The muids and the times of its creation and of its last put. */
	created: string;
	createdAt: number;
	updated: string;
	updatedAt: number;
	/** The block of its last put, if the history of the index has it. */
	putIn: number | null;
	resolved?: Version | null;
}

export interface AccountRole {
	member: string;
	kind: 'space' | 'provider' | 'tenant' | 'node';
	role: string;
	held: string | null;
	bond: string | null;
	deposits: string | null;
}

export interface Account {
	account: string;
	roles: AccountRole[];
	more: boolean;
}

export type Field = string | number | boolean | null | Field[] | { [name: string]: Field };

/** An event of the pallet. */
export interface FabricEvent {
	id: string;
	block: number;
	blockHash: string;
	time: number;
	final: boolean;
	index: number;
	extrinsic: number | null;
	name: string;
	fields: { [name: string]: Field };
	signer: string | null;
	extrinsicHash: string | null;
	via: string[];
}

export interface Purge {
	member: string;
	role: Role;
	space: string | null;
	scope: 'rows' | 'member';
	rows: number;
	rowsLeft: number;
	startedIn: number;
	/** Digits of its place in the deletion queue. */
	place: string;
	rate: number | null;
	blocksLeft: number | null;
}

export interface FullBlock {
	number: number;
	hash: string;
	parent: string;
	time: number;
	final: boolean;
	specVersion: number;
}

/** Messages of the feed. A block of many events is sent in several messages. */
export interface FeedBlock {
	number: number;
	hash: string;
	parent: string;
	time: number;
	final: boolean;
	events: FabricEvent[];
}

export interface FeedHead {
	best: number;
	finalized: number;
	node: NodeHead;
}
