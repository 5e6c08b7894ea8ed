# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Which calls find their program in the cache, as TT-NN 0.81.1 recorded it of sequences of calls (tests/data/oracle)."""

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
    device = ttnn.open_device(device_id=0)
    gc.freeze()  # what other tests keep is not looked through at each call
    try:
        for (operation, _), calls in itertools.groupby(rows, lambda row: (row["op"], row["sequence"])):
            device.clear_program_cache()
            for number, row in enumerate(calls):
                gc.collect()
                said = program_cache.answer(ttnn, device, record.make, record.memory_config, entries[operation], row)
                for what in ("error", "operations", "entries", "memory"):
                    if said is None or said.get(what) != row.get(what):
                        yield f"{operation} {row['sequence']}, call {number}: {what}: {row.get(what)}, found {said and said.get(what)}"
                        break
    finally:
        gc.unfreeze()
        ttnn.close_device(device)


@pytest.mark.parametrize("board", ["n150", "p150"])
def test_calls_share_programs_as_ttnns_do(board: str, recorders: tuple[Any, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [json.loads(line) for line in (ORACLE.parent / "program_cache" / f"{board}.jsonl").read_text().splitlines()]
    assert rows and list(differences(recorders, board, rows, monkeypatch)) == []


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
