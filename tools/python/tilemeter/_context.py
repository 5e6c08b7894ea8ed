# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""What TT-NN asks of several processes that work together: here it is always one."""

from __future__ import annotations

from typing import Any

from tilemeter._tilemeter import MeshDevice


class Rank(int):
    """The number of a process."""

    def __repr__(self) -> str:
        return f"Rank({int(self)})"


class Size(int):
    """A number of processes."""

    def __repr__(self) -> str:
        return f"Size({int(self)})"


def using_distributed_env() -> bool:
    """Whether several processes work together: no."""
    return False


def init_distributed_context() -> None:
    """Nothing to do."""


def distributed_context_is_initialized() -> bool:
    """Yes, from the beginning."""
    return True


def distributed_context_get_rank() -> Rank:
    """The number of this process: 0."""
    return Rank(0)


def distributed_context_get_size() -> Size:
    """How many there are: 1."""
    return Size(1)


distributed_context_world_rank = distributed_context_get_rank
distributed_context_world_size = distributed_context_get_size


def distributed_context_barrier() -> None:
    """Waits for all: for none."""


def distributed_context_allgather_int(value: int) -> list[int]:
    """The number that each process gave."""
    return [int(value)]


def get_num_links(mesh_device: MeshDevice, cluster_axis: int | None = None) -> int:
    """Links between neighbouring chips that operations between chips can use: 1, as for one board."""
    return 1


def get_usable_topology(tensor: Any, topology: Any, cluster_axis: int | None = None) -> Any:
    """What a ring or torus of the chips becomes where they form none: a line, a mesh. On one chip what was asked for."""
    from tilemeter._enums import Topology

    device = tensor.device()
    if device is None or device.get_num_devices() == 1:
        return topology
    return {Topology.Ring: Topology.Linear, Topology.Torus: Topology.Mesh}.get(topology, topology)
