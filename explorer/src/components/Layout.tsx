// SPDX-License-Identifier: Apache-2.0
import { useLocation } from '@solidjs/router';
import { createEffect, ErrorBoundary, For, on, type JSX } from 'solid-js';
import { status } from '../api/status.ts';
import { Announcer } from './announce.tsx';
import { Banner } from './Banner.tsx';
import { Logo } from './icons.tsx';
import { Search } from './Search.tsx';

const LINKS = [
	['/', 'Overview'],
	['/spaces', 'Spaces'],
	['/governance', 'Governance'],
	['/purges', 'Purges'],
] as const;

/** The frame around each page. */
export function Layout(props: { children?: JSX.Element }) {
	const location = useLocation();
	let main: HTMLElement | undefined;
	createEffect(
		on(
			() => location.pathname + location.search,
			() => requestAnimationFrame(() => document.querySelector('h1')?.focus({ preventScroll: true })),
			// The first page keeps the focus where the browser puts it.
			{ defer: true },
		),
	);
	const current = (path: string) =>
		path === '/' ? location.pathname === '/' : location.pathname === path || location.pathname.startsWith(`${path}/`);
	const skip = (event: MouseEvent) => {
		event.preventDefault();
		main?.focus();
	};
	return (
		<>
			<a class="skip" href="#main" onClick={skip}>
				Skip to the content
			</a>
			<header class="site">
				<div class="wide">
					<a class="brand" href="/">
						<Logo />
						<span>Content Fabric</span>
					</a>
					<nav aria-label="Pages">
						<ul>
							<For each={LINKS}>
								{([path, text]) => (
									<li>
										<a href={path} aria-current={current(path) ? 'page' : undefined}>
											{text}
										</a>
									</li>
								)}
							</For>
						</ul>
					</nav>
					<Search />
				</div>
			</header>
			<Banner />
			<main id="main" class="wide" tabindex="-1" ref={(element) => (main = element)}>
				<ErrorBoundary fallback={(error: unknown, reset) => <Broken error={error} reset={reset} />}>
					{props.children}
				</ErrorBoundary>
			</main>
			<footer class="site">
				<div class="wide">
					<span>{status.data()?.chain}</span>
					<span>
						fabric-indexer {status.data()?.version} · <a href="/openapi.json" target="_self">API</a>
					</span>
				</div>
			</footer>
			<Announcer />
		</>
	);
}

function Broken(props: { error: unknown; reset: () => void }) {
	return (
		<div class="failure" role="alert">
			<p>
				<strong>This page has a bug.</strong> {String(props.error)}
			</p>
			<button type="button" onClick={() => props.reset()}>
				Try again
			</button>
		</div>
	);
}
