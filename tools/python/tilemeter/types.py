# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""TT-NN's names of types and constants."""

from __future__ import annotations

import enum

from tilemeter._tilemeter import DRAM_MEMORY_CONFIG as DRAM_MEMORY_CONFIG
from tilemeter._tilemeter import L1_MEMORY_CONFIG as L1_MEMORY_CONFIG
from tilemeter._tilemeter import L1_SMALL_MEMORY_CONFIG as L1_SMALL_MEMORY_CONFIG
from tilemeter._tilemeter import BufferType as BufferType
from tilemeter._tilemeter import CoreCoord as CoreCoord
from tilemeter._tilemeter import CoreRange as CoreRange
from tilemeter._tilemeter import CoreRangeSet as CoreRangeSet
from tilemeter._tilemeter import DataType as DataType
from tilemeter._tilemeter import Layout as Layout
from tilemeter._tilemeter import MathFidelity as MathFidelity
from tilemeter._tilemeter import MemoryConfig as MemoryConfig
from tilemeter._tilemeter import Shape as Shape
from tilemeter._tilemeter import ShardOrientation as ShardOrientation
from tilemeter._tilemeter import ShardSpec as ShardSpec
from tilemeter._tilemeter import StorageType as StorageType
from tilemeter._tilemeter import Tensor as Tensor
from tilemeter._tilemeter import TensorMemoryLayout as TensorMemoryLayout
from tilemeter._tilemeter import TensorSpec as TensorSpec
from tilemeter._tilemeter import WormholeComputeKernelConfig as WormholeComputeKernelConfig
from tilemeter._tilemeter import element_size as element_size
from tilemeter._tilemeter import tile_size as tile_size

bfloat16 = DataType.BFLOAT16
float32 = DataType.FLOAT32
uint32 = DataType.UINT32
bfloat8_b = DataType.BFLOAT8_B
bfloat4_b = DataType.BFLOAT4_B
uint8 = DataType.UINT8
uint16 = DataType.UINT16
int32 = DataType.INT32

ROW_MAJOR_LAYOUT = Layout.ROW_MAJOR
TILE_LAYOUT = Layout.TILE
TILE_SIZE = 32
DEVICE_STORAGE_TYPE = StorageType.DEVICE

L1_BLOCK_SHARDED_MEMORY_CONFIG = MemoryConfig(TensorMemoryLayout.BLOCK_SHARDED, BufferType.L1)
L1_HEIGHT_SHARDED_MEMORY_CONFIG = MemoryConfig(TensorMemoryLayout.HEIGHT_SHARDED, BufferType.L1)
L1_WIDTH_SHARDED_MEMORY_CONFIG = MemoryConfig(TensorMemoryLayout.WIDTH_SHARDED, BufferType.L1)


class ShardStrategy(enum.Enum):
    """Along which dimensions a tensor is cut into shards."""

    HEIGHT = 1
    WIDTH = 2
    BLOCK = 3


DeviceComputeKernelConfig = WormholeComputeKernelConfig
BlackholeComputeKernelConfig = WormholeComputeKernelConfig
