# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The calls that find their program in the cache, as TT-NN 0.81.1 recorded it of sequences of calls
(tests/data/oracle)."""

from __future__ import annotations

import gc
import importlib
import itertools
import json
import pathlib
import sys
from collections.abc import Iterator
from typing import Any

import pytest

import tilemeter as ttnn

ORACLE = pathlib.Path(__file__).resolve().parents[1] / "data" / "oracle"
if not ORACLE.is_dir():
    pytest.skip("the checkout's recorded rows are not here", allow_module_level=True)


@pytest.fixture
def recorders(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, Any]]:
    """record.py and record_program_cache.py over this package."""
    monkeypatch.setitem(sys.modules, "ttnn", ttnn)
    monkeypatch.syspath_prepend(str(ORACLE))
    modules = [importlib.import_module(name) for name in ("record", "record_program_cache")]
    yield modules[0], modules[1]
    for name in [each for each in sys.modules if each in ("record", "record_program_cache") or each.startswith("configurations")]:
        del sys.modules[name]


def differences(recorders: tuple[Any, Any], board: str, rows: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("TILEMETER_DEVICE", board)
    record, program_cache = recorders
    entries = program_cache.entries_of(sorted({row["op"] for row in rows}))
    mixed = rows[0].get("mixed", False)
    device = ttnn.open_device(device_id=0, l1_small_size=rows[0].get("l1_small_size", 0))
    gc.freeze()  # objects that other tests keep are not looked through at each call
    try:
        for (name, _), calls in itertools.groupby(rows, lambda row: ("mixed" if mixed else row["op"], row["sequence"])):
            device.clear_program_cache()
            for number, row in enumerate(calls):
                gc.collect()
                said = program_cache.answer(ttnn, device, record.make, record.memory_config, entries[row["op"]], row, not mixed)
                for what in ("error", "operations", "entries", "memory"):
                    if said is None or said.get(what) != row.get(what):
                        yield f"{name} {row['sequence']}, call {number}, {row['op']}: {what}: {row.get(what)}, found {said and said.get(what)}"
                        break
    finally:
        gc.unfreeze()
        ttnn.close_device(device)


@pytest.mark.parametrize("recorded", ["n150", "p150", "mixed.n150", "mixed.p150"])
def test_calls_share_programs_as_ttnns_do(recorded: str, recorders: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [json.loads(line) for line in (ORACLE.parent / "program_cache" / f"{recorded}.jsonl").read_text().splitlines()]
    assert rows and list(differences(recorders, recorded.rpartition(".")[2], rows, monkeypatch)) == []


def test_shards_of_a_caller_and_those_of_a_tensor_are_two_programs(device: Any) -> None:
    asked = ttnn.create_sharded_memory_config([1, 1, 64, 64], ttnn.CoreGrid(y=2, x=1), ttnn.ShardStrategy.HEIGHT)
    source, sharded = (ttnn.zeros([1, 1, 64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device, memory_config=config)
                       for config in (ttnn.DRAM_MEMORY_CONFIG, asked))
    assert sharded.memory_config() == asked
    counts = []
    for config in (asked, sharded.memory_config(), asked, sharded.memory_config()):
        ttnn.relu(source, memory_config=config)
        counts.append(device.num_program_cache_entries())
    assert counts == [counts[0], counts[0] + 1, counts[0] + 1, counts[0] + 1]


def test_numbers_of_functions_are_in_the_key_and_those_of_operands_are_not(device: Any) -> None:
    x = ttnn.zeros([1, 1, 64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    programs = {}
    for name, call in (("clip", lambda number: ttnn.clip(x, -number, number)), ("fill", lambda number: ttnn.fill(x, number)),
                       ("full_like", lambda number: ttnn.full_like(x, number)), ("add", lambda number: ttnn.add(x, number)),
                       ("addcmul", lambda number: ttnn.addcmul(x, x, x, value=number)),
                       ("where", lambda number: ttnn.where(x, number, 1.0))):
        device.clear_program_cache()
        for number in (0.5, 0.75, 0.5):
            call(number)
        programs[name] = device.num_program_cache_entries()
    assert programs == {"clip": 2, "fill": 2, "full_like": 2, "add": 1, "addcmul": 1, "where": 2}


def test_what_calls_of_one_operation_share(device: Any) -> None:
    def counted(*calls: Any) -> list[int]:
        device.clear_program_cache()
        counts = []
        for call in calls:
            call()
            counts.append(device.num_program_cache_entries())
        return counts

    def made(*shape: int, memory: Any = ttnn.DRAM_MEMORY_CONFIG) -> Any:
        return ttnn.zeros(list(shape), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device, memory_config=memory)

    x, y, other, row = made(1, 1, 64, 64), made(1, 1, 64, 64), made(1, 1, 96, 32), made(1, 1, 1, 64)
    in_l1 = made(1, 1, 64, 64, memory=ttnn.L1_MEMORY_CONFIG)
    assert counted(lambda: ttnn.where(x, y, 0.5), lambda: ttnn.where(x, y, 0.75), lambda: ttnn.where(other, other, 0.5),
                   lambda: ttnn.where(x, y, 0.5, output_tensor=in_l1),
                   lambda: ttnn.where(x, y, 0.5, memory_config=ttnn.L1_MEMORY_CONFIG),
                   lambda: ttnn.where(x, 0.5, y), lambda: ttnn.where(x, row, 0.25)) == [1, 1, 1, 1, 2, 3, 4]
    assert counted(lambda: ttnn.where(x, 0.5, 1.0), lambda: ttnn.where(x, 0.75, 1.0), lambda: ttnn.where(other, 0.5, 1.0),
                   lambda: ttnn.where(x, 0.5, 1.0, output_tensor=in_l1),
                   lambda: ttnn.where(x, 0.5, 1.0, memory_config=ttnn.L1_MEMORY_CONFIG)) == [1, 2, 2, 3, 3]
    assert counted(lambda: ttnn.matmul(x, y), lambda: ttnn.linear(x, y), lambda: ttnn.linear(x, y, activation="gelu"),
                   lambda: ttnn.matmul(x, y, activation="relu")) == [1, 1, 2, 3]
    assert counted(lambda: ttnn.slice(x, [0, 0, 0, 0], [1, 1, 40, 64]), lambda: ttnn.slice(x, [0, 0, 0, 0], [1, 1, 41, 64]),
                   lambda: ttnn.slice(x, [0, 0, 0, 0], [1, 1, 32, 64])) == [1, 1, 2]


def test_a_loop_that_decodes_builds_no_program(device: Any) -> None:
    cache, token = (ttnn.zeros([1, 8, length, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device) for length in (64, 32))
    ttnn.update_cache(cache, token, 0)
    ttnn.multiply(token, 0.5)
    entries = device.num_program_cache_entries()
    for position in range(1, 64):
        ttnn.update_cache(cache, token, position)
        ttnn.multiply(token, 1.0 / position)
    assert device.num_program_cache_entries() == entries == 2


def test_misses_that_are_forbidden_are_refused_until_the_cache_is_off(device: Any) -> None:
    x = ttnn.ones([1, 1, 64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    ttnn.relu(x)
    device.set_program_cache_misses_allowed(False)
    ttnn.relu(x)
    message = 'Device operation "UnaryDeviceOperation": program cache miss occurred, but cache misses are forbidden'
    ttnn.graph.begin_graph_capture(ttnn.graph.RunMode.NORMAL)
    with pytest.raises(RuntimeError, match=message):
        ttnn.exp(x)
    nodes = ttnn.graph.end_graph_capture()
    assert [node["node_type"] for node in nodes if "buffer_" in node["node_type"]] == ["buffer_allocate", "buffer_deallocate"]
    ttnn.graph.begin_graph_capture(ttnn.graph.RunMode.NO_DISPATCH)
    with pytest.raises(RuntimeError, match=message):
        ttnn.exp(x)
    ttnn.graph.end_graph_capture()
    device.clear_program_cache()
    with pytest.raises(RuntimeError, match=message):
        ttnn.relu(x)
    device.disable_and_clear_program_cache()
    ttnn.relu(x)
    device.enable_program_cache()
    with pytest.raises(RuntimeError, match=message):
        ttnn.relu(x)
    device.set_program_cache_misses_allowed(True)
    ttnn.relu(x)
    assert device.num_program_cache_entries() == 1


def test_a_program_of_another_shape_is_no_new_binary_in_a_metal_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEMETER_DEVICE", "n150")
    device = ttnn.open_device(device_id=0, trace_region_size=1 << 20)
    small, large = (ttnn.ones([1, 1, size, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device) for size in (32, 96))
    ttnn.add(small, small)
    trace = ttnn.begin_trace_capture(device, cq_id=0)
    made = ttnn.add(large, large)
    with pytest.raises(RuntimeError, match="Cannot load new binaries during trace capture"):
        ttnn.matmul(large, ttnn.transpose(large, -1, -2))
    ttnn.end_trace_capture(device, trace, cq_id=0)
    ttnn.execute_trace(device, trace, cq_id=0)
    assert (made.to_numpy() == 2).all()
    ttnn.close_device(device)
