# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Tensors on several chips: what each chip has, how they were spread, and put together again."""

from __future__ import annotations

import dataclasses
import math
from typing import Any, Sequence

import numpy

from tilemeter import _tilemeter
from tilemeter._src.tensors.mesh_mappers import Composer, Mapper, Placement, PlacementReplicate, PlacementShard
from tilemeter._src.types.mesh_coordinates import MeshCoordinate, MeshCoordinateRange
from tilemeter._tilemeter import MeshDevice, MeshShape, Tensor


def distribute_tensor(tensor: Tensor, mapper: Mapper, mesh_device: MeshDevice | None = None) -> Tensor:
    """A host tensor spread over a mesh; on the mesh, if it is given."""
    parts = [numpy.ascontiguousarray(part) for part in mapper.parts(tensor._values(0))]
    host = _tilemeter.host_tensor(
        parts, tensor.dtype, None, tensor.layout, tensor.memory_config(), tensor._tile_shape
    )
    host._set_distribution(*mapper.distribution())
    return host if mesh_device is None else _tilemeter.upload(host, mesh_device, tensor.memory_config())


def require_one_chip(tensor: Tensor) -> None:
    """Raises RuntimeError for a tensor on several chips: whose values are meant, only a composer says."""
    device = tensor.device()
    chips = 1 if tensor._chip is not None else tensor.num_chips_with_values() if device is None else device.get_num_devices()
    if chips > 1:
        shape = f"MeshShape([{chips}])" if device is None else str(device.shape)
        raise RuntimeError(
            f"Can't convert a tensor distributed on {shape} mesh to row-major logical tensor. Supply a mesh composer to"
            " concatenate multi-device shards."
        )


def composed_tensor(tensor: Tensor, composer: Composer) -> Tensor:
    """The chips' values as one host tensor."""
    host = tensor if tensor.device() is None else _tilemeter.download(tensor)
    chips = composer.mesh_device.get_num_devices()
    whole = composer.compose([host._values(chip) for chip in range(chips)])
    whole = numpy.ascontiguousarray(whole)
    return _tilemeter.host_tensor([whole], tensor.dtype, None, tensor.layout, None, tensor._tile_shape)


def aggregate_tensor(tensor: Tensor, composer: Composer) -> Tensor:
    """The chips' values as one host tensor."""
    return composed_tensor(tensor, composer)


def from_host_shards(tensors: Sequence[Tensor], mesh_shape: MeshShape) -> Tensor:
    """A host tensor with a value for each chip of a mesh. Raises RuntimeError unless there is one for each, all alike in
    shape, type and layout."""
    if len(tensors) != mesh_shape.mesh_size():
        raise RuntimeError("Number of tensor shards must match mesh size")
    first = tensors[0]
    for other in tensors:
        if (list(other.shape), other.dtype, other.layout) != (list(first.shape), first.dtype, first.layout):
            raise RuntimeError(f"expected tensors of one shape, type and layout, got {first.spec} and {other.spec}")
    values = [numpy.ascontiguousarray(each._values(0)) for each in tensors]
    made = _tilemeter.host_tensor(
        values, first.dtype, None, first.layout, first.memory_config(), first._tile_shape
    )
    made._set_distribution([len(tensors)], [0])
    return made


def get_device_tensors(tensor: Tensor) -> list[Tensor]:
    """The part of a tensor on each chip: on a device in the same memory, on the host a tensor of its own."""
    if tensor._chip is not None:
        return [tensor]
    device = tensor.device()
    if device is not None:
        chips = device.get_num_devices()
        return [tensor] if chips == 1 else [_tilemeter.part_of_chip(tensor, chip) for chip in range(chips)]
    chips = tensor.num_chips_with_values()
    if chips == 1:
        return [tensor]
    return [
        _tilemeter.host_tensor(
            [numpy.ascontiguousarray(tensor._values(chip))], tensor.dtype, None, tensor.layout, tensor.memory_config(),
            tensor._tile_shape,
        )
        for chip in range(chips)
    ]


