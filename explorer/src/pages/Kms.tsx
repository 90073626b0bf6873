// SPDX-License-Identifier: Apache-2.0
import { createList, createOne } from '../api/query.ts';
import type { FabricEvent, Kms as KmsItem } from '../api/answers.ts';
import { Amount } from '../components/Amount.tsx';
import { Commands } from '../components/Commands.tsx';
import { EventList } from '../components/Events.tsx';
import { Fact, Facts } from '../components/Facts.tsx';
import { Id } from '../components/Id.tsx';
import { AccountLink, MemberLink } from '../components/links.tsx';
import { IdPage } from '../components/Page.tsx';
import { part, useParam } from '../components/params.ts';
import { Section } from '../components/Section.tsx';
import { Loaded, Missing } from '../components/States.tsx';
import { Text } from '../components/Text.tsx';
import { commands } from '../format/commands.ts';

export function Kms() {
	const tenant = useParam('tenant');
	const id = useParam('kms');
	const touches = () => [tenant(), id()];
	const kms = createOne<KmsItem>(() => `/v1/tenants/${part(tenant())}/kmses/${part(id())}`, touches);
	const history = createList<FabricEvent>(
		() => `/v1/history/${part(id())}?order=newest&member=${part(tenant())}`,
		touches,
		20,
	);
	return (
		<IdPage what="KMS" id={id()} full parents={[<a href="/spaces">Spaces</a>, <MemberLink bare id={tenant()} />]}>
			<p class="lead">
				A KMS is a key server of a tenant. Clients encrypt data for its key. It gives the keys of the files to accounts with the
				level read or above in the tenant.
			</p>
			<Loaded query={kms} missing={<Missing what="KMS" />}>
				{(item) => (
					<>
						<Facts>
							<Fact name="Tenant">
								<MemberLink id={item().tenant} />
							</Fact>
							<Fact name="Operator">
								<AccountLink id={item().operator} />
							</Fact>
							<Fact name="Locator">
								<Text value={item().locator} lineBreaks />
							</Fact>
							<Fact name="Key" note="An age recipient. Files that were encrypted for an earlier key need that one.">
								<Id value={item().key} what="key" full />
							</Fact>
							<Fact name="Versions" note="The index has no list of them by KMS.">
								The page of each content object says for which KMS its versions are encrypted.
							</Fact>
							<Fact name="Deposit">
								<Amount value={item().deposit} />
							</Fact>
						</Facts>
						<Commands lines={[commands.showKms(tenant(), id()), commands.history(id())]} />
					</>
				)}
			</Loaded>
			<Section title="History">
				<EventList query={history} label="History" empty="The index has no events of this KMS." />
			</Section>
		</IdPage>
	);
}
