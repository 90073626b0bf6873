# SPDX-License-Identifier: Apache-2.0
# Adapts two manifests to the Polkadot SDK 2606. The workspace gets the five libraries as its only
# members, and the SDK's versions. The pallet gets the crate that the macros of that release refer
# to.
s/^docify.workspace = true/derive-where.workspace = true\n&/
/^members = \[/,/^\]/c\
members = ["pallets/content-fabric", "pallets/content-fabric/runtime-api", "primitives/*"]
s/^\(frame-benchmarking = .*version = "\)[^"]*/\149.0.0/
s/^\(frame-support = .*version = "\)[^"]*/\148.1.0/
s/^\(frame-system = .*version = "\)[^"]*/\148.0.0/
s/^\(pallet-balances = .*version = "\)[^"]*/\150.0.0/
s/^\(pallet-timestamp = .*version = "\)[^"]*/\148.0.0/
s/^\(sp-api = .*version = "\)[^"]*/\143.0.0/
s/^\(sp-io = .*version = "\)[^"]*/\148.0.0/
s/^\(sp-runtime = .*version = "\)[^"]*/\148.0.0/
s/^\(sp-state-machine = .*version = "\)[^"]*/\10.53.0/
