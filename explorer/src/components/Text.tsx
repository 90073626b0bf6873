// SPDX-License-Identifier: Apache-2.0
import { For, Show } from 'solid-js';
import { pieces, plain, shortText } from '../format/text.ts';

/**
 * Text from the chain. Characters that are invisible or change the direction of text are shown as
 * escapes, and the text around it keeps its direction.
 */
export function Text(props: { value: string; lineBreaks?: boolean; longest?: number }) {
	const shown = () => (props.lineBreaks ? props.value : shortText(props.value, props.longest));
	return (
		<Show when={props.value !== ''} fallback={<span class="none">empty</span>}>
			<bdi
				class="text"
				classList={{ lines: props.lineBreaks === true }}
				title={shown() === props.value ? undefined : plain(props.value)}
			>
				<For each={pieces(shown(), props.lineBreaks)}>
					{(piece) => (piece.escaped ? <span class="escape">{piece.text}</span> : piece.text)}
				</For>
			</bdi>
		</Show>
	);
}
