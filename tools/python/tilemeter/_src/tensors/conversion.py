# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Tensors from arrays and back: NumPy, anything with DLPack, torch where it is installed."""

from __future__ import annotations

import json
import os
import pathlib
import warnings
from typing import Any, Callable

import numpy

from tilemeter import _tilemeter
from tilemeter._src.operations.operation import python_operation, scope
from tilemeter._src.tensors.mesh_mappers import Composer, Mapper, default_composer, default_mapper
from tilemeter._src.tensors.mesh_tensors import require_one_chip
from tilemeter._src.tensors.spreading import spread
from tilemeter._src.types.enums import DumpTensorMode
from tilemeter._src.types.types import Tile, _made_with
from tilemeter._tilemeter import (
    CoreRange, CoreRangeSet, DRAM_MEMORY_CONFIG, DataType, Layout, MemoryConfig, MeshDevice, ShardOrientation, StorageType,
    Tensor, TensorMemoryLayout, TensorSpec,
)


def _plain(array: Any) -> Any:
    """An array that the extension module takes: torch tensors without a gradient, lists as NumPy arrays."""
    if hasattr(array, "detach"):
        return array.detach().contiguous()
    return array if hasattr(array, "__dlpack__") else numpy.ascontiguousarray(array)


def tile_shape_of(tile: Tile | None) -> list[int] | None:
    """Rows and columns, as the extension module takes them. Raises RuntimeError for tiles with transposed faces."""
    if tile is None:
        return None
    if tile.transpose_tile:
        raise RuntimeError(f"tile: expected one without transposed faces, whose tensors are not modelled, got {tile}")
    return list(tile.tile_shape)


# TT-NN's types for those of torch, if none is given: it has no 64 bits, and no half precision of IEEE's kind.
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
    tile: Tile | None = None,
    pad_value: float | None = None,
) -> Tensor:
    if dtype is None and hasattr(array, "detach"):
        dtype = _OF_TORCH.get(str(array.dtype))
    if dtype in (DataType.BFLOAT8_B, DataType.BFLOAT4_B) and layout == Layout.ROW_MAJOR:
        raise RuntimeError("Layout must be Layout::TILE for bfloat8_b or bfloat4_b!")
    mesh_mapper = mesh_mapper or default_mapper()
    if mesh_mapper is not None:
        array = array if hasattr(array, "reshape") else numpy.asarray(array)
        return spread(array, dtype, layout, device, memory_config, mesh_mapper, _plain, tile)
    page = Layout.ROW_MAJOR if layout is None else layout
    host = _tilemeter.host_tensor([_plain(array)], dtype, None, page, memory_config, tile_shape_of(tile))
    if pad_value:
        host._note_padding(pad_value)
    if device is None:
        return host
    return _tilemeter.upload(host, device, DRAM_MEMORY_CONFIG if memory_config is None else memory_config)


