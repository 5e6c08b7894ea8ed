# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""TT-NN's names of types and constants."""

from __future__ import annotations

import dataclasses
import enum
import math
from typing import Any, Sequence

from tilemeter._src.types.enums import OtherDataType, ShardShapeAlignment, ThrottleLevel
from tilemeter._tilemeter import (
    BufferType, CoreRange, CoreRangeSet, DataType, Layout, MemoryConfig, NdShardSpec, Shape, ShardDistributionStrategy,
    ShardOrientation, ShardSpec, StorageType, TensorMemoryLayout, TensorSpec, WormholeComputeKernelConfig, element_size,
    size_of_tile,
)

bfloat16 = DataType.BFLOAT16
float32 = DataType.FLOAT32
uint32 = DataType.UINT32
bfloat8_b = DataType.BFLOAT8_B
bfloat4_b = DataType.BFLOAT4_B
uint8 = DataType.UINT8
uint16 = DataType.UINT16
int32 = DataType.INT32
int8 = OtherDataType.INT8
fp8_e4m3 = OtherDataType.FP8_E4M3
for _type in OtherDataType:
    setattr(DataType, _type.name, _type)

ROW_MAJOR_LAYOUT = Layout.ROW_MAJOR
TILE_LAYOUT = Layout.TILE
TILE_SIZE = 32
DEVICE_STORAGE_TYPE = StorageType.DEVICE

L1_BLOCK_SHARDED_MEMORY_CONFIG = MemoryConfig(TensorMemoryLayout.BLOCK_SHARDED, BufferType.L1)
L1_HEIGHT_SHARDED_MEMORY_CONFIG = MemoryConfig(TensorMemoryLayout.HEIGHT_SHARDED, BufferType.L1)
L1_WIDTH_SHARDED_MEMORY_CONFIG = MemoryConfig(TensorMemoryLayout.WIDTH_SHARDED, BufferType.L1)


