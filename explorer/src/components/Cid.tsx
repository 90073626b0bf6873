// SPDX-License-Identifier: Apache-2.0
import { Show } from 'solid-js';
import { cidOf, type HashedVersion } from '../../../sdk/src/ids/cid.ts';
import { idKind } from '../../../sdk/src/ids/entity.ts';
import { Fact } from './Facts.tsx';
import { Id } from './Id.tsx';

/** The names of the kinds of hash. */
export const HASHES = { blake3: 'BLAKE3', sha256: 'SHA-256' } as const;

/** The CID of the data of a version, or nothing if its id is not valid. */
export function Cid(props: HashedVersion & { name?: string }) {
	return (
		<Show when={idKind(props.version) === 'version'}>
			<Fact name={props.name ?? 'CID'}>
				<Id value={cidOf(props)} what="CID" full />
			</Fact>
		</Show>
	);
}