@python_operation("ttnn.from_torch")
def from_torch(
    tensor: Any,
    dtype: DataType | None = None,
    *,
    spec: TensorSpec | None = None,
    tile: Tile | None = None,
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
        for name, value in (("dtype", dtype), ("layout", layout), ("memory_config", memory_config), ("tile", tile)):
            if value is not None:
                raise RuntimeError(f"ttnn.from_torch: {name} must be None when spec is specified")
        dtype, layout, memory_config, tile = spec.dtype, spec.layout, spec.memory_config, spec.tile
    if col_tilize:
        tensor = tensor.transpose(-2, -1)
    if isinstance(tensor, (list, tuple)):
        raise TypeError(f"ttnn.from_torch(): expected a torch.Tensor or an array, got {type(tensor).__name__}")
    with scope("ttnn::convert_python_tensor_to_tt_tensor"):
        return made(tensor, dtype, layout, device, memory_config, mesh_mapper, tile, pad_value)


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
    layout: Layout | None = Layout.ROW_MAJOR,
    device: MeshDevice | None = None,
    memory_config: MemoryConfig | None = None,
    cache_file_name: str | os.PathLike[str] | None = None,
    preprocess: Callable[[Any], Any] | None = None,
    mesh_mapper: Mapper | None = None,
    cache_dump_mode: DumpTensorMode = DumpTensorMode.DISTRIBUTED_GATHER,
) -> Tensor:
    """from_torch of what preprocess makes of an array, kept in a file where cache_file_name says so.

    The file's name gets dtype and layout; where it is there, it is read instead. A device needs a memory_config:
    RuntimeError.
    """
    if device is not None and memory_config is None:
        raise RuntimeError("memory_config must be specified when device is specified")

    def made_of(target: MeshDevice | None, mapper: Mapper | None) -> Tensor:
        with scope("ttnn.from_torch"), scope("ttnn::convert_python_tensor_to_tt_tensor"):
            array = tensor if preprocess is None else preprocess(tensor)
            return made(array, dtype, layout, target, memory_config, mapper)

    if cache_file_name is None:
        return made_of(device, mesh_mapper)
    names = ["None" if each is None else each.name for each in (dtype, layout)]
    cached = pathlib.Path(f"{os.fspath(cache_file_name)}_dtype_{names[0]}_layout_{names[1]}.tensorbin")
    if cached.is_file():
        try:
            return _loaded(cached, device, memory_config)
        except RuntimeError as error:
            warnings.warn(f"as_tensor: what was kept is made anew: {error}", stacklevel=2)
    # Values that all chips have alike are kept once, for meshes of any size.
    host = made_of(None, mesh_mapper if mesh_mapper is not None and mesh_mapper.cuts() else None)
    cached.parent.mkdir(parents=True, exist_ok=True)
    unfinished = cached.with_name(f".{cached.name}.{os.getpid()}.tmp")
    try:
        _dump(unfinished, host)
        os.replace(unfinished, cached)
    finally:
        unfinished.unlink(missing_ok=True)
    return host if device is None else _tilemeter.upload(host, device, host.memory_config())


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
    """The values as a torch tensor; those of a mesh put together by mesh_composer. Raises RuntimeError for a mesh without."""
    import torch.utils.dlpack

    if not isinstance(tensor, Tensor):
        raise TypeError(f"to_torch: expected a ttnn.Tensor, got {type(tensor).__name__}")
    tensor._require_known("ttnn.to_torch")
    mesh_composer = mesh_composer or default_composer()
    host = _on_host(tensor)
    with scope("tt::tt_metal::detail::convert_tt_tensor_to_framework_tensor"):
        if mesh_composer is not None:
            result = torch.from_numpy(_composed(host, mesh_composer))
            if tensor.dtype == DataType.BFLOAT16:  # NumPy has none
                result = result.to(torch.bfloat16)
        else:
            require_one_chip(tensor)
            result = torch.utils.dlpack.from_dlpack(host)
    while torch_rank is not None and result.ndim > torch_rank:
        if result.shape[0] != 1:
            raise RuntimeError(f"ttnn: Unable to squeeze to desired rank! Expected {torch_rank}, got {tuple(result.shape)}")
        result = result.squeeze(0)
    return result if dtype is None else result.to(dtype)


@python_operation("ttnn.to_dtype")
def to_dtype(tensor: Tensor, dtype: DataType) -> Tensor:
    """A host tensor with its values in another type. Raises RuntimeError for a tensor on a device."""
    if tensor.storage_type() != StorageType.HOST:
        raise RuntimeError("to_dtype: expected a host tensor, got one on a device: typecast converts there")
    with scope("tt::tt_metal::to_dtype"):
        return tensor if tensor.dtype == dtype else _tilemeter.with_dtype(tensor, dtype)


def _spec_from(sizes: list[int], dtype: DataType, layout: Layout, config: MemoryConfig) -> TensorSpec:
    made_with = _made_with(config)
    if made_with is not None:
        return TensorSpec(sizes, dtype, layout, made_with, config.buffer_type)
    return TensorSpec(sizes, dtype, layout, config.memory_layout, config.shard_spec, config.buffer_type)


def _spec_of(
    shape: Any, dtype: Any, layout: Layout | None, device: MeshDevice | None, memory_config: MemoryConfig | None
) -> tuple[list[int], DataType, Layout, MemoryConfig, MeshDevice | None]:
    """(spec, device) and (shape, dtype, layout, device, memory_config) alike."""
    if isinstance(shape, TensorSpec):
        return list(shape.shape), shape.dtype, shape.layout, shape.memory_config, dtype if device is None else device
    if dtype is None or layout is None:
        raise TypeError("expected a TensorSpec and a device, or shape, dtype, layout and device")
    return list(shape), dtype, layout, DRAM_MEMORY_CONFIG if memory_config is None else memory_config, device


@python_operation("ttnn.allocate_tensor_on_device")
def allocate_tensor_on_device(
    shape: Any,
    dtype: Any = None,
    layout: Layout | None = None,
    mesh_device: MeshDevice | None = None,
    memory_config: MemoryConfig | None = None,
    *,
    tensor_spec: TensorSpec | None = None,
) -> Tensor:
    """A tensor without values, of a TensorSpec or a shape and its facts; in DRAM unless told. Raises OutOfMemoryError."""
    sizes, kind, page, config, device = _spec_of(tensor_spec or shape, dtype, layout, mesh_device, memory_config)
    if device is None:
        raise TypeError("allocate_tensor_on_device: expected a device")
    if isinstance(tensor_spec or shape, TensorSpec):
        return _tilemeter.create_device_tensor(tensor_spec or shape, device)
    return _tilemeter.create_device_tensor(_spec_from(sizes, kind, page, config), device)


