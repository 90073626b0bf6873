// SPDX-License-Identifier: Apache-2.0
import { createUniqueId, Show, type JSX } from 'solid-js';

interface Props {
	title: string;
	count?: string | undefined;
	/** Controls at the end of the line of the title. */
	tools?: JSX.Element;
	children: JSX.Element;
}

/** A part of a page under a heading. */
export function Section(props: Props) {
	const id = createUniqueId();
	return (
		<section aria-labelledby={id}>
			<div class="section-head">
				<h2 id={id}>{props.title}</h2>
				<Show when={props.count}>
					<span class="section-count">{props.count}</span>
				</Show>
				<div class="tools">{props.tools}</div>
			</div>
			{props.children}
		</section>
	);
}
