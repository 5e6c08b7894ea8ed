# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions of torch for tensors of ttnn: arguments go to torch, results come back, in tiles where they are whole ones."""

from __future__ import annotations

import functools
from typing import Any, Callable

from tilemeter._src.device.device import GetDefaultDevice
from tilemeter._src.types.types import ROW_MAJOR_LAYOUT, TILE_LAYOUT
from tilemeter._tilemeter import StorageType, Tensor

Placement = dict[str, Any]


def convert_tt_tensor_to_pt_tensor(tt_tensor: Any, output_format: Placement) -> Any:
    """The values in torch; the first tensor on a device says where results go."""
    import torch

    on_device = tt_tensor.storage_type() == StorageType.DEVICE
    if on_device and output_format["on_device"] and output_format.get("device") is None:
        output_format["device"] = tt_tensor.device()
    values = tt_tensor.cpu().to(ROW_MAJOR_LAYOUT).to_torch()
    signed = {torch.bfloat16: torch.float32, torch.uint16: torch.int16, torch.uint32: torch.int32}
    return values.to(signed.get(values.dtype, values.dtype))


def convert_pt_tensor_to_tt_tensor(pt_tensor: Any, output_format: Placement) -> Any:
    """A tensor of at least 4 dimensions; float32 becomes bfloat16. On a device, unless its rows have an odd length."""
    import torch

    values = pt_tensor.reshape([1] * (4 - pt_tensor.dim()) + list(pt_tensor.shape))
    made = Tensor(values.bfloat16() if values.dtype == torch.float32 else values)
    if output_format["layout"] == TILE_LAYOUT and all(size % 32 == 0 for size in tuple(made.padded_shape)[2:4]):
        made = made.to(TILE_LAYOUT)
    fits = made.layout == TILE_LAYOUT or made.padded_shape[3] % 2 == 0
    return made.to(output_format["device"]) if output_format["on_device"] and fits else made


def _converted(values: Any, kind: Any, change: Callable[[Any], Any]) -> Any:
    if isinstance(values, kind):
        return change(values)
    if isinstance(values, dict):
        return {key: _converted(value, kind, change) for key, value in values.items()}
    if isinstance(values, (list, tuple)):
        return [_converted(value, kind, change) for value in values]
    return values


def convert_tt_tensors_wrapper(func: Callable[..., Any]) -> Callable[..., Any]:
    """`func` for tensors of ttnn. Its keywords output_layout and output_on_device say what results become."""

    @functools.wraps(func)
    def wrap(*args: Any, **kwargs: Any) -> Any:
        import torch

        placed: Placement = {
            "on_device": kwargs.get("output_on_device", True), "layout": kwargs.get("output_layout", TILE_LAYOUT)
        }

        def to_torch(values: Any) -> Any:
            return _converted(values, Tensor, lambda each: convert_tt_tensor_to_pt_tensor(each, placed))

        arguments, named = to_torch(args), to_torch(kwargs)
        if placed["on_device"] and placed.get("device") is None:
            placed["device"] = GetDefaultDevice()
        results = func(*arguments, **named)
        return _converted(results, torch.Tensor, lambda each: convert_pt_tensor_to_tt_tensor(each, placed))

    return wrap
