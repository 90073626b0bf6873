// SPDX-License-Identifier: Apache-2.0
/** An encrypted version: its KMS, and its plain data, for readers with a wallet. */

import { createEffect, createMemo, createSignal, For, onCleanup, Show } from 'solid-js';
import type { Progress } from '../../../sdk/src/content.ts';
import type { KmsClient, KmsError } from '../../../sdk/src/kms.ts';
import { fromHex } from '../../../sdk/src/ids/bytes.ts';
import { get } from '../api/client.ts';
import type { FabricRecord, Kms, List, Version } from '../api/answers.ts';
import { createOne } from '../api/query.ts';
import { status } from '../api/status.ts';
import { accounts, connect, type WalletAccount, WalletError, walletNames } from '../api/wallets.ts';
import { commands } from '../format/commands.ts';
import { count } from '../format/number.ts';
import { asSentence, plain, shortId, shortText } from '../format/text.ts';
import { canHash, CANNOT_HASH, Checked, copiesOf, failed, holdersOf, isAhead, type Outcome, sizedOf } from './Bytes.tsx';
import { Choice } from './Choice.tsx';
import { Commands } from './Commands.tsx';
import { Fact, Facts } from './Facts.tsx';
import { Id } from './Id.tsx';
import { KmsLink } from './links.tsx';
import { part } from './params.ts';
import { save } from './save.ts';
import { Section } from './Section.tsx';
import { Empty, Loaded } from './States.tsx';
import { Text } from './Text.tsx';

/** Says for which KMS a version is encrypted, and how to read it. */
export function Encrypted(props: { version: Version; kms: string }) {
	const row = createOne<Kms>(
		() => `/v1/tenants/${part(props.version.tenant)}/kmses/${part(props.kms)}`,
		() => [props.version.tenant, props.kms],
	);
	return (
		<Section title="Encrypted">
			<p>
				The data is an age file, encrypted for the key of a KMS. The KMS gives the key of the file to accounts with the level
				read or above in the tenant. Names, sizes and history are public all the same.
			</p>
			<Loaded
				query={row}
				missing={
					<Empty>
						The KMS <Id bare value={props.kms} what="KMS" /> is not on the chain any more. Only those who have its key can decrypt
						the data.
					</Empty>
				}
			>
				{(kms) => (
					<>
						<Facts>
							<Fact name="KMS">
								<KmsLink tenant={props.version.tenant} id={props.kms} />
							</Fact>
							<Fact name="Locator">
								<Text value={kms().locator} />
							</Fact>
							<Fact name="Key" note="The key of today. The file may be encrypted for an earlier one.">
								<Id value={kms().key} what="key" />
							</Fact>
						</Facts>
						<p class="quiet">The client decrypts what it gets, with the key of an account that may read:</p>
						<Commands lines={[commands.getSigned(props.version.id)]} />
						<Show when={copiesOf(props.version).length > 0}>
							<Decrypt version={props.version} kms={kms()} />
						</Show>
					</>
				)}
			</Loaded>
		</Section>
	);
}

/** Clients of KMSes, by what they are for. So an account signs once for many files. */
const clients = new Map<string, KmsClient>();

/** Connects a wallet, and decrypts and saves a version with one of its accounts. */
function Decrypt(props: { version: Version; kms: Kms }) {
	const [outcome, setOutcome] = createSignal<Outcome>();
	const [grant, setGrant] = createSignal<string>();
	const [busy, setBusy] = createSignal(false);
	const [wallets, setWallets] = createSignal<string[]>();
	const [chosen, setChosen] = createSignal('');
	const account = createMemo(() => accounts()?.find(({ address }) => address === chosen()) ?? accounts()?.[0]);
	const run = async (said: string, work: () => Promise<Outcome | undefined>) => {
		if (busy()) return;
		setBusy(true);
		setGrant(undefined);
		setOutcome({ said });
		setOutcome(await work());
		setBusy(false);
	};
	const open = (wallet: string) =>
		run('Waiting for the wallet…', async () => {
			try {
				await connect(wallet);
				setWallets(undefined);
				return accounts()?.length ? undefined : { tone: 'warn', said: 'The wallet shows no account to this page.' };
			} catch (error) {
				return { tone: 'warn', said: asSentence(String((error as Error).message)) };
			}
		});
	const find = () => {
		const names = walletNames();
		setWallets(names);
		if (names.length === 1) void open(names[0]!);
		if (names.length === 0) setOutcome({ tone: 'warn', said: 'This browser has no wallet for accounts of this chain, or the wallet does not show itself to this page.' });
	};
	return (
		<>
			<Show
				when={accounts()?.length}
				fallback={
					<div class="more">
						<Show
							when={(wallets()?.length ?? 0) > 1}
							fallback={
								<button type="button" aria-disabled={busy()} onClick={find}>
									Connect a wallet
								</button>
							}
						>
							<Choice name="Wallet" options={(wallets() ?? []).map((name) => [name, name] as const)} value="" choose={(name) => void open(name)} />
						</Show>
						<span class="quiet">To decrypt the data in this page. An account of the wallet signs a request to the KMS.</span>
					</div>
				}
			>
				<With version={props.version} kms={props.kms} account={account()!} busy={busy()} run={run} setGrant={setGrant} choose={setChosen} />
			</Show>
			<p role="status" class={`answer ${outcome()?.tone ?? 'quiet'}`}>
				{plain(outcome()?.said ?? '')}
			</p>
			<Show when={grant()}>
				{(line) => (
					<>
						<p>Ask an admin of the tenant for the level read:</p>
						<Commands lines={[line()]} />
					</>
				)}
			</Show>
		</>
	);
}

