# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Sharding helpers and questions about tensors."""

from __future__ import annotations

import math
from typing import Any, Sequence, Union

from tilemeter import _tilemeter
from tilemeter._src.types.enums import NOC
from tilemeter._src.types.types import ShardStrategy
from tilemeter._tilemeter import (
    BufferType, CoreCoord, CoreGrid, CoreRange, CoreRangeSet, MemoryConfig, Shape, ShardOrientation, ShardSpec, StorageType,
    Tensor, TensorMemoryLayout,
)

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


def _lines(origin: CoreCoord, size: CoreCoord, first: int, count: int, row_wise: bool) -> list[CoreRange]:
    """Cores number first to first + count of a rectangle: a part of a line, whole lines, a part of another."""
    along = size.x if row_wise else size.y
    ranges = []
    while count > 0:
        line, place = divmod(first, along)
        whole = place == 0 and count >= along
        lines = count // along if whole else 1
        length = along if whole else min(count, along - place)
        start, end = (place, line), (place + length - 1, line + lines - 1)
        if not row_wise:
            start, end = start[::-1], end[::-1]
        ranges.append(
            CoreRange(CoreCoord(origin.x + start[0], origin.y + start[1]), CoreCoord(origin.x + end[0], origin.y + end[1]))
        )
        first, count = first + lines * length, count - lines * length
    return ranges


def _size(grid_size: CoreCoord | Sequence[int]) -> CoreCoord:
    return grid_size if isinstance(grid_size, CoreCoord) else CoreCoord(*grid_size)


def num_cores_to_corerangeset(
    target_num_cores: int, grid_size: CoreCoord | Sequence[int], row_wise: bool = False
) -> CoreRangeSet:
    """The first cores of a grid, down columns or along rows. Raises RuntimeError for more than it has."""
    size = _size(grid_size)
    if target_num_cores > size.x * size.y:
        raise RuntimeError(
            f"Target number of cores {target_num_cores} is greater than total number of available cores {size.x * size.y}"
        )
    return CoreRangeSet(_lines(CoreCoord(0, 0), size, 0, target_num_cores, row_wise))


def grid_to_cores(*arguments: Any, row_wise: bool = False, **named: Any) -> list[CoreCoord]:
    """Cores one by one, down columns or along rows.

    grid_to_cores(num_cores, grid_size_x, grid_size_y): the first of a grid; grid_to_cores(start, end): a rectangle.
    """
    names = ("start", "end") if "start" in named or arguments and isinstance(arguments[0], CoreCoord) else (
        "num_cores", "grid_size_x", "grid_size_y"
    )
    given = dict(zip((*names, "row_wise"), arguments)) | named
    row_wise = given.pop("row_wise", row_wise)
    if set(given) != set(names):
        raise TypeError(f"grid_to_cores: expected {', '.join(names)}, got {', '.join(map(str, given))}")
    if names[0] == "start":
        start, end = given["start"], given["end"]
        size, count = CoreCoord(end.x - start.x + 1, end.y - start.y + 1), None
    else:
        start, size, count = CoreCoord(0, 0), CoreCoord(given["grid_size_x"], given["grid_size_y"]), given["num_cores"]
    across, down = range(size.x), range(size.y)
    cores = [(x, y) for y in down for x in across] if row_wise else [(x, y) for x in across for y in down]
    return [CoreCoord(start.x + x, start.y + y) for x, y in cores[:count]]


def split_work_to_cores(
    grid_size: CoreCoord | Sequence[int] | CoreRangeSet, units_to_divide: int, row_wise: bool = False
) -> tuple[int, CoreRangeSet, CoreRangeSet, CoreRangeSet, int, int]:
    """Units of work on the cores of a grid or a set, as even as can be.

    Gives the number of cores, all of them, those with one unit more, the others, and the units of both kinds.
    """
    areas: list[tuple[CoreCoord, CoreCoord]]
    if isinstance(grid_size, CoreRangeSet):
        areas = [(area.start, area.grid_size()) for area in grid_size.ranges()]
    else:
        areas = [(CoreCoord(0, 0), _size(grid_size))]
    used = min(units_to_divide, sum(size.x * size.y for _, size in areas))
    if used == 0:
        return 0, CoreRangeSet([]), CoreRangeSet([]), CoreRangeSet([]), 0, 0

    def cores(first: int, count: int) -> CoreRangeSet:
        ranges: list[CoreRange] = []
        for origin, size in areas:
            there = size.x * size.y
            taken = min(max(there - first, 0), count)
            ranges += _lines(origin, size, min(first, there), taken, row_wise)
            first, count = max(first - there, 0), count - taken
        return CoreRangeSet(ranges)

    units, more = divmod(units_to_divide, used)
    if more == 0:
        return used, cores(0, used), cores(0, used), CoreRangeSet([]), units, 0
    return used, cores(0, used), cores(0, more), cores(more, used - more), units + 1, units


