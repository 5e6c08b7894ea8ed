# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Whether a function of PyTorch fits a GPU, without one: run in processes whose GPU is modelled."""

from __future__ import annotations

import multiprocessing
import os
import pathlib
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

from tilemeter._src.live.capture import UNUSED, capture
from tilemeter._src.live.library import BuildError
from tilemeter._src.live.refused import ValuesAreNotThere, refuse_values, refused_name
from tilemeter._src.live.stand_in import environment, parsed_gpu
from tilemeter._tilemeter import CaptureError

_starting = threading.Lock()


class TorchFit(list[dict[str, Any]]):
    """A row for each size: "size", "fits" (None: it stopped for another reason), "peak_bytes" that the program asked for,
    "reserved_bytes" that PyTorch took from the device, both up to where it stopped, "stopped_by" and "message". Modelled, not run."""

    def __init__(self, gpu: str, rows: Iterable[dict[str, Any]]) -> None:
        super().__init__(rows)
        self.gpu = gpu

    @property
    def largest(self) -> Any:
        """The last of the sizes that fit; None where none does."""
        return next((row["size"] for row in reversed(self) if row["fits"]), None)

    def __str__(self) -> str:
        lines = [f"{self.gpu}: modelled, not run; the driver's own memory (some hundred MB) is not in it"]
        for row in self:
            answer = {True: "fits", False: "does not fit", None: "unknown"}[row["fits"]]
            bound = "" if row["fits"] else "at least "
            peak = "" if row["peak_bytes"] is None else f"  peak {bound}{row['peak_bytes']:,} B, reserved {row['reserved_bytes']:,} B"
            lines.append(f"{row['size']!s:>12}  {answer:12}{peak}" + (f"  {row['message']}" if row["message"] else ""))
        return "\n".join(lines)


def _measure(function: Callable[[Any], Any], size: Any, report: str | None, zeros: bool, answer: Connection) -> None:
    """In a process that has the modelled GPU."""
    import torch

    if not zeros:
        refuse_values()

    row: dict[str, Any] = {"stopped_by": None, "message": None, "fits": True}
    devices = range(torch.cuda.device_count())
    torch.cuda.init()
    taken = None if report is None else capture(report, device="cuda")
    try:
        kept = function(size)
        del kept
    except Exception as error:  # a row says what stops a size
        if taken is not None:
            taken.fail(error)
        row["fits"] = False if isinstance(error, torch.OutOfMemoryError) else None
        row["stopped_by"] = type(error).__name__
        row["message"] = next((line for line in str(error).splitlines() if line.strip()), type(error).__name__)
        if row["fits"] is None and not isinstance(error, ValuesAreNotThere) and (name := refused_name(error)) is not None:
            row["message"] = f"{name} can't run on a GPU that is modelled"
    if taken is not None:
        taken.end()
    statistics = [torch.cuda.memory_stats(device) for device in devices]
    row["peak_bytes"] = max(each.get("requested_bytes.all.peak", 0) for each in statistics)
    row["reserved_bytes"] = max(each.get("reserved_bytes.all.peak", 0) for each in statistics)
    if row["fits"] and row["peak_bytes"] == 0:
        row["message"] = f"{UNUSED}: the function has to bring its model and data there"
    answer.send(row)


@contextmanager
def _variables(values: dict[str, str]) -> Iterator[None]:
    """A process that is started inside has them from its first instruction on."""
    with _starting:
        before = {name: os.environ.get(name) for name in values}
        os.environ.update(values)
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value


def fit(
    function: Callable[[Any], Any],
    sizes: Iterable[Any],
    gpu: str = "24GiB",
    *,
    capability: str = "9.0",
    reports: str | os.PathLike[str] | None = None,
    values: str = "refuse",
) -> TorchFit:
    """Runs function(size) for each size on a GPU that is modelled: PyTorch's own allocator, choice of kernels, autograd and
    optimizers, on memory that is only counted. Each size has a process of its own, so that function has to be one that can be imported.

    gpu: "24GiB", or "80GiBx8" for eight of them. capability: of the GPU. reports: a folder for the report of each size.
    values: "refuse": a size whose program goes on by values of the device (item(), nonzero()) has no answer, and its message names what
    asked for them; "zeros": it goes on by zeros.
    """
    parsed_gpu(gpu)
    if values not in ("refuse", "zeros"):
        raise ValueError(f'values {values!r}: expected "refuse" or "zeros"')
    wanted = list(sizes)
    try:
        variables = environment(gpu, capability)
    except BuildError as error:
        raise CaptureError(f"cannot model a GPU: {error}") from None
    folder = None if reports is None else pathlib.Path(reports)
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    context = multiprocessing.get_context("spawn")
    rows = []
    for number, size in enumerate(wanted):
        ours, theirs = context.Pipe(duplex=False)
        report = None if folder is None else str(folder / f"{number}.json")
        process = context.Process(target=_measure, args=(function, size, report, values == "zeros", theirs))
        with _variables(variables):
            process.start()
        theirs.close()
        try:
            row = ours.recv()
        except EOFError:
            process.join()
            row = {"fits": None, "peak_bytes": None, "reserved_bytes": None, "stopped_by": "the process died", "message": f"exit status {process.exitcode}"}
        process.join()
        rows.append({"size": size, **row})
    return TorchFit(gpu, rows)
