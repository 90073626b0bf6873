// SPDX-License-Identifier: Apache-2.0
import { Page } from '../components/Page.tsx';

export function NotFound() {
	return (
		<Page name="Not found" title="Page not found">
			<p class="lead">
				No page has this address. Search for an id or a name above, or go to the <a href="/">overview</a>.
			</p>
		</Page>
	);
}
