// SPDX-License-Identifier: Apache-2.0
import { Show } from 'solid-js';
import { createList, createOne } from '../api/query.ts';
import type { Account as AccountItem, AccountRole, FabricEvent } from '../api/answers.ts';
import { Amount } from '../components/Amount.tsx';
import { Badge } from '../components/Badges.tsx';
import { Commands } from '../components/Commands.tsx';
import { EventList } from '../components/Events.tsx';
import { Id } from '../components/Id.tsx';
import { IdPage } from '../components/Page.tsx';
import { part, useParam } from '../components/params.ts';
import { Section } from '../components/Section.tsx';
import { Empty, Loaded, Missing } from '../components/States.tsx';
import { Table, type Column } from '../components/Table.tsx';
import { commands } from '../format/commands.ts';
import { count } from '../format/number.ts';
import { routes } from '../format/routes.ts';
import { capital, words } from '../format/text.ts';

const maybe = (amount: string | null) => (amount === null ? <span class="none">–</span> : <Amount value={amount} />);

const COLUMNS: Column<AccountRole>[] = [
	{ head: 'Where', cell: (role) => <Id value={role.member} what={role.kind} href={pageOf(role)} /> },
	{ head: 'Kind', cell: (role) => capital(words(role.kind)) },
	{ head: 'Role', cell: (role) => <Badge>{role.role}</Badge> },
	{ head: 'Bond', amount: true, cell: (role) => maybe(role.bond) },
	{ head: 'Deposits', amount: true, cell: (role) => maybe(role.deposits) },
	{ head: 'On hold', amount: true, cell: (role) => maybe(role.held) },
];

/** The id of a node or a KMS does not name its member: the search finds it. */
function pageOf(role: AccountRole): string {
	if (role.kind === 'space') return routes.space(role.member);
	return role.kind === 'node' || role.kind === 'kms' ? routes.search(role.member) : routes.member(role.member);
}

export function Account() {
	const id = useParam('account');
	const touches = () => [id()];
	const account = createOne<AccountItem>(() => `/v1/accounts/${part(id())}`, touches);
	const signed = createList<FabricEvent>(() => `/v1/accounts/${part(id())}/signed?order=newest`, touches, 20);
	const history = createList<FabricEvent>(() => `/v1/history/${part(id())}?order=newest`, touches, 20);
	const onHold = () => total(account.data()?.roles ?? []);
	return (
		<IdPage what="account" id={id()} full>
			<Loaded query={account} missing={<Missing what="account" />}>
				{(item) => (
					<>
						<Section
							title="Roles"
							count={count(item().roles.length, 'role')}
							tools={
								<Show when={onHold() !== '0'}>
									<span>
										<span class="quiet">On hold </span>
										<Amount value={onHold()} />
									</span>
								</Show>
							}
						>
							<Show when={item().roles.length > 0} fallback={<Empty>This account has no role in the fabric.</Empty>}>
								<Table caption="Roles" columns={COLUMNS} items={item().roles} />
								<Show when={item().more}>
									<p class="quiet">Only the first {count(item().roles.length, 'role')} are listed.</p>
								</Show>
							</Show>
						</Section>
						<Commands lines={[commands.account(id()), commands.signed(id()), commands.history(id())]} />
					</>
				)}
			</Loaded>
			<Section title="Signed">
				<p class="quiet">
					Events of the calls in transactions that this account signed, also for another one: “via” names the proxy,
					multisig, council or sudo.
				</p>
				<EventList query={signed} label="Signed" empty="The index has no events of calls that this account signed." />
			</Section>
			<Section title="History">
				<EventList query={history} label="History" empty="The index has no events of this account." />
			</Section>
		</IdPage>
	);
}

/** Returns what is on hold on an account for the members that it is the root of. */
function total(roles: AccountRole[]): string {
	return roles
		.reduce((sum, { held }) => (held !== null && /^\d+$/.test(held) ? sum + BigInt(held) : sum), 0n)
		.toString();
}
