// SPDX-License-Identifier: Apache-2.0
import { For, Show } from 'solid-js';
import { number } from '../format/number.ts';
import { day, hour } from '../format/time.ts';

export interface Point {
	time: number;
	value: number;
}

interface Props {
	title: string;
	points: Point[];
	/** Draws a bar for each point instead of a line through them. */
	bars?: boolean;
	/** Sentence that says what the chart shows. */
	summary: string;
}

const WIDTH = 600;
const HEIGHT = 120;

/** Values over time. */
export function Chart(props: Props) {
	const most = () => Math.max(0, ...props.points.map((point) => point.value));
	const y = (value: number) => HEIGHT - (value / Math.max(1, most())) * (HEIGHT - 4);
	const slot = () => WIDTH / Math.max(1, props.points.length);
	const line = () =>
		props.points
			.map(({ value }, index) => `${index === 0 ? 'M' : 'L'}${(index * slot()).toFixed(2)} ${y(value).toFixed(2)}h${slot().toFixed(2)}`)
			.join('');
	const label = (time: number) => (props.points.length > 48 ? day(time) : hour(time));
	return (
		<figure class="chart">
			<figcaption>
				<span class="chart-title">{props.title}</span>
				<span class="chart-most">
					<span class="quiet">max </span>
					{number(most())}
				</span>
			</figcaption>
			<svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={props.summary}>
				<path class="grid" d={`M0 4H${WIDTH}M0 ${HEIGHT / 2 + 2}H${WIDTH}`} />
				<Show when={props.bars} fallback={<Area line={line()} />}>
					<For each={props.points}>
						{(point, index) => (
							<Show when={point.value > 0}>
								<rect
									class="bar"
									x={index() * slot() + slot() * 0.1}
									y={Math.min(y(point.value), HEIGHT - 2)}
									width={slot() * 0.8}
									height={Math.max(HEIGHT - y(point.value), 2)}
								>
									<title>{`${hour(point.time)}: ${number(point.value)}`}</title>
								</rect>
							</Show>
						)}
					</For>
				</Show>
				<path class="axis" d={`M0 ${HEIGHT}H${WIDTH}`} />
			</svg>
			<p class="chart-axis" aria-hidden="true">
				<span>{label(props.points[0]?.time ?? 0)}</span>
				<span>{label(props.points.at(-1)?.time ?? 0)}</span>
			</p>
		</figure>
	);
}

function Area(props: { line: string }) {
	return (
		<>
			<path class="area" d={`${props.line}V${HEIGHT}H0Z`} />
			<path class="line" d={props.line} />
		</>
	);
}
