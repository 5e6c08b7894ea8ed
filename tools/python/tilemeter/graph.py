# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Graph capture, with the names of TT-NN's graph module, older and newer ones.

A capture sees what all threads do between its begin and its end. begin_graph_capture and end_graph_capture pair up
per thread; `capture` is the same as a block:

    with tilemeter.graph.capture(path="report.json") as taken:
        ...
    taken.nodes
"""

from __future__ import annotations

import atexit
import contextlib
import itertools
import json
import os
import pathlib
import sys
import tempfile
import threading
import warnings
from typing import Any, Callable, Iterator

from tilemeter import _python_io, _tilemeter
from tilemeter._argument_errors import in_words
from tilemeter._capture import Capture as Capture
from tilemeter._capture import single_use
from tilemeter._config import CONFIG
from tilemeter._tilemeter import REPORT_VERSION as REPORT_VERSION
from tilemeter._tilemeter import CaptureError as CaptureError
from tilemeter._tilemeter import RunMode as RunMode
from tilemeter._tilemeter import is_graph_capture_active as is_graph_capture_active
from tilemeter._tilemeter import recording

Node = dict[str, Any]


class _Open:
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
        self.captures: list[_Open] = []


_lock = threading.Lock()
_open: list[_Open] = []  # of all threads, in order of their beginning
_this_thread = _ThisThread()
COMPARISON_RECORDS_SIDECAR_SUFFIX = ".comparison_records.json"
_PYTHON_IO = ".python_io.json"
_SIDECARS = (_PYTHON_IO, COMPARISON_RECORDS_SIDECAR_SUFFIX)
_temporary_names = itertools.count()
_stacks_for_capture = False  # stacks that the outermost capture turned on
_comparison: dict[str, list[Node]] = {}


def _absolute(path: str | os.PathLike[str], what: str) -> pathlib.Path:
    """A path that stays the same when the program changes its folder. Raises TypeError for what is no path, CaptureError for
    what can't name a file."""
    text = os.fsdecode(path)
    if not text or "\0" in text:
        raise CaptureError(f"cannot write {what}: {text!r}: expected the name of a file")
    return pathlib.Path(text if os.path.isabs(text) else os.path.join(os.getcwd(), text))


def _checked_place(path: str | os.PathLike[str]) -> pathlib.Path:
    """Where a report and its sidecars can be written. Raises TypeError or CaptureError where they can't."""
    place = _absolute(path, "a report")
    if os.fsdecode(path).endswith(os.sep):
        raise CaptureError(f"cannot write a report: {path}: expected the name of a file, found that of a folder")
    _tilemeter.check_report_path(place)
    for suffix in _SIDECARS if place.is_file() or not place.exists() else ():  # not beside a pipe or a device
        _tilemeter.check_report_path(_sidecar(place, suffix))
    return place


def _checked_mode(run_mode: Any) -> RunMode:
    """NORMAL unless given. Raises TypeError, as TT-NN does for the names of modes."""
    if run_mode is None:
        return RunMode.NORMAL
    if not isinstance(run_mode, RunMode):
        names = " or ".join(f"ttnn.graph.RunMode.{mode.name}" for mode in RunMode)
        raise TypeError(f"run_mode: expected {names}, found {run_mode!r}")
    return run_mode


def _begin(
    run_mode: RunMode | None, path: str | os.PathLike[str] | None, stream: str | os.PathLike[str] | None = None
) -> _Open:
    global _stacks_for_capture
    # What can't be begun or written is said now, not when the work is done.
    mode = _checked_mode(run_mode)
    place = None if path is None else _checked_place(path)
    events = None if stream is None else _absolute(stream, "a recording")
    if place is not None and events is not None and os.path.realpath(place) == os.path.realpath(events):
        raise CaptureError(f"cannot write a report: {place}: the recording (stream) goes there")
    with _lock:
        begun = _Open(mode, place, events)
        if not _open:
            recording.clear()
            begun.first_record = 0
            _comparison.clear()
            recording.enabled = True
            wanted = CONFIG.enable_graph_python_stack_traces or CONFIG.enable_detailed_tensor_report
            _stacks_for_capture = wanted and not recording.stacks
            recording.stacks = recording.stacks or wanted
        _open.append(begun)
    _this_thread.captures.append(begun)
    return begun


def _innermost() -> _Open:
    """Of this thread's captures the one begun last; where it has none, of all."""
    if _this_thread.captures:
        return _this_thread.captures[-1]
    if not _open:
        raise CaptureError("end of graph capture: no capture is open; begin_graph_capture comes first")
    return _open[-1]


def _ended(capture: _Open) -> None:
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


def _sidecar(report_path: str | os.PathLike[str], suffix: str) -> pathlib.Path:
    return pathlib.Path(report_path).with_suffix(suffix)


