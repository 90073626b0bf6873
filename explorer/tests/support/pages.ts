// SPDX-License-Identifier: Apache-2.0
import { HOSTILE_KEY, IDS } from './chain.ts';

const part = encodeURIComponent;

/** Each page with its address and the text of its heading. */
export const PAGES: [name: string, path: string, heading: string | RegExp][] = [
	['overview', '/', 'Development'],
	['spaces', '/spaces', 'Spaces'],
	['space', `/spaces/${IDS.space}`, `Space ${IDS.space}`],
	['provider', `/members/${IDS.provider}`, `Provider ${IDS.provider}`],
	['tenant', `/members/${IDS.tenant}`, `Tenant ${IDS.tenant}`],
	['purged-tenant', `/members/${IDS.purged}`, `Tenant ${IDS.purged}`],
	['node', `/providers/${IDS.provider}/nodes/${IDS.node}`, `Node ${IDS.node}`],
	['kms', `/tenants/${IDS.tenant}/kmses/${IDS.kms}`, `KMS ${IDS.kms}`],
	['object', `/tenants/${IDS.tenant}/objects/${IDS.object}`, /^Content object iq__2N/],
	['version', `/tenants/${IDS.tenant}/objects/${IDS.object}/versions/${IDS.version}`, /^Version hq__6Zs6…8urt/],
	['collection', `/tenants/${IDS.tenant}/collections/names`, 'Collection names'],
	['record', `/tenants/${IDS.tenant}/collections/names/records/serde`, 'Record serde'],
	['hostile-record', `/tenants/${IDS.tenant}/collections/names/records/${part(HOSTILE_KEY)}`, /^Record a%2Fb~c:1\.0<b>/],
	['account', `/accounts/${IDS.tenantRoot}`, `Account ${IDS.tenantRoot}`],
	['any-object', `/objects/${IDS.object}`, /^Content object iq__2N/],
	['any-version', `/versions/${IDS.version}`, /^Version hq__6Zs6/],
	['governance', '/governance', 'Governance'],
	['purges', '/purges', 'Purges'],
	['block', '/blocks/18203', 'Block 18,203'],
	['search', '/search?q=serde', 'Search'],
	['not-found', '/nowhere', 'Page not found'],
];
