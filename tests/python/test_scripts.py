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
import sys

import pytest
import script_processes
from report_parts import parts_of

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent / "data" / "python"
SCRIPTS = sorted((HERE / "scripts").glob("*.py"))
# The others do with a stand-in.
NEED_TORCH = (
    "dictionary_of_weights", "host_and_device", "mesh_of_one", "model_parameters", "old_tensor_names", "operations_of_ones_own",
    "torch_in_between",
)


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
def test_a_script_records_what_ttnn_records(script: pathlib.Path, tmp_path: pathlib.Path) -> None:
    if script.stem in NEED_TORCH:
        pytest.importorskip("torch")
    done = script_processes.run("captured_script", "main", str(script), str(tmp_path))
    assert done.returncode == 0, done.stderr
    found = parts_of(tmp_path / "NORMAL.json", tmp_path / "NO_DISPATCH.json")
    expected = recorded(script.stem)
    found["programs"] = of_planned_operations(found["programs"], expected)
    for part in ("tree", "buffers", "programs"):
        assert found[part] == expected[part], part


if __name__ == "__main__":
    folder = DATA if sys.version_info >= (3, 11) else DATA / "before_3_11"
    folder.mkdir(parents=True, exist_ok=True)
    target = folder / f"{pathlib.Path(sys.argv[1]).stem}.json"
    target.write_text(json.dumps(parts_of(pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])), indent=0) + "\n")
