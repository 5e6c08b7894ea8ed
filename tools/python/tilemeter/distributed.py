# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Meshes under TT-NN's module name: opening them, spreading tensors over them, drawing them."""

from __future__ import annotations

import sys

from tilemeter._enums import DispatchCoreType as DispatchCoreType
from tilemeter._mesh import ConcatMesh2dToTensor as ConcatMesh2dToTensor
from tilemeter._mesh import ConcatMeshToTensor as ConcatMeshToTensor
from tilemeter._mesh import MeshToTensor as MeshToTensor
from tilemeter._mesh import ReplicateTensorToMesh as ReplicateTensorToMesh
from tilemeter._mesh import ReplicateTensorToMeshWrapper as ReplicateTensorToMeshWrapper
from tilemeter._mesh import ShardTensor2dMesh as ShardTensor2dMesh
from tilemeter._mesh import ShardTensorToMesh as ShardTensorToMesh
from tilemeter._mesh import TensorToMesh as TensorToMesh
from tilemeter._mesh import distribute as distribute
from tilemeter._mesh_drawing import visualize_mesh_device as visualize_mesh_device
from tilemeter._mesh_drawing import visualize_system_mesh as visualize_system_mesh
from tilemeter._mesh_drawing import visualize_tensor as visualize_tensor
from tilemeter._tilemeter import MeshDevice as MeshDevice
from tilemeter.device import close_mesh_device as close_mesh_device
from tilemeter.device import create_mesh_device as create_mesh_device
from tilemeter.device import get_device_ids as get_device_ids
from tilemeter.device import get_num_devices as get_num_devices
from tilemeter.device import get_num_pcie_devices as get_num_pcie_devices
from tilemeter.device import get_pcie_device_ids as get_pcie_device_ids
from tilemeter.device import open_mesh_device as open_mesh_device

distributed = sys.modules[__name__]  # ttnn.distributed.distributed has the same names
