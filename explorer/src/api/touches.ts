// SPDX-License-Identifier: Apache-2.0
import { onCleanup } from 'solid-js';
import { onChange } from './feed.ts';
import type { FabricEvent, Field } from './answers.ts';

/**
 * The events after which a page loads its data again: all, none, or those whose fields or signer
 * name each of the given ids.
 */
export type Touches = 'all' | 'none' | (() => readonly string[]);

/** Least milliseconds between two loads. */
const PAUSE = 2_000;
/** Milliseconds to wait for more changes before a load. */
const GATHER = 150;

/** Calls `load` after changes that touch the page, at most once in two seconds. */
export function onTouched(touches: Touches, load: () => void): void {
	let timer: ReturnType<typeof setTimeout> | undefined;
	let loaded = -Infinity;
	const schedule = () => {
		timer ??= setTimeout(
			() => {
				timer = undefined;
				loaded = performance.now();
				load();
			},
			Math.max(GATHER, loaded + PAUSE - performance.now()),
		);
	};
	onChange((change) => {
		if (change.kind !== 'block' || change.block.events.some((event) => touched(event, touches))) schedule();
	});
	onCleanup(() => clearTimeout(timer));
}

function touched(event: FabricEvent, touches: Touches): boolean {
	if (typeof touches === 'string') return touches === 'all';
	const named = new Set<string>();
	collect(event.fields, named);
	if (event.signer !== null) named.add(event.signer);
	return touches().every((id) => named.has(id));
}

function collect(field: Field, into: Set<string>): void {
	if (typeof field === 'string') into.add(field);
	else if (field !== null && typeof field === 'object') Object.values(field).forEach((value) => collect(value, into));
}
