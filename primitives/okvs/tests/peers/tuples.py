# SPDX-License-Identifier: Apache-2.0
"""Prints random tuples with the bytes that the published Python layer packs them to."""

import json
import random
import struct
import sys

from fdb import tuple as layer

random.seed(1)


def number_near_a_power():
    value = 2 ** random.choice([0, 7, 8, 16, 31, 32, 56, 63, 64, 72, 127, 128, 2039])
    return random.choice([1, -1]) * (value + random.randint(-2, 2))


def value(depth=0):
    """A value for the layer, and the same in JSON."""
    kind = random.choice(
        ["null", "bool", "bytes", "string", "int", "near", "float", "double", "uuid", "stamp"]
        + ["tuple"] * (2 if depth < 4 else 0)
    )
    if kind == "null":
        return None, {"t": "null"}
    if kind == "bool":
        truth = random.random() < 0.5
        return truth, {"t": "bool", "v": truth}
    if kind == "bytes":
        content = bytes(random.choice([0, 0, 1, 0x61, 0xFF]) for _ in range(random.randint(0, 6)))
        return content, {"t": "bytes", "hex": content.hex()}
    if kind == "string":
        text = "".join(random.choice("\0ab\xe9\uffff\U0001f4a9") for _ in range(random.randint(0, 6)))
        return text, {"t": "string", "utf8_hex": text.encode().hex()}
    if kind == "int":
        integer = random.choice([1, -1]) * random.getrandbits(random.randint(0, 2040))
        return integer, {"t": "int", "dec": str(integer)}
    if kind == "near":
        integer = number_near_a_power()
        return integer, {"t": "int", "dec": str(integer)}
    if kind == "float":
        bits = random.getrandbits(32)
        (number,) = struct.unpack(">f", struct.pack(">I", bits))
        if number != number:
            # The layer keeps floats as doubles, which changes the bits of some NaNs.
            return value(depth)
        return layer.SingleFloat(number), {"t": "float", "bits": "%08x" % bits}
    if kind == "double":
        bits = random.getrandbits(64)
        (number,) = struct.unpack(">d", struct.pack(">Q", bits))
        return number, {"t": "double", "bits": "%016x" % bits}
    if kind == "uuid":
        import uuid

        content = random.randbytes(16)
        return uuid.UUID(bytes=content), {"t": "uuid", "hex": content.hex()}
    if kind == "stamp":
        transaction, user = random.randbytes(9) + b"\0", random.getrandbits(16)
        item = {"t": "versionstamp", "tr": transaction.hex(), "user": user}
        return layer.Versionstamp(transaction, user), item
    return sequence(depth + 1, lambda items: {"t": "tuple", "items": items})


def sequence(depth, wrap):
    pairs = [value(depth) for _ in range(random.randint(0, 5))]
    return tuple(first for first, _ in pairs), wrap([second for _, second in pairs])


class Value:
    """What the layer takes from its native library, to turn versionstamps into bytes."""

    def __init__(self, content):
        self.content = content


import fdb

fdb.impl = type("impl", (), {"Value": Value})
for _ in range(int(sys.argv[1])):
    items, described = sequence(0, list)
    print(json.dumps({"tuple": described, "hex": layer.pack(items).hex()}))
