# SPDX-License-Identifier: Apache-2.0
"""Prints Criterion's measurements as tables: the median of each benchmark and its ratio to ours."""

import json
import pathlib
import sys


def time(nanoseconds):
    for unit, size in [("ms", 1e6), ("µs", 1e3)]:
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}"
    return f"{nanoseconds:.3g} ns"


groups = {}
for path in pathlib.Path(sys.argv[1]).glob("**/new/benchmark.json"):
    benchmark = json.loads(path.read_text())
    estimates = json.loads(path.with_name("estimates.json").read_text())
    name = benchmark["function_id"] or benchmark["value_str"]
    measured = path.stat().st_mtime_ns, name, estimates["median"]["point_estimate"]
    groups.setdefault(benchmark["group_id"], []).append(measured)

print("| benchmark | implementation | time | ratio |")
print("| --- | --- | ---: | ---: |")
for group, rows in sorted(groups.items(), key=lambda item: min(item[1])):
    (ours,) = [median for _, name, median in rows if name == "ours"]
    for _, name, median in sorted(rows):
        print(f"| {group} | {name} | {time(median)} | {median / ours:.2f} |")
        group = ""
