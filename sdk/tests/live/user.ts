// SPDX-License-Identifier: Apache-2.0
/** Uses of the packed package that its types permit. Compiled in a fresh folder, and not run. */

import { commitTransaction, connect, draftCommit, type Fabric } from '@content-fabric/sdk/chain';
import * as ws from 'ws';

const url = 'ws://127.0.0.1:9944';
const fabric: Fabric = await connect(url, WebSocket);
await connect(url, ws.WebSocket);
await connect(url, ws.default);
// @ts-expect-error: this is not the class of a WebSocket.
await connect(url, URL);
// @ts-expect-error: the runtime has no such call.
fabric.api.tx.ContentFabric.no_such_call({});
// @ts-expect-error: the space is missing.
fabric.api.tx.ContentFabric.create_provider({ id: '0x00', max_held: 0n });
// @ts-expect-error: the time is a bigint.
(await fabric.api.query.Timestamp.Now.getValue()).toUpperCase();
// @ts-expect-error: the parties are missing.
await draftCommit(fabric, {}, []);
// @ts-expect-error: the commit is not signed.
commitTransaction(fabric, {});
