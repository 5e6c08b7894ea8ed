# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The answers of the verbs of the program `tilemeter`, in Python: of captures in memory, node lists and reports alike.

The C++ side runs the verb itself, so an Answer is what the command line prints, with and without --json.
"""

from __future__ import annotations

import html as _html
import json
import os
import re
import reprlib
import sys
from typing import Any, Iterator, Sequence

from tilemeter import _tilemeter
from tilemeter._src.captures.blocks import Block

_SHOWN_LINES = 60  # of a repr
_UNUSABLE = (1, 2)  # exit statuses: bad input, wrong usage
_Option = bool | int | float | str | os.PathLike[str] | None


class Answer:
    """The findings of a verb: `data` as its JSON says it, `text` as it is printed.

    answer["peak_bytes"] is answer.data["peak_bytes"]. An answer is neither true nor false: `if answer:` raises TypeError,
    ask for `answer.verdict == "fits"` or `answer.status == 0`.
    """

    def __init__(self, verb: str, status: int, data: Any, text: str) -> None:
        self.verb = verb
        self.status = status
        """The program's exit status: 0 done, 3 exceeded or different, 4 cannot be judged."""
        self.data = data
        """The JSON contract of the verb: a dict with "schema"."""
        self.text = text

    @property
    def verdict(self) -> str | None:
        """'fits', 'does_not_fit', 'failed' or 'unknown'; None for verbs that give none."""
        return self.data.get("verdict") if isinstance(self.data, dict) else None

    @property
    def reasons(self) -> list[dict[str, Any]]:
        """Why the verdict is that, each a kind and its figures."""
        return list(self.data.get("reasons", ())) if isinstance(self.data, dict) else []

    def __getitem__(self, key: Any) -> Any:
        return self.data[key]

    def __contains__(self, key: object) -> bool:
        return key in self.data

    def __iter__(self) -> Iterator[Any]:
        return iter(self.data)

    def __bool__(self) -> bool:
        raise TypeError(
            f"an answer of {self.verb} is neither true nor false: ask for its verdict (answer.verdict == 'fits') or status"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Answer) and (self.verb, self.status, self.data) == (other.verb, other.status, other.data)

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        lines = self.text.splitlines()
        if len(lines) > _SHOWN_LINES:
            lines[_SHOWN_LINES:] = [f"... {len(lines) - _SHOWN_LINES:,} more lines in its text"]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        # Columns are those of the text, whatever font a notebook has for cells. A verdict stands out; a table's head does not.
        first, end, others = _html.escape(repr(self)).partition("\n")
        if self.verdict is not None and first.startswith(self.verdict.replace("_", " ")):
            first = f"<b>{first}</b>"
        return f'<pre style="font-family:ui-monospace,monospace;white-space:pre;overflow-x:auto;line-height:1.3">{first}{end}{others}</pre>'


class Picture(str):
    """The text of an SVG file; a notebook shows what it draws."""

    def _repr_svg_(self) -> str:
        return str(self)


class Page:
    """A page in a notebook."""

    def __init__(self, text: str, height: int) -> None:
        self.text = text
        self.height = height

    def __repr__(self) -> str:
        return f"<page of {len(self.text):,} characters; a notebook shows it>"

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{_html.escape(self.text)}" sandbox="allow-scripts" '
            f'style="width:100%;height:{self.height}px;border:0"></iframe>'
        )


def native_list(asker: str, source: Any) -> _tilemeter.NodeList:
    """A capture in memory as the analyses read it. Raises TypeError or ValueError in one line for what is none."""
    if isinstance(source, Block):
        return source._node_list()
    if isinstance(source, _tilemeter.CapturedGraph):
        return _tilemeter.node_list(source)
    if isinstance(source, (list, tuple)):
        _check_nodes(asker, source)
        return _tilemeter.node_list(json.dumps(source))
    raise TypeError(f"{asker}: expected a capture, a node list or the path of a report, found {type(source).__name__}")


def _check_nodes(asker: str, nodes: Sequence[Any]) -> None:
    for index, node in enumerate(nodes):
        if not isinstance(node, dict) or not isinstance(node.get("node_type"), str):
            found = reprlib.repr(node)
            raise ValueError(f"{asker}: node {index} of the list: expected a dict with a 'node_type', found {found}")


class _Inputs:
    """Captures and reports as arguments of a verb: names for what is in memory, paths for what is in files."""

    def __init__(self, verb: str) -> None:
        self.verb = verb
        self.lists: dict[str, _tilemeter.NodeList] = {}
        self.paths: set[str] = set()

    def name(self, source: Any, wanted: str) -> str:
        """Raises TypeError for what is neither, FileNotFoundError for a file that isn't there."""
        if isinstance(source, (str, os.PathLike)):
            path = report_path(source)
            path = os.path.join(os.curdir, path) if path in self.lists else path  # a file of that name is another
            self.paths.add(path)
            return path
        name = wanted
        while name in self.lists or name in self.paths:
            name += "'"
        self.lists[name] = native_list(self.verb, source)
        return name


