// SPDX-License-Identifier: Apache-2.0
/** Icons of 16 units, drawn in the colour of the text. */

export function CopyIcon() {
	return (
		<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
			<rect x="5.5" y="5.5" width="8" height="8" rx="1.5" />
			<path d="M10.5 3.5v-.5A1.5 1.5 0 0 0 9 1.5H4A1.5 1.5 0 0 0 2.5 3v5A1.5 1.5 0 0 0 4 9.5h.5" transform="translate(0 .5)" />
		</svg>
	);
}

export function CheckIcon() {
	return (
		<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
			<path d="M3 8.5 6.5 12 13 4.5" />
		</svg>
	);
}

export function SearchIcon() {
	return (
		<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
			<circle cx="7" cy="7" r="4.5" />
			<path d="m10.5 10.5 3.5 3.5" />
		</svg>
	);
}

/** A weave of two threads each way. */
export function Logo() {
	return (
		<svg class="logo" viewBox="0 0 20 20" aria-hidden="true">
			<path d="M6.5 2v16M13.5 2v3M13.5 8.5V18" />
			<path d="M2 6.5h3M8.5 6.5H18M2 13.5h9.5M15.5 13.5H18" />
		</svg>
	);
}
