# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Parts of a device's cores that work on their own, and managers that switch between divisions.

What a division may be is checked as TT-NN does. A manager that is loaded changes nothing else here: operations go on to
see the whole grid, and L1 of its own (local_l1_size) is not taken from what tensors can have.
"""

from __future__ import annotations

import itertools
from typing import Any, Sequence

from tilemeter import _tilemeter
from tilemeter._tilemeter import CoreRange, CoreRangeSet, MeshDevice


class SubDevice:
    """Cores that work together, as sets of cores: compute cores, then cores of the network."""

    def __init__(self, cores: Sequence[CoreRangeSet]) -> None:
        self.cores = list(cores)


class SubDeviceId:
    """Number of a part, in the order in which the manager was given them."""

    def __init__(self, id: int) -> None:
        self.id = int(id)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SubDeviceId) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"SubDeviceId({self.id})"


class SubDeviceManagerId:
    """The id of a division of a device; MeshDevice.create_sub_device_manager gives it."""

    def __init__(self, number: int, parts: int) -> None:
        self._number = number
        self._parts = parts


class _Managers:
    """The divisions of one device that were created, and the one that is loaded."""

    def __init__(self) -> None:
        self.created: dict[int, SubDeviceManagerId] = {}
        self.loaded: SubDeviceManagerId | None = None

    def known(self, manager: SubDeviceManagerId) -> None:
        if self.created.get(manager._number) is not manager:
            raise RuntimeError("Sub device manager does not exist")


_numbers = itertools.count(1)
_of_device: dict[int, tuple[MeshDevice, _Managers]] = {}


def _managers(device: MeshDevice) -> _Managers:
    known = _of_device.get(device.id())
    if known is None or known[0] is not device:  # another device that had this id is gone
        known = _of_device[device.id()] = (device, _Managers())
    return known[1]


def create_sub_device_manager(self: MeshDevice, sub_devices: Sequence[SubDevice], local_l1_size: int) -> SubDeviceManagerId:
    """A division of the cores. local_l1_size: bytes of each core's L1 for the parts' own tensors.

    Raises RuntimeError for parts that share cores or lie outside the grid, and for more L1 than there is.
    """
    if not sub_devices:
        raise RuntimeError("sub_device_ids to stall must not be empty")
    size = self.compute_with_storage_grid_size()
    grid = CoreRange((0, 0), (size.x - 1, size.y - 1))  # type: ignore[arg-type]  # a pair stands for a core
    workers = [each.cores[0] if each.cores else CoreRangeSet([]) for each in sub_devices]
    for cores in workers:
        if not grid.contains(cores):
            raise RuntimeError(f"Tensix cores {cores} specified in sub device must be within device grid {grid}")
    for i, cores in enumerate(workers):
        if any(cores.subtract(other) != cores for other in workers[:i] if not cores.empty()):
            raise RuntimeError("SubDevices specified for SubDeviceManager intersect")
    base = _tilemeter.get_allocator_base_address(self, _tilemeter.BufferType.L1)
    end = base + _tilemeter.get_memory_view(self, _tilemeter.BufferType.L1).total_bytes_per_bank
    if base + local_l1_size > end:
        raise RuntimeError(
            f"Sub-device 0 local L1 region [{base}, {base + local_l1_size}) exceeds allocatable worker L1 limit {end}"
            " after persistent allocations"
        )
    made = SubDeviceManagerId(next(_numbers), len(sub_devices))
    _managers(self).created[made._number] = made
    return made


def load_sub_device_manager(self: MeshDevice, sub_device_manager_id: SubDeviceManagerId) -> None:
    """Makes a division the one in force. Raises RuntimeError for one that does not exist."""
    managers = _managers(self)
    managers.known(sub_device_manager_id)
    managers.loaded = sub_device_manager_id


def clear_loaded_sub_device_manager(self: MeshDevice) -> None:
    """The whole grid is one part again."""
    _managers(self).loaded = None


def remove_sub_device_manager(self: MeshDevice, sub_device_manager_id: SubDeviceManagerId) -> None:
    """Forgets a division. Raises RuntimeError for one that does not exist, or is loaded."""
    managers = _managers(self)
    managers.known(sub_device_manager_id)
    if managers.loaded is sub_device_manager_id:
        raise RuntimeError("Cannot remove active sub device manager")
    del managers.created[sub_device_manager_id._number]


def set_sub_device_stall_group(self: MeshDevice, sub_device_ids: Sequence[SubDeviceId]) -> None:
    """For which parts programs wait; nothing waits here. Raises RuntimeError for none, and for parts that aren't there."""
    if not sub_device_ids:
        raise RuntimeError("sub_device_ids to stall must not be empty")
    loaded = _managers(self).loaded
    parts = 1 if loaded is None else loaded._parts
    for each in sub_device_ids:
        if not 0 <= each.id < parts:
            raise RuntimeError(f"expected one of {parts} sub-devices, got {each}")


def reset_sub_device_stall_group(self: MeshDevice) -> None:
    """Programs wait for all parts again."""


for _function in (
    create_sub_device_manager, load_sub_device_manager, clear_loaded_sub_device_manager, remove_sub_device_manager,
    set_sub_device_stall_group, reset_sub_device_stall_group,
):
    setattr(MeshDevice, _function.__name__, _function)
