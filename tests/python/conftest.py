# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0

from __future__ import annotations

import gc
from typing import Any, Iterator

import pytest

import tilemeter as ttnn

pytest_plugins = ["pytester"]


@pytest.fixture(scope="module", autouse=True)
def frozen_garbage_collector() -> None:
    """Leaves what pytest keeps of thousands of tests out of the collections that end each test with a device: else they
    become ten times as long in the course of a run."""
    gc.collect()
    gc.freeze()


@pytest.fixture
def device(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.delenv("TILEMETER_DEVICE", raising=False)
    opened = ttnn.open_device(device_id=0)
    yield opened
    gc.collect()
    ttnn.close_device(opened)


def scopes(nodes: list[dict[str, Any]]) -> list[str]:
    """The functions of a capture, indented by level."""
    return [
        "  " * (node["stacking_level"] - 1) + node["params"]["name"]
        for node in nodes
        if node["node_type"] == "function_start"
    ]


def tiles(device: Any, *shape: int, **more: Any) -> Any:
    """Ones in L1, in tiles."""
    return ttnn.ones(
        list(shape), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device,
        memory_config=more.get("memory_config", ttnn.L1_MEMORY_CONFIG),
    )