@python_operation("ttnn.allocate_tensor_on_host")
def allocate_tensor_on_host(
    shape: Any,
    dtype: Any = None,
    layout: Layout | None = None,
    mesh_device: MeshDevice | None = None,
    memory_config: MemoryConfig | None = None,
) -> Tensor:
    """A host tensor of zeros, of a TensorSpec or a shape and its facts."""
    sizes, kind, page, config, _ = _spec_of(shape, dtype, layout, mesh_device, memory_config)
    tile = tile_shape_of(shape.tile) if isinstance(shape, TensorSpec) else None
    return _tilemeter.host_tensor([numpy.zeros(sizes, dtype=numpy.float32)], kind, None, page, config, tile)


@python_operation("ttnn.copy_device_to_host_tensor")
def copy_device_to_host_tensor(
    device_tensor: Tensor, host_tensor: Tensor, blocking: bool = True, cq_id: int | None = None
) -> None:
    """Writes a device tensor's values into a host tensor of the same shape, type and layout. Raises ValueError."""
    with scope("tt::tt_metal::copy_to_host"):
        _tilemeter.replace_host_values(host_tensor, device_tensor)


@python_operation("ttnn.from_buffer")
def from_buffer(
    buffer: Any,
    shape: Any,
    dtype: DataType,
    device: MeshDevice | None = None,
    layout: Layout | None = None,
    memory_config: MemoryConfig | None = None,
) -> Tensor:
    """A tensor of numbers, row by row.

    Raises RuntimeError for block formats and for real numbers as integers, ValueError where they don't fill the shape.
    """
    if dtype in (DataType.BFLOAT8_B, DataType.BFLOAT4_B):
        raise RuntimeError(f"from_buffer: dtype: expected a type of single numbers, got {dtype}")
    values = numpy.asarray(buffer)
    if values.dtype.kind == "f" and dtype not in (DataType.BFLOAT16, DataType.FLOAT32):
        raise RuntimeError(f"from_buffer: buffer: expected integers for {dtype}, got real numbers (std::bad_cast)")
    values = values.reshape(list(shape))
    with scope("tt::tt_metal::to_dtype"):
        host = made(values, dtype, layout, None, memory_config, None)
    return host if device is None else _tilemeter.upload(host, device, host.memory_config())


@python_operation("ttnn.copy_host_to_device_tensor")
def copy_host_to_device_tensor(host_tensor: Tensor, device_tensor: Tensor, cq_id: int | None = None) -> None:
    """Writes a host tensor's values into a device tensor of the same shape, type and layout. Raises RuntimeError."""
    _tilemeter.overwrite(host_tensor, device_tensor)


