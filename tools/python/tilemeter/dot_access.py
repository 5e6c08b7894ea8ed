# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Dictionaries whose keys are attributes as well."""

from __future__ import annotations

from tilemeter._src.models.dot_access import DotAccessDict as DotAccessDict, make_dot_access_dict as make_dot_access_dict
