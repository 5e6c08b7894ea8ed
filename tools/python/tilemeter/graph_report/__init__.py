# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Reports into the viewer's database: `python -m tilemeter.graph_report REPORT_OR_FOLDER OUTPUT_FOLDER`."""

from __future__ import annotations

from tilemeter._graph_report import derive_report_name as derive_report_name
from tilemeter._graph_report import extract_operation_durations as extract_operation_durations
from tilemeter._graph_report import extract_total_duration_from_graph as extract_total_duration_from_graph
from tilemeter._graph_report import import_report as import_report
from tilemeter._graph_report import main as main
from tilemeter._graph_report import run_pytest_graph_report_fixture as run_pytest_graph_report_fixture
