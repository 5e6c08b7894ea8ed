#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Every program explains itself with status 0, refuses wrong usage in one line with 2 and bad input in one with 1.

    usage: programs_test.py PROGRAM_FOLDER [unittest arguments]
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BIN = pathlib.Path()
# The arguments of each, "@" the file with bad input.
PROGRAMS = {
    "allocator_check": ["@"],
    "analysis_check": ["@"],
    "graph_report": ["@", "out"],
    "minilm_demo": ["--weights", "@", "--sentences", "@", "--out", "out"],
    "oracle_check": ["@"],
    "tilemeter": ["peak", "@"],
}
VERBS = [
    "attach", "check", "collect", "completion", "configs", "diff", "emit", "explain", "export", "figures", "fit", "graph", "html", "import", "levelized", "memory", "open", "overhead", "peak", "perfetto", "phases", "place", "plan", "print", "query",
    "recover", "run-cpp", "sizes", "summary", "svg", "tightest", "timeline", "tree", "watch",
]


class Programs(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        (self.folder / "bad").write_text("no report\n")

    def call(self, program: str, *arguments: str) -> subprocess.CompletedProcess:
        return subprocess.run(
            [str(BIN / program), *arguments], cwd=self.folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60,
            check=False,
        )

    def refused(self, status: int, program: str, *arguments: str) -> str:
        done = self.call(program, *arguments)
        said = f"{program} {arguments}: {done.returncode}, {done.stdout}{done.stderr}"
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (status, "", 1), said)
        self.assertTrue(done.stderr.startswith(program + ": "), said)
        self.assertEqual([path.name for path in self.folder.iterdir() if path.name != "out"], ["bad"])
        return done.stderr

    def test_each_explains_itself(self) -> None:
        for program in PROGRAMS:
            with self.subTest(program=program):
                done = self.call(program, "--help")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn("--help", done.stdout)

    def test_each_refuses_wrong_usage_in_one_line(self) -> None:
        for program, arguments in PROGRAMS.items():
            with self.subTest(program=program):
                self.refused(2, program)
                self.refused(2, program, "--no-such-option")
                self.refused(2, program, *(word.replace("@", "bad") for word in arguments), "--no-such\noption")

    def test_each_refuses_bad_input_in_one_line(self) -> None:
        for program, arguments in PROGRAMS.items():
            for file in ("bad", "absent"):
                with self.subTest(program=program, file=file):
                    self.assertIn(file, self.refused(1, program, *(word.replace("@", file) for word in arguments)))

    def test_a_file_of_calls_has_to_hold_calls(self) -> None:
        for text in ("[1]", '[{"function": 3}]', '{"extract_calltrace": {"value": []}}'):
            (self.folder / "bad").write_text(text)
            self.assertIn("expected", self.refused(1, "analysis_check", "bad"))

    def test_tilemeter_says_its_version(self) -> None:
        for option in ("--version", "-V"):
            done = self.call("tilemeter", option)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex(done.stdout, r"^tilemeter \d+\.\d+\.\d+\n$")

    def test_help_is_a_verb_too(self) -> None:
        whole = self.call("tilemeter", "--help")
        self.assertEqual(self.call("tilemeter", "help").stdout, whole.stdout)
        for verb in VERBS:
            with self.subTest(verb=verb):
                self.assertRegex(whole.stdout, rf"(?m)^  {verb} ")
                done = self.call("tilemeter", "help", verb)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertEqual(done.stdout, self.call("tilemeter", verb, "--help").stdout)
                if verb != "attach":  # it becomes the program, which has the output
                    self.assertIn("--json", done.stdout)
        self.assertIn("explain", self.refused(2, "tilemeter", "help", "explian"))

    def test_a_verb_that_is_none_gives_the_nearest(self) -> None:
        self.assertIn("no verb 'peek'", self.refused(2, "tilemeter", "peek", "bad"))
        for wrong, right in (("peek", "peak"), ("expalin", "explain"), ("levelised", "levelized"), ("sumary", "summary")):
            self.assertIn(f"'{right}'", self.refused(2, "tilemeter", wrong, "bad"))
        self.refused(2, "tilemeter", "")

    def test_the_verbs_are_those_named_here(self) -> None:
        lines = self.call("tilemeter", "--help").stdout.partition("Subcommands:")[2].splitlines()
        self.assertEqual(sorted(line.split()[0] for line in lines if line[:2] == "  " and line[2:3].isalpha()), VERBS)

    def test_the_small_program_answers_alone_and_says_what_it_lacks(self) -> None:
        small = self.folder / "alone" / "bin" / "tilemeter"
        small.parent.mkdir(parents=True)
        shutil.copy(BIN / "tilemeter", small)
        for arguments in (["--help"], ["peak", "--help"], ["help", "open"], ["completion", "bash"], ["--version"]):
            done = self.call(str(small), *arguments)
            self.assertEqual((done.returncode, done.stderr), (0, ""), arguments)
            self.assertNotRegex(done.stdout, r"(?m)^  sizes ")
        done = self.call(str(small), "sizes", "bad")
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1))
        self.assertIn("alone/libexec/tilemeter/tilemeter", done.stderr)
        complete = self.folder / "alone" / "libexec" / "tilemeter" / "tilemeter"
        complete.parent.mkdir(parents=True)
        complete.symlink_to(BIN.parent / "libexec" / "tilemeter" / "tilemeter")
        self.assertEqual(self.call(str(small), "sizes", "--help").stdout, self.call("tilemeter", "sizes", "--help").stdout)
        self.assertEqual(self.call(str(small), "--help").stdout, self.call("tilemeter", "--help").stdout)


if __name__ == "__main__":
    BIN = pathlib.Path(sys.argv[1]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
