# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Reports into the viewer's database: `python -m tilemeter.graph_report REPORT_OR_FOLDER OUTPUT_FOLDER`."""

from __future__ import annotations

from tilemeter._src.answers.report import (
    derive_report_name as derive_report_name, extract_operation_durations as extract_operation_durations,
    extract_total_duration_from_graph as extract_total_duration_from_graph, import_report as import_report, main as main,
    run_pytest_graph_report_fixture as run_pytest_graph_report_fixture,
)
