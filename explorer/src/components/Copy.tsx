// SPDX-License-Identifier: Apache-2.0
import { createSignal, onCleanup, Show } from 'solid-js';
import { announce } from './announce.tsx';
import { CheckIcon, CopyIcon } from './icons.tsx';

const SHOWN = 1_500;

/** A button that copies `text`. `what` names it: `Copy tenant`. */
export function Copy(props: { text: string; what: string; class?: string }) {
	const [copied, setCopied] = createSignal(false);
	let timer: ReturnType<typeof setTimeout> | undefined;
	onCleanup(() => clearTimeout(timer));
	const copy = async () => {
		const done = await write(props.text);
		announce(done ? `Copied ${props.what}` : `The browser does not allow to copy. The ${props.what} is ${props.text}`);
		if (!done) return;
		setCopied(true);
		clearTimeout(timer);
		timer = setTimeout(() => setCopied(false), SHOWN);
	};
	return (
		<button
			type="button"
			class={`copy ${props.class ?? ''}`}
			classList={{ copied: copied() }}
			aria-label={`Copy ${props.what}`}
			title={copied() ? 'Copied' : `Copy ${props.what}`}
			onClick={() => void copy()}
		>
			<Show when={copied()} fallback={<CopyIcon />}>
				<CheckIcon />
			</Show>
		</button>
	);
}

/** Writes `text` to the clipboard. Returns false if the browser refuses. */
async function write(text: string): Promise<boolean> {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		// Browsers give the clipboard to pages from https and localhost only.
		return writeBySelection(text);
	}
}

function writeBySelection(text: string): boolean {
	const focused = document.activeElement;
	const area = document.createElement('textarea');
	area.value = text;
	area.className = 'hidden';
	document.body.append(area);
	area.select();
	const done = document.execCommand('copy');
	area.remove();
	if (focused instanceof HTMLElement) focused.focus();
	return done;
}
