# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""TILEMETER_LOG: what the libraries have to say, beside answers that stay as they are."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys

from test_captures_in_verbs import PROGRAM

SCRIPT = (
    "import sys, tilemeter as ttnn\n"
    "device = ttnn.open_device(device_id=0)\n"
    "with ttnn.graph.capture(sys.argv[1]):\n"
    "    ttnn.ones([1, 1, 32, 32], device=device, layout=ttnn.TILE_LAYOUT)\n"
    "print('answer')\n"
)


def run(*words: str | pathlib.Path, level: str | None) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "TILEMETER_LOG"}
    if level is not None:
        environment["TILEMETER_LOG"] = level
    return subprocess.run(words, capture_output=True, text=True, timeout=60, env=environment)


def test_python_is_silent_unless_asked(tmp_path: pathlib.Path) -> None:
    silent = run(sys.executable, "-c", SCRIPT, tmp_path / "r.json", level=None)
    assert (silent.returncode, silent.stdout, silent.stderr) == (0, "answer\n", "")
    told = run(sys.executable, "-c", SCRIPT, tmp_path / "r.json", level="debug")
    assert (told.returncode, told.stdout) == (0, "answer\n")
    assert " tilemeter info: device 0 is an n150 (WORMHOLE_B0)" in told.stderr
    assert " tilemeter debug: a capture begins" in told.stderr
    assert f" tilemeter info: {tmp_path / 'r.json'}: a report of " in told.stderr


def test_an_unknown_level_is_one_line_and_changes_nothing(tmp_path: pathlib.Path) -> None:
    line = "tilemeter: TILEMETER_LOG: expected off, error, warn, info, debug or trace, found 'verbose'\n"
    done = run(sys.executable, "-c", SCRIPT, tmp_path / "r.json", level="verbose")
    assert (done.returncode, done.stdout, done.stderr) == (0, "answer\n", line)
    program = run(PROGRAM, "peak", tmp_path / "r.json", level="verbose")
    usual = run(PROGRAM, "peak", tmp_path / "r.json", level=None)
    assert (program.returncode, program.stdout, program.stderr) == (usual.returncode, usual.stdout, line + usual.stderr)


def test_answers_of_programs_stay_as_they_are(tmp_path: pathlib.Path) -> None:
    run(sys.executable, "-c", SCRIPT, tmp_path / "r.json", level=None)
    report = str(tmp_path / "r.json")
    for words in (["summary", report], ["peak", report, "--json"], ["peak", str(tmp_path / "absent")]):
        usual, told = (run(PROGRAM, *words, level=level) for level in (None, "trace"))
        assert (told.returncode, told.stdout) == (usual.returncode, usual.stdout)
        assert told.stderr.endswith(usual.stderr)
