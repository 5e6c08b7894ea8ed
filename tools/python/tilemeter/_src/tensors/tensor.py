# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The abilities of tensors in Python beyond the extension module: operators, indexing, conversions, their text."""

from __future__ import annotations

from typing import Any, Callable

import numpy

from tilemeter import _tilemeter
from tilemeter._src.device.device import memory_facts
from tilemeter._src.operations import wrapped
from tilemeter._src.operations.operation import python_operation, scope
from tilemeter._src.tensors.conversion import made
from tilemeter._src.tensors.mesh_mappers import Composer
from tilemeter._src.tensors.mesh_tensors import composed_tensor, device_coords, require_one_chip, tensor_topology
from tilemeter._src.tensors.printing import values_text
from tilemeter._src.types.types import Tile
from tilemeter._tilemeter import DataType, Layout, MemoryConfig, MeshDevice, StorageType, Tensor

_OPERATORS = {
    "__add__": "add",
    "__radd__": "add",
    "__sub__": "subtract",
    "__mul__": "multiply",
    "__rmul__": "multiply",
    "__truediv__": "divide",
    "__eq__": "eq",
    "__ne__": "ne",
    "__gt__": "gt",
    "__ge__": "ge",
    "__lt__": "lt",
    "__le__": "le",
    "__matmul__": "matmul",
    "__neg__": "neg",
}


def _text(self: Tensor) -> str:
    """Values, shape, dtype and layout."""
    facts = f"shape={self.shape}, dtype=DataType::{self.dtype.name}, layout=Layout::{self.layout.name}"
    if not self.is_allocated():
        with scope("ttnn::to_string"):
            return f"ttnn.Tensor(<buffer is not allocated>, {facts})"
    self._require_known("repr")
    with scope("ttnn::to_string", stays_open=self.storage_type() == StorageType.DEVICE):  # as TT-NN shows it: in rows, on the host
        host = _on_host(self)
        if self.dtype in (DataType.BFLOAT8_B, DataType.BFLOAT4_B):
            with scope("tt::tt_metal::to_dtype"):
                pass  # of what TT-NN prints
        rows = _to_rows(host)
        text = f"ttnn.Tensor({values_text(rows._values(0), len('ttnn.Tensor('))}, {facts})"
        del host, rows  # TT-NN frees what it made within
        return text


def _array(self: Tensor, dtype: Any = None, copy: bool | None = None) -> Any:
    self._require_known("__array__")
    values = self._values(0)
    return values if dtype is None else values.astype(dtype)


def _constructed(
    tensor: Any,
    *arguments: Any,
    data_type: DataType | None = None,
    device: MeshDevice | None = None,
    layout: Layout | None = None,
    mem_config: MemoryConfig | None = None,
    **others: Any,
) -> Tensor:
    """Tensor(array, data_type, device, layout, mem_config), Tensor(numbers, shape, data_type, layout, device), Tensor(other)."""
    tile = others.get("tile")
    if isinstance(tensor, Tensor):
        return tensor
    numbers = isinstance(tensor, (list, tuple)) and bool(arguments) and not isinstance(arguments[0], DataType)
    shape = arguments[0] if numbers else others.get("shape")
    if shape is not None:
        tensor, arguments = numpy.asarray(tensor).reshape(list(shape)), arguments[1:] if numbers else arguments
    for value in arguments:  # TT-NN's overloads differ in the order; the types tell
        if isinstance(value, DataType):
            data_type = value
        elif isinstance(value, MeshDevice):
            device = value
        elif isinstance(value, Layout):
            layout = value
        elif isinstance(value, MemoryConfig):
            mem_config = value
        elif isinstance(value, Tile):
            tile = value
        elif value is not None:
            raise TypeError(f"Tensor: unexpected argument {value!r}")
    memory_config = others.get("memory_config") if mem_config is None else mem_config
    if shape is not None:  # numbers, which TT-NN converts on the host
        with scope("tt::tt_metal::to_dtype"):
            host = made(tensor, data_type, layout, None, memory_config, others.get("mesh_mapper"), tile)
        return host if device is None else _tilemeter.upload(host, device, host.memory_config())
    with scope("ttnn::convert_python_tensor_to_tt_tensor"):
        return made(tensor, data_type, layout, device, memory_config, others.get("mesh_mapper"), tile)


