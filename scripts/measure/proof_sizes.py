# SPDX-License-Identifier: Apache-2.0
"""Computes the proof sizes in a file of weights that the benchmark command has written.

    python3 proof_sizes.py FILE

The command gives a call the proof size of one map only, that with the largest rows, and takes every
map to have a million rows. Here the rows of all maps that a call touches are added up, each with its
largest size and its path in the trie. How long a path is depends on how many rows a map can be
expected to have: see `LAYERS`. The paths of a list share their upper part: see `OWN_LAYERS`.
`runtime/tests/blocks/proofs.rs` compares the result with proofs.
"""

import re
import sys

# Bytes of a full branch of the trie: 16 hashes with their lengths, and what is around them.
BRANCH = 532
# Branches above the pallets, and above the maps of a pallet, each of which is in a proof once.
PALLETS_AND_MAPS = 2
# Bytes of a value that is not in a map, beside the value.
VALUE = 40
# Full branches on the path to a row: with 5, a map has up to a million rows. The path to a child
# parts from the paths to its parent's other children below the layers that tell parents apart.
# These hold for a million rows in all maps together, half of them under one tenant.
FLAT = 5
NESTED = 7
LAYERS = {
    "System::Account": FLAT,
    # As many blocks as transactions can name.
    "System::BlockHash": 3,
    "Balances::Holds": FLAT,
    "ContentFabric::Spaces": FLAT,
    "ContentFabric::Admissions": NESTED,
    "ContentFabric::Providers": FLAT,
    "ContentFabric::ProviderKeys": NESTED,
    "ContentFabric::Nodes": NESTED,
    "ContentFabric::Tenants": FLAT,
    "ContentFabric::TenantKeys": NESTED,
    "ContentFabric::Kmses": NESTED,
    "ContentFabric::ContentObjects": NESTED,
    # The versions of one object lie below what tells the objects of a tenant apart.
    "ContentFabric::Versions": NESTED + 1,
    "ContentFabric::Collections": NESTED,
    "ContentFabric::Records": NESTED,
    # Purges that are under way.
    "ContentFabric::Purges": 2,
    "ContentFabric::DeletionQueue": 2,
}
# Number of layers that each row of a list has to itself, and number of layers that the first few
# rows have together beyond the layers of one row. Rows of one member part in the upper layers: a
# long list shares those.
OWN_LAYERS = 1.9
PARTING_LAYERS = 2
# A value that FRAME keeps for a pallet, or that only a migration knows, is not described.
UNKNOWN_SIZE = 64
# Lists of new rows. The proof that there is no row has no value in it.
NEW_ROWS = {"commit_versions": ("ContentFabric::Versions",)}
# Rows of one member lie side by side. Removing them all needs the path to the first one, and for
# each row at most a branch with two children.
SIDE_BY_SIDE = ("reap", "clear_prefix")
# They may be the rows of all maps of a tenant, each of which needs a path: one is measured.
MAPS_OF_A_TENANT = {"reap": 6}
SMALL_BRANCH = 110
# Values that the reference runtime reads before it makes any call, to see whether it is paused. The
# calls of the pallet claim them, as nothing else does.
BRAKES = 2
# Weights of work that looks only at changes that are not in the state yet.
WITHOUT_PROOF = ("overlay_scan",)
# Longest record key. The bytes of the keys in a list are counted for themselves.
KEY_BYTES = "_key_bytes"
MAX_KEY_LEN = 512
# Bytes of a collection's hash and longest name in the key of a record. The keys of a list share
# them.
COLLECTION_BYTES = 16 + 2 + 317
# A call that touches more rows of a map than this touches as many as a component says.
MOST_FIXED = 2
# The members and nodes that a commit asks are few, and of any member: each has a path of its own,
# but for the upper layer.
SHORT_LIST = 16

