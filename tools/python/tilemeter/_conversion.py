# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Tensors from arrays and back: NumPy, anything with DLPack, torch where it is installed."""

from __future__ import annotations

import os
from typing import Any

import numpy

from tilemeter import _tilemeter
from tilemeter._mesh import Composer, Mapper
from tilemeter._operation import python_operation, scope
from tilemeter._tilemeter import DataType, Layout, MemoryConfig, MeshDevice, StorageType, Tensor, TensorSpec
from tilemeter.types import DRAM_MEMORY_CONFIG


def _plain(array: Any) -> Any:
    """An array that the extension module takes: torch tensors without a gradient, lists as NumPy arrays."""
    if hasattr(array, "detach"):
        return array.detach().contiguous()
    return array if hasattr(array, "__dlpack__") else numpy.ascontiguousarray(array)


# What TT-NN makes of torch's types where it is not said: it has no 64 bits, and no half precision of IEEE's kind.
_OF_TORCH = {
    "torch.int64": DataType.UINT32,
    "torch.int16": DataType.UINT16,
    "torch.float16": DataType.BFLOAT16,
}


def made(
    array: Any,
    dtype: DataType | None,
    layout: Layout | None,
    device: MeshDevice | None,
    memory_config: MemoryConfig | None,
    mesh_mapper: Mapper | None,
) -> Tensor:
    if dtype is None and hasattr(array, "detach"):
        dtype = _OF_TORCH.get(str(array.dtype))
    parts = [array] if mesh_mapper is None else mesh_mapper.parts(array)
    host = _tilemeter.host_tensor(
        [_plain(part) for part in parts], dtype, None, Layout.ROW_MAJOR if layout is None else layout
    )
    if device is None:
        return host
    return _tilemeter.upload(host, device, DRAM_MEMORY_CONFIG if memory_config is None else memory_config)


@python_operation("ttnn.from_torch")
def from_torch(
    tensor: Any,
    dtype: DataType | None = None,
    *,
    spec: TensorSpec | None = None,
    tile: object = None,
    pad_value: float | None = None,
    layout: Layout | None = None,
    device: MeshDevice | None = None,
    memory_config: MemoryConfig | None = None,
    mesh_mapper: Mapper | None = None,
    cq_id: int | None = None,
    preserve_nan_values: bool = False,
    col_tilize: bool = False,
    enable_bfloat_opt: bool = False,
) -> Any:
    """A tensor with the values of a torch tensor, a NumPy array or anything with DLPack; None for None.

    dtype: the array's own unless given (64 bits become 32). spec: dtype, layout and memory config in one.
    """
    if tensor is None:
        return None
    if spec is not None:
        dtype, layout, memory_config = spec.dtype, spec.layout, spec.memory_config
    if col_tilize:
        tensor = tensor.transpose(-2, -1)
    with scope("ttnn::convert_python_tensor_to_tt_tensor"):
        return made(tensor, dtype, layout, device, memory_config, mesh_mapper)


@python_operation("ttnn.from_numpy")
def from_numpy(
    array: Any,
    dtype: DataType | None = None,
    *,
    layout: Layout | None = None,
    device: MeshDevice | None = None,
    memory_config: MemoryConfig | None = None,
    mesh_mapper: Mapper | None = None,
) -> Tensor:
    """A tensor with the values of an array: NumPy, DLPack, nested lists of numbers."""
    return made(array, dtype, layout, device, memory_config, mesh_mapper)


@python_operation("ttnn.as_tensor")
def as_tensor(
    tensor: Any,
    dtype: DataType | None = None,
    *,
    layout: Layout | None = None,
    device: MeshDevice | None = None,
    memory_config: MemoryConfig | None = None,
    cache_file_name: object = None,
    mesh_mapper: Mapper | None = None,
) -> Tensor:
    """from_torch under another name; nothing is cached in files."""
    with scope("ttnn.from_torch"), scope("ttnn::convert_python_tensor_to_tt_tensor"):
        return made(tensor, dtype, layout, device, memory_config, mesh_mapper)


