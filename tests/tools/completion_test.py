#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Completion in the shells themselves, the page of the manual, and the examples of all helps, which run as they stand.

    usage: completion_test.py PROGRAM_FOLDER [unittest arguments]
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

BIN = pathlib.Path()
REPORTS = pathlib.Path(__file__).resolve().parents[1] / "data" / "reports"
# Their files are made by programs that record or trace, or are programs; or they go on until Ctrl-C.
NOT_RUN = {"attach", "collect", "emit", "graph", "import", "memory", "open", "place", "plan", "query", "recover", "run-cpp", "sizes", "watch"}


def say(*arguments: str, **options) -> subprocess.CompletedProcess:
    return subprocess.run([str(each) for each in arguments], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120, **options)


def tilemeter(*arguments: str) -> str:
    return say(BIN / "tilemeter", *arguments, check=True).stdout


def verbs() -> list[str]:
    lines = tilemeter("--help").partition("Subcommands:")[2].splitlines()
    return [line.split()[0] for line in lines if line[:2] == "  " and line[2:3].isalpha()]


class Completion(unittest.TestCase):
    def setUp(self) -> None:
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def needs(self, program: str) -> None:
        if shutil.which(program) is None:
            self.skipTest(f"no {program} here")

    def script(self, shell: str) -> pathlib.Path:
        path = self.folder / f"completion.{shell}"
        path.write_text(tilemeter("completion", shell))
        return path

    def test_bash_completes_verbs_options_and_values(self) -> None:
        path = self.script("bash")
        for words, expected in (
            (["pe"], ["peak", "perfetto"]), (["peak", "--me"], ["--memory"]), (["peak", "--memory", ""], ["l1", "dram", "all"]),
            (["peak", "--memory", "="], ["l1", "dram", "all"]), (["peak", "--memory", "=", "d"], ["dram"]),
            (["completion", ""], ["bash", "zsh", "fish", "man"]), (["help", "pe"], ["peak", "perfetto"]), (["he"], ["help"]),
            (["completion", "--js"], ["--json"]), (["no-such", "--"], []), (["peak", "a file"], []),
        ):
            code = f'source "{path}"; COMP_WORDS=(tilemeter "${{@}}"); COMP_CWORD=$#; _tilemeter; printf "%s\\n" "${{COMPREPLY[@]}}"'
            done = say("bash", "-euc", code, "bash", *words, check=True)
            self.assertEqual(done.stdout.split(), expected, words)

    def test_zsh_takes_it(self) -> None:
        self.needs("zsh")
        path = self.script("zsh")
        self.assertEqual(say("zsh", "-n", path).stderr, "")
        code = f'autoload -U compinit; compinit -u -d "{self.folder}/dump"; source "{path}"; print $_comps[tilemeter]'
        self.assertEqual(say("zsh", "-fc", code, check=True).stdout.strip(), "_tilemeter")

    def test_fish_completes_verbs_options_and_values(self) -> None:
        self.needs("fish")
        path = self.script("fish")
        environment = {**os.environ, "HOME": str(self.folder)}
        for line, expected in (("tilemeter pe", ["peak", "perfetto"]), ("tilemeter peak --mem", ["--memory"]), ("tilemeter peak --memory ", ["all", "dram", "l1"]),
                               ("tilemeter completion z", ["zsh"]), ("tilemeter help pe", ["peak", "perfetto"])):
            done = say("fish", "-c", f'source "{path}"; complete -C "{line}"', check=True, env=environment)
            self.assertEqual(sorted(each.split("\t")[0] for each in done.stdout.splitlines()), expected)

    def test_the_manual_has_every_verb_and_option(self) -> None:
        page = self.folder / "tilemeter.1"
        page.write_text(tilemeter("completion", "man"))
        text = page.read_text().replace("\\-", "-")
        for verb in verbs():
            section = text.partition(f".SS {verb}\n")[2].partition(".SS ")[0]
            if verb != "completion":
                for option in re.findall(r"^  (?:-\w,)?(--[\w-]+)", tilemeter(verb, "--help"), re.MULTILINE):
                    self.assertIn(option, section + "--help", verb)
        self.needs("groff")
        self.assertEqual(say("groff", "-man", "-Tutf8", "-ww", page).stderr, "")

    def test_the_example_of_each_help_runs(self) -> None:
        shutil.copy(REPORTS / "error_clash.n150.NORMAL" / "report.json", self.folder / "report.json")
        for name in ("before", "after"):
            shutil.copy(REPORTS / "add.n150.NORMAL" / "report.json", self.folder / f"{name}.json")
        path = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}"}
        for verb in verbs():
            found = re.search(r"^Example: (tilemeter .*)$", tilemeter(verb, "--help"), re.MULTILINE)
            self.assertTrue(found, f"{verb}: no example")
            self.assertTrue(found[1].startswith(f"tilemeter {verb}"))
            if verb not in NOT_RUN:
                done = say("bash", "-c", found[1], cwd=self.folder, env=path)
                self.assertIn(done.returncode, (0, 3, 4), (found[1], done.stderr))
                self.assertEqual(done.stderr, "", found[1])

    def test_an_option_that_is_none_gives_the_nearest(self) -> None:
        for words, said in ((["peak", "--topp", "3", "x"], "no option '--topp'; did you mean '--top'?"), (["fit", "x", "--devise=p150"], "did you mean '--device'?"),
                            (["peak", "x", "--nothing-alike"], "there are: --help")):
            done = say(BIN / "tilemeter", *words)
            self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (2, "", 1))
            self.assertIn(said, done.stderr)


if __name__ == "__main__":
    BIN = pathlib.Path(sys.argv[1]).resolve()
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
