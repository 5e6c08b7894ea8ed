# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Captures for the length of a block, and what they took."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import warnings
from typing import Any, Callable, Iterator, ParamSpec, TypeVar

from tilemeter import _tilemeter
from tilemeter._src.base.argument_errors import in_words
from tilemeter._src.base.config import CONFIG
from tilemeter._src.base.nodes import Node
from tilemeter._src.captures.files import checked_place
from tilemeter._src.captures.open_captures import OpenCapture, begin, ended, is_open, save_or_keep
from tilemeter._src.captures.switches import (
    disable_detailed_buffer_tracing, enable_detailed_buffer_tracing, enable_python_stack_traces,
    is_detailed_buffer_tracing_enabled,
)
from tilemeter._tilemeter import CaptureError, RunMode, recording

_TOLD = ("name", "output_tensor_ids", "python_stack_trace", "error")  # of a record: not its arguments, which are long
_P = ParamSpec("_P")
_T = TypeVar("_T")
_Taken = TypeVar("_Taken", bound="Block")


class Block:
    """The capture of a block; complete when it has ended."""

    def __init__(self) -> None:
        self._graph: _tilemeter.CapturedGraph | None = None
        self._nodes: list[Node] | None = None
        self._python_io: list[Node] = []
        self._list: _tilemeter.NodeList | None = None
        self._text: str | None = None

    @property
    def graph(self) -> _tilemeter.CapturedGraph:
        """The capture as C++ has it. Raises CaptureError while the block runs."""
        if self._graph is None:
            raise CaptureError("this capture has not ended: its nodes are there after the with block")
        return self._graph

    @property
    def nodes(self) -> list[Node]:
        """The node list; made when first asked for."""
        if self._nodes is None:
            self._nodes = self.graph.nodes()
        return self._nodes

    @property
    def python_io(self) -> list[Node]:
        """The records of the calls from Python."""
        return self._python_io

    def __len__(self) -> int:
        return len(self.graph)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.nodes)

    def _node_list(self) -> _tilemeter.NodeList:
        """The capture as the analyses read it, with what Python recorded of its calls."""
        if self._list is None:
            told = [{key: record[key] for key in _TOLD if key in record} for record in self._python_io]
            self._list = _tilemeter.node_list(self.graph, json.dumps(told))
        return self._list


class _SingleUse(contextlib.ContextDecorator, contextlib.AbstractContextManager[_T]):
    """A context manager of a generator that says what is wrong when it is entered again; as a decorator it is made anew."""

    def __init__(self, make: Callable[[], contextlib.AbstractContextManager[_T]]) -> None:
        self._make = make
        self._inner = make()
        self._used = False

    def _recreate_cm(self) -> _SingleUse[_T]:
        return _SingleUse(self._make)

    def __enter__(self) -> _T:
        if self._used:
            raise CaptureError("this capture has been used: each block needs a new one, with graph.capture(...):")
        self._used = True
        return self._inner.__enter__()

    def __exit__(self, *error: Any) -> bool | None:
        return self._inner.__exit__(*error)


def single_use(function: Callable[_P, Iterator[_T]]) -> Callable[_P, contextlib.AbstractContextManager[_T]]:
    """The context manager of a generator, which tells who enters it twice."""
    manager = contextlib.contextmanager(function)

    @functools.wraps(function)
    def made(*args: _P.args, **kwargs: _P.kwargs) -> contextlib.AbstractContextManager[_T]:
        return _SingleUse(lambda: manager(*args, **kwargs))

    return made


def _finish(taken: Block, opened: OpenCapture) -> str:
    """Ends a block's capture, whatever happens; gives what went wrong with its files, "" if nothing did."""
    if opened.kept_at_exit:  # the interpreter goes, and takes the open block with it
        return ""
    taken._python_io = opened.records()
    if opened.path is not None:
        taken._graph, problem = save_or_keep(opened, opened.path)
        return problem
    try:
        taken._graph = opened.native.end()
    finally:
        ended(opened)
    return ""


def take(
    taken: _Taken, path: str | os.PathLike[str] | None, run_mode: RunMode | None, stream: str | os.PathLike[str] | None,
    values: bool,
) -> Iterator[_Taken]:
    """The body of a context manager that captures into `taken`; answers/capture.py says what the arguments mean."""
    opened = begin(run_mode, path, stream)
    uncomputed = None if values else _tilemeter.WithoutValues()
    try:
        try:
            yield taken
        finally:
            if uncomputed is not None:
                uncomputed.close()
    except BaseException:
        problem = _finish(taken, opened)
        if problem:
            warnings.warn(f"tilemeter: {problem}", RuntimeWarning, stacklevel=5)
        raise
    problem = _finish(taken, opened)
    if problem:
        raise CaptureError(problem)


@single_use
def full_graph_capture(
    report_path: str | os.PathLike[str], *, run_mode: RunMode | None = None, slow_dispatch: bool = True
) -> Iterator[None]:
    """A capture with everything on: stacks, buffer pages, a captured graph per call. Written on success only."""
    place = checked_place(report_path)
    stacks, pages, fast = recording.stacks, is_detailed_buffer_tracing_enabled(), CONFIG.enable_fast_runtime_mode
    enable_python_stack_traces()
    enable_detailed_buffer_tracing()
    if slow_dispatch:
        CONFIG.enable_fast_runtime_mode = False
    problem = ""
    try:
        opened = begin(run_mode, None)
        try:
            yield
            _, problem = save_or_keep(opened, place)
        finally:
            if is_open(opened):
                opened.native.end()
                ended(opened)
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
