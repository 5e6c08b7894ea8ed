# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Resident memory over many traces (trace_memory.py), with fewer of them: tools/soak runs a hundred thousand."""

from __future__ import annotations

import pathlib
import subprocess
import sys

import pytest
from trace_memory import PARTS


@pytest.mark.parametrize("part", PARTS)
def test_memory_does_not_grow(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TILEMETER_DEVICE", raising=False)
    program = pathlib.Path(__file__).with_name("trace_memory.py")
    done = subprocess.run([sys.executable, program, "--count", "1000", "--only", part], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
