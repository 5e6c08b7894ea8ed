# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""`python -m tilemeter.graph_report REPORT_OR_FOLDER OUTPUT_FOLDER`."""

from __future__ import annotations

import sys

from tilemeter.graph_report import main

if __name__ == "__main__":
    sys.exit(main())