def _shards_on(config: MemoryConfig, chosen: set[tuple[int, int]], size: tuple[int, int]) -> list[tuple[slice, slice]]:
    """The places in a matrix of `size` of the shards that chosen cores hold."""
    spec = config.shard_spec
    if spec is None:
        raise RuntimeError(f"shards that are no whole rows, columns or blocks (NdShardSpec) are not modelled here: {config}")
    by_rows = spec.orientation == ShardOrientation.ROW_MAJOR
    cores = [(x, y) for each in spec.grid.ranges() for x, y in _cores_of(each, by_rows)]
    height, width = spec.shape
    across = max(-(-size[1] // width), 1)
    places = []
    for number, core in enumerate(cores):
        row, column = divmod(number, across)
        if config.memory_layout == TensorMemoryLayout.BLOCK_SHARDED:
            first = spec.grid.bounding_box().start
            column, row = (core[0] - first.x, core[1] - first.y) if by_rows else (core[1] - first.y, core[0] - first.x)
        if core in chosen:
            places.append((slice(row * height, (row + 1) * height), slice(column * width, (column + 1) * width)))
    return places


def _cores_of(cores: CoreRange, by_rows: bool = True) -> list[tuple[int, int]]:
    columns, rows = range(cores.start.x, cores.end.x + 1), range(cores.start.y, cores.end.y + 1)
    return [(x, y) for y in rows for x in columns] if by_rows else [(x, y) for x in columns for y in rows]


@python_operation("ttnn.copy_host_to_device_tensor_partial")
def copy_host_to_device_tensor_partial(
    host_tensor: Tensor, device_tensor: Tensor, logical_core_filter: CoreRangeSet, cq_id: int | None = None
) -> None:
    """Writes the shards of a host tensor that lie on cores of the filter into a device tensor of the same spec.

    Of interleaved memory, which has no cores, it is not known what TT-NN writes: reading such a tensor raises afterwards.
    """
    chosen = {core for each in logical_core_filter.ranges() for core in _cores_of(each)}
    config = device_tensor.memory_config()
    if not config.is_sharded():
        return _tilemeter.overwrite(host_tensor, device_tensor, of_some_cores=True)
    if not (host_tensor.num_chips_with_values() and device_tensor.num_chips_with_values()):  # only planned
        return _tilemeter.overwrite(host_tensor, device_tensor, of_some_cores=True)
    merged = numpy.array(device_tensor._values(0))
    written, source = (each.reshape(-1, each.shape[-1]) for each in (merged, numpy.asarray(host_tensor._values(0))))
    for place in _shards_on(config, chosen, written.shape):
        written[place] = source[place]
    whole = _tilemeter.host_tensor([merged], host_tensor.dtype, None, host_tensor.layout, None, host_tensor._tile_shape)
    _tilemeter.overwrite(whole, device_tensor, of_some_cores=True)


def _dump(file_name: str | os.PathLike[str], tensor: Tensor, **more: Any) -> None:
    tensor._require_known("ttnn.dump_tensor")
    host = tensor if tensor.storage_type() == StorageType.HOST else _tilemeter.download(tensor)
    tile = "x".join(str(size) for size in tensor._tile_shape)
    facts = numpy.array([tensor.dtype.name, tensor.layout.name, tensor.memory_config().to_json(), tile])
    values = numpy.stack([host._values(chip) for chip in range(host.num_chips_with_values())])
    spread = numpy.array(json.dumps(host._distribution()))
    with open(file_name, "wb") as file:
        numpy.savez(file, chips=values, facts=facts, spread=spread, **more)


@python_operation("ttnn.dump_tensor")
def dump_tensor(
    file_name: str | os.PathLike[str], tensor: Tensor, mode: DumpTensorMode = DumpTensorMode.DISTRIBUTED_GATHER
) -> None:
    """Writes a tensor to a file X.tensorbin, which `load_tensor` reads; the form is tilemeter's own.

    Raises RuntimeError for another name.
    """
    if pathlib.Path(file_name).suffix != ".tensorbin":
        raise RuntimeError(f"File {os.fspath(file_name)} must have .tensorbin extension")
    _dump(file_name, tensor)


def _loaded(file_name: pathlib.Path, device: MeshDevice | None, memory_config: MemoryConfig | None = None) -> Tensor:
    if not file_name.exists():
        raise RuntimeError(f"Unable to load the tensor from {file_name}.  The file does not exist.")
    try:
        with numpy.load(file_name) as stored:
            values, (dtype, layout, place, *tile), spread = (
                stored["chips"], stored["facts"].tolist(), json.loads(str(stored["spread"])),
            )
    except (OSError, ValueError, KeyError) as error:
        raise RuntimeError(f"load_tensor: {file_name}: expected a file of dump_tensor: {error}") from None
    config = MemoryConfig.from_json(place) if memory_config is None else memory_config
    shape = [int(size) for size in tile[0].split("x")] if tile else None  # files of earlier versions say none
    host = _tilemeter.host_tensor(list(values), DataType[dtype], None, Layout[layout], config, shape)
    if spread is not None:
        host._set_distribution(*spread)
    return host if device is None else _tilemeter.upload(host, device, config)


@python_operation("ttnn.load_tensor")
def load_tensor(file_name: str | os.PathLike[str], *, device: MeshDevice | None = None) -> Tensor:
    """The tensor that dump_tensor wrote; on the device, if one is given. Raises RuntimeError for another file."""
    path = pathlib.Path(file_name)
    if path.suffix != ".tensorbin":
        raise RuntimeError(f"File {path} must have .tensorbin extension")
    return _loaded(path, device)


def _composed(host: Tensor, composer: Composer) -> numpy.ndarray[Any, Any]:
    chips = composer.mesh_device.get_num_devices()
    return composer.compose([host._values(chip) for chip in range(chips)])


@python_operation("ttnn.to_numpy")
def to_numpy(tensor: Tensor, *, mesh_composer: Composer | None = None) -> numpy.ndarray[Any, Any]:
    """The values as a NumPy array; bfloat16 and the block formats as float32."""
    tensor._require_known("ttnn.to_numpy")
    host = _on_host(tensor)
    if mesh_composer is not None:
        return _composed(host, mesh_composer)
    return numpy.asarray(host._values(0))
