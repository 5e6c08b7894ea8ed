# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""How values are spread over the chips of a mesh, and put together again."""

from __future__ import annotations

import dataclasses
from typing import Any, Sequence

import numpy

from tilemeter import _tilemeter
from tilemeter._tilemeter import MeshDevice, MeshShape, Tensor

Array = numpy.ndarray[Any, Any]


@dataclasses.dataclass(frozen=True)
class PlacementReplicate:
    """The same values along this dimension of the mesh."""


@dataclasses.dataclass(frozen=True)
class PlacementShard:
    """Equal parts along `dim` of the tensor for this dimension of the mesh."""

    dim: int


Placement = PlacementReplicate | PlacementShard


def _part(array: Any, dim: int, index: int, parts: int) -> Any:
    size = array.shape[dim]
    if size % parts:
        raise ValueError(f"mesh mapper: dimension {dim} of {size} elements does not divide into {parts} parts")
    step = size // parts
    before = (slice(None),) * (dim % len(array.shape))
    return array[before + (slice(index * step, (index + 1) * step),)]


class Mapper:
    """Spreads an array over a mesh: one placement for the mesh's rows, one for its columns."""

    def __init__(self, mesh_device: MeshDevice, placements: Sequence[Placement], mesh_shape: Any = None) -> None:
        self.mesh_device = mesh_device
        self.placements = tuple(placements)
        self.mesh_shape = tuple(mesh_device.shape if mesh_shape is None else mesh_shape)

    def parts(self, array: Any) -> list[Any]:
        """One array for all chips, or one per chip, row by row."""
        if all(isinstance(placement, PlacementReplicate) for placement in self.placements):
            return [array]
        parts = [array]
        for placement, size in zip(self.placements, self.mesh_shape):
            if isinstance(placement, PlacementShard):
                parts = [_part(each, placement.dim, i, size) for each in parts for i in range(size)]
            else:
                parts = [each for each in parts for _ in range(size)]
        return parts


def ReplicateTensorToMesh(mesh_device: MeshDevice) -> Mapper:
    """The same values on every chip."""
    return Mapper(mesh_device, [PlacementReplicate(), PlacementReplicate()])


def ShardTensorToMesh(mesh_device: MeshDevice, dim: int) -> Mapper:
    """One equal part along `dim` for each chip."""
    return Mapper(mesh_device, [PlacementShard(dim)], (mesh_device.get_num_devices(),))


def ShardTensor2dMesh(mesh_device: MeshDevice, mesh_shape: Any, dims: tuple[int | None, int | None]) -> Mapper:
    """Parts along dims[0] for the mesh's rows and along dims[1] for its columns; None: the same values."""
    return Mapper(mesh_device, [PlacementReplicate() if dim is None else PlacementShard(dim) for dim in dims], mesh_shape)


@dataclasses.dataclass(frozen=True, init=False)
class MeshMapperConfig:
    """MeshMapperConfig(placements), MeshMapperConfig(row_dim, col_dim)."""

    placements: tuple[Placement, ...]
    mesh_shape_override: MeshShape | None

    def __init__(
        self, placements: Any = None, col_dim: int | None = None, mesh_shape_override: MeshShape | None = None, *,
        row_dim: int | None = None,
    ) -> None:
        if isinstance(placements, int):
            placements, row_dim = None, placements
        if placements is None:
            placements = [PlacementReplicate() if dim is None else PlacementShard(dim) for dim in (row_dim, col_dim)]
        object.__setattr__(self, "placements", tuple(placements))
        object.__setattr__(self, "mesh_shape_override", mesh_shape_override)


def create_mesh_mapper(mesh_device: MeshDevice, config: MeshMapperConfig) -> Mapper:
    """The mapper that a config describes."""
    placements = config.placements
    if len(placements) == 1:
        return Mapper(mesh_device, placements, (mesh_device.get_num_devices(),))
    return Mapper(mesh_device, placements, config.mesh_shape_override)


class Composer:
    """Puts the chips' values together: along dims[0] over the mesh's rows, along dims[1] over its columns."""

    def __init__(self, mesh_device: MeshDevice, dims: Sequence[int], mesh_shape: Any = None) -> None:
        self.mesh_device = mesh_device
        self.dims = tuple(dims)
        self.mesh_shape = tuple(mesh_device.shape if mesh_shape is None else mesh_shape)

    def compose(self, arrays: Sequence[Array]) -> Array:
        if len(self.dims) == 1:
            return numpy.concatenate(arrays, axis=self.dims[0])
        rows, columns = self.mesh_shape
        lines = [numpy.concatenate(arrays[row * columns : (row + 1) * columns], axis=self.dims[1]) for row in range(rows)]
        return numpy.concatenate(lines, axis=self.dims[0])


def ConcatMeshToTensor(mesh_device: MeshDevice, dim: int) -> Composer:
    """The values of all chips, one after the other along `dim`."""
    return Composer(mesh_device, [dim])


def ConcatMesh2dToTensor(mesh_device: MeshDevice, mesh_shape: Any, dims: tuple[int, int]) -> Composer:
    """Rows of the mesh along dims[0], its columns along dims[1]."""
    return Composer(mesh_device, dims, mesh_shape)


@dataclasses.dataclass(frozen=True)
class MeshComposerConfig:
    """Along which dimensions of the tensor the chips' parts are joined, one for each dimension of the mesh."""

    dims: Sequence[int]
    mesh_shape_override: MeshShape | None = None


def create_mesh_composer(mesh_device: MeshDevice, config: MeshComposerConfig) -> Composer:
    """The composer that a config describes."""
    return Composer(mesh_device, config.dims, config.mesh_shape_override)


replicate_tensor_to_mesh_mapper = ReplicateTensorToMesh
shard_tensor_to_mesh_mapper = ShardTensorToMesh
concat_mesh_to_tensor_composer = ConcatMeshToTensor


def get_device_tensors(tensor: Tensor) -> list[Tensor]:
    """The tensors of the chips: the tensor itself on one chip, else host tensors with each chip's values."""
    device = tensor.device()
    chips = 1 if device is None else device.get_num_devices()
    if chips == 1:
        return [tensor]
    return [
        _tilemeter.host_tensor([numpy.ascontiguousarray(tensor._values(chip))], tensor.dtype, None, tensor.layout)
        for chip in range(chips)
    ]
