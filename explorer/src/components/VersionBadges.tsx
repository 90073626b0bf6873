import { Show } from 'solid-js';
import type { Version } from '../api/types.ts';
import { Badge } from './Badge.tsx';

/** The states of a version. */
export function VersionBadges(props: { version: Version }) {
	return (
		<span class="badges">
			<Show when={props.version.isHead}>
				<Badge tone="good" title="Stands for its content object">
					head
				</Badge>
			</Show>
			<Show when={props.version.finalizedAt === null} fallback={<Badge>finalized</Badge>}>
				<Badge tone="warn" title="Its data is not complete yet">
					committed
				</Badge>
			</Show>
		</span>
	);
}
