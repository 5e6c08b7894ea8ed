# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Functions of TT-NN tensors that keep less: what the way back needs is made again instead of being kept."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tilemeter._tilemeter import OutOfMemoryError, ProgramMemoryClashError, ProgramMemoryExhaustedError, parse_size_limit
from tilemeter.trace._functions import device as _device, graph as _graph
from tilemeter.trace._functions.native import trace as _trace


Budget = int | str | None  # bytes, "1 MiB", or "80%" of what can be allocated


def _is_nothing(budget: Budget) -> bool:
    """No byte: a budget, if one that no order keeps; as a limit of memory it would be a mistake."""
    return isinstance(budget, int) and not isinstance(budget, bool) and budget == 0


def _require_budgets(**budgets: Budget) -> None:
    """Each is none, or what `tilemeter check` takes as a limit. Raises TraceError."""
    for name, budget in budgets.items():
        try:
            if budget is not None and not _is_nothing(budget):
                parse_size_limit(budget)
        except (TypeError, ValueError):
            _trace._raise("bad_argument", f"recompute: {name}: expected bytes (a number or '1 MiB') or a share ('80%'), found "
                          f"{budget!r}", "recompute")


class RecomputeCurve:
    """The schedules of a function of tensors that makes values again instead of keeping them, by cost; none is beaten
    by another in cost and both peaks.

    `points`: each with its true peaks (`l1_bytes_per_core`, `dram_bytes_per_bank`), its `cost` and what is `recomputed`
    (`equation` of the traced graph, `operation`, `source`, `times`, `bytes` and `cost` each time). Costs are bytes that programs
    read and write, and multiply-adds of products, 128 for a byte; `cost_of_run` is that of all calls once. Functions of few calls
    are searched over all orders of them: `is_least` says of a point that no order costs less within its peaks. Of others
    `planned` of the `proposed` schedules were planned, and the points are the least that was found. `none_below`: what each memory
    needs at least in any order. `allocatable`: what a share of ("80%") is.
    """

    def __init__(self, function: _device.DeviceFunction, leaves: list[Any], plans: int) -> None:
        self._native = function.program.native.recompute_curve(leaves, plans)
        self._results, self._arguments = function.program.results, function._arguments
        self.data: dict[str, Any] = json.loads(self._native.json)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in self.__dict__.get("data", {}):
            raise AttributeError(name)
        return self.data[name]

    def _bytes(self, l1: Budget, dram: Budget) -> tuple[int | None, int | None]:
        """The budgets in bytes."""
        _require_budgets(l1=l1, dram=dram)
        whole = self.data["allocatable"]
        given = ((l1, whole["l1_per_core"]), (dram, whole["dram_per_bank"]))
        in_l1, in_dram = (
            None if budget is None else 0 if _is_nothing(budget) else parse_size_limit(budget).of(all_there_is)
            for budget, all_there_is in given
        )
        return in_l1, in_dram

    def cheapest(self, *, l1: Budget = None, dram: Budget = None) -> dict[str, Any]:
        """The point of least cost within these bytes per core and per bank. Raises TraceError, with the least that was found."""
        point: dict[str, Any] = self.data["points"][self._native.cheapest(*self._bytes(l1, dram))]
        return point

    def cost_at_least(self, *, l1: Budget = None, dram: Budget = None) -> int | None:
        """No order of the calls, whatever is made again, costs less within these bytes; 0 where nothing is known, None where no order
        keeps them. A point of that cost can't be bettered."""
        least: int | None = self._native.cost_at_least(*self._bytes(l1, dram))
        return least

    def function(self, *, l1: Budget = None, dram: Budget = None) -> _device.DeviceFunction:
        """The function of that point: called, it is replayed."""
        native = self._native.program(self._native.cheapest(*self._bytes(l1, dram)))
        return _device.DeviceFunction(_device.Program(native, self._results), self._arguments)

    def __str__(self) -> str:
        run = self.data["cost_of_run"]
        lines = [f"{self.data['name']} on {self.data['device']}: {self.data['planned']} of {self.data['proposed']} schedules planned",
                 "L1 per core  DRAM per bank   more cost  made again"]
        for each in self.data["points"]:
            again = each["recomputed"]
            what = f"{sum(call['times'] for call in again)} calls, {sum(call['bytes'] * call['times'] for call in again):,} bytes"
            lines.append(f"{each['l1_bytes_per_core']:>11,}  {each['dram_bytes_per_bank']:>13,}  {100 * each['cost'] / max(run, 1):>9.1f}%  "
                         f"{what if again else 'nothing'}")
        if self.data["points"] and not self.data["points"][0]["recomputed"]:
            lines.append("nothing made again: all is freed after its last use; trace.recompute() is that plan, and a script does the "
                         "same with ttnn.deallocate")
        return "\n".join(lines)


