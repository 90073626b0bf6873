#!/usr/bin/env python3
"""Builds an index of one chain with this workspace's index and with acuity-index, and measures both.

    compare_index.py NODE CLIENT INDEXER PACKAGES [ACUITY]

Publishes the packages of an index of Debian on a development chain that keeps all states. Then prints
tables: the speed of the first sync, of the replay of all blocks, and of pages of an idle index, with
the memory and the bytes that were written. Fails if the index
differs from the chain.
"""

import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

SERVED_NODE = re.compile(r"Running JSON-RPC server: addr=127\.0\.0\.1:(\d+)")
SERVED_INDEX = re.compile(r"serving (http://[0-9.:]+)")
PAGES = 300
TIMEOUT = 1800


class Process:
    """A process whose log is in a file, and which is killed at the end."""

    def __init__(self, arguments: list, log: Path, served: re.Pattern | None):
        self.log = log
        with log.open("w") as output:
            self.process = subprocess.Popen(
                [str(a) for a in arguments], stdout=output, stderr=output,
                env=os.environ | {"NO_COLOR": "1"},
            )
        self.url = self.wait_for(served) if served else None

    def wait_for(self, pattern: re.Pattern) -> str:
        end = time.monotonic() + 120
        while time.monotonic() < end:
            found = pattern.search(self.log.read_text())
            if found:
                return found[1]
            if self.process.poll() is not None:
                break
            time.sleep(0.02)
        sys.exit(f"{self.log}: {self.log.read_text()[-2000:]}")

    def status(self, field: str) -> int:
        """Returns a figure of the process in bytes, or 0 if it has ended."""
        try:
            text = Path(f"/proc/{self.process.pid}/{field.split(':')[0]}").read_text()
        except OSError:
            return 0
        found = re.search(rf"^{field.split(':')[1]}:\s+(\d+)( kB)?", text, re.MULTILINE)
        return int(found[1]) * (1024 if found[2] else 1) if found else 0

    def stop(self):
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(60)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


def get(url: str) -> dict:
    with urllib.request.urlopen(url, timeout=60) as answer:
        return json.load(answer)


def wait_until_final(index: Process, number: int):
    """Waits until an index has a final block."""
    end = time.monotonic() + TIMEOUT
    while time.monotonic() < end:
        try:
            if get(f"{index.url}/v1/status")["item"]["finalized"]["number"] >= number:
                return
        except (OSError, urllib.error.HTTPError):
            pass
        if index.process.poll() is not None:
            break
        time.sleep(0.05)
    sys.exit(f"the index does not reach block {number}: {index.log.read_text()[-2000:]}")


def pages(index: Process, path: str) -> list[float]:
    """Returns the milliseconds that pages of 100 records took, one after the other in the list."""
    times, cursor = [], ""
    for _ in range(PAGES):
        start = time.monotonic()
        page = get(f"{index.url}{path}&limit=100{cursor}")
        times.append((time.monotonic() - start) * 1000)
        cursor = f"&cursor={page['next']}" if page["next"] else ""
        # Below the rate that one address may ask at.
        time.sleep(0.025)
    return times


def percentile(times: list[float], part: float) -> float:
    return sorted(times)[min(len(times) - 1, int(len(times) * part))]


def head(rpc: str) -> int:
    """Returns the number of the node's last final block."""
    def ask(method: str, params: list):
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        request = urllib.request.Request(
            rpc, body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["result"]
    return int(ask("chain_getHeader", [ask("chain_getFinalizedHead", [])])["number"], 16)


def mib(size: float) -> str:
    return f"{size / (1 << 20):.0f} MiB"


def main():
    node, client, indexer, packages = sys.argv[1:5]
    acuity = sys.argv[5] if len(sys.argv) > 5 else None
    with tempfile.TemporaryDirectory() as folder:
        measure(Path(folder), node, client, indexer, packages, acuity)


def measure(folder: Path, node: str, client: str, indexer: str, packages: str, acuity: str | None):
    chain = Process(
        [node, "--dev", "--base-path", folder / "chain", "--rpc-port", "0", "--no-prometheus",
         "--no-telemetry", "--state-pruning", "archive", "--blocks-pruning", "archive",
         "--rpc-rate-limit-whitelisted-ips", "127.0.0.1"],
        folder / "node.log", SERVED_NODE)
    url, rpc = f"ws://127.0.0.1:{chain.url}", f"http://127.0.0.1:{chain.url}"
    started = []
    try:
        environment = os.environ | {"FABRIC_CONFIG": str(folder / "config.toml")}
        subprocess.run([client, "--url", url, "publish", packages], check=True, env=environment,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        number = head(rpc)
        print(f"The chain has {number} blocks.\n")
        print("| | time | rows | rows a second | blocks a second | memory, peak | written | file |")
        print("| --- | --- | --- | --- | --- | --- | --- | --- |")

        def run(name: str, *options: str) -> Process:
            data = folder / name.replace(" ", "-")
            start = time.monotonic()
            index = Process([indexer, "serve", "--url", url, "--data", data, "--listen",
                             "127.0.0.1:0", *options], folder / f"{data.name}.log", SERVED_INDEX)
            started.append(index)
            wait_until_final(index, number)
            spent = time.monotonic() - start
            totals = get(f"{index.url}/v1/status")["item"]["totals"]
            rows = sum(totals.values())
            written = index.status("io:write_bytes")
            size = sum(f.stat().st_size for f in data.iterdir())
            print(f"| {name} | {spent:.1f} s | {rows:,} | {rows / spent:,.0f} | "
                  f"{number / spent:,.0f} | {mib(index.status('status:VmHWM'))} | "
                  f"{mib(written)}, {written / rows:,.0f} bytes a row | {mib(size)} |")
            return index

        index = run("resync")
        run("history", "--history").stop()
        if acuity:
            start = time.monotonic()
            peer = Process([acuity, "run", "--url", url, "--db-path", folder / "acuity"],
                           folder / "acuity.log", None)
            started.append(peer)
            done = re.compile(rf"#?\b{number - 1:,}\b|\b{number - 1}\b|\b{number}\b")
            end = time.monotonic() + TIMEOUT
            while not done.search(peer.log.read_text()) and time.monotonic() < end:
                if peer.process.poll() is not None:
                    break
                time.sleep(0.05)
            spent = time.monotonic() - start
            size = sum(f.stat().st_size for f in (folder / "acuity").rglob("*") if f.is_file())
            print(f"| acuity-index | {spent:.1f} s | | | {number / spent:,.0f} | "
                  f"{mib(peer.status('status:VmHWM'))} | {mib(peer.status('io:write_bytes'))} | "
                  f"{mib(size)} |")
            peer.stop()

        space = get(f"{index.url}/v1/spaces")["items"][0]["id"]
        tenant = get(f"{index.url}/v1/spaces/{space}/members?role=tenant&order=rows")["items"][0]["id"]
        records = f"/v1/tenants/{tenant}/collections/names/records?order=key"
        newest = f"/v1/tenants/{tenant}/collections/names/records?order=newest"
        print("\n| pages of 100 records | median | p99 |\n| --- | --- | --- |")
        for name, path in [("by key, idle", records), ("newest first, idle", newest)]:
            times = pages(index, path)
            print(f"| {name} | {statistics.median(times):.1f} ms | {percentile(times, .99):.1f} ms |")
        index.stop()
        subprocess.run([indexer, "verify", "--url", url, "--data", folder / "resync"], check=True)
    finally:
        for process in started:
            process.stop()
        chain.stop()


main()
