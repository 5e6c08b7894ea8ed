#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A command that people run in tools/ or tests/ explains itself, refuses what it does not know, and harms no folder."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def scripts() -> list[pathlib.Path]:
    """Executable files with an interpreter's name in their first line."""
    return sorted(
        path
        for top in ("tools", "tests")
        for path in (ROOT / top).rglob("*")
        if path.is_file() and os.access(path, os.X_OK) and path.read_bytes()[:2] == b"#!"
    )


def first_line(script: pathlib.Path) -> str:
    """The first line of its header."""
    lines = script.read_text(encoding="utf-8").splitlines()[3:]
    return next(line for line in lines if line).removeprefix("# ").removeprefix('"""')


def call(script: pathlib.Path, *arguments: str, folder: str) -> subprocess.CompletedProcess:
    """From `folder`, so that what a script should not make or remove shows there."""
    return subprocess.run(
        [str(script), *arguments], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=False
    )


class Scripts(unittest.TestCase):
    def setUp(self) -> None:
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.folder = pathlib.Path(self.temporary.name)

    def names(self) -> set[str]:
        return {path.relative_to(self.folder).as_posix() for path in self.folder.rglob("*")}

    def refused(self, script: str, *arguments: str, status: int) -> str:
        done = call(ROOT / script, *arguments, folder=self.temporary.name)
        said = f"{script} {arguments}: {done.returncode}, {done.stdout}{done.stderr}"
        self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (status, "", 1), said)
        return done.stderr

    def test_all_are_found(self) -> None:
        found = {path.relative_to(ROOT).as_posix() for path in scripts()}
        self.assertLessEqual({"tools/build", "tools/test", "tools/python/environment", "tests/acceptance/run"}, found)

    def test_each_shows_its_header_when_asked_for_help(self) -> None:
        for script in scripts():
            with self.subTest(script=script.relative_to(ROOT).as_posix()):
                done = call(script, "--help", folder=self.temporary.name)
                self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
                self.assertTrue(done.stdout.startswith(first_line(script)), done.stdout)
                self.assertIn("usage: ", done.stdout)
                self.assertNotIn("SPDX", done.stdout)
                self.assertEqual(self.names(), set())

    def test_each_refuses_an_unknown_option_in_one_line(self) -> None:
        for script in scripts():
            with self.subTest(script=script.relative_to(ROOT).as_posix()):
                said = self.refused(script.relative_to(ROOT).as_posix(), "--no-such-option", status=2)
                self.assertTrue(said.startswith(f"{script.name}: "), said)
                self.assertEqual(self.names(), set())

    def test_a_folder_that_somebody_else_filled_stays(self) -> None:
        (self.folder / "precious").mkdir()
        (self.folder / "precious" / "thesis.txt").write_text("important")
        (self.folder / "venv").mkdir()
        (self.folder / "venv" / "pyvenv.cfg").write_text("home = /usr/bin\n")
        (self.folder / "linked").symlink_to("precious")
        (self.folder / "file").write_text("")
        before = self.names()
        for name in ("precious", "precious/../precious/", str(self.folder / "precious"), "venv", "linked", "file", "."):
            for script in ("tools/python/environment", "tools/documentation/build"):
                said = self.refused(script, "--", name, status=1)
                self.assertIn("expected a new or empty folder", said)
                self.assertEqual(self.names(), before, name)
        self.assertEqual((self.folder / "precious" / "thesis.txt").read_text(), "important")

    def test_wrong_arguments_are_refused_before_anything_happens(self) -> None:
        for script, *arguments in (
            ("tools/python/environment", "a", "b"),
            ("tools/python/environment", ""),
            ("tools/documentation/build", "a", "b"),
            ("tools/documentation/build", ""),
            ("tools/build", "no-such-preset"),
            ("tools/build", "install"),
            ("tools/build", "install", "a", "b"),
            ("tools/install_packages", "build", "no-such-group"),
            ("tools/fetch_weights",),
            ("tools/fetch_weights", "a", "b"),
            ("tools/demo", "fast"),
            ("tools/test", "--filter"),
            ("tools/soak", "--minutes", "-1"),
            ("tools/bench-peers", "none"),
            ("tools/compile_costs", "a", "b"),
            ("tests/acceptance/run", "../../precious"),
            ("tests/acceptance/run", ".."),
            ("tests/workloads/compare_with_recording", "program"),
        ):
            self.refused(script, *arguments, status=2)
            self.assertEqual(self.names(), set())

    @unittest.skipIf(shutil.which("git") is None, "no git here, with which a release is made")
    def test_a_release_is_of_a_version_that_has_its_changes(self) -> None:
        clone = self.folder / "clone"
        cloned = subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], capture_output=True, text=True, check=False)
        if cloned.returncode != 0:
            self.skipTest(f"no clone of this tree can be made: {cloned.stderr.strip()}")
        changelog = clone / "CHANGELOG.md"

        def release() -> subprocess.CompletedProcess:
            return subprocess.run([str(clone / "tools" / "release"), "--no-wheels", "--no-documentation"], capture_output=True, text=True, timeout=60, check=False)

        changelog.write_text(changelog.read_text().replace("## Unreleased", "## 0.0.0"))
        self.assertIn("CHANGELOG.md: expected a heading", release().stderr)
        version = re.search(r"project\(tilemeter VERSION ([0-9.]+)", (clone / "CMakeLists.txt").read_text())[1]
        changelog.write_text(changelog.read_text().replace("## 0.0.0", f"## {version}"))
        self.assertIn("expected a tree without changes", release().stderr)
        subprocess.run(["git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qam", "Release"], cwd=clone, check=True)
        done = release()
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        sums = subprocess.run(["sha256sum", "-c", "SHA256SUMS"], cwd=clone / "dist", capture_output=True, text=True, check=False)
        self.assertEqual(sums.returncode, 0, sums.stdout + sums.stderr)

    def test_costs_are_told_of_a_folder_that_was_built(self) -> None:
        self.assertIn("found no .ninja_log", self.refused("tools/compile_costs", self.temporary.name, status=1))

    def test_what_tests_leave_in_the_temporary_folder_is_an_error(self) -> None:
        for command, status, said in (
            ('touch "$TMPDIR/gone"; rm "$TMPDIR/gone"', 0, ""),
            ('touch "$TMPDIR/a left file"', 1, "left in the temporary folder: a left file"),
            ('mkdir "$TMPDIR/.hidden"; exit 3', 3, "left in the temporary folder: .hidden"),
            ("exit 3", 3, ""),
        ):
            done = subprocess.run(
                ["bash", "-euc", 'source "$0"; in_scratch bash -c "$1"', str(ROOT / "tools" / "shell" / "scratch.sh"), command],
                env={**os.environ, "TMPDIR": self.temporary.name}, capture_output=True, text=True, timeout=60, check=False,
            )
            self.assertEqual((done.returncode, done.stderr.strip()), (status, said), command)
            self.assertEqual(self.names(), set())
        for name in ("test", "soak"):
            lines = (ROOT / "tools" / name).read_text(encoding="utf-8").splitlines()
            calls = [line for line in lines if " ctest --preset " in f" {line}"]
            self.assertTrue(calls and all("in_scratch" in before + line for before, line in zip(["", *lines], lines)
                                          if line in calls), calls)


if __name__ == "__main__":
    unittest.main()
