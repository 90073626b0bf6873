// SPDX-License-Identifier: Apache-2.0
import { For, Show } from 'solid-js';
import { createList } from '../api/query.ts';
import type { Purge } from '../api/answers.ts';
import { Commands } from '../components/Commands.tsx';
import { MemberLink, SpaceLink } from '../components/links.tsx';
import { More } from '../components/More.tsx';
import { Page } from '../components/Page.tsx';
import { PurgeProgress } from '../components/Purge.tsx';
import { Empty, Loaded } from '../components/States.tsx';
import { commands } from '../format/commands.ts';

export function Purges() {
	const purges = createList<Purge>(() => '/v1/purges', 'all');
	return (
		<Page name="Purges" title="Purges">
			<p class="lead">The deletion queue: members whose rows are being removed, in the order in which their purges started.</p>
			<Loaded query={purges}>
				{(items) => (
					<Show when={items().length > 0} fallback={<Empty>No purge is running.</Empty>}>
						<ol class="cards">
							<For each={items()}>
								{(purge) => (
									<li class="card">
										<p class="timeline-title">
											<MemberLink id={purge.member} />
											<span class="quiet">
												<Show when={purge.space}>
													{(space) => (
														<>
															in <SpaceLink bare id={space()} />,{' '}
														</>
													)}
												</Show>
												{purge.scope === 'member' ? 'deleted by governance' : 'emptied by its root'}
											</span>
										</p>
										<PurgeProgress purge={purge} />
									</li>
								)}
							</For>
						</ol>
						<More query={purges} />
						<Commands lines={items().slice(0, 3).map((purge) => commands.watchPurge(purge.member))} />
					</Show>
				)}
			</Loaded>
		</Page>
	);
}
