// SPDX-License-Identifier: Apache-2.0
import { createEffect, For, Show, type JSX } from 'solid-js';
import { capital } from '../format/text.ts';
import { Copy } from './Copy.tsx';
import { Id } from './Id.tsx';

interface Props {
	/** Title in the tab of the browser. */
	name: string;
	/** The subject of the page, above its heading. */
	kind?: string;
	title: JSX.Element;
	/**
	 * The text that a button beside the heading copies. It would otherwise be a part of its name.
	 */
	copy?: { text: string; what: string };
	badges?: JSX.Element;
	/** Links to the parents of the subject, from the outermost. */
	parents?: JSX.Element[];
	children: JSX.Element;
}

/** A page: its parents, its heading, and its content. */
export function Page(props: Props) {
	createEffect(() => {
		document.title = `${props.name} · Content Fabric`;
	});
	return (
		<article>
			<header class="page-head">
				<Show when={props.parents}>
					{(parents) => (
						<nav aria-label="Parents">
							<ol class="parents">
								<For each={parents()}>{(parent) => <li>{parent}</li>}</For>
							</ol>
						</nav>
					)}
				</Show>
				<div class="title">
					<h1 tabindex="-1">
						<Show when={props.kind}>
							<span class="kind">{props.kind} </span>
						</Show>
						{props.title}
					</h1>
					<Show when={props.copy}>{(copy) => <Copy text={copy().text} what={copy().what} />}</Show>
					<div class="badges">{props.badges}</div>
				</div>
			</header>
			{props.children}
		</article>
	);
}

interface IdProps extends Pick<Props, 'badges' | 'parents' | 'children'> {
	/** The kind of entity that the id names, such as `tenant`. */
	what: string;
	id: string;
	/** Shows the id with all its characters. */
	full?: boolean;
}

/** The page of what an id names. */
export function IdPage(props: IdProps) {
	return (
		<Page
			name={`${capital(props.what)} ${props.id}`}
			kind={capital(props.what)}
			title={<Id bare value={props.id} what={props.what} full={props.full === true} />}
			copy={{ text: props.id, what: props.what }}
			badges={props.badges}
			parents={props.parents}
		>
			{props.children}
		</Page>
	);
}
