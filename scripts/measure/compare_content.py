#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures content nodes beside nginx, `dd` and rsync, and prints tables.

    compare_content.py NODE CLIENT STORE [BYTES [LARGE]]

Commits LARGE files (10) of BYTES (1 GiB) and 10,000 small ones on a development chain, uploads them
to a content node, and serves the node's own files with nginx and rsync. Both sides take turns. Also
publishes folders of 1,000 files with `fabric put`. Then has governance delete a tenant with 100,000
versions, and reads meanwhile. Needs nginx, wrk and rsync, such as Debian's, and the Python package
blake3.
"""

import os
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from content_fabric import BOB, Fabric, write_random

SMALL, SMALL_BYTES = 10_000, 10 << 10
PURGED, PURGED_BYTES = 100_000, 100
PUT = 1_000
RUNS, SECONDS = 5, 5
MIRRORS = 2
MEGABYTE = 1e6


def place(digest: bytes) -> str:
    """Returns the path of an object in the folder of a node."""
    name = digest.hex()
    return f"{name[:2]}/{name[2:4]}/{name}"


class Nginx:
    """nginx with Debian's defaults for files, which serves a folder."""

    def __init__(self, folder: Path, served: Path):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        user = "user root;" if os.geteuid() == 0 else ""
        (folder / "nginx.conf").write_text(f"""
            {user} daemon off; worker_processes auto; pid {folder}/nginx.pid;
            error_log {folder}/nginx-error.log;
            events {{ worker_connections 768; }}
            http {{
                access_log off; sendfile on; tcp_nopush on; default_type application/octet-stream;
                keepalive_requests 1000000;
                server {{ listen 127.0.0.1:{port}; root {served}; }}
            }}""")
        command = ["nginx", "-c", folder / "nginx.conf", "-e", folder / "nginx-error.log"]
        self.address = f"127.0.0.1:{port}"
        self.process = subprocess.Popen(command)
        for _ in range(100):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.05)
        sys.exit(f"nginx does not serve: {(folder / 'nginx-error.log').read_text()}")

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Rsync:
    """An rsync server of a folder, which goes on with the bytes of a copy."""

    def __init__(self, folder: Path, served: Path):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        user = "uid = root\ngid = root\n" if os.geteuid() == 0 else ""
        config = folder / "rsyncd.conf"
        config.write_text(f"use chroot = no\n{user}[objects]\npath = {served}\n")
        self.process = subprocess.Popen(
            ["rsync", "--daemon", "--no-detach", "--address=127.0.0.1", f"--port={self.port}",
             f"--config={config}", f"--log-file={folder}/rsync.log"])
        time.sleep(1)

    def copy(self, into: Path) -> float:
        """Copies all files. Returns the seconds."""
        return timed(["rsync", "--recursive", "--whole-file", "--fsync",
                      f"rsync://127.0.0.1:{self.port}/objects/", f"{into}/"])

    def stop(self):
        self.process.terminate()
        self.process.wait()


def load(folder: Path, address: str, requests: str, connections: int) -> dict[str, float]:
    """Sends requests: the Lua expression `requests` returns each. Returns answers and bytes a
    second, and the p99 of the times in ms."""
    script = folder / "requests.lua"
    script.write_text(f"""
        {requests}
        function init() math.randomseed(os.time()) end
        function done(summary, latency)
            local errors = summary.errors.status + summary.errors.read + summary.errors.timeout
            local seconds = summary.duration / 1e6
            print("result", summary.requests / seconds, summary.bytes / seconds,
                  latency:percentile(99) / 1000, errors)
        end""")
    answer = subprocess.run(
        ["wrk", "-t1", f"-c{connections}", f"-d{SECONDS}s", "--timeout", "60s", "-s", script,
         f"http://{address}"], capture_output=True, text=True, check=True).stdout
    _, *found = next(line for line in answer.splitlines() if line.startswith("result")).split()
    result = dict(zip(["answers", "bytes", "p99", "errors"], map(float, found)))
    if result["errors"]:
        sys.exit(f"requests have failed: {answer}")
    return result


def any_of(paths: list[str]) -> str:
    """Returns the requests for files at random."""
    quoted = ",".join(f'"{path}"' for path in paths)
    return f"""
        local paths = {{{quoted}}}
        function request() return wrk.format("GET", paths[math.random(#paths)]) end"""


