# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Small helpers of tt_lib: rounding, padding torch tensors to whole tiles, comparing values."""

from __future__ import annotations

import math
import struct
from typing import Any

_TILE = 32


def divup(a: int, b: int) -> int:
    """a / b, rounded up."""
    return -(-a // b)


def roundup(a: int, b: int) -> int:
    """The next multiple of b from a on."""
    return divup(a, b) * b


def roundup32(a: int) -> int:
    """The next multiple of 32 from a on."""
    return roundup(a, _TILE)


def _nearest_y(x: float, y: int) -> int:
    return math.ceil(x / y) * y


def _nearest_32(x: float) -> int:
    return _nearest_y(x, _TILE)


nearest_32 = _nearest_32


def _filled(x: Any, shape: list[int]) -> Any:
    """x of four dimensions in the corner of zeros."""
    result = x.new_zeros(shape).float()
    result[tuple(slice(size) for size in x.shape)] = x
    return result


def pad_weight(x: Any) -> Any:
    """A torch tensor of 1, 2 or more dimensions as 4 or more, its last two filled up with zeros to whole tiles."""
    if x.dim() <= 2:
        x = x.reshape(1, 1, -1, x.shape[-1])
    return _filled(x, [*x.shape[:-2], roundup32(x.shape[-2]), roundup32(x.shape[-1])])


def pad_activation(x: Any) -> Any:
    """As pad_weight, but the rows of a matrix become a batch; a tensor of 3 dimensions gets one of 1 behind the first."""
    if x.dim() > 4:
        raise AssertionError("Only tensors with dimension 1-4 supported")
    if x.dim() <= 3:
        x = x.reshape(x.shape[0] if x.dim() > 1 else 1, 1, -1 if x.dim() < 3 else x.shape[1], x.shape[-1])
    return _filled(x, [*x.shape[:-2], roundup32(x.shape[-2]), roundup32(x.shape[-1])])


def tilize(x: Any) -> Any:
    """The values as they are: tensors are put in tiles where they are made."""
    return x


def untilize(x: Any) -> Any:
    """The values as they are."""
    return x


def tilize_to_list(x: Any) -> list[Any]:
    """The values of a torch tensor, row by row."""
    return list(x.reshape(-1).tolist())


def tt2torch(ttx: Any) -> Any:
    """A tensor's values as a torch tensor."""
    return ttx.cpu().to_torch()


tt2torch_rm = tt2torch


def float_to_bits(x: float) -> int:
    """The bits of a float32 as a signed integer."""
    return int(struct.unpack(">l", struct.pack(">f", x))[0])


def print_diff_argmax(a: Any, b: Any, annotation: str = "") -> float:
    """Prints where two torch tensors differ most; returns by how much."""
    differences = (a - b).abs().reshape(-1)
    place = int(differences.argmax())
    print(f"Abs diff= {differences[place]} at {place} --- {annotation}")
    print(f"  (a= {a.reshape(-1)[place].item()})\n  (b= {b.reshape(-1)[place].item()})")
    return float(differences[place])


def is_close(a: Any, b: Any, rtol: float = 8e-2, atol: float = 8e-2, max_mag: float = 4.0, max_mag_fraction: float = 0.02) -> Any:
    """True if all elements are near each other: absolutely, relatively, or beside sums of the size max_mag."""
    difference = (a - b).abs()
    relative = ((a.abs() / b.abs() - 1.0).abs() < rtol) | (((a.abs() + 1.0) / (b.abs() + 1.0) - 1.0).abs() < rtol)
    near = (difference < atol) | relative | (difference < max_mag * max_mag_fraction)
    return near.all()


def find_closest_largest_divisor(num: int, start_divisor: int) -> int:
    """The largest divisor of num that is not above start_divisor."""
    return next(each for each in range(start_divisor, 0, -1) if num % each == 0)


def find_closest_largest_divisor_with_num_padding(num: int, start_divisor: int) -> int:
    """The largest number up to start_divisor that cuts num, filled up, into parts of which none is padding only."""
    return next(d for d in range(start_divisor, 0, -1) if _nearest_y(num, d) - num < _nearest_y(num, d) // d)
