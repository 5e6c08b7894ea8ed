# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Meshes under TT-NN's module name: opening them, spreading tensors over them, drawing them."""

from __future__ import annotations

import sys

from tilemeter._src.device.device import (
    close_mesh_device as close_mesh_device, create_mesh_device as create_mesh_device, get_device_ids as get_device_ids,
    get_num_devices as get_num_devices, get_num_pcie_devices as get_num_pcie_devices,
    get_pcie_device_ids as get_pcie_device_ids, open_mesh_device as open_mesh_device,
)
from tilemeter._src.tensors.mesh_drawing import (
    visualize_mesh_device as visualize_mesh_device, visualize_system_mesh as visualize_system_mesh,
    visualize_tensor as visualize_tensor,
)
from tilemeter._src.tensors.mesh_mappers import (
    ConcatMesh2dToTensor as ConcatMesh2dToTensor, ConcatMeshToTensor as ConcatMeshToTensor, MeshToTensor as MeshToTensor,
    ReplicateTensorToMesh as ReplicateTensorToMesh, ReplicateTensorToMeshWrapper as ReplicateTensorToMeshWrapper,
    ShardTensor2dMesh as ShardTensor2dMesh, ShardTensorToMesh as ShardTensorToMesh, TensorToMesh as TensorToMesh,
    distribute as distribute,
)
from tilemeter._src.types.enums import DispatchCoreType as DispatchCoreType
from tilemeter._tilemeter import MeshDevice as MeshDevice

distributed = sys.modules[__name__]  # ttnn.distributed.distributed has the same names
