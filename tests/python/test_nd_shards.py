# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Tensors in shards of any number of dimensions. What is expected, TT-NN 0.81.1 gave on a mock n150; more of it is in the rows
of to_memory_config and relu in data/oracle."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tilemeter as ttnn

TILE, ROWS = ttnn.TILE_LAYOUT, ttnn.ROW_MAJOR_LAYOUT
ND, HEIGHT, WIDTH, BLOCK = (
    ttnn.TensorMemoryLayout.ND_SHARDED, ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.TensorMemoryLayout.WIDTH_SHARDED,
    ttnn.TensorMemoryLayout.BLOCK_SHARDED,
)


def grid(x: int, y: int) -> Any:
    return ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(x - 1, y - 1))])


def config(shape: list[int], cores: Any, **options: Any) -> Any:
    return ttnn.MemoryConfig(ttnn.BufferType.L1, ttnn.NdShardSpec(shape, cores, **options))


@pytest.mark.parametrize(
    "shape, layout, shard, cores, found, legacy, padded, bank",
    [
        ([1, 1, 64, 128], TILE, [1, 1, 64, 32], (4, 1), WIDTH, [64, 32], [1, 1, 64, 128], 4096),
        ([1, 1, 128, 128], TILE, [32, 32], (4, 4), BLOCK, [32, 32], [1, 1, 128, 128], 2048),
        ([1, 1, 128, 128], TILE, [32, 32], (2, 1), ND, None, [1, 1, 128, 128], 16384),
        ([2, 3, 64, 64], TILE, [1, 3, 64, 64], (4, 4), HEIGHT, [192, 64], [2, 3, 64, 64], 24576),
        ([2, 3, 64, 64], TILE, [2, 1, 64, 64], (4, 4), ND, None, [2, 3, 64, 64], 16384),
        ([2, 3, 64, 64], TILE, [2, 2, 64, 64], (4, 1), ND, None, [2, 3, 64, 64], 32768),
        ([3, 5, 7, 20], ROWS, [1, 2, 4, 20], (4, 1), ND, None, [3, 5, 7, 20], 1920),
        ([3, 5, 7, 20], ROWS, [1, 5, 7, 10], (4, 1), ND, None, [3, 5, 7, 20], 2240),
        ([3, 5, 7, 20], ROWS, [3, 5, 7, 6], (8, 2), WIDTH, [105, 6], [3, 5, 7, 24], 1680),
        ([64], ROWS, [16], (4, 1), WIDTH, [1, 16], [64], 32),
    ],
)
def test_are_placed_as_ttnn_places_them(device: Any, shape: list[int], layout: Any, shard: list[int], cores: tuple[int, int],
                                        found: Any, legacy: list[int] | None, padded: list[int], bank: int) -> None:
    with ttnn.graph.capture() as taken:
        tensor = ttnn.allocate_tensor_on_device(ttnn.Shape(shape), ttnn.bfloat16, layout, device, config(shard, grid(*cores)))
    given = tensor.memory_config()
    assert given.memory_layout == found and list(given.nd_shard_spec.shard_shape) == shard
    assert legacy == (given.shard_spec and list(given.shard_spec.shape)) and list(tensor.padded_shape) == padded
    buffer = next(node["params"] for node in taken.nodes if node["node_type"] == "buffer_allocate")
    assert int(buffer["max_size_per_bank"]) == bank
    assert buffer["layout"] == ("UNKNOWN" if found == ND else found.name)


