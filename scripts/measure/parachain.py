#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Publishes to a parachain under polkadot-omni-node, resolves, and purges.

    parachain.py NODE CLIENT RUNTIME LOCKFILE

Starts a development chain with the runtime's development preset, and publishes the packages of the
lock file to it.
Checks that a record leads to the version in the lock file, has governance delete the tenant, and
waits until its rows are gone. Prints a table of all blocks by their kind, with the largest weight
and the largest proof of each. Fails if a block is beyond the limits of a block.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
import tomllib
import urllib.request
from collections import Counter
from pathlib import Path
from typing import NamedTuple

from version_ids import version
from compare_index import Process, SERVED_NODE

# `RuntimeBlockWeights` of the runtime: picoseconds, and bytes of proof.
MAX_TIME, MAX_PROOF = 2 * 10**12, 10 << 20
# The storage key of `System.BlockWeight`.
SCRIPT = Path(__file__).resolve().parents[2] / "examples/manifests/cargo_lock.py"
BLOCK_WEIGHT = "0x26aa394eea5630e07c48ae0c9558cef734abf5cb34d6244378cddbf18e849d96"
# The message of a node if a transaction has read more than its weight claims.
TOO_SMALL = "Benchmarked storage weight smaller than consumed storage weight"
# The events that tell kinds of blocks apart. Blocks with others only are of one kind.
KINDS = {
    "VersionCommitted": "versions committed",
    "VersionFinalized": "versions finalized",
    "RecordPut": "records put",
    "PurgeProgressed": "rows removed",
}
TIMEOUT = 300


class Block(NamedTuple):
    """A block: how many items of each kind it has, and what it takes."""

    kinds: Counter
    time: int
    proof: int


