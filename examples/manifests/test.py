#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests the scripts of this folder. In `vectors`, each input has the manifest that it gives beside
it, and the names and versions that are not listed."""

import bz2
import contextlib
import gzip
import importlib
import io
import json
import lzma
import pathlib
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

HERE = pathlib.Path(__file__).resolve().parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(HERE))
VECTORS = HERE / "vectors"
LOCK = (HERE / "../../Cargo.lock").read_text()
INDEX = (VECTORS / "debian_packages/two_architectures.txt").read_bytes()


def run(script, *arguments):
    """Returns the exit code and the two outputs of a script."""
    out, err = io.StringIO(), io.StringIO()
    with (contextlib.redirect_stdout(out), contextlib.redirect_stderr(err),
          unittest.mock.patch("sys.argv", [script, *arguments])):
        try:
            importlib.import_module(script).main()
            code = 0
        except SystemExit as ended:
            code = ended.code
            if isinstance(code, str):
                code = print(code, file=sys.stderr) or 1
    return int(code or 0), out.getvalue(), err.getvalue()


class Scripts(unittest.TestCase):
    def run_on(self, script, data, *arguments, name="input"):
        """Runs a script on a file with this data. Returns its exit code and its two outputs."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, name)
            path.write_bytes(data if isinstance(data, bytes) else data.encode())
            return run(script, str(path), *arguments)

    def test_vectors(self):
        for path in sorted(VECTORS.glob("*/*")):
            if path.suffix not in (".lock", ".txt"):
                continue
            arguments = ["s"] if path.suffix == ".txt" else []
            with self.subTest(path.name):
                code, out, err = self.run_on(path.parent.name, path.read_bytes(), *arguments)
                expected = path.with_suffix(".jsonl").read_text().splitlines()
                self.assertEqual([json.loads(line) for line in out.splitlines()],
                                 [json.loads(line) for line in expected])
                unlisted = path.with_suffix(".unlisted")
                unlisted = unlisted.read_text().splitlines() if unlisted.exists() else []
                unlisted = [line.replace("\t", " ") for line in unlisted]
                found = [line.removeprefix("not listed: ") for line in err.splitlines()]
                for line in unlisted:
                    reasons = [reason for reason in found if reason.startswith(f"{line}: ")]
                    self.assertTrue(reasons, f"{line!r} is not in {found}")
                    found.remove(reasons[0])
                self.assertEqual(found, [])
                is_whole = all("source, so" in line for line in err.splitlines())
                self.assertEqual(code, 0 if is_whole else 1, err)

    def test_refused(self):
        """Nothing is listed of another file, or of one that was cut off."""
        package = '[[package]]\nname = "a"\nversion = "1.0.0"\n'
        stanza = "Package: a\nVersion: 1\nSize: 1\nSHA256: " + 64 * "1" + "\n"
        for script, texts in (
                ("cargo_lock", (
                    "", "version = 4\n", "not toml", '[package]\nname = "a"\nversion = "1.0.0"\n',
                    'version = "4"\n' + package, "version = 5\n" + package, package[:-2],
                    "package = [1]\n", b"version = 4\n# \xff\n", "Package: a\n")),
                ("debian_packages", (
                    "", "\n \n", "# a\n", "This is a text.\n", "\nb: a\n\n: b\n", stanza[:-1],
                    stanza + "\nPackage", stanza.replace(" a", ""), stanza + stanza,
                    gzip.compress(stanza.encode())[:-9], b"\xfd7zXZ\0damaged",
                    b"BZh91AY&SY\xff\xff", LOCK))):
            for text in texts:
                with self.subTest(f"{script} {text[:40]!r}"):
                    code, out, err = self.run_on(script, text)
                    self.assertEqual((code, out), (1, ""), err)
                    self.assertTrue(err)

    def test_compressions_and_sources(self):
        expected = (VECTORS / "debian_packages/two_architectures.jsonl").read_text()
        expected = [json.loads(line) for line in expected.splitlines()]
        for suffix, compress in (("", bytes), (".gz", gzip.compress), (".xz", lzma.compress),
                                 (".bz2", bz2.compress)):
            for arguments, source in ((["debian"], "debian"), ([], "Packages")):
                data = compress(INDEX)
                name = f"Packages{suffix}"
                code, out, err = self.run_on("debian_packages", data, *arguments, name=name)
                self.assertEqual((code, err), (0, ""))
                self.assertEqual([json.loads(line) for line in out.splitlines()],
                                 [item | {"source": source} for item in expected])

    def test_cut_off_lock_file(self):
        """The rest of a real lock file may be TOML, and even whole packages."""
        code, out, _ = self.run_on("cargo_lock", LOCK)
        self.assertEqual(code, 0)
        self.assertGreater(len(out.splitlines()), 1000)
        ends = [end for end in range(len(LOCK)) if LOCK.startswith("\n[[package]]", end)]
        for end in ends[1::len(ends) // 8]:
            self.assertEqual(self.run_on("cargo_lock", LOCK[:end])[0], 1, end)

    def test_usage(self):
        for script in ("cargo_lock", "debian_packages"):
            for arguments in ([], ["a", "b", "c"], ["/missing"]):
                code, out, err = run(script, *arguments)
                self.assertEqual((code, out), (1, ""))
                self.assertRegex(err, "^(usage|error): ")

            code, out, err = run(script, "--help")
            self.assertEqual((code, err), (0, ""))
            self.assertIn("| fabric publish -", out)

    def test_large_indexes(self):
        """A long run of blank lines takes no longer than as many other lines, and an index that
        unpacks to too many characters is refused."""
        stanza = INDEX.decode().rstrip("\n")
        for blank in ("", " ", "\r"):
            code, _, err = self.run_on("debian_packages", f"\n{blank}" * 300_000 + f"\n{stanza}\n")
            self.assertEqual((code, err), (0, ""))
        with unittest.mock.patch.object(importlib.import_module("debian_packages"), "MOST", 100):
            code, out, err = self.run_on("debian_packages", gzip.compress(INDEX))
        self.assertEqual((code, out), (1, ""))
        self.assertIn("has more than 100 characters", err)

    def test_ends_with_its_reader(self):
        """A reader that has read enough ends a script without a traceback."""
        command = f"{HERE}/cargo_lock.py {HERE}/../../Cargo.lock | head -n 1"
        ended = subprocess.run(command, shell=True, capture_output=True, text=True, check=True)
        self.assertEqual((ended.stdout.count("\n"), ended.stderr), (1, ""))

    def test_runs_as_a_program(self):
        ended = subprocess.run(HERE / "cargo_lock.py", capture_output=True, text=True, check=False)
        self.assertEqual((ended.returncode, ended.stderr[:7]), (1, "usage: "))


if __name__ == "__main__":
    unittest.main()
