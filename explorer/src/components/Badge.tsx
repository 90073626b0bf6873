import type { JSX } from 'solid-js';

export type Tone = 'plain' | 'good' | 'warn' | 'bad';

/** A state in one or two words. */
export function Badge(props: { tone?: Tone; title?: string; children: JSX.Element }) {
	return (
		<span class={`badge ${props.tone ?? 'plain'}`} title={props.title}>
			{props.children}
		</span>
	);
}
