// SPDX-License-Identifier: Apache-2.0
/** The bytes of a version, at the node that holds them. */

import { createMemo, createSignal, onCleanup, Show } from 'solid-js';
import { askSize, fetchVersion, NodeError, serverOf, versionUrl } from '../../../sdk/src/content.ts';
import type { HashedVersion } from '../../../sdk/src/ids/cid.ts';
import { createOne } from '../api/query.ts';
import type { Node, Version } from '../api/answers.ts';
import { count, number, size } from '../format/number.ts';
import { contentOf, type Content } from '../format/sniff.ts';
import { plain } from '../format/text.ts';
import { part } from './params.ts';
import { Section } from './Section.tsx';
import { Empty, Loaded } from './States.tsx';
import { Text } from './Text.tsx';

/** Bytes of the largest version that is shown. */
const MOST = 1 << 20;
const LARGEST = size(String(MOST));
/** Milliseconds until a node counts as one that does not answer. */
const TIME = 20_000;

/** The link to the bytes of a version, and a button to ask for them. */
export function Bytes(props: { version: Version }) {
	// Before the version is final, the node that was asked may have the bytes.
	const state = () => (props.version.finalizedAt === null ? 'asked' : 'held');
	const copy = () => props.version.copies.find((copy) => copy.state === state());
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

/** The bytes of a version at one of its nodes. */
function BytesAt(props: { copy: Version['copies'][number]; version: Version }) {
	const node = createOne<Node>(
		() => `/v1/providers/${part(props.copy.provider)}/nodes/${part(props.copy.node)}`,
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
						{(url) => <Asked url={url} server={server() ?? ''} version={props.version.id} hash={props.version.hash} size={props.version.size} />}
					</Show>
				)}
			</Loaded>
		</Section>
	);
}

/** The answer of the node. */
interface Outcome {
	tone?: 'good' | 'warn' | 'bad';
	/** In a sentence or two. */
	said: string;
	/** The bytes, which have been checked. */
	content?: Content;
}

function Asked(props: HashedVersion & { url: string; server: string; size: string | null }) {
	const [outcome, setOutcome] = createSignal<Outcome>();
	const [asking, setAsking] = createSignal(false);
	const controller = new AbortController();
	onCleanup(() => controller.abort());
	const declared = () => (props.size === null ? null : BigInt(props.size));
	const isLarge = () => (declared() ?? 0n) > MOST;
	const ask = async () => {
		if (asking()) return;
		setAsking(true);
		setOutcome({ said: 'Asking the node…' });
		const found = isLarge()
			? await sizeAt(props.server, props.version, declared() ?? 0n, controller.signal)
			: await bytesAt(props.server, props, declared(), controller.signal);
		if (controller.signal.aborted) return;
		setOutcome(found);
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
					{isLarge() ? 'Ask the node' : 'Fetch and check'}
				</button>
				<span class="quiet">
					{isLarge()
						? `This page shows up to ${LARGEST}. The command above gets larger versions.`
						: 'Your browser asks the node at this address. The bytes are shown if their hash is the version.'}
				</span>
			</div>
			<p role="status" class={`answer ${outcome()?.tone ?? 'quiet'}`}>
				{outcome()?.said}
			</p>
			<Show when={outcome()?.content} keyed>
				{(content) => <Shown content={content} />}
			</Show>
		</>
	);
}

/** Asks whether the node has a version that is too large to be shown. */
async function sizeAt(server: string, version: string, expected: bigint, signal: AbortSignal): Promise<Outcome> {
	try {
		const found = await askSize(server, version, { most: 0, time: TIME, signal });
		if (found !== undefined && found !== expected) {
			return { tone: 'bad', said: `The node has ${number(found)} bytes, but the chain declares ${number(expected)}.` };
		}
		return { tone: 'good', said: 'The node answered: it has the version. Its bytes were not fetched, and not checked.' };
	} catch (error) {
		return failed(error);
	}
}

/** Fetches a version from the node. The outcome has its bytes only if their hash is right. */
async function bytesAt(server: string, { version, hash }: HashedVersion, expected: bigint | null, signal: AbortSignal): Promise<Outcome> {
	if (hash === 'sha256' && !globalThis.crypto.subtle) {
		return { tone: 'warn', said: 'Browsers can make SHA-256 hashes only on pages from https or localhost. This page cannot check the bytes, so it does not fetch them.' };
	}
	try {
		const bytes = await fetchVersion(server, { version, hash }, { most: Number(expected ?? MOST), time: TIME, signal });
		const content = contentOf(bytes);
		const other = content.kind === 'other' ? ' They are neither text nor a picture that this page shows.' : '';
		return { tone: 'good', said: `The node answered, with ${count(bytes.length, 'byte')} whose hash is the version.${other}`, content };
	} catch (error) {
		if (error instanceof NodeError && error.fault === 'long' && expected === null) {
			return { tone: 'warn', said: `The node sent more than ${LARGEST}, which is too large for this page. The bytes were not checked.` };
		}
		return failed(error);
	}
}

function failed(error: unknown): Outcome {
	if (!(error instanceof NodeError)) return { tone: 'warn', said: `The bytes could not be checked: ${String(error)}` };
	switch (error.fault) {
		case 'no-answer':
			return { tone: 'warn', said: `The bytes could not be fetched: ${error.message}.` };
		case 'refused':
			return { tone: 'warn', said: `The node does not serve the bytes: ${error.message}.` };
		default:
			return { tone: 'bad', said: `The node answered with wrong bytes: ${error.message}. They are not shown.` };
	}
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
