# SPDX-License-Identifier: Apache-2.0
"""A development chain with content nodes, for measurements. Needs the Python package blake3."""

import atexit
import json
import os
import re
import subprocess
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPConnection
from pathlib import Path

from blake3 import blake3

from compare_index import Process, SERVED_NODE
from version_ids import version

SERVED = re.compile(r"serving http://(127\.0\.0\.1:\d+)")
# Versions of one commit, and uploads at a time: a node takes 16 of one address.
COMMIT, UPLOADS = 500, 8
# Accounts of the development keys //Alice and //Bob.
ALICE = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
BOB = "5FHneW46xGXgs5mUiveU4sbTyGBzmstUspZC92UhjJM694ty"


def write_random(path: Path, size: int) -> bytes:
    """Writes a file of random bytes. Returns its hash."""
    digest = blake3()
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
        self.provider = self.made("provider", "create", space, "--name", "acme",
                                  "--max-held", "1,000,000 UNIT")
        self.space, self.signed, self.program = space, {}, store
        self.node, self.store, self.data = self.start_store("store")

    def start_store(self, name: str) -> tuple[str, Process, Path]:
        """Starts a content node. Returns its id, its process and its folder."""
        node = self.made("node", "create", self.provider, "--name", name, "--operator", BOB,
                         "--locator", "http://127.0.0.1")
        self.run("node", "confirm", self.provider, node)
        data = self.folder / name
        store = self.serve(node, data)
        self.run("node", "set-locator", self.provider, node, f"http://{store.url}")
        return node, store, data

    def serve(self, node: str, data: Path, listen: str = "127.0.0.1:0") -> Process:
        """Serves a node from a folder."""
        store = Process(
            [self.program, "serve", "--url", self.url, "--data", data, "--listen", listen,
             "--provider", self.provider, "--node", node, "--key", "//Bob", "--grace", "0",
             "--mirror-private"],
            data.with_suffix(".log"), SERVED)
        self.processes.append(store)
        return store

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

    def until_final(self, tenant: str):
        """Waits until the chain has all versions of a tenant as held."""
        command = [self.client, "--url", self.url, "copies", "missing", tenant, "--no-probe"]
        while (asked := subprocess.run(command, capture_output=True, text=True)).returncode == 7:
            time.sleep(1)
        if asked.returncode:
            sys.exit(asked.stderr)

    def commit(self, tenant: str, versions: list[tuple[bytes, int]]):
        """Commits versions of a tenant, given by their hashes and sizes."""
        self.number += 1
        text = self.text("id", "from-name", "object", "--tenant", tenant, f"{self.number}")
        request = {"tenant": tenant, "create_objects": True, "versions": [
            {"object": re.search(r"iq__\w+", text)[0], "version": version(digest),
             "hash": "blake3", "size": size}
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
            files[blake3(body).digest()] = body
        hashes = list(files)
        for first in range(0, number, COMMIT):
            self.commit(tenant, [(digest, size) for digest in hashes[first:first + COMMIT]])
        signed = self.authorization(tenant)
        start = time.monotonic()
        with ThreadPoolExecutor(UPLOADS) as pool:
            list(pool.map(lambda item: self.upload(signed, *item), files.items()))
        return hashes, number / (time.monotonic() - start)

    @staticmethod
    def status(store: Process) -> dict:
        with urllib.request.urlopen(f"http://{store.url}/v1/status", timeout=60) as answer:
            return json.load(answer)

    @staticmethod
    def memory(store: Process) -> float:
        """Returns the peak memory of a content node, in MiB."""
        status = Path(f"/proc/{store.process.pid}/status").read_text()
        return int(re.search(r"VmHWM:\s+(\d+)", status)[1]) / 1024

    def stop(self):
        for process in reversed(self.processes):
            process.stop()
