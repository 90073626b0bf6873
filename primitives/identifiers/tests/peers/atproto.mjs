// SPDX-License-Identifier: Apache-2.0
// Reads a JSON text a line, and prints what @atproto/syntax makes of it: [is a TID, is a record
// key, is an NSID, is a DID, is a handle, parts of the AT URI that it is or 0].

import { isAtUriString, isValidDid, isValidHandle, isValidNsid, isValidRecordKey, isValidTid } from '@atproto/syntax'
import { createInterface } from 'node:readline'

for await (const line of createInterface({ input: process.stdin })) {
	const text = JSON.parse(line)
	const parts = isAtUriString(text) ? text.slice('at://'.length).split('#')[0].split('/').length : 0
	const valid = [isValidTid, isValidRecordKey, isValidNsid, isValidDid, isValidHandle].map((isValid) => isValid(text))
	console.log(JSON.stringify([...valid, parts]))
}
