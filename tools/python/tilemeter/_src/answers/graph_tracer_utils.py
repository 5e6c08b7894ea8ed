# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Arguments of a capture's operations as JSON objects."""

from __future__ import annotations

import json
from typing import Any

from tilemeter import _tilemeter


class GraphTracerUtils:
    """TT-NN's name for it."""

    @staticmethod
    def serialize_graph(captured_graph: Any) -> dict[str, Any]:
        """{"content": [{"operation": name, "arguments": [{"arg0": ...}, ...]}, ...]}; each argument text taken apart."""
        answer: dict[str, Any] = json.loads(_tilemeter.serialize_arguments(json.dumps(captured_graph)))
        return answer
