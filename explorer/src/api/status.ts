// SPDX-License-Identifier: Apache-2.0
import { createRoot } from 'solid-js';
import { createOne } from './query.ts';
import type { Status } from './answers.ts';

/** The status of the index, loaded once for all pages. */
export const status = createRoot(() => createOne<Status>(() => '/v1/status', 'all'));
