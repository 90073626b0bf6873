import { For } from 'solid-js';
import { Copy } from './Copy.tsx';

/** Commands of the client that print what a page shows. */
export function Commands(props: { lines: string[] }) {
	return (
		<ul class="commands" aria-label="Commands">
			<For each={props.lines}>
				{(line) => (
					<li>
						<code>{line}</code>
						<Copy text={line} what="command" />
					</li>
				)}
			</For>
		</ul>
	);
}
