# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Comparison mode: each operation's values against those of a golden function.

With CONFIG.enable_comparison_mode, what an operation gives is compared with what its golden function makes of the same
inputs, by Pearson's correlation; the result goes into the capture's comparison records, and, with
comparison_mode_should_raise_exception, a value below comparison_mode_pcc raises RuntimeError. A golden function takes the
operation's arguments with torch's tensors for ours; without torch those of here are used, which take NumPy's arrays
(float32), as attached ones then do. All inputs and results are read in the operation's scope, as TT-NN does; only those of
operations with a golden function are compared.
"""

from __future__ import annotations

import importlib.util
import math
import warnings
from typing import Any, Callable

import numpy

from tilemeter import _tilemeter
from tilemeter._config import CONFIG
from tilemeter._golden_functions import GOLDENS, golden_name
from tilemeter._operation import scope
from tilemeter._tilemeter import Operation, StorageType, Tensor

Array = Any
Golden = Callable[..., Any]

_erf = numpy.vectorize(math.erf, otypes=[numpy.float32])

_ACTIVATIONS: dict[str, Golden] = {
    "relu": lambda x, **_: numpy.maximum(x, 0),
    "gelu": lambda x, **_: 0.5 * x * (1 + _erf(x / math.sqrt(2))),
    "silu": lambda x, **_: x / (1 + numpy.exp(-x)),
    "sigmoid": lambda x, **_: 1 / (1 + numpy.exp(-x)),
    "tanh": lambda x, **_: numpy.tanh(x),
    "exp": lambda x, **_: numpy.exp(x),
    "sqrt": lambda x, **_: numpy.sqrt(x),
    "rsqrt": lambda x, **_: 1 / numpy.sqrt(x),
    "abs": lambda x, **_: numpy.abs(x),
    "neg": lambda x, **_: -x,
    "square": lambda x, **_: x * x,
    "reciprocal": lambda x, **_: 1 / x,
    "log": lambda x, **_: numpy.log(x),
    "sin": lambda x, **_: numpy.sin(x),
    "cos": lambda x, **_: numpy.cos(x),
}


def _matmul(
    a: Array, b: Array, *, bias: Array = None, transpose_a: bool = False, transpose_b: bool = False,
    activation: Any = None, **_: Any,
) -> Array:
    a = numpy.swapaxes(a, -1, -2) if transpose_a else a
    b = numpy.swapaxes(b, -1, -2) if transpose_b else b
    product = numpy.matmul(a, b) if bias is None else numpy.matmul(a, b) + bias
    return _ACTIVATIONS[activation](product) if isinstance(activation, str) else product


def _softmax(x: Array, dim: int = -1, **_: Any) -> Array:
    powers = numpy.exp(x - x.max(axis=dim, keepdims=True))
    return powers / powers.sum(axis=dim, keepdims=True)


def _norm(
    x: Array, *, epsilon: float = 1e-12, weight: Array = None, bias: Array = None, residual_input_tensor: Array = None,
    centred: bool, **_: Any,
) -> Array:
    x = x if residual_input_tensor is None else x + residual_input_tensor
    x = x - x.mean(axis=-1, keepdims=True) if centred else x
    x = x / numpy.sqrt((x * x).mean(axis=-1, keepdims=True) + epsilon)
    x = x if weight is None else x * weight.reshape(-1)
    return x if bias is None else x + bias.reshape(-1)


def _reduced(function: Callable[..., Any]) -> Golden:
    def golden(x: Array, dim: Any = None, keepdim: bool = False, *, scalar: float = 1.0, **_: Any) -> Array:
        axis = tuple(dim) if isinstance(dim, (list, tuple)) else dim
        return function(x, axis=axis, keepdims=keepdim) * scalar

    return golden


_goldens: dict[str, Golden] = {
    **{f"ttnn.{name}": function for name, function in _ACTIVATIONS.items()},
    "ttnn.from_torch": lambda x, *_, **__: x,
    "ttnn.to_layout": lambda x, *_, **__: x,
    "ttnn.to_memory_config": lambda x, *_, **__: x,
    "ttnn.typecast": lambda x, *_, **__: x,
    "ttnn.add": lambda a, b, **_: a + b,
    "ttnn.subtract": lambda a, b, **_: a - b,
    "ttnn.multiply": lambda a, b, **_: a * b,
    "ttnn.divide": lambda a, b, **_: a / b,
    "ttnn.matmul": _matmul,
    "ttnn.softmax": _softmax,
    "ttnn.layer_norm": lambda x, **more: _norm(x, centred=True, **more),
    "ttnn.rms_norm": lambda x, **more: _norm(x, centred=False, **more),
    "ttnn.sum": _reduced(numpy.sum),
    "ttnn.mean": _reduced(numpy.mean),
    "ttnn.max": _reduced(numpy.max),
    "ttnn.min": _reduced(numpy.min),
    "ttnn.permute": lambda x, dims, **_: numpy.transpose(x, dims),
    "ttnn.transpose": lambda x, dim1, dim2, **_: numpy.swapaxes(x, dim1, dim2),
    "ttnn.reshape": lambda x, shape, **_: x.reshape(tuple(shape)),
    "ttnn.concat": lambda parts, dim=0, **_: numpy.concatenate(parts, axis=dim),
}


_HAS_TORCH = importlib.util.find_spec("torch") is not None


def _golden_of(operation: Any) -> Golden | None:
    golden: Golden | None = operation.golden_function
    name = golden_name(operation.python_fully_qualified_name)
    if not _HAS_TORCH and golden is GOLDENS.get(name):
        return _goldens.get(name)
    return golden


def _read(tensor: Tensor) -> Array:
    """The first chip's values, read as users read them. A copy: the operation may write over its inputs."""
    with scope("ttnn.to_torch"):
        if tensor.storage_type() == StorageType.DEVICE:
            with scope("ttnn.from_device"):
                tensor = _tilemeter.download(tensor)
        with scope("tt::tt_metal::detail::convert_tt_tensor_to_framework_tensor"):
            return numpy.array(tensor._values(0))


