# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Views of tensors that share the memory of one, and files of them, as `ttnn.OverlappedTensor`."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any, Sequence

import numpy

from tilemeter._src.tensors.conversion import _dump, _loaded
from tilemeter._src.types.types import Tile
from tilemeter._tilemeter import CoreCoord, CoreRange, CoreRangeSet, DataType, MeshDevice, Tensor

_SUFFIX = ".overlappedtensorbin"


def _pair(name: str, sizes: Sequence[int]) -> tuple[int, int]:
    if len(sizes) != 2:
        raise TypeError(f"OverlappedTensor: {name}: expected two numbers, got {list(sizes)}")
    return int(sizes[0]), int(sizes[1])


class OverlappedTensor:
    """A view: the place of its bytes in each shard of the fused tensor, and as what they are to be read."""

    def __init__(
        self, fused_tensor: Tensor, tensor_shape: Sequence[int], shard_shape: Sequence[int], core_range_set: CoreRangeSet,
        dtype: DataType, tile_shape: Sequence[int], byte_offset: int = 0, total_size: int = 0,
    ) -> None:
        self.fused_tensor = fused_tensor
        self.tensor_shape = _pair("tensor_shape", tensor_shape)
        self.shard_shape = _pair("shard_shape", shard_shape)
        self.core_range_set = core_range_set
        self.dtype = dtype
        self.tile_shape = _pair("tile_shape", tile_shape)
        self.byte_offset = byte_offset
        self.total_size = total_size

    def get_tile(self) -> Tile:
        """The tile of tile_shape."""
        return Tile(list(self.tile_shape))


def _require_suffix(file_name: str | os.PathLike[str]) -> None:
    if pathlib.Path(file_name).suffix != _SUFFIX:
        raise RuntimeError(f"File {os.fspath(file_name)} must have {_SUFFIX} extension")


def _facts(view: OverlappedTensor) -> dict[str, Any]:
    ranges = [[each.start.x, each.start.y, each.end.x, each.end.y] for each in view.core_range_set.ranges()]
    return {
        "tensor_shape": view.tensor_shape, "shard_shape": view.shard_shape, "core_range_set": ranges, "dtype": view.dtype.name,
        "tile_shape": view.tile_shape, "byte_offset": view.byte_offset, "total_size": view.total_size,
    }


def dump_overlapped_tensors(file_name: str, views: dict[str, OverlappedTensor]) -> None:
    """Writes views of one tensor and that tensor to a file X.overlappedtensorbin; the form is tilemeter's own.

    Raises RuntimeError for another name, no views, views of several tensors.
    """
    _require_suffix(file_name)
    if not views:
        raise RuntimeError("dump_overlapped_tensors: views: expected at least one, got none")
    fused = next(iter(views.values())).fused_tensor
    for place, view in enumerate(views.values()):
        if view.fused_tensor.tensor_id != fused.tensor_id:
            raise RuntimeError(f"All OverlappedTensorViews must reference the same fused tensor (view {place} differs)")
    listed = json.dumps({name: _facts(view) for name, view in views.items()})
    _dump(file_name, fused, views=numpy.array(listed))


def load_overlapped_tensors(file_name: str, device: MeshDevice | None = None) -> dict[str, OverlappedTensor]:
    """The views that dump_overlapped_tensors wrote, of one tensor, which is on the device if one is given.

    Raises RuntimeError for another file.
    """
    _require_suffix(file_name)
    fused = _loaded(pathlib.Path(file_name), device)
    with numpy.load(file_name) as stored:
        if "views" not in stored:
            raise RuntimeError(f"load_overlapped_tensors: {file_name}: expected a file of dump_overlapped_tensors")
        listed: dict[str, dict[str, Any]] = json.loads(str(stored["views"]))
    views = {}
    for name, facts in listed.items():
        corners = [(CoreCoord(*each[:2]), CoreCoord(*each[2:])) for each in facts.pop("core_range_set")]
        cores = CoreRangeSet([CoreRange(*each) for each in corners])
        views[name] = OverlappedTensor(
            fused_tensor=fused, core_range_set=cores, dtype=DataType[facts.pop("dtype")], **facts
        )
    return views
