// SPDX-License-Identifier: Apache-2.0
/** Wallets of the browser, by the interface that wallets of Polkadot put into pages. */

import { createSignal } from 'solid-js';
import type { Account } from '../../../sdk/src/request.ts';

/** A wallet, as far as pages use it. */
interface Injected {
	enable: (page: string) => Promise<{
		accounts: { get: () => Promise<{ address: string; name?: string; type?: string }[]> };
		signer?: { signRaw?: (payload: { address: string; data: string; type: 'bytes' }) => Promise<{ signature: `0x${string}` }> };
	}>;
}

/** A wallet has refused, or cannot do what is asked. The message says why. */
export class WalletError extends Error {
	override readonly name = 'WalletError';
}

/** An account of a wallet that has been connected. */
export interface WalletAccount extends Account {
	/** Its name in the wallet, which is empty if it has none. */
	label: string;
}

const KINDS = { sr25519: 'Sr25519', ed25519: 'Ed25519', ecdsa: 'Ecdsa' } as const;

const injected = () => (globalThis as { injectedWeb3?: Record<string, Injected> }).injectedWeb3 ?? {};

/** Returns the names of the wallets that are in this page now. */
export const walletNames = (): string[] => Object.keys(injected()).sort();

/** The accounts of the wallet that was connected, which all pages share. */
export const [accounts, setAccounts] = createSignal<WalletAccount[]>();

/** Asks a wallet for its accounts. The person may have to agree. */
export async function connect(name: string): Promise<void> {
	try {
		const wallet = await injected()[name]?.enable('Content Fabric explorer');
		const signRaw = wallet?.signer?.signRaw;
		if (!wallet || !signRaw) throw new Error('it signs no bytes');
		const found = await wallet.accounts.get();
		setAccounts(
			found.flatMap(({ address, name: label = '', type = 'sr25519' }) => {
				// Accounts of Ethereum have other addresses.
				if (!(type in KINDS)) return [];
				const signBytes = async (bytes: Uint8Array) => {
					const data = `0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
					try {
						return (await signRaw({ address, data, type: 'bytes' })).signature;
					} catch (error) {
						throw new WalletError(`The wallet has not signed: ${reasonOf(error)}`);
					}
				};
				return [{ address, label, kind: KINDS[type as keyof typeof KINDS], signBytes }];
			}),
		);
	} catch (error) {
		throw new WalletError(`The wallet ${name} was not connected: ${reasonOf(error)}`);
	}
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : String(error));
