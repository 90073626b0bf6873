# SPDX-License-Identifier: Apache-2.0
"""Ids of versions as text."""

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def version(digest: bytes) -> str:
    """Returns a version as text."""
    number, text = int.from_bytes(digest, "big"), ""
    while number:
        number, digit = divmod(number, 58)
        text = ALPHABET[digit] + text
    return "hq__" + "1" * (len(digest) - len(digest.lstrip(b"\0"))) + text
