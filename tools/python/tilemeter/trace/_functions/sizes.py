# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Peaks of functions of TT-NN tensors at every size of a range."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tilemeter import _tilemeter
from tilemeter._src.answers.answers import Answer
from tilemeter._src.answers.fit_workload import _whole
from tilemeter.trace._functions import device as _device, trees as _trees
from tilemeter.trace._functions.native import trace as _trace


def peak_at_sizes(f: Callable[..., Any], inputs: Callable[[int], Any], smallest: int = 1, largest: int = 1024, *,
                  seconds: float = 5.0, name: str = "n") -> Answer:
    """The peaks of f(*inputs(size)) at every size from smallest to largest, gradients included, without running anything.

        step = trace.value_and_grad(loss)
        peaks = trace.peak_at_sizes(step, lambda batch: (weights, ttnn.empty([batch, 784], ...)), largest=4096)
        peaks["largest_fitting"]["size"]; peaks["next"]["message"]; print(peaks)

    inputs: the arguments for a size, a tuple, or a tensor where there is one; they are planned as well, with all
    that making them takes. What is larger than `seconds` of planning allows is interpolated, and said: `computed`, `interpolated`, `not_known`. The answer is that of
    the verb `sizes`: `largest_fitting`, the `next` size with the operation and message that it will meet, `failing_below`,
    `l1_per_core` and `dram_per_bank` as formulas of `name`, `l1_jumps`, `dram_jumps`. What lies on the device now counts at every
    size; tables that programs of one size put there, and that stay until it is closed, count at that size alone. Raises what f
    raises, lack of memory apart, and ValueError where no size lies between smallest and largest.
    """
    low, high = _whole("smallest", smallest, "peak_at_sizes"), _whole("largest", largest, "peak_at_sizes")
    if low > high:
        raise ValueError(f"peak_at_sizes: expected smallest <= largest, found smallest {low:,}, largest {high:,}")
    device = ""
    refused: list[Exception] = []

    def workload(size: int) -> None:
        nonlocal device
        try:
            given = inputs(size)
            args = given if isinstance(given, tuple) else (given,)
            leaves, _ = _trees.flatten(args)
            if not leaves or not _device.are_tensors(leaves):
                _trace._raise("bad_argument", f"peak_at_sizes: found no tensor on a device among the inputs at size {size}",
                              "peak_at_sizes", hint="trace_graph(f, args=\"b, 128\") is for functions of arrays")
            device = leaves[0].device().description
            f(*args)
        except _trace.TraceError as error:
            refused.append(error)
            raise

    try:
        data, text = _tilemeter.peak_sizes(workload, low, high, float(seconds), name)
    except RuntimeError:
        if refused:  # the analysis passes on its text alone
            raise refused[0] from None
        raise
    answer: dict[str, Any] = {"schema": "tilemeter.sizes/1", **json.loads(data), "device": device}
    return Answer("sizes", 0, answer, text.rstrip("\n"))
