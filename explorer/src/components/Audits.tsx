// SPDX-License-Identifier: Apache-2.0
import { For, Show } from 'solid-js';
import type { Audit, AuditDay } from '../api/answers.ts';
import { status } from '../api/status.ts';
import { audits, auditSummary, filledDays, RESULT_NAMES, RESULTS } from '../format/audits.ts';
import { number, percent } from '../format/number.ts';
import { states } from '../format/states.ts';
import { iso } from '../format/time.ts';
import { Badges } from './Badges.tsx';
import { Fact } from './Facts.tsx';
import { Section } from './Section.tsx';
import { Empty } from './States.tsx';
import { Table, type Column } from './Table.tsx';
import { Text } from './Text.tsx';
import { Time } from './Time.tsx';

const WIDTH = 600;
const HEIGHT = 120;

/** The index counts days of UTC. */
const date = (item: AuditDay) => iso(item.day).slice(0, 10);

/** The results of a node's audits, in short. */
export function AuditFacts(props: { audit: Audit | null }) {
	return (
		<Show
			when={props.audit}
			fallback={
				<Fact name="Audits" note="This index has not asked the node for bytes.">
					<span class="none">none</span>
				</Fact>
			}
		>
			{(audit) => (
				<>
					<Fact name="Last audit" note="This index asked the node for bytes that it should hold, and verified them.">
						<Badges states={states.ofAudit(audit())} /> <Time ms={audit().last.at} />
						<Show when={status.data()?.auditsPaused}>
							{(reason) => (
								<p class="quiet">
									No node is audited now: <Text value={reason()} />
								</p>
							)}
						</Show>
					</Fact>
					<Fact name="Right audits" note={`${number(audit().right)} of ${number(audits(audit()))} audits in the last 30 days`}>
						<Show when={audits(audit()) > 0} fallback={<span class="none">none</span>}>
							<span class="number">{percent(audit().right, audits(audit()))}</span>
						</Show>
					</Fact>
				</>
			)}
		</Show>
	);
}

/** The results of a node's audits by day, as a chart and as a table. */
export function AuditDays(props: { audit: Audit }) {
	const columns: Column<AuditDay>[] = [
		{ head: 'Day (UTC)', cell: date },
		...RESULTS.map((result) => ({ head: RESULT_NAMES[result], numeric: true, cell: (item: AuditDay) => number(item[result]) })),
		{ head: 'Share of right', numeric: true, cell: (item) => percent(item.right, audits(item)) },
	];
	return (
		<Section title="Audits by day">
			<Show when={props.audit.days.length > 0} fallback={<Empty>There was no audit in the last 30 days.</Empty>}>
				<AuditChart audit={props.audit} />
				<details>
					<summary>Table</summary>
					<Table caption="Audits by day" columns={columns} items={[...props.audit.days].reverse()} />
				</details>
			</Show>
		</Section>
	);
}

function AuditChart(props: { audit: Audit }) {
	const days = () => filledDays(props.audit, Date.now());
	const most = () => Math.max(1, ...days().map(audits));
	const slot = () => WIDTH / days().length;
	const height = (value: number) => (value / most()) * (HEIGHT - 4);
	/** Returns the results of a day with their heights, and the number of audits below each. */
	const stack = (item: AuditDay) => {
		let below = 0;
		return RESULTS.map((result) => ({ result, below: (below += item[result]) - item[result], value: item[result] }));
	};
	return (
		<figure class="chart">
			<figcaption>
				<span class="legend">
					<For each={RESULTS}>
						{(result) => (
							<span>
								<span class={`swatch ${result}`} aria-hidden="true" /> {RESULT_NAMES[result]}
							</span>
						)}
					</For>
				</span>
				<span class="chart-most">
					<span class="quiet">max </span>
					{number(most())}
				</span>
			</figcaption>
			<svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={auditSummary(props.audit)}>
				<path class="grid" d={`M0 4H${WIDTH}M0 ${HEIGHT / 2 + 2}H${WIDTH}`} />
				<For each={days()}>
					{(item, index) => (
						<For each={stack(item)}>
							{({ result, below, value }) => (
								<Show when={value > 0}>
									<rect
										class={`bar ${result}`}
										x={index() * slot() + slot() * 0.1}
										y={HEIGHT - height(below + value)}
										width={slot() * 0.8}
										height={Math.max(height(value), 1)}
									>
										<title>{`${date(item)}: ${number(value)} ${result}`}</title>
									</rect>
								</Show>
							)}
						</For>
					)}
				</For>
				<path class="axis" d={`M0 ${HEIGHT}H${WIDTH}`} />
			</svg>
			<p class="chart-axis" aria-hidden="true">
				<span>{date(days()[0] ?? props.audit.days[0]!)}</span>
				<span>{date(days().at(-1) ?? props.audit.days[0]!)}</span>
			</p>
		</figure>
	);
}
