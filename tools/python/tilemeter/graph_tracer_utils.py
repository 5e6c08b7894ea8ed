# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Arguments of a capture's operations as JSON objects."""

from __future__ import annotations

from tilemeter._src.answers.graph_tracer_utils import GraphTracerUtils as GraphTracerUtils
