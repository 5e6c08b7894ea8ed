# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Small operations that TT-NN and this recorder capture at the same time: both have to tell the same of them.

What exported names cannot say is checked by it: how arguments, tensors and buffers lie in memory, and what the functions of
the processor mean. Neither the program's own captures nor other ones of this recorder see these operations; on a device they
are only planned.
"""

from __future__ import annotations

import json
from typing import Any

# Not known before a device is described: its chips.
_NOT_COMPARED = ("device_tensors",)
# Said to be missing where a version does not tell them; what is told has to be right.
_NOT_REQUIRED = ("program_cache_hit", "program_factory_index", "program_factory_type")


def difference_of(observer: Any, device: Any = None) -> str:
    """The difference in one line; empty: nothing. Without a device, operations on the host."""
    native, library = observer.ttnn._ttnn.graph, observer.library
    library.self_test(True)
    try:
        # As the tested operations run: TT-NN's capture outside, with its hook.
        native.begin_graph_capture(native.RunMode.NO_DISPATCH)
        try:
            capture = library.begin(2, None, 0, alone=False)
            try:
                _operate(observer, device)
            finally:
                ours = json.loads(library.end_to_text(capture))
        finally:
            theirs = native.end_graph_capture()
    finally:
        library.self_test(False)
    return first_difference(theirs, ours)


def _operate(observer: Any, device: Any) -> None:
    ttnn, function = observer.ttnn, observer.function_of
    if device is None:
        tensor = ttnn.Tensor([1.0] * 1024, [1, 1, 32, 32], ttnn.bfloat16, ttnn.ROW_MAJOR_LAYOUT)
        function(ttnn.to_layout)(tensor, ttnn.TILE_LAYOUT)
        return
    tensor = function(ttnn.empty)([1, 1, 32, 32], ttnn.bfloat16, ttnn.TILE_LAYOUT, device, ttnn.L1_MEMORY_CONFIG)
    total = function(ttnn.add)(tensor, tensor)
    product = function(ttnn.matmul)(tensor, tensor)
    del product, total, tensor


def first_difference(theirs: list[dict[str, Any]], ours: list[dict[str, Any]]) -> str:
    if len(theirs) < 3:
        return f"operations: expected nodes of some, found {len(theirs)} nodes"
    for place, expected in enumerate(theirs):
        if place >= len(ours):
            return f"node {place} ({expected['node_type']}): expected one, found none"
        found = ours[place]
        for key in ("node_type", "stacking_level"):
            if expected.get(key) != found.get(key):
                return f"{key} of node {place}: expected {expected.get(key)}, found {found.get(key)}"
        for key, value in (expected["params"] or {}).items():
            told = (found["params"] or {}).get(key)
            if key in _NOT_COMPARED or (key in _NOT_REQUIRED and told is None):
                continue
            if told != value:
                return f"{key} of node {place} ({expected['node_type']}): expected {value}, found {told}"
    if len(ours) > len(theirs):
        return f"node {len(theirs)}: expected none, found {ours[len(theirs)]['node_type']}"
    return ""
