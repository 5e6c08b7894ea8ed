# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Planned programs: the places that a run has, the step that fails, traces that are replayed in turn."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
from typing import Any

import pytest

import tilemeter as ttnn
from tilemeter import trace
from shared_folder import SHARED
from tilemeter.graph import ProgramInput, ProgramStep, plan_program

ROOT = pathlib.Path(__file__).resolve().parents[2]
L1, DRAM = ttnn.BufferType.L1, ttnn.BufferType.DRAM


def spec(*shape: int, memory: Any = L1) -> Any:
    return ttnn.TensorSpec(list(shape), ttnn.bfloat16, ttnn.TILE_LAYOUT, memory)


def test_places_are_those_of_a_run(device: Any) -> None:
    x, w = ProgramInput(spec(1, 1, 256, 256), name="x"), ProgramInput(spec(1, 1, 256, 512, memory=DRAM), name="w")
    product = ProgramStep(ttnn.matmul, x, w, memory_config=ttnn.L1_MEMORY_CONFIG, frees=[x])
    parts = ProgramStep(ttnn.split, product, 256, 3, frees=[product])
    total = ProgramStep(lambda pair: ttnn.add(*pair), [parts[0], parts[1]], frees=[parts])
    plan = plan_program([product, parts, total], device, inputs=[x, w])
    assert plan.failure is None and plan.failed_step is None, plan
    assert str(plan).startswith("3 steps fit: at most ")
    made = [ttnn.allocate_tensor_on_device(each.spec.shape, each.spec.dtype, each.spec.layout, device, each.spec.memory_config)
            for each in (x, w)]
    assert [record.address for _, record in plan.inputs] == [each.buffer_address() for each in made]
    ran = ttnn.matmul(*made, memory_config=ttnn.L1_MEMORY_CONFIG)
    assert plan.steps[0].output_allocations[0].address == ran.buffer_address()
    del made[0]
    halves = ttnn.split(ran, 256, 3)
    assert [each.address for each in plan.steps[1].output_allocations] == [each.buffer_address() for each in halves]
    del ran
    result = ttnn.add(*halves)
    del halves
    assert plan.steps[2].output_allocations[0].address == result.buffer_address()
    assert plan.new_state == ttnn.graph.extract_mock_allocator_state(device)
    assert [value for value, _ in plan.alive] == [total[0], w]
    assert plan.steps[0].captured_config is not None


def test_a_failure_says_the_step_and_what_was_alive(device: Any) -> None:
    x = ProgramInput(spec(1, 1, 4096, 4096), name="x")
    one = ProgramStep(ttnn.relu, x, name="one")
    steps = [one, ProgramStep(ttnn.relu, one, name="two"), ProgramStep(ttnn.relu, one, name="three")]
    plan = plan_program(steps, device)
    assert plan.failure is not None and plan.failed_step is steps[plan.failure.step]
    assert plan.failure.refusal.kind in ("out_of_memory", "fragmented")
    assert [value for value, _ in plan.alive][-1] == x and len(plan.alive) == 1 + plan.failure.step
    assert plan.failed_step.name in str(plan) and " B  x" in str(plan)
    with pytest.raises(TypeError, match="neither true nor false"):
        bool(plan)
    # The same steps with frees.
    one.frees, steps[1].frees = [x], []
    steps[2].args = (steps[1][0],)
    assert plan_program(steps[:2], device).failure is None


@pytest.mark.parametrize(
    ("steps", "error", "text"),
    [
        (lambda x: [ProgramStep(ttnn.relu, spec(32, 32))], TypeError, "step 0 \\(ttnn.relu\\): .* got a TensorSpec"),
        (lambda x: [3], TypeError, "step 0: expected a ProgramStep, got int"),
        (lambda x: [ProgramStep(ttnn.relu, ProgramStep(ttnn.relu, x))], ValueError, "expected an input or a result of a step of this"),
        (lambda x: [ProgramStep(ttnn.relu, x, frees=[x]), ProgramStep(ttnn.exp, x)], RuntimeError, "step 1 \\(ttnn.exp\\): .* step 0 frees"),
        (lambda x: [ProgramStep(ttnn.relu, x)] * 2, ValueError, "expected each step once"),
    ],
)  # fmt: skip
def test_bad_programs_are_refused_in_one_line(device: Any, steps: Any, error: Any, text: str) -> None:
    with pytest.raises(error, match=text) as raised:
        plan_program(steps(ProgramInput(spec(1, 1, 64, 64))), device)
    assert "\n" not in str(raised.value)


