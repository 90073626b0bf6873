#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Publishes the same with two clients, each on a node of its own version, in turn.

    compare_publish.py RUNS NAME=NODE,CLIENT,INPUT NAME=NODE,CLIENT,INPUT

Prints a table: the time of each run, their median, the ratio to the first pair, and the peak of the
client's memory. Fails if a publish fails or if the two publish different numbers of versions.
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
from pathlib import Path

SERVED = re.compile(r"Running JSON-RPC server: addr=127\.0\.0\.1:(\d+)")
START_TIMEOUT = 120


def start_node(node: str, directory: Path) -> tuple[subprocess.Popen, str]:
    """Starts a development chain. Returns the process and the URL that it serves."""
    log = directory / "log"
    arguments = ["--dev", "--base-path", directory / "chain", "--rpc-port", "0"]
    arguments += ["--port", "0", "--no-prometheus", "--no-telemetry"]
    with log.open("w") as output:
        process = subprocess.Popen([node, *arguments], stdout=output, stderr=output)
    end = time.monotonic() + START_TIMEOUT
    while time.monotonic() < end:
        served = SERVED.search(log.read_text())
        if served:
            return process, f"ws://127.0.0.1:{served[1]}"
        if process.poll() is not None:
            break
        time.sleep(0.1)
    process.kill()
    sys.exit(f"error: {node} does not serve JSON-RPC:\n{log.read_text()}")


def publish(node: str, client: str, content: str) -> tuple[float, int, int]:
    """Publishes an input on a new chain. Returns seconds, peak memory in KiB, and versions."""
    with tempfile.TemporaryDirectory() as directory:
        directory = Path(directory)
        process, url = start_node(node, directory)
        try:
            environment = {key: value for key, value in os.environ.items() if "FABRIC" not in key}
            environment["FABRIC_CONFIG"] = str(directory / "config.toml")
            command = [client, "--url", url, "--json", "publish", content, "--source", "debian"]
            report, errors = directory / "report", directory / "errors"
            with report.open("w") as out, errors.open("w") as err:
                start = time.monotonic()
                running = subprocess.Popen(command, stdout=out, stderr=err, env=environment)
                _, status, usage = os.wait4(running.pid, 0)
                seconds = time.monotonic() - start
            # 6 is the code of a publish that has left out what cannot be a record.
            if os.waitstatus_to_exitcode(status) not in (0, 6):
                sys.exit(f"error: {client} failed:\n{errors.read_text()[-2000:]}")
            found = json.loads(report.read_text())
            # Earlier clients have another name for it.
            committed = found.get("sources", found.get("registries"))[0]["committed"]
            return seconds, usage.ru_maxrss, committed
        finally:
            process.send_signal(signal.SIGTERM)
            process.wait()


def main() -> None:
    """Runs the pairs in turn, and prints the table."""
    runs = int(sys.argv[1])
    pairs = [argument.split("=", 1) for argument in sys.argv[2:]]
    results: dict[str, list] = {name: [] for name, _ in pairs}
    for run in range(runs):
        for name, programs in pairs:
            result = publish(*programs.split(","))
            results[name].append(result)
            print(f"run {run + 1}, {name}: {result[0]:.1f} s", file=sys.stderr)
    counts = {result[2] for found in results.values() for result in found}
    if len(counts) != 1:
        sys.exit(f"error: the clients published different numbers of versions: {sorted(counts)}")
    print(f"{counts.pop():,} versions\n")
    print("| client and node | seconds | median | ratio | peak memory of the client |")
    print("| --- | ---: | ---: | ---: | ---: |")
    first = None
    for name, found in results.items():
        median = statistics.median(result[0] for result in found)
        first = first or median
        times = ", ".join(f"{result[0]:.1f}" for result in found)
        memory = max(result[1] for result in found) / 1024
        print(f"| {name} | {times} | {median:.1f} | {median / first:.2f} | {memory:.0f} MiB |")


if __name__ == "__main__":
    main()
