# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""What an installed package must be able to do, without a compiler, a checkout or anything optional."""

import json
import pathlib
import shutil
import sqlite3
import subprocess
import tempfile

import tilemeter as ttnn

device = ttnn.open_device(device_id=0)
a = ttnn.ones([1, 1, 64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
with tempfile.TemporaryDirectory() as folder:
    report = pathlib.Path(folder) / "report.json"
    with ttnn.graph.capture(report) as taken:
        b = ttnn.add(a, a, memory_config=ttnn.L1_MEMORY_CONFIG)
    assert b.to_numpy().sum() == 2 * 64 * 64, b
    assert "ttnn.add" in ttnn.graph.extract_calltrace(taken.nodes)
    assert json.loads(report.read_text())["version"] == 1
    program = shutil.which("graph_report")
    assert program is not None, "graph_report is not on the path"
    subprocess.run([program, str(report), f"{folder}/db"], check=True, stdout=subprocess.DEVNULL)
    rows = sqlite3.connect(f"{folder}/db/db.sqlite").execute("SELECT name FROM operations").fetchall()
    assert ("ttnn.add",) in rows, rows
ttnn.close_device(device)
print(f"smoke test passed: tilemeter {ttnn.__version__}")
