// SPDX-License-Identifier: Apache-2.0
/** The bytes of a version, from the nodes that hold them. */

import { createMemo, createSignal, onCleanup, Show } from 'solid-js';
import { askSize, fetchFrom, type Holder, NodeError, type Progress, serverOf, type SizedVersion, streamFrom, UnservedError, versionUrl } from '../../../sdk/src/content.ts';
import { get } from '../api/client.ts';
import { createOne } from '../api/query.ts';
import type { Node, One, Version } from '../api/answers.ts';
import { count, number, size } from '../format/number.ts';
import { contentOf, type Content } from '../format/sniff.ts';
import { plain } from '../format/text.ts';
import { part } from './params.ts';
import { Player } from './Player.tsx';
import { save } from './save.ts';
import { Section } from './Section.tsx';
import { Empty, Loaded } from './States.tsx';
import { Text } from './Text.tsx';

/** Bytes of the largest version that is shown. */
const MOST = 1 << 20;
const LARGEST = size(String(MOST));
/** Milliseconds until a node counts as one that does not answer. */
export const TIME = 20_000;

type Copy = Version['copies'][number];

const pathOf = (copy: Copy) => `/v1/providers/${part(copy.provider)}/nodes/${part(copy.node)}`;

/** The copies that have the bytes, or those that were asked for if the version is not final. */
export function copiesOf({ copies, finalizedAt }: Version): Copy[] {
	const state = finalizedAt === null ? 'asked' : 'held';
	return copies.filter((copy) => copy.state === state);
}

/** The nodes of these copies, by the index. */
export async function* holdersOf(version: Version, signal: AbortSignal): AsyncGenerator<Holder> {
	for (const copy of copiesOf(version)) {
		const found = await get<One<Node>>(pathOf(copy), signal).catch(() => undefined);
		yield { node: copy.node, locator: found?.item.locator };
	}
}

/** A version as the SDK reads it. */
export function sizedOf({ id, hash, size }: Version): SizedVersion {
	return { version: id, hash, size: size === null ? undefined : BigInt(size) };
}

/** Returns true if this page can make the hash of a version. */
export const canHash = ({ hash }: Pick<SizedVersion, 'hash'>) => hash === 'blake3' || globalThis.crypto.subtle !== undefined;

/** Said if it cannot. */
export const CANNOT_HASH =
	'Browsers can make SHA-256 hashes only on pages from https or localhost. This page cannot check the bytes, so it does not fetch them.';

/** The link to the bytes of a version, and a button to ask for them. */
export function Bytes(props: { version: Version }) {
	const copy = () => copiesOf(props.version)[0];
	return (
		<Show
			when={copy()}
			fallback={
				<Section title="Bytes">
					<Empty>No node holds the bytes.</Empty>
				</Section>
			}
		>
			{(copy) => <BytesAt copy={copy()} version={props.version} />}
		</Show>
	);
}

/** The bytes of a version, with the link to the first of its nodes. */
function BytesAt(props: { copy: Copy; version: Version }) {
	const node = createOne<Node>(
		() => pathOf(props.copy),
		() => [props.copy.node],
	);
	const server = createMemo(() => {
		const found = node.data();
		return found && serverOf(found.locator);
	});
	const url = createMemo(() => {
		const found = server();
		return found && versionUrl(found, props.version.id);
	});
	return (
		<Section title="Bytes">
			<Loaded query={node} missing={<Empty>The node is not on the chain any more, so nothing says where the bytes are.</Empty>}>
				{(item) => (
					<Show
						when={url()}
						keyed
						fallback={
							<Empty>
								The locator of the node, <Text value={item().locator} />, names no HTTP server, so this page cannot ask it.
							</Empty>
						}
					>
						{(url) => <Asked url={url} server={server() ?? ''} version={props.version} />}
					</Show>
				)}
			</Loaded>
		</Section>
	);
}

/** The answer of the nodes. */
export interface Outcome {
	tone?: 'good' | 'warn' | 'bad';
	/** In a sentence or two. */
	said: string;
	/** The bytes, which have been checked. */
	content?: Content;
}

function Asked(props: { url: string; server: string; version: Version }) {
	const [outcome, setOutcome] = createSignal<Outcome>();
	const [progress, setProgress] = createSignal<Progress>();
	const [asking, setAsking] = createSignal(false);
	const controller = new AbortController();
	onCleanup(() => controller.abort());
	const { signal } = controller;
	const sized = () => sizedOf(props.version);
	const isLarge = () => (sized().size ?? 0n) > MOST;
	const isProven = () => props.version.hash === 'blake3';
	let node = '';
	const onProgress = (now: Progress) => {
		node = now.node;
		if (isAhead(now, progress())) setProgress(now);
	};
	const ask = async () => {
		if (asking()) return;
		setAsking(true);
		setOutcome({ said: isLarge() && isProven() ? 'Checking…' : 'Asking the node…' });
		try {
			const options = { onProgress, signal, time: isLarge() ? undefined : TIME };
			const found = !isLarge()
				? await shown(holdersOf(props.version, signal), sized(), options)
				: isProven()
					? await downloaded(holdersOf(props.version, signal), sized(), props.version.kms !== null, options)
					: await sizeAt(props.server, props.version.id, sized().size ?? 0n, signal);
			setOutcome({ ...found, said: found.said.replace('The node', node ? `The node ${node}` : 'The node') });
		} catch (error) {
			if (!signal.aborted) setOutcome(failed(error, sized().size));
		}
		setProgress(undefined);
		setAsking(false);
	};
	return (
		<>
			<p class="bytes-link">
				<a href={props.url} rel="external noreferrer">
					<Text value={props.url} longest={160} />
				</a>
			</p>
			<div class="more">
				<button type="button" aria-disabled={asking()} onClick={() => void ask()}>
					{!isLarge() ? 'Fetch and check' : isProven() ? 'Check and download' : 'Ask the node'}
				</button>
				<span class="quiet">
					{!isLarge()
						? 'Your browser asks the nodes that hold the version. The bytes are shown once they are checked.'
						: isProven()
							? 'Your browser asks the nodes that hold the version, checks the bytes while they arrive, and saves them.'
							: `This page shows up to ${LARGEST}. The command above gets larger versions.`}
				</span>
			</div>
			<Checked progress={progress()} />
			<p role="status" class={`answer ${outcome()?.tone ?? 'quiet'}`}>
				{outcome()?.said}
			</p>
			<Show when={outcome()?.content} keyed>
				{(content) => <Shown content={content} />}
			</Show>
			<Show when={isProven() && props.version.kms === null && props.version.size !== '0'}>
				<Player version={props.version} />
			</Show>
		</>
	);
}