def corerange_to_cores(
    core_range_set: CoreRangeSet, max_cores: int | None = None, row_wise: bool = False
) -> list[CoreCoord]:
    """The cores of a set, rectangle by rectangle."""
    cores: list[CoreCoord] = []
    for area in core_range_set.ranges():
        xs, ys = range(area.start.x, area.end.x + 1), range(area.start.y, area.end.y + 1)
        if row_wise:
            cores.extend(CoreCoord(x, y) for y in ys for x in xs)
        else:
            cores.extend(CoreCoord(x, y) for x in xs for y in ys)
    return cores[:max_cores]


def get_optimal_worker_cores_for_sharded_tensor(tensor: Tensor, noc: Any = NOC.RISCV_0_default) -> list[CoreCoord]:
    """The cores that hold a shard, in the order of the shards; of shards in DRAM those that read their banks best.

    Raises RuntimeError for a tensor that is not sharded or on no device.
    """
    if tensor.storage_type() != StorageType.DEVICE or not tensor.is_sharded():
        raise RuntimeError(f"get_optimal_worker_cores_for_sharded_tensor: expected shards on a device, got {tensor.memory_config()}")
    config, shape = tensor.memory_config(), list(tensor.padded_shape)
    spec: Any = config.shard_spec or config.nd_shard_spec
    by_rows = spec.orientation == ShardOrientation.ROW_MAJOR
    shard = list(spec.shape if config.shard_spec else spec.shard_shape)
    outer = len(shape) - len(shard) + 1  # dimensions that the first one of a shard stands for
    whole = [math.prod(shape[:outer]), *shape[outer:]] if outer > 0 else [1] * (1 - outer) + shape
    counts = [-(-size // part) for size, part in zip(whole, shard)]
    if config.memory_layout == TensorMemoryLayout.BLOCK_SHARDED:
        first = spec.grid.bounding_box().start
        down, across = counts if by_rows else reversed(counts)
        cells = CoreRange(first, CoreCoord(first.x + across - 1, first.y + down - 1))
        cores = corerange_to_cores(CoreRangeSet({cells}), row_wise=by_rows)
    else:
        cores = corerange_to_cores(spec.grid, math.prod(counts), row_wise=by_rows)
    if config.buffer_type == BufferType.L1:
        return cores
    readers = tensor.device().get_optimal_dram_bank_to_logical_worker_assignment(noc)
    return [readers[bank.x] for bank in cores]


def num_cores_to_corerangeset_in_subcoregrids(
    start_core: CoreCoord, target_num_cores: int, sub_core_grids: CoreRangeSet, row_wise: bool = False
) -> CoreRangeSet:
    """That many cores of a set, from start_core on: rectangle by rectangle, along rows or down columns.

    Raises RuntimeError when start_core is not in the set, or fewer cores follow it.
    """
    if target_num_cores > sub_core_grids.num_cores():
        raise RuntimeError(
            f"Target number of cores {target_num_cores} is greater than total available cores {sub_core_grids.num_cores()}"
        )
    if not sub_core_grids.contains(start_core):
        raise RuntimeError(f"Start core must be inside sub_core_grids: expected one of {sub_core_grids}, got {start_core}")
    ranges: list[CoreRange] = []
    left, begun = target_num_cores, False
    for area in sub_core_grids.ranges():
        size, first = area.grid_size(), 0
        if not begun:
            if not area.contains(start_core):
                continue
            begun = True
            x, y = start_core.x - area.start.x, start_core.y - area.start.y
            first = y * size.x + x if row_wise else x * size.y + y
        taken = min(left, size.x * size.y - first)
        ranges += _lines(area.start, size, first, taken, row_wise)
        left -= taken
    if left:
        raise RuntimeError(f"Target number of cores {target_num_cores} is greater than those from {start_core} on")
    return CoreRangeSet(ranges)


def divup(a: int, b: int) -> int:
    """a / b, rounded up."""
    return -(-a // b)


def roundup(a: int, b: int) -> int:
    """The smallest multiple of b that is not below a."""
    return divup(a, b) * b


def has_storage_type_of(tensor: Tensor, storage_type: StorageType) -> bool:
    """True if the tensor lies there."""
    return tensor.storage_type() == storage_type


def is_tensor_storage_on_device(tensor: Tensor) -> bool:
    """True if the tensor lies on a device."""
    return tensor.storage_type() == StorageType.DEVICE


def is_sharded(tensor: Tensor) -> bool:
    """True if the tensor is cut into shards."""
    return tensor.is_sharded()


def get_memory_config(tensor: Tensor) -> MemoryConfig | None:
    """The place of the tensor; None for one on the host."""
    return tensor.memory_config() if is_tensor_storage_on_device(tensor) else None


def has_tile_padding(tensor: Tensor, *, dim: int | None = None) -> bool:
    """True if tiles fill the tensor up (in one dimension)."""
    shape, padded = list(tensor.shape), list(tensor.padded_shape)
    if dim is not None:
        return bool(shape[dim] != padded[dim])
    return len(shape) > 1 and shape[-2:] != padded[-2:]


def ttnn_dtype_to_torch_dtype(dtype: _tilemeter.DataType) -> Any:
    """torch's type for the values of a tensor."""
    import torch

    names = {"BFLOAT8_B": "float32", "BFLOAT4_B": "float32"}
    return getattr(torch, names.get(dtype.name, dtype.name.lower()))
