// SPDX-License-Identifier: Apache-2.0
import { useSearchParams } from '@solidjs/router';
import { For, Show } from 'solid-js';
import { withQuery } from '../api/client.ts';
import { createList } from '../api/query.ts';
import type { FabricRecord, Hit } from '../api/answers.ts';
import { Commands } from '../components/Commands.tsx';
import { Copy } from '../components/Copy.tsx';
import { Page } from '../components/Page.tsx';
import { ANY_RECORD_COLUMNS } from '../components/records.tsx';
import { Section } from '../components/Section.tsx';
import { Empty, Loaded } from '../components/States.tsx';
import { ListTable } from '../components/Table.tsx';
import { Text } from '../components/Text.tsx';
import { commands } from '../format/commands.ts';
import { ownPath } from '../format/routes.ts';
import { capital, plain, words } from '../format/text.ts';

export function SearchPage() {
	const [parameters] = useSearchParams();
	const query = () => (typeof parameters['q'] === 'string' ? parameters['q'].trim() : '');
	const asked = (path: string) => (query() === '' ? undefined : path);
	const hits = createList<Hit>(() => asked(withQuery('/v1/search', { q: query() })), 'none', 0);
	const names = createList<FabricRecord>(() => asked(withQuery('/v1/names', { prefix: query() })), 'none', 20);
	// The hits contain the first names already.
	const moreNames = () =>
		(names.data()?.length ?? 0) > (hits.data() ?? []).filter(({ kind }) => kind === 'record').length;
	return (
		<Page name={`Search for ${plain(query())}`} title="Search">
			<Show
				when={query() !== ''}
				fallback={<Empty>Type an id, a hash, an account, the number of a block, or a name in the box above.</Empty>}
			>
				<Section title="Hits">
					<Loaded query={hits}>
						{(items) => (
							<Show
								when={items().length > 0}
								fallback={
									<Empty>
										Nothing matches <Text value={query()} />. Ids must be complete; names may be cut at their end.
									</Empty>
								}
							>
								<ul class="hits">
									<For each={items()}>
										{(hit) => (
											<li>
												<span class="hit-kind">{capital(words(hit.kind)).replace('Kms', 'KMS')}</span>
												<a href={ownPath(hit.path, hit.title)}>
													<Text value={hit.title} />
												</a>
												<Show when={hit.id !== hit.title}>
													<span class="hit-id">
														<Text value={hit.id} longest={40} />
													</span>
												</Show>
												<Copy text={hit.id} what={hit.kind} />
											</li>
										)}
									</For>
								</ul>
							</Show>
						)}
					</Loaded>
				</Section>
				<Show when={moreNames()}>
					<Section title="Names that begin with this text">
						<ListTable caption="Records by name" columns={ANY_RECORD_COLUMNS} query={names} empty="No names." />
					</Section>
				</Show>
				<Commands lines={[commands.find(query())]} />
			</Show>
		</Page>
	);
}
