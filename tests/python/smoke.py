# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The abilities of an installed package, without a compiler, a checkout or anything optional."""

import importlib.metadata
import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile

import tilemeter as ttnn

for compiler in ("c++", "g++", "cc", "gcc", "clang"):
    assert shutil.which(compiler) is None, f"{compiler} is on the path: this tests a machine without one"


def said(*command: str) -> str:
    """The output of a program; raises when it failed."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


device = ttnn.open_device(device_id=0)
a = ttnn.ones([1, 1, 64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
with tempfile.TemporaryDirectory() as folder:
    report = pathlib.Path(folder) / "report.json"
    with ttnn.graph.capture(report) as taken:
        b = ttnn.add(a, a, memory_config=ttnn.L1_MEMORY_CONFIG)
        c = ttnn.matmul(a, b)
    assert b.to_numpy().sum() == 2 * 64 * 64, b
    assert (c.to_numpy() == 2 * 64).all(), c
    assert "ttnn.add" in ttnn.graph.extract_calltrace(taken.nodes)
    assert json.loads(report.read_text())["version"] == 1
    programs = {name: shutil.which(name) for name in ("tilemeter", "graph_report")}
    assert all(programs.values()), f"not on the path: {programs}"
    importers = [[programs["graph_report"]], [sys.executable, "-m", "tilemeter.graph_report"]]
    for number, importer in enumerate(importers):
        said(*importer, str(report), f"{folder}/{number}")
        rows = sqlite3.connect(f"{folder}/{number}/db.sqlite").execute("SELECT name FROM operations").fetchall()
        assert ("ttnn.add",) in rows, rows
    assert "ttnn.matmul" in said(programs["tilemeter"], "tree", str(report))
    assert "L1" in said(programs["tilemeter"], "peak", str(report))
    assert said(sys.executable, "-m", "tilemeter", "peak", str(report)) == said(programs["tilemeter"], "peak", str(report))
ttnn.close_device(device)
about = importlib.metadata.metadata("tilemeter")
assert (about["Author"], about["Keywords"] is None) == ("tilemeter contributors", False), about
assert "Typing :: Typed" in about.get_all("Classifier"), about
(plugin,) = [point for point in importlib.metadata.entry_points(group="pytest11") if point.name == "tilemeter"]
assert plugin.value == "tilemeter_pytest", plugin
print(f"smoke test passed: tilemeter {ttnn.__version__}, Python {sys.version.split()[0]}")