def _write_json(path: pathlib.Path, value: object) -> None:
    """A reader finds the old file or the whole new one."""
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with open(unfinished, "w", encoding="utf-8") as file:
            json.dump(value, file)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def _temporary_place() -> pathlib.Path:
    """A report that isn't there yet, in the temporary folder."""
    while True:
        place = pathlib.Path(tempfile.gettempdir(), f"tilemeter_{os.getpid()}_{next(_temporary_names)}.json")
        if not place.exists():
            return place


def _write_sidecars(place: pathlib.Path, records: list[Node]) -> None:
    if records:
        _write_json(_sidecar(place, _PYTHON_IO), records)
    if has_comparison_records():
        _write_json(_sidecar(place, COMPARISON_RECORDS_SIDECAR_SUFFIX), _comparison_document())
        reset_comparison_records_data()


def _save(capture: _Open, report_path: str | os.PathLike[str]) -> _tilemeter.CapturedGraph:
    """Ends a capture and writes its files. Raises CaptureError, and it stays open, where its report can't be written."""
    place = _checked_place(report_path)
    graph = capture.native.end_to_file(place)
    records = capture.records()
    _ended(capture)
    try:
        _write_sidecars(place, records)
    except OSError as error:
        raise CaptureError(f"the report is written, but not what belongs to it: {error}") from error
    return graph


def _save_or_keep(capture: _Open, path: pathlib.Path) -> tuple[_tilemeter.CapturedGraph, str]:
    """Ends a capture and writes its files: to `path`, else to the temporary folder. Gives what went wrong, "" if nothing did."""
    records, place, problem = capture.records(), path, ""
    try:
        try:
            graph = capture.native.end_to_file(place)
        except CaptureError as error:
            place = _temporary_place()
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
        _ended(capture)
    try:
        _write_sidecars(place, records)
    except OSError as error:
        kept = _temporary_place()
        problem = f"{problem or f'the report is in {place}'}, but not what belongs to it: {error}"
        try:
            _write_sidecars(kept, records)
            problem += f"; that is kept in {_sidecar(kept, '.*.json')}"
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
    _begin(run_mode, None)


def end_graph_capture() -> list[Node]:
    """Ends this thread's innermost capture and gives its nodes. Raises CaptureError without one."""
    capture = _innermost()
    graph = capture.native.end()
    records = capture.records() if recording.stacks else []
    _ended(capture)
    return _with_stacks(graph.nodes(), records)


def end_graph_capture_to_file(report_path: str | os.PathLike[str]) -> list[Node]:
    """Ends this thread's innermost capture, writes its report and sidecars, and gives its nodes.

    Missing folders are made. Raises CaptureError when the report can't be written; the capture then stays open.
    """
    capture = _innermost()
    with_stacks = recording.stacks
    graph = _save(capture, report_path)
    return _with_stacks(graph.nodes(), capture.records() if with_stacks else [])


def _finish(taken: Capture, opened: _Open) -> str:
    """Ends a block's capture, whatever happens; gives what went wrong with its files, "" if nothing did."""
    if opened.kept_at_exit:  # the interpreter goes, and takes the open block with it
        return ""
    taken._python_io = opened.records()
    if opened.path is not None:
        taken._graph, problem = _save_or_keep(opened, opened.path)
        return problem
    try:
        taken._graph = opened.native.end()
    finally:
        _ended(opened)
    return ""


@single_use
def capture(
    path: str | os.PathLike[str] | None = None,
    *,
    run_mode: RunMode | None = None,
    stream: str | os.PathLike[str] | None = None,
    values: bool = True,
) -> Iterator[Capture]:
    """A capture for the length of a block; with `path` its report is written, also when the block raises.

    A path where nothing can be written raises CaptureError (TypeError, if it is no path) before the block begins. What turns
    out only when the block has ended, such as a full disk, raises CaptureError with the place in the temporary folder where
    the report is kept; a warning says so instead, if the block raised. `nodes` and `peak` answer all the same.
    stream: a file that takes the events as they happen, so that memory stays small however long the capture is and
    `recover` makes a report of it even when the process was killed.
    values: False does everything of NORMAL but compute, for what a large model allocates and where. Tensors made in the block,
    and in other threads while it is open, have no values then: reading one, or what is made of it, raises RuntimeError.
    """
    opened = _begin(run_mode, path, stream)
    uncomputed = None if values else _tilemeter.WithoutValues()
    taken = Capture()
    try:
        try:
            yield taken
        finally:
            if uncomputed is not None:
                uncomputed.close()
    except BaseException:
        problem = _finish(taken, opened)
        if problem:
            warnings.warn(f"tilemeter: {problem}", RuntimeWarning, stacklevel=4)
        raise
    problem = _finish(taken, opened)
    if problem:
        raise CaptureError(problem)


