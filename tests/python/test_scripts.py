# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Scripts as TT-NN's users write them, with `import ttnn` giving tilemeter, against what TT-NN 0.81.1 recorded of them.

data/python has of each: the tree of functions and the buffers of a NORMAL capture, the program memory of a NO_DISPATCH one
(there TT-NN lists all of it), on n150. `test_scripts.py SCRIPT NORMAL.json NO_DISPATCH.json` makes such a file, under Python
3.10 one of before_3_11 (only those that differ are kept).
"""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
from typing import Any

import pytest

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent / "data" / "python"
SCRIPTS = sorted((HERE / "scripts").glob("*.py"))
# The others do with a stand-in.
NEED_TORCH = (
    "dictionary_of_weights", "host_and_device", "mesh_of_one", "model_parameters", "old_tensor_names", "operations_of_ones_own",
    "torch_in_between",
)
PROGRAM = ("circular_buffer_allocate", "dataflow_buffer_allocate", "scratchpad_allocate")

_RUN = """
import importlib, runpy, sys
import tilemeter
sys.path.insert(0, {here!r})
sys.modules["ttnn"] = tilemeter
try:
    import torch
except ImportError:
    importlib.import_module("torch_stand_in").install()
for mode in ("NORMAL", "NO_DISPATCH"):
    sys.argv = [{script!r}, f"{out}/{{mode}}.json", mode]
    runpy.run_path({script!r}, run_name="__main__")
"""


def tree(nodes: list[dict[str, Any]]) -> list[str]:
    return [
        f"{node['stacking_level']} {node['params']['name']}" for node in nodes if node["node_type"] == "function_start"
    ]


def buffers(nodes: list[dict[str, Any]]) -> list[str]:
    return [
        " ".join(
            str(each)
            for each in (
                node["node_type"].removeprefix("buffer_"), node["params"]["type"], node["params"]["size"],
                node["params"].get("max_size_per_bank", 0), node["params"]["address"],
            )
        )
        for node in nodes
        if node["node_type"] in ("buffer_allocate", "buffer_deallocate")
    ]


def programs(nodes: list[dict[str, Any]]) -> list[str]:
    """Each device operation with its program memory: kind, size, cores, whether it is a tensor's."""
    found: list[list[str]] = []
    inside: list[list[str]] = []
    for node in nodes:
        params = node["params"] or {}
        if node["node_type"] == "function_start":
            inside.append([params["name"]])
            if params["name"].endswith("DeviceOperation"):
                found.append(inside[-1])
        elif node["node_type"] == "function_end" and inside:
            inside.pop()
        elif node["node_type"] in PROGRAM and inside:
            shared = str(params.get("globally_allocated", params.get("borrows_memory", "0"))).lower() in ("1", "true")
            inside[-1].append(f"{node['node_type'][0]}{params['size']} {params.get('core_range_set', '')} {int(shared)}")
    return [", ".join(each) for each in found]


def facts(normal: pathlib.Path, planned: pathlib.Path) -> dict[str, list[str]]:
    nodes = json.loads(normal.read_text())["graph"]
    return {
        "tree": tree(nodes), "buffers": buffers(nodes), "programs": programs(json.loads(planned.read_text())["graph"])
    }


def of_planned_operations(programs_found: list[str], expected: dict[str, list[str]]) -> list[str]:
    """Without those of device operations that TT-NN runs but never plans: its plan has every buffer at address 0, where a
    tensor that moves seems to stay where it is."""
    run = {line.split(" ", 1)[1] for line in expected["tree"]}
    planned = {program.split(",", 1)[0] for program in expected["programs"]}
    return [program for program in programs_found if program.split(",", 1)[0] not in run - planned]


def recorded(script: str) -> dict[str, list[str]]:
    """The recording of TT-NN. Before 3.11 Python keeps the arguments of a call alive until it returns: where that
    shows, there is a recording of TT-NN under Python 3.10."""
    older = DATA / "before_3_11" / f"{script}.json"
    if sys.version_info < (3, 11) and older.exists():
        return dict(json.loads(older.read_text()))
    return dict(json.loads((DATA / f"{script}.json").read_text()))


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_script_records_what_ttnn_records(
    script: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if script.stem in NEED_TORCH:
        pytest.importorskip("torch")
    monkeypatch.delenv("TILEMETER_DEVICE", raising=False)
    program = _RUN.format(here=str(HERE), script=str(script), out=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    found = facts(tmp_path / "NORMAL.json", tmp_path / "NO_DISPATCH.json")
    expected = recorded(script.stem)
    found["programs"] = of_planned_operations(found["programs"], expected)
    for part in ("tree", "buffers", "programs"):
        assert found[part] == expected[part], part


if __name__ == "__main__":
    folder = DATA if sys.version_info >= (3, 11) else DATA / "before_3_11"
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{pathlib.Path(sys.argv[1]).stem}.json"
    target.write_text(json.dumps(facts(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])), indent=0) + "\n")
