// SPDX-License-Identifier: Apache-2.0
import { For, Show, type JSX } from 'solid-js';
import type { ListQuery } from '../api/query.ts';
import { status } from '../api/status.ts';
import { Empty, Loaded } from './States.tsx';
import { More } from './More.tsx';

export interface Column<T> {
	head: string;
	cell: (item: T) => JSX.Element;
	/** Aligns the column to the right. */
	numeric?: boolean;
	/** Aligns the column by the points of its amounts, and names their token in its head. */
	amount?: boolean;
}

interface Props<T> {
	caption: string;
	columns: Column<T>[];
	items: readonly T[];
}

/**
 * A table whose first column names its rows. On a narrow screen each row is a block, and each cell
 * is a line with the head of its column.
 */
export function Table<T>(props: Props<T>) {
	return (
		<table>
			<caption class="hidden">{props.caption}</caption>
			<thead>
				<tr>
					<For each={props.columns}>
						{(column) => (
							<th scope="col" classList={classes(column)}>
								{column.head}
								<Show when={column.amount}>, {status.data()?.token}</Show>
							</th>
						)}
					</For>
				</tr>
			</thead>
			<tbody>
				<For each={props.items}>
					{(item) => (
						<tr>
							<For each={props.columns}>
								{(column, index) => (
									<Show
										when={index() === 0}
										fallback={
											<td classList={classes(column)} data-head={column.head}>
												{column.cell(item)}
											</td>
										}
									>
										<th scope="row" data-head={column.head}>
											{column.cell(item)}
										</th>
									</Show>
								)}
							</For>
						</tr>
					)}
				</For>
			</tbody>
		</table>
	);
}

function classes<T>(column: Column<T>): Record<string, boolean> {
	return { numeric: column.numeric === true || column.amount === true, amounts: column.amount === true };
}

interface ListProps<T> {
	caption: string;
	columns: Column<T>[];
	query: ListQuery<T>;
	empty: JSX.Element;
}

/** A table of a list, with its states and a button for its next page. */
export function ListTable<T>(props: ListProps<T>) {
	return (
		<Loaded query={props.query}>
			{(items) => (
				<Show when={items().length > 0} fallback={<Empty>{props.empty}</Empty>}>
					<Table caption={props.caption} columns={props.columns} items={items()} />
					<More query={props.query} />
				</Show>
			)}
		</Loaded>
	);
}
