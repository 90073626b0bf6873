import { Show } from 'solid-js';
import type { Member } from '../api/types.ts';
import { Badge } from './Badge.tsx';

/** The states of a member that are not the usual one. With `always`, the usual one too. */
export function MemberBadges(props: { member: Member; always?: boolean }) {
	// A deleted member has its bond back, or lost it.
	const underBonded = () =>
		props.member.purge !== 'member' && lessThan(props.member.bond, props.member.requiredBond);
	const unusual = () =>
		props.member.suspended || props.member.governanceDelete || props.member.purge !== null || underBonded();
	return (
		<span class="badges">
			<Show when={props.member.suspended}>
				<Badge tone="bad" title="Closed to everyone but governance">
					suspended
				</Badge>
			</Show>
			<Show when={props.member.governanceDelete}>
				<Badge tone="bad" title="Any account may delete its rows one by one">
					frozen
				</Badge>
			</Show>
			<Show when={props.member.purge}>
				{(scope) => (
					<Badge tone="bad" title={scope() === 'member' ? 'Governance deletes it with all its rows' : 'Its root removes all its rows'}>
						purge
					</Badge>
				)}
			</Show>
			<Show when={underBonded()}>
				<Badge tone="warn" title="Has less bond than its space requires, and cannot add rows">
					under-bonded
				</Badge>
			</Show>
			<Show when={props.always && !unusual()}>
				<Badge tone="good">active</Badge>
			</Show>
		</span>
	);
}

function lessThan(a: string, b: string): boolean {
	return /^\d+$/.test(a) && /^\d+$/.test(b) && BigInt(a) < BigInt(b);
}
