// Reads a JSON text a line, and prints what @atproto/syntax makes of it: [is a TID, is a record key, is an NSID].

import { isValidNsid, isValidRecordKey, isValidTid } from '@atproto/syntax'
import { createInterface } from 'node:readline'

for await (const line of createInterface({ input: process.stdin })) {
	const text = JSON.parse(line)
	console.log(JSON.stringify([isValidTid(text), isValidRecordKey(text), isValidNsid(text)]))
}
