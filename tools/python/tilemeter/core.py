# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Sharding helpers and questions about tensors."""

from __future__ import annotations

from tilemeter._src.tensors.printing import set_printoptions as set_printoptions
from tilemeter._src.types.core import (
    Grid as Grid, corerange_to_cores as corerange_to_cores, create_sharded_memory_config as create_sharded_memory_config,
    create_sharded_memory_config_ as create_sharded_memory_config_, divup as divup, get_memory_config as get_memory_config,
    get_optimal_worker_cores_for_sharded_tensor as get_optimal_worker_cores_for_sharded_tensor, grid_to_cores as grid_to_cores,
    has_storage_type_of as has_storage_type_of, has_tile_padding as has_tile_padding, is_sharded as is_sharded,
    is_tensor_storage_on_device as is_tensor_storage_on_device, num_cores_to_corerangeset as num_cores_to_corerangeset,
    num_cores_to_corerangeset_in_subcoregrids as num_cores_to_corerangeset_in_subcoregrids, roundup as roundup,
    split_work_to_cores as split_work_to_cores, ttnn_dtype_to_torch_dtype as ttnn_dtype_to_torch_dtype,
)
from tilemeter._src.types.enums import NOC as NOC
from tilemeter._src.types.types import ShardStrategy as ShardStrategy
from tilemeter._tilemeter import (
    BufferType as BufferType, CoreCoord as CoreCoord, CoreGrid as CoreGrid, CoreRange as CoreRange,
    CoreRangeSet as CoreRangeSet, MemoryConfig as MemoryConfig, Shape as Shape, ShardOrientation as ShardOrientation,
    ShardSpec as ShardSpec, StorageType as StorageType, Tensor as Tensor, TensorMemoryLayout as TensorMemoryLayout,
)
