import { createEffect, For, Show, type JSX } from 'solid-js';
import { Copy } from './Copy.tsx';

interface Props {
	/** Title in the tab of the browser. */
	name: string;
	/** The subject of the page, above its heading. */
	kind?: string;
	title: JSX.Element;
	/** The text that a button beside the heading copies. It would otherwise be a part of its name. */
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
