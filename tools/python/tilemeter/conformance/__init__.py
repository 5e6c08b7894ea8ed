# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Runs scripts and tests of a folder under TT-NN and under tilemeter, and compares what both recorded.

The command is `python -m tilemeter.conformance FOLDER`; `--help` prints its options.
"""

from tilemeter.conformance.judge import Difference, compare, nodes_of

__all__ = ["Difference", "compare", "nodes_of"]
