// SPDX-License-Identifier: Apache-2.0
import { exactSize, size } from '../format/number.ts';

/** A size, rounded. Its title has all digits. */
export function Size(props: { bytes: string | null }) {
	return <span title={props.bytes === null ? undefined : exactSize(props.bytes)}>{size(props.bytes)}</span>;
}
