// SPDX-License-Identifier: Apache-2.0
import { createSignal } from 'solid-js';

const [announcement, setAnnouncement] = createSignal('');

/** Makes a screen reader say `text`. */
export function announce(text: string): void {
	// Saying the same again needs a change of the region.
	setAnnouncement((said) => (said === text ? `${text}\u00a0` : text));
}

/** The region that a screen reader watches. */
export function Announcer() {
	return (
		<div class="hidden" role="status" aria-live="polite">
			{announcement()}
		</div>
	);
}
