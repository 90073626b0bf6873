// SPDX-License-Identifier: Apache-2.0
import { createMemo, Show } from 'solid-js';
import { absolute, iso, relative, utc } from '../format/time.ts';
import { now } from './now.ts';

/** A time by its distance from now. With `full`, also as local date and time. */
export function Time(props: { ms: number; full?: boolean }) {
	const distance = createMemo(() => relative(props.ms, now()));
	return (
		<time dateTime={iso(props.ms)} title={`${absolute(props.ms)}, ${utc(props.ms)}`}>
			<Show when={props.full} fallback={distance()}>
				{absolute(props.ms)} <span class="quiet distance">({distance()})</span>
			</Show>
		</time>
	);
}
