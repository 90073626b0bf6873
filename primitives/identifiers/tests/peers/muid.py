# SPDX-License-Identifier: Apache-2.0
"""Reads a JSON text a line, and prints what gink's parser makes of it: [timestamp, medallion, offset] or null."""

import json
import sys

from gink.impl.muid import Muid

for line in sys.stdin:
    try:
        muid = Muid.from_str(json.loads(line))
        print(json.dumps([muid.timestamp, muid.medallion, muid.offset]))
    except (ValueError, AssertionError):
        print("null")
