// SPDX-License-Identifier: Apache-2.0
import { Show } from 'solid-js';
import { status } from '../api/status.ts';
import { amountParts, fullAmount } from '../format/number.ts';

/** An amount with its token. The fractions of a column stand below each other. */
export function Amount(props: { value: string }) {
	return (
		<Show when={status.data()} fallback={<span class="amount">…</span>}>
			{(chain) => {
				const parts = () => amountParts(props.value, chain().decimals);
				return (
					<span class="amount" title={fullAmount(props.value, chain().decimals, chain().token)}>
						{parts().whole}
						<span class="fraction">
							{parts().fraction}
							{parts().cut ? '…' : ''}
						</span>
						<span class="token"> {chain().token}</span>
					</span>
				);
			}}
		</Show>
	);
}
