# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""What tools/check_includes is made of: order.py, the table; sources.py, what files name; rules.py; picture.py."""
