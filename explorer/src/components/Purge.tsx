// SPDX-License-Identifier: Apache-2.0
import { Show } from 'solid-js';
import { blockTime } from '../api/feed.ts';
import type { Purge } from '../api/answers.ts';
import { count, number, percent } from '../format/number.ts';
import { left } from '../format/time.ts';
import { BlockLink } from './links.tsx';

/** The progress of a purge, with the time that is left. */
export function PurgeProgress(props: { purge: Purge; done?: boolean }) {
	const removed = () => (props.done ? props.purge.rows : Math.max(0, props.purge.rows - props.purge.rowsLeft));
	const remaining = () => {
		const blocks = props.purge.blocksLeft;
		if (props.done) return 'All rows are removed.';
		if (blocks === null) return props.purge.place !== '0' ? `Place ${number(BigInt(props.purge.place))} in the deletion queue.` : 'Waits for its first step.';
		const time = blockTime();
		return time === undefined
			? `${count(blocks, 'block')} left.`
			: `${capitalLeft(blocks * time)} left, ${count(blocks, 'block')}.`;
	};
	return (
		<div class="progress" classList={{ done: props.done === true }}>
			<p class="purge-head">
				<span class="figure">{percent(removed(), props.purge.rows)}</span>
				<span>
					{number(removed())} of {count(props.purge.rows, 'row')} removed
				</span>
			</p>
			<progress max={Math.max(1, props.purge.rows)} value={removed()} aria-label={`Purge of ${props.purge.member}`} />
			<p class="quiet">
				{remaining()}{' '}
				<Show when={!props.done}>
					Started in block <BlockLink number={props.purge.startedIn} />.
				</Show>
			</p>
		</div>
	);
}

const capitalLeft = (duration: number) => left(duration).replace(/^a/, 'A');
