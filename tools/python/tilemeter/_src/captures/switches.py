# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Scopes of the user's own, and what captures record beside operations and buffers."""

from __future__ import annotations

from tilemeter import _tilemeter
from tilemeter._src.base.argument_errors import in_words
from tilemeter._tilemeter import recording

@in_words
def track_function_start(function_name: str) -> None:
    """Opens a scope of the caller's own in this thread; in reports it looks like an operation."""
    _tilemeter.begin_python_function(function_name)


def track_function_end() -> None:
    """Closes this thread's innermost scope; without one nothing happens."""
    _tilemeter.end_python_function()


def _cpp_unwind_open_functions(reason: str = "") -> None:
    """Nothing to do: a scope here ends with its operation, also when that fails."""


def enable_detailed_buffer_tracing() -> None:
    """Reports say where each page of a buffer in L1 lies, and which buffers were live after each operation."""
    _tilemeter.enable_buffer_pages()


def disable_detailed_buffer_tracing() -> None:
    """Ends what enable_detailed_buffer_tracing began."""
    _tilemeter.disable_buffer_pages()


def is_detailed_buffer_tracing_enabled() -> bool:
    """True if reports have pages and live buffers."""
    return _tilemeter.is_buffer_pages_enabled()


def enable_python_stack_traces() -> None:
    """Records hold the Python stack of each call."""
    recording.stacks = True


def disable_python_stack_traces() -> None:
    """Ends what enable_python_stack_traces began."""
    recording.stacks = False


def is_python_stack_trace_enabled() -> bool:
    """True if records hold Python stacks."""
    return recording.stacks


def enable_stack_traces() -> None:
    """Functions say from where they were called: Python's frames, then those of C++; records as well."""
    enable_python_stack_traces()
    _tilemeter.enable_native_stack_traces()


def disable_stack_traces() -> None:
    """Ends what enable_stack_traces began."""
    disable_python_stack_traces()
    _tilemeter.disable_native_stack_traces()


# The names of the documents.
is_stack_trace_enabled = is_python_stack_trace_enabled
enable_buffer_pages = enable_detailed_buffer_tracing
disable_buffer_pages = disable_detailed_buffer_tracing


def enable_python_io_recording() -> None:
    """Records calls; begin_graph_capture does it by itself."""
    recording.enabled = True


def disable_python_io_recording() -> None:
    """Ends the recording of calls, also within a capture."""
    recording.enabled = False


def is_python_io_recording_enabled() -> bool:
    """True if calls are recorded."""
    return recording.enabled