def combine_device_tensors(*, tensors: Sequence[Tensor]) -> Tensor:
    """The tensor whose parts get_device_tensors gave. Raises RuntimeError for those of several tensors, and on the host."""
    if not tensors:
        raise RuntimeError("At least one tensor shard must be provided")
    first = tensors[0]
    device = first.device()
    if device is None or any(each.device() is None for each in tensors):
        raise RuntimeError("All tensor shards must be on device")
    if not all(_tilemeter.shares_buffer(first, each) for each in tensors):
        raise RuntimeError("tensor shards must be allocated on the same mesh buffer.")
    seen: set[MeshCoordinate] = set()
    for coord in (coord for each in tensors for coord in device_coords(each)):
        if coord in seen:
            raise RuntimeError(f"Found a tensor shard at duplicate coordinate {coord}")
        seen.add(coord)
    if len(tensors) == 1:
        return first
    if len(seen) != device.get_num_devices():
        raise RuntimeError(f"combine_device_tensors: expected parts of all {device.get_num_devices()} chips, got {len(seen)}")
    return _tilemeter.whole_of_chip_part(first)


def device_coords(self: Tensor) -> list[MeshCoordinate]:
    """Places of its chips in the mesh."""
    device = self.device()
    coords = [] if device is None else list(MeshCoordinateRange(device.shape))
    return coords if self._chip is None else [coords[self._chip]]


class _DistributionShape(tuple):  # type: ignore[type-arg]
    """A mesh shape of any rank."""

    def dims(self) -> int:
        """The number of its dimensions."""
        return len(self)

    def mesh_size(self) -> int:
        """The number of its chips."""
        return math.prod(self)

    def __repr__(self) -> str:
        return f"MeshShape({list(self)})"


@dataclasses.dataclass(frozen=True)
class TensorTopology:
    """The distribution of a tensor over the chips of its mesh."""

    _shape: tuple[int, ...]
    _placements: tuple[Placement, ...]
    _coords: tuple[MeshCoordinate, ...]

    def distribution_shape(self) -> Any:
        """Parts along each dimension of the distribution."""
        return _DistributionShape(self._shape)

    def placements(self) -> list[Placement]:
        """The placement along each dimension of the distribution."""
        return list(self._placements)

    def mesh_coords(self) -> list[MeshCoordinate]:
        """The chips, in order."""
        return list(self._coords)

    def __repr__(self) -> str:
        placements, coords = ", ".join(map(str, self._placements)), ", ".join(map(str, self._coords))
        return (
            f"TensorTopology(distribution_shape={self.distribution_shape()}, placements=SmallVector([{placements}]),"
            f" mesh_coords={coords})"
        )


def mesh_shape_of(tensor: Tensor) -> MeshShape:
    """Rows and columns of the chips that a tensor is spread over; of a host tensor those of its distribution."""
    device = tensor.device()
    if device is not None:
        return device.shape
    sizes, _ = tensor._distribution() or ([1], [])
    return MeshShape(sizes[0], sizes[1]) if len(sizes) == 2 else MeshShape(1, sizes[0])


def tensor_topology(self: Tensor) -> TensorTopology:
    """The distribution over the chips."""
    shape = mesh_shape_of(self)
    everywhere: tuple[list[int], list[int | None]] = ([shape.mesh_size()], [None])
    parts, dims = self._distribution() or everywhere
    placements: list[Placement] = [PlacementReplicate() if dim is None else PlacementShard(dim) for dim in dims]
    return TensorTopology(tuple(parts), tuple(placements), tuple(MeshCoordinateRange(shape)))


def compute_distribution_to_mesh_mapping(distribution_shape: Any, mesh_shape: Any) -> list[MeshCoordinate]:
    """The chip of each part of a distribution, both row by row. Raises RuntimeError where there are more parts than chips."""
    chips = list(MeshCoordinateRange(mesh_shape))
    count = int(numpy.prod(list(distribution_shape)))
    if count > len(chips):
        raise RuntimeError(f"compute_distribution_to_mesh_mapping: {count} parts for {len(chips)} chips")
    return chips[:count]
