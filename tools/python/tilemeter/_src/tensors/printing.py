# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Tensors as text, in TT-NN's form."""

from __future__ import annotations

import dataclasses
from typing import Any, Iterator

import numpy

_EDGE = 2  # elements at both ends of a dimension that is cut
_PROFILES = ("empty", "short", "full")


@dataclasses.dataclass
class _Options:
    profile: str = "short"
    sci_mode: bool | None = None
    precision: int = 4


_options = _Options()


def set_printoptions(*, profile: str, sci_mode: bool | str | None = None, precision: int | None = None) -> None:
    """Sets the format of printed tensors.

    profile: "empty" (no values), "short" (the ends of long dimensions), "full". sci_mode: with powers of ten; None or
    "default": where the values need it. precision: digits after the point, 4 unless given. Raises RuntimeError for
    another profile.
    """
    if profile not in _PROFILES:
        raise RuntimeError(f"set_printoptions: profile: expected one of {', '.join(_PROFILES)}, got {profile!r}")
    _options.profile = profile
    _options.sci_mode = sci_mode if isinstance(sci_mode, bool) else None
    if precision is not None:
        _options.precision = precision


def _needs_powers(values: Any) -> bool:
    sizes = numpy.abs(values[numpy.isfinite(values) & (values != 0)].astype(numpy.float64))
    if not sizes.size:
        return False
    return bool(sizes.max() / sizes.min() > 1000 or sizes.max() > 1e8 or sizes.min() < 1e-4)


def _pieces(values: Any) -> Iterator[Any]:
    """The parts along the first dimension; None where some are left out."""
    cut = _options.profile == "short" and len(values) > 2 * _EDGE
    if not cut:
        yield from values
        return
    yield from values[:_EDGE]
    yield None
    yield from values[-_EDGE:]


def _block(values: Any, form: str, indent: int) -> str:
    if values.ndim == 0:
        return format(values.item(), form)
    if values.ndim == 1:
        return "[" + ", ".join(" ..." if piece is None else format(piece.item(), form) for piece in _pieces(values)) + "]"
    between = ",\n" * (2 if values.ndim > 2 else 1)
    between = between.replace(",\n,\n", ",\n\n") + " " * (indent + 1)
    return "[" + between.join("..." if piece is None else _block(piece, form, indent + 1) for piece in _pieces(values)) + "]"


def values_text(values: Any, indent: int) -> str:
    """values: a NumPy array; indent: columns before its first line."""
    if _options.profile == "empty":
        return "..."
    if values.size == 0:
        return "[]"
    if values.dtype.kind != "f":
        return _block(values, "5d", indent)
    powers = _needs_powers(values) if _options.sci_mode is None else _options.sci_mode
    width = _options.precision + (7 if powers else 3)
    return _block(values, f"{width}.{_options.precision}{'e' if powers else 'f'}", indent)
