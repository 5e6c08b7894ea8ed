# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Sharding helpers and questions about tensors."""

from __future__ import annotations

import math
from typing import Any, Sequence, Union

from tilemeter import _tilemeter
from tilemeter._tilemeter import (
    BufferType,
    CoreCoord,
    CoreGrid,
    CoreRange,
    CoreRangeSet,
    MemoryConfig,
    Shape,
    ShardOrientation,
    ShardSpec,
    StorageType,
    Tensor,
    TensorMemoryLayout,
)
from tilemeter.types import ShardStrategy

_LAYOUTS = {
    ShardStrategy.HEIGHT: TensorMemoryLayout.HEIGHT_SHARDED,
    ShardStrategy.WIDTH: TensorMemoryLayout.WIDTH_SHARDED,
    ShardStrategy.BLOCK: TensorMemoryLayout.BLOCK_SHARDED,
}
Grid = Union[CoreGrid, CoreRangeSet, Sequence[CoreGrid]]


def _from_origin(x: int, y: int) -> CoreRange:
    return CoreRange(CoreCoord(0, 0), CoreCoord(x - 1, y - 1))


def _cores_of(grid: Grid) -> CoreRangeSet:
    if isinstance(grid, CoreRangeSet):
        return grid
    if isinstance(grid, CoreGrid):
        return CoreRangeSet([_from_origin(grid.x, grid.y)])
    if isinstance(grid, (list, tuple)) and len(grid) == 2 and all(isinstance(part, CoreGrid) for part in grid):
        # Whole rows, then the beginning of the next one.
        whole, rest = grid
        row = CoreRange(CoreCoord(0, whole.y), CoreCoord(rest.x - 1, whole.y))
        return CoreRangeSet([_from_origin(whole.x, whole.y), row])
    raise RuntimeError("Invalid core_grid type")


def _divided(size: int, parts: int, what: str) -> int:
    if size % parts:
        raise RuntimeError(f"Invalid sharding core_grid: {what} of {size} is no multiple of {parts} cores")
    return size // parts


def create_sharded_memory_config(
    shape: Shape | Sequence[int],
    core_grid: Grid,
    strategy: ShardStrategy,
    orientation: ShardOrientation | None = None,
    use_height_and_width_as_shard_shape: bool = False,
) -> MemoryConfig:
    """The L1 memory config that spreads a tensor of `shape` over `core_grid`.

    The tensor counts as a matrix: all dimensions but the last multiplied, times the last. With
    use_height_and_width_as_shard_shape `shape` is that of one shard. Raises RuntimeError when it doesn't divide.
    """
    if not isinstance(shape, (list, tuple, Shape)):
        raise RuntimeError("Invalid input shape")
    if strategy not in _LAYOUTS:
        raise RuntimeError("Invalid sharding strategy")
    if isinstance(core_grid, CoreRangeSet) and not use_height_and_width_as_shard_shape:
        raise RuntimeError("height and width must be shard shape with CoreRangeSet")
    cores = _cores_of(core_grid)
    order = ShardOrientation.ROW_MAJOR if orientation is None else orientation
    by_rows = order == ShardOrientation.ROW_MAJOR
    *batch, height, width = shape
    if use_height_and_width_as_shard_shape:
        shard = (height, width) if by_rows else (width, height)
    else:
        if not isinstance(core_grid, CoreGrid):
            raise RuntimeError("Invalid core_grid: the shard shape follows from a CoreGrid only")
        rows, columns = math.prod(batch) * height, width
        if strategy is ShardStrategy.BLOCK:
            down, across = (core_grid.y, core_grid.x) if by_rows else (core_grid.x, core_grid.y)
            shard = _divided(rows, down, "a height"), _divided(columns, across, "a width")
        elif strategy is ShardStrategy.HEIGHT:
            shard = _divided(rows, core_grid.x * core_grid.y, "a height"), columns
        else:
            shard = rows, _divided(columns, core_grid.x * core_grid.y, "a width")
    return MemoryConfig(_LAYOUTS[strategy], BufferType.L1, ShardSpec(cores, shard, order))


