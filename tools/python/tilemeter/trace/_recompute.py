# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions of TT-NN tensors that keep less: what the way back needs is made again instead of being kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tilemeter.trace import _device, _graph


def recompute(f: Callable[..., Any], *args: Any, drop: Callable[[dict[str, Any]], bool], **kwargs: Any) -> _device.Plan:
    """The plan of f with these tensors, in which what its way back keeps is dropped and made again where `drop` says so.

        plan = trace.recompute(step, w, x, drop=lambda each: each["made_by"]["operation"] == "ttnn.gelu")
        plan.peak(); plan.saved(); plan.replay(w, x)      # the same values, to the bit

    drop: asked for each row of trace.plan(f, *args).saved(). What is made again is made in front of the first call of the way
    back that needs it, with what that takes and is not there; all else is freed after its last use. In plan.graph the calls that
    run again have the attribute "recomputes". Raises TraceError for a row whose call can't run again, and as plan().
    """
    plan = _graph.plan(f, *args, **kwargs)
    equations = sorted({each["made_by"]["equation"] for each in plan.saved() if drop(each)})
    function = plan._function
    leaves, arguments = function._leaves(args, kwargs), function._arguments
    program = _device.Program(function.program.native.recomputed(equations), function.program.results)
    del plan, function  # and with it the tables of its programs on the device
    return _device.Plan(_device.DeviceFunction(program, arguments), leaves)