def ranges_of(path: str, size: int) -> str:
    """Returns the requests for ranges of a file at random."""
    return f"""
        function request()
            local first = math.random(0, {size - SMALL_BYTES})
            local range = string.format("bytes=%d-%d", first, first + {SMALL_BYTES - 1})
            return wrk.format("GET", "{path}", {{ Range = range }})
        end"""


def alternate(*sides) -> list[list]:
    """Runs all sides in turns, each once without counting. Returns the results of each."""
    results = [[] for _ in sides]
    for run in range(RUNS + 1):
        for side, found in zip(sides, results):
            result = side()
            if run:
                found.append(result)
    return results


def timed(command: list) -> float:
    start = time.monotonic()
    subprocess.run([str(part) for part in command], check=True, capture_output=True)
    return time.monotonic() - start


def row(title: str, ours: float, theirs: float):
    print(f"| {title} | {ours:,.1f} | {theirs:,.1f} | {ours / theirs:.2f} |", flush=True)


def main():
    programs = sys.argv[1:4]
    size = int(sys.argv[4]) if len(sys.argv) > 4 else 1 << 30
    number = int(sys.argv[5]) if len(sys.argv) > 5 else 10
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fabric = Fabric(folder, *programs)
        tenant = fabric.make_tenant("library")
        large = upload(folder, fabric, tenant, size, number)
        small, rate = fabric.fill(tenant, SMALL, SMALL_BYTES)
        print(f"\nUpload of {SMALL:,} files of {SMALL_BYTES:,} bytes: {rate:,.0f} files a second")
        serve(folder, fabric, (large, size), small)
        few = fabric.make_tenant("few")
        hashes, _ = fabric.fill(few, SMALL, SMALL_BYTES)
        mirror(folder, fabric, "small", few, [fabric.data / "objects" / place(it) for it in hashes])
        mirror(folder, fabric, "all", tenant,
               [fabric.data / "objects" / place(it) for it in [*large, *small]])
        put(folder, fabric)
        purge(folder, fabric, any_of([f"/v1/versions/{digest.hex()}" for digest in small]))
        print(f"\nPeak memory of the content node: {fabric.memory(fabric.store):,.0f} MiB")
        fabric.stop()


def upload(folder: Path, fabric: Fabric, tenant: str, size: int, number: int) -> list[bytes]:
    """Uploads large files. Returns their hashes. Both sides keep all files until the end: a disk may be
    faster where it was written before."""
    ours, theirs, hashes = [], [], []
    file, copies = folder / "large", folder / "copies"
    copies.mkdir()
    for run in range(number):
        hashes.append(write_random(file, size))
        fabric.commit(tenant, [(hashes[-1], size)])
        os.sync()
        ours.append(timed(
            ["curl", "--fail", "--silent", "--show-error", "-T", file,
             "-H", f"Authorization: {fabric.authorization(tenant)}",
             f"http://{fabric.store.url}/v1/versions/{hashes[-1].hex()}"]))
        os.sync()
        theirs.append(timed(["dd", f"if={file}", f"of={copies / str(run)}", "bs=1M", "conv=fsync"]))
    ours, theirs = (size / statistics.median(times) / MEGABYTE for times in (ours, theirs))
    print("\n| what | content node | dd conv=fsync | ratio |\n| --- | ---: | ---: | ---: |")
    row(f"upload of {size:,} bytes, MB/s", ours, theirs)
    subprocess.run(["rm", "-r", file, copies], check=True)
    return hashes


def serve(folder: Path, fabric: Fabric, large: tuple[list[bytes], int], small: list[bytes]):
    """Reads files and ranges, from the content node and from nginx."""
    (hashes, size), node = large, fabric.store.url
    versions = [f"/v1/versions/{digest.hex()}" for digest in small]
    one = f"/v1/versions/{hashes[0].hex()}", f"/{place(hashes[0])}"
    cases = [(any_of([one[0]]), any_of([one[1]]), f"{size:,} bytes", (1, 4)),
             (any_of(versions), any_of([f"/{place(digest)}" for digest in small]),
              f"{SMALL:,} files of {SMALL_BYTES:,} bytes", (1, 16, 128)),
             (ranges_of(one[0], size), ranges_of(one[1], size),
              f"ranges of {SMALL_BYTES:,} bytes of {size:,}", (1, 16, 128))]
    nginx = Nginx(folder, fabric.data / "objects")
    print("\n| serving | content node | nginx | ratio |\n| --- | ---: | ---: | ---: |")
    try:
        for ours, theirs, title, connections in cases:
            for number in connections:
                found = alternate(lambda: load(folder, node, ours, number),
                                  lambda: load(folder, nginx.address, theirs, number))
                of = lambda field: [statistics.median(run[field] for run in runs) for runs in found]
                title_at = f"{title}, {number} connection{'s' * (number > 1)}"
                if len(connections) == 2:
                    row(f"{title_at}, MB/s", *(it / MEGABYTE for it in of("bytes")))
                else:
                    row(f"{title_at}, answers a second", *of("answers"))
                    row("the same, p99 in ms", *of("p99"))
    finally:
        nginx.stop()


