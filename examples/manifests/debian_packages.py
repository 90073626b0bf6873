#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints a manifest of the packages in a Packages index of a Debian archive:

    debian_packages.py Packages.xz [SOURCE] | fabric publish -

SOURCE is the name of the file by default. The highest version of a package is its head. A version
ends with its architecture, as the names of files do: 1.0_amd64. Stanzas that cannot be published go
to standard error, and the exit code is 1."""

import bz2
import gzip
import json
import lzma
import os.path
import re
import signal
import sys
import zlib

OPENERS = {b"\x1f\x8b": gzip.open, b"BZ": bz2.open, b"\xfd7": lzma.open}
VERSION = re.compile(r"(?:(\d+):)?([A-Za-z0-9.+:~-]+?)(?:-([A-Za-z0-9+.~]+))?", re.ASCII)
# The longest index that is read, unpacked, in characters.
MOST = 1 << 30
EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


def ascending(version):
    """Returns the key that sorts versions as dpkg does: `~` is before the end, letters after it."""
    def weights(text):
        return [-1 if char == "~" else ord(char) + 256 * (not char.isalpha())
                for char in text] + [0]
    epoch, *parts = VERSION.fullmatch(version.split("_")[0]).groups()
    return int(epoch or 0), [[(weights(text), int(number or -1))
                              for text, number in re.findall(r"(\D*)(\d*)", part or "0")]
                             for part in parts]


def stanzas(lines):
    """Yields the stanzas, each with the number of its first line. An empty line ends one. Lines of
    blanks do so if the next stanza follows, as descriptions have such lines, too."""
    def names_package(at):
        while at < len(lines) and lines[at].strip():
            if lines[at].lower().startswith("package:"):
                return True
            at += 1
        return False

    start = at = 0
    while at < len(lines):
        blank = at
        while at < len(lines) and not lines[at].strip(" \t\r"):
            at += 1
        if blank == at:
            at += 1
        elif any(line in ("", "\r") for line in lines[blank:at]) or (
                at < len(lines) and lines[at][0] not in " \t" and names_package(at)):
            yield start + 1, lines[start:blank]
            start = at
    yield start + 1, lines[start:]


def fields(stanza):
    """Returns the function that returns the value of a field."""
    found = {}
    for field in re.split(r"\n(?![ \t])", "\n".join(stanza)):
        key, colon, value = field.partition(":")
        if not (key and colon) or "\n" in key or key[0] in " \t":
            raise ValueError(f"{field[:80]!r} is not a field")
        found.setdefault(key.lower(), []).append(value)

    def value(key, default=None):
        given, *more = found.get(key.lower(), [default])
        if given is None:
            raise ValueError(f"it has no {key}")
        if more or "\n" in given or len(given.strip()) > 4096:
            raise ValueError(f"its {key} is not one value of at most 4096 bytes")
        return given.encode("latin-1").decode().strip()
    return value


def item(value, source):
    """Returns the item of a stanza."""
    name, version, sha256, size = (value(key) for key in ("Package", "Version", "SHA256", "Size"))
    known = VERSION.fullmatch(version)
    for wrong, reason in (
            (":" in name, "its Package has a colon"),
            (not known or int(known[1] or 0) >> 32, "its Version is not one of Debian's"),
            (not re.fullmatch("[0-9a-fA-F]{64}", sha256), "its SHA256 has not 64 hex digits"),
            (not re.fullmatch("[0-9]{1,20}", size) or int(size) >> 64, "its Size is not a number"),
            ((size.strip("0") == "") != (sha256.lower() == EMPTY), "Size and SHA256 do not fit")):
        if wrong:
            raise ValueError(reason)
    architecture = value("Architecture", "all")
    if architecture not in ("", "all"):
        version += f"_{architecture}"
    return {"name": name, "version": version, "hash": f"sha256:{sha256.lower()}",
            "size": int(size), "source": source}


def read(text, source):
    """Returns the items of an index, and what is not listed: names, versions and reasons."""
    items, files, unlisted = {}, {}, []
    for line, stanza in stanzas(text.split("\n")):
        name = version = ""
        stanza = [line for line in stanza if line.strip(" \t\r") and line[0] != "#"]
        try:
            if stanza:
                value = fields(stanza)
                if not (name := value("Package")):
                    raise ValueError("it names no Package")
                version = value("Version", "")
                new = item(value, source)
                known = files.get((name, new["hash"]), (version, new["size"]))
                if known[0] != version:
                    raise ValueError("another version of it has the same checksum")
                if known[1] != new["size"]:
                    raise ValueError("the index gives its file another size, too")
                if items.setdefault((name, new["version"]), new) != new:
                    raise ValueError("another file has this version and architecture, too")
                files[name, new["hash"]] = known
        except ValueError as reason:
            unlisted.append((name or f"the stanza from line {line} on", version, reason))
    ascend = sorted(items.values(), key=lambda new: (new["name"], ascending(new["version"])))
    for last in {new["name"]: new for new in ascend}.values():
        last["head"] = True
    return ascend, unlisted


def main():
    if {"-h", "--help"} & set(sys.argv[1:]):
        sys.exit(print(__doc__))
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: debian_packages.py PACKAGES [SOURCE]")
    # Ends quietly when its reader does.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    path = sys.argv[1]
    source = (*sys.argv[2:], re.sub(r"(?<=.)\.(gz|xz|bz2)$", "", os.path.basename(path)))[0]
    try:
        with open(path, "rb") as file:
            opener = OPENERS.get(file.read(2), open)
        # Bytes that are not UTF-8 matter only in the fields that are used.
        with opener(path, "rt", encoding="latin-1", newline="\n") as file:
            text = file.read(MOST).removeprefix("\xef\xbb\xbf")
            if file.read(1):
                sys.exit(f"error: {path} has more than {MOST} characters")
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        sys.exit(f"error: {path} cannot be read: {error}")
    if text.strip() and not text.endswith("\n"):
        sys.exit(f"error: the last line of {path} has no newline, so the file was cut off")
    items, unlisted = read(text, source)
    if not items and not unlisted:
        sys.exit(f"error: {path} lists no packages")
    for line in items:
        print(json.dumps(line))
    for name, version, reason in unlisted:
        text = f"not listed: {name} {version}: {reason}".encode("unicode_escape")
        print(text.decode(), file=sys.stderr)
    sys.exit(bool(unlisted))


if __name__ == "__main__":
    main()
