# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A linear layer of matmul and add."""

from __future__ import annotations

from typing import Any, Callable

from tilemeter._src.operations import wrapped
from tilemeter._src.types.types import TILE_LAYOUT


def Linear(  # noqa: N802: tt_lib's name
    in_features: int, out_features: int, weight: Any, bias: Any, device: Any
) -> Callable[[Any], Any]:
    """The function x -> x times the transposed weight plus bias. Both in tiles, put on the device here."""
    for each in (weight, bias):
        if each is not None and each.layout != TILE_LAYOUT:
            raise AssertionError("Linear: expected weight and bias in TILE layout")
    on_device = weight.to(device)
    added = None if bias is None else bias.to(device)

    def linear_(activation: Any) -> Any:
        turned = wrapped.transpose(on_device, -2, -1)
        product = wrapped.matmul(activation, turned)
        return product if added is None else wrapped.add(product, added)

    return linear_
