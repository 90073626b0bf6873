import { createList } from '../api/query.ts';
import type { VersionRef } from '../api/types.ts';
import { Commands } from '../components/Commands.tsx';
import { Id } from '../components/Id.tsx';
import { Page } from '../components/Page.tsx';
import { part, useParam } from '../components/params.ts';
import { ListTable } from '../components/Table.tsx';
import { VERSION_REF_COLUMNS } from '../components/versionRefs.tsx';
import { commands } from '../format/commands.ts';

/** The objects that have a version. */
export function AnyVersion() {
	const id = useParam('version');
	const versions = createList<VersionRef>(
		() => `/v1/versions/${part(id())}`,
		() => [id()],
	);
	return (
		<Page
			name={`Version ${id()}`}
			kind="Version"
			title={<Id bare value={id()} what="version" />}
			copy={{ text: id(), what: 'version' }}
		>
			<p class="lead">The same data may be a version of several objects.</p>
			<ListTable caption="Objects with this version" columns={VERSION_REF_COLUMNS} query={versions} empty="No object has this version." />
			<Commands lines={[commands.show(id()), commands.who(id())]} />
		</Page>
	);
}