def report_path(path: str | os.PathLike[str]) -> str:
    """The path as the program takes it, "-" for standard input. Raises FileNotFoundError."""
    text = os.fsdecode(path)
    if text == "-":
        return text
    if not os.path.exists(text):
        raise FileNotFoundError(f"Report path does not exist: {text}")
    return os.path.join(os.curdir, text) if text.startswith("-") else text


def _options(options: dict[str, _Option]) -> list[str]:
    """max_l1="80%" as "--max-l1=80%"; None and False are left out."""
    words = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            words.append(option)
        elif value is not None and value is not False:
            words.append(f"{option}={os.fsdecode(value) if isinstance(value, os.PathLike) else value}")
    return words


def _refusal(errors: str) -> ValueError:
    """The program's line, with the names that arguments have in Python."""
    line = errors.strip().removeprefix("tilemeter: ")
    line = re.sub(r" \(see [\w ]*--help\)$", "", line)
    return ValueError(re.sub(r"--([a-z][a-z0-9-]*)", lambda match: match[1].replace("-", "_"), line))


def _run(inputs: _Inputs, *calls: list[str]) -> list[tuple[int, str]]:
    printed = _tilemeter.run_verbs([[inputs.verb, *call] for call in calls], inputs.lists)
    results = []
    for status, output, errors in printed:
        if status in _UNUSABLE:
            raise _refusal(errors.decode("utf-8", "replace"))
        results.append((status, output.decode("utf-8", "replace")))
    return results


def _answered(inputs: _Inputs, words: list[str], options: dict[str, _Option]) -> Answer:
    call = [*_options(options), *words]
    (status, text), (_, data) = _run(inputs, call, [*call, "--json"])
    return Answer(inputs.verb, status, json.loads(data), text)


def _drawn(inputs: _Inputs, words: list[str], options: dict[str, _Option], path: str | os.PathLike[str] | None) -> str:
    call = [*_options(options), *words]
    if path is None:
        return _run(inputs, call)[0][1]
    return _run(inputs, [*call, f"--output={os.path.join(os.curdir, os.fsdecode(path))}"], call)[1][1]


def _with_programs(inputs: _Inputs, options: dict[str, _Option], **sources: Any) -> dict[str, _Option]:
    for option, source in sources.items():
        options[option] = None if source is None else inputs.name(source, option)
    return options


def explain(x: Any = None, *, at: int | None = None, message: str | None = None, programs_from: Any = None) -> Answer:
    """The tensors that filled the memory where a capture failed - or at a node, or at its fullest moment - and what
    would have to go.

    x: what `capture` yields, a node list, or the path of a report; not needed with message, a memory error of a log.
    programs_from: another capture of the workload that recorded its programs. Raises ValueError in one line.
    """
    if x is None and message is None:
        raise TypeError("explain: expected a capture, a node list, a report or a message")
    inputs = _Inputs("explain")
    options = _with_programs(inputs, {"at": at, "message": message}, programs_from=programs_from)
    return _answered(inputs, [] if x is None else [inputs.name(x, "capture")], options)


def fit(
    x: Any,
    device: str | os.PathLike[str] | None = None,
    *,
    trace_region: int | str | None = None,
    allow_incomplete: bool = False,
    programs_from: Any = None,
) -> Answer:
    """The verdict whether what was captured fits its device, or another: verdict, reasons, peaks, headroom.

    device: "n150", "n300", "p100", "p150", "e75", "e150" or a description file. trace_region: what of each DRAM bank is set
    aside for traces. allow_incomplete: what is recorded is taken for all there is. Raises ValueError in one line.
    """
    inputs = _Inputs("fit")
    options: dict[str, _Option] = {"device": device, "trace_region": trace_region, "allow_incomplete": allow_incomplete}
    return _answered(inputs, [inputs.name(x, "capture")], _with_programs(inputs, options, programs_from=programs_from))


def check(
    x: Any,
    *,
    max_l1: int | str | None = None,
    max_dram_per_bank: int | str | None = None,
    max_dram_total: int | str | None = None,
    budget: str | os.PathLike[str] | None = None,
    baseline: Any = None,
    max_growth: int | str | None = None,
    allow_incomplete: bool = False,
    programs_from: Any = None,
) -> Answer:
    """The peaks against limits: bytes, "1MiB", "80%" of what can be allocated. status: 0 within, 3 exceeded, 4 can't be judged.

    max_l1 is per core. budget: a JSON file of limits. baseline: what it took before, which it may exceed by max_growth
    ("2%"). Raises ValueError in one line.
    """
    inputs = _Inputs("check")
    options: dict[str, _Option] = {
        "max_l1": max_l1,
        "max_dram_per_bank": max_dram_per_bank,
        "max_dram_total": max_dram_total,
        "budget": budget,
        "max_growth": max_growth,
        "allow_incomplete": allow_incomplete,
    }
    _with_programs(inputs, options, baseline=baseline, programs_from=programs_from)
    return _answered(inputs, [inputs.name(x, "capture")], options)


