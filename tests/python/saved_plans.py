# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A saved plan beside a NORMAL capture of its replay."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
from typing import Any

from report_parts import buffers, programs, tree
from shared_folder import SHARED


def expect_plan_is_replay(plan: pathlib.Path, replay: pathlib.Path) -> list[dict[str, Any]]:
    """Both reports have the same tree, buffers with addresses and programs, as the judge of ../shared says too. The plan's nodes."""
    planned, replayed = (json.loads(path.read_text())["graph"] for path in (plan, replay))
    for part in (tree, buffers, programs):
        assert part(planned) == part(replayed) != []
    judge = SHARED / "compare_reports.py"
    if judge.is_file():
        told = subprocess.run([sys.executable, judge, replay, plan], capture_output=True, text=True, check=False)
        assert told.returncode == 0, told.stdout
    nodes: list[dict[str, Any]] = planned
    return nodes
