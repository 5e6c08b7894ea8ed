# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The common part of traced functions of arrays and of tensors."""

from __future__ import annotations

from typing import Any

from tilemeter.trace._functions.native import trace as _trace


class Traced:
    """A graph, and the structure of the arguments that it was traced for; other attributes are those of the graph."""

    def __init__(self, graph: Any, arguments: Any) -> None:
        self.graph, self._arguments = graph, arguments

    def _require_structure(self, spec: Any) -> None:
        if spec != self._arguments:
            _trace._raise("structure_mismatch", f"{self.graph.name}: found arguments {spec}, expected {self._arguments}",
                          self.graph.name)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name == "graph":
            raise AttributeError(name)
        return getattr(self.graph, name)

    def __len__(self) -> int:
        return len(self.graph)

    def __str__(self) -> str:
        return str(self.graph)

    def __repr__(self) -> str:
        return str(self.graph)
