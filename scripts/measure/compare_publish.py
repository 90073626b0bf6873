#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Publishes the same input with two clients, each on a chain of its own version, in turn.

    compare_publish.py RUNS NAME=CHAIN,CLIENT,INPUT[,OPTION…] NAME=CHAIN,CLIENT,INPUT[,OPTION…]

CHAIN is a node, of which a development chain is started, or the example `network` of the end-to-end
tests, which starts four validators and a full node. There the versions are published to a space
that the council creates, and the council purges their tenant afterwards. OPTION is one of the
client's `publish`, such as `--wait=best`.

Prints a table of the times with their ratio to the first pair, the peak memory of each client, and,
on networks, a table of the purges. Fails if a publish or a purge fails, or if the two publish
different numbers of versions.
"""

import contextlib
import json
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

# A node's log, and the output of `network` with the address of its full node.
SERVED = {
    "node": re.compile(r"Running JSON-RPC server: addr=(127\.0\.0\.1:\d+)"),
    "network": re.compile(r"^full +ws://(127\.0\.0\.1:\d+)", re.MULTILINE),
}
START_TIMEOUT = 120
COUNCIL = ["//Alice", "//Bob", "//Charlie"]
ALICE = "5GrwvaEF5zXb26Fz9rcQpDWS57CtERHpNehXCPcNoHGKutQY"
# `publish` finds the space of this name.
SPACE = ["space", "create", "--name", "cargo", "--governor", ALICE]


class Chain:
    """A chain that runs in a folder, and the client that uses it."""

    def __init__(self, program: str, client: str, directory: Path):
        self.client, self.directory = client, directory
        self.is_network = Path(program).name == "network"
        arguments: list = [program]
        if self.is_network:
            arguments += [directory / "chain"]
        else:
            arguments += ["--dev", "--base-path", directory / "chain", "--rpc-port", "0"]
            arguments += ["--port", "0", "--no-prometheus", "--no-telemetry"]
        log = directory / "log"
        with log.open("w") as output:
            # A network ends with its nodes, as they are in its group.
            self.process = subprocess.Popen(
                arguments, stdout=output, stderr=output, start_new_session=True
            )
        try:
            served = self.wait(log, SERVED["network" if self.is_network else "node"])
        except BaseException:
            self.stop()
            raise
        self.url = f"ws://{served}"

    def wait(self, log: Path, served: re.Pattern) -> str:
        """Returns the address that the chain serves."""
        end = time.monotonic() + START_TIMEOUT
        while time.monotonic() < end and self.process.poll() is None:
            if found := served.search(log.read_text()):
                return found[1]
            time.sleep(0.1)
        sys.exit(f"error: {self.process.args[0]} does not serve JSON-RPC:\n{log.read_text()}")

    def run(self, *arguments: str) -> tuple[float, int, dict]:
        """Runs the client. Returns seconds, its peak memory in KiB, and its report."""
        environment = {key: value for key, value in os.environ.items() if "FABRIC" not in key}
        environment["FABRIC_CONFIG"] = str(self.directory / "config.toml")
        command = [self.client, "--url", self.url, "--json", *arguments]
        report, errors = self.directory / "report", self.directory / "errors"
        with report.open("w") as out, errors.open("w") as err:
            start = time.monotonic()
            running = subprocess.Popen(command, stdout=out, stderr=err, env=environment)
            _, status, usage = os.wait4(running.pid, 0)
            seconds = time.monotonic() - start
        # 6 is the code of a publish that has left out what cannot be a record.
        accepted = (0, 6) if arguments[0] == "publish" else (0,)
        if os.waitstatus_to_exitcode(status) not in accepted:
            sys.exit(f"error: {' '.join(command)} failed:\n{errors.read_text()[-2000:]}")
        return seconds, usage.ru_maxrss, json.loads(report.read_text())

    def carry(self, *command: str) -> tuple[float, dict]:
        """Has the council carry a command. Returns the seconds and the report of its last step."""
        self.run(*command, "--council", "propose", "--signer", COUNCIL[0])
        for member in COUNCIL:
            self.run(*command, "--council", "vote", "--signer", member)
        seconds, _, report = self.run(*command, "--council", "close", "--signer", COUNCIL[-1])
        return seconds, report

    def stop(self) -> None:
        """Ends all processes of the chain."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGINT)
        self.process.wait()


@dataclass
class Run:
    """One publish of an input: its seconds, the client's memory in KiB, and the purge."""

    seconds: float
    memory: int
    versions: int
    purge: float | None = None


def measure(program: str, client: str, content: str, *more: str) -> Run:
    """Publishes an input on a new chain, and purges it from a network."""
    with tempfile.TemporaryDirectory() as directory:
        chain = Chain(program, client, Path(directory))
        try:
            # Lock files and manifests name their own.
            named = Path(content).suffix in (".lock", ".jsonl")
            options = [] if named else ["--source", "debian"]
            if chain.is_network:
                chain.carry(*SPACE)
                options += ["--provider", "//Bob", "--tenant", "//Charlie", "--yes"]
            seconds, memory, report = chain.run("publish", content, *options, *more)
            # Earlier clients have another name for it.
            source = report.get("sources", report.get("registries"))[0]
            result = Run(seconds, memory, source["committed"])
            if chain.is_network:
                purge = ["governance", "purge", source["tenant"], "--reason", "a test", "--yes"]
                result.purge, report = chain.carry(*purge)
                if report["outcome"] != "purged":
                    sys.exit(f"error: the tenant is not purged: {report}")
            return result
        finally:
            chain.stop()


def table(results: dict[str, list[float]]) -> None:
    """Prints the times of each pair, and their ratio to the first."""
    print("| client and chain | seconds | median | ratio |")
    print("| --- | ---: | ---: | ---: |")
    first = None
    for name, found in results.items():
        median = statistics.median(found)
        first = first or median
        times = ", ".join(f"{seconds:.1f}" for seconds in found)
        print(f"| {name} | {times} | {median:.1f} | {median / first:.2f} |")


def main() -> None:
    """Runs the pairs in turn, and prints the tables."""
    runs = int(sys.argv[1])
    pairs = [argument.split("=", 1) for argument in sys.argv[2:]]
    results: dict[str, list[Run]] = {name: [] for name, _ in pairs}
    for run in range(runs):
        for name, programs in pairs:
            result = measure(*programs.split(","))
            results[name].append(result)
            print(f"run {run + 1}, {name}: {result}", file=sys.stderr)
    counts = {result.versions for found in results.values() for result in found}
    if len(counts) != 1:
        sys.exit(f"error: the clients published different numbers of versions: {sorted(counts)}")
    print(f"{counts.pop():,} versions\n")
    table({name: [run.seconds for run in found] for name, found in results.items()})
    for name, found in results.items():
        print(f"\nPeak memory of the client {name}: {max(run.memory for run in found) >> 10} MiB")
    purges = {
        name: [run.purge for run in found if run.purge is not None]
        for name, found in results.items()
    }
    if all(purges.values()):
        print("\nThe purge:\n")
        table(purges)


if __name__ == "__main__":
    main()