def mirror(folder: Path, fabric: Fabric, name: str, tenant: str, objects: list[Path]):
    """Has other content nodes get the versions of a tenant that the chain has asked them to hold, and
    copies their files with rsync. Both keep all files until the end: after a removal, ext4 takes
    long to make new ones."""
    links = folder / f"{name}-objects"
    for number, file in enumerate(objects):
        link = links / f"{number % 256:02x}" / f"{number}"
        link.parent.mkdir(parents=True, exist_ok=True)
        os.link(file, link)
    size = sum(file.stat().st_size for file in objects)
    ours, theirs, made = [], [], []
    # A version is final only when its first node holds it, and only then others get it.
    fabric.until_final(tenant)
    for run in range(MIRRORS):
        node, store, data = fabric.start_store(f"{name}{run}")
        store.stop()
        fabric.run("copies", "add", tenant, "--node", f"{fabric.provider}/{node}", "--yes")
        rsync = Rsync(folder, links)
        copy = folder / f"{name}-copy{run}"
        os.sync()
        theirs.append(rsync.copy(copy))
        rsync.stop()
        os.sync()
        start = time.monotonic()
        store = fabric.serve(node, data, store.url)
        while fabric.status(store)["versions"] < len(objects):
            time.sleep(0.05)
        ours.append(time.monotonic() - start)
        print(f"\nPeak memory of the mirror: {fabric.memory(store):,.0f} MiB")
        store.stop()
        made += [copy, data]
    subprocess.run(["rm", "-r", *made], check=True)
    ours, theirs = (size / statistics.median(times) / MEGABYTE for times in (ours, theirs))
    print("\n| what | content node | rsync | ratio |\n| --- | ---: | ---: | ---: |")
    row(f"a mirror of {len(objects):,} files, {size:,} bytes, MB/s", ours, theirs)


def put(folder: Path, fabric: Fabric):
    """Publishes folders, each as a tenant of its own, whose objects and records are new."""
    rates, transactions = [], []
    for number in range(RUNS):
        site = folder / f"site{number}"
        site.mkdir()
        for file in range(PUT):
            (site / f"{file}").write_bytes(os.urandom(SMALL_BYTES))
        before = fabric.run("account", BOB)["nonce"]
        start = time.monotonic()
        fabric.run("put", str(site), "--node", f"http://{fabric.store.url}", "--signer",
                   "//Charlie", "--yes")
        rates.append(PUT / (time.monotonic() - start))
        transactions.append(fabric.run("account", BOB)["nonce"] - before)
    print(f"\nfabric put of {PUT:,} files of {SMALL_BYTES:,} bytes: {statistics.median(rates):,.0f} "
          f"files a second ({min(rates):,.0f} to {max(rates):,.0f}), with at most {max(transactions)} "
          "commits and finalizations")


def purge(folder: Path, fabric: Fabric, requests: str):
    """Has governance delete a tenant, and reads files of another one meanwhile."""
    kept = fabric.status(fabric.store)["versions"]
    doomed = fabric.make_tenant("doomed")
    fabric.fill(doomed, PURGED, PURGED_BYTES)
    # The finalizations are to be over.
    time.sleep(SECONDS)
    p99 = lambda: load(folder, fabric.store.url, requests, 32)["p99"]
    before = statistics.median(p99() for _ in range(RUNS))
    start = time.monotonic()
    fabric.run("governance", "purge", doomed, "--reason", "measured", "--yes")
    during = []
    while fabric.status(fabric.store)["versions"] > kept:
        during.append(p99())
    taken = time.monotonic() - start
    print(f"\nRemoval of {PURGED:,} versions: {taken:,.0f} s; p99 of reads {before:,.1f} ms before, "
          f"{statistics.median(during):,.1f} ms meanwhile, {max(during):,.1f} ms at worst")


if __name__ == "__main__":
    main()
