# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The largest size of a workload that fits, and how that reads."""

from __future__ import annotations

from typing import Any, Callable

from tilemeter import _tilemeter
from tilemeter._tilemeter import PeakFormula, WorkloadAtSize, WorkloadFit


def _whole(name: str, value: Any, function: str = "fit_workload") -> int:
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{function}: {name}: expected a whole number, found {value!r}")
    return int(value.__index__())


def fit_workload(
    workload: Callable[[int], Any],
    smallest: int = 1,
    largest: int = 4096,
    max_l1: int | str | None = None,
    max_dram_per_bank: int | str | None = None,
    max_dram: None = None,
) -> WorkloadFit:
    """The largest size at which `workload(size)` fits, by planning it only (NO_DISPATCH), and its peaks as formulas.

    max_l1 (per core) and max_dram_per_bank limit it beside the device: bytes, or a text like "1.2 MB". max_dram, their old
    name, is refused. What a call makes has to be gone when it returns. RuntimeErrors that speak of memory mean that a size
    does not fit; all other exceptions come through. Raises ValueError where no size lies between smallest and largest.
    """
    if not callable(workload):
        raise TypeError(f"fit_workload: workload: expected a function of the size, found {type(workload).__name__}")
    low, high = _whole("smallest", smallest), _whole("largest", largest)
    if low > high:
        raise ValueError(f"fit_workload: expected smallest <= largest, found smallest {low:,}, largest {high:,}")
    return _tilemeter.fit_workload(workload, low, high, max_l1, max_dram_per_bank, max_dram)


def _size_text(at: WorkloadAtSize) -> str:
    where = f" in {at.operation}" if at.operation else ""
    if at.fits:
        return f"size {at.size:,} fits: L1 {at.l1_bytes:,} bytes per core, DRAM {at.dram_bytes:,} bytes per bank; L1 fullest{where}"
    reason = (at.message.splitlines() or [""])[0]
    return f"size {at.size:,} does not fit ({at.cause}){where}" + (f": {reason}" if reason else "")


def fit_text(fit: WorkloadFit) -> str:
    """An answer in lines: what fits, what does not, peaks by size."""
    if fit.largest is None:
        lines = ["no size fits"]
    elif fit.first_failing is None:
        lines = [f"the largest size asked for fits: {fit.largest.size:,}"]
    else:
        lines = [f"largest size that fits: {fit.largest.size:,}"]
    lines += ["  " + _size_text(each) for each in (fit.largest, fit.first_failing) if each is not None]
    if fit.fits_above_failures:
        lines.append("  sizes do not fail in order: some fit above one that fails")
    if fit.largest is not None:
        lines.append(f"  L1 per core by size n: {fit.l1}")
        lines.append(f"  DRAM per bank by size n: {fit.dram}")
    lines.append(f"  planned {fit.captures:,} times")
    return "\n".join(lines)


setattr(WorkloadFit, "__repr__", fit_text)
setattr(WorkloadAtSize, "__repr__", _size_text)
setattr(PeakFormula, "__repr__", lambda formula: f"<peak by size n: {formula.text('n')}>")
