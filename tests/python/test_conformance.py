# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""python -m tilemeter.conformance, with tilemeter in TT-NN's place: the environment says which side a script is on."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import subprocess
import sys
from typing import Any

import pytest

import tilemeter
import tilemeter.conformance.__main__ as conformance
from tilemeter.conformance import compare, runner

_SCRIPT = """
import os, ttnn
theirs = "AS_REFERENCE" in os.environ
def main():
    device = ttnn.open_device(device_id=0)
    a = ttnn.ones([32, 32], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    BODY
    ttnn.close_device(device)
if __name__ == "__main__":
    main()
"""

_TESTS = """
import os, pytest, ttnn
theirs = "AS_REFERENCE" in os.environ

@pytest.fixture
def device():
    opened = ttnn.open_device(device_id=0)
    yield opened
    ttnn.close_device(opened)

def ones(device):
    return ttnn.ones([32, 32], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)

def assert_with_pcc(*values):
    assert False, "values differ"

def test_equal(device):
    ttnn.relu(ones(device))
    assert_with_pcc(1, 2)

def test_ends_the_process(device):
    if not theirs:
        os._exit(9)

def test_takes_long(device):
    import time
    if not theirs:
        time.sleep(600)

@pytest.mark.parametrize("rows", [1, 2])
def test_other_operation(device, rows):
    (ttnn.relu if theirs else ttnn.gelu)(ones(device))

def test_stops_earlier(device):
    a = ones(device)
    assert not theirs
    ttnn.relu(a)

def test_skipped(device):
    pytest.skip("on both")

def test_refused_by_both(device):
    raise RuntimeError("on both")
"""


def run(folder: pathlib.Path, *options: str, **process: Any) -> subprocess.CompletedProcess[str]:
    reference = f"env AS_REFERENCE=1 {sys.executable} -m tilemeter.as_ttnn"
    command = [sys.executable, "-m", "tilemeter.conformance", str(folder), "--ttnn", reference, *options]
    return subprocess.run(command, capture_output=True, text=True, check=False, **process)


@pytest.fixture
def folder(tmp_path: pathlib.Path) -> pathlib.Path:
    made = tmp_path / "scripts"
    made.mkdir()
    (made / "equal.py").write_text(_SCRIPT.replace("BODY", "ttnn.relu(a)"))
    (made / "missing.py").write_text(_SCRIPT.replace("BODY", "theirs or ttnn.no_such_operation(a)"))
    (made / "test_cases.py").write_text(_TESTS)
    (made / "helper.py").write_text("import ttnn\n")
    return made


def results_of(out: pathlib.Path) -> dict[str, dict[str, Any]]:
    return {each["case"].rpartition("::")[2]: each for each in json.loads((out / "results.json").read_text())}


