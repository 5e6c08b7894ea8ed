# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A notebook that asks everything of a capture that a notebook can ask, cell by cell, and how nbconvert runs it.

    usage: notebook_cells.py FILE.html      runs it, and writes what a browser shows
"""

from __future__ import annotations

import pathlib
import sys
from typing import Any

_CAPTURE = """
import tilemeter as ttnn

device = ttnn.open_device(device_id=0)
ttnn.graph.enable_python_stack_traces()

def block(rows):
    x = ttnn.ones([1, 1, rows, 4096], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    weight = ttnn.ones([1, 1, 4096, 1024], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    kept = []
    for _ in range(4):
        x = ttnn.relu(x, memory_config=ttnn.L1_MEMORY_CONFIG)
        kept.append(x)
    return ttnn.matmul(x, weight, memory_config=ttnn.L1_MEMORY_CONFIG)

with ttnn.graph.capture() as taken:
    y = block(1024)
del y
taken
"""
_FAILURE = """
try:
    with ttnn.graph.capture() as failed:
        block(2560)
except RuntimeError as error:
    print(type(error).__name__)
failed.explain()
"""
_FIT = """
def small(batch):
    ttnn.relu(ttnn.ones([batch, 1, 32, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device, memory_config=ttnn.L1_MEMORY_CONFIG))
ttnn.graph.fit_workload(small, smallest=1, largest=8)
"""
_TRACE = """
import tilemeter.trace as trace
x = ttnn.zeros([64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
plan = trace.plan(lambda x: ttnn.relu(x), x)
print(plan.graph)
"""

# By what the last line of a cell gives; those in MONOSPACED are texts whose columns have to stand.
CELLS = {
    "capture": _CAPTURE,
    "peak": "taken.peak()",
    "tightest": "taken.tightest()",
    "timeline": "taken.timeline()",
    "tree": "taken.tree()",
    "levelized": "taken.levelized()",
    "check": 'taken.check(max_l1="80%")',
    "fit": 'taken.fit("p150")',
    "explain": _FAILURE,
    "diff": "taken.diff(failed)",
    "svg": "taken.svg()",
    "show": "failed.show(height=400)",
    "workload": _FIT,
    "trace": _TRACE,
    "end": "del x\nttnn.close_device(device)",
}
MONOSPACED = ("tightest", "timeline", "tree", "levelized", "check", "fit", "explain", "diff")


def executed(folder: pathlib.Path) -> Any:
    """The notebook after nbconvert has run every cell of it in `folder`; what a cell raises ends it."""
    import nbformat
    from nbconvert.preprocessors import ExecutePreprocessor

    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text.strip(), metadata={"tags": [name]}) for name, text in CELLS.items()])
    ExecutePreprocessor(timeout=120, kernel_name="python3").preprocess(notebook, {"metadata": {"path": str(folder)}})
    return notebook


def outputs(notebook: Any) -> dict[str, dict[str, str]]:
    """By cell, what its last line shows: by MIME type."""
    shown = {}
    for cell in notebook.cells:
        results = [each for each in cell.outputs if each.output_type == "execute_result"]
        shown[cell.metadata["tags"][0]] = dict(results[-1].data) if results else {}
    return shown


def main(file: pathlib.Path) -> None:
    from nbconvert import HTMLExporter

    text, _ = HTMLExporter().from_notebook_node(executed(file.parent))
    file.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
