// SPDX-License-Identifier: Apache-2.0
import { For } from 'solid-js';
import { Copy } from './Copy.tsx';

/** A command of the client, with a button to copy it. */
export function Command(props: { line: string }) {
	return (
		<>
			<code>
				<For each={props.line.split(/(?<= )/)}>{(word) => <span>{word}</span>}</For>
			</code>
			<Copy text={props.line} what="command" />
		</>
	);
}

/** Commands of the client that print what a page shows. */
export function Commands(props: { lines: string[] }) {
	return (
		<ul class="commands" aria-label="Commands">
			<For each={props.lines}>
				{(line) => (
					<li>
						<Command line={line} />
					</li>
				)}
			</For>
		</ul>
	);
}
