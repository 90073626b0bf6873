#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds indexes of development chains with this workspace's index and with acuity-index.

    compare_index.py NODE CLIENT INDEXER PACKAGES [ACUITY]

Publishes the packages of an index of Debian on chains that keep all states, and prints tables: the
replay of all blocks beside acuity-index, pages that are asked for while an index catches up, and the
first sync, the files and the pages of indexes of about 10^4, 10^5 and 10^6 rows. Fails if an index
differs from its chain.
"""

import json
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import NamedTuple

SCRIPT = Path(__file__).resolve().parents[2] / "examples/manifests/debian_packages.py"
SERVED_NODE = re.compile(r"Running JSON-RPC server: addr=127\.0\.0\.1:(\d+)")
SERVED_INDEX = re.compile(r"serving (http://[0-9.:]+)")
INDEXED_BY_PEER = re.compile(r"^acuity_index_indexed_blocks_total (\d+)", re.MULTILINE)
# Packages of the smallest chain, and copies of the whole index on the largest.
FEW_PACKAGES = 2_700
COPIES = 5
EMPTY_BLOCKS = 5_000
PAGES = 400
# Below the rate that one address may ask at.
PAUSE = 0.025
TIMEOUT = 1800


class Process:
    """A process whose log is in a file."""

    def __init__(self, arguments: list, log: Path, served: re.Pattern | None):
        self.log = log
        self.used: Used | None = None
        with log.open("w") as output:
            self.process = subprocess.Popen(
                [str(a) for a in arguments], stdout=output, stderr=output,
                env=os.environ | {"NO_COLOR": "1"},
            )
        self.url = self.wait_for(served) if served else None

    def wait_for(self, pattern: re.Pattern) -> str:
        end = time.monotonic() + 600
        while time.monotonic() < end:
            found = pattern.search(self.log.read_text())
            if found:
                return found[1]
            if self.has_ended():
                break
            time.sleep(0.02)
        sys.exit(f"{self.log}: {self.log.read_text()[-2000:]}")

    def has_ended(self) -> bool:
        return os.waitid(os.P_PID, self.process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None

    def check(self):
        """Ends this program if the process has ended."""
        if self.has_ended():
            sys.exit(f"{self.log}: {self.log.read_text()[-2000:]}")

    def stop(self) -> "Used":
        """Ends the process, as Ctrl-C does. Returns what it used."""
        if self.used is None:
            self.process.send_signal(signal.SIGINT)
            end = time.monotonic() + 60
            ended, status, usage = os.wait4(self.process.pid, os.WNOHANG)
            while not ended and time.monotonic() < end:
                time.sleep(0.02)
                ended, status, usage = os.wait4(self.process.pid, os.WNOHANG)
            if not ended:
                self.process.kill()
                _, status, usage = os.wait4(self.process.pid, 0)
            self.process.returncode = os.waitstatus_to_exitcode(status)
            self.used = Used(usage.ru_maxrss * 1024, usage.ru_oublock * 512)
        return self.used


class Used(NamedTuple):
    """Peak memory of a process, and what it wrote to the disk, in bytes."""

    memory: int
    written: int


def get(url: str) -> dict:
    with urllib.request.urlopen(url, timeout=60) as answer:
        return json.load(answer)


class Programs:
    """The programs that are measured, and the folder of their data."""

    def __init__(self, folder: Path, node: str, client: str, indexer: str):
        self.folder, self.node, self.client, self.indexer = folder, node, client, indexer
        self.started: list[Process] = []

    def start(self, name: str, arguments: list, served: re.Pattern | None = None) -> Process:
        process = Process(arguments, self.folder / f"{name}.log", served)
        self.started.append(process)
        return process

    def stop(self):
        for process in reversed(self.started):
            process.stop()

    def chain(self, name: str, *options: str) -> "Chain":
        return Chain(self, name, *options)

    def index(self, name: str, chain: "Chain", *options: str) -> Process:
        return self.start(
            name,
            [self.indexer, "serve", "--url", chain.url, "--data", self.folder / name,
             "--listen", "127.0.0.1:0", *options],
            SERVED_INDEX)

    def file_size(self, name: str) -> int:
        """Returns the bytes that the files of a folder take on the disk."""
        files = (self.folder / name).rglob("*")
        return sum(file.stat().st_blocks * 512 for file in files if file.is_file())

    def verify(self, name: str, chain: "Chain"):
        subprocess.run([self.indexer, "verify", "--url", chain.url, "--data", self.folder / name],
                       check=True, stdout=subprocess.DEVNULL)


class Chain:
    """A development chain that keeps all states."""

    def __init__(self, programs: Programs, name: str, *options: str):
        self.programs = programs
        self.process = programs.start(
            name,
            [programs.node, "--dev", "--base-path", programs.folder / name, "--rpc-port", "0",
             "--no-prometheus", "--no-telemetry", "--state-pruning", "archive",
             "--blocks-pruning", "archive", *options],
            SERVED_NODE)
        self.url = f"ws://127.0.0.1:{self.process.url}"

    def ask(self, method: str, *params):
        body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
        request = urllib.request.Request(
            f"http://127.0.0.1:{self.process.url}", body, {"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["result"]

    def height(self) -> int:
        """Returns the number of the last final block."""
        final = self.ask("chain_getFinalizedHead")
        return int(self.ask("chain_getHeader", final)["number"], 16)

    def publish(self, packages: Path, name: str):
        environment = os.environ | {"FABRIC_CONFIG": str(self.programs.folder / "config.toml")}
        manifest = self.programs.folder / "manifest.jsonl"
        with manifest.open("w") as out:
            subprocess.run([SCRIPT, packages, name], stdout=out, check=True)
        done = subprocess.run(
            [self.programs.client, "--url", self.url, "publish", "--wait", "finalized",
             "--space", name, manifest],
            env=environment, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"cannot publish: {done.stderr[-2000:]}")


def finalized(index: Process) -> int:
    """Returns the number of an index's last final block, or -1 if it is empty."""
    try:
        block = get(f"{index.url}/v1/status")["item"]["finalized"]
    except urllib.error.HTTPError:
        return -1
    return block["number"] if block else -1