def test_an_input_may_lie_in_the_state(device: Any) -> None:
    tensor = ttnn.ones([1, 1, 64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device, memory_config=ttnn.L1_MEMORY_CONFIG)
    state = ttnn.graph.extract_mock_allocator_state(device)
    x = ProgramInput(tensor.spec, address=tensor.buffer_address())
    plan = plan_program([ProgramStep(ttnn.relu, x, frees=[x])], device, state)
    assert plan.inputs[0][1].address == tensor.buffer_address()
    assert [each.address for each in plan.new_state.allocations()] == [plan.steps[0].output_allocations[0].address]
    with pytest.raises(RuntimeError, match="input 0: expected 2048 B per bank at address 64"):
        plan_program([], device, state, inputs=[ProgramInput(tensor.spec, address=64)])


def test_traces_keep_what_crosses_them(device: Any) -> None:
    x = ProgramInput(spec(1, 1, 512, 512))
    a = ProgramStep(ttnn.relu, x, frees=[x])
    b = ProgramStep(ttnn.exp, a)
    c = ProgramStep(ttnn.add, a, b, frees=[a, b])
    d = ProgramStep(ttnn.relu, c, frees=[c])
    whole = plan_program([a, b, c, d], device)
    assert not whole.traces
    parts = plan_program([a, b, c, d], device, traces=[0, 2])
    first, second = parts.traces
    assert (first.begin, first.end, second.begin, second.end) == (0, 2, 2, 4)
    # x, a and b stay: the first trace reads x and writes a and b, which the second reads, in each round.
    assert [value for value, _ in second.alive] == [x, a[0], b[0]]
    assert [value for value, _ in first.alive] == [x]
    assert {value for value, _ in parts.alive} == {x, a[0], b[0], d[0]}
    assert parts.new_state.total_allocated_size(L1) > whole.new_state.total_allocated_size(L1)
    with pytest.raises(ValueError, match="traces: expected the first step of each trace"):
        plan_program([a, b, c, d], device, traces=[1, 2])


def test_nobody_sees_a_plan(device: Any) -> None:
    x = ProgramInput(spec(1, 1, 64, 64))
    before = ttnn.graph.extract_mock_allocator_state(device)
    with ttnn.graph.capture() as taken:
        plan_program([ProgramStep(ttnn.relu, x)], device)
    assert len(taken.nodes) == 2  # begin and end
    assert ttnn.graph.extract_mock_allocator_state(device) == before


def test_planned_programs_are_planned_alike(tmp_path: pathlib.Path) -> None:
    script, out = ROOT / "tests" / "acceptance" / "planned_programs.py", tmp_path / "programs.json"
    done = subprocess.run([sys.executable, script, "--plan", out, "--programs", "5"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("5 programs planned")


def mixed(device: Any, w: Any) -> Any:
    cores = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(1, 0))])
    rows = ttnn.MemoryConfig(ttnn.TensorMemoryLayout.HEIGHT_SHARDED, L1, ttnn.ShardSpec(cores, [32, 64], ttnn.ShardOrientation.ROW_MAJOR))

    def f(x: Any) -> Any:
        y = ttnn.softmax(ttnn.matmul(x, w, memory_config=ttnn.L1_MEMORY_CONFIG, dtype=ttnn.float32), dim=-1)
        y = ttnn.concat(ttnn.split(y, 32, 3), dim=3) + ttnn.reshape(y, [1, 1, 64, 64]) * 2
        z = ttnn.add(ttnn.to_memory_config(x, rows), 1.0, activations=[ttnn.UnaryWithParam(ttnn.UnaryOpType.RELU)])
        z = z + ttnn.linear(x, w, activation="gelu")
        return ttnn.where(ttnn.gt(y, 0.5), y, ttnn.typecast(z, ttnn.float32))

    return f


