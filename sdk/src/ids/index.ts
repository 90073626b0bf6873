// SPDX-License-Identifier: Apache-2.0
/** Ids, CIDs, muids, TIDs and record keys. */

export { fromHex, IdError, toHex } from './bytes.ts';
export * from './cid.ts';
export * from './entity.ts';
export * from './kms_key.ts';
export * from './muid.ts';
export * from './prefixes.ts';
export {
	checkRecordKey,
	collectionAdvice,
	parseNsid,
	parseRecordKey,
	parseRecordKeyType,
	type RecordKeySyntax,
	type RecordKeyType,
	recordKeyAdvice,
} from './record_key.ts';
export * from './record_name.ts';
export * from './tid.ts';
