// SPDX-License-Identifier: Apache-2.0
import { For } from 'solid-js';

interface Props<T extends string> {
	/** Names the choice: `Order`. */
	name: string;
	options: readonly (readonly [T, string])[];
	value: T;
	choose: (value: T) => void;
}

/** One of a few options, in a row. */
export function Choice<T extends string>(props: Props<T>) {
	return (
		<div class="choice" role="group" aria-label={props.name}>
			<For each={props.options}>
				{([value, text]) => (
					<button type="button" aria-pressed={props.value === value} onClick={() => props.choose(value)}>
						{text}
					</button>
				)}
			</For>
		</div>
	);
}
