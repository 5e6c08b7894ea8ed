# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Records of comparing tensors with golden ones, of all captures that are open."""

from __future__ import annotations

from typing import Any

from tilemeter._src.base.nodes import Node

_comparison: dict[str, list[Node]] = {}
_LOCAL, _GLOBAL, _TENSORS = "local_tensor_comparison_records", "global_tensor_comparison_records", "tensors"


def comparison_document() -> Node:
    return {"version": 1, **{key: _comparison.get(key, []) for key in (_LOCAL, _GLOBAL, _TENSORS)}}


def record_tensor_comparison_data(
    *,
    local_tensor_comparison_records: list[Node] | None = None,
    global_tensor_comparison_records: list[Node] | None = None,
    tensors: list[Node] | None = None,
) -> None:
    """Adds results of comparing tensors with golden ones; they go into X.comparison_records.json."""
    _comparison.setdefault(_LOCAL, []).extend(local_tensor_comparison_records or ())
    _comparison.setdefault(_GLOBAL, []).extend(global_tensor_comparison_records or ())
    known = {tensor["tensor_id"] for tensor in _comparison.setdefault(_TENSORS, [])}
    for tensor in tensors or ():
        if tensor["tensor_id"] not in known:
            known.add(tensor["tensor_id"])
            _comparison[_TENSORS].append(tensor)


def has_comparison_records() -> bool:
    """True if tensors were compared since the capture began."""
    return any(_comparison.values())


def reset_comparison_records_data() -> None:
    """Forgets the comparison records."""
    _comparison.clear()