def _on_host(tensor: Tensor) -> Tensor:
    if tensor.storage_type() == StorageType.HOST:
        return tensor
    with scope("ttnn.from_device"):
        return _tilemeter.download(tensor)


@python_operation("ttnn.to_torch")
def to_torch(
    tensor: Tensor,
    dtype: Any = None,
    *,
    torch_rank: int | None = None,
    mesh_composer: Composer | None = None,
    device: MeshDevice | None = None,
    cq_id: int | None = None,
) -> Any:
    """The values as a torch tensor; of a mesh the first chip's unless mesh_composer says otherwise."""
    import torch.utils.dlpack

    host = _on_host(tensor)
    with scope("tt::tt_metal::detail::convert_tt_tensor_to_framework_tensor"):
        if mesh_composer is not None:
            result = torch.from_numpy(_composed(host, mesh_composer))
        else:
            result = torch.utils.dlpack.from_dlpack(host)
    while torch_rank is not None and result.ndim > torch_rank:
        if result.shape[0] != 1:
            raise RuntimeError(f"to_torch: a tensor of shape {tuple(result.shape)} has no rank {torch_rank}")
        result = result.squeeze(0)
    return result if dtype is None else result.to(dtype)


def to_dtype(tensor: Tensor, dtype: DataType) -> Tensor:
    """A host tensor with its values in another type. Raises RuntimeError for a tensor on a device."""
    if tensor.storage_type() != StorageType.HOST:
        raise RuntimeError("to_dtype: expected a host tensor, got one on a device: typecast converts there")
    return tensor if tensor.dtype == dtype else _tilemeter.with_dtype(tensor, dtype)


def allocate_tensor_on_device(
    shape: Any, dtype: DataType, layout: Layout, mesh_device: MeshDevice, memory_config: MemoryConfig | None = None
) -> Tensor:
    """A tensor without values: in DRAM unless memory_config says otherwise. Raises OutOfMemoryError."""
    result: Tensor = _tilemeter.operations.empty(
        list(shape), dtype, layout, mesh_device, DRAM_MEMORY_CONFIG if memory_config is None else memory_config
    )
    return result


def copy_host_to_device_tensor(host_tensor: Tensor, device_tensor: Tensor, cq_id: int | None = None) -> None:
    """Writes a host tensor's values into a device tensor of the same shape, type and layout. Raises ValueError."""
    with scope("ttnn.copy_host_to_device_tensor"):
        _tilemeter.overwrite(device_tensor, host_tensor)


def dump_tensor(file_name: str | os.PathLike[str], tensor: Tensor) -> None:
    """Writes a tensor to a file, which `load_tensor` reads; the form is tilemeter's own."""
    host = _on_host(tensor)
    facts = numpy.array([tensor.dtype.name, tensor.layout.name])
    with open(file_name, "wb") as file:
        numpy.savez(file, values=host._values(0), facts=facts)


def load_tensor(file_name: str | os.PathLike[str], *, device: MeshDevice | None = None) -> Tensor:
    """The tensor that dump_tensor wrote; on the device, if one is given. Raises RuntimeError for another file."""
    try:
        with numpy.load(file_name) as stored:
            values, (dtype, layout) = stored["values"], stored["facts"].tolist()
    except (OSError, ValueError, KeyError) as error:
        raise RuntimeError(f"load_tensor: {file_name}: expected a file of dump_tensor: {error}") from None
    return made(values, DataType[dtype], Layout[layout], device, None, None)


def _composed(host: Tensor, composer: Composer) -> numpy.ndarray[Any, Any]:
    chips = composer.mesh_device.get_num_devices()
    return composer.compose([host._values(chip) for chip in range(chips)])


@python_operation("ttnn.to_numpy")
def to_numpy(tensor: Tensor, *, mesh_composer: Composer | None = None) -> numpy.ndarray[Any, Any]:
    """The values as a NumPy array; bfloat16 and the block formats as float32."""
    host = _on_host(tensor)
    if mesh_composer is not None:
        return _composed(host, mesh_composer)
    return numpy.asarray(host._values(0))