def follow(index: Process, height: int) -> list[tuple[float, int]]:
    """Waits until an index has a final block. Returns the times and the blocks on the way."""
    start, seen = time.monotonic(), []
    while time.monotonic() < start + TIMEOUT:
        seen.append((time.monotonic(), finalized(index)))
        if seen[-1][1] >= height:
            return seen
        index.check()
        time.sleep(0.05)
    sys.exit(f"the index does not reach block {height}: {index.log.read_text()[-2000:]}")


def rows_of(index: Process) -> int:
    return sum(get(f"{index.url}/v1/status")["item"]["totals"].values())


def blocks_a_second(seen: list[tuple[float, int]], low: int, high: int) -> float:
    """Returns the speed between two blocks, from the first time that each was seen."""
    begin, first = next(entry for entry in seen if entry[1] >= low)
    end, last = next(entry for entry in seen if entry[1] >= high)
    return (last - first) / (end - begin) if end > begin else float("inf")


def page_paths(index: Process) -> tuple[str, str]:
    """Returns the lists of the records of a large tenant, by key and by time."""
    space = get(f"{index.url}/v1/spaces")["items"][0]["id"]
    members = get(f"{index.url}/v1/spaces/{space}/members?role=tenant&order=rows")["items"]
    records = f"/v1/tenants/{members[0]['id']}/collections/names/records"
    return f"{records}?order=key", f"{records}?order=newest"


def pages(index: Process, path: str, until=None) -> list[float]:
    """Returns the milliseconds that pages of 100 rows took, one after the other in the list."""
    times, cursor = [], ""
    # A look at the status counts as a request, too.
    while len(times) < PAGES and not (until and len(times) % 8 == 7 and until()):
        start = time.monotonic()
        page = get(f"{index.url}{path}&limit=100{cursor}")
        times.append((time.monotonic() - start) * 1000)
        if not page["items"]:
            sys.exit(f"{path} has no rows")
        cursor = f"&cursor={page['next']}" if page["next"] else ""
        time.sleep(PAUSE)
    return times


def times_text(times: list[float]) -> str:
    worst = sorted(times)[min(len(times) - 1, int(len(times) * 0.99))]
    return f"{statistics.median(times):.1f} ms, {worst:.1f} ms"


def mib(size: float) -> str:
    return f"{size / (1 << 20):,.0f} MiB"


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