@single_use
def full_graph_capture(
    report_path: str | os.PathLike[str], *, run_mode: RunMode | None = None, slow_dispatch: bool = True
) -> Iterator[None]:
    """A capture with everything on: stacks, buffer pages, a captured graph per call. Written on success only."""
    place = _checked_place(report_path)
    stacks, pages, fast = recording.stacks, is_detailed_buffer_tracing_enabled(), CONFIG.enable_fast_runtime_mode
    enable_python_stack_traces()
    enable_detailed_buffer_tracing()
    if slow_dispatch:
        CONFIG.enable_fast_runtime_mode = False
    problem = ""
    try:
        opened = _begin(run_mode, None)
        try:
            yield
            _, problem = _save_or_keep(opened, place)
        finally:
            if opened in _open:
                opened.native.end()
                _ended(opened)
    finally:
        recording.stacks = stacks
        if not pages:
            disable_detailed_buffer_tracing()
        CONFIG.enable_fast_runtime_mode = fast
    if problem:
        raise CaptureError(problem)


@in_words
def recover(stream: str | os.PathLike[str], report_path: str | os.PathLike[str]) -> _tilemeter.Recovered:
    """Writes the report of a capture's stream, also of a process that died; `.death` says of what. Raises ValueError."""
    return _tilemeter.recover_report(stream, report_path)


# Scopes ---------------------------------------------------------------------------------------------------------


@in_words
def track_function_start(function_name: str) -> None:
    """Opens a scope of the caller's own in this thread; in reports it looks like an operation."""
    _tilemeter.begin_python_function(function_name)


def track_function_end() -> None:
    """Closes this thread's innermost scope; without one nothing happens."""
    _tilemeter.end_python_function()


def _cpp_unwind_open_functions(reason: str = "") -> None:
    """Nothing to do: a scope here ends with its operation, also when that fails."""


# Switches -------------------------------------------------------------------------------------------------------


def enable_detailed_buffer_tracing() -> None:
    """Reports say where each page of a buffer in L1 lies, and which buffers were live after each operation."""
    _tilemeter.enable_buffer_pages()


def disable_detailed_buffer_tracing() -> None:
    """Ends what enable_detailed_buffer_tracing began."""
    _tilemeter.disable_buffer_pages()


def is_detailed_buffer_tracing_enabled() -> bool:
    """Whether reports have pages and live buffers."""
    return _tilemeter.is_buffer_pages_enabled()


def enable_python_stack_traces() -> None:
    """Records hold the Python stack of each call."""
    recording.stacks = True


def disable_python_stack_traces() -> None:
    """Ends what enable_python_stack_traces began."""
    recording.stacks = False


def is_python_stack_trace_enabled() -> bool:
    """Whether records hold Python stacks."""
    return recording.stacks


def enable_stack_traces() -> None:
    """Functions say from where they were called: Python's frames, then those of C++; records as well."""
    enable_python_stack_traces()
    _tilemeter.enable_native_stack_traces()


def disable_stack_traces() -> None:
    """Ends what enable_stack_traces began."""
    disable_python_stack_traces()
    _tilemeter.disable_native_stack_traces()


# The names of the documents.
is_stack_trace_enabled = is_python_stack_trace_enabled
enable_buffer_pages = enable_detailed_buffer_tracing
disable_buffer_pages = disable_detailed_buffer_tracing


def enable_python_io_recording() -> None:
    """Records calls; begin_graph_capture does it by itself."""
    recording.enabled = True


def disable_python_io_recording() -> None:
    """Ends the recording of calls, also within a capture."""
    recording.enabled = False


def is_python_io_recording_enabled() -> bool:
    """Whether calls are recorded."""
    return recording.enabled


# Records --------------------------------------------------------------------------------------------------------


def append_python_io_record(name: str) -> Node:
    """Keeps a place for a call, before its arguments are known."""
    record: Node = {"name": name, "arguments": {}, "input_tensor_ids": []}
    recording.append(record)
    return record


def record_python_operation(
    name: str, function_args: tuple[Any, ...], function_kwargs: dict[str, Any], *, record: Node | None = None
) -> Node:
    """Records a call's arguments."""
    record = append_python_io_record(name) if record is None else record
    record.update(_tilemeter.call_record_of(name, tuple(function_args), dict(function_kwargs)))
    if recording.stacks:
        record["python_stack_trace"] = _python_io.stack_text(_python_io.python_stack())
    return record


def record_python_operation_error(record: Node | None, error_type: str, error_message: str) -> None:
    """Adds why a call failed to its record, unless it says so already."""
    if record is not None:
        record.setdefault("error", {"type": error_type, "message": error_message})


def store_output_tensor_ids(output_tensor_ids: list[int]) -> None:
    """Adds a call's results to the latest record."""
    latest = recording.latest()
    if latest is not None:
        latest.store_outputs(output_tensor_ids)


