// SPDX-License-Identifier: Apache-2.0
import { Show } from 'solid-js';
import { cidOf } from '../../../sdk/src/ids/cid.ts';
import { idKind } from '../../../sdk/src/ids/entity.ts';
import { Fact } from './Facts.tsx';
import { Id } from './Id.tsx';

/** The CID of the data of a version, or nothing if its id is not valid. */
export function Cid(props: { version: string }) {
	return (
		<Show when={idKind(props.version) === 'version'}>
			<Fact name="CID">
				<Id value={cidOf(props.version)} what="CID" full />
			</Fact>
		</Show>
	);
}
