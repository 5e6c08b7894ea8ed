# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Records of the calls from Python that a capture sees."""

from __future__ import annotations

from typing import Any

from tilemeter import _tilemeter
from tilemeter._src.base.nodes import Node
from tilemeter._src.captures import python_io
from tilemeter._tilemeter import recording


def append_python_io_record(name: str) -> Node:
    """Keeps a place for a call, before its arguments are known."""
    record: Node = {"name": name, "arguments": {}, "input_tensor_ids": []}
    recording.append(record)
    return record


def record_python_operation(
    name: str, function_args: tuple[Any, ...], function_kwargs: dict[str, Any], *, record: Node | None = None
) -> Node:
    """Records a call's arguments."""
    record = append_python_io_record(name) if record is None else record
    record.update(_tilemeter.call_record_of(name, tuple(function_args), dict(function_kwargs)))
    if recording.stacks:
        record["python_stack_trace"] = python_io.stack_text(python_io.python_stack())
    return record


def record_python_operation_error(record: Node | None, error_type: str, error_message: str) -> None:
    """Adds why a call failed to its record, unless it says so already."""
    if record is not None:
        record.setdefault("error", {"type": error_type, "message": error_message})


def store_output_tensor_ids(output_tensor_ids: list[int]) -> None:
    """Adds a call's results to the latest record."""
    latest = recording.latest()
    if latest is not None:
        latest.store_outputs(output_tensor_ids)


def store_captured_graph(captured_graph: list[Node]) -> None:
    """Adds a call's own graph to the latest record."""
    latest = recording.latest()
    if latest is not None:
        latest.store_captured_graph(captured_graph)
