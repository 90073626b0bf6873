// SPDX-License-Identifier: Apache-2.0
/** Plays video or audio, whose bytes are checked range by range. */

import { createSignal, onCleanup, Show } from 'solid-js';
import { fetchFrom, type Holder, UnservedError } from '../../../sdk/src/content.ts';
import type { Version } from '../api/answers.ts';
import { size } from '../format/number.ts';
import { addressOf, type Heard, START, typeOf } from '../media/source.ts';
import workerUrl from '../media/worker.ts?worker&url';
import { failed, holdersOf, type Outcome, sizedOf, TIME } from './Bytes.tsx';

/** Waits until the worker answers the requests of this page. */
async function controlled(workers: ServiceWorkerContainer): Promise<void> {
	await workers.register(workerUrl, { scope: '/' });
	const { active } = await workers.ready;
	const script = new URL(workerUrl, location.href).href;
	const isOurs = () => workers.controller?.scriptURL === script;
	if (isOurs()) return;
	await new Promise<void>((done) => {
		workers.addEventListener('controllerchange', () => isOurs() && done());
		// A page that was loaded without its worker has to be taken over.
		active?.postMessage('claim');
	});
}

/** A button that plays a version, if it begins as video or audio does. */
export function Player(props: { version: Version }) {
	const [outcome, setOutcome] = createSignal<Outcome>();
	const [source, setSource] = createSignal<string>();
	const [asking, setAsking] = createSignal(false);
	const controller = new AbortController();
	onCleanup(() => controller.abort());
	const { signal } = controller;
	let checked = 0;
	const onHeard = ({ data }: MessageEvent<Heard>) => {
		if (data.version !== props.version.id) return;
		if ('reason' in data) {
			setSource(undefined);
			const error = data.failures.length > 0 ? new UnservedError(data.version, data.failures) : data.reason;
			setOutcome(failed(error, sizedOf(props.version).size));
			return;
		}
		checked += data.last + 1 - data.first;
		setOutcome({ tone: 'good', said: `${size(String(checked))} checked, the last of them from ${data.node}.` });
	};
	const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
	workers?.addEventListener('message', onHeard);
	onCleanup(() => workers?.removeEventListener('message', onHeard));
	const play = async () => {
		if (asking()) return;
		setAsking(true);
		setSource(undefined);
		setOutcome({ said: 'Asking the node…' });
		checked = 0;
		try {
			const holders: Holder[] = [];
			for await (const holder of holdersOf(props.version, signal)) holders.push(holder);
			const sized = sizedOf(props.version);
			const type = typeOf(await fetchFrom(holders, sized, { range: { last: START - 1 }, most: START, signal, time: TIME }));
			if (type === undefined) setOutcome({ tone: 'warn', said: 'These bytes are not video or audio that this page can play.' });
			else if (!workers) setOutcome({ tone: 'warn', said: 'Browsers play checked bytes only on pages from https or localhost.' });
			else {
				await controlled(workers);
				setSource(addressOf({ version: props.version.id, size: Number(sized.size), type, holders }));
			}
		} catch (error) {
			if (!signal.aborted) setOutcome(failed(error, sizedOf(props.version).size));
		}
		setAsking(false);
	};
	return (
		<>
			<div class="more">
				<button type="button" aria-disabled={asking()} onClick={() => void play()}>
					Check and play
				</button>
				<span class="quiet">Plays video and audio. Your browser checks each part before it plays it.</span>
			</div>
			<p role="status" class={`answer player ${outcome()?.tone ?? 'quiet'}`}>
				{outcome()?.said}
			</p>
			<Show when={source()} keyed>
				{(source) => <video class="picture" controls autoplay src={source} />}
			</Show>
		</>
	);
}