def store_captured_graph(captured_graph: list[Node]) -> None:
    """Adds a call's own graph to the latest record."""
    latest = recording.latest()
    if latest is not None:
        latest.store_captured_graph(captured_graph)


# Comparison records ---------------------------------------------------------------------------------------------

_LOCAL, _GLOBAL, _TENSORS = "local_tensor_comparison_records", "global_tensor_comparison_records", "tensors"


def _comparison_document() -> Node:
    return {"version": 1, **{key: _comparison.get(key, []) for key in (_LOCAL, _GLOBAL, _TENSORS)}}


def record_tensor_comparison_data(
    *,
    local_tensor_comparison_records: list[Node] | None = None,
    global_tensor_comparison_records: list[Node] | None = None,
    tensors: list[Node] | None = None,
) -> None:
    """Adds results of comparing tensors with golden ones; they go into X.comparison_records.json."""
    _comparison.setdefault(_LOCAL, []).extend(local_tensor_comparison_records or ())
    _comparison.setdefault(_GLOBAL, []).extend(global_tensor_comparison_records or ())
    known = {tensor["tensor_id"] for tensor in _comparison.setdefault(_TENSORS, [])}
    for tensor in tensors or ():
        if tensor["tensor_id"] not in known:
            known.add(tensor["tensor_id"])
            _comparison[_TENSORS].append(tensor)


def has_comparison_records() -> bool:
    """Whether tensors were compared since the capture began."""
    return any(_comparison.values())


def reset_comparison_records_data() -> None:
    """Forgets the comparison records."""
    _comparison.clear()


def flush_comparison_records_to_db(report_dir: str | os.PathLike[str]) -> None:
    """Writes the comparison records into report_dir/comparison_records.json and, where reports lie there, db.sqlite."""
    if not has_comparison_records():
        return
    folder = pathlib.Path(report_dir)
    folder.mkdir(parents=True, exist_ok=True)
    _write_json(folder / "comparison_records.json", _comparison_document())
    reset_comparison_records_data()
    sidecars = ("comparison_records.json", ".python_io.json", ".tensor_lifetime.json")
    if any(not path.name.endswith(sidecars) for path in folder.glob("*.json")):
        import_report(folder, folder)


class ExitStackWithPop(contextlib.ExitStack):
    """An exit stack whose latest entry can be left alone."""

    def pop(self) -> None:
        """Leaves the latest entry."""
        _, leave = self._exit_callbacks.pop()  # type: ignore[attr-defined]
        leave(None, None, None)


def _keep_open_captures() -> None:
    """At exit: what is still being captured is written, not lost."""
    for opened in list(reversed(_open)):
        path = opened.path or _temporary_place()
        if opened.path is None and CONFIG.report_path is not None:
            path = CONFIG.report_path / path.name
        opened.kept_at_exit = True
        try:
            _, problem = _save_or_keep(opened, path)
            print(f"tilemeter: a capture was open at exit; {problem or f'its report: {path}'}", file=sys.stderr)
        except Exception as error:
            print(f"tilemeter: a capture was open at exit and is lost: {error}", file=sys.stderr)


atexit.register(_keep_open_captures)

from tilemeter._analyses import *  # noqa: E402,F401,F403
from tilemeter._answers import Answer as Answer  # noqa: E402
from tilemeter._answers import check as check  # noqa: E402
from tilemeter._answers import diff as diff  # noqa: E402
from tilemeter._answers import explain as explain  # noqa: E402
from tilemeter._answers import fit as fit  # noqa: E402
from tilemeter._answers import html as html  # noqa: E402
from tilemeter._answers import levelized as levelized  # noqa: E402
from tilemeter._answers import perfetto as perfetto  # noqa: E402
from tilemeter._answers import show as show  # noqa: E402
from tilemeter._answers import svg as svg  # noqa: E402
from tilemeter._answers import timeline as timeline  # noqa: E402
from tilemeter._answers import tree as tree  # noqa: E402
from tilemeter._fit_workload import fit_workload as fit_workload  # noqa: E402
from tilemeter._memory import find_peak as find_peak  # noqa: E402
from tilemeter._drawing import pretty_format as pretty_format  # noqa: E402
from tilemeter._drawing import pretty_print as pretty_print  # noqa: E402
from tilemeter._drawing import visualize as visualize  # noqa: E402
from tilemeter._drawing import visualize_edge as visualize_edge  # noqa: E402
from tilemeter._drawing import visualize_node as visualize_node  # noqa: E402
from tilemeter._graph_report import extract_operation_durations as extract_operation_durations  # noqa: E402
from tilemeter._graph_report import extract_total_duration_from_graph as extract_total_duration_from_graph  # noqa: E402
from tilemeter._graph_report import import_report as import_report  # noqa: E402