def test_say_what_ttnns_say() -> None:
    given = config([1, 1, 32, 64], grid(4, 1))
    assert str(given) == (
        "MemoryConfig(memory_layout=TensorMemoryLayout::ND_SHARDED,buffer_type=BufferType::L1,shard_spec=std::nullopt,"
        'nd_shard_spec={"shard_shape":[1, 1, 32, 64],"grid":[{"start":{"x":0,"y":0},"end":{"x":3,"y":0}}],'
        '"orientation":"ShardOrientation::ROW_MAJOR","shard_distribution_strategy":"ShardDistributionStrategy::ROUND_ROBIN_1D"},'
        "created_with_nd_shard_spec=1,per_core_allocation=0,range_lockstep_allocation=0)")
    assert given.is_sharded() and given.shard_spec is None and given == config([1, 1, 32, 64], grid(4, 1))
    assert given != config([1, 1, 32, 32], grid(4, 1)) and hash(given) == hash(config([1, 1, 32, 64], grid(4, 1)))


@pytest.mark.parametrize(
    "shape, layout, dims, across, others",
    [
        ([2, 3, 64, 96], TILE, [2, 3], [2, 3, 32, 32], [1, 1, 64, 96]),
        ([2, 3, 64, 96], TILE, [1], [2, 1, 64, 96], [1, 3, 32, 32]),
        ([4, 50, 70], TILE, [-1], [4, 64, 32], [1, 32, 96]),
        ([4, 50, 70], ROWS, [0, 1], [1, 1, 96], [4, 50, 32]),
        ([4, 50, 70], ROWS, [2], [4, 50, 32], [1, 1, 96]),
    ],
)
def test_along_dimensions_are_as_small_as_can_be(shape: list[int], layout: Any, dims: list[int], across: list[int],
                                                 others: list[int]) -> None:
    spec = ttnn.TensorSpec(shape, ttnn.bfloat16, layout, ttnn.BufferType.L1)
    assert list(spec.sharded_across_dims(dims, grid(4, 4)).memory_config.nd_shard_spec.shard_shape) == across
    assert list(spec.sharded_across_dims_except(dims, grid(4, 4)).memory_config.nd_shard_spec.shard_shape) == others


@pytest.mark.parametrize("alignment, expected", [("NONE", [1, 20, 20]), ("REQUIRED", [1, 20, 20]), ("RECOMMENDED", [1, 20, 32])])
def test_are_aligned_as_is_asked_for(alignment: str, expected: list[int]) -> None:
    spec = ttnn.TensorSpec([4, 50, 70], ttnn.bfloat16, ROWS, ttnn.BufferType.L1)
    shards = ttnn.NdShardSpec([1, 20, 20], grid(4, 4))
    assert list(spec.sharded(shards, ttnn.ShardShapeAlignment[alignment]).memory_config.nd_shard_spec.shard_shape) == expected
    with pytest.raises(RuntimeError, match="must be tile {32, 32} sized"):
        ttnn.TensorSpec([4, 50, 70], ttnn.bfloat16, TILE, shards)


def test_keep_their_values(device: Any) -> None:
    values = numpy.arange(2 * 3 * 64 * 64, dtype=numpy.float32).reshape(2, 3, 64, 64) - 100
    shards = config([2, 1, 64, 64], grid(2, 1))
    tensor = ttnn.from_numpy(values, dtype=ttnn.float32, layout=TILE, device=device, memory_config=shards)
    assert (ttnn.relu(tensor).to_numpy() == numpy.maximum(values, 0)).all()
    there = ttnn.to_memory_config(tensor, ttnn.DRAM_MEMORY_CONFIG)
    assert not there.is_sharded() and (ttnn.to_memory_config(there, shards).to_numpy() == values).all()


def test_that_are_not_modelled_are_refused_by_name(device: Any) -> None:
    one_after_the_other = ttnn.ShardDistributionStrategy.CONTIGUOUS_1D
    with pytest.raises(RuntimeError, match="CONTIGUOUS_1D is not modelled"):
        ttnn.zeros([64, 64], dtype=ttnn.bfloat16, layout=TILE, device=device,
                   memory_config=config([32, 32], grid(2, 1), shard_distribution_strategy=one_after_the_other))


