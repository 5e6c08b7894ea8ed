# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The programs of the package's documents run, and their values are those that they say."""

from __future__ import annotations

import ast
import pathlib
import re
import subprocess
import sys

import pytest

DOCUMENTS = pathlib.Path(__file__).resolve().parents[2] / "tools" / "python"
PROGRAMS = [
    (document.name, program)
    for document in sorted(DOCUMENTS.glob("*.md"))
    for program in re.findall(r"```python\n(.*?)```", document.read_text(encoding="utf-8"), re.S)
]


def with_values_compared(program: str) -> str:
    """Expressions with a comment beside them, which begins with their value, become assertions of that."""
    lines = program.split("\n")
    for node in ast.parse(program).body:
        code, _, comment = lines[node.end_lineno - 1].partition("  # ")
        if isinstance(node, ast.Expr) and not isinstance(node.value, ast.Call) and comment:
            lines[node.end_lineno - 1] = f"assert {comment!r}.startswith(repr(({code}))), ({code})"
    return "\n".join(lines)


@pytest.mark.parametrize(("document", "program"), PROGRAMS, ids=[document for document, _ in PROGRAMS])
def test_a_program_of_a_document_runs(document: str, program: str, tmp_path: pathlib.Path) -> None:
    done = subprocess.run([sys.executable, "-c", with_values_compared(program)], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout, done.stderr


def test_the_documents_say_values() -> None:
    assert sum(with_values_compared(program).count("assert ") for _, program in PROGRAMS) >= 3
