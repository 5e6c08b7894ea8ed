# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Programs that their users describe, for ttnn.generic_op, with TT-NN's names and attributes.

As in TT-NN, lists that a descriptor gives are copies (`program.cbs = [*program.cbs, more]` adds one), but its kernels,
semaphores, circular buffers and their runtime arguments are the descriptor's own.
"""

from __future__ import annotations

import enum
from typing import Any, Iterable, Iterator, Sequence

from tilemeter import _tilemeter
from tilemeter._src.types.core import corerange_to_cores
from tilemeter._src.types.enums import CoreType, DataMovementProcessor, NOC, NOC_MODE, Named
from tilemeter._src.types.generic_values import values_for
from tilemeter._src.types.types import Tile
from tilemeter._tilemeter import CoreCoord, CoreRangeSet, DataType, MathFidelity, Tensor, tile_size

_FORMATS = {
    DataType.FLOAT32: ("Float32", 0), DataType.BFLOAT16: ("Float16_b", 5), DataType.BFLOAT8_B: ("Bfp8_b", 6),
    DataType.BFLOAT4_B: ("Bfp4_b", 7), DataType.INT32: ("Int32", 8), DataType.UINT16: ("UInt16", 9),
    DataType.UINT32: ("UInt32", 24), DataType.UINT8: ("UInt8", 30),
}


class UnpackToDestMode(Named):
    """The way a circular buffer is unpacked: into 32-bit registers or not."""

    UnpackToDestFp32 = 0
    Default = 1


class _Fields:
    """A descriptor: its attributes are those of `_fields`, whose values are the defaults; others are refused."""

    _fields: dict[str, Any] = {}

    def __init__(self) -> None:
        for name, default in self._fields.items():
            value = default() if callable(default) and not isinstance(default, enum.Enum) else default
            object.__setattr__(self, "_" + name, value)

    def __getattr__(self, name: str) -> Any:
        if name not in self._fields:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        value = object.__getattribute__(self, "_" + name)
        return list(value) if type(value) is list else value

    def __setattr__(self, name: str, value: Any) -> None:
        if name not in self._fields:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        default = self._fields[name]
        if default is list and name.endswith("_args") and "named" not in name:
            value = Arguments(value)
        elif default is list:
            value = list(value)
        elif default is Arguments:
            value = Arguments(value)
        object.__setattr__(self, "_" + name, value)

    def _as_text(self) -> str:
        return self._words(self._fields)

    def _words(self, names: Iterable[str]) -> str:
        return f"{type(self).__name__}({','.join(f'{name}={_text(getattr(self, name))}' for name in names)})"


def _text(value: Any) -> str:
    """As TT-NN writes it in traces."""
    if value is None:
        return "std::nullopt"
    if isinstance(value, bool):
        return str(int(value))
    if isinstance(value, _Fields):
        return str(value._as_text())
    if isinstance(value, (list, tuple)):
        return "{" + ", ".join(map(_text, value)) + "}"
    if isinstance(value, (CoreType, KernelDescriptor.SourceType)):
        return f"{type(value).__name__}::{value.name}"
    return value.name if isinstance(value, enum.Enum) or hasattr(value, "name") else str(value)


def _vector(values: Iterable[Any]) -> str:
    return f"SmallVector([{', '.join(map(_text, values))}])"


class Arguments(list):  # type: ignore[type-arg]
    """Numbers of 32 bits that a kernel is given."""

    def __init__(self, values: Iterable[int] = ()) -> None:
        super().__init__(values)
        for value in self:
            if not isinstance(value, int) or not 0 <= value < 1 << 32:
                raise TypeError(f"arguments of a kernel: expected numbers of 32 bits without a sign, got {value!r}")


class RuntimeArgsColProxy:
    """Arguments of the cores of one column, by row."""

    def __init__(self, of: RuntimeArgs, x: int) -> None:
        self._of, self._x = of, x

    def __getitem__(self, y: int) -> Arguments:
        found = self._of.entries.get((self._x, y))
        if found is None:
            raise IndexError(f"No runtime args found for CoreCoord({self._x}, {y})")
        return found

    def __setitem__(self, y: int, values: Iterable[int]) -> None:
        self._of.entries[self._x, y] = Arguments(values)

    def append(self, y: int, value: int) -> None:
        """Adds one number."""
        self._of.entries.setdefault((self._x, y), Arguments()).append(value)

    def extend(self, y: int, values: Iterable[int]) -> None:
        """Adds numbers."""
        self._of.entries.setdefault((self._x, y), Arguments()).extend(Arguments(values))


class RuntimeArgs:
    """Arguments of a kernel, core by core: args[x][y] = [...]."""

    def __init__(self) -> None:
        self.entries: dict[tuple[int, int], Arguments] = {}

    def __getitem__(self, x: int) -> RuntimeArgsColProxy:
        return RuntimeArgsColProxy(self, x)

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[tuple[CoreCoord, Arguments]]:
        return iter(self.to_list())

    def append(self, coord: CoreCoord, values: Iterable[int]) -> None:
        """Those of one more core."""
        self.entries[coord.x, coord.y] = Arguments(values)

    def clear(self) -> None:
        """Forgets all."""
        self.entries.clear()

    def to_list(self) -> list[tuple[CoreCoord, Arguments]]:
        """Cores with their arguments."""
        return [(CoreCoord(*core), values) for core, values in self.entries.items()]

    def get(self, idx: int) -> tuple[CoreCoord, Arguments]:
        """The core given as the idx-th, with its arguments."""
        return self.to_list()[idx]


def _runtime_args(given: Any) -> RuntimeArgs:
    made = RuntimeArgs()
    for core, values in given:
        if not isinstance(core, CoreCoord):
            raise RuntimeError(f"runtime_args: expected RuntimeArgs or pairs of CoreCoord and numbers, got {given!r}")
        made.append(core, values)
    return made


class TileDescriptor(_Fields):
    """Height and width of a tile."""

    _fields = {"height": 32, "width": 32, "transpose": False}

    def __init__(self, height: Any = 32, width: int = 32, transpose: bool = False) -> None:
        super().__init__()
        if isinstance(height, Tile):
            (height, width), transpose = height.tile_shape, height.transpose_tile
        elif isinstance(height, TileDescriptor):
            height, width, transpose = (getattr(height, name) for name in self._fields)
        for name, value in zip(self._fields, (height, width, transpose)):
            setattr(self, name, value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TileDescriptor) and self._as_text() == other._as_text() and self.transpose == other.transpose

    def __hash__(self) -> int:
        return hash(self._as_text())

    def _as_text(self) -> str:
        return f"TileDescriptor({self.height}x{self.width})"


class FaceGeometry(_Fields):
    """Rows of a face, and faces of a tile."""

    _fields = {"face_r_dim": 16, "num_faces": 4}

    def __init__(self, face_r_dim: int = 16, num_faces: int = 4) -> None:
        super().__init__()
        self.face_r_dim, self.num_faces = face_r_dim, num_faces

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FaceGeometry) and self._as_text() == other._as_text()

    def __hash__(self) -> int:
        return hash(self._as_text())


class CBFormatDescriptor(_Fields):
    """The number, element type and page size by which kernels see a circular buffer."""

    _fields = {"buffer_index": 0, "data_format": DataType.BFLOAT16, "page_size": 0, "tile": None, "face_geometry": None}

    def __init__(
        self, buffer_index: int = 0, data_format: DataType = DataType.BFLOAT16, page_size: int = 0, tile: Any = None
    ) -> None:
        super().__init__()
        if data_format not in _FORMATS:
            raise TypeError(f"CBFormatDescriptor: data_format: expected a DataType, got {data_format!r}")
        self.buffer_index, self.data_format, self.page_size = int(buffer_index), data_format, page_size
        self.tile = TileDescriptor(tile) if isinstance(tile, Tile) else tile

    @property
    def data_format_as_uint8(self) -> int:
        """The element type's number among those of the chip."""
        return _FORMATS[self.data_format][1]

    def _as_text(self) -> str:
        face = _text(self.face_geometry)
        return (
            f"CBFormatDescriptor(buffer_index={self.buffer_index},data_format={_FORMATS[self.data_format][0]},"
            f"page_size={self.page_size},tile={_text(self.tile)},face_geometry={face})"
        )