def create_sharded_memory_config_(
    shape: Shape | Sequence[int],
    core_grid: Grid,
    strategy: ShardStrategy | TensorMemoryLayout,
    orientation: ShardOrientation,
    use_height_and_width_as_shard_shape: bool = False,
    tile_layout: bool = False,
) -> MemoryConfig:
    """The same where shapes don't divide: shards are rounded up, with tile_layout to whole tiles."""
    if not isinstance(shape, (list, tuple, Shape)):
        raise RuntimeError("Invalid input shape")
    layout = _LAYOUTS.get(strategy) if isinstance(strategy, ShardStrategy) else strategy
    if not isinstance(layout, TensorMemoryLayout):
        raise RuntimeError("Invalid type of sharding strategy")
    cores = _cores_of(core_grid)
    by_rows = orientation == ShardOrientation.ROW_MAJOR
    *batch, height, width = shape
    rows, columns = math.prod(batch) * height, width

    def rounded(size: int, unit: int) -> int:
        return -(-size // unit) * unit

    if use_height_and_width_as_shard_shape:
        shard = (height, width) if by_rows else (width, height)
    elif layout == TensorMemoryLayout.BLOCK_SHARDED:
        grid = cores.bounding_box().grid_size()
        if grid.x * grid.y != cores.num_cores():
            raise RuntimeError("Invalid CoreRangeSet for block sharding strategy")
        down, across = (grid.y, grid.x) if by_rows else (grid.x, grid.y)
        tall = rounded(rows, down * 32) if tile_layout else rows
        shard = -(-tall // down), -(-columns // across)
    elif layout == TensorMemoryLayout.HEIGHT_SHARDED:
        tall = rounded(rows, cores.num_cores()) if tile_layout else rows
        shard = -(-tall // cores.num_cores()), columns
    elif layout == TensorMemoryLayout.WIDTH_SHARDED:
        shard = rows, -(-columns // cores.num_cores())
    else:
        raise RuntimeError("Invalid sharding scheme")
    if tile_layout and shard[0] % 32 and shard[1] % 32:
        raise RuntimeError("Incorrect tensor shape")
    return MemoryConfig(layout, BufferType.L1, ShardSpec(cores, shard, orientation))


def num_cores_to_corerangeset(target_num_cores: int, grid_size: CoreCoord, row_wise: bool = False) -> CoreRangeSet:
    """The first cores of a grid, down columns or along rows. Raises ValueError for more than it has."""
    return _tilemeter.first_cores(target_num_cores, grid_size, row_wise)


def grid_to_cores(num_cores: int, grid_size_x: int, grid_size_y: int, row_wise: bool = False) -> list[CoreCoord]:
    """The first cores of a grid, one by one."""
    if row_wise:
        return [CoreCoord(i % grid_size_x, i // grid_size_x) for i in range(num_cores)]
    return [CoreCoord(i // grid_size_y, i % grid_size_y) for i in range(num_cores)]


def corerange_to_cores(
    core_ranges: CoreRangeSet, max_cores: int | None = None, row_wise: bool = False
) -> list[CoreCoord]:
    """The cores of a set, rectangle by rectangle."""
    cores: list[CoreCoord] = []
    for area in core_ranges.ranges():
        xs, ys = range(area.start.x, area.end.x + 1), range(area.start.y, area.end.y + 1)
        if row_wise:
            cores.extend(CoreCoord(x, y) for y in ys for x in xs)
        else:
            cores.extend(CoreCoord(x, y) for x in xs for y in ys)
    return cores[:max_cores]


def num_cores_to_corerangeset_in_subcoregrids(
    start_core: CoreCoord, target_num_cores: int, sub_core_grids: CoreRangeSet, row_wise: bool = False
) -> CoreRangeSet:
    """That many cores of a set, from start_core on: rectangle by rectangle, along rows or down columns.

    Raises ValueError when start_core is not in the set, or fewer cores follow it.
    """
    cores = corerange_to_cores(sub_core_grids, row_wise=row_wise)
    if start_core not in cores:
        raise ValueError(f"expected a start core in {sub_core_grids}, got {start_core}")
    taken = cores[cores.index(start_core) :][:target_num_cores]
    if len(taken) < target_num_cores:
        raise ValueError(f"expected {target_num_cores} cores from {start_core} on, {sub_core_grids} has {len(taken)}")
    ranges: list[CoreRange] = []
    for core in taken:
        last = ranges[-1] if ranges else None
        if last is not None and row_wise and last.start.y == last.end.y == core.y and core.x == last.end.x + 1:
            ranges[-1] = CoreRange(last.start, core)
        elif last is not None and not row_wise and last.start.x == last.end.x == core.x and core.y == last.end.y + 1:
            ranges[-1] = CoreRange(last.start, core)
        else:
            ranges.append(CoreRange(core, core))
    return CoreRangeSet(ranges)


def divup(a: int, b: int) -> int:
    """a / b, rounded up."""
    return -(-a // b)


def roundup(a: int, b: int) -> int:
    """The smallest multiple of b that is not below a."""
    return divup(a, b) * b


def has_storage_type_of(tensor: Tensor, storage_type: StorageType) -> bool:
    """Whether the tensor lies there."""
    return tensor.storage_type() == storage_type


def is_tensor_storage_on_device(tensor: Tensor) -> bool:
    """Whether the tensor lies on a device."""
    return tensor.storage_type() == StorageType.DEVICE


def is_sharded(tensor: Tensor) -> bool:
    """Whether the tensor is cut into shards."""
    return tensor.is_sharded()


def get_memory_config(tensor: Tensor) -> MemoryConfig:
    """Raises RuntimeError for a tensor on the host."""
    if not is_tensor_storage_on_device(tensor):
        raise RuntimeError("Tensor is not on device!")
    return tensor.memory_config()


def has_tile_padding(tensor: Tensor, *, dim: int | None = None) -> bool:
    """Whether tiles fill the tensor up (in one dimension)."""
    shape, padded = list(tensor.shape), list(tensor.padded_shape)
    if dim is not None:
        return bool(shape[dim] != padded[dim])
    return len(shape) > 1 and shape[-2:] != padded[-2:]


def ttnn_dtype_to_torch_dtype(dtype: _tilemeter.DataType) -> Any:
    """torch's type for the values of a tensor."""
    import torch

    names = {"BFLOAT8_B": "float32", "BFLOAT4_B": "float32"}
    return getattr(torch, names.get(dtype.name, dtype.name.lower()))
