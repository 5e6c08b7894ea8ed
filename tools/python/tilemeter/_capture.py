# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A capture that a block took, and what can be asked of it."""

from __future__ import annotations

import contextlib
import functools
import json
import os
from typing import Any, Callable, Iterator, ParamSpec, TypeVar

from tilemeter import _answers, _tilemeter
from tilemeter._answers import Answer, Page
from tilemeter._memory import capture_html, find_peak
from tilemeter._tilemeter import CaptureError

Node = dict[str, Any]
_TOLD = ("name", "output_tensor_ids", "python_stack_trace", "error")  # of a record: not its arguments, which are long
_P = ParamSpec("_P")
_T = TypeVar("_T")


class Capture:
    """What `capture` yields; complete when its block has ended."""

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

    def peak(self) -> _tilemeter.PeakAnswer:
        """The true peaks of L1 and DRAM, with what filled them."""
        return find_peak(self)

    def explain(self, **options: Any) -> Answer:
        """What filled the memory where it failed, or at its fullest moment; `explain` says which options there are."""
        return _answers.explain(self, **options)

    def check(self, **limits: Any) -> Answer:
        """The peaks against limits: max_l1="80%", ...; `check` says which there are."""
        return _answers.check(self, **limits)

    def fit(self, device: str | os.PathLike[str] | None = None, **options: Any) -> Answer:
        """Whether it fits its device, or another: fit("p150"); `fit` says which options there are."""
        return _answers.fit(self, device, **options)

    def timeline(self, **options: Any) -> Answer:
        """Memory event by event; `timeline` says which options there are."""
        return _answers.timeline(self, **options)

    def html(self, path: str | os.PathLike[str] | None = None) -> str:
        """One self-contained page, also written to `path`."""
        return _answers.html(self, path)

    def svg(self, path: str | os.PathLike[str] | None = None, **options: Any) -> str:
        """The call graph as a picture, also written to `path`."""
        return _answers.svg(self, path, **options)

    def perfetto(self, path: str | os.PathLike[str] | None = None) -> str:
        """A trace for Perfetto or Chrome, also written to `path`."""
        return _answers.perfetto(self, path)

    def show(self, path: str | os.PathLike[str] | None = None, *, height: int = 720) -> Page | str:
        """The page in a notebook; elsewhere the file it was written to."""
        return _answers.show(self, path, height=height)

    def __repr__(self) -> str:
        if self._graph is None:
            return "<capture that has not ended>"
        if self._text is None:
            self._text = f"capture of {len(self):,} nodes, {_answers.fit(self).text.rstrip()}"
        return self._text

    def table(self) -> Any:
        """The operations as a pyarrow table: counter, name, level, duration_ns. Needs pyarrow."""
        from tilemeter._tables import arrow_table

        return arrow_table(self.nodes)

    def frame(self) -> Any:
        """The operations as a pandas data frame. Needs pandas."""
        from tilemeter._tables import pandas_frame

        return pandas_frame(self.nodes)

    def _repr_html_(self) -> str:
        from tilemeter._tables import html_table

        return capture_html(self) + html_table(self.nodes)


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
