# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Captures from their begin to their end.

A capture sees what all threads do between the two. begin_graph_capture and end_graph_capture pair up per thread.
"""

from __future__ import annotations

import atexit
import contextlib
import os
import pathlib
import sys
import threading
from typing import Any

from tilemeter import _tilemeter
from tilemeter._src.base.config import CONFIG
from tilemeter._src.base.nodes import Node
from tilemeter._src.captures.comparison_records import (
    comparison_document, has_comparison_records, reset_comparison_records_data,
)
from tilemeter._src.captures.files import (
    COMPARISON_RECORDS_SIDECAR_SUFFIX, PYTHON_IO_SUFFIX, absolute_place, checked_place, sidecar, temporary_place, write_json,
)
from tilemeter._tilemeter import CaptureError, RunMode, recording


class OpenCapture:
    """A capture that has begun. path: where its report goes, None for nowhere."""

    def __init__(self, run_mode: RunMode, path: pathlib.Path | None, stream: pathlib.Path | None) -> None:
        self.first_record = len(recording)
        self.path = path
        self.kept_at_exit = False
        self.native = _tilemeter.OpenCapture(run_mode, stream)

    def records(self) -> list[Node]:
        return recording.as_dicts(self.first_record)


class _ThisThread(threading.local):
    def __init__(self) -> None:
        self.captures: list[OpenCapture] = []


_lock = threading.Lock()
_open: list[OpenCapture] = []  # of all threads, in order of their beginning
_this_thread = _ThisThread()
_stacks_for_capture = False  # stacks that the outermost capture turned on


def _checked_mode(run_mode: Any) -> RunMode:
    """NORMAL unless given. Raises TypeError, as TT-NN does for the names of modes."""
    if run_mode is None:
        return RunMode.NORMAL
    if not isinstance(run_mode, RunMode):
        names = " or ".join(f"ttnn.graph.RunMode.{mode.name}" for mode in RunMode)
        raise TypeError(f"run_mode: expected {names}, found {run_mode!r}")
    return run_mode


def begin(
    run_mode: RunMode | None, path: str | os.PathLike[str] | None, stream: str | os.PathLike[str] | None = None
) -> OpenCapture:
    """Begins a capture, in this thread the innermost. Raises TypeError or CaptureError."""
    global _stacks_for_capture
    # Captures that can't be begun or written are refused now, not when the work is done.
    mode = _checked_mode(run_mode)
    place = None if path is None else checked_place(path)
    events = None if stream is None else absolute_place(stream, "a recording")
    if place is not None and events is not None and os.path.realpath(place) == os.path.realpath(events):
        raise CaptureError(f"cannot write a report: {place}: the recording (stream) goes there")
    with _lock:
        begun = OpenCapture(mode, place, events)
        if not _open:
            recording.clear()
            begun.first_record = 0
            reset_comparison_records_data()
            recording.enabled = True
            wanted = CONFIG.enable_graph_python_stack_traces or CONFIG.enable_detailed_tensor_report
            _stacks_for_capture = wanted and not recording.stacks
            recording.stacks = recording.stacks or wanted
        _open.append(begun)
    _this_thread.captures.append(begun)
    return begun


def is_open(capture: OpenCapture) -> bool:
    """True if it has begun and not ended."""
    return capture in _open


def _innermost() -> OpenCapture:
    """The capture of this thread that was begun last; where it has none, of all."""
    if _this_thread.captures:
        return _this_thread.captures[-1]
    if not _open:
        raise CaptureError("end of graph capture: no capture is open; begin_graph_capture comes first")
    return _open[-1]


def ended(capture: OpenCapture) -> None:
    """Forgets a capture that has ended; with the last one recording ends, too."""
    global _stacks_for_capture
    if capture in _this_thread.captures:
        _this_thread.captures.remove(capture)
    with _lock:
        if capture in _open:
            _open.remove(capture)
        if not _open:
            recording.enabled = False
            if _stacks_for_capture:
                recording.stacks = _stacks_for_capture = False


def _write_sidecars(place: pathlib.Path, records: list[Node]) -> None:
    if records:
        write_json(sidecar(place, PYTHON_IO_SUFFIX), records)
    if has_comparison_records():
        write_json(sidecar(place, COMPARISON_RECORDS_SIDECAR_SUFFIX), comparison_document())
        reset_comparison_records_data()


def _save(capture: OpenCapture, report_path: str | os.PathLike[str]) -> _tilemeter.CapturedGraph:
    """Ends a capture and writes its files. Raises CaptureError, and it stays open, where its report can't be written."""
    place = checked_place(report_path)
    graph = capture.native.end_to_file(place)
    records = capture.records()
    ended(capture)
    try:
        _write_sidecars(place, records)
    except OSError as error:
        raise CaptureError(f"the report is written, but not what belongs to it: {error}") from error
    return graph