@dataclasses.dataclass(frozen=True)
class Tile:
    """The block of elements that tensors in tiles are made of: 1, 2, 4, 8, 16 or 32 rows of 16 or 32 elements."""

    tile_shape: Sequence[int]
    transpose_tile: bool = dataclasses.field(default=False, compare=False)

    def __post_init__(self) -> None:
        if len(list(self.tile_shape)) != 2:
            raise TypeError(f"Tile: tile_shape: expected rows and columns, got {list(self.tile_shape)}")
        height, width = self.tile_shape
        if height not in (1, 2, 4, 8, 16, 32) or width not in (16, 32):
            raise RuntimeError(
                f"Tile size is not valid for our hardware: expected 1 to 32 rows, a power of 2, of 16 or 32, got {height}x{width}"
            )
        if self.transpose_tile and height < 16:
            raise RuntimeError(f"Tile height must equal 16 or 32 in transpose mode, got {height}")
        object.__setattr__(self, "tile_shape", [height, width])

    @property
    def face_shape(self) -> list[int]:
        """Rows and columns of a face, of which a tile has up to four."""
        return [min(self.tile_shape[0], 16), 16]

    @property
    def narrow_tile(self) -> int:
        """1 for half the width, else 0."""
        return int(self.tile_shape[1] < TILE_SIZE)

    @property
    def partial_face(self) -> int:
        """1 for less than the height, else 0."""
        return int(self.tile_shape[0] < TILE_SIZE)

    @property
    def transpose_of_faces(self) -> bool:
        """True if faces change places."""
        return self.transpose_tile

    @property
    def transpose_within_face(self) -> bool:
        """True if elements of a face change places."""
        return self.transpose_tile

    @property
    def num_faces(self) -> int:
        """The number of its faces."""
        return max(self.tile_shape[0] // 16, 1) * (self.tile_shape[1] // 16)

    def get_tile_size(self, dtype: DataType) -> int:
        """Bytes of one tile."""
        return size_of_tile(dtype, list(self.tile_shape))

    def __hash__(self) -> int:
        return hash(tuple(self.tile_shape))

    def __repr__(self) -> str:
        return f"Tile with shape: {list(self.tile_shape)}"


class QueueId(int):
    """Number of a command queue."""

    def __repr__(self) -> str:
        return f"QueueId({int(self)})"


class ShardStrategy(enum.Enum):
    """Along which dimensions a tensor is cut into shards."""

    HEIGHT = 1
    WIDTH = 2
    BLOCK = 3



def _made_with(config: MemoryConfig) -> NdShardSpec | None:
    """The nd_shard_spec that a config was made with: a tensor's own config says one for all its shards."""
    found: NdShardSpec | None = vars(MemoryConfig)["nd_shard_spec"].fget(config)
    return found


def _in_shards(
    spec: TensorSpec, grid: CoreRangeSet, orientation: ShardOrientation, layout: TensorMemoryLayout, down: int, across: int
) -> TensorSpec:
    """The spec in `down` rows and `across` columns of shards: whole tiles; blocks of rows are aligned to 64 bytes."""
    *outer, width = spec.padded_shape
    height = math.prod(outer)
    row, column = spec._tile_shape if spec.layout == Layout.TILE else (1, 1)
    if spec.layout != Layout.TILE and layout == TensorMemoryLayout.BLOCK_SHARDED:
        column = 64 // element_size(spec.dtype)
    tall = -(-height // (down * row)) * row
    wide = width if across == 1 else -(-width // (across * column)) * column
    if layout == TensorMemoryLayout.HEIGHT_SHARDED and tall >= height:
        layout = TensorMemoryLayout.WIDTH_SHARDED  # as TT-NN calls a single shard
    shards = ShardSpec(grid, [tall, wide], orientation)
    tile = Tile(spec._tile_shape)
    return TensorSpec(list(spec.shape), spec.dtype, spec.layout, layout, shards, spec.memory_config.buffer_type, tile)


def _height_sharded(
    self: TensorSpec, grid: CoreRangeSet, orientation: ShardOrientation = ShardOrientation.ROW_MAJOR
) -> TensorSpec:
    """The same tensor cut along its height, a shard for each core."""
    return _in_shards(self, grid, orientation, TensorMemoryLayout.HEIGHT_SHARDED, grid.num_cores(), 1)


def _width_sharded(
    self: TensorSpec, grid: CoreRangeSet, orientation: ShardOrientation = ShardOrientation.ROW_MAJOR
) -> TensorSpec:
    """The same tensor cut along its width, a shard for each core."""
    return _in_shards(self, grid, orientation, TensorMemoryLayout.WIDTH_SHARDED, 1, grid.num_cores())


def _block_sharded(
    self: TensorSpec, grid: CoreRange | CoreRangeSet, orientation: ShardOrientation = ShardOrientation.ROW_MAJOR
) -> TensorSpec:
    """The same tensor cut both ways, a shard for each core of the rectangle."""
    cores = grid if isinstance(grid, CoreRangeSet) else CoreRangeSet({grid})
    size = cores.bounding_box().grid_size()
    down, across = (size.y, size.x) if orientation == ShardOrientation.ROW_MAJOR else (size.x, size.y)
    return _in_shards(self, cores, orientation, TensorMemoryLayout.BLOCK_SHARDED, down, across)


def _sharded(self: TensorSpec, *args: Any, **named: Any) -> TensorSpec:
    """The same tensor in shards of any number of dimensions: sharded(nd_shard_spec, shard_alignment), or
    sharded(shard_shape, grid, shard_alignment, orientation, shard_distribution_strategy).

    Shards are aligned to tiles, and rows to 64 bytes where that is recommended (the default).
    """
    return _in_given_shards(self, *args, **named)


def _in_given_shards(
    spec: TensorSpec,
    shard_shape: Any = None,
    grid: Any = None,
    shard_alignment: ShardShapeAlignment = ShardShapeAlignment.RECOMMENDED,
    orientation: ShardOrientation = ShardOrientation.ROW_MAJOR,
    shard_distribution_strategy: ShardDistributionStrategy = ShardDistributionStrategy.ROUND_ROBIN_1D,
    nd_shard_spec: NdShardSpec | None = None,
) -> TensorSpec:
    given = shard_shape if isinstance(shard_shape, NdShardSpec) else nd_shard_spec
    if given is not None:
        alignment = grid if isinstance(grid, ShardShapeAlignment) else shard_alignment
        shape = list(given.shard_shape)
        grid, orientation, shard_distribution_strategy = given.grid, given.orientation, given.shard_distribution_strategy
    else:
        shape, alignment = list(shard_shape), shard_alignment
    steps: list[int] = []
    if alignment != ShardShapeAlignment.NONE and spec.layout == Layout.TILE:
        steps = list(spec._tile_shape)
    elif alignment == ShardShapeAlignment.RECOMMENDED:
        steps = [64 // element_size(spec.dtype)]
    for i, step in enumerate(reversed(steps[-len(shape) :]), 1):
        shape[-i] = -(-shape[-i] // step) * step
    shards = NdShardSpec(Shape(shape), grid, orientation, shard_distribution_strategy)
    return TensorSpec(list(spec.shape), spec.dtype, spec.layout, shards, spec.memory_config.buffer_type, Tile(spec._tile_shape))


def _across(
    self: TensorSpec, dims: Sequence[int], grid: CoreRangeSet, orientation: ShardOrientation = ShardOrientation.ROW_MAJOR
) -> TensorSpec:
    """The same tensor in shards as small as can be along the dimensions, and whole along the others."""
    shape = list(self.padded_shape)
    for dim in dims:
        shape[dim] = 1
    return _in_given_shards(self, shape, grid, orientation=orientation)


def _across_others(
    self: TensorSpec, dims: Sequence[int], grid: CoreRangeSet, orientation: ShardOrientation = ShardOrientation.ROW_MAJOR
) -> TensorSpec:
    """The same tensor in shards that are whole along the dimensions, and as small as can be along the others."""
    rank = len(list(self.padded_shape))
    kept = {dim % rank for dim in dims}
    return _across(self, [dim for dim in range(rank) if dim not in kept], grid, orientation)


for _name, _value in {
    "height_sharded": _height_sharded, "width_sharded": _width_sharded, "block_sharded": _block_sharded,
    "sharded": _sharded, "sharded_across_dims": _across, "sharded_across_dims_except": _across_others,
    "tile": property(lambda self: Tile(self._tile_shape), doc="The tiles that it is made of."),
}.items():
    setattr(TensorSpec, _name, _value)
setattr(WormholeComputeKernelConfig, "throttle_level", ThrottleLevel.NO_THROTTLE)  # unless an object has its own
DeviceComputeKernelConfig = WormholeComputeKernelConfig
BlackholeComputeKernelConfig = WormholeComputeKernelConfig
