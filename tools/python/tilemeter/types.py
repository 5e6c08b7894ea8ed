# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""TT-NN's names of types and constants."""

from __future__ import annotations

from tilemeter._src.types.enums import (
    BinaryOpType as BinaryOpType, CoreType as CoreType, DataMovementProcessor as DataMovementProcessor,
    DumpTensorMode as DumpTensorMode, NOC as NOC, NOC_MODE as NOC_MODE, OtherDataType as OtherDataType,
    ShardShapeAlignment as ShardShapeAlignment, ThrottleLevel as ThrottleLevel,
)
from tilemeter._src.types.mesh_coordinates import (
    MeshCoordinate as MeshCoordinate, MeshCoordinateRange as MeshCoordinateRange,
    MeshCoordinateRangeSet as MeshCoordinateRangeSet,
)
from tilemeter._src.types.types import (
    BlackholeComputeKernelConfig as BlackholeComputeKernelConfig, DEVICE_STORAGE_TYPE as DEVICE_STORAGE_TYPE,
    DeviceComputeKernelConfig as DeviceComputeKernelConfig, L1_BLOCK_SHARDED_MEMORY_CONFIG as L1_BLOCK_SHARDED_MEMORY_CONFIG,
    L1_HEIGHT_SHARDED_MEMORY_CONFIG as L1_HEIGHT_SHARDED_MEMORY_CONFIG,
    L1_WIDTH_SHARDED_MEMORY_CONFIG as L1_WIDTH_SHARDED_MEMORY_CONFIG, QueueId as QueueId, ROW_MAJOR_LAYOUT as ROW_MAJOR_LAYOUT,
    ShardStrategy as ShardStrategy, TILE_LAYOUT as TILE_LAYOUT, TILE_SIZE as TILE_SIZE, Tile as Tile, bfloat16 as bfloat16,
    bfloat4_b as bfloat4_b, bfloat8_b as bfloat8_b, float32 as float32, fp8_e4m3 as fp8_e4m3, int32 as int32, int8 as int8,
    uint16 as uint16, uint32 as uint32, uint8 as uint8,
)
from tilemeter._tilemeter import (
    BcastOpDim as BcastOpDim, BcastOpMath as BcastOpMath, BufferType as BufferType, CoreCoord as CoreCoord,
    CoreGrid as CoreGrid, CoreRange as CoreRange, CoreRangeSet as CoreRangeSet, DRAM_MEMORY_CONFIG as DRAM_MEMORY_CONFIG,
    DataType as DataType, L1_MEMORY_CONFIG as L1_MEMORY_CONFIG, L1_SMALL_MEMORY_CONFIG as L1_SMALL_MEMORY_CONFIG,
    Layout as Layout, MathFidelity as MathFidelity, MemoryConfig as MemoryConfig, MeshShape as MeshShape,
    NdShardSpec as NdShardSpec, Shape as Shape, ShardDistributionStrategy as ShardDistributionStrategy,
    ShardOrientation as ShardOrientation, ShardSpec as ShardSpec, StorageType as StorageType, Tensor as Tensor,
    TensorMemoryLayout as TensorMemoryLayout, TensorSpec as TensorSpec, UnaryOpType as UnaryOpType,
    UnaryWithParam as UnaryWithParam, WormholeComputeKernelConfig as WormholeComputeKernelConfig, element_size as element_size,
    size_of_tile as size_of_tile, tile_size as tile_size,
)
