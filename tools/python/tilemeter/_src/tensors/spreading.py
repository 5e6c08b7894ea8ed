# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""from_torch with a mesh mapper: where TT-NN converts, on the device or before.

With a mapper and a device floats go there as they are, in rows, and become tiles and another type of floats there; other
types, and the block formats, are made on the host.
"""

from __future__ import annotations

import math
from typing import Any, Callable, Sequence

from tilemeter import _tilemeter
from tilemeter._src.device.device import memory_facts
from tilemeter._src.operations.operation import scope
from tilemeter._src.tensors.mesh_mappers import Mapper
from tilemeter._src.types.types import Tile
from tilemeter._tilemeter import (
    DRAM_MEMORY_CONFIG, DataType, Layout, MemoryConfig, MeshDevice, Tensor, element_size, tile_size,
)

_OF_ARRAYS = {
    "float32": DataType.FLOAT32, "bfloat16": DataType.BFLOAT16, "int32": DataType.INT32, "uint32": DataType.UINT32,
    "uint16": DataType.UINT16, "uint8": DataType.UINT8, "bool": DataType.UINT8,
}
_BLOCKS = (DataType.BFLOAT8_B, DataType.BFLOAT4_B)
_FLOATS = (DataType.FLOAT32, DataType.BFLOAT16)


def _host_dtype(array: Any, dtype: DataType, is_sharded: bool) -> DataType:
    """The type of the values when they leave the host, if the device is to convert them."""
    own = _OF_ARRAYS.get(str(array.dtype).rpartition(".")[2])
    if own is None or is_sharded and tile_size(own) != tile_size(dtype):
        return DataType.BFLOAT16 if dtype in _BLOCKS else dtype
    return own


def _bytes_per_bank(shape: Sequence[int], dtype: DataType, layout: Layout, banks: int, unit: int) -> int:
    *batch, height, width = (1, 1, *shape)
    if layout == Layout.TILE:
        pages, page = math.prod(batch) * -(-height // 32) * -(-width // 32), tile_size(dtype)
    else:
        pages, page = math.prod(batch) * height, width * element_size(dtype)
    return -(-pages // banks) * (-(-page // unit) * unit)


def _fits(
    shape: Sequence[int], source: DataType, dtype: DataType, layout: Layout, config: MemoryConfig, device: MeshDevice
) -> bool:
    """True if a bank has room for what conversions on the device hold at once; shards are taken to fit."""
    if config.is_sharded():
        return True
    view = _tilemeter.get_memory_view(device, config.buffer_type)
    dram, l1, *_ = memory_facts()
    unit = dram if config.buffer_type.name == "DRAM" else l1

    def size(kind: DataType, form: Layout) -> int:
        return _bytes_per_bank(shape, kind, form, view.num_banks, unit)

    rows = size(source, Layout.ROW_MAJOR)
    if source != dtype:
        tiles, cast = size(source, Layout.TILE), size(dtype, Layout.TILE)
        peak = max(rows + tiles, tiles + cast)
        if layout == Layout.ROW_MAJOR:
            peak = max(peak, cast + size(dtype, Layout.ROW_MAJOR))
    else:
        peak = rows + size(source, Layout.TILE) if layout == Layout.TILE else rows
    return peak <= view.total_bytes_per_bank


def _cuts(mapper: Mapper, shape: Sequence[int]) -> tuple[int, bool]:
    """Into how many parts a mapper cuts (0: into none), and whether each is one piece of the whole's memory."""
    parts, dims = mapper.distribution()
    cut = [(count, dim % len(shape)) for count, dim in zip(parts, dims) if dim is not None]
    whole = all(size == 1 for _, dim in cut for size in shape[:dim])
    return math.prod(count for count, _ in cut) if cut else 0, whole


def spread(
    array: Any, dtype: DataType | None, layout: Layout | None, device: MeshDevice | None, memory_config: MemoryConfig | None,
    mapper: Mapper, plain: Callable[[Any], Any], tile: Tile | None = None,
) -> Tensor:
    """A tensor of an array that a mapper spreads; `plain` makes of each part what the extension module takes."""
    parts = [plain(part) for part in mapper.parts(array)]
    wanted = _tilemeter.host_tensor([plain(array.reshape(-1)[:1])]).dtype if dtype is None else dtype
    form = layout or (Layout.TILE if wanted in _BLOCKS else Layout.ROW_MAJOR)
    config = DRAM_MEMORY_CONFIG if memory_config is None else memory_config
    source = _host_dtype(array, wanted, config.is_sharded())
    on_device = (
        device is not None and tile in (None, Tile((32, 32))) and source in _FLOATS and wanted in _FLOATS and 0 not in array.shape
        and _fits(parts[0].shape, source, wanted, form, config, device)
    )
    count, whole = _cuts(mapper, array.shape)
    if count and not (whole and (on_device or (form == Layout.ROW_MAJOR and source == wanted))):
        for _ in range(count):
            with scope("tt::tt_metal::to_dtype"):
                pass
    kept = memory_config if device is None else config
    if on_device:
        host = _tilemeter.host_tensor(parts, source, None, Layout.ROW_MAJOR, kept)
    else:
        host = _tilemeter.host_tensor(parts, wanted, None, form, kept, None if tile is None else list(tile.tile_shape))
    host._set_distribution(*mapper.distribution())
    return host if device is None else _tilemeter.upload_and_convert(host, device, config, wanted, form)
