// SPDX-License-Identifier: Apache-2.0
import { createSignal } from 'solid-js';
import type { Member } from '../api/answers.ts';
import { actions } from '../format/actions.ts';
import { Actions } from './Actions.tsx';

/** The actions of a member's root and of governance. */
export function MemberActions(props: { member: Member }) {
	const [reason, setReason] = createSignal('');
	return (
		<>
			<Actions title="Actions of the root" actions={actions.ofRoot(props.member)} />
			<Actions title="Actions of governance" actions={actions.ofGovernance(props.member, reason())}>
				<label class="filter">
					<span>Reason</span>
					<input type="text" autocomplete="off" value={reason()} onChange={(event) => setReason(event.currentTarget.value.trim())} />
				</label>
			</Actions>
		</>
	);
}
