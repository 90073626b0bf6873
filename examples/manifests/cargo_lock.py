#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a manifest of the packages that a Cargo.lock takes from registries:

    cargo_lock.py Cargo.lock | fabric publish -

The highest version of a package is its head. Packages that are not listed go to standard error. The
exit code is 1 if one of them comes neither from a path nor from git, which give no checksums."""

import json
import re
import signal
import sys
import tomllib

REGISTRIES = ("registry", "sparse", "local-registry", "directory")
WORD = r"(?:0|[1-9]\d*|\d*[A-Za-z-][0-9A-Za-z-]*)"
VERSION = re.compile(rf"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-({WORD}(?:\.{WORD})*))?"
                     r"(?:\+([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?", re.ASCII)


class Skipped(Exception):
    """The package has no checksum of its own."""


def ascending(version):
    """Returns the key that sorts versions as Cargo does: by SemVer, then by build metadata."""
    def words(text):
        return [(0, int(word), len(word)) if word.isdigit() else (1, word)
                for word in (text.split(".") if text else ())]
    *numbers, pre, build = VERSION.fullmatch(version).groups()
    return [int(number) for number in numbers], not pre, words(pre), words(build)


def item(package, versions, table):
    """Returns the item of a package. `versions` has the versions of all packages by name."""
    name, version, needs = (package.get(key) for key in ("name", "version", "dependencies"))
    source, own = package.get("source", "path+"), package.get("checksum", "<none>")
    if not all(isinstance(text, str) for text in (name, version, source, own, *(needs or []))):
        raise ValueError("its name or its version is missing, or a field is not a text")
    for words in (need.split()[:2] for need in needs or []):
        known = versions.get(words[0], set()) if words else set()
        if not known or len(words) > 1 and not known & {words[1], None}:
            raise ValueError(f"it depends on `{' '.join(words)}`, which is not in the file")
    kind = source.partition("+")[0] if "+" in source else ""
    if kind in ("git", "path"):
        raise Skipped(f"it has a {kind} source, so there is no checksum")
    given = {own.lower(), str(table.get(f"checksum {name} {version} ({source})", "<none>")).lower()}
    given = sorted(given - {"<none>"})
    for wrong, reason in (
            (kind not in REGISTRIES, "its source is not of a known kind"),
            (not given, "the lock file gives no checksum for it"),
            (len(given) > 1, "the lock file gives two checksums for it"),
            (not re.fullmatch("[0-9a-f]{64}", "".join(given)), "its checksum is not 64 hex digits"),
            (not VERSION.fullmatch(version), "its version is not one of SemVer"),
            (not name or ":" in name, "its name is empty or has a colon")):
        if wrong:
            raise ValueError(reason)
    return {"name": name, "version": version, "hash": f"sha256:{given[0]}", "source": source}


def read(lock):
    """Returns the items of a lock file, and what is not listed: names, versions and reasons."""
    packages = [lock[key] for key in ("root",) if key in lock] + lock.get("package", [])
    if not packages or not all(isinstance(package, dict) for package in packages):
        raise ValueError("it lists no packages")
    if lock.get("version", 1) not in range(5):
        raise ValueError(f"its version is {lock['version']!r}, and the last known one is 4")
    table = lock["metadata"] if isinstance(lock.get("metadata"), dict) else {}
    versions, items, hashes, unlisted = {}, {}, set(), []
    for package in packages:
        versions.setdefault(package.get("name"), set()).add(package.get("version"))
    for number, package in enumerate(packages, 1):
        try:
            new = item(package, versions, table)
            key, file = [(new["source"], new["name"], new[last]) for last in ("version", "hash")]
            if key in items:
                raise ValueError("the lock file lists it twice")
            if file in hashes:
                raise ValueError("another version of it has the same checksum")
            items[key] = new
            hashes.add(file)
        except (Skipped, ValueError) as reason:
            name = package.get("name", f"package {number} of the file")
            unlisted.append((name, package.get("version", ""), reason))
    keys = sorted(items, key=lambda key: (*key[:2], ascending(key[2])))
    for key in {key[:2]: key for key in keys}.values():
        items[key]["head"] = True
    return [items[key] for key in keys], unlisted


def main():
    if {"-h", "--help"} & set(sys.argv[1:]):
        sys.exit(print(__doc__))
    if len(sys.argv) != 2:
        sys.exit("usage: cargo_lock.py CARGO_LOCK")
    # Ends quietly when its reader does.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    try:
        with open(sys.argv[1], encoding="utf-8-sig") as file:
            items, unlisted = read(tomllib.loads(file.read()))
    except (OSError, TypeError, ValueError) as error:
        sys.exit(f"error: {sys.argv[1]}: {error}")
    for line in items:
        print(json.dumps(line))
    for name, version, reason in unlisted:
        text = f"not listed: {name} {version}: {reason}".encode("unicode_escape")
        print(text.decode(), file=sys.stderr)
    sys.exit(any(isinstance(reason, ValueError) for *_, reason in unlisted))


if __name__ == "__main__":
    main()
