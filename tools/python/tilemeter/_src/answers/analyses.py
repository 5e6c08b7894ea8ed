# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Analyses of node lists, with TT-NN's names and answers.

Each takes the nodes that a capture gave, or anything that json.dumps takes.
"""

from __future__ import annotations

import dataclasses
import json
import warnings
from typing import Any

from tilemeter import _tilemeter
from tilemeter._src.base.nodes import Node
from tilemeter._tilemeter import BufferType, Shape

__all__ = [
    "OlderThanCaptureWarning",
    "PeakMemoryUsagePerCore",
    "TensorInfo",
    "count_intermediate_and_output_tensors",
    "extract_calltrace",
    "extract_levelized_graph",
    "extract_output_info",
    "extract_output_tensors",
    "extract_peak_L1_memory_usage",
    "extract_resource_usage_per_core",
]


@dataclasses.dataclass(frozen=True)
class PeakMemoryUsagePerCore:
    """The most of each kind of L1 memory at any moment; bytes of one core."""

    peak_cb: int
    peak_l1: int
    peak_dataflow_buffer: int
    peak_scratchpad: int
    peak_total: int

    def __str__(self) -> str:
        return (
            "Peak Memory Usage Per Core:\n"
            f"  CB:         {self.peak_cb} bytes\n"
            f"  L1:         {self.peak_l1} bytes\n"
            f"  DFB:        {self.peak_dataflow_buffer} bytes\n"
            f"  Scratchpad: {self.peak_scratchpad} bytes\n"
            f"  Total:      {self.peak_total} bytes"
        )

    def _repr_html_(self) -> str:
        largest = max(self.peak_total, 1)
        rows = "".join(
            f"<tr><td style='text-align:left'>{name}</td><td>{size:,}</td><td style='text-align:left'>"
            f"<div style='background:#4a7;height:0.8em;width:{200 * size // largest}px'></div></td></tr>"
            for name, size in (
                ("circular buffers", self.peak_cb),
                ("dataflow buffers", self.peak_dataflow_buffer),
                ("scratchpads", self.peak_scratchpad),
                ("tensors", self.peak_l1),
                ("<b>all together</b>", self.peak_total),
            )
        )
        return f"<table><thead><tr><th>L1 per core</th><th>peak bytes</th><th></th></tr></thead><tbody>{rows}</tbody></table>"


@dataclasses.dataclass(frozen=True)
class TensorInfo:
    """Shape of a tensor, bytes of its buffer, memory it lies in."""

    shape: Shape
    size: int
    type: BufferType

    def __repr__(self) -> str:
        return f"TensorInfo(shape={self.shape}, size={self.size}, type={self.type.name})"


def _answer(name: str, trace: Any, max_level: int = 1) -> Any:
    if trace is None:
        raise TypeError(f"{name}: expected a node list, got None")
    return json.loads(_tilemeter.call_analysis(name, json.dumps(trace), max_level))


class OlderThanCaptureWarning(UserWarning):
    """A figure of TT-NN's is wrong, as the list frees memory that is older than the capture."""


def _warn_of_older_buffers(name: str, trace: Any) -> None:
    """TT-NN's functions subtract what is freed, and never added what was there before the capture: their answers are too
    small, or 2**64 - N. Whoever wants those gets them, with a word."""
    allocated: set[Any] = set()
    count = per_core = 0
    for node in trace if isinstance(trace, list) else ():
        kind = node.get("node_type") if isinstance(node, dict) else None
        if kind not in ("buffer_allocate", "buffer_deallocate"):
            continue
        params, targets = node.get("params") or {}, node.get("connections") or [None]
        if kind == "buffer_allocate":
            allocated.add(str(targets[0]))
        elif str(targets[0]) in allocated:
            allocated.discard(str(targets[0]))
        elif str(params.get("type", "")).startswith("L1"):
            size = params.get("max_size_per_bank", 0)
            count, per_core = count + 1, per_core + (size if isinstance(size, int) else 0)
    if count:
        warnings.warn(
            f"{name}: {count} {'buffer' if count == 1 else 'buffers'} of L1 older than the capture, {per_core:,} bytes per core, "
            f"{'was' if count == 1 else 'were'} freed in it; TT-NN's way to count, which this function keeps, subtracts what it "
            "never added: its answer can be too small, or 2**64 - N (2**32 - N). find_peak() has the right one",
            OlderThanCaptureWarning,
            stacklevel=3,
        )


def extract_resource_usage_per_core(trace: Any, interleaved_storage_cores: int | None = None) -> PeakMemoryUsagePerCore:
    """Peaks of circular buffers, tensors, dataflow buffers, scratchpads and all together, as TT-NN counts them."""
    if interleaved_storage_cores is not None:
        warnings.warn(
            "extract_resource_usage_per_core: interleaved_storage_cores has no effect", DeprecationWarning, stacklevel=2
        )
    answer = PeakMemoryUsagePerCore(**_answer("extract_resource_usage_per_core", trace))
    _warn_of_older_buffers("extract_resource_usage_per_core", trace)
    return answer


def extract_peak_L1_memory_usage(trace: Any) -> int:
    """Bytes of L1 at the worst moment, as TT-NN counts them: all cores' buffers together, modulo 2**32."""
    answer: int = _answer("extract_peak_L1_memory_usage", trace)
    _warn_of_older_buffers("extract_peak_L1_memory_usage", trace)
    return answer


def extract_calltrace(trace: Any) -> list[str]:
    """Names of all functions in order of their begin."""
    answer: list[str] = _answer("extract_calltrace", trace)
    return answer


def extract_levelized_graph(trace: Any, max_level: int = 1) -> list[Node]:
    """Functions down to a level, with their inputs and consumers. Raises TypeError for a level below 0."""
    if max_level < 0:
        raise TypeError(f"extract_levelized_graph: max_level: expected 0 or more, got {max_level}")
    answer: list[Node] = _answer("extract_levelized_graph", trace, max_level)
    return answer


def extract_output_tensors(trace: Any) -> set[int]:
    """Counters of the tensor nodes that the capture's last function gave. Raises RuntimeError without one."""
    return set(_answer("extract_output_tensors", trace))


def extract_output_info(trace: Any) -> list[TensorInfo]:
    """Shape, size and memory of those of them that lie on a device."""
    return [
        TensorInfo(Shape(info["shape"]), info["size"], getattr(BufferType, info["type"]))
        for info in _answer("extract_output_info", trace)
    ]


def count_intermediate_and_output_tensors(trace: Any) -> tuple[int, int]:
    """The numbers of intermediate tensors and of results."""
    intermediate, output = _answer("count_intermediate_and_output_tensors", trace)
    return intermediate, output
