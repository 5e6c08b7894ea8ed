# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions that compute what programs of ttnn.generic_op would write, whose kernels don't run here."""

from __future__ import annotations

from typing import Any, Callable

_registered: dict[str, tuple[Callable[..., Any], int]] = {}


def register_generic_op_values(kernel: str, function: Callable[..., Any] | None = None, outputs: int = 1) -> Any:
    """For programs of ttnn.generic_op with this kernel - the source that its KernelDescriptor names, or the end of that
    path - `function(tensors, program_descriptor)` computes what they write, on each chip: `tensors` are NumPy arrays of
    io_tensors, bfloat16 and block formats as float32; the result is an array, or as many as `outputs` says: of the last
    of io_tensors. Without a function: a decorator. Registered again: the later one counts. Raises ValueError."""
    if outputs < 1:
        raise ValueError(f"register_generic_op_values: outputs: expected 1 or more, got {outputs}")
    if function is None:
        return lambda each: register_generic_op_values(kernel, each, outputs) or each
    _registered[kernel] = (function, outputs)
    return None


def values_for(program: Any, num_tensors: int) -> tuple[Callable[..., Any] | None, int]:
    """The function that the extension module calls with a list of arrays, and the number of tensors that it gives
    values of."""
    for kernel in program.kernels:
        source = str(kernel.kernel_source)
        for name, (function, outputs) in reversed(_registered.items()):
            if source != name and not source.endswith("/" + name):
                continue
            if outputs > num_tensors:
                raise RuntimeError(
                    f"generic_op: {name}: values of {outputs} tensors are registered, got {num_tensors} io_tensors"
                )

            def values(tensors: list[Any], chosen: Callable[..., Any] = function, count: int = outputs) -> list[Any]:
                result = chosen(tensors, program)
                made = [result] if count == 1 and not isinstance(result, (list, tuple)) else list(result)
                if len(made) != count:
                    raise RuntimeError(f"generic_op: {name}: expected {count} arrays of its function, got {len(made)}")
                return made

            return values, outputs
    return None, 1