def _on_host(self: Tensor) -> Tensor:
    return self if self.storage_type() == StorageType.HOST else _tilemeter.download(self)


def _to_list(self: Tensor) -> Any:
    """The values as nested lists."""
    self._require_known("to_list")
    return _on_host(self)._values(0).tolist()


def _item(self: Tensor) -> Any:
    """The one value. Raises RuntimeError where there are several."""
    if self.logical_volume() != 1:
        raise RuntimeError(
            f"tensor.item() requires tensor to have exactly one element, but got {self.logical_volume()} elements"
        )
    self._require_known("item")
    return _on_host(self)._values(0).item()


def _host_only(self: Tensor, method: str) -> Tensor:
    if self.storage_type() != StorageType.HOST:
        raise RuntimeError(f"{method}: expected a host tensor, got one on a device")
    return self


def _pad_to_tile(self: Tensor, pad_value: float) -> Tensor:
    """A host tensor with the same values: padding is no part of a tensor's shape; in tiles it is filled up anyway."""
    if self.layout == Layout.TILE:  # TT-NN has nothing to do then, and shows no function
        return _host_only(self, "pad_to_tile")
    with scope("Tensor::pad_to_tile"):
        padded = _host_only(self, "pad_to_tile")._padded_to_tiles()
        padded._note_padding(pad_value)
        return padded


def _pad(self: Tensor, output_tensor_shape: Any, input_tensor_start: Any, pad_value: float) -> Tensor:
    """A host tensor as it is: padding is no part of a tensor's shape. Raises RuntimeError for a start that is not 0."""
    if any(input_tensor_start):
        raise RuntimeError(f"pad: expected padding behind the values only, got a start of {list(input_tensor_start)}")
    with scope("Tensor::pad"):
        return _host_only(self, "pad")


def _unpad(self: Tensor, output_tensor_start: Any, output_tensor_end: Any) -> Tensor:
    """The part of a host tensor from start to before end."""
    with scope("Tensor::unpad"):
        return _part(self, output_tensor_start, output_tensor_end)


def _part(self: Tensor, starts: Any, ends: Any) -> Tensor:
    part = tuple(slice(start, end) for start, end in zip(starts, ends))
    values = numpy.ascontiguousarray(_host_only(self, "unpad")._values(0)[part])
    return _tilemeter.host_tensor([values], self.dtype, None, self.layout, None, self._tile_shape)


def _unpad_from_tile(self: Tensor, shape: Any) -> Tensor:
    """The first `shape` of a host tensor."""
    with scope("Tensor::unpad_from_tile"):
        return _part(self, [0] * len(list(shape)), shape)


def _devices(self: Tensor) -> list[MeshDevice | None]:
    """The device it lies on, in a list."""
    return [self.device()]


