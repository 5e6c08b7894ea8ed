# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Held against what TT-NN recorded, where the developers' shared data lies beside the checkout."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys
from typing import Any

import pytest

import tilemeter as ttnn
from conftest import tiles
from shared_folder import SHARED

pytestmark = pytest.mark.skipif(not SHARED.is_dir(), reason=f"no shared data at {SHARED}")


@pytest.mark.parametrize("mode", ["NORMAL", "NO_DISPATCH"])
@pytest.mark.parametrize("device_name", ["n150", "p150"])
@pytest.mark.parametrize("workload", ["minilm_encoder", "decoder"])
def test_a_workload_records_what_ttnn_records(
    workload: str, device_name: str, mode: str, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tree and buffers with NORMAL, programs with NO_DISPATCH, where TT-NN lists all of them."""
    if workload == "decoder" and not hasattr(getattr(ttnn, "experimental", None), "nlp_create_qkv_heads"):
        pytest.skip("the runtime has no nlp_create_qkv_heads")
    if (workload, device_name, mode) == ("minilm_encoder", "n150", "NO_DISPATCH"):
        pytest.xfail("TT-NN chooses products by what L1 holds, and its NO_DISPATCH allocates nothing")
    monkeypatch.setenv("TILEMETER_DEVICE", device_name)
    out = tmp_path / "out.json"
    script = [sys.executable, str(SHARED / "workloads" / f"{workload}.py"), "--mode", mode, "--out", str(out)]
    subprocess.run(script, check=True, timeout=600)
    reference = SHARED / "workloads" / "reference" / f"{workload}.{device_name}.{mode}.json"
    skipped = ["tree", "buffers"] if mode == "NO_DISPATCH" else []
    judged = subprocess.run(
        [sys.executable, str(SHARED / "compare_reports.py"), str(reference), str(out)]
        + [word for part in skipped for word in ("--skip", part)],
        capture_output=True, text=True,
    )
    assert judged.returncode == 0, judged.stdout


def test_analyses_answer_as_ttnns() -> None:
    done = subprocess.run(
        [sys.executable, str(SHARED / "analysis_check.py"), "--module", "tilemeter",
         str(SHARED / "facts" / "analysis-cases.json")],
        capture_output=True, text=True, timeout=600,
    )
    assert done.returncode == 0, done.stdout


def _snippets() -> list[str]:
    path = SHARED / "documents" / "ttnn-graph-tracing.md"
    return re.findall(r"```python\n(.*?)```", path.read_text(), re.S) if path.exists() else []


@pytest.mark.parametrize("number", range(len(_snippets())))
def test_a_snippet_of_the_document_runs(number: int, device: Any, tmp_path: pathlib.Path, monkeypatch: Any) -> None:
    monkeypatch.chdir(tmp_path)
    snippet = _snippets()[number].replace("import ttnn\n", "import tilemeter as ttnn\n")
    a, b = tiles(device, 1, 1, 32, 32), tiles(device, 1, 1, 32, 32)
    if "end_graph_capture" in snippet and "begin_graph_capture" not in snippet:
        ttnn.graph.begin_graph_capture()
        ttnn.add(a, b)
    with ttnn.graph.capture() as taken:
        ttnn.add(a, b)
    names = {"ttnn": ttnn, "tensor_a": a, "tensor_b": b, "tensor": a, "device": device, "graph": taken.nodes,
             "some_operation": ttnn.relu}
    try:
        exec(compile(snippet, f"snippet {number}", "exec"), names)
    finally:
        while ttnn.graph.is_graph_capture_active():
            ttnn.graph.end_graph_capture()
