# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Captures as tables: for pyarrow, for pandas, for notebooks."""

from __future__ import annotations

import html
from typing import Any

Node = dict[str, Any]

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