/** Returns true if a reader sees the difference between two states. */
export function isAhead(now: Progress, before: Progress | undefined): boolean {
	const percent = ({ done, total }: Progress) => Math.floor((100 * done) / total);
	return before?.node !== now.node || percent(before) !== percent(now);
}

/** The bytes that are checked, while others arrive. */
export function Checked(props: { progress: Progress | undefined }) {
	return (
		<Show when={props.progress}>
			{(now) => (
				<div class="progress done">
					<progress max={now().total} value={now().done} aria-label="Bytes that are checked" />
					<span class="quiet">
						{size(String(now().done))} of {size(String(now().total))} checked, from {now().node}
					</span>
				</div>
			)}
		</Show>
	);
}

type Options = { onProgress: (progress: Progress) => void; signal: AbortSignal; time: number | undefined };

/** Asks whether the node has a version that is too large to be shown, and cannot be checked in parts. */
async function sizeAt(server: string, version: string, expected: bigint, signal: AbortSignal): Promise<Outcome> {
	const found = await askSize(server, version, { most: 0, time: TIME, signal });
	if (found !== undefined && found !== expected) {
		return { tone: 'bad', said: `The node has ${number(found)} bytes, but the chain declares ${number(expected)}.` };
	}
	return { tone: 'good', said: 'The node answered: it has the version. Its bytes were not fetched, and not checked.' };
}

/** Fetches a version that is shown. The outcome has its bytes only if they are right. */
async function shown(holders: AsyncIterable<Holder>, wanted: SizedVersion, options: Options): Promise<Outcome> {
	if (!canHash(wanted)) return { tone: 'warn', said: CANNOT_HASH };
	const bytes = await fetchFrom(holders, wanted, { ...options, most: Number(wanted.size ?? MOST) });
	const content = contentOf(bytes);
	const other = content.kind === 'other' ? ' They are neither text nor a picture that this page shows.' : '';
	return { tone: 'good', said: `The node answered, with ${count(bytes.length, 'byte')} whose hash is the version.${other}`, content };
}

/** Saves a version as a file, whose bytes are checked while they arrive. */
async function downloaded(holders: AsyncIterable<Holder>, wanted: SizedVersion, isEncrypted: boolean, options: Options): Promise<Outcome> {
	const name = `${wanted.version}${isEncrypted ? '.age' : ''}`;
	const length = await save(streamFrom(holders, wanted, options), name);
	return { tone: 'good', said: `The node answered, with ${count(length, 'byte')} whose hash is the version. They are saved as ${name}.` };
}

export function failed(error: unknown, declared: bigint | undefined): Outcome {
	if (error instanceof NodeError) return { tone: 'warn', said: `The node does not serve the bytes: ${error.message}.` };
	if (!(error instanceof UnservedError)) return { tone: 'warn', said: `The bytes could not be checked: ${String(error)}` };
	const isTooLarge = error.failures.some(({ fault }) => fault === 'long') && declared === undefined;
	if (isTooLarge) return { tone: 'warn', said: `A node sent more than ${LARGEST}, which is too large for this page. The bytes were not checked.` };
	const isWrong = error.failures.some(({ fault }) => fault === 'wrong' || fault === 'long');
	const each = error.failures.map(({ node, fault, reason }) => {
		switch (fault) {
			case 'no-answer':
				return `The bytes could not be fetched from ${node}: ${reason}.`;
			case 'refused':
				return `The node ${node} does not serve the bytes: ${reason}.`;
			default:
				return `The node ${node} answered with wrong bytes: ${reason}.`;
		}
	});
	return { tone: isWrong ? 'bad' : 'warn', said: `${each.join(' ')}${isWrong ? ' They are not shown.' : ''}` };
}

/** The bytes themselves, which have been checked. */
function Shown(props: { content: Content }) {
	const { content } = props;
	switch (content.kind) {
		case 'picture': {
			const url = URL.createObjectURL(content.picture);
			onCleanup(() => URL.revokeObjectURL(url));
			return <img class="picture" src={url} alt="The content of this version" />;
		}
		case 'text':
			return (
				<pre class="content" tabIndex={0}>
					{plain(content.text, true)}
				</pre>
			);
		case 'other':
			return undefined;
	}
}
