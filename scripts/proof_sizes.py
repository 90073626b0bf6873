"""Corrects the proof sizes in a file of weights that the benchmark command has written: python3 proof_sizes.py FILE

The command takes the proof size of a call for that of the one map whose rows are the largest. But the rows of all maps that a call
reads or writes are in its proof, so here they are added up, each with what the command gives for it: its largest size and its path in a
trie of a million rows. Of a map whose rows grow in number with a component, all but one are in that component's factor already.
"""

import re
import sys

# The path to the pallet's rows, by the command.
TRIE_ROOT = 990
DECLARED = re.compile(r"^\tfn (\w+)\(.*\) -> Weight;$", re.M)
MEASURED = re.compile(r"((?:\t/// [^\n]*\n)*)\tfn (\w+)\([^\n]*\) -> Weight \{\n\t\t// Proof size:(.*?)\n\t\}", re.S)
ROW = re.compile(r"Storage: `.+` \(r:(\d+) w:(\d+)\)\n\t/// Proof: `.+` \(.*added: (\d+), mode: `MaxEncodedLen`\)")
# What a call reads at least once for each step of a component, it reads more often than any fixed row.
GROWS = "reads(u64::from("
MOST_FIXED = 2
FACTOR = r"(fn {}\(.*?\) -> Weight \{{\n(?:\t\t//.*\n)?\s*Weight::from_parts\([\d_]+, )\d+"

path = sys.argv[1]
with open(path, encoding="utf-8") as file:
    text = file.read()
calls = MEASURED.findall(text)
declared = DECLARED.findall(text)
if [name for _, name, _ in calls] != declared:
    sys.exit(f"{path}: {len(declared)} calls are declared, {len(calls)} have proof sizes")
for comments, name, body in calls:
    rows = [(max(int(reads), int(writes)), int(added)) for reads, writes, added in ROW.findall(comments)]
    if len(rows) != comments.count("Storage: "):
        sys.exit(f"{path}: {name} has rows without a largest size")
    grows = GROWS in body
    if not grows and any(count > MOST_FIXED for count, _ in rows):
        sys.exit(f"{path}: {name} has more rows of a map than are expected without a component")
    size = TRIE_ROOT + sum(added * (1 if grows and count > MOST_FIXED else count) for count, added in rows)
    text, count = re.subn(FACTOR.format(name), rf"\g<1>{size}", text)
    if count != 2:
        sys.exit(f"{path}: {name} stands there {count} times, not twice")
with open(path, "w", encoding="utf-8") as file:
    file.write(text)
