// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from 'vitest/config';

// A transaction waits until its block is final.
export default defineConfig({ test: { testTimeout: 120_000, hookTimeout: 60_000 } });
