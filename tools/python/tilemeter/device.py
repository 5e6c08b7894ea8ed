# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Opening and closing devices.

TILEMETER_DEVICE chooses what is modelled: n150 (default), n300, p100, p150, e75, e150, or the path of a description.
"""

from __future__ import annotations

import contextlib
import enum
import os
from typing import Any, Iterator

from tilemeter import _tilemeter
from tilemeter._tilemeter import MeshDevice as MeshDevice
from tilemeter._tilemeter import MeshShape as MeshShape
from tilemeter._tilemeter import get_allocator_base_address as get_allocator_base_address
from tilemeter._tilemeter import get_memory_view as get_memory_view

Device = MeshDevice
DEFAULT_L1_SMALL_SIZE = 0
DEFAULT_TRACE_REGION_SIZE = 0


class Arch(enum.Enum):
    """Family of chips."""

    GRAYSKULL = 1
    WORMHOLE_B0 = 2
    BLACKHOLE = 3

    def __repr__(self) -> str:
        return f"Arch.{self.name}"


class DispatchCoreType(enum.Enum):
    """Where commands are dispatched from; accepted for TT-NN's sake, without effect here."""

    WORKER = 0
    ETH = 1


class DispatchCoreAxis(enum.Enum):
    """Whether rows or columns of cores dispatch; accepted for TT-NN's sake, without effect here."""

    ROW = 0
    COL = 1


class DispatchCoreConfig:
    """Accepted for TT-NN's sake, without effect here."""

    def __init__(
        self,
        type: DispatchCoreType | None = None,
        axis: DispatchCoreAxis | None = None,
        fabric_tensix_config: object = None,
    ) -> None:
        self.type = type or DispatchCoreType.WORKER
        self.axis = axis or DispatchCoreAxis.ROW


_devices: dict[int, MeshDevice] = {}  # opened by open_device and not closed


def _description() -> str:
    return os.environ.get("TILEMETER_DEVICE") or "n150"


def open_device(
    *,
    device_id: int = 0,
    l1_small_size: int = DEFAULT_L1_SMALL_SIZE,
    trace_region_size: int = DEFAULT_TRACE_REGION_SIZE,
    num_command_queues: int = 1,
    dispatch_core_config: object = None,
    worker_l1_size: int = 0,
) -> MeshDevice:
    """Opens a device, or gives the one that is open already.

    l1_small_size: bytes per core kept back at the top of L1. trace_region_size: bytes kept back at the top of DRAM.
    The other arguments are TT-NN's and have no effect. Raises ValueError for a device or description that isn't there.
    """
    known = _devices.get(device_id)
    if known is not None and known.is_open():
        return known
    device = _tilemeter.open_device(device_id, _description(), l1_small_size, trace_region_size)
    _devices[device_id] = device
    return device


def open_mesh_device(
    mesh_shape: MeshShape | None = None,
    l1_small_size: int = DEFAULT_L1_SMALL_SIZE,
    trace_region_size: int = DEFAULT_TRACE_REGION_SIZE,
    num_command_queues: int = 1,
    dispatch_core_config: object = None,
    offset: object = None,
    physical_device_ids: list[int] | None = None,
    worker_l1_size: int = 0,
) -> MeshDevice:
    """Opens several chips as one device; all chips of the board unless a shape is given."""
    shape = MeshShape(1, _tilemeter.num_chips(_description())) if mesh_shape is None else mesh_shape
    return _tilemeter.open_mesh_device(shape, _description(), l1_small_size, trace_region_size)


def close_device(device: MeshDevice) -> None:
    """Closes a device: its buffers are gone, operations on its tensors raise. Closing twice does nothing."""
    _tilemeter.close_device(device)
    for number, known in list(_devices.items()):
        if known is device:
            del _devices[number]


close_mesh_device = close_device


@contextlib.contextmanager
def manage_device(device_id: int) -> Iterator[MeshDevice]:
    """A device for the length of a block."""
    device = open_device(device_id=device_id)
    try:
        yield device
    finally:
        close_device(device)


def synchronize_device(device: MeshDevice, cq_id: int | None = None, sub_device_ids: Any = ()) -> None:
    """Waits for the device's work. Here an operation has finished when its call returns."""


class MeshEvent:
    """A moment in a command queue. Here work is done when its call returns: nothing has to be waited for."""


def record_event(mesh_device: MeshDevice, cq_id: int | None = None, *_: Any, **__: Any) -> MeshEvent:
    """The moment of this call."""
    return MeshEvent()


def event_synchronize(mesh_event: MeshEvent) -> None:
    """Waits until an event has happened: it has."""


def wait_for_event(cq_id: int | None = None, mesh_event: MeshEvent | None = None) -> None:
    """Makes a command queue wait for an event: it has happened."""


_default_device: MeshDevice | None = None


def SetDefaultDevice(device: MeshDevice | None = None) -> None:
    """The device that GetDefaultDevice gives."""
    global _default_device
    _default_device = device


def GetDefaultDevice() -> MeshDevice | None:
    """What SetDefaultDevice was given; None before."""
    return _default_device


def get_arch_name() -> str:
    """The family of the board that is modelled, in small letters."""
    return _tilemeter.arch_name(_description()).lower()


