# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The answers of the program `tilemeter` about captures taken in Python."""

from __future__ import annotations

import json
import pathlib
import subprocess
from typing import Any

import tilemeter as ttnn
from conftest import tiles

PACKAGE = pathlib.Path(ttnn.__file__).resolve().parent
# Beside the module in a wheel, in bin/ of a build folder.
PROGRAM = next(path for path in (PACKAGE / "bin" / "tilemeter", PACKAGE.parents[2] / "bin" / "tilemeter") if path.exists())


def tilemeter(*arguments: str | pathlib.Path) -> str:
    return subprocess.run([PROGRAM, *arguments], check=True, capture_output=True, text=True).stdout


def test_levelized_of_the_documents_example_is_what_a_capture_in_cpp_gives(device: Any, tmp_path: pathlib.Path) -> None:
    a, b, c = (tiles(device, 32, 32) for _ in range(3))
    with ttnn.graph.capture(tmp_path / "r.json") as taken:
        product = ttnn.multiply(b, c)
        total = ttnn.add(a, product)
    del product, total
    assert tilemeter("levelized", tmp_path / "r.json") == (
        f"0  tensor[{b.tensor_id}]  out 3  Shape([32, 32])\n"
        f"1  tensor[{c.tensor_id}]  out 3  Shape([32, 32])\n"
        f"2  tensor[{a.tensor_id}]  out 4  Shape([32, 32])\n"
        "3  ttnn.multiply  in 0 1  out 4  Shape([32, 32])\n"
        "4  ttnn.add  in 2 3  Shape([32, 32])\n"
    )
    as_ttnn = json.loads(tilemeter("levelized", "--as-ttnn", "--json", tmp_path / "r.json"))
    assert as_ttnn["vertices"] == ttnn.graph.extract_levelized_graph(taken.nodes)  # a vertex per mention


def slices(trace: str) -> dict[str, dict[str, Any]]:
    """Arguments of the slices of a trace, by name."""
    return {event["name"]: event["args"] for event in json.loads(trace)["traceEvents"] if event["ph"] == "X"}


def test_a_trace_names_the_line_of_python_of_a_report_and_of_a_node_list(device: Any, tmp_path: pathlib.Path) -> None:
    a = tiles(device, 32, 32)
    ttnn.graph.enable_python_stack_traces()
    try:
        for end in (
            lambda: ttnn.graph.end_graph_capture_to_file(tmp_path / "r.json"),
            lambda: (tmp_path / "list.json").write_text(json.dumps(ttnn.graph.end_graph_capture())),
        ):
            ttnn.graph.begin_graph_capture(ttnn.graph.RunMode.NORMAL)
            ttnn.add(a, a)
            end()
    finally:
        ttnn.graph.disable_python_stack_traces()
    line = f"{__file__}:{test_a_trace_names_the_line_of_python_of_a_report_and_of_a_node_list.__code__.co_firstlineno + 9}"
    for file in ("r.json", "list.json"):
        found = slices(tilemeter("perfetto", tmp_path / file))
        assert found["ttnn.add"]["source"] == line, file
        assert found["BinaryNgDeviceOperation"]["source"] == line, file
        assert found["ttnn.add"]["inputs"] == [f"tensor {a.tensor_id} Shape([32, 32]) BFLOAT16 TILE"]