class CBDescriptor(_Fields):
    """A circular buffer: bytes on each core of core_ranges, in memory of its own or a sharded tensor's."""

    _fields = {
        "total_size": 0, "core_ranges": lambda: CoreRangeSet([]), "format_descriptors": list,
        "remote_format_descriptors": list, "address_offset": 0,
    }

    def __init__(
        self, total_size: int = 0, core_ranges: CoreRangeSet | None = None,
        format_descriptors: Sequence[CBFormatDescriptor] = (),
    ) -> None:
        super().__init__()
        self.total_size, self.format_descriptors = total_size, format_descriptors
        object.__setattr__(self, "tensor", None)
        if core_ranges is not None:
            self.core_ranges = core_ranges

    def has_buffer(self) -> bool:
        """True if it lies in a tensor's memory."""
        return self.tensor is not None

    def buffer_address(self) -> int | None:
        """The beginning of that tensor's memory."""
        return None if self.tensor is None else self.tensor.buffer_address()

    def set_buffer_from_cb(self, other: CBDescriptor) -> None:
        """Puts it into the memory of the other's tensor."""
        object.__setattr__(self, "tensor", other.tensor)

    def has_global_circular_buffer(self) -> bool:
        """Never: global circular buffers are not modelled."""
        return False

    def set_global_circular_buffer(self, global_circular_buffer: Any) -> None:
        """Refused."""
        raise RuntimeError("CBDescriptor.set_global_circular_buffer: global circular buffers are not modelled")

    def _as_text(self) -> str:
        return (
            f"CBDescriptor(total_size={self.total_size},core_ranges={self.core_ranges},"
            f"format_descriptors={_vector(self.format_descriptors)},"
            f"remote_format_descriptors={_vector(self.remote_format_descriptors)},buffer={int(self.has_buffer())},"
            f"address_offset={self.address_offset})"
        )


