# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""TT-NN's marks for the Tracy profiler and figures of its device profiler: taken, and nothing is recorded of them here."""

from __future__ import annotations

from tilemeter._src.device.profiler import (
    ReadDeviceProfiler as ReadDeviceProfiler, get_all_programs_perf_data as get_all_programs_perf_data,
    get_latest_programs_perf_data as get_latest_programs_perf_data, start_tracy_zone as start_tracy_zone,
    stop_tracy_zone as stop_tracy_zone, tracy_frame as tracy_frame, tracy_message as tracy_message,
)
