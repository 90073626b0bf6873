// SPDX-License-Identifier: Apache-2.0
import { createMemo, For, Show } from 'solid-js';
import { blocksBehind, head, latest } from '../api/feed.ts';
import { createList } from '../api/query.ts';
import { status } from '../api/status.ts';
import type { Purge, Status } from '../api/answers.ts';
import { Activity } from '../components/Activity.tsx';
import { Commands } from '../components/Commands.tsx';
import { Id } from '../components/Id.tsx';
import { BlockLink, MemberLink } from '../components/links.tsx';
import { Live } from '../components/Live.tsx';
import { Page } from '../components/Page.tsx';
import { PurgeProgress } from '../components/Purge.tsx';
import { Section } from '../components/Section.tsx';
import { Size } from '../components/Size.tsx';
import { Loaded } from '../components/States.tsx';
import { Text } from '../components/Text.tsx';
import { Time } from '../components/Time.tsx';
import { commands } from '../format/commands.ts';
import { count, number } from '../format/number.ts';

/** The totals on this page, with the pages that list them. */
const SHOWN = [
	['spaces', 'Spaces', '/spaces'],
	['providers', 'Providers'],
	['tenants', 'Tenants'],
	['nodes', 'Nodes'],
	['kmses', 'KMSes'],
	['objects', 'Content objects'],
	['versions', 'Versions'],
	['collections', 'Collections'],
	['records', 'Records'],
	['keys', 'Access keys'],
] as const;

export function Overview() {
	const purges = createList<Purge>(() => '/v1/purges', 'all', 100);
	return (
		<Page name="Overview" title={<Show when={status.data()} fallback="Overview">{(chain) => <Text value={chain().chain} />}</Show>}>
			<Loaded query={status}>
				{(chain) => (
					<>
						<ChainState chain={chain()} />
						<Section title="Directory">
							<ul class="totals">
								<For each={SHOWN}>
									{([name, text, path]) => (
										<li>
											<span class="figure">{number(chain().totals[name])}</span>
											<Show when={path} fallback={<span class="total-name">{text}</span>}>
												<a class="total-name" href={path}>
													{text}
												</a>
											</Show>
										</li>
									)}
								</For>
							</ul>
						</Section>
					</>
				)}
			</Loaded>
			<Show when={purges.data()?.length}>
				<Section title="Running purges" tools={<a href="/purges">All purges</a>}>
					<For each={purges.data()?.slice(0, 3)}>
						{(purge) => (
							<div class="card">
								<MemberLink id={purge.member} />
								<PurgeProgress purge={purge} />
							</div>
						)}
					</For>
				</Section>
			</Show>
			<Activity path="/v1/totals" />
			<Live />
			<Commands lines={[commands.tree(), commands.watch()]} />
		</Page>
	);
}

function ChainState(props: { chain: Status }) {
	const last = createMemo(() => latest() ?? props.chain.finalized);
	const best = () => Math.max((head()?.node ?? props.chain.node).best, last().number);
	const ahead = () => best() - last().number;
	const behind = () => (head() ? blocksBehind() : props.chain.behind);
	const indexState = () => {
		if (head()?.node.begunAnew) return 'other chain';
		// Without a node nothing is known of its newer blocks.
		if (head()?.node.connected === false) return 'no node';
		return behind() < 2 ? 'up to date' : `${number(behind())} behind`;
	};
	return (
		<ul class="tiles">
			<li>
				<span class="tile-name">Finalized</span>
				<span class="figure">
					<BlockLink number={last().number} />
				</span>
				<span class="quiet">
					<Time ms={last().time} />
				</span>
			</li>
			<li>
				<span class="tile-name">Best</span>
				<span class="figure">{number(best())}</span>
				<span class="quiet">{ahead() === 0 ? 'final' : `${count(ahead(), 'block')} ahead`}</span>
			</li>
			<li>
				<span class="tile-name">Index</span>
				<span class="figure">{indexState()}</span>
				<span class="quiet">
					<Size bytes={props.chain.indexBytes} />
					<Show when={props.chain.historySince !== null}>
						, history since block {number(props.chain.historySince ?? 0)}
					</Show>
				</span>
			</li>
			<li>
				<span class="tile-name">Runtime</span>
				<span class="figure">{props.chain.specVersion}</span>
				<span class="quiet">
					genesis <Id value={props.chain.genesis} what="genesis hash" />
				</span>
			</li>
		</ul>
	);
}
