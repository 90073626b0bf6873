// SPDX-License-Identifier: Apache-2.0
import { Match, Switch } from 'solid-js';
import { blocksBehind, head, heardAt, indexed, silent } from '../api/feed.ts';
import { number } from '../format/number.ts';
import { clock } from '../format/time.ts';

/** An index follows its node by some milliseconds, so it may be one block behind. */
const BEHIND = 2;
/** Finality follows the best block by a few blocks. */
const STALLED = 20;

/** Says that the pages may be out of date, and why. */
export function Banner() {
	const shown = () => number(indexed());
	const node = () => head()?.node ?? { best: 0, finalized: 0 };
	return (
		<div role="status" class="banner-region">
			<Switch>
				<Match when={silent()}>
					<p class="banner">
						<strong>No news since {clock(heardAt())}.</strong> The indexer does not answer. The pages show the last
						known state.
					</p>
				</Match>
				<Match when={head()?.node.begunAnew}>
					<p class="banner">
						<strong>The node has another chain.</strong> It was begun anew, or the indexer asks the wrong node. The pages
						show the chain before, up to block {shown()}.
					</p>
				</Match>
				<Match when={head()?.node.connected === false}>
					<p class="banner">
						<strong>The indexer has lost its node.</strong> The pages show block {shown()}.
					</p>
				</Match>
				<Match when={blocksBehind() >= BEHIND}>
					<p class="banner">
						<strong>{number(blocksBehind())} blocks behind.</strong> The last final block of the node is{' '}
						{number(node().finalized)}, the pages show block {shown()}.
					</p>
				</Match>
				<Match when={node().best - node().finalized > STALLED}>
					<p class="banner">
						<strong>Finality stalls.</strong> The node is at block {number(node().best)}, and its last final block is{' '}
						{number(node().finalized)}. The pages show final blocks only.
					</p>
				</Match>
			</Switch>
		</div>
	);
}
