# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Whom metal traces overwrite: the patterns that users lose tensors by, as TT-NN 0.81.1's own tracker and warning see them."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import tilemeter as ttnn
import tilemeter.trace as tp

ROWS = pathlib.Path(__file__).resolve().parents[1] / "data" / "trace" / "metal_traces.json"
if not ROWS.is_file():
    pytest.skip("the checkout's recorded rows are not here", allow_module_level=True)
PATTERNS = json.loads(ROWS.read_text())
WARNING = "a buffer is allocated on a device with a captured metal trace"


class Steps:
    """Takes the steps of a row. In a capture a tensor is what a program makes: TT-NN's rows have empty ones there."""

    def __init__(self, device: Any) -> None:
        self.device = device
        self.tensors: dict[str, Any] = {}
        self.traces: dict[str, Any] = {}
        self.captured: dict[str, list[tuple[bool, int]]] = {}  # the places of traces' results
        self.open: str | None = None

    def take(self, step: str) -> int | None:
        """The address of what was made."""
        what, name, *memory = step.split()
        if what == "empty":
            config = ttnn.L1_MEMORY_CONFIG if memory else ttnn.DRAM_MEMORY_CONFIG
            if self.open is None:
                made = ttnn.empty([1, 1, 64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=self.device, memory_config=config)
            else:
                made = ttnn.relu(self.tensors["x"], memory_config=config)
                self.captured[self.open].append((bool(memory), made.buffer_address()))
            if name == "x":
                for each in (ttnn.DRAM_MEMORY_CONFIG, ttnn.L1_MEMORY_CONFIG):
                    ttnn.deallocate(ttnn.relu(made, memory_config=each))  # into the program cache
            self.tensors[name] = made
            address: int = made.buffer_address()
            return address
        if what == "free":
            ttnn.deallocate(self.tensors.pop(name))
        elif what == "begin":
            self.traces[name] = ttnn.begin_trace_capture(self.device, cq_id=0)
            self.open, self.captured[name] = name, []
        elif what == "end":
            ttnn.end_trace_capture(self.device, self.traces[name], cq_id=0)
            self.open = None
        else:
            ttnn.release_trace(self.device, self.traces.pop(name))
        return None


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> Iterator[Steps]:
    monkeypatch.setenv("TILEMETER_DEVICE", "n150")
    device = ttnn.open_device(device_id=0, trace_region_size=1 << 20)
    taken = Steps(device)
    yield taken
    taken.tensors.clear()
    ttnn.close_device(device)


@pytest.mark.parametrize("pattern", PATTERNS)
def test_named_are_those_of_ttnns_tracker_that_lie_where_the_trace_works(pattern: str, steps: Steps) -> None:
    for step, address, _, unsafe in PATTERNS[pattern]:
        assert steps.take(step) == address, step
        for trace, tracked in unsafe.items():
            if trace == steps.open:
                continue
            found = tp.metal_trace_hazards(steps.device, steps.traces[trace])
            named = {name for name in steps.tensors for each in found if each.address == steps.tensors[name].buffer_address()
                     and (each.memory == "L1") == ("L1" in str(steps.tensors[name].memory_config()))}
            assert len(named) == len({each.buffer for each in found})
            lying = {name for name in tracked if ("L1" in str(steps.tensors[name].memory_config()),
                                                  steps.tensors[name].buffer_address()) in steps.captured[trace]}
            assert named == lying, step
            for each in found:
                assert (each.by, each.by_operation, len(each.parts)) == ("buffer", "ttnn.relu", 4)
            ttnn.execute_trace(steps.device, steps.traces[trace], cq_id=0)


def test_an_output_that_is_kept_is_the_traces_own(steps: Steps) -> None:
    for step in ("empty x", "begin a", "empty y", "end a"):
        steps.take(step)
    assert tp.metal_trace_hazards(steps.device, steps.traces["a"]) == []
    (own,) = tp.metal_trace_hazards(steps.device, steps.traces["a"], own_results=True)
    assert own.by == "itself" and own.address == steps.tensors["y"].buffer_address()
    assert str(own).endswith("ttnn.relu of the trace writes it anew, 8192 B in 4 bank(s)")
    kept = ttnn.clone(steps.tensors["y"])  # a copy of what an execution left is safe, if it lies elsewhere
    assert tp.metal_trace_hazards(steps.device, steps.traces["a"]) == [] and kept.is_allocated()
    with pytest.raises(RuntimeError, match="Trace instance 4294967295 must exist"):
        tp.metal_trace_hazards(steps.device, ttnn.MeshTraceId(4294967295))
    steps.take("begin b")
    with pytest.raises(RuntimeError, match="metal_trace_hazards: trace .* is still being captured"):
        tp.metal_trace_hazards(steps.device, steps.traces["b"])
    steps.take("end b")


SCRIPT = """
import json, sys
sys.path.insert(0, sys.argv[1])
import tilemeter as ttnn
from test_metal_trace_hazards import PATTERNS, Steps
steps = Steps(ttnn.open_device(device_id=0, trace_region_size=1 << 20))
for step, *_ in PATTERNS[sys.argv[2]]:
    steps.take(step)
    print("step", step, file=sys.stderr, flush=True)
"""


@pytest.mark.parametrize("pattern", PATTERNS)
def test_the_log_warns_where_ttnn_warns(pattern: str) -> None:
    for level in ("warn", ""):
        environment = {**os.environ, "TILEMETER_DEVICE": "n150", "TILEMETER_LOG": level or "off"}
        folder = str(pathlib.Path(__file__).resolve().parent)
        done = subprocess.run([sys.executable, "-c", SCRIPT, folder, pattern], capture_output=True, text=True, env=environment)
        assert done.returncode == 0, done.stderr
        warned, pending = [], False
        for line in done.stderr.splitlines():
            if line.startswith("step "):
                warned.append(pending)
                pending = False
            else:
                assert WARNING in line
                pending = True
        assert warned == [each[2] and bool(level) for each in PATTERNS[pattern]]
