# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Captures and answers as tables: for pyarrow, for pandas, for notebooks."""

from __future__ import annotations

import html
from typing import Any

from tilemeter._src.base.nodes import Node


_MAX_ROWS = 100  # of the table in a notebook


def operation_columns(nodes: list[Node]) -> dict[str, list[Any]]:
    """One row per function, in order of their begin; a function that never ended has no duration."""
    columns: dict[str, list[Any]] = {key: [] for key in ("counter", "level", "name", "duration_ns", "aborted")}
    rows: list[int] = []  # of the open functions
    for node in nodes:
        if node["node_type"] == "function_start":
            rows.append(len(columns["name"]))
            for key, value in (
                ("counter", node["counter"]),
                ("level", node["stacking_level"]),
                ("name", node["params"]["name"]),
                ("duration_ns", None),
                ("aborted", False),
            ):
                columns[key].append(value)
        elif node["node_type"] == "function_end" and rows:
            row = rows.pop()
            columns["duration_ns"][row] = node.get("duration_ns")
            columns["aborted"][row] = node["params"].get("aborted") == "true"
    return columns


def arrow_table(nodes: list[Node]) -> Any:
    import pyarrow

    return pyarrow.table(operation_columns(nodes))


def pandas_frame(nodes: list[Node]) -> Any:
    import pandas

    return pandas.DataFrame(operation_columns(nodes))


def html_table(nodes: list[Node]) -> str:
    """The operations of level 1 with their durations, and what was allocated in all."""
    columns = operation_columns(nodes)
    top = [i for i, level in enumerate(columns["level"]) if level == 1]
    allocated: dict[str, int] = {}
    for node in nodes:
        if node["node_type"] == "buffer_allocate":
            kind = node["params"]["type"]
            allocated[kind] = allocated.get(kind, 0) + int(node["params"]["size"])
    memory = ", ".join(f"{kind} {size:,} bytes" for kind, size in sorted(allocated.items())) or "nothing"
    rows = []
    for i in top[:_MAX_ROWS]:
        duration = columns["duration_ns"][i]
        time = "still open" if duration is None else f"{duration / 1e6:.3f} ms"
        note = " (failed)" if columns["aborted"][i] else ""
        rows.append(
            f"<tr><td>{columns['counter'][i]}</td><td style='text-align:left'>{html.escape(columns['name'][i])}{note}"
            f"</td><td>{time}</td></tr>"
        )
    more = f"<p>and {len(top) - _MAX_ROWS} more</p>" if len(top) > _MAX_ROWS else ""
    return (
        f"<p><b>Capture</b>: {len(nodes):,} nodes, {len(top):,} operations; allocated {memory}</p>"
        f"<table><thead><tr><th>node</th><th>operation</th><th>duration</th></tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>{more}"
    )


_INK = {"fits": "#1a7f37", "does_not_fit": "#cf222e", "failed": "#cf222e", "unknown": "#9a6700"}


def head_html(head: dict[str, Any]) -> str:
    """The verdict with its reasons, then both peaks with their share of what can be allocated."""
    reasons = "".join(f"<li>{html.escape(reason)}</li>" for reason in head["reasons"])
    uses = ""
    for use in head["uses"]:
        words = [f"{use['title']}: peak <b>{html.escape(use['short'])}</b>, {html.escape(use['percent'])}"]
        if use["headroom"]:
            words.append(html.escape(use["headroom"]))
        if use["operation"]:
            line = f" ({use['line']})" if use["line"] else ""
            words.append(f"in {html.escape(use['operation'] + line)}, node {use['node']}")
        uses += f"<li>{', '.join(words)}</li>"
    return (
        f"<p><b style='color:{_INK[head['verdict']]}'>{html.escape(head['words'])}</b> "
        f"{html.escape(', '.join(head['facts'][:2]))}</p><ul>{reasons}{uses}</ul>"
    )


def workload_fit_html(fit: Any) -> str:
    """The largest size that fits beside the next, which does not, and the peaks as functions of the size."""
    if fit.largest is None:
        verdict, ink = "NO SIZE FITS", _INK["does_not_fit"]
    elif fit.first_failing is None:
        verdict, ink = f"ALL SIZES FIT, UP TO {fit.largest.size:,}", _INK["fits"]
    else:
        verdict, ink = f"FITS UP TO {fit.largest.size:,}", _INK["fits"]
    rows = ""
    for at in (fit.largest, fit.first_failing):
        if at is None:
            continue
        # The memory of a size that fails is not known: it was refused on the way.
        l1, dram = (f"{at.l1_bytes:,}", f"{at.dram_bytes:,}") if at.fits else ("", "")
        said = "fits" if at.fits else f"does not fit: {at.cause}. {(at.message.splitlines() or [''])[0]}"
        rows += (
            f"<tr><td>{at.size:,}</td><td>{l1}</td><td>{dram}</td><td style='text-align:left'>{html.escape(at.operation)}"
            f"</td><td style='text-align:left'>{html.escape(said)}</td></tr>"
        )
    above = "<p>Larger sizes than the first that fails fit again.</p>" if fit.fits_above_failures else ""
    formulas = "".join(
        f"<li>{what} by size n: {html.escape(formula.text('n'))}</li>"
        for what, formula in (("L1 per core", fit.l1), ("DRAM per bank", fit.dram))
        if fit.largest is not None
    )
    return (
        f"<p><b style='color:{ink}'>{verdict}</b>, planned {fit.captures:,} times</p>"
        "<table><thead><tr><th>size</th><th>L1 bytes per core</th><th>DRAM bytes per bank</th><th>operation</th><th></th></tr>"
        f"</thead><tbody>{rows}</tbody></table>{above}<ul>{formulas}</ul>"
    )
