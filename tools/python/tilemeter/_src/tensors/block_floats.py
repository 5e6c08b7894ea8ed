# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Bytes of tiles in block formats, as the device holds them: `ttnn._ttnn.core.tilize_and_pack_bfp8_b` and `..._bfp4_b`."""

from __future__ import annotations

from typing import Any

import numpy

_FACE = 16
_ALIGNMENT = 16  # of the exponents of a tile, in bytes
_HEIGHTS = (1, 2, 4, 8, 16, 32)


def _in_faces(data: Any, rows: int, columns: int, tile_h: int, tile_w: int) -> Any:
    """[tiles, rows of faces of a tile one after the other, 16]."""
    height = min(tile_h, _FACE)
    shape = (rows // tile_h, tile_h // height, height, columns // tile_w, tile_w // _FACE, _FACE)
    return data.reshape(shape).transpose(0, 3, 1, 4, 2, 5).reshape(rows * columns // (tile_h * tile_w), -1, _FACE)


def _packed(operation: str, bits: int, data: Any, rows: int, columns: int, tile_h: int, tile_w: int) -> bytes:
    if tile_h not in _HEIGHTS or tile_w not in (_FACE, 2 * _FACE):
        raise RuntimeError(f"{operation}: Tile size is not valid for our hardware, got {tile_h} x {tile_w}")
    if data.dtype != numpy.float32 or data.size != rows * columns or rows % tile_h or columns % tile_w:
        raise RuntimeError(
            f"{operation}: data: expected float32, {rows} x {columns} in whole tiles of {tile_h} x {tile_w}, got"
            f" {data.dtype}, {' x '.join(str(size) for size in data.shape)}"
        )
    values = _in_faces(numpy.ascontiguousarray(data), rows, columns, tile_h, tile_w).view(numpy.uint32).astype(numpy.int64)
    exponents = (values >> 23) & 0xFF
    shared = exponents.max(-1, keepdims=True)
    # Bits further down than 40 are 0, as are numbers without a leading one.
    mantissas = numpy.where(exponents == 0, 0, (values & 0x7FFFFF) | 0x800000) >> numpy.minimum(shared - exponents, 40)
    dropped = 24 - bits
    half, rest, kept = 1 << (dropped - 1), mantissas & ((1 << dropped) - 1), mantissas >> dropped
    kept = kept + ((rest > half) | ((rest == half) & (kept & 1 == 1)))
    kept = numpy.minimum(kept, (1 << bits) - 1)
    codes = numpy.where(kept == 0, 0, (values >> 31) << bits) | kept
    codes = codes.reshape(codes.shape[0], -1)
    if bits == 3:
        codes = codes[:, 0::2] | (codes[:, 1::2] << 4)
    heads = shared.reshape(codes.shape[0], -1)
    heads = numpy.pad(heads, ((0, 0), (0, -heads.shape[1] % _ALIGNMENT)))
    return numpy.concatenate([heads, codes], 1).astype(numpy.uint8).tobytes()


def tilize_and_pack_bfp8_b(data: Any, H: int, W: int, tile_h: int = 32, tile_w: int = 32) -> bytes:
    """float32 [H, W] as tiles of BFLOAT8_B: of each tile the exponents of its rows of 16, then signs and 7 bits."""
    return _packed("tilize_and_pack_bfp8_b", 7, data, H, W, tile_h, tile_w)


def tilize_and_pack_bfp4_b(data: Any, H: int, W: int, tile_h: int = 32, tile_w: int = 32) -> bytes:
    """The same as tiles of BFLOAT4_B: signs and 3 bits, two to a byte."""
    return _packed("tilize_and_pack_bfp4_b", 3, data, H, W, tile_h, tile_w)