def replay(programs: Programs, chain: Chain, name: str, label: str, acuity: str | None):
    """Replays a chain from its first block, with this index and with its peer."""
    height = chain.height()
    print(f"\n{label}: {height:,} blocks\n")
    print("| | time | blocks a second | first tenth, last tenth | rows a second "
          "| memory, peak | written | file |")
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    start = time.monotonic()
    index = programs.index(name, chain, "--history")
    seen = follow(index, height)
    spent, rows = time.monotonic() - start, rows_of(index)
    used = index.stop()
    programs.verify(name, chain)
    tenth = height // 10
    print(f"| `fabric-indexer serve --history` | {spent:.1f} s | {height / spent:,.0f} | "
          f"{blocks_a_second(seen, 0, tenth):,.0f}, "
          f"{blocks_a_second(seen, height - tenth, height):,.0f} | {rows / spent:,.0f} | "
          f"{mib(used.memory)} | {mib(used.written)} | {mib(programs.file_size(name))} |", flush=True)
    if not acuity:
        return
    spec, data = programs.folder / f"{name}.toml", f"{name}-acuity"
    subprocess.run([acuity, "generate-index-spec", "--url", chain.url, spec], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    metrics = free_port()
    start = time.monotonic()
    peer = programs.start(
        data,
        [acuity, "run", spec, "--url", chain.url, "--db-path", programs.folder / data,
         "--queue-depth", "64", "--port", free_port(), "--metrics-port", metrics])
    while time.monotonic() < start + TIMEOUT:
        peer.check()
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{metrics}/metrics") as answer:
                found = INDEXED_BY_PEER.search(answer.read().decode())
        except OSError:
            found = None
        if found and int(found[1]) >= height:
            break
        time.sleep(0.05)
    else:
        sys.exit(f"acuity-index does not reach the first block: {peer.log.read_text()[-2000:]}")
    spent = time.monotonic() - start
    used = peer.stop()
    print(f"| acuity-index | {spent:.1f} s | {height / spent:,.0f} | | | {mib(used.memory)} | "
          f"{mib(used.written)} | {mib(programs.file_size(data))} |", flush=True)


def sync(programs: Programs, chain: Chain, name: str) -> str:
    """Makes a new index of the last final state. Returns a line of the table of sizes."""
    start = time.monotonic()
    index = programs.index(name, chain)
    follow(index, chain.height())
    spent, rows = time.monotonic() - start, rows_of(index)
    by_key, newest = (pages(index, path) for path in page_paths(index))
    used = index.stop()
    programs.verify(name, chain)
    size = programs.file_size(name)
    return (f"| {rows:,} | {spent:.1f} s | {rows / spent:,.0f} | {mib(used.memory)} | "
            f"{used.written / rows:,.0f} | {size / rows:,.0f} | {times_text(by_key)} | "
            f"{times_text(newest)} |")


def catch_up(programs: Programs, chain: Chain, name: str):
    """Follows a chain to its end, and asks for pages meanwhile."""
    height = chain.height()
    start = time.monotonic()
    index = programs.index(name, chain)
    first, before = finalized(index), rows_of(index)
    path = page_paths(index)[0]
    times = pages(index, path, lambda: finalized(index) >= height)
    follow(index, height)
    spent, rows = time.monotonic() - start, rows_of(index) - before
    used = index.stop()
    programs.verify(name, chain)
    print("\n| blocks | rows | time | blocks a second | rows a second | memory, peak "
          "| bytes written per row | pages by key meanwhile: median, p99 |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    print(f"| {height - first:,} | {rows:,} | {spent:.1f} s | {(height - first) / spent:,.0f} | "
          f"{rows / spent:,.0f} | {mib(used.memory)} | {used.written / rows:,.0f} | "
          f"{times_text(times)}, of {len(times)} |", flush=True)


def first_packages(packages: Path, few: Path):
    """Writes the first packages of an index to a file."""
    with packages.open() as lines, few.open("w") as output:
        left = FEW_PACKAGES
        for line in lines:
            output.write(line)
            left -= not line.strip()
            if not left:
                return


def measure(programs: Programs, packages: Path, acuity: str | None):
    empty = programs.chain("empty", "--consensus", "interval=1")
    while empty.height() < EMPTY_BLOCKS:
        empty.process.check()
        time.sleep(0.5)
    empty.process.stop()
    # Without an interval it makes no more blocks.
    empty = programs.chain("empty")
    replay(programs, empty, "empty-history", "A chain of empty blocks", acuity)
    empty.process.stop()

    few = programs.folder / "few"
    first_packages(packages, few)
    small = programs.chain("small")
    small.publish(few, "copy-1")
    sizes = [sync(programs, small, "small-index")]
    small.process.stop()

    large = programs.chain("large")
    large.publish(packages, "copy-1")
    replay(programs, large, "history", "A chain with the index of Debian", acuity)
    sizes.append(sync(programs, large, "index"))
    for copy in range(2, COPIES + 1):
        large.publish(packages, f"copy-{copy}")
    catch_up(programs, large, "index")
    sizes.append(sync(programs, large, "large-index"))
    print("\n| rows | first sync | rows a second | memory, peak | bytes written per row "
          "| bytes of the file per row | pages by key: median, p99 | newest first: median, p99 |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    print("\n".join(sizes))


def main():
    node, client, indexer, packages = sys.argv[1:5]
    acuity = sys.argv[5] if len(sys.argv) > 5 else None
    with tempfile.TemporaryDirectory() as folder:
        programs = Programs(Path(folder), node, client, indexer)
        try:
            measure(programs, Path(packages), acuity)
        finally:
            programs.stop()


if __name__ == "__main__":
    main()
