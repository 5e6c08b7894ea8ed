#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Every verb that writes a file does so by one rule, whatever lies where the file is to be.

    usage: output_files_test.py PROGRAM_FOLDER [unittest arguments]
"""

import os
import pathlib
import shutil
import stat
import subprocess
import sys
import tempfile
import threading
import unittest

BIN = pathlib.Path()
DATA = pathlib.Path(__file__).resolve().parents[2] / "data"
REPORT = DATA / "reports" / "add.n150.NORMAL" / "report.json"
PROGRAM = DATA / "compiled" / "mlp_o2.mlir"
GRAPH = DATA / "trace" / "square_of_softmax.graph"
GATE = ("--max-l1", "100%", "--allow-incomplete")
# The arguments of each, "@" its input and "OUT" the file that it writes.
WRITERS = {
    "check --junit": (REPORT, ("check", "@", *GATE, "--junit", "OUT")),
    "emit": (PROGRAM, ("emit", "@", "-o", "OUT.py")),
    "export": (REPORT, ("export", "@", "OUT")),
    "graph": (GRAPH, ("graph", "@", "--as", "svg", "-o", "OUT")),
    "graph --json": (GRAPH, ("graph", "@", "--json", "-o", "OUT")),
    "html": (REPORT, ("html", "@", "-o", "OUT")),
    "perfetto": (REPORT, ("perfetto", "@", "-o", "OUT")),
    "place": (PROGRAM, ("place", "@", "-o", "OUT")),
    "plan": (PROGRAM, ("plan", "@", "-o", "OUT")),
    "svg": (REPORT, ("svg", "@", "-o", "OUT")),
}
# Verbs with an answer of their own on standard output, which is no place for the file.
ANSWERING = ("export", "place", "plan")


class OutputFiles(unittest.TestCase):
    def with_each(self, check) -> None:
        """Calls check(name, words) for each writer, in a folder with its input alone."""
        for name, (source, words) in WRITERS.items():
            with self.subTest(writer=name), tempfile.TemporaryDirectory() as folder:
                self.folder = pathlib.Path(folder)
                self.source = self.folder / source.name
                shutil.copyfile(source, self.source)
                self.suffix = next(word[len("OUT") :] for word in words if word.startswith("OUT"))
                check(name, words)

    def call(self, words, out, status=0) -> str:
        arguments = [str(self.source) if word == "@" else str(out) if word.startswith("OUT") else word for word in words]
        done = subprocess.run(
            [str(BIN / "tilemeter"), *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
            check=False,
        )
        self.assertEqual(done.returncode, status, f"{arguments}: {done.stdout[:500]}{done.stderr}")
        return done.stderr

    def whole(self, words) -> bytes:
        out = self.folder / f"first{self.suffix}"
        self.call(words, out)
        content = out.read_bytes()
        self.assertGreater(len(content), 100)
        return content

    def assert_as_long(self, content: bytes, other: bytes) -> None:
        """Of two runs: reports have durations."""
        self.assertLess(abs(len(content) - len(other)), len(other) / 100)

    def test_an_old_file_is_replaced_with_its_permissions(self) -> None:
        def check(_, words) -> None:
            content = self.whole(words)
            old = self.folder / f"old{self.suffix}"
            old.write_text("old")
            old.chmod(0o640)
            self.call(words, old)
            self.assertEqual(stat.S_IMODE(old.stat().st_mode), 0o640)
            self.assert_as_long(old.read_bytes(), content)

        self.with_each(check)

    def test_a_link_is_followed(self) -> None:
        def check(_, words) -> None:
            target, link = self.folder / "target", self.folder / f"link{self.suffix}"
            target.write_text("old")
            link.symlink_to(target.name)
            self.call(words, link)
            self.assertTrue(link.is_symlink())
            self.assertNotEqual(target.read_bytes(), b"old")

        self.with_each(check)

    def test_a_pipe_stays_one_and_has_all(self) -> None:
        def check(_, words) -> None:
            content = self.whole(words)
            pipe = self.folder / f"pipe{self.suffix}"
            os.mkfifo(pipe)
            read = []
            reader = threading.Thread(target=lambda at: read.append(at.read_bytes()), args=(pipe,))
            reader.start()
            try:
                self.call(words, pipe)
            finally:
                if not read and reader.is_alive() and not stat.S_ISFIFO(pipe.lstat().st_mode):
                    self.fail(f"{pipe} is a pipe no more")  # its reader waits in vain, and ends with the process
            reader.join(timeout=60)
            self.assertTrue(stat.S_ISFIFO(pipe.lstat().st_mode))
            self.assert_as_long(read[0], content)

        self.with_each(check)

    def test_the_input_stays(self) -> None:
        def check(_, words) -> None:
            if self.suffix:  # its name would be a folder's
                return
            before = self.source.read_bytes()
            twin = self.folder / "twin"
            os.link(self.source, twin)
            for out in (self.source, twin):
                said = self.call(words, out, status=2)
                self.assertIn("expected a file to write that is no input", said)
            self.assertEqual(self.source.read_bytes(), before)

        self.with_each(check)

    def test_what_cannot_be_written_is_said_and_leaves_nothing(self) -> None:
        def check(_, words) -> None:
            said = self.call(words, self.folder, status=1) if not self.suffix else self.call(words, f"/proc/none{self.suffix}", status=1)
            self.assertEqual(said.count("\n"), 1)
            self.assertEqual([path.name for path in self.folder.iterdir()], [self.source.name])

        self.with_each(check)

    def test_standard_output_is_no_file_beside_an_answer(self) -> None:
        def check(name, words) -> None:
            if name in ANSWERING:
                self.assertIn("found standard output", self.call(words, "-", status=2))
            self.assertEqual([path.name for path in self.folder.iterdir()], [self.source.name])

        self.with_each(check)

    @unittest.skipUnless(pathlib.Path("/dev/full").exists(), "no /dev/full")
    def test_an_answer_that_nobody_got_is_a_failure(self) -> None:
        calls = [
            ("check", REPORT, *GATE), ("check", REPORT, *GATE, "--json"), ("fit", REPORT), ("fit", REPORT, "--json"), ("peak", REPORT),
            ("diff", REPORT, REPORT, "--exit-code"), ("tree", REPORT), ("--help",), ("--version",), ("graph", GRAPH), ("graph", GRAPH, "--json"),
        ]
        for words in calls:
            with self.subTest(words=words), open("/dev/full", "wb") as full:
                done = subprocess.run([str(BIN / "tilemeter"), *map(str, words)], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False)
                self.assertEqual(done.returncode, 1)
                self.assertIn("standard output: cannot be written", done.stderr)


if __name__ == "__main__":
    BIN = pathlib.Path(sys.argv.pop(1)).resolve()
    unittest.main()
