# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The parts of captures that tests compare: the tree of functions, the buffers, the memory of programs."""

from __future__ import annotations

import json
import pathlib
from typing import Any

PROGRAM = ("circular_buffer_allocate", "dataflow_buffer_allocate", "scratchpad_allocate")


def tree(nodes: list[dict[str, Any]]) -> list[str]:
    return [
        f"{node['stacking_level']} {node['params']['name']}" for node in nodes if node["node_type"] == "function_start"
    ]


def buffers(nodes: list[dict[str, Any]]) -> list[str]:
    return [
        " ".join(
            str(each)
            for each in (
                node["node_type"].removeprefix("buffer_"), node["params"]["type"], node["params"]["size"],
                node["params"].get("max_size_per_bank", 0), node["params"]["address"],
            )
        )
        for node in nodes
        if node["node_type"] in ("buffer_allocate", "buffer_deallocate")
    ]


def programs(nodes: list[dict[str, Any]]) -> list[str]:
    """Each device operation with its program memory: kind, size, cores, whether it is a tensor's."""
    found: list[list[str]] = []
    inside: list[list[str]] = []
    for node in nodes:
        params = node["params"] or {}
        if node["node_type"] == "function_start":
            inside.append([params["name"]])
            if params["name"].endswith("DeviceOperation"):
                found.append(inside[-1])
        elif node["node_type"] == "function_end" and inside:
            inside.pop()
        elif node["node_type"] in PROGRAM and inside:
            shared = str(params.get("globally_allocated", params.get("borrows_memory", "0"))).lower() in ("1", "true")
            inside[-1].append(f"{node['node_type'][0]}{params['size']} {params.get('core_range_set', '')} {int(shared)}")
    return [", ".join(each) for each in found]


def parts_of(normal: pathlib.Path, planned: pathlib.Path) -> dict[str, list[str]]:
    """Tree and buffers of the report of a NORMAL capture, programs of that of a NO_DISPATCH one."""
    nodes = json.loads(normal.read_text())["graph"]
    return {
        "tree": tree(nodes), "buffers": buffers(nodes), "programs": programs(json.loads(planned.read_text())["graph"])
    }
