# SPDX-License-Identifier: Apache-2.0
"""Adds rows of random keys and values to the genesis of a raw chain specification.

Usage: storage_spec.py ROWS < SPECIFICATION > SPECIFICATION

The rows are as long as most of the fabric's: a map's prefix of 32 bytes, two ids or keys behind
their hashes, and 60 bytes of a value. They are under a prefix that no pallet has.
"""

import hashlib
import json
import os
import sys

# Bytes of a key after the prefix of its map, and bytes of a value.
KEY, VALUE = 40, 60


def main():
    rows = int(sys.argv[1])
    specification = json.load(sys.stdin)
    top = specification["genesis"]["raw"]["top"]
    prefix = hashlib.sha256(b"rows of the storage benchmark").hexdigest()
    for _ in range(rows):
        top[f"0x{prefix}{os.urandom(KEY).hex()}"] = f"0x{os.urandom(VALUE).hex()}"
    json.dump(specification, sys.stdout)


main()