DECLARED = re.compile(r"^\tfn (\w+)\(.*\) -> Weight;$", re.M)
MEASURED = re.compile(r"((?:\t/// [^\n]*\n)*)\tfn (\w+)\(([^\n]*)\) -> Weight \{\n(.*?)\n\t\}", re.S)
KNOWN = re.compile(
    r"Storage: `(\S+)` \(r:(\d+) w:(\d+)\)\n"
    r"\t/// Proof: `\S+` \(`max_values`: (\S+), `max_size`: Some\((\d+)\), added: \d+, mode: `MaxEncodedLen`\)"
)
UNKNOWN = re.compile(r"Storage: UNKNOWN KEY `\w+` \(r:(\d+) w:(\d+)\)")
RANGE = re.compile(r"The range of component `(\w+)` is `\[(\d+), (\d+)\]`")
# Terms of a weight that are proof sizes alone: the command's, for components.
SLOPE = re.compile(r"\n\s*\.saturating_add\(Weight::from_parts\(0, \d+\)\.saturating_mul\(\w+\.into\(\)\)\)")
BASE = re.compile(r"(Weight::from_parts\([\d_]+, )\d+\)")


def sizes(path, name, comments, names):
    """Returns the fixed size of a call's proof, and what each step of each component adds."""
    if name in WITHOUT_PROOF:
        return 0, {}
    ranges = RANGE.findall(comments)
    known = KNOWN.findall(comments)
    unknown = UNKNOWN.findall(comments)
    if len(known) + len(unknown) != comments.count("Storage: "):
        sys.exit(f"{path}: {name} has rows without a largest size")
    fixed = PALLETS_AND_MAPS * BRANCH + BRAKES * (SMALL_BRANCH + VALUE) + sum(UNKNOWN_SIZE * max(map(int, counts)) for counts in unknown)
    grown = {}
    for storage, reads, writes, max_values, max_size in known:
        count, size = max(int(reads), int(writes)), int(max_size)
        if max_values != "None":
            fixed += VALUE + size
            continue
        if storage not in LAYERS:
            sys.exit(f"{path}: {name} touches {storage}, whose number of rows is not known")
        layers = LAYERS[storage]
        if count <= MOST_FIXED:
            fixed += count * (layers * BRANCH + size)
        elif name.endswith(KEY_BYTES):
            # As many rows whatever the component is.
            fixed += layers * BRANCH + size
        else:
            # The component with the longest list that is not longer than the rows.
            lists = [(int(last), component) for component, _, last in ranges if int(last) <= count]
            if not lists:
                sys.exit(f"{path}: {name} touches {count} rows of {storage}, and no component says so")
            last, component = max(lists)
            if last <= SHORT_LIST:
                own = (layers - 1) * BRANCH
                fixed += layers * BRANCH + size
            elif name in SIDE_BY_SIDE:
                own = SMALL_BRANCH
                fixed += MAPS_OF_A_TENANT.get(name, 1) * layers * BRANCH - own
            else:
                own = round(OWN_LAYERS * BRANCH)
                fixed += (layers + PARTING_LAYERS) * BRANCH
            if name + KEY_BYTES in names and storage == "ContentFabric::Records":
                size -= MAX_KEY_LEN + COLLECTION_BYTES
                fixed += COLLECTION_BYTES
            if storage in NEW_ROWS.get(name, ()):
                size = 0
            grown[component] = grown.get(component, 0) + (own + size) * round(count / last)
    if name.endswith(KEY_BYTES):
        grown = {ranges[0][0]: 1}
    return fixed, grown


def with_sizes(body, fixed, grown):
    body = SLOPE.sub("", body)
    body, count = BASE.subn(rf"\g<1>{fixed})", body, count=1)
    assert count == 1
    for component, size in grown.items():
        body += f"\n\t\t\t.saturating_add(Weight::from_parts(0, {size}).saturating_mul({component}.into()))"
    return body


def main(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    declared = DECLARED.findall(text)
    measured = MEASURED.findall(text)
    found = {name: sizes(path, name, comments, declared) for comments, name, _, _ in measured}
    if list(found) != declared:
        sys.exit(f"{path}: {len(declared)} calls are declared, {len(found)} were measured")

    def replace(match):
        comments, name, arguments, body = match.groups()
        return f"{comments}\tfn {name}({arguments}) -> Weight {{\n{with_sizes(body, *found[name])}\n\t}}"

    with open(path, "w", encoding="utf-8") as file:
        file.write(MEASURED.sub(replace, text))


main(sys.argv[1])
