// SPDX-License-Identifier: Apache-2.0
// Made from indexer/openapi.json by scripts/explorer --update. Do not edit.

type Json = string | number | boolean | null | Json[] | {
	[name: string]: Json;
};
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
	schemas: {
		/** @description The roles of an account. */
		Account: {
			/** @description The account. */
			account: string;
			/** @description True if it has more. */
			more: boolean;
			/** @description Its roles, at most 100. */
			roles: components["schemas"]["Role"][];
		};
		/** @description An unused admission to a space. */
		Admission: {
			/** @description The admitted account. */
			account: string;
			/** @description The role that it may take: `provider` or `tenant`. */
			role: components["schemas"]["MemberKind"];
		};
		/**
		 * @description The accounts that may become members of a space: any, or admitted ones.
		 * @enum {string}
		 */
		AdmissionKind: "open" | "approval";
		/** @description The final block that an answer was read at. */
		At: {
			/**
			 * Format: int64
			 * @description The time since then, in milliseconds, by the clock of the server.
			 */
			age: number;
			/** @description The hash of the block. */
			hash: string;
			/**
			 * Format: int64
			 * @description The number of the block.
			 */
			number: number;
			/**
			 * Format: int64
			 * @description The time of the block, in milliseconds since the Unix epoch.
			 */
			time: number;
		};
		/** @description Results of the audits of a node in the last 30 days, today included. */
		Audit: {
			/** @description The days that have audits, ascending. */
			days: components["schemas"]["AuditDay"][];
			/**
			 * Format: int64
			 * @description Number of its copies whose last audit was wrong or refused, or whose last ten were late.
			 *	 At most 100 are kept.
			 */
			failingCopies: number;
			/**
			 * @description True if the last three audits were wrong or refused before a copy was asked for, or the
			 *	 last ten were late.
			 */
			isFailing: boolean;
			/** @description The last audit. */
			last: components["schemas"]["LastAudit"];
			/**
			 * Format: int32
			 * @description Number of audits without a whole answer in time.
			 */
			late: number;
			/**
			 * Format: int32
			 * @description Number of audits that ended with an HTTP error, or without a connection.
			 */
			refused: number;
			/**
			 * Format: int32
			 * @description Number of audits in which it sent the bytes that it was asked for, or answered if it
			 *	 holds none that can be audited.
			 */
			right: number;
			/**
			 * Format: double
			 * @description Share of right audits, from 0 to 1. `null` if there was none in these days.
			 */
			share: number | null;
			/**
			 * Format: int32
			 * @description Number of audits in which it sent other bytes, or another server answered.
			 */
			wrong: number;
		};
		/** @description Audits of a day. */
		AuditDay: {
			/**
			 * Format: int64
			 * @description The begin of the day, UTC, in milliseconds since the Unix epoch.
			 */
			day: number;
			/**
			 * Format: int32
			 * @description Number of late audits.
			 */
			late: number;
			/**
			 * Format: int32
			 * @description Number of refused audits.
			 */
			refused: number;
			/**
			 * Format: int32
			 * @description Number of right audits.
			 */
			right: number;
			/**
			 * Format: int32
			 * @description Number of wrong audits.
			 */
			wrong: number;
		};
		/**
		 * @description The result of an audit.
		 * @enum {string}
		 */
		AuditResult: "right" | "wrong" | "late" | "refused";
		/** @description A block with the pallet's events in it. */
		Block: {
			/**
			 * @description Events in their order, at most 256: the first ones, and in the feed those that follow
			 *	 the message before.
			 */
			events: components["schemas"]["Event"][];
			/** @description The hash. */
			hash: string;
			/** @description True if the block has more events after these. In the feed, the next message has them. */
			moreEvents: boolean;
			/**
			 * Format: int64
			 * @description The number.
			 */
			number: number;
			/** @description The hash of the block before it. */
			parent: string;
			/**
			 * Format: int32
			 * @description The version of the runtime that made it. Not in the feed.
			 */
			specVersion?: number;
			/**
			 * Format: int64
			 * @description The time, in milliseconds since the Unix epoch.
			 */
			time: number;
		};
		/** @description A collection of a tenant. */
		Collection: {
			/** @description The deposit for its row, in the smallest unit. */
			deposit: string;
			/** @description The type of its record keys: `tid`, `nsid`, `any`, or `literal:` and the key. */
			keyType: string;
			/** @description The name. */
			name: string;
			/**
			 * Format: int32
			 * @description Number of records.
			 */
			recordCount: number;
			/** @description The syntax of its record keys: `unreserved` or `path-segment`. */
			syntax: string;
			/** @description The tenant. */
			tenant: string;
		};
		/** @description A content object of a tenant. */
		ContentObject: {
			/** @description The muid of its creation. */
			created: string;
			/**
			 * Format: int64
			 * @description The time of its creation, in milliseconds since the Unix epoch.
			 */
			createdAt: number;
			/** @description The deposit for its row, in the smallest unit. */
			deposit: string;
			/** @description The version that stands for the object. */
			head: string | null;
			/** @description The id, `iq__…`. */
			id: string;
			/** @description The id with its tenant, `itq_…`. */
			path: string;
			/** @description The tenant. */
			tenant: string;
			/**
			 * Format: int32
			 * @description Number of versions.
			 */
			versionCount: number;
		};
		/** @description A copy at risk. */
		CopyAtRisk: {
			/**
			 * Format: int64
			 * @description The time at which a node was last asked for a copy of the version, in milliseconds since
			 *	 the Unix epoch.
			 */
			askedAt: number;
			audit: components["schemas"]["CopyAudit"] | null;
			/**
			 * Format: int64
			 * @description The time of its commit, in milliseconds since the Unix epoch.
			 */
			committedAt: number;
			/**
			 * Format: int64
			 * @description The time from which the node holds the data, in milliseconds since the Unix epoch.
			 */
			heldAt: number | null;
			/** @description The medallion of the node: the eleven hex digits that its muids have. */
			medallion: string;
			/** @description Records that lead to it, at most 10. */
			names: components["schemas"]["RecordName"][];
			/** @description The node. */
			node: string;
			/** @description The content object. */
			object: string;
			/** @description The provider of the node. */
			provider: string;
			/**
			 * @description `held`, if the node holds the data by its row; `asked`, if it was asked to; `gone`, if
			 *	 the node was removed, or its provider is being purged.
			 */
			state: components["schemas"]["CopyState"];
			/** @description The tenant. */
			tenant: string;
			/** @description The version. */
			version: string;
		};
		/** @description The last audit of a copy or of its node. */
		CopyAudit: {
			/**
			 * Format: int64
			 * @description The time, in milliseconds since the Unix epoch.
			 */
			at: number;
			/** @description The result. */
			result: components["schemas"]["AuditResult"];
		};
		/**
		 * @description The state of a copy.
		 * @enum {string}
		 */
		CopyState: "held" | "asked" | "gone";
		/** @description A call, encoded for a runtime. */
		Encoded: {
			/** @description The indices of the pallet and the call, and the arguments: `0x` and hex digits. */
			call: string;
			/** @description The pallet and the call, such as `ContentFabric.reap`. */
			name: string;
			/**
			 * Format: int32
			 * @description The version of the runtime.
			 */
			specVersion: number;
		};
		/** @description An event of the pallet. */
		Event: {
			/**
			 * Format: int64
			 * @description The number of the block.
			 */
			block: number;
			/** @description The hash of the block. */
			blockHash: string;
			/**
			 * Format: int32
			 * @description The place of the transaction that deposited it. `null` for events of hooks.
			 */
			extrinsic: number | null;
			/** @description The hash of the transaction. */
			extrinsicHash: string | null;
			/** @description The fields. */
			fields: {
				[key: string]: components["schemas"]["Field"];
			};
			/** @description The id: the number and the hash of the block, and the place. */
			id: string;
			/**
			 * Format: int32
			 * @description The place among all events of the block.
			 */
			index: number;
			/** @description The name. */
			name: string;
			/** @description The account that signed the transaction. */
			signer: string | null;
			/**
			 * Format: int64
			 * @description The time of the block, in milliseconds since the Unix epoch.
			 */
			time: number;
			/** @description The pallets through which the call was made, such as `council`. */
			via: string[];
		};
		/** @description An error in JSON. */
		Failure: {
			/** @description The error. */
			error: components["schemas"]["Reason"];
		};
		/** @description The value of a field of an event. */
		Field: Json;
		/**
		 * @description The kind of hash that the id of a version is.
		 * @enum {string}
		 */
		HashKind: "blake3" | "sha256";
		/** @description The message that the feed sends at its start and every few seconds. */
		HeadMessage: {
			/**
			 * Format: int64
			 * @description The number of the last block of the index.
			 */
			finalized: number;
			/** @description The blocks of the node. */
			node: components["schemas"]["NodeHeads"];
		};
		/** @description A hit of a search. */
		Hit: {
			/** @description The id. For a record its URI, for a collection its name. */
			id: string;
			/**
			 * @description The kind: `space`, `provider`, `tenant`, `node`, `kms`, `object`, `version`, `account`,
			 *	 `block`, `record` or `collection`.
			 */
			kind: string;
			/** @description The path of its page in the explorer. */
			path: string;
			/** @description The title. */
			title: string;
		};
		/** @description The totals of an hour. */
		Hour: {
			/**
			 * Format: int64
			 * @description Number of commits in it.
			 */
			commits: number;
			/**
			 * Format: int64
			 * @description The start of the hour, in milliseconds since the Unix epoch.
			 */
			hour: number;
			/**
			 * Format: int64
			 * @description Number of members at its end.
			 */
			members: number;
			/**
			 * Format: int64
			 * @description Number of rows at its end.
			 */
			rows: number;
		};
		/** @description An access key of a member. */
		Key: {
			/** @description The account. */
			account: string;
			/** @description Its level: `root`, `admin`, `kms`, `content` or `read`. */
			level: string;
		};
		/**
		 * @description The kind of an error.
		 * @enum {string}
		 */
		Kind: "bad-request" | "not-found" | "gone" | "method-not-allowed" | "too-many" | "unavailable" | "internal";
		/** @description A KMS of a tenant. */
		Kms: {
			/** @description The deposit for its row, in the smallest unit. */
			deposit: string;
			/** @description The id, `ikms…`. */
			id: string;
			/** @description The key for which clients encrypt: an age recipient, `age1…`. */
			key: string;
			/** @description Its locator. */
			locator: string;
			/** @description The account that acts for it. */
			operator: string;
			/** @description The tenant. */
			tenant: string;
		};
		/** @description The last audit of a node. */
		LastAudit: {
			/**
			 * Format: int64
			 * @description The time, in milliseconds since the Unix epoch.
			 */
			at: number;
			/** @description The result. */
			result: components["schemas"]["AuditResult"];
			/**
			 * Format: int32
			 * @description The HTTP status, if the node refused with one.
			 */
			status: number | null;
			/** @description The version of which it was asked for bytes. `null` if it was not asked for any. */
			version: string | null;
		};
		/** @description A provider or a tenant. */
		Member: {
			/** @description The bond, in the smallest unit. */
			bond: string;
			/** @description The muid of its creation. */
			created: string;
			/**
			 * Format: int64
			 * @description The time of its creation, in milliseconds since the Unix epoch.
			 */
			createdAt: number;
			/** @description The deposits for its row and those under it, in the smallest unit. */
			deposits: string;
			/**
			 * Format: int64
			 * @description The block since which it has had no rows.
			 */
			emptySince: number | null;
			/** @description True if governance has frozen it. */
			governanceDelete: boolean;
			/** @description All that is on hold, in the smallest unit. */
			held: string;
			/** @description The id, `iprv…` or `iten…`. */
			id: string;
			/** @description The most that may be on hold, in the smallest unit. */
			maxHeld: string;
			/** @description The account that may become the root. */
			nominee: string | null;
			purge: components["schemas"]["Scope"] | null;
			/** @description The bond that the space asks for, in the smallest unit. */
			requiredBond: string;
			/** @description The role: `provider` or `tenant`. */
			role: components["schemas"]["MemberKind"];
			/** @description The account that owns it. */
			root: string;
			/**
			 * Format: int32
			 * @description Number of rows under it.
			 */
			rowCount: number;
			/** @description Number of rows under it, by map. */
			rows: {
				[key: string]: number;
			};
			/** @description The space. */
			space: string;
			/** @description True if governance has suspended it. */
			suspended: boolean;
		};
		/**
		 * @description The kind of a member.
		 * @enum {string}
		 */
		MemberKind: "provider" | "tenant";
		/** @description A node of a provider. */
		Node: {
			audit: components["schemas"]["Audit"] | null;
			/** @description The deposit for its row, in the smallest unit. */
			deposit: string;
			/** @description The id, `inod…`. */
			id: string;
			/** @description The muid of its last commit. */
			lastMuid: string | null;
			/** @description Its locator. */
			locator: string;
			/** @description The medallion: the eleven hex digits that its muids have. */
			medallion: string;
			/** @description The account that acts for it. */
			operator: string;
			/** @description True if it has yet to be confirmed. */
			pending: boolean;
			/** @description The provider. */
			provider: string;
		};
		/** @description The blocks of the node. */
		NodeHeads: {
			/**
			 * @description True if its chain is proven not to be the chain of the index: it was begun anew,
			 *	 or the URL leads to another chain.
			 */
			begunAnew: boolean;
			/**
			 * Format: int64
			 * @description The number of its best block.
			 */
			best: number;
			/** @description True if it answered the last question. */
			connected: boolean;
			/**
			 * Format: int64
			 * @description The number of its last final block.
			 */
			finalized: number;
		};
		/** @description The blocks of the node, and when it answered. */
		NodeStatus: {
			/**
			 * @description True if its chain is proven not to be the chain of the index: it was begun anew,
			 *	 or the URL leads to another chain.
			 */
			begunAnew: boolean;
			/**
			 * Format: int64
			 * @description The number of its best block.
			 */
			best: number;
			/** @description True if it answered the last question. */
			connected: boolean;
			/**
			 * Format: int64
			 * @description The number of its last final block.
			 */
			finalized: number;
			/**
			 * Format: int64
			 * @description The time of its last answer, in milliseconds since the Unix epoch.
			 */
			heardAt: number;
		};
		/** @description The number, the hash and the time of a block. */
		Point: {
			/** @description The hash. */
			hash: string;
			/**
			 * Format: int64
			 * @description The number.
			 */
			number: number;
			/**
			 * Format: int64
			 * @description The time, in milliseconds since the Unix epoch.
			 */
			time: number;
		};
		/** @description A purge under way. */
		Purge: {
			/**
			 * Format: int32
			 * @description Number of blocks until its end at this rate. `null` for more than 4,294,967,295, too.
			 */
			blocksLeft: number | null;
			/** @description The member. */
			member: string;
			/** @description Its place in the deletion queue, as digits. */
			place: string;
			/**
			 * Format: double
			 * @description Number of rows that were removed in a block, on average since its start.
			 */
			rate: number | null;
			/** @description The role of the member: `provider` or `tenant`. */
			role: components["schemas"]["MemberKind"];
			/**
			 * Format: int32
			 * @description Number of rows at its start.
			 */
			rows: number;
			/**
			 * Format: int32
			 * @description Number of rows that are left.
			 */
			rowsLeft: number;
			/** @description The scope: `rows` or `member`. */
			scope: components["schemas"]["Scope"];
			/** @description The space of the member. */
			space: string | null;
			/**
			 * Format: int64
			 * @description The block in which it was started.
			 */
			startedIn: number;
		};
		/** @description The reason of an error. */
		Reason: {
			/** @description The parameter that is wrong. */
			field: string | null;
			/** @description Its kind. */
			kind: components["schemas"]["Kind"];
			/** @description The message. */
			message: string;
			/** @description The oldest id that the feed can be resumed after, if the given one is gone. */
			oldest?: string;
		};
		/** @description A record of a collection. */
		Record: {
			/** @description The name of the collection. */
			collection: string;
			/** @description The muid of its creation. */
			created: string;
			/**
			 * Format: int64
			 * @description The time of its creation, in milliseconds since the Unix epoch.
			 */
			createdAt: number;
			/** @description The deposit for its row, in the smallest unit. */
			deposit: string;
			/** @description The record key. */
			key: string;
			/** @description The name: the key without escapes. */
			name: string;
			/** @description The content object that it names. */
			object: string;
			/**
			 * Format: int64
			 * @description The block of its last put. `null` if the history of the index does not have it.
			 */
			putIn: number | null;
			/** @description The tenant. */
			tenant: string;
			/** @description The muid of its last put. */
			updated: string;
			/**
			 * Format: int64
			 * @description The time of its last put, in milliseconds since the Unix epoch.
			 */
			updatedAt: number;
			/** @description The URI. */
			uri: string;
			/** @description The version that it names. `null` for the head of the object. */
			version: string | null;
		};
		/** @description The collection and the key of a record. */
		RecordName: {
			/** @description The name of the collection. */
			collection: string;
			/** @description The record key. */
			key: string;
			/** @description The name: the key without escapes. */
			name: string;
		};
		/** @description A record with the version that it leads to. */
		ResolvedRecord: components["schemas"]["Record"] & {
			resolved: components["schemas"]["Version"] | null;
		};
		/** @description A role of an account. */
		Role: {
			/** @description The bond, for the role `root`. */
			bond: string | null;
			/** @description The deposits, for the role `root`. */
			deposits: string | null;
			/** @description All that is on hold, for the role `root`. */
			held: string | null;
			/** @description The kind of that id: `space`, `provider`, `tenant`, `node` or `kms`. */
			kind: components["schemas"]["RoleIn"];
			/** @description The id of the space, the member, the node or the KMS. */
			member: string;
			/**
			 * @description The role: `governor`, `root`, `nominee`, `admin`, `kms`, `content`, `read` or
			 *	 `operator`.
			 */
			role: string;
		};
		/**
		 * @description The kind of an entity in which an account has a role.
		 * @enum {string}
		 */
		RoleIn: "space" | "provider" | "tenant" | "node" | "kms";
		/**
		 * @description The rows that a purge removes: those under the member, or also its own.
		 * @enum {string}
		 */
		Scope: "rows" | "member";
		/** @description A space. */
		Space: {
			/** @description The accounts that may become members: `open` for any, `approval` for admitted ones. */
			admission: components["schemas"]["AdmissionKind"];
			/**
			 * Format: int32
			 * @description Number of unused admissions.
			 */
			admissionCount: number;
			/** @description The muid of its creation. */
			created: string;
			/**
			 * Format: int64
			 * @description The time of its creation, in milliseconds since the Unix epoch.
			 */
			createdAt: number;
			/** @description The account that governs it. */
			governor: string;
			/** @description The id, `ispc…`. */
			id: string;
			/**
			 * Format: int32
			 * @description Number of partitions of the space's content.
			 */
			partitions: number;
			/** @description The bond that a provider needs, in the smallest unit. */
			providerBond: string;
			/**
			 * Format: int32
			 * @description Number of providers.
			 */
			providerCount: number;
			/** @description The service level that providers agree to. */
			sla: string;
			/** @description The bond that a tenant needs, in the smallest unit. */
			tenantBond: string;
			/**
			 * Format: int32
			 * @description Number of tenants.
			 */
			tenantCount: number;
		};
		/** @description The state of the index. */
		Status: {
			/** @description The reason why no content nodes are audited now. `null` if they are, or audits are off. */
			auditsPaused: string | null;
			/**
			 * Format: int64
			 * @description Number of final blocks of the node that the index has yet to read.
			 */
			behind: number;
			/**
			 * Format: int64
			 * @description Number of blocks by which the node's best block is ahead of the last block of the index.
			 */
			bestAhead: number;
			/** @description The kind of chain: `Development`, `Local` or `Live`. */
			chain: string;
			/**
			 * Format: int32
			 * @description Number of decimal places of the currency.
			 */
			decimals: number;
			/** @description The last block of the index, which has final blocks only. */
			finalized: components["schemas"]["Point"];
			/**
			 * @description The ranges of blocks after that whose events are missing: the first and the last of
			 *	 each.
			 */
			gaps: [
				number,
				number
			][];
			/** @description The hash of the first block. */
			genesis: string;
			/**
			 * Format: int64
			 * @description The first block whose events the index has. `null` if it has the events of all blocks.
			 */
			historySince: number | null;
			/** @description The length of the file of the index in bytes, as digits. */
			indexBytes: string;
			/** @description The node. */
			node: components["schemas"]["NodeStatus"];
			/**
			 * @description The reason why the index does not follow the node, and the remedy. `null` while it
			 *	 follows the node.
			 */
			problem: string | null;
			/**
			 * Format: int64
			 * @description Number of purges under way.
			 */
			purges: number;
			/**
			 * Format: int32
			 * @description The version of the runtime that made the last block.
			 */
			specVersion: number;
			/**
			 * Format: int32
			 * @description The version of the pallet's storage.
			 */
			storageVersion: number;
			/** @description The symbol of the currency. */
			token: string;
			/** @description Numbers of rows. */
			totals: components["schemas"]["Totals"];
			/** @description The version of the program. */
			version: string;
		};
		/** @description Numbers of rows. */
		Totals: {
			/**
			 * Format: int64
			 * @description Number of unused admissions.
			 */
			admissions: number;
			/**
			 * Format: int64
			 * @description Number of collections.
			 */
			collections: number;
			/**
			 * Format: int64
			 * @description Number of access keys.
			 */
			keys: number;
			/**
			 * Format: int64
			 * @description Number of KMSes.
			 */
			kmses: number;
			/**
			 * Format: int64
			 * @description Number of nodes.
			 */
			nodes: number;
			/**
			 * Format: int64
			 * @description Number of content objects.
			 */
			objects: number;
			/**
			 * Format: int64
			 * @description Number of providers.
			 */
			providers: number;
			/**
			 * Format: int64
			 * @description Number of records.
			 */
			records: number;
			/**
			 * Format: int64
			 * @description Number of spaces.
			 */
			spaces: number;
			/**
			 * Format: int64
			 * @description Number of tenants.
			 */
			tenants: number;
			/**
			 * Format: int64
			 * @description Number of versions.
			 */
			versions: number;
		};
		/** @description A version of a content object. */
		Version: {
			/** @description The CID of the data. */
			cid: string;
			/** @description The muid of its commit. */
			committed: string;
			/**
			 * Format: int64
			 * @description The time of its commit, in milliseconds since the Unix epoch.
			 */
			committedAt: number;
			/** @description The nodes that hold the data, or were asked to. */
			copies: components["schemas"]["VersionCopy"][];
			/** @description The deposit for its row, in the smallest unit. */
			deposit: string;
			/**
			 * Format: int64
			 * @description The time of its finalization, in milliseconds since the Unix epoch.
			 */
			finalizedAt: number | null;
			/** @description The kind of hash that the id is: `blake3` or `sha256`. */
			hash: components["schemas"]["HashKind"];
			/** @description The id, `hq__…`. */
			id: string;
			/** @description True if it is the head of the object. */
			isHead: boolean;
			/** @description True if it is final, and no node holds its data any more. */
			isLost: boolean;
			/** @description The KMS for which the data is encrypted, as an age file. `null` if the data is plain. */
			kms: string | null;
			/** @description The muid that the node gave it. */
			muid: string;
			/** @description The content object. */
			object: string;
			/** @description True if finalizing makes it the head. */
			setHeadOnFinalize: boolean;
			/** @description Size of the data in bytes, as digits. `null` if it is not known. */
			size: string | null;
			/** @description The tenant. */
			tenant: string;
		};
		/** @description A copy of a version. */
		VersionCopy: {
			/**
			 * Format: int64
			 * @description The time from which the node holds the data, in milliseconds since the Unix epoch.
			 */
			heldAt: number | null;
			/** @description The medallion of the node: the eleven hex digits that its muids have. */
			medallion: string;
			/** @description The node. */
			node: string;
			/** @description The provider of the node. */
			provider: string;
			/**
			 * @description `held`, if the node holds the data; `asked`, if it was asked to; `gone`, if the node was
			 *	 removed, or its provider is being purged.
			 */
			state: components["schemas"]["CopyState"];
		};
		/** @description A version in a list over all tenants. */
		VersionRef: {
			/**
			 * Format: int64
			 * @description The time of its commit, in milliseconds since the Unix epoch.
			 */
			committedAt: number;
			/** @description Records that lead to it, at most 10. */
			names: components["schemas"]["RecordName"][];
			/** @description The content object. */
			object: string;
			/** @description The tenant. */
			tenant: string;
			/** @description The version. */
			version: string;
		};
	};
	responses: never;
	parameters: never;
	requestBodies: never;
	headers: never;
	pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
