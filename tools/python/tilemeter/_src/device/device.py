# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Opening and closing devices.

TILEMETER_DEVICE chooses what is modelled: n150 (default), n300, p100, p150, e75, e150, t3000, galaxy, or the path of a description.
"""

from __future__ import annotations

import contextlib
import os
import threading
from typing import Any, Iterator

from tilemeter import _tilemeter
from tilemeter._src.types.enums import Arch, DispatchCoreAxis, DispatchCoreType, FabricConfig
from tilemeter._src.types.mesh_coordinates import MeshCoordinateRange
from tilemeter._src.types.types import QueueId
from tilemeter._tilemeter import MathFidelity, MeshDevice, MeshShape, WormholeComputeKernelConfig, get_memory_view

Device = MeshDevice
DEFAULT_L1_SMALL_SIZE = 0
DEFAULT_TRACE_REGION_SIZE = 0





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
    worker_l1_size: bytes per core for programs and tensors, all but what kernels need unless given. The other arguments are TT-NN's and have no effect. Raises ValueError for a device or description that isn't there.
    """
    known = _devices.get(device_id)
    if known is not None and known.is_open():
        return known
    device = _tilemeter.open_device(device_id, _description(), l1_small_size, trace_region_size, worker_l1_size)
    _devices[device_id] = device
    return device


def open_mesh_device(
    mesh_shape: MeshShape | None = None,
    l1_small_size: int = DEFAULT_L1_SMALL_SIZE,
    trace_region_size: int = DEFAULT_TRACE_REGION_SIZE,
    num_command_queues: int = 1,
    dispatch_core_config: object = None,
    offset: Any = None,
    physical_device_ids: list[int] | None = None,
    worker_l1_size: int = 0,
) -> MeshDevice:
    """Opens several chips as one device; all chips of the system as they lie (T3000: 2 x 4) unless a shape is given.

    offset: the place of the first chip in the system's mesh, a MeshCoordinate. physical_device_ids: these chips, row by row.
    """
    shape = _tilemeter.system_mesh_shape(_description()) if mesh_shape is None else mesh_shape
    row, column = (0, 0) if offset is None else tuple(offset)
    return _tilemeter.open_mesh_device(shape, _description(), l1_small_size, trace_region_size, (row, column),
                                       list(physical_device_ids or ()), worker_l1_size)


def close_device(device: MeshDevice) -> None:
    """Closes a device: its buffers are gone, operations on its tensors raise. Closing twice does nothing.

    Meshes cut out of it close, too.
    """
    for submesh in _submeshes.pop(device.id(), []):
        close_device(submesh)
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
    """Waits for the device's work. Here an operation has finished when its call returns. Raises TypeError for no device."""
    if not isinstance(device, MeshDevice):
        raise TypeError(f"synchronize_device(): incompatible function arguments: expected a MeshDevice, got {device!r}")


class MeshEvent:
    """A moment in a command queue. Here work is done when its call returns: nothing has to be waited for."""

    def __init__(self, device_id: int = 0, cq_id: int = 0) -> None:
        self.device_id = device_id
        self.cq_id = cq_id

    def __repr__(self) -> str:
        return f"MeshEvent(device_id={self.device_id}, mesh_cq_id={self.cq_id})"


def record_event(
    mesh_device: MeshDevice, cq_id: int | None = None, sub_device_ids: Any = (), device_range: Any = None
) -> MeshEvent:
    """The moment of this call."""
    return MeshEvent(mesh_device.id(), int(cq_id or 0))


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
    """The device that SetDefaultDevice was given; None before."""
    return _default_device


def board_name() -> str:
    """The name of the board that is modelled."""
    return os.path.basename(_description()).partition(".")[0]


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
    names = ("math_fidelity", "math_approx_mode", "fp32_dest_acc_en", "packer_l1_acc", "dst_full_sync_en")
    kept = {} if device_kernel_config is None else {name: getattr(device_kernel_config, name) for name in names}
    return WormholeComputeKernelConfig(**{**kept, **options})


def layernorm_default_compute_config(arch: Arch) -> Any:
    """The settings of layer_norm's kernels unless told otherwise: HiFi4, sums in 32 bits, no approximation; on any
    board."""
    return _norm_compute_config(arch, sums_in_fp32=True)


def rmsnorm_default_compute_config(arch: Arch) -> Any:
    """The settings of rms_norm's kernels unless told otherwise: HiFi4, sums in 16 bits, approximated; on any board."""
    return _norm_compute_config(arch, sums_in_fp32=False)


def _norm_compute_config(arch: Arch, sums_in_fp32: bool) -> Any:
    if not isinstance(arch, Arch):
        raise TypeError(f"arch: expected one of ttnn.device.Arch, got {arch!r}")
    return init_device_compute_kernel_config(
        arch, math_fidelity=MathFidelity.HiFi4, math_approx_mode=not sums_in_fp32, fp32_dest_acc_en=sums_in_fp32, packer_l1_acc=False
    )


def GetNumAvailableDevices() -> int:
    """Chips on the board that is modelled."""
    return _tilemeter.num_chips(_description())


