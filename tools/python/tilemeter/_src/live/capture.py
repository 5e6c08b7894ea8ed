# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Captures of a PyTorch program while it runs."""

from __future__ import annotations

import os
import pathlib
import sys
from types import TracebackType

from tilemeter._src.answers.answers import fit
from tilemeter._src.captures.files import absolute_place, temporary_place
from tilemeter._src.live.observer import Observer, observer
from tilemeter._tilemeter import CaptureError, check_report_path


UNUSED = "nothing was allocated on the GPU"


class TorchCapture:
    """A capture of what PyTorch does, from its construction to end(), which writes its report."""

    def __init__(
        self, path: str | os.PathLike[str], *, device: str | None = None, stream: str | os.PathLike[str] | None = None
    ) -> None:
        self.path = pathlib.Path(path)
        self._report = absolute_place(path, "a report")
        check_report_path(self._report)
        self._written: pathlib.Path | None = None
        self._observer: Observer = observer()
        if not self._observer.is_own:
            raise CaptureError("this process was forked from one that captures PyTorch: start it anew (spawn)")
        self._capture = self._observer.recorder.begin(None if stream is None else os.fspath(stream))
        self._open = True
        try:
            self._is_of_cuda = self._observer.start(device)
        except BaseException:
            self._open = False
            self._observer.recorder.drop(self._capture)
            raise

    @property
    def is_lower_bound(self) -> bool:
        """True where only what Python sees is told."""
        return bool(self._observer.lower_bound)

    def fail(self, error: BaseException) -> None:
        """The report says that the program failed so."""
        if self._open and self._observer.is_own:
            kind = type(error)
            name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
            lines = str(error).splitlines()
            self._observer.fail(name, lines[0] if lines else name)

    def end(self) -> None:
        """Ends the capture and writes the report, once. Where that can't be written any more it is kept in the temporary folder,
        and CaptureError says where."""
        if not self._open or not self._observer.is_own:
            return
        self._open = False
        self._observer.stop()
        recorder = self._observer.recorder
        try:
            recorder.end(self._capture, os.fspath(self._report))
            self._written = self._report
        except CaptureError as error:
            kept = temporary_place()
            try:
                recorder.end(self._capture, os.fspath(kept))
            except CaptureError as another:
                recorder.drop(self._capture)
                raise CaptureError(f"{error}; nor could it be kept: {another}") from None
            self._written = kept
            raise CaptureError(f"{error}; it is kept in {kept}") from None

    def summary(self) -> str:
        """One line of the report that was written: its path and its peak. Empty without one."""
        return "" if self._written is None else summary_of(self._written, self._is_of_cuda, self.is_lower_bound)

    def __enter__(self) -> TorchCapture:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None) -> None:
        if error is not None and not is_orderly_exit(error):
            self.fail(error)
        try:
            self.end()
        except CaptureError as problem:
            if error is None:
                raise
            print(f"tilemeter: {problem}", file=sys.stderr)  # an exception of the block goes on


def summary_of(report: pathlib.Path, is_of_cuda: bool, is_lower_bound: bool) -> str:
    peak = fit(report)["dram"]["peak_bytes_per_bank"] or 0
    unused = f"; {UNUSED} (of the host's memory: --device cpu, without --gpu)" if is_of_cuda and peak == 0 else ""
    return f"{report}: peak {'at least ' if is_lower_bound else ''}{peak:,} B{unused}"


def is_orderly_exit(error: BaseException) -> bool:
    return isinstance(error, SystemExit) and error.code in (None, 0)


def capture(
    path: str | os.PathLike[str], *, device: str | None = None, stream: str | os.PathLike[str] | None = None
) -> TorchCapture:
    """Captures what PyTorch does in the `with` block: functions and memory of all threads, to the byte, in a report.

    device: "cuda": the report is of CUDA's devices, and has the host's memory as system memory; "cpu": it is of the host alone. By
    default CUDA's, where PyTorch finds any. stream: a recording file that outlives a process that is killed.
    """
    return TorchCapture(path, device=device, stream=stream)
