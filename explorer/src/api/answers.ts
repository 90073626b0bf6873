// SPDX-License-Identifier: Apache-2.0
/** Names of the types of the indexer's answers, which are made from its own description of them. */

import type { components } from './types.ts';

type Schemas = components['schemas'];

export type At = Schemas['At'];

export interface One<T> {
	at: At;
	item: T;
}

export interface List<T> {
	at: At;
	items: T[];
	next: string | null;
}

export type Account = Schemas['Account'];
export type AccountRole = Schemas['Role'];
export type Admission = Schemas['Admission'];
export type Audit = Schemas['Audit'];
export type AuditDay = Schemas['AuditDay'];
export type AuditResult = Schemas['AuditResult'];
export type Collection = Schemas['Collection'];
export type ContentObject = Schemas['ContentObject'];
export type CopyAtRisk = Schemas['CopyAtRisk'];
export type EncodedCall = Schemas['Encoded'];
export type FabricEvent = Schemas['Event'];
export type FabricRecord = Schemas['Record'];
export type FeedHead = Schemas['HeadMessage'];
export type Field = Schemas['Field'];
/** Blocks, also as messages of the feed, which sends a block of many events in several. */
export type FullBlock = Schemas['Block'];
export type Hit = Schemas['Hit'];
export type Hour = Schemas['Hour'];
export type Key = Schemas['Key'];
export type Kms = Schemas['Kms'];
export type Member = Schemas['Member'];
export type Node = Schemas['Node'];
export type Purge = Schemas['Purge'];
export type ResolvedRecord = Schemas['ResolvedRecord'];
export type Role = Schemas['MemberKind'];
export type Space = Schemas['Space'];
export type Status = Schemas['Status'];
export type Totals = Schemas['Totals'];
export type Version = Schemas['Version'];
export type VersionRef = Schemas['VersionRef'];