GetNumPCIeDevices = GetNumAvailableDevices
get_num_devices = GetNumAvailableDevices
get_num_pcie_devices = GetNumAvailableDevices


def GetPCIeDeviceID(device_id: int) -> int:
    """The chip with the bus, through which a chip of the board is reached: the first one."""
    return 0


def memory_facts() -> tuple[int, int, int, int]:
    """Alignment of DRAM and of L1, end of L1, first byte of programs; of the board that is modelled, in bytes."""
    return _tilemeter.memory_facts(_description())


def get_dram_alignment() -> int:
    """Bytes that addresses in DRAM are multiples of."""
    return memory_facts()[0]


def get_l1_alignment() -> int:
    """Bytes that addresses in L1 are multiples of."""
    return memory_facts()[1]


def get_max_worker_l1_unreserved_size() -> int:
    """Bytes of a core's L1 that can be had when nothing is kept for kernels: of which 69 KiB are unless said otherwise."""
    _, _, end, begin = memory_facts()
    return end - begin + 69 * 1024


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


class _Queues(threading.local):
    def __init__(self) -> None:
        self.ids: list[int] = [0]


_queues = _Queues()


@contextlib.contextmanager
def command_queue(cq_id: int) -> Iterator[None]:
    """The command queue of what is called in a block. Here an operation has finished when its call returns, on any queue."""
    if cq_id is None:
        raise ValueError("cq_id cannot be None in command_queue context")
    _queues.ids.append(int(cq_id))
    try:
        yield
    finally:
        _queues.ids.pop()


def get_current_command_queue_id_for_thread() -> QueueId:
    """The queue of this thread's innermost command_queue block; 0 outside."""
    return QueueId(_queues.ids[-1])




def EnableMemoryReports() -> None:  # noqa: N802: TT-NN's name
    """Accepted for TT-NN's sake: captures say what memory reports would."""


def DisableMemoryReports() -> None:  # noqa: N802: TT-NN's name
    """Accepted for TT-NN's sake."""


_fabric_config = FabricConfig.DISABLED
_tilemeter.set_fabric_on(False)


def set_fabric_config(config: FabricConfig, *_: Any, **__: Any) -> None:
    """Lets chips talk to each other, whatever the form, or not any more (DISABLED): collectives are refused without."""
    global _fabric_config
    _fabric_config = config
    _tilemeter.set_fabric_on(config != FabricConfig.DISABLED)


def get_fabric_config() -> FabricConfig:
    """The config that set_fabric_config was given; DISABLED before."""
    return _fabric_config


def is_wormhole_b0(device: MeshDevice | None = None) -> bool:
    """True if a device, or the board that is modelled, is a Wormhole."""
    return _arch(device) is Arch.WORMHOLE_B0


def is_blackhole(device: MeshDevice | None = None) -> bool:
    """True if a device, or the board that is modelled, is a Blackhole."""
    return _arch(device) is Arch.BLACKHOLE


def is_grayskull(device: MeshDevice | None = None) -> bool:
    """True if a device, or the board that is modelled, is a Grayskull. An older name of TT-NN's, which torch_ttnn calls."""
    return _arch(device) is Arch.GRAYSKULL


def _arch(device: MeshDevice | None) -> Arch:
    """Family of its chips; without a device, of the board's."""
    return Arch[_tilemeter.arch_name(_description()) if device is None else device.arch_name()]


def CreateDevice(device_id: int, *arguments: Any, **options: Any) -> MeshDevice:
    """open_device under its older name, with places for its arguments."""
    given = {**dict(zip(("num_command_queues", "l1_small_size", "trace_region_size"), arguments)), **options}
    sizes = {name: given[name] for name in ("l1_small_size", "trace_region_size", "worker_l1_size") if name in given}
    return open_device(device_id=device_id, **sizes)


CloseDevice = close_device


def _core_grid(device: MeshDevice) -> _tilemeter.CoreGrid:
    """Columns and rows of its compute cores."""
    size = device.compute_with_storage_grid_size()
    return _tilemeter.CoreGrid(x=size.x, y=size.y)


setattr(MeshDevice, "arch", _arch)
setattr(MeshDevice, "core_grid", property(_core_grid, doc=_core_grid.__doc__))


def _get_device_id(device: MeshDevice, coord: Any) -> int:
    """Number of the chip at a place of the mesh."""
    row, column = coord
    place: int = row * device.shape.columns + column
    return device.get_device_ids()[place]


_submeshes: dict[int, list[MeshDevice]] = {}  # by the id of the mesh that they were cut out of


def _get_submeshes(device: MeshDevice) -> list[MeshDevice]:
    """Meshes cut out of this one."""
    return list(_submeshes.get(device.id(), []))


def _create_submesh(device: MeshDevice, submesh_shape: MeshShape, offset: Any = None) -> MeshDevice:
    """Some of its chips, from offset on, as a device of their own: with an id and memory of its own, so that, as in TT-NN,
    neither sees what the other allocates. Raises RuntimeError for chips that it has not."""
    row, column = (0, 0) if offset is None else offset
    submesh = _tilemeter.open_submesh(device, submesh_shape, row, column)
    _submeshes.setdefault(device.id(), []).append(submesh)
    return submesh


