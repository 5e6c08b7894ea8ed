# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Compiled programs as Python, run unchanged under as_ttnn: they fit where they are planned to fit, and are refused where they are."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from typing import Any

import pytest

from test_captures_in_verbs import PROGRAM

ROOT = pathlib.Path(__file__).resolve().parents[2]
MODULES = sorted((ROOT / "tests" / "data" / "compiled").glob("*.mlir"))
if not MODULES:
    pytest.skip("the checkout's compiled programs are not here", allow_module_level=True)


def answer(*words: str | pathlib.Path) -> Any:
    done = subprocess.run([PROGRAM, *words, "--json"], capture_output=True, text=True, check=False)
    assert done.stdout, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.stem)
def test_an_emitted_program_is_judged_as_it_is_planned(module: pathlib.Path, tmp_path: pathlib.Path) -> None:
    program, report, plan = (tmp_path / name for name in ("program.py", "report.json", "plan.json"))
    unknown = answer("emit", module, "-o", program)["unknown_operations"]
    planned = answer("plan", module, "-o", plan)
    done = subprocess.run([sys.executable, "-m", "tilemeter.as_ttnn", program, report], capture_output=True, text=True, check=False, cwd=tmp_path,
                          env={**os.environ, "TILEMETER_DEVICE": planned["board"], "TMPDIR": str(tmp_path)})
    if unknown or planned["refused"]:
        # The report is written all the same.
        said = f"NotImplementedError: {unknown[0]}" if unknown else planned["refused"]["message"].partition(". ")[0]  # figures follow
        assert done.returncode != 0 and said in " ".join(done.stderr.split())
        assert report.is_file()
        if not unknown:
            assert answer("fit", report)["verdict"] == answer("fit", plan)["verdict"]
        return
    assert done.returncode == 0, done.stderr
    assert answer("fit", report)["verdict"] == answer("fit", plan)["verdict"] == "fits"
    ran, said = answer("peak", report), answer("peak", plan)
    assert ran["l1"]["peak_bytes_per_core"] == said["l1"]["peak_bytes_per_core"] > 0
    assert ran["dram"]["peak_bytes_per_bank"] == said["dram"]["peak_bytes_per_bank"]
