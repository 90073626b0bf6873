"""Corrects the proof sizes in a file of weights that the benchmark command has written: python3 proof_sizes.py FILE

The command takes the proof size of a call for that of the one map whose rows are the largest. But the rows of all maps that a call
reads are in its proof, so here they are added up, each with what the command gives for it, its largest size and its path in a trie of
a million rows. Rows whose number grows with a component are in that component's factor already, but for the one that the walk ends at.
"""

import re
import sys

# The path to the pallet's rows, by the command.
TRIE_ROOT = 990
FUNCTION = re.compile(r"((?:\t/// .*\n)+)\tfn (\w+)\(.*?\) -> Weight \{\n\t\t// Proof size:")
ROW = re.compile(r"Storage: `.+` \(r:(\d+) w:\d+\)\n\t/// Proof: `.+` \(.*added: (\d+), mode: `MaxEncodedLen`\)")
FACTOR = r"(fn {}\(.*?\) -> Weight \{{\n(?:\t\t//.*\n)?\s*Weight::from_parts\([\d_]+, )\d+"

path = sys.argv[1]
with open(path, encoding="utf-8") as file:
    text = file.read()
calls = FUNCTION.findall(text)
if not calls:
    sys.exit(f"{path}: no proof sizes")
for comments, name in calls:
    rows = [(int(reads), int(added)) for reads, added in ROW.findall(comments)]
    if len(rows) != comments.count("Storage: "):
        sys.exit(f"{path}: {name} has rows without a largest size")
    grows = "The range of component" in comments
    size = TRIE_ROOT + sum(added * (1 if grows and reads > 2 else reads) for reads, added in rows)
    text, count = re.subn(FACTOR.format(name), rf"\g<1>{size}", text)
    if count != 2:
        sys.exit(f"{path}: {name} stands there {count} times, not twice")
with open(path, "w", encoding="utf-8") as file:
    file.write(text)