def save_or_keep(capture: OpenCapture, path: pathlib.Path) -> tuple[_tilemeter.CapturedGraph, str]:
    """Ends a capture and writes its files: to `path`, else to the temporary folder. Gives what went wrong, "" if nothing did."""
    records, place, problem = capture.records(), path, ""
    try:
        try:
            graph = capture.native.end_to_file(place)
        except CaptureError as error:
            place = temporary_place()
            problem = f"{error}; it is kept in {place}"
            try:
                graph = capture.native.end_to_file(place)
            except CaptureError as another:
                return capture.native.end(), f"{error}; nor could it be kept: {another}"
    except BaseException:
        with contextlib.suppress(CaptureError):
            capture.native.end()  # it stays open on no account
        raise
    finally:
        ended(capture)
    try:
        _write_sidecars(place, records)
    except OSError as error:
        kept = temporary_place()
        problem = f"{problem or f'the report is in {place}'}, but not what belongs to it: {error}"
        try:
            _write_sidecars(kept, records)
            problem += f"; that is kept in {sidecar(kept, '.*.json')}"
        except OSError as another:
            problem += f"; nor could that be kept: {another}"
    return graph, problem


def _with_stacks(nodes: list[Node], records: list[Node]) -> list[Node]:
    """Adds `stack_trace` to the functions that Python called, where stacks were recorded."""
    waiting: dict[str, list[list[str]]] = {}
    for record in records:
        if "python_stack_trace" in record:
            waiting.setdefault(record["name"], []).append(record["python_stack_trace"])
    for node in nodes if waiting else ():
        if node["node_type"] == "function_start" and waiting.get(node["params"]["name"]):
            node["stack_trace"] = waiting[node["params"]["name"]].pop(0) + node.get("stack_trace", [])
    return nodes


def begin_graph_capture(run_mode: RunMode | None = None) -> None:
    """Begins a capture; run_mode NORMAL unless given. Captures nest, each gets what happened within it."""
    begin(run_mode, None)


def end_graph_capture() -> list[Node]:
    """Ends this thread's innermost capture and gives its nodes. Raises CaptureError without one."""
    capture = _innermost()
    graph = capture.native.end()
    records = capture.records() if recording.stacks else []
    ended(capture)
    return _with_stacks(graph.nodes(), records)


def end_graph_capture_to_file(report_path: str | os.PathLike[str]) -> list[Node]:
    """Ends this thread's innermost capture, writes its report and sidecars, and gives its nodes.

    Missing folders are made. Raises CaptureError when the report can't be written; the capture then stays open.
    """
    capture = _innermost()
    with_stacks = recording.stacks
    graph = _save(capture, report_path)
    return _with_stacks(graph.nodes(), capture.records() if with_stacks else [])


def _keep_open_captures() -> None:
    """At exit: what is still being captured is written, not lost."""
    for opened in list(reversed(_open)):
        path = opened.path or temporary_place()
        if opened.path is None and CONFIG.report_path is not None:
            path = CONFIG.report_path / path.name
        opened.kept_at_exit = True
        try:
            _, problem = save_or_keep(opened, path)
            print(f"tilemeter: a capture was open at exit; {problem or f'its report: {path}'}", file=sys.stderr)
        except Exception as error:
            print(f"tilemeter: a capture was open at exit and is lost: {error}", file=sys.stderr)


atexit.register(_keep_open_captures)
