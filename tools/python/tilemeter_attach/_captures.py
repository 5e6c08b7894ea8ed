# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Captures of this package's own, and those that stand beside or in place of TT-NN's."""

from __future__ import annotations

import contextlib
import functools
import itertools
import json
import os
import pathlib
import sys
import tempfile
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any

from tilemeter_attach._library import AttachError, PlaceError
from tilemeter_attach._observer import Observer, attach
from tilemeter_attach._programs import before_sudden_exit

TEXTS = 1
STACKS = 2


def flags_of(texts: bool, stacks: bool) -> int:
    return (TEXTS if texts else 0) | (STACKS if stacks else 0)


class Capture:
    """A capture from its construction to end(), which writes its report."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        no_dispatch: bool = False,
        stream: str | os.PathLike[str] | None = None,
        texts: bool = False,
        stacks: bool = False,
    ) -> None:
        self.path = pathlib.Path(path)
        self._report = pathlib.Path(os.path.abspath(path))  # wherever the program goes from here
        self._written: pathlib.Path | None = None
        check_writable(self._report)
        self._observer = attach()
        recording = None if stream is None else os.fspath(stream)
        self._capture: int | None = self._observer.begin(
            no_dispatch, recording, flags_of(texts, stacks), alone=True
        )

    def end(self) -> None:
        """Ends the capture and writes the report, once. Where that can't be written any more, raises AttachError with the place
        in the temporary folder where it is kept; only if it can't be kept either, it stays open."""
        if self._capture is None:
            return
        if self._observer.refused:  # which was said
            self._capture = None
            return
        self._observer.describe()
        try:
            self._observer.end(self._capture, str(self._report))
        except AttachError as error:
            kept = _temporary_place()
            try:
                self._observer.end(self._capture, str(kept))
            except AttachError as another:
                raise AttachError(f"{error}; nor could it be kept: {another}") from error
            self._capture, self._written = None, kept
            raise AttachError(f"{error}; it is kept in {kept}") from None
        self._capture, self._written = None, self._report

    def summary(self) -> str:
        """One line of the report that was written: its path, operations, peaks. Empty without one."""
        return "" if self._written is None else self._observer.library.summary(str(self._written))

    def __enter__(self) -> Capture:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        try:
            self.end()
        except AttachError as problem:
            if error is None:
                raise
            print(f"tilemeter: {problem}", file=sys.stderr)  # an exception of the block goes on


class WholeRun:
    """A capture of all that a process does. Its end may be called where the process ends; what was forked may come there, too."""

    def __init__(self, capture: Capture) -> None:
        self._capture = capture
        self._owner = os.getpid()
        self._ended = False
        before_sudden_exit(self.end)

    def end(self) -> None:
        if os.getpid() != self._owner:
            return
        if self._ended:
            return
        self._ended = True
        try:
            self._capture.end()
        except AttachError as error:
            print(f"tilemeter: {error}", file=sys.stderr)
        if said := self._capture.summary():
            print(f"tilemeter: {said}", file=sys.stderr)


def capture(path: str | os.PathLike[str], **options: Any) -> Capture:
    """Captures what TT-NN does in the `with` block and writes the report to `path`.

    no_dispatch: operations are planned only, as in TT-NN's RunMode.NO_DISPATCH. stream: a recording file that outlives a
    process that is killed. texts: arguments of operations as texts. stacks: from where Python called them.
    """
    return Capture(path, **options)


def check_writable(path: pathlib.Path) -> None:
    """Raises PlaceError where no file can be made. What rights say is not enough: of /proc they say yes."""
    folder = path.parent
    while not folder.exists() and folder != folder.parent:
        folder = folder.parent
    try:
        if path.exists():
            os.close(os.open(path, os.O_WRONLY | os.O_APPEND | os.O_NONBLOCK))
        if path.is_file() or not path.exists():  # else a pipe or a device, which is written as it is
            handle, probe = tempfile.mkstemp(prefix=".tilemeter_", dir=folder)
            os.close(handle)
            os.unlink(probe)
    except OSError as error:
        raise PlaceError(f"cannot attach: {path} cannot be written: {error.strerror}") from None


def _temporary_place() -> pathlib.Path:
    """A report that isn't there yet, in the temporary folder."""
    for number in itertools.count():
        place = pathlib.Path(tempfile.gettempdir(), f"tilemeter_{os.getpid()}_{number}.json")
        if not place.exists():
            break
    return place


written: list[str] = []  # reports of follow() and instead(), in order


def say_written(observer: Observer) -> None:
    """At the program's end, one line of what follow() and instead() wrote."""
    if written and (said := observer.library.summary(written[-1])):
        print(f"tilemeter: {said if len(written) == 1 else f'{len(written)} reports; the last: {said}'}", file=sys.stderr)