def test_a_capture_and_a_graph_are_programs(device: Any) -> None:
    x, w = (ttnn.ones([1, 1, 64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device) for _ in range(2))
    f = mixed(device, w)
    graph = trace.trace_graph(f, (x,))
    device.clear_program_cache()
    with ttnn.graph.capture() as taken:
        result = f(x)
    ran = [(node["params"]["type"], node["params"]["address"]) for node in taken.nodes if node["node_type"] == "buffer_allocate"]
    for program in (taken, graph, graph.graph):
        plan = plan_program(program, device)
        assert plan.failure is None and [record.address for _, record in plan.inputs] == [x.buffer_address(), w.buffer_address()]
    plan = plan_program(taken, device)
    assert [step.name for step in plan.program][:3] == ["ttnn.matmul", "ttnn.softmax", "ttnn.split"]
    planned = [(each.buffer_type.name, each.address) for step in plan.steps for each in step.output_allocations if each.shares_input is None]
    following = iter(ran)
    assert all(each in following for each in planned)  # in between are operations' own temporaries
    assert plan.new_state.allocations()[-1].address == ttnn.graph.extract_mock_allocator_state(device).allocations()[-1].address
    assert result.buffer_address() == planned[-1][1]


def test_a_recorded_program_fails_where_it_would(device: Any) -> None:
    x = ttnn.ones([1, 1, 2048, 2048], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    with ttnn.graph.capture() as taken:
        kept = [ttnn.relu(x, memory_config=ttnn.L1_MEMORY_CONFIG) for _ in range(3)]
        ttnn.deallocate(kept[0])
        kept.append(ttnn.exp(x, memory_config=ttnn.L1_MEMORY_CONFIG))
    plan = plan_program(taken, device)
    assert plan.failure is None and plan.steps[3].output_allocations[0].address == kept[3].buffer_address()
    assert kept[3].buffer_address() == plan.steps[0].output_allocations[0].address
    state = ttnn.graph.MockAllocatorState.empty(device).with_allocations([ttnn.graph.AllocationRecord(L1, 200_000, 1_000_000)])
    plan = plan_program(taken, device, state)
    assert plan.failure is not None and plan.failure.step == 2 and plan.failure.refusal.kind in ("out_of_memory", "fragmented", "clash")
    assert "tensor " in str(plan)


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda x: 3, TypeError, "expected steps, a capture, a report's file or the graph of a traced function, got int"),
        (lambda x: "absent.json", ValueError, "absent.json: expected a report, found No such file"),
        (lambda x: __file__, ValueError, "test_programs.py: expected a report, found no JSON"),
        (lambda x: trace.trace_graph(trace.exp, (trace.array([1.0]),)), ValueError, "expected a graph of TT-NN's calls, found one of"),
        (lambda x: trace.trace_graph(lambda y: ttnn.layer_norm(y, program_config=ttnn.LayerNormDefaultProgramConfig()), (x,)), ValueError,
         "equation 0 \\(ttnn.layer_norm\\): program_config: expected an argument that a graph says whole, found"),
    ],
)  # fmt: skip
def test_bad_recorded_programs_are_refused_in_one_line(device: Any, make: Any, error: Any, text: str) -> None:
    x = ttnn.ones([1, 1, 64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    with pytest.raises(error, match=text) as raised:
        plan_program(make(x), device)
    assert "\n" not in str(raised.value)


# What TT-NN recorded on its mock device; of some the list has tensors of others in L1, which the program does not name.
RECORDED = sorted(path for folder in (ROOT / "tests" / "data" / "reports", SHARED / "reports") for path in folder.glob("*.n150.NORMAL/report.json")
                  if path.with_suffix(".python_io.json").exists() and "edge_" not in str(path))
REFUSED = ("bert_tiny", "compare", "resnet_block")  # indices, a tensor of torch, weights on the host


@pytest.mark.parametrize("path", RECORDED, ids=lambda path: path.parent.name)
def test_recorded_programs_are_placed_as_ttnn_placed_them(device: Any, path: pathlib.Path) -> None:
    if path.parent.name.startswith(REFUSED):
        with pytest.raises(ValueError, match="expected one that the record says whole"):
            plan_program(path, device)
        return
    plan = plan_program(path, device)
    nodes = json.loads(path.read_text())["graph"]
    ran = iter([(node["params"]["type"], int(node["params"]["address"])) for node in nodes if node["node_type"] == "buffer_allocate"])
    planned = [(each.buffer_type.name, each.address) for step in plan.steps for each in step.output_allocations
               if each.shares_input is None and each.buffer_type == L1]
    assert all(each in ran for each in planned)
    fails = {"error_clash": ("clash", 6), "error_oom": ("out_of_memory", 5), "error_retry": ("bad_argument", 1), "error_linear": ("bad_argument", 0)}
    for name, (kind, step) in fails.items():
        if path.parent.name.startswith(name):
            assert plan.failure is not None and (plan.failure.refusal.kind, plan.failure.step) == (kind, step)
            return
    assert plan.failure is None, plan
