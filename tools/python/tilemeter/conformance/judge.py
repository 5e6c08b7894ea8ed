# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The judgement of two captures of one program: the same operations, buffers and programs, or not."""

from __future__ import annotations

import dataclasses
import itertools
import json
import pathlib
from typing import Any, Callable

Node = dict[str, Any]

_PROGRAM_MEMORY = {"circular_buffer_allocate": "cb", "dataflow_buffer_allocate": "dfb", "scratchpad_allocate": "scratchpad"}


@dataclasses.dataclass
class Difference:
    """The number of entries of one part that differ, and the first of them as text; none is no difference."""

    entries: int
    different: int
    first: str = ""

    def __bool__(self) -> bool:
        return self.different > 0


def nodes_of(path: pathlib.Path) -> list[Node]:
    """The node list of a report file, or of a file that is a bare node list."""
    document = json.loads(path.read_text())
    return list(document["graph"] if isinstance(document, dict) else document)


def without_last_frees(nodes: list[Node]) -> list[Node]:
    """Without what is freed behind the last operation, as the process ends."""
    depth, last = 0, 0  # of functions that do more than free
    for place, node in enumerate(nodes):
        kind, name = node["node_type"], (node.get("params") or {}).get("name")
        is_freeing = name == "Tensor::deallocate" or kind in ("buffer_deallocate", "tensor", "buffer", "capture_end")
        if not is_freeing:
            depth += (kind == "function_start") - (kind == "function_end")
        if not is_freeing or depth > 0:
            last = place
    return nodes[: last + 1]


def tree(nodes: list[Node]) -> list[Any]:
    """Names and nesting of the functions, in order."""
    return [
        "  " * (node.get("stacking_level", 1) - 1) + node["params"]["name"]
        for node in nodes
        if node["node_type"] == "function_start"
    ]


def buffers(nodes: list[Node]) -> list[Any]:
    """Allocations and frees, in order: event, memory, size, size per bank, address."""
    found = []
    for node in nodes:
        kind, _, event = node["node_type"].partition("_")
        if kind == "buffer" and event in ("allocate", "deallocate"):
            params = node["params"]
            sizes = (int(params["size"]), int(params.get("max_size_per_bank", 0)))
            found.append((event, params["type"], *sizes, int(params["address"])))
    return found


def programs(nodes: list[Node]) -> list[Any]:
    """The device operations in order, each with the memory of its program. Of several chips the first one's counts."""
    found: list[Any] = []
    running: list[tuple[str, list[Any], list[Any]]] = []
    for node in nodes:
        kind, params = node["node_type"], node["params"] or {}
        if kind == "function_start":
            running.append((params["name"], [], []))
            if params["name"].endswith("DeviceOperation"):
                found.append(running[-1][:2])
        elif kind == "function_end" and running:
            running.pop()
        elif kind in _PROGRAM_MEMORY and running:
            _, memory, chips = running[-1]
            chips.append(params.get("device_id"))
            if chips[-1] == chips[0]:
                shared = str(params.get("globally_allocated", params.get("borrows_memory", "0"))).lower() in ("1", "true")
                memory.append((_PROGRAM_MEMORY[kind], int(params["size"]), params.get("core_range_set", ""), shared))
    return found


def _same_buffer(reference: Any, candidate: Any) -> bool:
    return bool(reference[:4] == candidate[:4] and reference[4] in (0, candidate[4]))


def _same_program(reference: Any, candidate: Any) -> bool:
    return bool(reference[0] == candidate[0] and (not reference[1] or reference[1] == candidate[1]))


_PARTS: dict[str, tuple[Callable[[list[Node]], list[Any]], Callable[[Any, Any], bool]]] = {
    "tree": (tree, lambda reference, candidate: bool(reference == candidate)),
    "buffers": (buffers, _same_buffer),
    "programs": (programs, _same_program),
}


def compare(reference: list[Node], candidate: list[Node], stopped: bool = False) -> dict[str, Difference]:
    """By part: what differs. `stopped`: the reference ended early, so more entries of the candidate are no difference."""
    answer = {}
    for name, (entries, same) in _PARTS.items():
        wanted, found = entries(reference), entries(candidate)
        if stopped:
            found = found[: len(wanted)]
        pairs = enumerate(itertools.zip_longest(wanted, found))
        wrong = [(i, a, b) for i, (a, b) in pairs if a is None or b is None or not same(a, b)]
        first = "" if not wrong else f"#{wrong[0][0]}: TT-NN {wrong[0][1]}, tilemeter {wrong[0][2]}"
        answer[name] = Difference(max(len(wanted), len(found)), len(wrong), first)
    return answer
