# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The programs of the package's documents and chapters run, and print what stands there."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
from typing import Any

import pytest

import tilemeter

ROOT = pathlib.Path(__file__).resolve().parents[2]
CHAPTERS = ROOT / "tools" / "documentation"
PROGRAM = pathlib.Path(tilemeter.__file__).parent / "bin" / "tilemeter"
PROGRAMS = [
    (document.name, program)
    for document in sorted((ROOT / "tools" / "python").glob("*.md"))
    for program in re.findall(r"```python\n(.*?)```", document.read_text(encoding="utf-8"), re.S)
]


@pytest.mark.parametrize(("document", "program"), PROGRAMS, ids=[document for document, _ in PROGRAMS])
def test_a_program_of_a_document_runs(document: str, program: str, tmp_path: pathlib.Path) -> None:
    done = subprocess.run([sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout, done.stderr


def _readme_commands() -> Any:
    """The reader of sessions, which the tests of the programs use, too."""
    spec = importlib.util.spec_from_file_location("readme_commands_test", ROOT / "tests" / "tools" / "readme_commands_test.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


# A chapter whose programs need more than the package, and what they need.
NEEDS = {"pytorch.md": ["torch_ttnn", "torchvision"]}
DOCUMENTS_WITH_SESSIONS = [
    document.relative_to(CHAPTERS).as_posix()
    for document in sorted(CHAPTERS.rglob("*.md"))
    if "```console\n" in document.read_text(encoding="utf-8")
]


def commands(folder: pathlib.Path) -> pathlib.Path:
    """A folder with the commands that an installed package has, as a session calls them."""
    folder.mkdir()
    plugin = [] if any(each.name == "tilemeter" for each in importlib.metadata.entry_points(group="pytest11")) else ["-p", "tilemeter_pytest"]
    for name, command in {
        "python": [sys.executable],
        "pytest": [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *plugin],
        "tilemeter": [str(PROGRAM)],
    }.items():
        (folder / name).write_text(f"#!/bin/sh\nexec {shlex.join(command)} \"$@\"\n")
        (folder / name).chmod(0o755)
    return folder


@pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not beside the package")
@pytest.mark.parametrize("document", DOCUMENTS_WITH_SESSIONS)
def test_a_session_of_a_chapter_prints_what_stands_there(document: str, tmp_path: pathlib.Path) -> None:
    for name in NEEDS.get(document, []):
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed")
    reader = _readme_commands()
    folder = tmp_path / "session"
    folder.mkdir()
    for example in (ROOT / "tools" / "examples").glob("*.py"):
        shutil.copy(example, folder)
    for module in (ROOT / "tests" / "data" / "compiled").glob("*.mlir"):
        shutil.copy(module, folder)
    removed = {"TILEMETER_DEVICE", "TILEMETER_LOG", "PYTEST_ADDOPTS"}
    environment = {name: value for name, value in os.environ.items() if name not in removed}
    environment |= {"PATH": f"{commands(tmp_path / 'bin')}:{os.environ['PATH']}", "COLUMNS": "100"}
    steps = list(reader.sessions_of(CHAPTERS / document, "console"))
    assert steps
    for _, command, status, expected in steps:
        done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, timeout=300)
        assert done.returncode == status, f"{command}\n{done.stdout}"
        assert reader.pattern_of(expected).fullmatch(done.stdout), f"{command}\n{done.stdout}"


def test_each_example_is_shown_by_a_chapter_and_run_there() -> None:
    chapters = "".join(document.read_text(encoding="utf-8") for document in CHAPTERS.rglob("*.md"))
    for example in (ROOT / "tools" / "examples").glob("*.py"):
        assert re.search(rf"literalinclude.*/{example.name}\n", chapters), example.name
        assert re.search(rf"^\$ .*\b{example.name}", chapters, re.M), example.name