def diff(
    before: Any,
    after: Any,
    *,
    max_growth: int | str | None = None,
    allow_incomplete: bool = False,
    programs_from: Any = None,
    programs_from_before: Any = None,
    programs_from_after: Any = None,
) -> Answer:
    """The changes in memory between two captures, and both peaks.

    max_growth ("2%", "64KiB"): status is 3 where a peak is higher by more, 4 where that can't be judged; without it 0.
    Raises ValueError in one line.
    """
    inputs = _Inputs("diff")
    options: dict[str, _Option] = {
        "exit_code": max_growth is not None,
        "max_growth": max_growth,
        "allow_incomplete": allow_incomplete,
    }
    _with_programs(
        inputs,
        options,
        programs_from=programs_from,
        programs_from_before=programs_from_before,
        programs_from_after=programs_from_after,
    )
    return _answered(inputs, [inputs.name(before, "before"), inputs.name(after, "after")], options)


def timeline(
    x: Any,
    *,
    device: int | None = None,
    at: int | None = None,
    late: bool = False,
    alive_at_end: bool = False,
    placement: bool = False,
    top: int | None = None,
) -> Answer:
    """Memory event by event; or what lives after a node (at), what was released late, what stays, how L1 could be placed."""
    inputs = _Inputs("timeline")
    options: dict[str, _Option] = {
        "device": device,
        "at": at,
        "late": late,
        "alive_at_end": alive_at_end,
        "placement": placement,
        "top": top,
    }
    return _answered(inputs, [inputs.name(x, "capture")], options)


def tightest(x: Any, *, memory: str = "l1", top: int | None = None, programs_from: Any = None) -> Answer:
    """The operations nearest to what the device has, the fullest first. memory: "l1" or "dram". Raises ValueError in one line."""
    inputs = _Inputs("tightest")
    options = _with_programs(inputs, {"memory": memory, "top": top}, programs_from=programs_from)
    return _answered(inputs, [inputs.name(x, "capture")], options)


def tree(x: Any) -> Answer:
    """The call hierarchy with durations, L1 peak per core and what stays."""
    inputs = _Inputs("tree")
    return _answered(inputs, [inputs.name(x, "capture")], {})


def levelized(x: Any, *, max_level: int = 1) -> Answer:
    """The operations down to a level, with who feeds whom. extract_levelized_graph gives TT-NN's form of it."""
    inputs = _Inputs("levelized")
    return _answered(inputs, [inputs.name(x, "capture")], {"max_level": max_level})


def html(x: Any, path: str | os.PathLike[str] | None = None, *, programs_from: Any = None) -> str:
    """One self-contained page: memory over time, the core's map, operations, call tree; also written to `path`."""
    inputs = _Inputs("html")
    options = _with_programs(inputs, {}, programs_from=programs_from)
    return _drawn(inputs, [inputs.name(x, "capture")], options, path)


def svg(
    x: Any, path: str | os.PathLike[str] | None = None, *, max_level: int | None = None, max_lines: int | None = None
) -> Picture:
    """The functions as a graph: data flow, repeated layers folded, memory and failures marked; also written to `path`.

    Beyond `max_lines` boxes (200) functions that follow each other share them; 0: never.
    """
    inputs = _Inputs("svg")
    return Picture(_drawn(inputs, [inputs.name(x, "capture")], {"max_level": max_level, "max_lines": max_lines}, path))


def perfetto(x: Any, path: str | os.PathLike[str] | None = None, *, programs_from: Any = None) -> str:
    """A trace for Perfetto or Chrome, JSON text; also written to `path`."""
    inputs = _Inputs("perfetto")
    options = _with_programs(inputs, {}, programs_from=programs_from)
    return _drawn(inputs, [inputs.name(x, "capture")], options, path)


def _in_notebook() -> bool:
    interactive = sys.modules.get("IPython")
    shell = None if interactive is None else interactive.get_ipython()
    return hasattr(shell, "kernel")


def show(x: Any, path: str | os.PathLike[str] | None = None, *, height: int = 720) -> Page | str:
    """The page: a notebook displays it; elsewhere it is written to `path` (default: a file in the temporary folder), which is
    returned."""
    import tempfile

    if _in_notebook():
        return Page(html(x, path), height)
    if path is None:
        handle, path = tempfile.mkstemp(prefix="tilemeter_", suffix=".html")
        os.close(handle)
    html(x, path)
    return os.fsdecode(path)