def test_each_case_that_the_reference_runs_is_judged(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    out = tmp_path / "out"
    done = run(folder, "--out", str(out), "--time-limit", "8")
    assert done.returncode == 3, done.stderr
    results = results_of(out)
    assert set(results) == {
        "equal.py", "missing.py", "test_equal", "test_ends_the_process", "test_takes_long", "test_other_operation[1]",
        "test_other_operation[2]", "test_stops_earlier",
    }
    assert all(results[name]["equal"] for name in ("equal.py", "test_equal", "test_stops_earlier"))
    assert results["test_equal"]["parts"]["tree"]["entries"] > 1
    assert "no_such_operation" in results["missing.py"]["why"]
    assert results["test_ends_the_process"]["why"] == "the process ended with status 9"
    assert results["test_takes_long"]["why"] == "takes more than 8 seconds"
    part = results["test_other_operation[1]"]["parts"]["tree"]
    assert part["different"] and "ttnn.relu" in part["first"] and "ttnn.gelu" in part["first"]
    assert "| all | 8 | 5 (62 %) | 5 | 3 |" in done.stdout
    assert "conformance: 1 files import ttnn, do nothing when they are run, and were passed over" in done.stderr
    assert "helper.py" in done.stderr
    manifest = json.loads((out / "manifest.json").read_text())
    assert [each["file"] for each in manifest["files"]] == ["equal.py", "missing.py", "test_cases.py"]


def test_a_draw_is_the_same_for_a_seed(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    drawn = []
    for name in ("a", "b"):
        run(folder, "test_cases.py", "--out", str(tmp_path / name), "--draw", "2", "--seed", "5", "--time-limit", "8")
        manifest = json.loads((tmp_path / name / "manifest.json").read_text())
        drawn.append(manifest["files"][0]["cases"])
    assert drawn[0] == drawn[1] and len(drawn[0]) == 2


def test_a_script_without_a_main_part_is_run_where_no_git_is(tmp_path: pathlib.Path) -> None:
    folder, out, programs = tmp_path / "scripts", tmp_path / "out", tmp_path / "programs"
    folder.mkdir()
    programs.mkdir()
    (programs / "env").symlink_to(shutil.which("env") or "/usr/bin/env")
    (folder / "plain.py").write_text(
        "import ttnn\ndevice = ttnn.open_device(device_id=0)\n"
        "ttnn.relu(ttnn.ones([32, 32], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device))\nttnn.close_device(device)\n"
    )
    done = run(folder, "--out", str(out), env={**os.environ, "PATH": str(programs)})
    assert done.returncode == 0, done.stderr
    assert results_of(out)["plain.py"]["equal"]


def test_a_command_is_found_before_anything_runs(tmp_path: pathlib.Path) -> None:
    (tmp_path / "plain.py").write_text("import ttnn\nttnn.open_device(device_id=0)\n")
    for command, said in (("/nowhere/python -u", "/nowhere/python: no such program"), ("", "expected a command, found none"),
                          ("'python", "No closing quotation"), (str(tmp_path), f"{tmp_path}: no such program")):
        for side in ("ttnn", "tilemeter"):
            done = run(tmp_path, f"--{side}={command}")
            assert done.returncode == 2
            assert done.stderr.splitlines()[-1] == f"python -m tilemeter.conformance: error: --{side}: {said}"
    (tmp_path / "here").write_text(f'#!/bin/sh\nexec {sys.executable} "$@"\n')
    (tmp_path / "here").chmod(0o755)
    done = run(tmp_path, "--tilemeter", "./here", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (1, f"conformance: {tmp_path}: nothing was recorded on either side\n"), done.stdout


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("import ttnn\nwith ttnn.manage_device(0) as d:\n    pass\nd = ttnn.open_device(device_id=0)\n", True),
        ("import ttnn\ndef run():\n    pass\nrun()\n", True),
        ("import ttnn\nfor _ in range(2):\n    device = ttnn.CreateDevice(0)\n", True),
        ("import ttnn\nL1 = ttnn.MemoryConfig(ttnn.TensorMemoryLayout.INTERLEAVED, ttnn.BufferType.L1)\n", False),
        ("import ttnn\ndef run():\n    return ttnn.open_device(device_id=0)\nclass A:\n    x = run\n", False),
        ("import sys, ttnn\nsys.path.append('x')\n", False),
    ],
)
def test_scripts_are_told_from_modules(text: str, is_one: bool) -> None:
    assert conformance.is_script(text) is is_one


def test_what_records_nothing_is_not_equal(tmp_path: pathlib.Path) -> None:
    (tmp_path / "nothing.py").write_text("import ttnn\nif __name__ == '__main__':\n    print(ttnn.bfloat16)\n")
    done = run(tmp_path)
    assert done.returncode == 1, done.stdout
    assert "nothing was recorded on either side" in done.stderr
    assert "| all | 1 | 1 (100 %) | 0 | 0 | 0 | 0 |" in done.stdout


def test_a_side_that_records_nothing_differs(tmp_path: pathlib.Path) -> None:
    (tmp_path / "a.json").write_text(json.dumps([function("ttnn.relu"), allocation(4096)]))
    passed = {"case": "a", "status": "passed", "why": "", "line": ""}
    answer = conformance.judge_case({**passed, "report": "a.json"}, {**passed, "report": None}, (tmp_path, tmp_path))
    assert answer["recorded"] and not answer["equal"]


def function(name: str, kind: str = "function_start") -> dict[str, Any]:
    return {"node_type": kind, "params": {"name": name}, "stacking_level": 1}


def test_of_a_script_that_leaves_its_device_open_the_last_frees_are_not_compared(tmp_path: pathlib.Path) -> None:
    freed = {"node_type": "buffer_deallocate", "params": allocation(4096)["params"]}
    work = [function("ttnn.relu"), allocation(4096), freed, allocation(4096), function("ttnn.relu", "function_end")]
    last = [function("Tensor::deallocate"), freed, function("Tensor::deallocate", "function_end")]
    (tmp_path / "theirs.json").write_text(json.dumps(work))
    (tmp_path / "ours.json").write_text(json.dumps(work + last))
    passed = {"case": "a", "status": "passed", "why": "", "line": "", "report": "theirs.json"}
    ours = {**passed, "report": "ours.json"}
    assert not conformance.judge_case(passed, ours, (tmp_path, tmp_path))["equal"]
    answer = conformance.judge_case({**passed, "device_left": True}, ours, (tmp_path, tmp_path))
    assert answer["equal"] and answer["parts"]["buffers"]["entries"] == 3


def test_a_folder_without_a_script_is_nothing_to_compare(tmp_path: pathlib.Path) -> None:
    (tmp_path / "other.py").write_text("print(1)\n")
    done = run(tmp_path)
    assert done.returncode == 1
    assert "nothing that TT-NN runs was found" in done.stderr


def allocation(address: int) -> dict[str, Any]:
    params = {"type": "L1", "size": "2048", "max_size_per_bank": "2048", "address": str(address)}
    return {"node_type": "buffer_allocate", "params": params}


def test_an_address_of_zero_in_the_reference_matches_any() -> None:
    assert not compare([allocation(0)], [allocation(4096)])["buffers"]
    assert compare([allocation(8192)], [allocation(4096)])["buffers"].different == 1


def test_of_a_reference_that_stopped_only_the_beginning_is_compared() -> None:
    longer = [allocation(4096), allocation(8192)]
    assert compare(longer[:1], longer)["buffers"]
    assert not compare(longer[:1], longer, stopped=True)["buffers"]


def test_cases_of_an_operation_are_named_alike_on_both_sides() -> None:
    """As a text an operation of TT-NN has the addresses of its functions in it, which are others in the next process."""
    plugin = runner.Plugin.__new__(runner.Plugin)
    assert plugin.pytest_make_parametrize_id(None, tilemeter.add, "ttnn_op") == "ttnn_op=ttnn.add"
    assert plugin.pytest_make_parametrize_id(None, 3, "rows") is None
