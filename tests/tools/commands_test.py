#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Each command of tools/README.md runs.

    usage: commands_test.py
"""

import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]

# The arguments of a command here, and a part of what it then prints; SMALL is the build folder of a program of one line.
RUN = {
    "tools/build": (["release", "tilemeter_record"], ""),
    "tools/install_packages": (["build"], ""),
    "tools/bench-peers": (["--own", "1", "1000"], "tilemeter to a file"),
    "tools/compile_costs": (["SMALL"], "main.cpp"),
    "tools/check_includes": ([], ""),
    "tools/operation_places": (["add"], "add"),
}

# Commands that take minutes or the network, each with who runs it.
RUN_ELSEWHERE = {
    "tools/demo": "tools/test --acceptance",
    "tools/test": "CI, with --all",
    "tools/soak": "by hand, for hours",
    "tools/fetch_weights": "tools/test, its step of weights",
    "tools/wheel": "a release; it tests each wheel itself",
    "tools/documentation/build": "tests/acceptance/run",
    "tools/release": "a release",
    "tools/python/environment": "tools/test, its step of the Python environment",
    "tools/check_style": "tools/test, its step of style",
}


def commands() -> list[str]:
    """The commands of the table whose rows begin with a command."""
    text = (ROOT / "tools/README.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `(tools/[\w/-]+)", text, re.MULTILINE)


def small_build(test: unittest.TestCase) -> str:
    temporary = tempfile.TemporaryDirectory()
    test.addCleanup(temporary.cleanup)
    folder = pathlib.Path(temporary.name)
    (folder / "main.cpp").write_text("int main() {}\n")
    (folder / "CMakeLists.txt").write_text("cmake_minimum_required(VERSION 3.22)\nproject(small CXX)\nadd_executable(small main.cpp)\n")
    configure = ["cmake", "-G", "Ninja", "-D", "CMAKE_EXPORT_COMPILE_COMMANDS=ON", "-S", str(folder), "-B", str(folder / "build")]
    for command in (configure, ["cmake", "--build", str(folder / "build")]):
        subprocess.run(command, check=True, capture_output=True)
    return str(folder / "build")


class Commands(unittest.TestCase):
    def test_each_is_run_by_somebody(self) -> None:
        self.assertEqual(sorted(commands()), sorted([*RUN, *RUN_ELSEWHERE]))

    def test_each_that_is_quick_runs(self) -> None:
        for command, (arguments, said) in RUN.items():
            with self.subTest(command=command):
                given = [small_build(self) if each == "SMALL" else each for each in arguments]
                done = subprocess.run(
                    [str(ROOT / command), *given], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                    timeout=500, check=False,
                )
                self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])
                self.assertIn(said, done.stdout)


if __name__ == "__main__":
    unittest.main()
