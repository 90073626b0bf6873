// SPDX-License-Identifier: Apache-2.0
import { Show } from 'solid-js';
import { shortId } from '../format/text.ts';
import { Copy } from './Copy.tsx';

interface Props {
	value: string;
	/** Names the id for its copy button, such as `tenant`. */
	what: string;
	href?: string | undefined;
	/** Shows the id with all its characters. */
	full?: boolean;
	/** Omits the copy button, in running text. */
	bare?: boolean;
}

/** An id, a hash or an account, shortened in the middle, with its page and a button to copy it. */
export function Id(props: Props) {
	const text = () => (props.full ? props.value : shortId(props.value));
	return (
		<span class="id" classList={{ full: props.full === true }}>
			<Show
				when={props.href}
				fallback={
					<span class="mono" title={props.value}>
						{text()}
					</span>
				}
			>
				{(href) => (
					<a class="mono" href={href()} title={props.value}>
						{text()}
					</a>
				)}
			</Show>
			<Show when={!props.bare}>
				<Copy text={props.value} what={props.what} />
			</Show>
		</span>
	);
}
