# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Several processes that work together, one for each host, as TT-NN starts them: by MPI.

Rank and number come from the environment that a launcher like mpirun sets; that is all a report needs. What goes from
process to process (barriers, numbers, bytes) goes by the package mpi4py.
"""

from __future__ import annotations

from typing import Any

from tilemeter._src.types.enums import Topology
from tilemeter._tilemeter import MeshDevice, process_rank


class Rank(int):
    """The number of a process."""

    def __repr__(self) -> str:
        return f"Rank({int(self)})"


class Size(int):
    """A number of processes."""

    def __repr__(self) -> str:
        return f"Size({int(self)})"


def using_distributed_env() -> bool:
    """True if several processes work together."""
    return distributed_context_get_size() > 1


def init_distributed_context() -> None:
    """Nothing to do: rank and number are known from the beginning."""


def distributed_context_is_initialized() -> bool:
    """Yes, from the beginning."""
    return True


def distributed_context_get_rank() -> Rank:
    """The number of this process, from 0."""
    return Rank(process_rank()[0])


def distributed_context_get_size() -> Size:
    """The number of processes."""
    return Size(process_rank()[1])


distributed_context_world_rank = distributed_context_get_rank
distributed_context_world_size = distributed_context_get_size


def _communicator(operation: str) -> Any:
    """MPI's communicator of all processes. Raises RuntimeError in one line where mpi4py is missing or counts otherwise."""
    size = int(distributed_context_get_size())
    try:
        from mpi4py import MPI
    except ImportError as error:
        raise RuntimeError(f"{operation}: {size} processes need the package mpi4py to reach each other: {error}") from None
    if MPI.COMM_WORLD.Get_size() != size:
        raise RuntimeError(
            f"{operation}: expected an mpi4py of the MPI that launched {size} processes, found one that knows "
            f"{MPI.COMM_WORLD.Get_size()}"
        )
    return MPI.COMM_WORLD


def distributed_context_barrier() -> None:
    """Waits until all processes are here."""
    if using_distributed_env():
        _communicator("distributed_context_barrier").Barrier()


def distributed_context_allgather_int(value: int) -> list[int]:
    """The number that each process gave, by rank."""
    if not using_distributed_env():
        return [int(value)]
    return list(_communicator("distributed_context_allgather_int").allgather(int(value)))


def distributed_context_send_bytes(data: bytes, dest: int, tag: int = 0) -> None:
    """Sends bytes to the process of rank `dest`."""
    _communicator("distributed_context_send_bytes").Send(bytes(data), dest=dest, tag=tag)


def distributed_context_recv_bytes(size: int, source: int, tag: int = 0) -> bytes:
    """`size` bytes that the process of rank `source` sent with that tag."""
    room = bytearray(size)
    _communicator("distributed_context_recv_bytes").Recv(room, source=source, tag=tag)
    return bytes(room)


def distributed_context_subcontext_id() -> int | None:
    """None: the processes are not split into groups."""
    return None


def distributed_context_subcontext_count() -> int:
    """The groups that the processes are split into: 1."""
    return 1


def distributed_context_subcontext_sizes() -> list[int]:
    """The processes of each group."""
    return [int(distributed_context_get_size())]


def distributed_context_subcontext_size(subcontext_id: int) -> Size:
    """The processes of a group. Raises RuntimeError for another than 0."""
    _require_only_group(subcontext_id)
    return distributed_context_get_size()


def distributed_context_local_to_world_rank(subcontext_id: int, local_rank: int) -> Rank:
    """The rank among all processes of one of a group. Raises RuntimeError for another group than 0."""
    _require_only_group(subcontext_id)
    return Rank(local_rank)


def _require_only_group(subcontext_id: int) -> None:
    if subcontext_id != 0:
        raise RuntimeError(f"subcontext_id: expected 0, the only group of processes, got {subcontext_id}")


def get_num_links(mesh_device: MeshDevice, cluster_axis: int | None = None) -> int:
    """Links between neighbouring chips that operations between chips can use: 1, as for one board."""
    return 1


def get_usable_topology(tensor: Any, topology: Any, cluster_axis: int | None = None) -> Any:
    """The topology that a ring or torus of the chips becomes where they form none: a line, a mesh. On one chip what was
    asked for."""
    device = tensor.device()
    if device is None or device.get_num_devices() == 1:
        return topology
    return {Topology.Ring: Topology.Linear, Topology.Torus: Topology.Mesh}.get(topology, topology)
