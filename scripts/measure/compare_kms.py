#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures a KMS, and encrypted uploads beside age, and prints tables.

    compare_kms.py NODE CLIENT STORE KMS [BYTES]

The KMS has one core, and the clients that ask it the other. Several accounts ask from several
addresses, as each has a limit. `fabric put --encrypt` of a file of BYTES (1 GiB) is measured beside
`age | sha256sum`, which writes to the same disk. Needs the program age, such as Debian's, and the
Python package blake3.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from http.client import HTTPConnection
from multiprocessing import Pool
from pathlib import Path

from compare_index import Process
from content_fabric import SERVED, Fabric, write_random

READERS, SECONDS, RUNS = ["//Dave", "//Eve", "//Ferdie", "//Charlie"], 5, 3
MEGABYTE = 1e6


class Kms:
    """A KMS of a tenant, on the first core."""

    def __init__(self, folder: Path, fabric: Fabric, program: str, tenant: str):
        self.secret, self.identity = folder / "passphrase", folder / "identity.age"
        self.secret.write_text("measured, and thrown away\n")
        self.secret.chmod(0o600)
        self.program = program
        self.key = self.new_key(self.identity)
        self.id = fabric.made("kms", "add", tenant, "--name", "keys", "--operator",
                              "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty",
                              "--locator", "http://127.0.0.1", "--key", self.key, "--wait", "finalized")
        self.process = Process(
            ["taskset", "-c", "0", program, "serve", "--url", fabric.url, "--tenant", tenant, "--kms",
             self.id, "--identity", self.identity, "--passphrase-file", self.secret, "--data",
             folder / "kms", "--listen", "127.0.0.1:0"], folder / "kms.log", SERVED)
        fabric.processes.append(self.process)
        fabric.run("kms", "set", tenant, self.id, "--key", self.key, "--locator",
                   f"http://{self.process.url}", "--yes")

    def new_key(self, file: Path) -> str:
        command = [self.program, "key", "new", "--output", file, "--passphrase-file", self.secret]
        made = subprocess.run(command, capture_output=True, text=True, check=True)
        return made.stdout.strip()


def stanza(file: Path) -> dict:
    """Returns the stanza of an age file."""
    for line in file.read_bytes().split(b"\n---")[0].decode().split("\n-> ")[1:]:
        kind, *body = line.split("\n")
        if kind.startswith("X25519 "):
            return {"args": kind.split(), "body": "".join(body)}
    sys.exit(f"{file} has no stanza of type X25519")


def ask(job: tuple) -> tuple[int, list[float]]:
    """Sends a request again and again. Returns the number of keys, and the times in ms."""
    server, address, header, body = job
    host, port = server.split(":")
    connection = HTTPConnection(host, int(port), timeout=60, source_address=(address, 0))
    headers = {"Authorization": header, "Content-Type": "application/json"}
    begun, times = time.monotonic(), []
    while time.monotonic() - begun < SECONDS:
        start = time.monotonic()
        connection.request("POST", "/v1/unwrap", body, headers)
        answer = connection.getresponse()
        text = answer.read()
        if answer.status == 429:
            time.sleep(0.01)
            continue
        if answer.status != 200:
            sys.exit(f"{answer.status} {text.decode()}")
        times.append((time.monotonic() - start) * 1e3)
    return len(times), times


def unwraps(folder: Path, fabric: Fabric, kms: Kms, tenant: str):
    # The passphrase takes most of the memory when the server starts. Later peaks count anew.
    start = fabric.memory(kms.process)
    Path(f"/proc/{kms.process.process.pid}/clear_refs").write_text("5")
    recipient = kms.new_key(folder / "once.age")
    wrapped = folder / "wrapped.age"
    subprocess.run(["age", "--recipient", kms.key, "--output", wrapped], input=b"a", check=True)
    body = json.dumps({"recipient": recipient, "stanzas": [stanza(wrapped)]})
    jobs = []
    for number, reader in enumerate(READERS):
        if reader != "//Charlie":
            account = fabric.run("account", "--signer", reader)["account"]
            fabric.run("key", "grant", tenant, account, "read", "--yes", "--wait", "finalized")
        signed = fabric.run("account", "sign-request", tenant, kms.id, "--for", recipient,
                            "--signer", reader)["authorization"]
        # Two connections of each account, from an address of its own.
        jobs += 2 * [(kms.process.url, f"127.0.0.{number + 2}", signed, body)]
    rates, p99 = [], []
    with Pool(len(jobs)) as pool:
        for _ in range(RUNS + 1):
            found = pool.map(ask, jobs, chunksize=1)
            rates.append(sum(number for number, _ in found) / SECONDS)
            times = sorted(time for _, times in found for time in times)
            p99.append(times[len(times) * 99 // 100])
    rate, slowest = statistics.median(rates[1:]), statistics.median(p99[1:])
    print(f"\nUnwraps a second on one core: {rate:,.0f}, p99 {slowest:,.1f} ms; peak memory of the KMS "
          f"{fabric.memory(kms.process):,.0f} MiB, and {start:,.0f} MiB when it starts", flush=True)


def puts(folder: Path, fabric: Fabric, kms: Kms, size: int):
    ours, theirs = [], []
    for run in range(RUNS):
        tenant = fabric.made("tenant", "create", fabric.space, "--name", f"private{run}",
                             "--max-held", "1,000,000 UNIT")
        fabric.made("kms", "add", tenant, "--name", "keys", "--operator",
                    "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty", "--locator",
                    f"http://{kms.process.url}", "--key", kms.key, "--wait", "finalized")
        file, copy = folder / "large", folder / "large.age"
        write_random(file, size)
        os.sync()
        start = time.monotonic()
        subprocess.run(f"age --recipient {kms.key} {file} | tee {copy} | sha256sum && sync {copy}",
                       shell=True, check=True, capture_output=True)
        theirs.append(time.monotonic() - start)
        copy.unlink()
        os.sync()
        start = time.monotonic()
        fabric.run("put", str(file), "--source", f"private{run}", "--node", f"http://{fabric.store.url}",
                   "--encrypt", "--kms-key", kms.key, "--spool", str(folder / "spool"), "--yes")
        ours.append(time.monotonic() - start)
        file.unlink()
    ours, theirs = (size / statistics.median(times) / MEGABYTE for times in (ours, theirs))
    print("\n| what | put --encrypt | age, sha256sum | ratio |\n| --- | ---: | ---: | ---: |")
    print(f"| {size:,} bytes, MB/s | {ours:,.1f} | {theirs:,.1f} | {ours / theirs:.2f} |", flush=True)


def main():
    *programs, kms_program = sys.argv[1:5]
    size = int(sys.argv[5]) if len(sys.argv) > 5 else 1 << 30
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["FABRIC_STATE"] = str(folder / "state")
        fabric = Fabric(folder, *programs)
        tenant = fabric.make_tenant("library")
        kms = Kms(folder, fabric, kms_program, tenant)
        unwraps(folder, fabric, kms, tenant)
        puts(folder, fabric, kms, size)
        fabric.stop()


if __name__ == "__main__":
    main()
