#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures a content node beside nginx, `openssl` and `dd`, and prints tables.

    compare_content.py NODE CLIENT STORE [BYTES]

Commits one large file of BYTES (1 GiB) and 10,000 small ones on a development chain, uploads them to
the content node, and serves the node's own files with nginx. Both sides take turns. Also publishes
folders of 1,000 files with `fabric put`. Then has governance delete a tenant with 100,000 versions,
and reads meanwhile. Needs nginx and wrk, such as Debian's.
"""

import atexit
import hashlib
import json
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path

from compare_index import Process, SERVED_NODE

SERVED = re.compile(r"serving http://(127\.0\.0\.1:\d+)")
SMALL, SMALL_BYTES = 10_000, 10 << 10
PURGED, PURGED_BYTES = 100_000, 100
PUT = 1_000
# Versions of one commit, and uploads at a time: a node takes 16 of one address.
COMMIT, UPLOADS = 500, 8
RUNS, SECONDS, CONNECTIONS = 5, 5, 32
# Accounts of the development keys //Alice and //Bob.
ALICE = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
BOB = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"
ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def version(digest: bytes) -> str:
    """Returns a version as text."""
    number, text = int.from_bytes(digest, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = ALPHABET[digit] + text
    return "hq__" + "1" * (len(digest) - len(digest.lstrip(b"\0"))) + text


def place(digest: bytes) -> str:
    """Returns the path of an object in the folder of a node."""
    name = digest.hex()
    return f"{name[:2]}/{name[2:4]}/{name}"


def write_random(path: Path, size: int) -> bytes:
    """Writes a file of random bytes. Returns its hash."""
    digest = hashlib.sha256()
    with path.open("wb") as file:
        while size:
            piece = os.urandom(min(size, 1 << 20))
            digest.update(piece)
            file.write(piece)
            size -= len(piece)
    return digest.digest()


class Fabric:
    """A development chain with a tenant, and a content node."""

    def __init__(self, folder: Path, node: str, client: str, store: str):
        self.folder, self.client, self.number = folder, client, 0
        chain = Process(
            [node, "--dev", "--base-path", folder / "chain", "--rpc-port", "0", "--no-prometheus",
             "--no-telemetry"], folder / "chain.log", SERVED_NODE)
        self.processes = [chain]
        atexit.register(self.stop)
        self.url = f"ws://127.0.0.1:{chain.url}"
        asked = {"jsonrpc": "2.0", "id": 1, "method": "chain_getBlockHash", "params": [0]}
        answer = self.ask(f"http://127.0.0.1:{chain.url}", json.dumps(asked).encode())
        self.genesis = json.loads(answer)["result"]
        space = self.made("space", "create", "--name", "content", "--governor", ALICE)
        provider = self.made("provider", "create", space, "--name", "acme", "--max-held", "100 UNIT")
        inner = self.made("node", "create", provider, "--name", "node", "--operator", BOB,
                          "--locator", "http://127.0.0.1")
        self.run("node", "confirm", provider, inner)
        self.space, self.node, self.signed = space, inner, {}
        self.data = folder / "store"
        self.store = Process(
            [store, "serve", "--url", self.url, "--data", self.data, "--listen", "127.0.0.1:0",
             "--provider", provider, "--node", inner, "--key", "//Bob", "--grace", "0"],
            folder / "store.log", SERVED)
        self.processes.append(self.store)

    def text(self, *arguments: str) -> str:
        answer = subprocess.run([self.client, *arguments], capture_output=True, text=True)
        if answer.returncode:
            sys.exit(f"{' '.join(arguments)}: {answer.stdout}{answer.stderr}")
        return answer.stdout

    def run(self, *arguments: str) -> dict:
        return json.loads(self.text("--url", self.url, "--json", *arguments))

    def made(self, *arguments: str) -> str:
        """Makes an entity. Returns its id, the last one in the command's first event."""
        kind = arguments[0]
        for event in self.run(*arguments)["events"]:
            if kind in event.get("fields", {}):
                return event["fields"][kind]
        sys.exit(f"{' '.join(arguments)} has made no {kind}")

    def ask(self, url: str, body: bytes, authorization: str = "") -> bytes:
        headers = {"Content-Type": "application/json"}
        if authorization:
            headers["Authorization"] = authorization
        request = urllib.request.Request(url, body, headers)
        with urllib.request.urlopen(request, timeout=120) as answer:
            return answer.read()

    def make_tenant(self, name: str) -> str:
        """Makes a tenant. Returns its id."""
        return self.made("tenant", "create", self.space, "--name", name,
                         "--max-held", "1,000,000 UNIT")

    def authorization(self, tenant: str) -> str:
        """Returns the header of signed requests for a tenant, which serves for an hour."""
        made, header = self.signed.get(tenant, (0, ""))
        if time.monotonic() - made > 3_000 or not header:
            header = self.run("account", "sign-request", tenant, self.node)["authorization"]
            self.signed[tenant] = (time.monotonic(), header)
        return header

    def commit(self, tenant: str, versions: list[tuple[bytes, int]]):
        """Commits versions of a tenant, given by their hashes and sizes."""
        self.number += 1
        text = self.text("id", "from-name", "object", "--tenant", tenant, f"{self.number}")
        request = {"tenant": tenant, "create_objects": True, "versions": [
            {"object": re.search(r"iq__\w+", text)[0], "version": version(digest),
             "hash": "sha256", "size": size}
            for digest, size in versions]}
        draft = self.folder / "draft.json"
        draft.write_bytes(self.ask(f"http://{self.store.url}/v1/drafts", json.dumps(request).encode(),
                                   self.authorization(tenant)))
        signed = self.text("version", "sign", str(draft), "--signer", "//Charlie", "--yes",
                           "--max-ahead", "3600", "--genesis-hash", self.genesis)
        self.ask(f"http://{self.store.url}/v1/commits", signed.encode())

    def upload(self, authorization: str, digest: bytes, body: bytes):
        host, port = self.store.url.split(":")
        connection = HTTPConnection(host, int(port), timeout=600)
        connection.request("PUT", f"/v1/versions/{digest.hex()}", body,
                           {"Authorization": authorization})
        answer = connection.getresponse()
        text = answer.read()
        if answer.status not in (200, 201):
            sys.exit(f"the upload was refused: {answer.status} {text.decode()}")

    def fill(self, tenant: str, number: int, size: int) -> tuple[list[bytes], float]:
        """Commits and uploads files of random bytes. Returns their hashes, and files a second."""
        files = {}
        for _ in range(number):
            body = os.urandom(size)
            files[hashlib.sha256(body).digest()] = body
        hashes = list(files)
        for first in range(0, number, COMMIT):
            self.commit(tenant, [(digest, size) for digest in hashes[first:first + COMMIT]])
        signed = self.authorization(tenant)
        start = time.monotonic()
        with ThreadPoolExecutor(UPLOADS) as pool:
            list(pool.map(lambda item: self.upload(signed, *item), files.items()))
        return hashes, number / (time.monotonic() - start)

    def status(self) -> dict:
        with urllib.request.urlopen(f"http://{self.store.url}/v1/status", timeout=60) as answer:
            return json.load(answer)

    def memory(self) -> float:
        """Returns the peak memory of the content node, in MiB."""
        status = Path(f"/proc/{self.store.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024

    def stop(self):
        for process in reversed(self.processes):
            process.stop()


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


def download(url: str) -> float:
    """Reads a file. Returns bytes a second."""
    answer = subprocess.run(
        ["curl", "--fail", "--silent", "--show-error", "--output", "/dev/null", "--write-out",
         "%{speed_download}", url], capture_output=True, text=True, check=True)
    return float(answer.stdout)


def load(folder: Path, address: str, paths: list[str]) -> tuple[float, float]:
    """Asks for files at random. Returns answers a second, and the p99 of their times in ms."""
    script = folder / "paths.lua"
    quoted = ",".join(f'"{path}"' for path in paths)
    script.write_text(f"""
        local paths = {{{quoted}}}
        function setup(thread) thread:set("seed", 1) end
        function init() math.randomseed(os.time()) end
        function request() return wrk.format("GET", paths[math.random(#paths)]) end
        function done(summary, latency)
            local errors = summary.errors.status + summary.errors.read + summary.errors.timeout
            print("result", summary.requests * 1e6 / summary.duration, latency:percentile(99), errors)
        end""")
    answer = subprocess.run(
        ["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{SECONDS}s", "-s", script, f"http://{address}"],
        capture_output=True, text=True, check=True).stdout
    _, rate, p99, errors = next(line for line in answer.splitlines() if line.startswith("result")).split()
    if float(errors):
        sys.exit(f"{errors} requests have failed: {answer}")
    return float(rate), float(p99) / 1000


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


def main():
    programs, large_bytes = sys.argv[1:4], int(sys.argv[4]) if len(sys.argv) > 4 else 1 << 30
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fabric = Fabric(folder, *programs)
        measure(folder, fabric, large_bytes)
        fabric.stop()


def measure(folder: Path, fabric: Fabric, large_bytes: int):
    megabyte = 1e6
    tenant = fabric.make_tenant("library")
    uploads = {"content node": [], "openssl dgst -sha256": [], "dd conv=fsync": []}
    file, copy = folder / "large", folder / "copy"
    for _ in range(3):
        large = write_random(file, large_bytes)
        fabric.commit(tenant, [(large, large_bytes)])
        start = time.monotonic()
        timed(["curl", "--fail", "--silent", "--show-error", "-T", file,
               "-H", f"Authorization: {fabric.authorization(tenant)}",
               f"http://{fabric.store.url}/v1/versions/{large.hex()}"])
        uploads["content node"].append(time.monotonic() - start)
        uploads["openssl dgst -sha256"].append(timed(["openssl", "dgst", "-sha256", file]))
        uploads["dd conv=fsync"].append(
            timed(["dd", f"if={file}", f"of={copy}", "bs=1M", "conv=fsync"]))
        copy.unlink()
    print(f"\nUpload of {large_bytes:,} bytes\n\n| | MB/s | ratio |\n| --- | ---: | ---: |")
    seconds = {name: statistics.median(times) for name, times in uploads.items()}
    slower = max(seconds["openssl dgst -sha256"], seconds["dd conv=fsync"])
    for name, time_taken in seconds.items():
        print(f"| {name} | {large_bytes / time_taken / megabyte:,.0f} | {slower / time_taken:.2f} |")

    digests, rate = fabric.fill(tenant, SMALL, SMALL_BYTES)
    print(f"\nUpload of {SMALL:,} files of {SMALL_BYTES:,} bytes: {rate:,.0f} files a second")

    nginx = Nginx(folder, fabric.data / "objects")
    try:
        ours, theirs = alternate(
            lambda: download(f"http://{fabric.store.url}/v1/versions/{large.hex()}"),
            lambda: download(f"http://{nginx.address}/{place(large)}"))
        ours, theirs = statistics.median(ours), statistics.median(theirs)
        print("\nServing\n\n| | content node | nginx | ratio |\n| --- | ---: | ---: | ---: |")
        print(f"| {large_bytes:,} bytes, MB/s | {ours / megabyte:,.0f} | {theirs / megabyte:,.0f} "
              f"| {ours / theirs:.2f} |")
        paths = [f"/v1/versions/{digest.hex()}" for digest in digests]
        places = [f"/{place(digest)}" for digest in digests]
        ours, theirs = alternate(lambda: load(folder, fabric.store.url, paths),
                                 lambda: load(folder, nginx.address, places))
        for column, title in enumerate(["files a second", "p99 in ms"]):
            a, b = (statistics.median(run[column] for run in runs) for runs in (ours, theirs))
            print(f"| {SMALL:,} files of {SMALL_BYTES:,} bytes, {title} | {a:,.1f} | {b:,.1f} "
                  f"| {a / b:.2f} |")
    finally:
        nginx.stop()
    put(folder, fabric)
    purge(folder, fabric, paths)
    print(f"\nPeak memory of the content node: {fabric.memory():,.0f} MiB")


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


def purge(folder: Path, fabric: Fabric, paths: list[str]):
    """Has governance delete a tenant, and reads files of another one meanwhile."""
    kept = fabric.status()["versions"]
    doomed = fabric.make_tenant("doomed")
    fabric.fill(doomed, PURGED, PURGED_BYTES)
    # The finalizations are to be over.
    time.sleep(SECONDS)
    before = statistics.median(load(folder, fabric.store.url, paths)[1] for _ in range(RUNS))
    start = time.monotonic()
    fabric.run("governance", "purge", doomed, "--reason", "measured", "--yes")
    during = []
    while fabric.status()["versions"] > kept:
        during.append(load(folder, fabric.store.url, paths)[1])
    taken = time.monotonic() - start
    print(f"\nRemoval of {PURGED:,} versions: {taken:,.0f} s; p99 of reads {before:,.1f} ms before, "
          f"{statistics.median(during):,.1f} ms meanwhile, {max(during):,.1f} ms at worst")


if __name__ == "__main__":
    main()
