# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Objects in print: the texts expected here are those that TT-NN 0.81.1 printed."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import tilemeter as ttnn

_GRID = ttnn.CoreRangeSet({ttnn.CoreRange(ttnn.CoreCoord(0, 0), ttnn.CoreCoord(1, 1))})
_SHARDS = ttnn.ShardSpec(_GRID, [32, 32], ttnn.ShardOrientation.ROW_MAJOR)
_SIZES = {"compute_with_storage_grid_size": (8, 8), "in0_block_w": 1, "out_subblock_h": 1, "out_subblock_w": 1,
          "per_core_M": 1, "per_core_N": 1}


def _values(*shape: int) -> Any:
    return ttnn.from_numpy(numpy.arange(numpy.prod(shape), dtype=numpy.float32).reshape(shape) - 3.5)


def _text(tensor: Any) -> str:
    return str(tensor).removeprefix("ttnn.Tensor(").partition(", shape=")[0]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (_SHARDS, 'ShardSpec{grid=[{"start":{"x":0,"y":0},"end":{"x":1,"y":1}], shape=[32, 32], '
                  "orientation=ShardOrientation::ROW_MAJOR}"),
        (ttnn.UnaryWithParam(ttnn.UnaryOpType.GELU, 1.0), "UnaryWithParam(op_type=UnaryOpType::GELU, params=[1])"),
        (ttnn.UnaryWithParam(ttnn.UnaryOpType.SILU), "UnaryWithParam(op_type=UnaryOpType::SILU)"),
        (ttnn.Conv3dConfig(), "Conv3dConfig(weights_dtype=DataType::BFLOAT16,output_layout=Layout::ROW_MAJOR,T_out_block=1,"
         "W_out_block=1,H_out_block=1,C_out_block=0,C_in_block=0,dilation={1, 1, 1},alignment=32,"
         "compute_with_storage_grid_size=1-1,enable_fp32_operand_split=0)"),
        (ttnn.MatmulMultiCoreReuseMultiCastProgramConfig(
            **_SIZES, transpose_mcast=True, fused_activation=(ttnn.UnaryOpType.GELU, True)),
         "MatmulMultiCoreReuseMultiCastProgramConfig(compute_with_storage_grid_size=8-8,in0_block_w=1,out_subblock_h=1,"
         "out_subblock_w=1,out_block_h=1,out_block_w=1,per_core_M=1,per_core_N=1,transpose_mcast=1,fused_activation="
         "UnaryWithParam(op_type=UnaryOpType::GELU, params=[1]),fuse_batch=1,allowed_worker_cores=std::nullopt)"),
        (ttnn.MatmulMultiCoreReuseProgramConfig(**_SIZES),
         "MatmulMultiCoreReuseProgramConfig(compute_with_storage_grid_size=8-8,in0_block_w=1,out_subblock_h=1,"
         "out_subblock_w=1,per_core_M=1,per_core_N=1,allowed_worker_cores=std::nullopt)"),
        (ttnn.SoftmaxShardedMultiCoreProgramConfig(
            compute_with_storage_grid_size=(8, 4), subblock_w=4, block_h=1, block_w=32),
         "SoftmaxShardedMultiCoreProgramConfig(compute_with_storage_grid_size=8-4, subblock_w=4, block_h=1, block_w=32)"),
        (ttnn.LayerNormShardedMultiCoreProgramConfig(
            compute_with_storage_grid_size=[8, 4], subblock_w=1, block_h=1, block_w=1, inplace=False),
         "LayerNormShardedMultiCoreProgramConfig(compute_with_storage_grid_size=8-4,subblock_w=1,block_h=1,block_w=1,"
         "inplace=0,legacy_reduction=0,use_welford=0)"),
        (ttnn.Tile((16, 32)), "Tile with shape: [16, 32]"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_configs_say_what_ttnns_say(value: object, text: str) -> None:
    assert str(value) == text


def test_the_memory_config_of_a_tensor_says_its_shards_twice(device: Any) -> None:
    given = ttnn.MemoryConfig(ttnn.TensorMemoryLayout.HEIGHT_SHARDED, ttnn.BufferType.L1, _SHARDS)
    tensor = ttnn.zeros([128, 32], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device, memory_config=given)
    found = tensor.memory_config()
    assert found == given and hash(found) == hash(given) and given == found
    assert found.nd_shard_spec == ttnn.NdShardSpec([32, 32], _SHARDS.grid)
    assert given.nd_shard_spec is None and ",nd_shard_spec=std::nullopt," in str(given)
    assert (',nd_shard_spec={"shard_shape":[32, 32],"grid":[{"start":{"x":0,"y":0},"end":{"x":1,"y":1}}],"orientation":'
            '"ShardOrientation::ROW_MAJOR","shard_distribution_strategy":"ShardDistributionStrategy::ROUND_ROBIN_1D"},') in str(found)
    again = ttnn.relu(tensor, memory_config=found)
    assert again.memory_config() == given


@pytest.mark.parametrize(
    ("tensor", "text"),
    [
        (_values(4), "[-3.5000, -2.5000, -1.5000, -0.5000]"),
        (_values(3, 40), "[[-3.5000, -2.5000,  ..., 34.5000, 35.5000],\n             [36.5000, 37.5000,  ..., 74.5000, 75.5000],"
                         "\n             [76.5000, 77.5000,  ..., 114.5000, 115.5000]]"),
        (_values(2, 1, 2), "[[[-3.5000, -2.5000]],\n\n             [[-1.5000, -0.5000]]]"),
        (ttnn.from_numpy(numpy.array([1e-6, 1e6, numpy.nan, numpy.inf], numpy.float32)),
         "[ 1.0000e-06,  1.0000e+06,         nan,         inf]"),
        (ttnn.from_numpy(numpy.array([[0, 1], [1234567, -5]], numpy.int32)),
         "[[    0,     1],\n             [1234567,    -5]]"),
        (ttnn.from_numpy(numpy.array(3.0, numpy.float32)), " 3.0000"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_values_are_printed_as_ttnn_prints_them(tensor: Any, text: str) -> None:
    assert _text(tensor) == text


def test_what_is_printed_can_be_chosen() -> None:
    try:
        ttnn.set_printoptions(profile="full", precision=2)
        assert _text(_values(6)) == "[-3.50, -2.50, -1.50, -0.50,  0.50,  1.50]"
        ttnn.set_printoptions(profile="short", sci_mode=True)
        assert _text(_values(1)) == "[-3.50e+00]"
        ttnn.set_printoptions(profile="empty")
        assert _text(_values(6)) == "..."
        with pytest.raises(RuntimeError, match="expected one of empty, short, full"):
            ttnn.set_printoptions(profile="all")
    finally:
        ttnn.set_printoptions(profile="short", precision=4)


def test_values_go_between_host_device_and_files(device: Any, tmp_path: Any) -> None:
    values = numpy.arange(1024, dtype=numpy.float32).reshape(32, 32) / 8
    host = ttnn.from_numpy(values, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT)
    empty = ttnn.allocate_tensor_on_device(ttnn.Shape([32, 32]), ttnn.bfloat16, ttnn.TILE_LAYOUT, device)
    ttnn.copy_host_to_device_tensor(host, empty)
    assert (empty.to_numpy() == host.to_numpy()).all()
    with pytest.raises(RuntimeError, match="expected"):
        ttnn.copy_host_to_device_tensor(ttnn.to_dtype(host, ttnn.float32), empty)
    ttnn.dump_tensor(tmp_path / "t.tensorbin", empty)
    loaded = ttnn.load_tensor(tmp_path / "t.tensorbin", device=device)
    assert (loaded.dtype, loaded.layout) == (ttnn.bfloat16, ttnn.TILE_LAYOUT)
    assert (loaded.to_numpy() == host.to_numpy()).all()
    (tmp_path / "other.tensorbin").write_text("no tensor")
    with pytest.raises(RuntimeError, match="expected a file of dump_tensor"):
        ttnn.load_tensor(tmp_path / "other.tensorbin")
    with pytest.raises(RuntimeError, match="The file does not exist"):
        ttnn.load_tensor(tmp_path / "none.tensorbin")
    with pytest.raises(RuntimeError, match="must have .tensorbin extension"):
        ttnn.dump_tensor(tmp_path / "t.bin", empty)
