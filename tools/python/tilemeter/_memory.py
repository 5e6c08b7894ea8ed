# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The true peak of a capture, and what filled it."""

from __future__ import annotations

import html
import json
import os
from typing import Any

from tilemeter import _tilemeter
from tilemeter._tables import head_html, workload_fit_html
from tilemeter._tilemeter import MemoryPeak, PeakAnswer, WorkloadFit

_SHOWN = 12  # contributors in a text


def find_peak(graph: Any) -> PeakAnswer:
    """The true peaks: L1 per core, DRAM per bank, with the moment, the operation and who held how much.

    graph: what `capture` yields, a node list, or the path of a report (TT-NN's or tilemeter's; also compressed by gzip
    or zstd, or a pipe: "-" is standard input).
    """
    if isinstance(graph, (str, os.PathLike)):
        answer, head = _tilemeter.find_peak_of_file(graph), _tilemeter.head_of_file(graph)
    else:
        graph = getattr(graph, "graph", graph)
        source = graph if isinstance(graph, _tilemeter.CapturedGraph) else json.dumps(graph)
        answer, head = _tilemeter.find_peak(source), _tilemeter.head_of(source)
    setattr(answer, "_head", head)
    return answer


def capture_html(graph: _tilemeter.CapturedGraph) -> str:
    """What a notebook shows of a capture first: the verdict and both peaks."""
    return head_html(json.loads(_tilemeter.head_of(graph)))


def explanation(peak: MemoryPeak | None, what: str) -> str:
    """A peak in lines of text: size, place, contributors, largest first."""
    if peak is None or peak.bytes == 0:
        return f"{what}: nothing"
    size = f"{peak.bytes:,} bytes" + (f" of {peak.capacity_bytes:,}" if peak.capacity_bytes else "")
    if peak.total_bytes:
        size += f", all banks {peak.total_bytes:,}"
    core = f", core {peak.core[0]}-{peak.core[1]}" if peak.core is not None else ""
    lines = [f"{what}: {size}, in {peak.path or 'no operation'}{core}"]
    for part in peak.contributors[:_SHOWN]:
        made = " (older than the capture)" if part.before_window else f" by {part.made_by}" if part.made_by else ""
        lines.append(f"  {part.bytes:>15,}  {part.share:<11}{part.name} {part.shape}{made}".rstrip())
    if len(peak.contributors) > _SHOWN:
        lines.append(f"  and {len(peak.contributors) - _SHOWN} more")
    return "\n".join(lines)


def peak_text(answer: PeakAnswer) -> str:
    """All of an answer as text."""
    if not answer.devices:
        return "No device memory was touched."
    lines = []
    for device in answer.devices:
        lines.append(f"device {device.device}")
        lines.append(explanation(device.l1, "L1 per core"))
        lines.append(explanation(device.dram, "DRAM per bank"))
    lines.extend(f"note: {caveat}" for caveat in answer.caveats)
    return "\n".join(lines)


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
                f"<td style='text-align:left'>{html.escape(part.made_by)}</td></tr>"
                for part in peak.contributors[:_SHOWN]
            )
            parts.append(
                f"<p><b>Device {device.device}, {what}</b>: {peak.bytes:,} bytes in {html.escape(peak.path)}</p>"
                f"<table><thead><tr><th>bytes</th><th></th><th>kind</th><th>what</th><th>made by</th></tr></thead>"
                f"<tbody>{rows}</tbody></table>"
            )
    if not answer.devices:
        parts.append("<p>No device memory was touched.</p>")
    return "".join(parts)


setattr(PeakAnswer, "__str__", peak_text)
setattr(PeakAnswer, "_repr_html_", _peak_html)
setattr(WorkloadFit, "_repr_html_", workload_fit_html)


def _error_explanation(error: Any) -> str:
    """What was wanted, where, and who holds the memory, highest address first."""
    lines = [str(error)]
    if error.operation:
        lines.append(f"in {error.operation}, device {error.device}")
    shown = error.owners[:_SHOWN]
    if shown:
        lines.append("who holds it, bytes per bank:")
    for owner in shown:
        made = f" by {owner.operation}" if owner.operation else ""
        shape, kind = list(owner.shape), owner.dtype.rpartition("::")[2]
        lines.append(f"  {owner.address:>10,} {owner.size_per_bank_bytes:>12,}  {shape} {kind}{made}")
    if len(error.owners) > _SHOWN:
        lines.append(f"  and {len(error.owners) - _SHOWN} more")
    return "\n".join(lines)


for _type in (_tilemeter.OutOfMemoryError, _tilemeter.ProgramMemoryClashError):
    setattr(_type, "explanation", property(_error_explanation, doc="The error with who holds the memory, as text."))


def explained_peak(graph: Any, memory: str) -> str:
    """Where the peak was reached and who held how much, largest first."""
    answer = find_peak(graph)
    return explanation(answer.l1 if memory == "L1" else answer.dram, f"{memory} per {'core' if memory == 'L1' else 'bank'}")
