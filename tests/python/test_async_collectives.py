# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Collectives whose semaphores are given: plans as TT-NN 0.81.1 recorded them, and values.

data/mesh/async_collectives.json: what collective_calls.py recorded.
"""

from __future__ import annotations

import json
import pathlib
from typing import Any, Iterator

import collective_calls
import numpy
import pytest

import tilemeter as ttnn

DATA = pathlib.Path(__file__).resolve().parent.parent / "data" / "mesh"
ROWS = json.loads((DATA / "async_collectives.json").read_text())


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Any, list[Any]]]:
    monkeypatch.setenv("TILEMETER_DEVICE", "n300")
    mesh, semaphores = collective_calls.open_mesh(ttnn)
    yield mesh, semaphores
    ttnn.close_mesh_device(mesh)


def test_plans_are_as_recorded(opened: tuple[Any, list[Any]]) -> None:
    mesh, semaphores = opened
    for row in ROWS:
        call = collective_calls.call(ttnn, mesh, semaphores, row)
        if row["recorded"] is None:
            with pytest.raises(RuntimeError):
                call()
            continue
        ttnn.graph.begin_graph_capture(ttnn.graph.RunMode.NORMAL)
        result = call()
        nodes = ttnn.graph.end_graph_capture()
        assert collective_calls.recorded(nodes) == row["recorded"], {key: row[key] for key in row if key != "recorded"}
        if not row["keeps_result"]:
            ttnn.deallocate(result)
        del call, result


def on_chips(mesh: Any, array: Any, dim: int = 0) -> Any:
    return ttnn.from_numpy(
        array, dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=mesh, mesh_mapper=ttnn.ShardTensorToMesh(mesh, dim=dim)
    )


def parts_of(tensor: Any) -> list[Any]:
    return [ttnn.to_numpy(part) for part in ttnn.get_device_tensors(tensor)]


def test_gathers_reduces_and_scatters_values(opened: tuple[Any, list[Any]]) -> None:
    mesh, semaphores = opened
    array = numpy.random.default_rng(0).integers(-8, 8, (2, 1, 64, 128)).astype(numpy.float32)
    x = on_chips(mesh, array)
    experimental = ttnn.experimental
    gathered = experimental.all_gather_async(x, 3, semaphores[:2])
    reversed_order = experimental.all_gather_async_reversed(x, 3, semaphores[:2])
    scattered = experimental.reduce_scatter_minimal_async(x, dim=2, multi_device_global_semaphore=semaphores)
    reduced = experimental.all_reduce_async(
        x, cluster_axis=1, mesh_device=mesh, barrier_semaphores=semaphores[:2], rs_global_semaphores=semaphores,
        ag_global_semaphores=semaphores[:2], math_op=ttnn.ReduceType.Sum,
    )  # fmt: skip
    first, second = array[:1], array[1:]
    for chip in range(2):
        assert numpy.array_equal(parts_of(gathered)[chip], numpy.concatenate([first, second], 3))
        assert numpy.array_equal(parts_of(reversed_order)[chip], numpy.concatenate([second, first], 3))
        assert numpy.array_equal(parts_of(scattered)[chip], (first + second)[:, :, 32 * chip : 32 * (chip + 1)])
        assert numpy.array_equal(parts_of(reduced)[chip], first + second)


def test_kept_memory_gets_the_values(opened: tuple[Any, list[Any]]) -> None:
    mesh, semaphores = opened
    array = numpy.random.default_rng(1).integers(-8, 8, (2, 1, 32, 64)).astype(numpy.float32)
    x = on_chips(mesh, array)
    whole = on_chips(mesh, numpy.zeros((2, 1, 64, 64), numpy.float32))
    given = ttnn.experimental.all_gather_async(x, whole, dim=2, multi_device_global_semaphore=semaphores[:2])
    assert given.buffer_address() == whole.buffer_address()
    assert numpy.array_equal(parts_of(whole)[0], numpy.concatenate([array[:1], array[1:]], 2))


def test_says_what_is_not_modelled_or_wrong(opened: tuple[Any, list[Any]]) -> None:
    mesh, semaphores = opened
    x = ttnn.zeros([1, 1, 32, 64], layout=ttnn.TILE_LAYOUT, device=mesh)
    gather = ttnn.experimental.all_gather_async
    with pytest.raises(RuntimeError, match="use_broadcast: expected False, True is not modelled"):
        gather(x, dim=0, multi_device_global_semaphore=semaphores[:2], use_broadcast=True, cluster_axis=1)
    with pytest.raises(RuntimeError, match="sub_core_grids: expected None"):
        gather(x, 3, semaphores[:2], sub_core_grids=ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(1, 1))}))
    with pytest.raises(RuntimeError, match="num_links: expected 1 to 7, got 9"):
        gather(x, 3, semaphores[:2], num_links=9)
    with pytest.raises(RuntimeError, match="num_workers_per_link: expected 1 or more"):
        gather(x, 3, semaphores[:2], num_workers_per_link=0)
    with pytest.raises(RuntimeError, match="whole tiles of 32"):
        gather(ttnn.zeros([1, 1, 32, 40], layout=ttnn.TILE_LAYOUT, device=mesh), 3, semaphores[:2])
    with pytest.raises(RuntimeError, match="persistent_output_buffers: expected None or two tensors, got 1"):
        ttnn.experimental.reduce_scatter_minimal_async(x, [x], dim=3, multi_device_global_semaphore=semaphores)