def _create_submeshes(device: MeshDevice, submesh_shape: MeshShape) -> list[MeshDevice]:
    """All of its chips in parts of a shape. Raises RuntimeError where they don't divide."""
    for dimension, (whole, part) in enumerate(zip(device.shape, submesh_shape)):
        if part == 0 or whole % part:
            raise RuntimeError(
                f"Shape {device.shape} is not divisible by submesh shape {submesh_shape} along dimension {dimension}"
            )
    rows, columns = device.shape
    down, across = submesh_shape
    return [
        _create_submesh(device, submesh_shape, (row, column))
        for row in range(0, rows, down)
        for column in range(0, columns, across)
    ]


def _reshape(device: MeshDevice, new_shape: MeshShape) -> None:
    """Arranges its chips in other rows and columns. Raises RuntimeError unless as many."""
    device._reshape(new_shape)


class MeshDeviceView:
    """The chips of a mesh that this process has: all."""

    def __init__(self, shape: MeshShape) -> None:
        self._shape = shape

    def shape(self) -> MeshShape:
        """Rows and columns of chips."""
        return self._shape

    def num_devices(self) -> int:
        """Number of chips."""
        return self._shape.mesh_size()

    def is_local(self, coord: Any) -> bool:
        """True if this process has a chip: always."""
        return True

    def get_local_mesh_coord_range(self) -> Any:
        """The block of chips that this process has."""
        return MeshCoordinateRange(self._shape)


def _get_view(device: MeshDevice) -> MeshDeviceView:
    """The chips of it that this process has."""
    return MeshDeviceView(device.shape)


class SystemMeshDescriptor:
    """The arrangement of the system's chips: of the board that is modelled, all of them at this host."""

    def __init__(self) -> None:
        self._shape = _tilemeter.system_mesh_shape(_description())

    def shape(self) -> MeshShape:
        """Rows and columns of all chips."""
        return self._shape

    def local_shape(self) -> MeshShape:
        """Rows and columns of the chips at this host: all."""
        return self._shape

    def all_local(self) -> bool:
        """True if all chips are at this host: always."""
        return True

    def is_local(self, coord: Any) -> bool:
        """True if the chip at a MeshCoordinate is at this host. Raises RuntimeError where there is none."""
        return self.get_device_id(coord) >= 0

    def get_device_id(self, coord: Any) -> int:
        """The number of the chip at a MeshCoordinate. Raises RuntimeError where there is none."""
        row, column = tuple(coord)
        rows, columns = self._shape
        if row >= rows or column >= columns:
            raise RuntimeError(f"Coordinate {coord} is out of bounds for shape {self._shape}")
        return int(row * columns + column)


def get_optimal_dram_bank_to_logical_worker_assignment(device: MeshDevice, noc: Any) -> list[Any]:
    """The core that reads each bank of DRAM best by that network. Raises RuntimeError where that is not known."""
    return list(device.get_optimal_dram_bank_to_logical_worker_assignment(noc))


def _sfpu_eps(device: MeshDevice) -> float:
    """The smallest step from 1 of the vector unit's floats."""
    return 2.0**-23


def _sfpu_inf(device: MeshDevice) -> float:
    """The vector unit's infinity."""
    return 1.7013999693950742e38


def _sfpu_nan(device: MeshDevice) -> float:
    """The vector unit's not-a-number."""
    return 7.0039998997052e19


def _get_system_mesh_id(device: MeshDevice) -> int:
    """Number of the system's mesh: 0."""
    return 0


def _quiesce_devices(device: MeshDevice) -> None:
    """Waits for all chips: here work is done when a call returns."""


def _worker_core_from_logical_core(device: MeshDevice, logical_core: Any) -> Any:
    """The place of a core for programs: behind those for Ethernet, DRAM and PCIe. Raises RuntimeError for a core that
    is not there."""
    grid = device.compute_with_storage_grid_size()
    x, y = logical_core.x, logical_core.y
    is_wormhole = device.arch() == Arch.WORMHOLE_B0
    columns, rows = (grid.x, grid.y + 1) if is_wormhole else (grid.x + 1, grid.y)
    if x >= columns or y >= rows:
        raise RuntimeError(f"No core coordinate found at location: ({x}, {y}, TENSIX, LOGICAL)")
    if is_wormhole:
        return type(grid)(x + 18, y + 18)
    return type(grid)(x + (1 if x < 7 else 3), y + 2)


for _name, _method in (
    ("get_device_id", _get_device_id), ("get_submeshes", _get_submeshes), ("create_submesh", _create_submesh),
    ("create_submeshes", _create_submeshes), ("reshape", _reshape), ("get_view", _get_view),
    ("get_system_mesh_id", _get_system_mesh_id), ("sfpu_eps", _sfpu_eps), ("sfpu_inf", _sfpu_inf), ("sfpu_nan", _sfpu_nan), ("quiesce_devices", _quiesce_devices),
    ("worker_core_from_logical_core", _worker_core_from_logical_core),
):
    setattr(MeshDevice, _name, _method)
