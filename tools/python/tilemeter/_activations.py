# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Golden functions of the activations that operations take."""

from __future__ import annotations

from typing import Any

from tilemeter._golden_functions import GOLDENS, Golden, golden_name, torch
from tilemeter._tilemeter import UnaryOpType, UnaryWithParam

_TAKEN = "RELU RELU6 SILU MISH SIGMOID HARDSIGMOID TANH LOG SOFTPLUS GELU SQRT".split()


def _gelu_tanh(x: Any) -> Any:
    return torch.nn.functional.gelu(x, approximate="tanh")


def get_golden_function_for_activation(activation: object) -> Golden | None:
    """What an activation computes, in torch: of a name ("relu", "gelu_approx"), a UnaryOpType or a UnaryWithParam.

    None for None. Raises RuntimeError for what is none.
    """
    if activation is None:
        return None
    if isinstance(activation, str):
        name = activation.removesuffix("_approx")
        golden = _gelu_tanh if name == "gelu_tanh" else GOLDENS.get(golden_name(f"ttnn.{name}"))
        if golden is None:
            raise RuntimeError(f"Unsupported activation: {activation}")
        return golden
    kind = activation.op_type if isinstance(activation, UnaryWithParam) else activation
    if isinstance(kind, UnaryOpType):
        if kind.name == "GELU_TANH":
            return _gelu_tanh
        if kind.name in _TAKEN:
            return GOLDENS[f"ttnn.{kind.name.lower()}"]
    raise RuntimeError(f"{kind} is not supported as activation function")
