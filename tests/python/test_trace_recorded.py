# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Recorded functions and situations, driven by the harness that comes with them, where they are."""

from __future__ import annotations

import importlib
import json
import sys
from typing import Any

import pytest
from shared_folder import SHARED

ORACLES = SHARED / "tracing-oracles"
DERIVATIVES = {"grad", "jvp", "vjp", "vmap"}


@pytest.fixture(scope="module")
def harness() -> Any:
    if not (ORACLES / "python_check.py").exists():
        pytest.skip("no recorded functions")
    sys.path.insert(0, str(ORACLES))
    try:
        check = importlib.import_module("python_check")
    finally:
        sys.path.remove(str(ORACLES))
    check.T = importlib.import_module("tilemeter.trace")
    return check


def derives(graph: Any) -> bool:
    return any(each["op"] in DERIVATIVES or any(derives(sub) for held in each.get("subgraphs", {}).values()
                                                for sub in (held if isinstance(held, list) else [held]))
               for each in graph["eqns"])


@pytest.mark.parametrize("what", ["value", "jit", "jvp", "vjp", "hvp"])
def test_functions(harness: Any, what: str) -> None:
    functions = json.loads((ORACLES / "functions.json").read_text())["functions"]
    wrong = []
    for function in functions:
        for _, ask in harness.checks(function, [what], 1e-9):
            difference = ask()
            if difference is not None:
                wrong.append((function["name"], difference))
    assert not wrong


def test_numpy_target(harness: Any) -> None:
    import numpy as np

    functions = json.loads((ORACLES / "functions.json").read_text())["functions"]
    for function in functions:
        if derives(function["graph"]):
            continue
        args = [harness.array(each) for each in function["inputs"]]
        graph = harness.T.trace_graph(harness.function(function["graph"]), args=args, to="numpy")
        with np.errstate(all="ignore"):
            assert harness.compare(graph(*args), function["outputs"], 1e-9) is None, function["name"]


def test_situations(harness: Any) -> None:
    cases = json.loads((ORACLES / "errors.json").read_text())["cases"]
    names = {each["name"] for each in cases}
    passed, failed = harness.check_errors(ORACLES / "errors.json", names, 40)
    assert (passed, failed) == (len(names), 0)
