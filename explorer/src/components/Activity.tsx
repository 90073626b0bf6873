// SPDX-License-Identifier: Apache-2.0
import { createMemo, createSignal, Show } from 'solid-js';
import { createList } from '../api/query.ts';
import { withQuery } from '../api/client.ts';
import type { Hour } from '../api/answers.ts';
import { count, number } from '../format/number.ts';
import { Chart } from './Chart.tsx';
import { Choice } from './Choice.tsx';
import { Section } from './Section.tsx';
import { Empty, Loaded } from './States.tsx';

const HOUR = 3_600_000;
const SPANS = [
	['24', '24 hours'],
	['168', '7 days'],
	['720', '30 days'],
] as const;
/** Hours that a chart has at least, so that a young chain is not one broad bar. */
const FEWEST = 24;

/** Rows and commits over time, of all spaces or of the one whose totals are at `path`. */
export function Activity(props: { path: string }) {
	const [span, setSpan] = createSignal<(typeof SPANS)[number][0]>('168');
	const totals = createList<Hour>(() => withQuery(props.path, { hours: span() }), 'all', 0);
	const hours = createMemo(() => filled(totals.data() ?? [], totals.at()?.time ?? Date.now(), Number(span())));
	const commits = () => hours().reduce((sum, point) => sum + point.commits, 0);
	return (
		<Section title="Activity" tools={<Choice name="Span" options={SPANS} value={span()} choose={setSpan} />}>
			<Loaded query={totals}>
				{(items) => (
					<Show when={items().length > 0} fallback={<Empty>Nothing has changed in this time.</Empty>}>
						<div class="charts">
							<Chart
								title="Rows"
								points={hours().map(({ hour, rows }) => ({ time: hour, value: rows }))}
								summary={`Rows at the end of each hour: from ${number(hours()[0]?.rows ?? 0)} to ${number(hours().at(-1)?.rows ?? 0)}.`}
							/>
							<Chart
								bars
								title="Commits per hour"
								points={hours().map((point) => ({ time: point.hour, value: point.commits }))}
								summary={`Commits in each hour: ${count(commits(), 'commit')} in all.`}
							/>
						</div>
					</Show>
				)}
			</Loaded>
		</Section>
	);
}

/** Returns all hours up to `end`. Those that are left out had no commits, and kept their rows. */
function filled(items: Hour[], end: number, span: number): Hour[] {
	const first = items[0];
	if (!first) return [];
	const last = Math.max(Math.floor(end / HOUR) * HOUR, items.at(-1)?.hour ?? 0);
	const start = Math.max(last - (span - 1) * HOUR, Math.min(first.hour, last - (FEWEST - 1) * HOUR));
	const known = new Map(items.map((item) => [item.hour, item]));
	const hours: Hour[] = [];
	let rows = 0;
	let members = 0;
	for (let hour = start; hour <= last; hour += HOUR) {
		const item = known.get(hour);
		rows = item?.rows ?? rows;
		members = item?.members ?? members;
		hours.push({ hour, rows, members, commits: item?.commits ?? 0 });
	}
	return hours;
}
