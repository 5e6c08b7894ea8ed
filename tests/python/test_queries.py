# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A compiler's queries: equal to captures of the same calls, unseen by others, refused in one line."""

from __future__ import annotations

import copy
import pathlib
import re
import subprocess
import sys
import threading
from typing import Any, Callable

import pytest

import tilemeter as ttnn
from conftest import tiles
from shared_folder import SHARED

graph = ttnn.graph
ORACLE = pathlib.Path(__file__).resolve().parents[1] / "data" / "oracle"
L1 = ttnn.BufferType.L1


def spec(*shape: int, memory: Any = L1) -> Any:
    return ttnn.TensorSpec(list(shape), ttnn.bfloat16, ttnn.TILE_LAYOUT, memory)


CALLS: list[tuple[Callable[..., Any], tuple[Any, ...]]] = [
    (ttnn.relu, (spec(1, 1, 64, 96),)),
    (lambda a, b: ttnn.softmax(ttnn.add(a, b), dim=-1), (spec(1, 1, 64, 96), spec(1, 1, 64, 96))),
    (lambda parts: ttnn.concat(parts, dim=-1), ([spec(1, 1, 64, 96), spec(1, 1, 64, 32)],)),
    (lambda a, weight: ttnn.layer_norm(a, weight=weight), (spec(1, 1, 64, 96), None)),
    (lambda a, weight: ttnn.layer_norm(a, weight=weight), (spec(1, 1, 64, 96), spec(1, 96))),
    (ttnn.sort, (spec(1, 1, 64, 64),)),
    (ttnn.matmul, (spec(1, 1, 64, 96), spec(1, 1, 96, 512))),
]


def made(device: Any, argument: Any) -> Any:
    if isinstance(argument, ttnn.TensorSpec):
        return ttnn.allocate_tensor_on_device(argument.shape, argument.dtype, argument.layout, device, argument.memory_config)
    return [made(device, each) for each in argument] if isinstance(argument, list) else argument


def results_of(result: Any) -> list[Any]:
    return [each for part in result for each in results_of(part)] if isinstance(result, (list, tuple)) else [result]


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_a_query_is_what_a_capture_says(device: Any, number: int) -> None:
    call, arguments = CALLS[number]
    response = graph.query_op_constraints(call, device, *arguments)
    assert response.status == graph.ExecutionStatus.Success, response.error_message
    graph.begin_graph_capture(graph.RunMode.NO_DISPATCH)
    outputs = results_of(call(*[made(device, each) for each in arguments]))
    usage = graph.extract_resource_usage_per_core(graph.end_graph_capture())
    told = response.resource_usage
    assert (told.cb_peak_size_per_core, told.l1_buffers_peak_per_core) == (usage.peak_cb, usage.peak_l1)
    assert told.dataflow_buffer_peak_per_core == usage.peak_dataflow_buffer
    assert told.peak_memory_usage_per_core == told.peak_of_all_kinds_per_core == usage.peak_total
    assert [each.shape for each in response.output_tensor_specs] == [each.shape for each in outputs]


@pytest.mark.parametrize("number", range(len(CALLS)))
def test_a_state_is_what_the_device_has(device: Any, number: int) -> None:
    call, arguments = CALLS[number]
    alive = tiles(device, 1, 1, 320, 320, memory_config=ttnn.L1_MEMORY_CONFIG)
    inputs = [made(device, each) for each in arguments]
    state = graph.extract_mock_allocator_state(device)
    answer = graph.query_op_constraints_with_initial_state(call, device, state, *arguments)
    outputs = results_of(call(*inputs))
    assert [each.address for each in answer.output_allocations] == [each.buffer_address() for each in outputs]
    device.clear_program_cache()  # tables of programs
    assert answer.new_state == graph.extract_mock_allocator_state(device) != state
    records = [each for each in answer.new_state.allocations() if each not in answer.output_allocations]
    assert state.with_allocations(records) == state == copy.deepcopy(state)
    del alive


def test_configs(device: Any) -> None:
    state = graph.extract_mock_allocator_state(device)

    def config_of(call: Callable[..., Any], *specs: Any) -> Any:
        return graph.query_op_constraints_with_initial_state(call, device, state, *specs).captured_config

    a, b = spec(1, 1, 256, 512), spec(1, 1, 512, 1024)
    chosen = config_of(ttnn.matmul, a, b)
    assert type(chosen) is ttnn.MatmulMultiCoreReuseMultiCast1DProgramConfig and chosen.per_core_M == 8
    assert str(config_of(ttnn.linear, a, b)) == str(config_of(lambda *x: ttnn.matmul(*x, program_config=chosen), a, b)) == str(chosen)
    assert config_of(ttnn.layer_norm, a) == ttnn.LayerNormDefaultProgramConfig()
    assert config_of(ttnn.softmax, a) == ttnn.SoftmaxDefaultProgramConfig()
    grid = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(3, 3))})
    shards = ttnn.ShardSpec(grid, [64, 128], ttnn.ShardOrientation.ROW_MAJOR)
    block = ttnn.TensorSpec([1, 1, 256, 512], ttnn.bfloat16, ttnn.TILE_LAYOUT, ttnn.TensorMemoryLayout.BLOCK_SHARDED, shards, L1)
    norm = config_of(ttnn.layer_norm, block)
    assert (norm.block_h, norm.block_w, norm.subblock_w, norm.inplace) == (2, 4, 1, False)
    assert config_of(ttnn.relu, a) is None


def one_line(message: str | None) -> str:
    assert message and "\n" not in message
    return message


