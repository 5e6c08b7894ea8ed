# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Replays at planned addresses: what they would overwrite is known before."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import tilemeter as ttnn
import tilemeter.trace as tp


def ones(device: Any) -> Any:
    return ttnn.ones([1, 1, 64, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)


def model(x: Any) -> Any:
    return ttnn.multiply(ttnn.relu(x), 2.0)


def test_a_later_tensor_is_named_and_the_replay_refuses_moves_or_goes_on(device: Any) -> None:
    x = ones(device)
    fixed = tp.trace_graph(model, (x,)).fix(x)
    before = list(fixed.addresses)
    assert fixed.hazards(x) == []
    later = ones(device)
    (hazard,) = fixed.hazards(x)
    assert hazard.address == later.buffer_address() == before[0] and hazard.memory == "DRAM"
    assert (hazard.by, hazard.by_operation) == ("buffer", "ttnn.relu")
    assert [end - begin for _, begin, end in hazard.parts] == [2048] * 4
    with pytest.raises(tp.TraceError, match=r"would overwrite 1 live buffer\(s\), 8192 B: .*; hint: ") as refused:
        fixed(x)
    assert "\n" not in str(refused.value)
    over = fixed(x, on_hazard="allow")
    assert over.buffer_address() == before[1] and fixed.addresses == before
    ttnn.deallocate(over)
    moved = fixed(x, on_hazard="move")
    assert fixed.addresses != before and moved.buffer_address() == fixed.addresses[1]
    np.testing.assert_array_equal(moved.to_numpy(), 2.0)


def test_a_kept_result_is_in_the_way_of_the_next_replay(device: Any) -> None:
    x = ones(device)
    fixed = tp.trace_graph(model, (x,)).fix(x)
    kept = fixed(x)
    assert [each.address for each in fixed.hazards(x)] == [kept.buffer_address()]
    with pytest.raises(tp.TraceError, match="would overwrite"):
        fixed(x)
    ttnn.deallocate(kept)
    assert fixed.hazards(x) == []
    planned = tp.plan(model, x)
    later = ones(device)
    assert [each.address for each in planned.hazards(x)] == [later.buffer_address()]
    with pytest.raises(tp.TraceError, match="on_hazard: expected 'refuse', 'move' or 'allow', found 'warn'"):
        fixed(x, on_hazard="warn")
