# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The true peak of a capture, and what filled it."""

from __future__ import annotations

import html
import json
import os
from typing import Any

from tilemeter import _tilemeter
from tilemeter._src.answers.answers import native_list, report_path
from tilemeter._src.answers.tables import head_html, workload_fit_html
from tilemeter._tilemeter import Contributor, MemoryPeak, PeakAnswer, WorkloadFit

_SHOWN = 12  # contributors in a text


def find_peak(graph: Any) -> PeakAnswer:
    """The true peaks: L1 per core, DRAM per bank, with the moment, the operation and who held how much.

    graph: what `capture` yields, a node list, or the path of a report (TT-NN's or tilemeter's; also compressed by gzip
    or zstd, or a pipe: "-" is standard input). Raises FileNotFoundError, ValueError for a file or a list that is
    damaged, TypeError for anything else.
    """
    if isinstance(graph, (str, os.PathLike)):
        nodes = _tilemeter.node_list_of_file(report_path(graph))
    else:
        nodes = native_list("find_peak", graph)
    answer = _tilemeter.find_peak(nodes)
    setattr(answer, "_head", _tilemeter.head_of(nodes))
    return answer


def capture_html(graph: Any) -> str:
    """The beginning of a notebook's view of a capture: the verdict and both peaks."""
    return head_html(json.loads(_tilemeter.head_of(native_list("capture", graph))))


def explanation(peak: MemoryPeak | None, what: str) -> str:
    """A peak in lines of text: size, place, contributors, largest first."""
    return f"{what}: nothing" if peak is None or peak.bytes == 0 else peak.text(what).rstrip()


def _size(peak: MemoryPeak) -> str:
    bound = {"at_least": "at least ", "uncertain": "about "}.get(peak.bound, "")
    return f"{bound}{peak.bytes:,} bytes" + (f" of {peak.limit_bytes:,} that can be allocated" if peak.limit_bytes else "")


def _made_by(part: Contributor) -> str:
    return f"{part.made_by} at {part.source_line}" if part.source_line else part.made_by


def _peak_html(answer: PeakAnswer) -> str:
    head = getattr(answer, "_head", None)
    parts = [] if head is None else [head_html(json.loads(head))]
    for device in answer.devices:
        for what, peak in (("L1 per core", device.l1), ("DRAM per bank", device.dram)):
            if peak.bytes == 0:
                continue
            rows = "".join(
                f"<tr><td>{part.bytes:,}</td><td style='text-align:left'><div style='background:#4a7;height:0.8em;"
                f"width:{200 * part.bytes // peak.bytes}px'></div></td><td>{part.share}</td>"
                f"<td style='text-align:left'>{html.escape(f'{part.name} {part.shape}')}</td>"
                f"<td style='text-align:left'>{html.escape(_made_by(part))}</td></tr>"
                for part in peak.contributors[:_SHOWN]
            )
            parts.append(
                f"<p><b>Device {device.device}, {what}</b>: {_size(peak)} in {html.escape(peak.path)}</p>"
                f"<table><thead><tr><th>bytes</th><th></th><th>kind</th><th>what</th><th>made by</th></tr></thead>"
                f"<tbody>{rows}</tbody></table>"
            )
    if not answer.devices:
        parts.append("<p>No device memory was touched.</p>")
    return "".join(parts)


setattr(PeakAnswer, "_repr_html_", _peak_html)
setattr(WorkloadFit, "_repr_html_", workload_fit_html)


def _owners_text(error: Any) -> str:
    """The place of the failure, and who holds the memory, highest address first."""
    lines = [f"in {error.operation}, device {error.device}"] if error.operation else []
    owners = getattr(error, "owners", [])
    shown = owners[:_SHOWN]
    if shown:
        lines.append("who holds it, bytes per bank:")
    for owner in shown:
        made = f" by {owner.operation}" if owner.operation else ""
        shape, kind = list(owner.shape), owner.dtype.rpartition("::")[2]
        lines.append(f"  {owner.address:>10,} {owner.size_per_bank_bytes:>12,}  {shape} {kind}{made}")
    if len(owners) > _SHOWN:
        lines.append(f"  and {len(owners) - _SHOWN} more")
    return "\n".join(lines)


def _error_explanation(error: Any) -> str:
    """The request, its place, and who holds the memory, highest address first."""
    message, owners = str(error), _owners_text(error)
    return message if not owners or message.endswith(owners) else f"{message}\n{owners}"


def _told_where_printed(error: Any) -> None:
    """Called when one is raised: what a traceback prints of it says who holds the memory. Its own words come first."""
    owners = _owners_text(error)
    if not owners:
        return
    if hasattr(error, "add_note"):
        error.add_note(owners)
    else:  # Python 3.10
        error.args = (f"{error}\n{owners}", *error.args[1:])


for _type in (_tilemeter.OutOfMemoryError, _tilemeter.ProgramMemoryClashError, _tilemeter.ProgramMemoryTooLargeError):
    setattr(_type, "explanation", property(_error_explanation, doc="The error with who holds the memory, as text."))
    setattr(_type, "_told_where_printed", _told_where_printed)


def explained_peak(graph: Any, memory: str) -> str:
    """The place of the peak and who held how much, largest first."""
    answer = find_peak(graph)
    return explanation(answer.l1 if memory == "L1" else answer.dram, f"{memory} per {'core' if memory == 'L1' else 'bank'}")
