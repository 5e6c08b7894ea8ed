# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The likeness of two tensors' values."""

from __future__ import annotations

import math
from typing import Any

import numpy

from tilemeter._src.operations.operation import python_operation
from tilemeter._src.tensors.conversion import from_torch, to_torch
from tilemeter._tilemeter import Tensor


def _values(tensor: Any) -> Any:
    if hasattr(tensor, "detach"):
        tensor = tensor.detach().double().numpy()
    return numpy.asarray(tensor, dtype=numpy.float64).reshape(-1)


def _tolerance(tensors: Any, rtol: float) -> float:
    """Four units in the last place of 16-bit floats, where one is such."""
    steps = {"torch.bfloat16": 2.0**-7, "torch.float16": 2.0**-10}
    return max(rtol, *(4 * steps.get(str(getattr(each, "dtype", "")), 0.0) for each in tensors))


def comp_pcc(
    golden: Any, calculated: Any, pcc: float = 0.99, rtol: float = 1e-05, atol: float = 1e-04
) -> tuple[bool, float]:
    """True if Pearson's correlation of two tensors (torch's or NumPy's) is at least pcc, and the correlation.

    Where all elements of one are equal there is none: then 1.0 for tensors that are close (rtol, atol; rtol at least four
    units in the last place of 16-bit floats), else 0.0. What is not finite counts as 0.
    """
    rtol = _tolerance((golden, calculated), rtol)
    a, b = _values(golden), _values(calculated)
    if a.size and (numpy.isnan(a).all() or numpy.isnan(b).all()):
        both = bool(numpy.isnan(a).all() and numpy.isnan(b).all())
        return both, float(both)
    if a.any() != b.any():
        close = bool(numpy.allclose(a, b, rtol=rtol, atol=atol))
        return close, float(close)
    a, b = (numpy.nan_to_num(each, nan=0.0, posinf=0.0, neginf=0.0) for each in (a, b))
    if numpy.array_equal(a, b):
        return True, 1.0
    p, q = a - a.mean(), b - b.mean()
    size = float(numpy.sqrt((p * p).sum() * (q * q).sum()))
    if size == 0:
        close = bool(numpy.allclose(b, a, rtol=rtol, atol=atol))
        return close, float(close)
    found = float((p * q).sum() / size)
    return found >= pcc, found


def correlation(expected: Any, found: Any) -> float:
    """Pearson's, of all elements; 1 for equal ones, also where they don't vary."""
    a, b = (numpy.asarray(each, dtype=numpy.float64).reshape(-1) for each in (expected, found))
    if a.shape != b.shape:
        return 0.0
    if numpy.allclose(a, b, rtol=1e-2, atol=1e-2, equal_nan=True) and (a.std() == 0 or b.std() == 0):
        return 1.0
    a, b = a - a.mean(), b - b.mean()
    size = math.sqrt(float((a * a).sum()) * float((b * b).sum()))
    return float((a * b).sum()) / size if size else 0.0


@python_operation("ttnn.pearson_correlation_coefficient")
def pearson_correlation_coefficient(expected: Any, actual: Any) -> float:
    """Pearson's correlation of a torch tensor with another, or with a tensor of ours; as comp_pcc says it.

    Raises ValueError for an expected tensor that is not torch's, RuntimeError for another shape.
    """
    import torch

    actual = to_torch(actual) if isinstance(actual, Tensor) else actual
    if not isinstance(expected, torch.Tensor):
        raise ValueError("Expected tensor is not a torch.Tensor")
    if expected.shape != actual.shape:
        raise RuntimeError(f"pearson_correlation_coefficient: expected {list(expected.shape)}, got {list(actual.shape)}")
    return comp_pcc(expected, actual)[1]


def ulp(x: Any) -> Any:
    """The distance from each element's magnitude to the next larger number of its type; of a tensor of ours or torch's."""
    import torch

    ours = isinstance(x, Tensor)
    values = to_torch(x) if ours else x
    sizes = torch.abs(values)
    steps = torch.nextafter(sizes, torch.full_like(sizes, float("inf"))) - sizes
    largest = torch.finfo(values.dtype).max
    below = largest - torch.nextafter(torch.tensor(largest, dtype=values.dtype), torch.tensor(0.0, dtype=values.dtype))
    steps = torch.where(sizes == largest, below, steps)
    return from_torch(steps) if ours else steps


def comp_ulp(golden: Any, calculated: Any, ulp_threshold: float, allow_nonfinite: bool = False) -> tuple[bool, str]:
    """True if two torch tensors differ by at most that many units in the last place of calculated's type, and by how
    many."""
    import torch

    if golden.numel() == 0 and calculated.numel() == 0:
        return True, "Both tensors are empty"
    finite = torch.isfinite(golden)
    if not allow_nonfinite and not torch.isfinite(calculated).all():
        return False, "Calculated tensor contains non-finite values"
    same = torch.equal(torch.isnan(golden), torch.isnan(calculated)) and torch.equal(
        torch.isinf(golden) * torch.sign(golden), torch.isinf(calculated) * torch.sign(calculated)
    ) if not finite.all() else bool(torch.isfinite(calculated).all())
    if not same:
        return False, "Tensors are not finite at the same positions"
    zero = torch.zeros((), dtype=golden.dtype)
    golden = torch.where(finite, golden, zero)
    calculated = torch.where(finite, calculated, zero.to(calculated.dtype))
    unit = ulp(golden.to(calculated.dtype)).to(golden.dtype)
    differences = torch.abs(calculated.to(golden.dtype) - golden) / unit
    largest = differences.max()
    message = f"Max ULP Delta: {largest}"
    if largest <= ulp_threshold:
        return True, message
    place = tuple(int(each) for each in torch.unravel_index(differences.argmax(), golden.shape))
    return False, (
        f"{message} @ {list(place)} = |calculated {calculated[place]} - golden {golden[place]}| / ULP(golden) {unit[place]}"
    )