class SemaphoreDescriptor(_Fields):
    """A semaphore on each core of core_ranges; it takes none of the memory that tensors and circular buffers share."""

    _fields = {"id": 0, "core_type": CoreType.WORKER, "core_ranges": lambda: CoreRangeSet([]), "initial_value": 0}

    def __init__(
        self, id: int = 0, core_type: CoreType = CoreType.WORKER, core_ranges: CoreRangeSet | None = None,
        initial_value: int = 0,
    ) -> None:
        super().__init__()
        self.id, self.core_type, self.initial_value = id, core_type, initial_value
        if core_ranges is not None:
            self.core_ranges = core_ranges


class ReaderConfigDescriptor(_Fields):
    """A kernel that reads."""

    _own_noc = 0

    def _as_text(self) -> str:
        return "ReaderConfigDescriptor()"


class WriterConfigDescriptor(_Fields):
    """A kernel that writes."""

    _own_noc = 1

    def _as_text(self) -> str:
        return "WriterConfigDescriptor()"


class DataMovementConfigDescriptor(_Fields):
    """A kernel that moves data, on a processor and a network of its choice."""

    _fields = {
        "processor": DataMovementProcessor.RISCV_0, "noc": NOC.RISCV_0_default, "noc_mode": NOC_MODE.DM_DEDICATED_NOC,
    }

    def __init__(
        self, processor: DataMovementProcessor = DataMovementProcessor.RISCV_0, noc: NOC = NOC.RISCV_0_default,
        noc_mode: NOC_MODE = NOC_MODE.DM_DEDICATED_NOC,
    ) -> None:
        super().__init__()
        self.processor, self.noc, self.noc_mode = processor, noc, noc_mode

    @property
    def _own_noc(self) -> int | None:
        """The network that it shares with no other kernel of its core."""
        return int(self.noc.value) if self.noc_mode == NOC_MODE.DM_DEDICATED_NOC else None


class ComputeConfigDescriptor(_Fields):
    """A kernel that computes."""

    _own_noc = None
    _fields = {
        "math_fidelity": MathFidelity.HiFi4, "fp32_dest_acc_en": False, "dst_full_sync_en": False,
        "unpack_to_dest_mode": list, "bfp8_pack_precise": False, "math_approx_mode": False, "enable_trisc2_rvv": False,
    }

    def __init__(
        self, math_fidelity: MathFidelity = MathFidelity.HiFi4, math_approx_mode: bool = False,
        fp32_dest_acc_en: bool = False, dst_full_sync_en: bool = False, bfp8_pack_precise: bool = False,
    ) -> None:
        super().__init__()
        self.math_fidelity, self.math_approx_mode = math_fidelity, math_approx_mode
        self.fp32_dest_acc_en, self.dst_full_sync_en = fp32_dest_acc_en, dst_full_sync_en
        self.bfp8_pack_precise = bfp8_pack_precise


