# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""TT-NN's marks for the Tracy profiler and figures of its device profiler: taken, and nothing is recorded of them here."""

from __future__ import annotations

from typing import Any


def start_tracy_zone(source: str, functName: str, lineNum: int, color: int = 0) -> None:
    """Nothing: `tilemeter.graph.track_function_start` opens a scope that captures show."""


def stop_tracy_zone(name: str = "", color: int = 0) -> bool:
    """True, as if a zone had been open."""
    return True


def tracy_message(source: str, color: int = 0xF0F8FF) -> None:
    """Nothing."""


def tracy_frame() -> None:
    """Nothing."""


def get_latest_programs_perf_data() -> dict[Any, Any]:
    """Nothing was measured: a modelled device has no clock."""
    return {}


def get_all_programs_perf_data() -> dict[Any, Any]:
    """Nothing was measured: a modelled device has no clock."""
    return {}


def ReadDeviceProfiler(device: Any) -> None:
    """Nothing to read."""