def _values(value: Any) -> Any:
    """With torch's tensors for ours; without torch NumPy's arrays."""
    if isinstance(value, Tensor):
        array = _read(value)
        if not _HAS_TORCH:
            return array.astype(numpy.float32)
        import torch

        return torch.from_numpy(array)
    if isinstance(value, (list, tuple)):
        return type(value)(_values(each) for each in value)
    return value


def _array(values: Any) -> Array:
    return numpy.asarray(values.detach().float().numpy() if hasattr(values, "detach") else values, dtype=numpy.float32)


def correlation(expected: Array, found: Array) -> float:
    """Pearson's, of all elements; 1 for equal ones, also where they don't vary."""
    a, b = (numpy.asarray(each, dtype=numpy.float64).reshape(-1) for each in (expected, found))
    if a.shape != b.shape:
        return 0.0
    if numpy.allclose(a, b, rtol=1e-2, atol=1e-2, equal_nan=True) and (a.std() == 0 or b.std() == 0):
        return 1.0
    a, b = a - a.mean(), b - b.mean()
    size = math.sqrt(float((a * a).sum()) * float((b * b).sum()))
    return float((a * b).sum()) / size if size else 0.0


class Comparison:
    """What one call's golden function makes of its inputs, before the call."""

    def __init__(self, operation: Operation, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.name = operation.python_fully_qualified_name
        golden = _golden_of(operation)
        positional = [_values(value) for value in args]
        named = {key: _values(value) for key, value in kwargs.items()}
        self.expected: Any = None
        if golden is None:
            return
        try:
            self.expected = golden(*positional, **named)
        except Exception as error:  # what is wrong with the call is for the operation to say
            warnings.warn(f"{self.name}: not compared, its golden function raised {error!r}", stacklevel=2)

    def hold_against(self, result: Any) -> None:
        """Records how alike they are. Raises RuntimeError below the limit, where that is wanted."""
        found = _values(result) if isinstance(result, (Tensor, list, tuple)) else None
        if self.expected is None or not isinstance(result, Tensor):
            return
        from tilemeter.graph import record_tensor_comparison_data

        golden = _array(self.expected)
        pcc = correlation(golden, _array(found))
        golden_id = _tilemeter.host_tensor([numpy.ascontiguousarray(golden)]).tensor_id
        matches = pcc >= CONFIG.comparison_mode_pcc
        record_tensor_comparison_data(
            local_tensor_comparison_records=[
                {
                    "tensor_id": result.tensor_id,
                    "golden_tensor_id": golden_id,
                    "matches": matches,
                    "desired_pcc": CONFIG.comparison_mode_pcc,
                    "actual_pcc": pcc,
                }
            ],
            tensors=[
                {
                    "tensor_id": golden_id,
                    "shape": f"Shape({list(golden.shape)})",
                    "dtype": "DataType.FLOAT32",
                    "layout": "Layout.ROW_MAJOR",
                    "memory_config": None,
                    "device_id": None,
                    "address": None,
                    "buffer_type": None,
                    "storage_type": "HOST",
                }
            ],
        )
        if not matches and CONFIG.comparison_mode_should_raise_exception:
            raise RuntimeError(
                f"{self.name}: Comparing against golden: expected PCC >= {CONFIG.comparison_mode_pcc}, got {pcc}"
            )
