# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Thousands of captures in one dataset: Parquet files that anyone can read, and three questions to them.

`tilemeter collect` adds reports, `tilemeter query DATASET` asks; `python -m tilemeter.fleet` is both. Needs DuckDB
(`pip install duckdb`, as the extra `tilemeter[fleet]` does), which is given SQL text and Parquet files only.
"""

from __future__ import annotations

import sys

from tilemeter._src.fleet.commands import add_reports as add_reports, main as main
from tilemeter._src.fleet.dataset import Dataset as Dataset, FleetError as FleetError
from tilemeter._src.fleet.queries import peak_trend as peak_trend, regressions as regressions, top_owners as top_owners

if __name__ == "__main__":
    sys.exit(main())