class KernelDescriptor(_Fields):
    """A kernel: its source, cores, arguments and what it is for. It is not compiled and does not run."""

    class SourceType(Named):
        """The kind of a source: a file's name or text."""

        FILE_PATH = 0
        SOURCE_CODE = 1

    _fields = {
        "kernel_source": "", "source_type": SourceType.FILE_PATH, "core_ranges": lambda: CoreRangeSet([]),
        "compile_time_args": list, "named_compile_time_args": list, "defines": list, "runtime_args": RuntimeArgs,
        "common_runtime_args": list, "opt_level": None, "config": ReaderConfigDescriptor, "compiler_include_paths": list,
        "blaze_named_compile_time_args": list,
    }

    def __init__(
        self, kernel_source: str = "", source_type: SourceType = SourceType.FILE_PATH,
        core_ranges: CoreRangeSet | None = None, compile_time_args: Sequence[int] = (),
        named_compile_time_args: Sequence[tuple[str, int]] = (), defines: Sequence[tuple[str, str]] = (),
        runtime_args: Any = (), common_runtime_args: Sequence[int] = (), opt_level: Any = None, config: Any = None,
        compiler_include_paths: Sequence[Any] = (), *, blaze_named_compile_time_args: Sequence[tuple[str, int]] = (),
    ) -> None:
        super().__init__()
        self.kernel_source, self.source_type, self.opt_level = kernel_source, source_type, opt_level
        self.compile_time_args, self.named_compile_time_args = compile_time_args, named_compile_time_args
        self.defines, self.common_runtime_args = defines, common_runtime_args
        self.runtime_args = runtime_args
        self.compiler_include_paths = compiler_include_paths
        self.blaze_named_compile_time_args = blaze_named_compile_time_args
        if core_ranges is not None:
            self.core_ranges = core_ranges
        if config is not None:
            self.config = config

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, _runtime_args(value) if name == "runtime_args" else value)

    def clear_runtime_args(self) -> None:
        """Forgets the arguments of all cores."""
        self.runtime_args.clear()

    def extend_runtime_args_uniform(self, values: Iterable[int]) -> None:
        """Adds the same numbers on every core."""
        for each in self.runtime_args.entries.values():
            each.extend(Arguments(values))

    def append_common_runtime_args_from(self, other: KernelDescriptor) -> None:
        """Adds the other's common arguments."""
        self.common_runtime_args = [*self.common_runtime_args, *other.common_runtime_args]

    def append_runtime_args_from(self, other: KernelDescriptor) -> None:
        """Adds the other's arguments core by core, filled up with zeros to one length."""
        length = max((len(values) for values in other.runtime_args.entries.values()), default=0)
        if not len(self.runtime_args):
            for core in corerange_to_cores(self.core_ranges):
                self.runtime_args.append(core, [])
        for core, values in self.runtime_args.entries.items():
            more = other.runtime_args.entries.get(core, Arguments())
            values.extend([*more, *[0] * (length - len(more))])

    def _as_text(self) -> str:
        """Without the runtime arguments, which one program may have many of."""
        return self._words(name for name in self._fields if name not in ("runtime_args", "common_runtime_args"))


class ProgramDescriptor(_Fields):
    """A program: kernels, semaphores and circular buffers."""

    _fields = {
        "kernels": list, "semaphores": list, "cbs": list, "custom_program_hash": None, "reload_table_addr": None,
        "reload_core_ranges": None,
    }

    def __init__(
        self, kernels: Sequence[KernelDescriptor] = (), semaphores: Sequence[SemaphoreDescriptor] = (),
        cbs: Sequence[CBDescriptor] = (),
    ) -> None:
        super().__init__()
        self.kernels, self.semaphores, self.cbs = kernels, semaphores, cbs

    def _as_text(self) -> str:
        parts = ", ".join(map(_vector, (self.kernels, self.semaphores, self.cbs)))
        return f"ProgramDescriptor({parts}, {_text(self.custom_program_hash)})"

    def _described(self, num_tensors: int, text: str | None = None) -> tuple[Any, ...]:
        """The arguments of the extension module: kernels, semaphores, circular buffers, text, a function for values."""
        for cb in self.cbs:
            if cb.remote_format_descriptors:
                raise RuntimeError("generic_op: remote_format_descriptors: global circular buffers are not modelled")
        function, outputs = values_for(self, num_tensors)
        return (
            [(each.kernel_source, each.core_ranges, each.config._own_noc) for each in self.kernels],
            [(each.id, each.core_ranges) for each in self.semaphores],
            [
                (
                    each.total_size, each.core_ranges,
                    [(of.buffer_index, of.page_size) for of in each.format_descriptors], each.tensor, each.address_offset,
                )
                for each in self.cbs
            ],
            text or self._as_text(), function, outputs,
        )


