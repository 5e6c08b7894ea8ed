# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Programs that their users describe, for ttnn.generic_op, with TT-NN's names and attributes.

As in TT-NN, lists that a descriptor gives are copies (`program.cbs = [*program.cbs, more]` adds one), but its kernels,
semaphores, circular buffers and their runtime arguments are the descriptor's own.
"""

from __future__ import annotations

from tilemeter._src.types.core import corerange_to_cores as corerange_to_cores
from tilemeter._src.types.enums import (
    CoreType as CoreType, DataMovementProcessor as DataMovementProcessor, NOC as NOC, NOC_MODE as NOC_MODE, Named as Named,
)
from tilemeter._src.types.generic_values import values_for as values_for
from tilemeter._src.types.program_descriptor import (
    Arguments as Arguments, CBDescriptor as CBDescriptor, CBFormatDescriptor as CBFormatDescriptor,
    ComputeConfigDescriptor as ComputeConfigDescriptor, DataMovementConfigDescriptor as DataMovementConfigDescriptor,
    FaceGeometry as FaceGeometry, KernelDescriptor as KernelDescriptor, MeshProgramDescriptor as MeshProgramDescriptor,
    ProgramDescriptor as ProgramDescriptor, ReaderConfigDescriptor as ReaderConfigDescriptor, RuntimeArgs as RuntimeArgs,
    RuntimeArgsColProxy as RuntimeArgsColProxy, SemaphoreDescriptor as SemaphoreDescriptor,
    TensorAccessorArgs as TensorAccessorArgs, TileDescriptor as TileDescriptor, UnpackToDestMode as UnpackToDestMode,
    WriterConfigDescriptor as WriterConfigDescriptor, cb_descriptor_from_sharded_tensor as cb_descriptor_from_sharded_tensor,
    compute_program_descriptor_hash as compute_program_descriptor_hash, get_cb_address as get_cb_address,
    merge_program_descriptors as merge_program_descriptors,
)
from tilemeter._src.types.types import Tile as Tile
from tilemeter._tilemeter import (
    CoreCoord as CoreCoord, CoreRangeSet as CoreRangeSet, DataType as DataType, MathFidelity as MathFidelity, Tensor as Tensor,
    tile_size as tile_size,
)