@pytest.mark.parametrize(
    "shape, kind, shard, areas, orientation, memory, cores",
    [
        ([2, 1, 128, 64], "ND", [2, 1, 32, 64], [(0, 0, 7, 0)], "ROW_MAJOR", "L1", [(0, 0), (1, 0), (2, 0), (3, 0)]),
        ([2, 1, 128, 64], "ND", [2, 1, 32, 64], [(0, 0, 1, 2)], "COL_MAJOR", "L1", [(0, 0), (0, 1), (0, 2), (1, 0)]),
        ([3, 2, 64, 64], "ND", [1, 1, 32, 32], [(0, 0, 1, 0), (4, 1, 5, 2)], "ROW_MAJOR", "L1",
         [(0, 0), (1, 0), (4, 1), (5, 1), (4, 2), (5, 2)]),
        ([3, 64, 64], "ND", [192, 32], [(0, 0, 3, 0)], "ROW_MAJOR", "L1", [(0, 0), (1, 0)]),
        ([3, 2, 64, 64], "ND", [2, 2, 32, 64], [(0, 0, 3, 0)], "ROW_MAJOR", "DRAM", [(3, 7), (0, 0), (0, 4), (2, 1)]),
        ([1, 1, 64, 64], "BLOCK", [32, 32], [(1, 1, 4, 4)], "ROW_MAJOR", "L1", [(1, 1), (2, 1), (1, 2), (2, 2)]),
        ([1, 1, 128, 64], "BLOCK", [32, 32], [(0, 0, 3, 1)], "COL_MAJOR", "L1",
         [(0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1)]),
        ([1, 1, 64, 64], "HEIGHT", [32, 64], [(0, 0, 1, 0), (4, 0, 5, 0)], "ROW_MAJOR", "L1", [(0, 0), (1, 0)]),
        ([1, 1, 32, 96], "WIDTH", [32, 32], [(0, 0, 1, 1)], "COL_MAJOR", "L1", [(0, 0), (0, 1), (1, 0)]),
        ([1, 1, 192, 64], "HEIGHT", [32, 64], [(0, 0, 11, 0)], "ROW_MAJOR", "DRAM",
         [(3, 7), (0, 0), (0, 4), (2, 1), (4, 0), (7, 7)]),
    ],
)
def test_the_cores_near_the_shards_are_named_in_their_order(
    shape: list[int], kind: str, shard: list[int], areas: list[tuple[int, int, int, int]], orientation: str, memory: str,
    cores: list[tuple[int, int]], device: Any,
) -> None:
    # given
    spread = ttnn.CoreRangeSet([ttnn.CoreRange(ttnn.CoreCoord(a, b), ttnn.CoreCoord(c, d)) for a, b, c, d in areas])
    walk, kept = getattr(ttnn.ShardOrientation, orientation), getattr(ttnn.BufferType, memory)
    place = ttnn.MemoryConfig(kept, ttnn.NdShardSpec(shard, spread, walk)) if kind == "ND" else ttnn.MemoryConfig(
        getattr(ttnn.TensorMemoryLayout, f"{kind}_SHARDED"), kept, ttnn.ShardSpec(spread, shard, walk))
    tensor = ttnn.zeros(shape, dtype=ttnn.bfloat16, layout=TILE, device=device, memory_config=place)
    # then
    assert [(core.x, core.y) for core in ttnn.get_optimal_worker_cores_for_sharded_tensor(tensor)] == cores


def test_a_tensor_without_shards_has_no_cores_near_them(device: Any) -> None:
    with pytest.raises(RuntimeError, match="expected shards on a device"):
        ttnn.get_optimal_worker_cores_for_sharded_tensor(ttnn.zeros([32, 32], device=device))


def test_a_config_of_shards_of_any_rank_comes_back_from_its_json() -> None:
    place = config([1, 2, 32, 64], grid(4, 2), orientation=ttnn.ShardOrientation.COL_MAJOR)
    again = ttnn.MemoryConfig.from_json(place.to_json())
    assert again == place and str(again) == str(place)
