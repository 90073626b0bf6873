// SPDX-License-Identifier: Apache-2.0
import { createSignal } from 'solid-js';

const [now, setNow] = createSignal(Date.now());
setInterval(() => setNow(Date.now()), 1_000);

/** The time by the clock of this machine, set each second. */
export { now };
