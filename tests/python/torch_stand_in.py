# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The part of torch that the scripts here need, by NumPy, for machines without it: tensors of random or constant
values."""

from __future__ import annotations

import sys
import types
from typing import Any

import numpy

bfloat16 = float32 = numpy.float32
int32 = numpy.int32


class Tensor(numpy.ndarray[Any, Any]):
    def to(self, dtype: Any) -> "Tensor":
        return self.astype(dtype).view(Tensor)


def _tensor(values: Any, dtype: Any = None) -> Tensor:
    return numpy.array(values, dtype, order="C").view(Tensor)  # ascontiguousarray() gives numbers a dimension


def _shape(sizes: tuple[Any, ...]) -> Any:
    """Given one by one, or as one sequence."""
    return sizes[0] if len(sizes) == 1 and not isinstance(sizes[0], int) else sizes


def install() -> None:
    """`import torch` gives this, where there is no torch."""
    generator = numpy.random.default_rng(0)
    torch = types.ModuleType("torch")
    for name, value in {
        "Tensor": Tensor,
        "bfloat16": bfloat16,
        "float32": float32,
        "int32": int32,
        "manual_seed": lambda seed: None,
        "randn": lambda *shape, dtype=numpy.float32: _tensor(generator.standard_normal(_shape(shape)), dtype),
        "ones": lambda *shape, dtype=numpy.float32: _tensor(numpy.ones(_shape(shape)), dtype),
        "rand": lambda *shape: _tensor(generator.random(_shape(shape)), numpy.float32),
        "zeros": lambda *shape, dtype=numpy.float32: _tensor(numpy.zeros(_shape(shape)), dtype),
        "arange": lambda count, dtype=numpy.int32: _tensor(numpy.arange(count), dtype),
        "randint": lambda low, high, shape: _tensor(generator.integers(low, high, shape), numpy.int32),
    }.items():
        setattr(torch, name, value)
    sys.modules["torch"] = torch
