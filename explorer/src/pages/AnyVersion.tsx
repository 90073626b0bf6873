// SPDX-License-Identifier: Apache-2.0
import { Cid } from '../components/Cid.tsx';
import { Commands } from '../components/Commands.tsx';
import { Facts } from '../components/Facts.tsx';
import { IdPage } from '../components/Page.tsx';
import { useNamedVersion, useParam } from '../components/params.ts';
import { VersionRefs } from '../components/versionRefs.tsx';
import { commands } from '../format/commands.ts';

/** The objects that have a version. */
export function AnyVersion() {
	const id = useParam('version');
	const named = useNamedVersion();
	return (
		<IdPage what="version" id={id()}>
			<p class="lead">The same data may be a version of several objects.</p>
			<Facts>
				<Cid version={id()} hash="blake3" name="CID, if it is BLAKE3" />
				<Cid version={id()} hash="sha256" name="CID, if it is SHA-256" />
			</Facts>
			<VersionRefs version={named()} touches={() => [id()]} />
			<Commands lines={[commands.show(id()), commands.who(id())]} />
		</IdPage>
	);
}