def follow(observer: Observer, flags: int) -> None:
    """A capture beside each of the program's own: X.json gets X.attached.json."""
    graph = observer.ttnn.graph
    begin, end, end_to_file = graph.begin_graph_capture, graph.end_graph_capture, graph.end_graph_capture_to_file
    open_captures: list[int] = []  # 0: TT-NN's internal ones, and those that could not begin

    @functools.wraps(begin)
    def begin_graph_capture(run_mode: Any = None, *, _internal: bool = False) -> Any:
        capture = 0
        if not _internal:
            with _said():
                capture = observer.begin(_plans(observer, run_mode, False), None, flags, alone=False)
        open_captures.append(capture)
        try:
            return begin(run_mode, _internal=_internal)
        except BaseException:
            _drop(observer, open_captures)
            raise

    @functools.wraps(end)
    def end_graph_capture() -> Any:
        result = end()
        _drop(observer, open_captures)
        return result

    @functools.wraps(end_to_file)
    def end_graph_capture_to_file(report_path: Any) -> Any:
        result = end_to_file(report_path)  # the capture stays open where that fails
        if open_captures and open_captures[-1]:
            with _said():
                observer.describe()
                report = str(pathlib.Path(report_path).with_suffix(".attached.json"))
                observer.end(open_captures[-1], report)
                written.append(os.path.abspath(report))
                open_captures[-1] = 0
        _drop(observer, open_captures)
        return result

    graph.begin_graph_capture = begin_graph_capture
    graph.end_graph_capture = end_graph_capture
    graph.end_graph_capture_to_file = end_graph_capture_to_file
    _end_all_of_contexts(observer, open_captures)


def instead(observer: Observer, flags: int) -> None:
    """The program's own captures are taken by this recorder: their nodes and reports are its."""
    graph = observer.ttnn.graph
    begin, end = graph.begin_graph_capture, graph.end_graph_capture
    open_captures: list[int] = []  # 0: TT-NN's internal ones

    @functools.wraps(begin)
    def begin_graph_capture(run_mode: Any = None, *, _internal: bool = False) -> Any:
        if _internal or not _is_mode(observer, run_mode):
            result = begin(run_mode, _internal=_internal)  # which refuses what is no mode
            open_captures.append(0)
            return result
        # TT-NN plans only where the outermost capture says so: one of NO_DISPATCH within another changes nothing.
        open_captures.append(observer.begin(_plans(observer, run_mode, not any(open_captures)), None, flags, alone=True))
        return None

    @functools.wraps(end)
    def end_graph_capture() -> Any:
        capture = open_captures.pop() if open_captures else 0
        if not capture:
            return end()
        return json.loads(observer.end_to_text(capture))

    def end_graph_capture_to_file(report_path: Any) -> Any:
        if not open_captures or not open_captures[-1]:
            raise RuntimeError("end_graph_capture_to_file: no capture is open")
        observer.describe()
        observer.end(open_captures[-1], os.fspath(report_path))  # as with TT-NN, it stays open where that fails
        written.append(os.path.abspath(report_path))
        open_captures.pop()
        with open(report_path) as file:
            return json.load(file)["graph"]

    graph.begin_graph_capture = begin_graph_capture
    graph.end_graph_capture = end_graph_capture
    graph.end_graph_capture_to_file = end_graph_capture_to_file
    _end_all_of_contexts(observer, open_captures)


@contextlib.contextmanager
def _said() -> Iterator[None]:
    """A program that is followed does not notice what goes wrong here."""
    try:
        yield
    except AttachError as error:
        print(f"tilemeter: {error}", file=sys.stderr)


def _drop(observer: Observer, open_captures: list[int]) -> None:
    if open_captures and (capture := open_captures.pop()):
        with _said():
            observer.end(capture, None)


def _end_all_of_contexts(observer: Observer, open_captures: list[int]) -> None:
    """TT-NN's context manager, where it has one, ends its capture by another way if the program raises in it."""
    graph = observer.ttnn.graph
    original = getattr(graph, "full_graph_capture", None)
    if original is None:
        return

    @functools.wraps(original)
    @contextlib.contextmanager
    def full_graph_capture(*arguments: Any, **keywords: Any) -> Iterator[None]:
        outside = len(open_captures)
        try:
            with original(*arguments, **keywords):
                yield
        finally:
            while len(open_captures) > outside:
                _drop(observer, open_captures)

    graph.full_graph_capture = full_graph_capture


def _is_mode(observer: Observer, run_mode: Any) -> bool:
    return run_mode is None or isinstance(run_mode, (int, observer.ttnn.graph.RunMode))


def _plans(observer: Observer, run_mode: Any, alone: bool) -> int:
    """0: NORMAL; 1: NO_DISPATCH, which this recorder has to see to; 2: NO_DISPATCH, which another capture sees to."""
    plans = observer.ttnn.graph.RunMode.NO_DISPATCH
    if run_mode is None or (run_mode != plans and run_mode != plans.value):
        return 0
    return 1 if alone else 2
