# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The parts of tools/check_includes: order.py, the table; sources.py, what files name; rules.py; picture.py."""