def test_bad_input(device: Any) -> None:
    state = graph.extract_mock_allocator_state(device)
    a, kept = spec(1, 1, 64, 64), []

    def refused(call: Callable[..., Any], *specs: Any) -> str:
        response = graph.query_op_constraints(call, device, *specs)
        beside = graph.query_op_constraints_with_initial_state(call, device, state, *specs)
        assert response.status == beside.response.status == graph.ExecutionStatus.Error
        assert response.refusal.kind == beside.response.refusal.kind == "bad_argument"
        assert response.output_tensor_specs is None and beside.new_state == state and not beside.output_allocations
        assert one_line(response.error_message) == one_line(beside.response.error_message)
        return response.error_message

    assert "returns a tensor" in refused(lambda x: 3, a)
    assert "keeps" in refused(lambda x: (kept.append(ttnn.exp(x)), ttnn.relu(x))[1], a)
    kept.clear()
    assert "keeps its input" in refused(lambda x: (kept.append(x), ttnn.relu(x))[1], a)
    kept.clear()
    assert "keeps its result" in refused(lambda x: (kept.append(ttnn.exp(x)), kept[-1])[1], a)
    kept.clear()
    assert "at most 2^56 elements" in refused(ttnn.relu, spec(1 << 31, 1 << 31))
    assert "no query" in refused(lambda x: ttnn.begin_trace_capture(device, cq_id=0), a)
    assert not ttnn.is_trace_capture_active(device)
    assert "capture" in refused(lambda x: graph.begin_graph_capture(graph.RunMode.NORMAL), a)
    assert not graph.is_graph_capture_active()
    assert "no query" in refused(lambda x: ttnn.open_mesh_device(ttnn.MeshShape(1, 1)), a)
    assert "no query" in refused(lambda x: ttnn.close_device(device), a)
    assert "Mismatch" in refused(ttnn.matmul, a, spec(1, 1, 32, 32))
    assert "relu" in refused(ttnn.relu, a, "three")
    with pytest.raises(KeyboardInterrupt):
        graph.query_op_constraints(interrupted, device, a)
    record = graph.AllocationRecord
    end = max(each.address + each.size_per_bank for each in [record(L1, state_end(device), 0)])
    for records, text in (
        ([record(L1, end - 4096, 4096), record(L1, end - 2048, 1024)], "record 1 (L1, .* overlaps record 0"),
        ([record(L1, end, 2048)], "expected within the bank"),
        ([record(L1, 0, 2048)], "expected within the bank"),
    ):
        with pytest.raises(RuntimeError, match=re.sub(r"\(", r"\\(", text)):
            state.with_allocations(records)
    with pytest.raises(RuntimeError, match="expected a state of a board"):
        graph.query_op_constraints_with_initial_state(ttnn.relu, device, graph.MockAllocatorState(), a)


def interrupted(_: Any) -> None:
    raise KeyboardInterrupt


def state_end(device: Any) -> int:
    tensor = tiles(device, 1, 1, 32, 32, memory_config=ttnn.L1_MEMORY_CONFIG)
    return tensor.buffer_address() + 2048


def test_another_board(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEMETER_DEVICE", "p150")
    other = ttnn.open_device(device_id=0)
    state = graph.extract_mock_allocator_state(other)
    ttnn.close_device(other)
    monkeypatch.setenv("TILEMETER_DEVICE", "n150")
    device = ttnn.open_device(device_id=0)
    with pytest.raises(RuntimeError, match="expected a state of n150, got one of p150"):
        graph.query_op_constraints_with_initial_state(ttnn.relu, device, state, spec(1, 1, 32, 32))
    ttnn.close_device(device)


def test_refusals_are_data(device: Any) -> None:
    end = state_end(device)
    state = graph.extract_mock_allocator_state(device).with_allocations([graph.AllocationRecord(L1, end - 65536, 65536)])
    large = spec(1, 1, 16384, 3200, memory=ttnn.BufferType.DRAM)

    def to_l1(x: Any) -> Any:
        return ttnn.relu(x, memory_config=ttnn.L1_MEMORY_CONFIG)

    refusal = graph.query_op_constraints_with_initial_state(to_l1, device, state, large).response.refusal
    assert refusal.kind == "out_of_memory" or refusal.bytes_wanted <= refusal.free_bytes
    assert refusal.largest_free_block <= refusal.free_bytes and refusal.operation == "ttnn.relu"
    assert [(each.address, each.size_per_bank) for each in refusal.in_the_way] == [(end - 65536, 65536)]


def test_nobody_sees_a_query(device: Any) -> None:
    a = tiles(device, 1, 1, 64, 64, memory_config=ttnn.L1_MEMORY_CONFIG)

    def captured() -> list[str]:
        with graph.capture() as taken:
            ttnn.relu(a)
        return [node["params"].get("name", node["node_type"]) for node in taken.nodes if node["params"]]

    captured()
    expected = captured()
    ends = threading.Event()
    answers: list[bool] = []

    def ask() -> None:
        while not ends.is_set():
            response = graph.query_op_constraints(ttnn.softmax, device, spec(1, 1, 64, 64))
            answers.append(response.status == graph.ExecutionStatus.Success)

    thread = threading.Thread(target=ask)
    thread.start()
    for _ in range(20):
        assert captured() == expected
    ends.set()
    thread.join()
    assert answers and all(answers)


@pytest.mark.skipif(not (SHARED / "queries").is_dir(), reason="recordings of TT-NN's answers are not there")
def test_recorded_answers() -> None:
    files = sorted((SHARED / "queries").glob("*.jsonl"))
    check = [sys.executable, SHARED / "queries" / "query_check.py", "--configurations", ORACLE, *files]
    done = subprocess.run(check, check=False, capture_output=True, text=True)
    found = re.search(r"(\d+) passed, (\d+) failed", done.stdout)
    assert found, done.stdout + done.stderr
    passed, failed = map(int, found.groups())
    assert failed <= 0.01 * passed, done.stdout
