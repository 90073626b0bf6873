// SPDX-License-Identifier: Apache-2.0
import { Route, Router } from '@solidjs/router';
import { Layout } from './components/Layout.tsx';
import { canonicalPath } from './format/routes.ts';
import { Account } from './pages/Account.tsx';
import { AnyObject } from './pages/AnyObject.tsx';
import { AnyVersion } from './pages/AnyVersion.tsx';
import { Block } from './pages/Block.tsx';
import { Collection } from './pages/Collection.tsx';
import { Governance } from './pages/Governance.tsx';
import { Kms } from './pages/Kms.tsx';
import { Member } from './pages/Member.tsx';
import { Node } from './pages/Node.tsx';
import { NotFound } from './pages/NotFound.tsx';
import { ObjectPage } from './pages/Object.tsx';
import { Overview } from './pages/Overview.tsx';
import { Purges } from './pages/Purges.tsx';
import { Record } from './pages/Record.tsx';
import { SearchPage } from './pages/SearchPage.tsx';
import { Space } from './pages/Space.tsx';
import { Spaces } from './pages/Spaces.tsx';
import { Version } from './pages/Version.tsx';

export function App() {
	return (
		<Router root={Layout} preload={false} transformUrl={canonicalPath}>
			<Route path="/" component={Overview} />
			<Route path="/spaces" component={Spaces} />
			<Route path="/spaces/:space" component={Space} />
			<Route path="/members/:member" component={Member} />
			<Route path="/providers/:provider/nodes/:node" component={Node} />
			<Route path="/tenants/:tenant/kmses/:kms" component={Kms} />
			<Route path="/tenants/:tenant/objects/:object" component={ObjectPage} />
			<Route path="/tenants/:tenant/objects/:object/versions/:version" component={Version} />
			<Route path="/tenants/:tenant/collections/:collection" component={Collection} />
			<Route path="/tenants/:tenant/collections/:collection/records/:key" component={Record} />
			<Route path="/accounts/:account" component={Account} />
			<Route path="/objects/:object" component={AnyObject} />
			<Route path="/versions/:version" component={AnyVersion} />
			<Route path="/governance" component={Governance} />
			<Route path="/purges" component={Purges} />
			<Route path="/blocks/:block" component={Block} />
			<Route path="/search" component={SearchPage} />
			<Route path="*all" component={NotFound} />
		</Router>
	);
}
