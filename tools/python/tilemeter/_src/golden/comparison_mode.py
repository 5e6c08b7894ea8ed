# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Comparison mode: each operation's values against those of a golden function.

With CONFIG.enable_comparison_mode, what an operation gives is compared with what its golden function makes of the same
inputs, by Pearson's correlation; the result goes into the capture's comparison records, and, with
comparison_mode_should_raise_exception, a value below comparison_mode_pcc raises RuntimeError. A golden function takes the
operation's arguments with torch's tensors for ours, without torch with NumPy's arrays (floats as float32), and what only torch can say
is not compared then. All inputs and results are read in the operation's scope, as TT-NN does.
"""

from __future__ import annotations

import functools
import importlib.util
import warnings
from typing import Any

import numpy

from tilemeter import _tilemeter
from tilemeter._src.base.config import CONFIG
from tilemeter._src.captures.comparison_records import record_tensor_comparison_data
from tilemeter._src.golden.comparison import correlation
from tilemeter._src.golden.torch_or_numpy import NotInNumPyError
from tilemeter._src.operations.operation import scope, set_comparer
from tilemeter._tilemeter import Operation, StorageType, Tensor

Array = Any

@functools.cache
def _has_torch() -> bool:
    return importlib.util.find_spec("torch") is not None


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
        if not _has_torch():
            return array if array.dtype.kind in "biu" else array.astype(numpy.float32)
        import torch

        return torch.from_numpy(array)
    if isinstance(value, (list, tuple)):
        return type(value)(_values(each) for each in value)
    return value


def _array(values: Any) -> Array:
    return numpy.asarray(values.detach().float().numpy() if hasattr(values, "detach") else values, dtype=numpy.float32)


class Comparison:
    """The results of one call's golden function, computed before the call."""

    def __init__(self, operation: Operation, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.name = operation.python_fully_qualified_name
        golden = getattr(operation, "golden_function", None)  # given to it by attach_golden_function
        positional = [_values(value) for value in args]
        named = {key: _values(value) for key, value in kwargs.items()}
        self.expected: Any = None
        if golden is None:
            return
        try:
            self.expected = golden(*positional, **named)
        except NotInNumPyError:
            return
        except Exception as error:  # a fault of the call is for the operation to say
            warnings.warn(f"{self.name}: not compared, its golden function raised {error!r}", stacklevel=2)

    def hold_against(self, result: Any) -> None:
        """Records how alike they are. Raises RuntimeError below the limit, where that is wanted."""
        found = _values(result) if isinstance(result, (Tensor, list, tuple)) else None
        if self.expected is None or not isinstance(result, Tensor):
            return
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


set_comparer(Comparison)
