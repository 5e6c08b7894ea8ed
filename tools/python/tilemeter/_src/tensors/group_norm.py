# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Preparation of a group_norm: shards, mask, weight and bias as its program reads them. TT-NN's names."""

from __future__ import annotations

import math
from typing import Any

import numpy

from tilemeter._src.operations import wrapped
from tilemeter._src.tensors.conversion import from_torch, made
from tilemeter._src.tensors.mesh_mappers import ShardTensor2dMesh
from tilemeter._tilemeter import (
    BufferType, CoreCoord, CoreGrid, CoreRange, CoreRangeSet, DataType, Layout, MemoryConfig, MeshDevice, ShardOrientation,
    ShardSpec, Tensor, TensorMemoryLayout,
)

_TILE = 32


def find_closest_largest_divisor(num: int, start_divisor: int) -> int:
    """The largest divisor of num that is not above start_divisor."""
    return next(each for each in range(min(start_divisor, num), 0, -1) if num % each == 0)


def find_max_tile_span(W: int, group_size: int, tile_width: int = _TILE) -> int:  # noqa: N803: TT-NN's name
    """Tiles that a group of `group_size` columns touches at most, in W columns."""
    return max((start + group_size - 1) // tile_width - start // tile_width + 1 for start in range(0, W, group_size))


def get_group_norm_cores_across_channel(
    memory_layout: TensorMemoryLayout, core_grid: CoreGrid, shard_orientation: ShardOrientation | None = None
) -> int:
    """Cores among which channels are shared out."""
    if memory_layout == TensorMemoryLayout.BLOCK_SHARDED:
        return core_grid.x if shard_orientation == ShardOrientation.ROW_MAJOR else core_grid.y
    return 1 if memory_layout == TensorMemoryLayout.HEIGHT_SHARDED else core_grid.x * core_grid.y


def create_group_norm_weight_bias_rm(input_tensor: Any, num_channels: int, num_cores_x: int) -> Any:
    """A torch tensor of num_channels as [1, 1, n, 32]: each column of cores has whole rows of 32, padded with zeros."""
    width = num_channels // num_cores_x
    padded = math.ceil(width / _TILE) * _TILE
    columns = input_tensor.reshape(num_cores_x, width)
    result = columns.new_zeros((num_cores_x, padded))
    result[:, :width] = columns
    return result.reshape(1, 1, -1, _TILE)


def create_group_norm_input_mask(
    num_channel: int, num_groups: int, num_cores_across_channel: int, data_type: DataType = DataType.BFLOAT16
) -> Tensor:
    """[1, groups, 32, 32 * tiles of a group] on the host: 1 where a column belongs to the group, from its first tile on.

    As wide as all channels in a row would need, though each core has only its own.
    """
    if num_groups % num_cores_across_channel:
        raise RuntimeError(
            f"create_group_norm_input_mask: num_groups ({num_groups}) must be divisible by num_cores_across_channel"
            f" ({num_cores_across_channel}). The num_virtual_cols / num_cores_across_channel value must evenly divide both the"
            " channels into tiles and the number of groups."
        )
    width = num_channel // num_cores_across_channel
    group = num_channel // num_groups
    mask = numpy.zeros((1, num_groups, _TILE, _TILE * find_max_tile_span(num_channel, group)), numpy.float32)
    for index in range(num_groups):
        begin = index * group % width % _TILE
        mask[0, index, :, begin : begin + group] = 1
    return made(mask, data_type, Layout.TILE, None, None, None)


def create_group_norm_input_negative_mask(
    num_channel: int, num_groups: int, num_cores_across_channel: int, data_type: DataType = DataType.BFLOAT16
) -> Tensor:
    """As create_group_norm_input_mask, but 0 where a column belongs to the group and 1 elsewhere."""
    mask = create_group_norm_input_mask(num_channel, num_groups, num_cores_across_channel)
    return made(1 - numpy.asarray(mask._values(0)), data_type, Layout.TILE, None, None, None)


def determine_expected_group_norm_sharded_config_and_grid_size(
    *, device: MeshDevice, num_channels: int, num_groups: int, input_nhw: int, is_height_sharded: bool, is_row_major: bool = False
) -> tuple[MemoryConfig, CoreGrid]:
    """Shards that a group_norm takes, and the grid of cores they lie on."""
    if num_channels % num_groups or num_channels % _TILE:
        raise ValueError(f"expected channels in whole groups and a multiple of 32, got {num_channels} in {num_groups}")
    size = device.compute_with_storage_grid_size()
    along, down = (size.y, size.x) if is_row_major else (size.x, size.y)
    tiles = math.ceil(input_nhw / _TILE)
    group = num_channels // num_groups
    rows = find_closest_largest_divisor(tiles, along * down if is_height_sharded else along)
    height = math.ceil(input_nhw / (rows * _TILE)) * _TILE
    if is_height_sharded:
        x = min(rows, along)
        grid = CoreGrid(x=x, y=math.ceil(rows / x))
        layout, shape, orientation = TensorMemoryLayout.HEIGHT_SHARDED, [height, num_channels], ShardOrientation.ROW_MAJOR
    else:
        columns = next(
            n for n in range(down, 0, -1) if num_channels // 8 % n == 0 and num_channels // n % group == 0 and num_channels // n >= _TILE
        )
        width = num_channels // columns
        layout = TensorMemoryLayout.BLOCK_SHARDED
        if is_row_major:
            grid, shape, orientation = CoreGrid(x=columns, y=rows), [height, width], ShardOrientation.ROW_MAJOR
        else:
            grid, shape, orientation = CoreGrid(x=rows, y=columns), [width, height], ShardOrientation.COL_MAJOR
    cores = CoreRangeSet({CoreRange(CoreCoord(0, 0), CoreCoord(grid.x - 1, grid.y - 1))})
    return MemoryConfig(layout, BufferType.L1, ShardSpec(cores, shape, orientation)), grid


def _virtual_columns(columns: int, num_channels: int, num_groups: int) -> int:
    """Among how many of the grid's columns the channels of an interleaved group_norm are shared out; 0: none fits."""
    counts = range(min(columns, num_groups), 0, -1)
    return next((n for n in counts if num_channels // n % _TILE == 0 and num_groups % n == 0), 0)


def determine_expected_group_norm_dram_grid_size(
    *, device: MeshDevice, num_channels: int, num_groups: int, input_nhw: int, num_batches: int = 1
) -> CoreGrid:
    """The largest grid over which an interleaved group_norm is shared out evenly."""
    if num_channels % num_groups or num_channels % _TILE:
        raise ValueError(f"expected channels in whole groups and a multiple of 32, got {num_channels} in {num_groups}")
    size = device.compute_with_storage_grid_size()
    for x in range(size.x, 0, -1):
        columns = _virtual_columns(x, num_channels, num_groups)
        if columns == 0 or x % columns:
            continue
        for y in range(size.y, 0, -1):
            rows = x // columns * y
            if input_nhw // _TILE % rows == 0 and max(rows, num_batches) % min(rows, num_batches) == 0:
                return CoreGrid(x=x, y=y)
    raise ValueError(f"no grid shares out {num_channels} channels in {num_groups} groups and {input_nhw} rows evenly")


def dram_group_norm_virtual_columns(core_grid: CoreGrid, num_channels: int, num_groups: int) -> int:
    """Among how many of the grid's columns channels are shared out in DRAM. Raises AssertionError where none fits."""
    columns = _virtual_columns(core_grid.x, num_channels, num_groups)
    if columns == 0:
        raise AssertionError(
            f"dram_group_norm_virtual_columns: could not find a valid num_virtual_cols for grid_x={core_grid.x},"
            f" num_channels={num_channels}, num_groups={num_groups}"
        )
    return columns


def dram_group_norm_params_from_torch(
    torch_params: Any, channels_per_device: int, groups_per_device: int, device: MeshDevice | None,
    mesh_axis: int | None = None, core_grid: CoreGrid | None = None, return_mask: bool = True,
    dtype: DataType = DataType.BFLOAT16,
) -> Any:
    """Weight and bias of a torch group norm, or a list of them, as an interleaved group_norm reads them, and its mask.

    mesh_axis: along which axis of the mesh channels are shared out among chips; None: each has all. Raises AssertionError for
    channels that are no multiple of 32 and of the groups.
    """
    grid = core_grid or (None if device is None else device.core_grid)
    if grid is None:
        raise AssertionError("Either core_grid or device must be provided to determine virtual columns")
    if channels_per_device % _TILE or channels_per_device % groups_per_device:
        raise AssertionError(
            f"channels_per_device {channels_per_device} must be divisible by 32 and groups_per_device {groups_per_device}"
        )
    columns = dram_group_norm_virtual_columns(grid, channels_per_device, groups_per_device)
    chips = 1 if mesh_axis is None or device is None else tuple(device.shape)[mesh_axis]
    along = (0 if mesh_axis == 0 else None, 0 if mesh_axis == 1 else None)
    mapper = None if device is None else ShardTensor2dMesh(device, tuple(device.shape), along)

    def prepared(parameter: Any) -> Any:
        import torch

        if parameter.numel() // chips != channels_per_device:
            raise AssertionError(
                f"Computed number of channels per device: {parameter.numel() // chips} not equal to provided number of"
                f" channels per device: {channels_per_device}"
            )
        parts = [create_group_norm_weight_bias_rm(part, channels_per_device, columns) for part in parameter.chunk(chips)]
        return from_torch(torch.cat(parts), dtype=dtype, device=device, mesh_mapper=mapper)

    several = isinstance(torch_params, (list, tuple))
    found = [prepared(each) for each in torch_params] if several else prepared(torch_params)
    if not return_mask:
        return found
    mask = create_group_norm_input_mask(channels_per_device, groups_per_device, columns, dtype)
    return found, mask if device is None else wrapped.to_device(mask, device)


def create_layer_norm_reciprocals(device: MeshDevice, core_range_set: CoreRangeSet, width: int) -> Tensor:
    """[cores, width] of 1, 1/2, ... 1/width in each row, float32, a row in the L1 of each core: for Welford's method."""
    values = numpy.tile(1 / numpy.arange(1, width + 1, dtype=numpy.float32), (core_range_set.num_cores(), 1))
    shards = ShardSpec(core_range_set, [1, width], ShardOrientation.ROW_MAJOR)
    config = MemoryConfig(TensorMemoryLayout.HEIGHT_SHARDED, BufferType.L1, shards)
    table: Tensor = from_torch(values, dtype=DataType.FLOAT32, layout=Layout.ROW_MAJOR, device=device, memory_config=config)
    return table
