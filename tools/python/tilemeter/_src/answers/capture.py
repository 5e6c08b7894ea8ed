# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A capture that a block took, and what can be asked of it."""

from __future__ import annotations

import os
from typing import Any, Iterator

from tilemeter import _tilemeter
from tilemeter._src.answers import answers
from tilemeter._src.answers.answers import Answer, Page, Picture
from tilemeter._src.answers.peak import capture_html, find_peak
from tilemeter._src.answers.tables import arrow_table, html_table, pandas_frame
from tilemeter._src.captures.blocks import Block, single_use, take
from tilemeter._tilemeter import RunMode


class Capture(Block):
    """The block that `capture` yields; complete when its block has ended."""

    def peak(self) -> _tilemeter.PeakAnswer:
        """The true peaks of L1 and DRAM, with what filled them."""
        return find_peak(self)

    def explain(self, **options: Any) -> Answer:
        """The tensors that filled the memory where it failed, or at its fullest moment; `explain` says which options
        there are."""
        return answers.explain(self, **options)

    def check(self, **limits: Any) -> Answer:
        """The peaks against limits: max_l1="80%", ...; `check` says which there are."""
        return answers.check(self, **limits)

    def fit(self, device: str | os.PathLike[str] | None = None, **options: Any) -> Answer:
        """The verdict whether it fits its device, or another: fit("p150"); `fit` says which options there are."""
        return answers.fit(self, device, **options)

    def timeline(self, **options: Any) -> Answer:
        """Memory event by event; `timeline` says which options there are."""
        return answers.timeline(self, **options)

    def tree(self) -> Answer:
        """The call hierarchy with durations, L1 peak per core and what stays."""
        return answers.tree(self)

    def levelized(self, **options: Any) -> Answer:
        """The operations down to a level, with who feeds whom; `levelized` says which options there are."""
        return answers.levelized(self, **options)

    def tightest(self, **options: Any) -> Answer:
        """The operations nearest to what the device has; `tightest` says which options there are."""
        return answers.tightest(self, **options)

    def diff(self, after: Any, **options: Any) -> Answer:
        """The changes in memory from this capture to another; `diff` says which options there are."""
        return answers.diff(self, after, **options)

    def html(self, path: str | os.PathLike[str] | None = None) -> str:
        """One self-contained page, also written to `path`."""
        return answers.html(self, path)

    def svg(self, path: str | os.PathLike[str] | None = None, **options: Any) -> Picture:
        """The functions as a graph, a picture, also written to `path`."""
        return answers.svg(self, path, **options)

    def perfetto(self, path: str | os.PathLike[str] | None = None) -> str:
        """A trace for Perfetto or Chrome, also written to `path`."""
        return answers.perfetto(self, path)

    def show(self, path: str | os.PathLike[str] | None = None, *, height: int = 720) -> Page | str:
        """The page in a notebook; elsewhere the file it was written to."""
        return answers.show(self, path, height=height)

    def __repr__(self) -> str:
        if self._graph is None:
            return "<capture that has not ended>"
        if self._text is None:
            self._text = f"capture of {len(self):,} nodes, {answers.fit(self).text.rstrip()}"
        return self._text

    def table(self) -> Any:
        """The operations as a pyarrow table: counter, name, level, duration_ns. Needs pyarrow."""
        return arrow_table(self.nodes)

    def frame(self) -> Any:
        """The operations as a pandas data frame. Needs pandas."""
        return pandas_frame(self.nodes)

    def _repr_html_(self) -> str:
        return capture_html(self) + html_table(self.nodes)


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
    yield from take(Capture(), path, run_mode, stream, values)
