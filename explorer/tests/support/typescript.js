// SPDX-License-Identifier: Apache-2.0
// Registers the loader of TypeScript, which Node 20 does not have.
import { register } from 'node:module';

register('./typescript-loader.js', import.meta.url);