def recompute_curve(f: Callable[..., Any], *args: Any, plans: int = 200, **kwargs: Any) -> RecomputeCurve:
    """The schedules of f with these tensors, by cost, if it makes the values of its way back again; at most `plans`
    schedules are planned.

        curve = trace.recompute_curve(step, w, x)
        print(curve); curve.cheapest(dram=600_000)["recomputed"]

    f need not fit on the device as it is: schedules that do not fit are no points. Such a function is traced as if memory had no
    end, with the programs that its calls choose then. Raises TraceError as plan().
    """
    try:
        traced = _graph.function_of_tensors("recompute_curve", f, args, kwargs)
    except (OutOfMemoryError, ProgramMemoryClashError, ProgramMemoryExhaustedError):
        traced = _graph.function_of_tensors("recompute_curve", f, args, kwargs, has_unlimited_memory=True)
    return RecomputeCurve(*traced, plans)


def recompute(f: Callable[..., Any], *args: Any, l1: Budget = None, dram: Budget = None,
              drop: Callable[[dict[str, Any]], bool] | None = None, plans: int = 200, **kwargs: Any) -> _device.Plan:
    """The plan of f with these tensors, in which what its way back needs is made again instead of being kept.

        plan = trace.recompute(step, w, x, dram=600_000)    # at the least cost that was found within the budget
        plan = trace.recompute(step, w, x, drop=lambda each: each["made_by"]["operation"] == "ttnn.gelu")
        plan.peak(); plan.saved(); plan.replay(w, x)        # the same values, to the bit

    l1, dram: the most bytes per core and per bank that its true peak may take, as a number, "1 MiB", or a share of what can be
    allocated ("80%"); neither: what fits on the device. drop: a policy by hand instead, asked for each row of
    trace.plan(f, *args).saved(). What is made again is made in front of the first call of the way back that needs it, with
    what that takes and is not there; all else is freed after its last use. In plan.graph the calls that run again have the
    attribute "recomputes". Raises TraceError for a budget that no schedule keeps, with the least that one does, for a row whose
    call can't run again, and as plan().
    """
    _require_budgets(l1=l1, dram=dram)
    if drop is None:
        curve = recompute_curve(f, *args, plans=plans, **kwargs)
        function = curve.function(l1=l1, dram=dram)
        return _device.Plan(function, function._leaves(args, kwargs))
    if l1 is not None or dram is not None:
        _trace._raise("bad_argument", "recompute: found drop beside a budget, expected one of them", "recompute",
                      hint="trace.plan(...) of what drop gives says its peaks")
    function, leaves = _graph.function_of_tensors("recompute", f, args, kwargs)
    equations = sorted({each["made_by"]["equation"] for each in _device.Plan(function, leaves).saved() if drop(each)})
    less = _device.DeviceFunction(_device.Program(function.program.native.recomputed(equations), function.program.results),
                                  function._arguments)
    del function  # and with it the tables of its programs on the device
    return _device.Plan(less, leaves)