def _buffer_aligned_page_size(self: Tensor) -> int:
    """Bytes that one page of its device memory takes with alignment."""
    drams, l1, *_ = memory_facts()
    unit = drams if self.memory_config().buffer_type.name == "DRAM" else l1
    return -(-self.buffer_page_size() // unit) * unit


def _never(self: Tensor) -> bool:
    """Never here: all banks or cores hold a tensor at one address."""
    return False


def _to_torch_with_padded_shape(self: Tensor) -> Any:
    """The values as a torch tensor of the padded shape. Padding is what an operation filled it with, else zeros. Needs torch."""
    import torch

    self._require_known("to_torch_with_padded_shape")
    host = _on_host(self)
    with scope("tt::tt_metal::detail::convert_tt_tensor_to_framework_tensor"):
        values = host._values(0)
    whole = list(self.padded_shape)
    if self._is_padded_to_tiles:
        whole[-2:] = [-(-size // 32) * 32 for size in whole[-2:]]
    filled = [(0, padded - size) for size, padded in zip(self.shape, whole)]
    dtype = torch.bfloat16 if self.dtype == DataType.BFLOAT16 else None
    return torch.from_numpy(numpy.pad(values, filled, constant_values=host._padding())).to(dtype)


def _to_numpy(self: Tensor, chip: int = 0, *, mesh_composer: Composer | None = None) -> Any:
    """The values as a NumPy array; of a mesh those of one chip, or composed. bfloat16 and the block formats as float32."""
    self._require_known("to_numpy")
    if mesh_composer is not None:
        return composed_tensor(self, mesh_composer)._values(0)
    host = _on_host(self)
    with scope("tt::tt_metal::detail::convert_tt_tensor_to_framework_tensor"):
        return host._values(chip)


def _to_torch(self: Tensor, *, mesh_composer: Composer | None = None) -> Any:
    """The values as a torch tensor; those of a mesh put together by mesh_composer. Needs torch."""
    import torch.utils.dlpack

    self._require_known("to_torch")
    if mesh_composer is None:
        require_one_chip(self)
    host = _on_host(self) if mesh_composer is None else composed_tensor(self, mesh_composer)
    with scope("tt::tt_metal::detail::convert_tt_tensor_to_framework_tensor"):
        return torch.utils.dlpack.from_dlpack(host)


def _cpu(self: Tensor, blocking: bool = True, cq_id: int | None = None) -> Tensor:
    """The tensor on the host."""
    return _tilemeter.download(self)


def _to_rows(host: Tensor) -> Tensor:
    if host.layout == Layout.ROW_MAJOR:
        return host
    with scope("Tensor::to_layout"):
        return _tilemeter.with_layout(host, Layout.ROW_MAJOR)


def _to(self: Tensor, target: MeshDevice | Layout, memory_config: MemoryConfig | None = None, **more: Any) -> Tensor:
    """The tensor on a device (in DRAM unless memory_config says otherwise), or in another layout."""
    if isinstance(target, Layout):
        if target == self.layout:
            return self
        if self._is_padded_to_tiles:  # all else of it has been shown
            with scope("Tensor::to_layout"):
                return _tilemeter.with_layout(self, target)
        if self.storage_type() == StorageType.HOST:
            return _tilemeter.host_to_layout(self, target)
        return self._to_layout(target)
    memory_config = more.get("mem_config", memory_config)
    return _tilemeter.upload(self, target, self.memory_config() if memory_config is None else memory_config)


def _reshape(self: Tensor, *shape: Any) -> Tensor:
    """The tensor under another shape; one of the sizes may be -1."""
    return self._reshape(list(shape[0]) if len(shape) == 1 and not isinstance(shape[0], int) else list(shape))


def _get_dtype(self: Tensor) -> DataType:
    """The type of its elements."""
    return self.dtype


def _get_layout(self: Tensor) -> Layout:
    """Tiles or rows."""
    return self.layout


def _get_tile(self: Tensor) -> Tile:
    """The tiles that it is made of."""
    return Tile(self._tile_shape)


def _slices(index: Any, shape: list[int]) -> tuple[list[int], list[int], list[int], list[int]]:
    """Starts, ends, steps, and the dimensions that an integer takes away."""
    parts = list(index) if isinstance(index, tuple) else [index]
    if sum(part is Ellipsis for part in parts) > 1:
        raise ValueError("Only one ellipsis ('...') is allowed in a slice.")
    given = sum(part is not Ellipsis for part in parts)
    if given > len(shape):
        raise IndexError(f"Too many indices for tensor of dimension {len(shape)}")
    fill = [slice(None)] * (len(shape) - given)
    place = next((i for i, part in enumerate(parts) if part is Ellipsis), None)
    if place is not None:
        parts[place : place + 1] = fill
    else:
        parts += fill
    starts: list[int] = []
    ends: list[int] = []
    steps, taken = [], []
    for dimension, (part, size) in enumerate(zip(parts, shape)):
        if isinstance(part, int):
            if not -size <= part < size:
                raise IndexError(
                    f"Index {part} (converted to {part % size if part < 0 else part}) is out of bounds for dimension"
                    f" {dimension} of size {size}"
                )
            taken.append(dimension)
            part = slice(part % size, part % size + 1)
        elif not isinstance(part, slice):
            raise TypeError(f"Invalid slice type: {part}")
        step = 1 if part.step is None else part.step
        for bound, default, bounds in ((part.start, 0, starts), (part.stop, size, ends)):
            place = default if bound is None else bound + size if bound < 0 else bound
            if place < 0:
                raise RuntimeError(f"slice: bounds of dimension {dimension}: expected {-size} or more, got {bound}")
            bounds.append(place)
        if step < 1 and ends[-1] >= starts[-1]:  # of which TT-NN makes tensors without elements
            raise RuntimeError(f"slice: step of dimension {dimension}: expected at least 1, got {step}")
        steps.append(step)
    return starts, ends, steps, taken


def _host_slice(self: Tensor, starts: list[int], ends: list[int], steps: list[int]) -> Tensor:
    """A part of a host tensor, in its layout. Raises RuntimeError for steps, and for block formats."""
    if any(step != 1 for step in steps):
        raise RuntimeError("Host tensors cannot be accessed with non-unit stride")
    for start, end, size in zip(starts, ends, self.shape):
        if not start < end <= size:
            raise RuntimeError(f"slice: {start}:{end} of a host tensor: expected a part of {size} that is not empty")
    rows: Tensor = wrapped.to_layout(self, Layout.ROW_MAJOR)
    if self.dtype in (DataType.BFLOAT8_B, DataType.BFLOAT4_B):
        raise RuntimeError("Tensor layout must be ROW_MAJOR for unpadding")
    part = rows.unpad(starts, ends)
    with scope("ttnn.view"):
        pass
    result: Tensor = wrapped.to_layout(part, self.layout)
    return result


@python_operation("ttnn.Tensor.__getitem__", is_method=True)
def getitem(self: Tensor, index: Any) -> Tensor:
    """A part of a tensor, as t[index] gives it."""
    starts, ends, steps, taken = _slices(index, list(self.shape))
    result: Tensor
    if self.storage_type() == StorageType.HOST:
        result = _host_slice(self, starts, ends, steps)
    else:
        result = wrapped.slice(self, starts, ends, steps)
    for count, dimension in enumerate(taken):
        result = wrapped.squeeze(result, dimension - count)
    return result


_tilemeter.set_tensor_maker(_constructed)


def complete(namespace: dict[str, Any]) -> None:
    """Gives the class its operators; `namespace` has the operations."""
    for method, name in _OPERATORS.items():
        operation: Callable[..., Any] | None = namespace.get(name)
        if operation is not None:
            setattr(Tensor, method, lambda self, *args, _operation=operation, **kwargs: _operation(self, *args, **kwargs))
    if "subtract" in namespace:
        setattr(Tensor, "__rsub__", lambda self, other: namespace["subtract"](other, self))
    if "rdiv" in namespace:
        setattr(Tensor, "__rtruediv__", lambda self, other: namespace["rdiv"](self, other))
    for method, function in (
        ("__repr__", _text),
        ("__hash__", lambda self: hash(self.tensor_id)),
        ("__getitem__", lambda self, index: getitem(self, index)),
        ("__array__", _array),
        ("to_list", _to_list),
        ("item", _item),
        ("to_torch", _to_torch),
        ("cpu", _cpu),
        ("to", _to),
        ("get_dtype", _get_dtype),
        ("get_layout", _get_layout),
        ("get_tile", _get_tile),
        ("tile", property(_get_tile, doc=_get_tile.__doc__)),
        ("pad_to_tile", _pad_to_tile),
        ("unpad_from_tile", _unpad_from_tile),
        ("pad", _pad),
        ("unpad", _unpad),
        ("devices", _devices),
        ("device_coords", device_coords),
        ("buffer_aligned_page_size", _buffer_aligned_page_size),
        ("is_per_core_allocated", _never),
        ("is_range_lockstep_allocated", _never),
        ("tensor_topology", tensor_topology),
        ("to_torch_with_padded_shape", _to_torch_with_padded_shape),
        ("reshape", _reshape),
        ("to_numpy", _to_numpy),
    ):
        setattr(Tensor, method, function)