interface WithProps {
	version: Version;
	kms: Kms;
	account: WalletAccount;
	busy: boolean;
	run: (said: string, work: () => Promise<Outcome | undefined>) => Promise<void>;
	setGrant: (command: string) => void;
	choose: (address: string) => void;
}

/** The account that asks, and the button. */
function With(props: WithProps) {
	const [progress, setProgress] = createSignal<Progress>();
	const controller = new AbortController();
	onCleanup(() => controller.abort());
	const { signal } = controller;
	let select: HTMLSelectElement | undefined;
	// The options come after the value.
	createEffect(() => {
		if (select) select.value = props.account.address;
	});
	const decrypt = () =>
		props.run('Waiting for the wallet, the node and the KMS…', async () => {
			const { version, kms, account } = props;
			const { tenant, object } = version;
			if (!canHash(version)) return { tone: 'warn', said: CANNOT_HASH };
			try {
				const genesis = status.data()?.genesis;
				if (genesis === undefined) throw new WalletError('The index has not said yet which chain this is.');
				// Pages without encrypted versions do not load it.
				const { KmsClient, streamDecryptedFrom } = await import('../../../sdk/src/kms.ts');
				const key = [genesis, tenant, kms.id, kms.locator, account.address].join(' ');
				const client = clients.get(key) ?? new KmsClient({ genesisHash: fromHex(genesis), tenant, kms: kms.id, locator: kms.locator, account });
				clients.set(key, client);
				const onProgress = (now: Progress) => isAhead(now, progress()) && setProgress(now);
				const wanted = { ...sizedOf(version), object };
				const decrypted = await streamDecryptedFrom(holdersOf(version, signal), wanted, client, { onProgress, signal });
				const name = await nameOf(version, signal);
				const length = await save(decrypted, name);
				return { tone: 'good', said: `The hash of the encrypted bytes is the version. The ${count(length, 'plain byte')} are saved as ${name}.` };
			} catch (error) {
				if (signal.aborted) return undefined;
				return refused(error, () => props.setGrant(commands.grantRead(tenant, account.address))) ?? failed(error, sizedOf(version).size);
			} finally {
				setProgress(undefined);
			}
		});
	return (
		<>
			<div class="more">
				<label class="filter">
					Account
					<select ref={select} onChange={(event) => props.choose(event.currentTarget.value)}>
						<For each={accounts()}>
							{({ address, label }) => (
								<option value={address}>{`${shortText(plain(label), 40)} ${shortId(address)}`.trim()}</option>
							)}
						</For>
					</select>
				</label>
				<button type="button" aria-disabled={props.busy} onClick={() => void decrypt()}>
					Decrypt and download
				</button>
				<span class="quiet">
					The account signs once in half an hour. Your browser checks the bytes while they arrive, decrypts them, and saves the
					plain file.
				</span>
			</div>
			<Checked progress={progress()} />
		</>
	);
}

/** Returns the last part of a name of the version, or of its object, or the version's id. */
async function nameOf({ tenant, object, id }: Version, signal: AbortSignal): Promise<string> {
	const path = `/v1/tenants/${part(tenant)}/objects/${part(object)}/names?limit=20`;
	const items = (await get<List<FabricRecord>>(path, signal).catch(() => undefined))?.items ?? [];
	const found = items.find(({ version }) => version === id) ?? items.find(({ version }) => version === null);
	return plain(found?.name.split('/').pop() ?? '') || id;
}

/** Says what a wallet or a KMS has refused, and what to do. */
function refused(error: unknown, grant: () => void): Outcome | undefined {
	if (error instanceof WalletError) return { tone: 'warn', said: asSentence(error.message) };
	if (!isKmsError(error)) return undefined;
	if (error.status === 403 && error.message.includes('level')) grant();
	const isBad = error.fault === 'altered' || error.fault === 'wrong-answer';
	return { tone: isBad ? 'bad' : 'warn', said: `${asSentence(error.message)}${error.message.includes('does not answer') ? ` ${UNREACHABLE}` : ''}` };
}

const UNREACHABLE = 'A page from https:// cannot ask a KMS at http://, and the KMS must allow pages of other origins.';

const isKmsError = (error: unknown): error is KmsError => error instanceof Error && error.name === 'KmsError';