def CreateDevices(device_ids: list[int], *arguments: Any, **options: Any) -> dict[int, MeshDevice]:
    """Devices by number."""
    return {number: CreateDevice(number, *arguments, **options) for number in device_ids}


def CloseDevices(devices: dict[int, MeshDevice]) -> None:
    """Closes devices given by number."""
    for device in devices.values():
        close_device(device)


def dump_device_memory_state(device: MeshDevice, prefix: str = "") -> None:
    """Prints what each memory of a device holds; bytes per bank."""
    for memory in (_tilemeter.BufferType.DRAM, _tilemeter.BufferType.L1):
        view = get_memory_view(device, memory)
        print(
            f"{prefix}{memory.name}: {view.total_bytes_allocated_per_bank:,} of {view.total_bytes_per_bank:,} bytes"
            f" allocated in each of {view.num_banks} banks, largest free block"
            f" {view.largest_contiguous_bytes_free_per_bank:,}"
        )


def init_device_compute_kernel_config(arch: Arch, device_kernel_config: Any = None, **options: Any) -> Any:
    """A compute kernel config: the given one with changes, or a new one."""
    from tilemeter.types import WormholeComputeKernelConfig

    names = ("math_fidelity", "math_approx_mode", "fp32_dest_acc_en", "packer_l1_acc", "dst_full_sync_en")
    kept = {} if device_kernel_config is None else {name: getattr(device_kernel_config, name) for name in names}
    return WormholeComputeKernelConfig(**{**kept, **options})


def GetNumAvailableDevices() -> int:
    """Chips on the board that is modelled."""
    return _tilemeter.num_chips(_description())


GetNumPCIeDevices = GetNumAvailableDevices
get_num_devices = GetNumAvailableDevices
get_num_pcie_devices = GetNumAvailableDevices


def get_device_ids() -> list[int]:
    """Numbers of the chips on the board that is modelled."""
    return list(range(GetNumAvailableDevices()))


get_pcie_device_ids = get_device_ids


@contextlib.contextmanager
def create_mesh_device(*arguments: Any, **options: Any) -> Iterator[MeshDevice]:
    """open_mesh_device for the length of a block."""
    device = open_mesh_device(*arguments, **options)
    try:
        yield device
    finally:
        close_device(device)


@contextlib.contextmanager
def command_queue(cq_id: int) -> Iterator[None]:
    """The command queue of what is called in a block. Here an operation has finished when its call returns, on any queue."""
    if cq_id is None:
        raise ValueError("cq_id cannot be None in command_queue context")
    yield


class FabricConfig(enum.Enum):
    """How chips are wired for each other; accepted for TT-NN's sake, without effect here."""

    DISABLED = 0
    FABRIC_1D_NEIGHBOR_EXCHANGE = 1
    FABRIC_1D = 2
    FABRIC_1D_RING = 3
    FABRIC_2D = 4
    FABRIC_2D_TORUS_X = 5
    FABRIC_2D_TORUS_Y = 6
    FABRIC_2D_TORUS_XY = 7
    CUSTOM = 8


class Topology(enum.Enum):
    """The way of data between chips; accepted for TT-NN's sake, without effect here."""

    Linear = 1
    Ring = 2
    Mesh = 3
    Torus = 4


_fabric_config = FabricConfig.DISABLED


def set_fabric_config(config: FabricConfig, *_: Any, **__: Any) -> None:
    """Keeps what get_fabric_config gives. Collectives work on any mesh here."""
    global _fabric_config
    _fabric_config = config


def get_fabric_config() -> FabricConfig:
    """What set_fabric_config was given; DISABLED before."""
    return _fabric_config


def is_wormhole_b0(device: MeshDevice | None = None) -> bool:
    """Whether a device, or the one that open_device gives, is a Wormhole."""
    return _arch(open_device() if device is None else device) is Arch.WORMHOLE_B0


def is_blackhole(device: MeshDevice | None = None) -> bool:
    """Whether a device, or the one that open_device gives, is a Blackhole."""
    return _arch(open_device() if device is None else device) is Arch.BLACKHOLE


def _arch(device: MeshDevice) -> Arch:
    """Family of its chips."""
    return Arch[device.arch_name()]


def CreateDevice(device_id: int, *arguments: Any, **options: Any) -> MeshDevice:
    """open_device under its older name."""
    sizes = {name: options[name] for name in ("l1_small_size", "trace_region_size") if name in options}
    return open_device(device_id=device_id, **sizes)


CloseDevice = close_device


def _core_grid(device: MeshDevice) -> _tilemeter.CoreGrid:
    """Columns and rows of its compute cores."""
    size = device.compute_with_storage_grid_size()
    return _tilemeter.CoreGrid(x=size.x, y=size.y)


setattr(MeshDevice, "arch", _arch)
setattr(MeshDevice, "core_grid", property(_core_grid, doc=_core_grid.__doc__))


def _enable_program_cache(device: MeshDevice) -> None:
    """Nothing to do: programs are always cached."""


def _clear_program_cache(device: MeshDevice) -> None:
    """Forgets the programs; those to come are cached all the same."""
    device.clear_program_cache()


setattr(MeshDevice, "enable_program_cache", _enable_program_cache)
setattr(MeshDevice, "disable_and_clear_program_cache", _clear_program_cache)