class MeshProgramDescriptor:
    """Programs of the chips of a mesh: one for all of them."""

    def __init__(self, mesh_programs: dict[Any, ProgramDescriptor] | None = None) -> None:
        self._programs: dict[Any, ProgramDescriptor] = dict(mesh_programs or {})

    def __getitem__(self, key: Any) -> ProgramDescriptor:
        return self._programs[key]

    def __setitem__(self, key: Any, value: ProgramDescriptor) -> None:
        self._programs[key] = value

    def __iter__(self) -> Iterator[tuple[Any, ProgramDescriptor]]:
        return iter(self._programs.items())

    def _described(self, num_tensors: int) -> tuple[Any, ...]:
        """As a program's. Raises RuntimeError for programs that differ."""
        texts = {each._as_text() for each in self._programs.values()}
        if len(texts) != 1:
            raise RuntimeError(
                f"MeshProgramDescriptor: expected one program for all chips, got {len(texts)} that differ: not modelled"
            )
        for where, program in self._programs.items():
            break
        return program._described(num_tensors, f"{{{{{where}, {program._as_text()}}}}}")


def cb_descriptor_from_sharded_tensor(
    cb_index: int, tensor: Tensor, address_offset: int = 0, total_size: int = 0, core_ranges: CoreRangeSet | None = None
) -> CBDescriptor:
    """A circular buffer in the memory of a sharded tensor: all of a core's, or total_size bytes from address_offset."""
    spec = tensor.memory_config().shard_spec
    if spec is None:
        raise RuntimeError("cb_descriptor_from_sharded_tensor: tensor: expected a sharded one, got an interleaved one")
    tiled = str(tensor.layout).endswith("TILE")
    page = tensor.buffer_page_size()
    size = spec.shape[0] * spec.shape[1]
    per_core = size // 1024 * tile_size(tensor.dtype) if tiled else size * tensor.element_size()
    tile = TileDescriptor(tensor.tile) if tiled else None
    made = CBDescriptor(
        total_size or per_core, core_ranges or spec.grid, [CBFormatDescriptor(cb_index, tensor.dtype, page, tile)]
    )
    made.address_offset = address_offset
    object.__setattr__(made, "tensor", tensor)
    return made


def get_cb_address(descriptor: CBDescriptor) -> int:
    """Its address: in its tensor's memory, else just the offset."""
    return (descriptor.buffer_address() or 0) + int(descriptor.address_offset)


def merge_program_descriptors(descriptors: Sequence[ProgramDescriptor]) -> ProgramDescriptor:
    """One program of several on cores of their own. Raises RuntimeError where kernels of two share a core."""
    taken: dict[tuple[int, int], int] = {}
    for number, descriptor in enumerate(descriptors):
        for kernel in descriptor.kernels:
            for core in corerange_to_cores(kernel.core_ranges):
                first = taken.setdefault((core.x, core.y), number)
                if first != number:
                    raise RuntimeError(
                        f"Cannot merge ProgramDescriptors with overlapping kernel core ranges between descriptor {first} "
                        f"and {number}. Ensure that each descriptor operates on a distinct set of cores."
                    )
    parts = ("kernels", "semaphores", "cbs")
    return ProgramDescriptor(*([each for program in descriptors for each in getattr(program, part)] for part in parts))


def compute_program_descriptor_hash(program_descriptor: ProgramDescriptor) -> int:
    """A number of what tells programs apart: not of their runtime arguments. Another one than TT-NN's."""
    import hashlib

    return int.from_bytes(hashlib.sha256(program_descriptor._as_text().encode()).digest()[:8], "little")


class TensorAccessorArgs:
    """The facts about an interleaved tensor that a kernel needs to find its pages."""

    def __init__(self, tensor: Tensor) -> None:
        if tensor.memory_config().shard_spec is not None:
            raise RuntimeError("TensorAccessorArgs: of sharded tensors, which need the device's own coordinates: not modelled")
        in_dram = tensor.memory_config().buffer_type == _tilemeter.BufferType.DRAM
        self._args = Arguments([2 if in_dram else 0, tensor.buffer_aligned_page_size()])

    def get_compile_time_args(self) -> Arguments:
        """The kind of memory, and the bytes of a page."""
        return Arguments(self._args)

    def get_common_runtime_args(self) -> Arguments:
        """None."""
        return Arguments()
