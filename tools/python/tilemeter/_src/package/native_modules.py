# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Parts of TT-NN's native module, `ttnn._ttnn`, under the names that its users' annotations and checks have for them."""

from __future__ import annotations

import operator
import types
from typing import Any

from tilemeter._src.tensors import block_floats as _block_floats, overlapped as _overlapped

# Names that TT-NN 0.81.1 has there and tilemeter somewhere else.
_MEMBERS = {
    "core": ("get_memory_config", "set_printoptions"),
    "device": ("SubDeviceId",),
    "global_semaphore": (),
    "multi_device": (
        "CppMeshToTensor", "CppTensorToMesh", "MeshComposerConfig", "MeshCoordinate", "MeshCoordinateRange",
        "MeshCoordinateRangeSet", "MeshDevice", "MeshMapperConfig", "MeshShape", "PlacementReplicate", "PlacementShard",
        "SystemMeshDescriptor", "TensorTopology", "aggregate_tensor", "close_mesh_device", "combine_device_tensors",
        "concat_mesh_to_tensor_composer",
        "create_mesh_composer", "create_mesh_mapper", "distribute_tensor", "from_host_shards", "get_device_tensors",
        "open_mesh_device", "replicate_tensor_to_mesh_mapper", "shard_tensor_to_mesh_mapper",
    ),
    "operations.ccl": ("Topology",),
    "operations.complex": (),
    "operations.experimental.ccl_experimental": (),
    "program_descriptor": (
        "CBDescriptor", "CBFormatDescriptor", "ComputeConfigDescriptor", "DataMovementConfigDescriptor", "FaceGeometry",
        "KernelDescriptor", "MeshProgramDescriptor", "ProgramDescriptor", "ReaderConfigDescriptor", "RuntimeArgs",
        "RuntimeArgsColProxy", "SemaphoreDescriptor", "TileDescriptor", "UnpackToDestMode", "WriterConfigDescriptor",
        "cb_descriptor_from_sharded_tensor", "compute_program_descriptor_hash", "get_cb_address", "merge_program_descriptors",
    ),
    "tensor": (
        "BufferType", "CoreCoord", "CoreRange", "CoreRangeSet", "DataType", "Layout", "MathFidelity", "MemoryConfig", "NdShardSpec",
        "OverlappedTensor",
        "ShardDistributionStrategy", "ShardOrientation", "ShardSpec", "StorageType", "Tensor", "TensorMemoryLayout", "TensorSpec",
        "Tile", "corerange_to_cores", "element_size",
    ),
}


class GlobalSemaphoreArg:
    """The argument that collectives take for semaphores: one, or several."""

    def __init__(self, semaphores: Any) -> None:
        self.semaphores = list(semaphores) if isinstance(semaphores, (list, tuple)) else [semaphores]


def add_to(native: types.ModuleType, package: dict[str, Any]) -> None:
    """Gives the native module these parts, of what the complete package has."""
    package = {"SystemMeshDescriptor": package["device"].SystemMeshDescriptor, **package}  # TT-NN has it only here
    for name, members in _MEMBERS.items():
        above, _, last = name.rpartition(".")
        parent = operator.attrgetter(above)(native) if above else native
        part = getattr(parent, last, None) or types.ModuleType(f"ttnn._ttnn.{name}", "As TT-NN's, of what is there.")
        vars(part).update({each: package[each] for each in members if each in package})
        setattr(parent, last, part)
    native.operations.complex.ComplexTensor = native.ComplexTensor
    native.core.tilize_and_pack_bfp8_b = _block_floats.tilize_and_pack_bfp8_b
    native.core.tilize_and_pack_bfp4_b = _block_floats.tilize_and_pack_bfp4_b
    native.tensor.dump_overlapped_tensors = _overlapped.dump_overlapped_tensors
    native.tensor.load_overlapped_tensors = _overlapped.load_overlapped_tensors
    native.global_semaphore.global_semaphore = native.GlobalSemaphore
    native.operations.experimental.ccl_experimental.GlobalSemaphoreArg = GlobalSemaphoreArg
