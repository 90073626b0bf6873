// SPDX-License-Identifier: Apache-2.0
import { createEffect, createSignal, on } from 'solid-js';
import { withQuery } from '../api/client.ts';
import { createList, createOne } from '../api/query.ts';
import type { Collection as CollectionItem, FabricRecord } from '../api/answers.ts';
import { Actions } from '../components/Actions.tsx';
import { Amount } from '../components/Amount.tsx';
import { Choice } from '../components/Choice.tsx';
import { Commands } from '../components/Commands.tsx';
import { Fact, Facts } from '../components/Facts.tsx';
import { MemberLink } from '../components/links.tsx';
import { Page } from '../components/Page.tsx';
import { part, useParam } from '../components/params.ts';
import { RECORD_COLUMNS } from '../components/records.tsx';
import { Section } from '../components/Section.tsx';
import { Loaded, Missing } from '../components/States.tsx';
import { ListTable } from '../components/Table.tsx';
import { Text } from '../components/Text.tsx';
import { actions } from '../format/actions.ts';
import { commands } from '../format/commands.ts';
import { number } from '../format/number.ts';
import { plain } from '../format/text.ts';

export function Collection() {
	const tenant = useParam('tenant');
	const name = useParam('collection');
	const path = () => `/v1/tenants/${part(tenant())}/collections/${part(name())}`;
	const touches = () => [tenant(), name()];
	const collection = createOne<CollectionItem>(path, touches);
	return (
		<Page
			name={`Collection ${plain(name())}`}
			kind="Collection"
			title={<Text value={name()} />}
			parents={[<a href="/spaces">Spaces</a>, <MemberLink bare id={tenant()} />]}
		>
			<Loaded query={collection} missing={<Missing what="collection" />}>
				{(item) => (
					<>
						<Facts>
							<Fact name="Tenant">
								<MemberLink id={tenant()} />
							</Fact>
							<Fact name="Type of keys">
								<Text value={item().keyType} />
							</Fact>
							<Fact name="Syntax of keys">
								<Text value={item().syntax} />
							</Fact>
							<Fact name="Deposit">
								<Amount value={item().deposit} />
							</Fact>
						</Facts>
						<Commands lines={[commands.records(tenant(), name())]} />
						<Actions title="Actions" actions={actions.ofCollection(tenant(), name())} />
						<Records path={`${path()}/records`} total={item().recordCount} touches={touches} />
					</>
				)}
			</Loaded>
		</Page>
	);
}

const PAUSE = 200;

function Records(props: { path: string; total: number; touches: () => string[] }) {
	const [order, setOrder] = createSignal<'key' | 'newest'>('key');
	const [text, setText] = createSignal('');
	const [prefix, setPrefix] = createSignal('');
	const records = createList<FabricRecord>(
		() => withQuery(props.path, { order: order(), prefix: order() === 'key' ? prefix() : undefined }),
		() => props.touches(),
	);
	// Waits until typing pauses.
	createEffect(
		on(text, (typed, _, timer?: ReturnType<typeof setTimeout>) => {
			clearTimeout(timer);
			return setTimeout(() => setPrefix(typed), PAUSE);
		}),
	);
	return (
		<Section
			title="Records"
			count={number(props.total)}
			tools={
				<>
					<label class="filter">
						<span>Names that begin with</span>
						<input
							type="search"
							autocomplete="off"
							autocapitalize="off"
							spellcheck={false}
							value={text()}
							onInput={(event) => {
								setOrder('key');
								setText(event.currentTarget.value);
							}}
						/>
					</label>
					<Choice
						name="Order"
						options={[['key', 'By key'], ['newest', 'Last updated first']]}
						value={order()}
						choose={(chosen) => {
							if (chosen === 'newest') setText('');
							setOrder(chosen);
						}}
					/>
				</>
			}
		>
			<ListTable
				caption="Records"
				columns={RECORD_COLUMNS}
				query={records}
				empty={prefix() === '' ? 'This collection has no records.' : 'No name begins with that text.'}
			/>
		</Section>
	);
}