class Chain:
    """A development chain under polkadot-omni-node, whose events are kept in a file."""

    def __init__(self, folder: Path, node: str, client: str, runtime: str):
        specification = folder / "chain.json"
        subprocess.run(
            [node, "chain-spec-builder", "--chain-spec-path", specification, "create",
             "-t", "development", "--relay-chain", "rococo-local", "--runtime", runtime,
             "named-preset", "development"], check=True)
        self.node = Process(
            [node, "--dev", "--chain", specification, "--base-path", folder / "chain",
             "--rpc-port", "0", "--listen-addr", "/ip4/127.0.0.1/tcp/0", "--no-prometheus",
             "--no-telemetry"], folder / "node.log", SERVED_NODE)
        self.client, self.url = client, f"127.0.0.1:{self.node.url}"
        self.watch = Process(
            [client, "--url", f"ws://{self.url}", "--json", "watch", "--from-block", "1"],
            folder / "events", None)

    def stop(self):
        self.watch.stop()
        self.node.stop()

    def fabric(self, *arguments: str) -> dict:
        """Runs a command of the client, which must succeed. Returns its report."""
        command = [self.client, "--url", f"ws://{self.url}", "--json", *arguments]
        ended = subprocess.run(command, capture_output=True, text=True)
        if ended.returncode:
            sys.exit(f"error: fabric {' '.join(arguments)}: {ended.stdout}{ended.stderr}")
        return json.loads(ended.stdout)

    def ask(self, method: str, *parameters):
        """Asks the node by JSON-RPC."""
        asked = {"jsonrpc": "2.0", "id": 1, "method": method, "params": parameters}
        request = urllib.request.Request(
            f"http://{self.url}", json.dumps(asked).encode(), {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["result"]

    def events(self, last: str) -> dict[int, Counter]:
        """Waits for an event. Returns the items of each kind in each block with events."""
        end = time.monotonic() + TIMEOUT
        while f'"name":"{last}"' not in self.watch.log.read_text():
            self.watch.check()
            if time.monotonic() > end:
                sys.exit(f"error: the client reports no event {last} within {TIMEOUT} seconds")
            time.sleep(0.2)
        blocks: dict[int, Counter] = {}
        for line in self.watch.log.read_text().splitlines():
            found = json.loads(line)
            name, fields = found["event"]["name"], found["event"]["fields"]
            items = fields["removed"] if name == "PurgeProgressed" else 1
            blocks.setdefault(found["block"], Counter())[KINDS.get(name, "")] += items
        return blocks

    def blocks(self, last: str) -> list[Block]:
        """Returns all blocks up to the one with an event, and the empty ones after it."""
        events = self.events(last)
        blocks = []
        for number in range(1, int(self.ask("chain_getHeader")["number"], 16) + 1):
            block = self.ask("chain_getBlockHash", number)
            weight = bytes.fromhex(self.ask("state_getStorage", BLOCK_WEIGHT, block)[2:])
            blocks.append(Block(events.get(number, Counter()), *block_weight(weight)))
        return blocks


def compact(data: bytes) -> tuple[int, bytes]:
    """Reads a number of SCALE's compact form. Returns it with the bytes after it."""
    mode = data[0] & 3
    length = 1 << mode if mode < 3 else 5 + (data[0] >> 2)
    number, data = data[:length], data[length:]
    value = int.from_bytes(number, "little") >> 2 if mode < 3 else int.from_bytes(number[1:], "little")
    return value, data


def block_weight(data: bytes) -> tuple[int, int]:
    """Returns the time and the proof of a block: the sums over all classes of dispatches."""
    numbers = []
    while data:
        number, data = compact(data)
        numbers.append(number)
    return sum(numbers[::2]), sum(numbers[1::2])


def table(blocks: list[Block]):
    """Prints the largest blocks of each kind."""
    rows: dict[tuple, list[Block]] = {}
    for block in blocks:
        rows.setdefault(tuple(sorted(block.kinds)), []).append(block)
    print("| block | number | weight | proof |\n| --- | ---: | ---: | ---: |")
    for kinds, found in rows.items():
        most = [(kind, max(block.kinds[kind] for block in found)) for kind in kinds if kind]
        text = ", ".join(f"{count:,} {kind}" for kind, count in most)
        text = text or ("members and others" if kinds else "empty")
        milliseconds = max(block.time for block in found) / 10**9
        print(f"| {text} | {len(found)} | {milliseconds:.0f} ms "
              f"| {max(block.proof for block in found) / 1024:,.0f} KiB |")


def main():
    """Runs the chain, and prints the table."""
    node, client, runtime, lockfile = sys.argv[1:]
    packages = [package for package in tomllib.loads(Path(lockfile).read_text())["package"]
                if "checksum" in package]
    with tempfile.TemporaryDirectory() as folder:
        # Not the user's own configuration and keys.
        for name in [name for name in os.environ if name.startswith("FABRIC_")]:
            del os.environ[name]
        os.environ["FABRIC_CONFIG"] = f"{folder}/config.toml"
        chain = Chain(Path(folder), node, client, runtime)
        try:
            manifest = f"{folder}/manifest.jsonl"
            with open(manifest, "w") as out:
                subprocess.run([SCRIPT, lockfile], stdout=out, check=True)
            published = chain.fabric("publish", manifest, "--yes")
            tenant = published["sources"][0]["tenant"]
            there = chain.fabric("tree")["totals"]
            if published["failed_count"] or there["versions"] != len(packages):
                sys.exit(f"error: not all of {len(packages)} versions are on the chain: {published}")
            for package in (packages[0], packages[-1]):
                name = f"{package['name']}:{package['version']}"
                found = chain.fabric("resolve", tenant, "names", name)
                if found["version"] != version(bytes.fromhex(package["checksum"])):
                    sys.exit(f"error: {name} leads to {found}, expected {package['checksum']}")
            chain.fabric("governance", "purge", tenant, "--reason", "end of the run", "--yes")
            left = chain.fabric("tree")["totals"]
            if left["tenants"] or left["records"] or not left["providers"]:
                sys.exit(f"error: the chain has {left} after the tenant was deleted")
            blocks = chain.blocks("Purged")
            print(f"{len(packages):,} versions in {len(blocks)} blocks\n")
            table(blocks)
            for number, block in enumerate(blocks, 1):
                if block.time > MAX_TIME or block.proof > MAX_PROOF:
                    sys.exit(f"error: block {number} is beyond the limits: {block}")
            if TOO_SMALL in chain.node.log.read_text():
                sys.exit(f"error: a proof is larger than its weight: {chain.node.log.read_text()}")
        finally:
            chain.stop()


if __name__ == "__main__":
    main()
