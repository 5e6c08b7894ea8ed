# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Norms beside tensors that fill L1. The figures are those that TT-NN 0.81.1 has for the same calls on a mock n150."""

from __future__ import annotations

from typing import Any

import pytest

import tilemeter as ttnn
import tilemeter.trace as tp

CORES = 64
WIDE = [1, 1, 64, 2048]
# By the bytes that other tensors take of each core: what layer_norm, and rms_norm with a weight, take beside them.
LAYER_NORM = {0: 729_088, 600_000: 729_088, 1_000_000: 364_544, 1_200_000: 159_744, 1_250_000: 118_784}
RMS_NORM = {0: 487_424, 1_000_000: 358_400, 1_100_000: 227_328, 1_200_000: 161_792}


def wide(device: Any, *shape: int) -> Any:
    return ttnn.zeros(list(shape) or WIDE, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)


def filled(device: Any, size: int) -> Any:
    """A tensor with so many bytes, in whole lines of 64, on each core."""
    if size == 0:
        return None
    return ttnn.zeros([CORES, size // 64 * 32], dtype=ttnn.bfloat16, layout=ttnn.ROW_MAJOR_LAYOUT, device=device,
                      memory_config=ttnn.L1_MEMORY_CONFIG)


def program_bytes(nodes: list[dict[str, Any]]) -> int:
    kinds = ("circular_buffer_allocate", "dataflow_buffer_allocate", "scratchpad_allocate")
    return sum(int(each["params"]["size"]) for each in nodes if each["node_type"] in kinds)


def taken_by(call: Any) -> int:
    with ttnn.graph.capture() as taken:
        result = call()
    del result
    return program_bytes(taken.nodes)


@pytest.mark.parametrize("name", ["layer_norm", "rms_norm"])
def test_a_norm_takes_what_is_free_whatever_it_took_before(device: Any, name: str) -> None:
    x, weight = wide(device), wide(device, 1, 2048)
    call, sizes = (lambda: ttnn.layer_norm(x), LAYER_NORM) if name == "layer_norm" else \
        (lambda: ttnn.rms_norm(x, weight=weight), RMS_NORM)
    device.clear_program_cache()
    for size in [*sizes, *reversed(sizes)]:
        others = filled(device, size)
        assert taken_by(call) == sizes[size], size
        del others
    assert device.num_program_cache_entries() == len(set(sizes.values()))


def test_a_norm_without_room_for_its_shortest_blocks_says_so(device: Any) -> None:
    x = wide(device)
    ttnn.layer_norm(x)
    others = filled(device, 1_300_000)
    with pytest.raises(RuntimeError, match="LayerNorm streaming circular buffers require 118784 bytes, but only 88676 bytes of "
                                           "the allocator's L1 span are available"):
        ttnn.layer_norm(x)
    del others


def test_a_replay_takes_what_is_free(device: Any) -> None:
    x = wide(device)
    plan = tp.plan(lambda given: ttnn.layer_norm(given), x)
    for size in (0, 1_000_000, 1_250_000, 0):
        others = filled(device, size)
        assert taken_by(lambda: plan.replay(x)) == LAYER_NORM[size]
        del others
    others = filled(device, 1_300_000)
    with pytest.raises(RuntimeError, match="LayerNorm streaming circular buffers require 118784 bytes"):
        plan.replay(x)
    del others


def test_a_replay_at_planned_addresses_takes_what_was_planned(device: Any) -> None:
    x = wide(device)
    others = filled(device, 1_250_000)
    fixed = tp.plan(lambda given: ttnn.layer_norm(given), x).fixed
    del others
    assert fixed.hazards(x) == []
    assert taken_by(lambda: fixed(x)) == LAYER_NORM[1_250_000]


@pytest.mark.parametrize(("reserved", "taken"), [(0, 1_310_720), (32_768, 512_000)])
def test_what_is_reserved_for_small_buffers_is_not_free_to_a_norm(reserved: int, taken: int) -> None:
    device = ttnn.open_device(device_id=0, l1_small_size=reserved)
    try:
        x = wide(device, 1, 1, 503, 2581)
        weight = ttnn.zeros([1, 2581], dtype=ttnn.float32, layout=ttnn.TILE_LAYOUT, device=device)
        assert taken_by(lambda: ttnn.layer_norm(x, weight=weight)) == taken
        del x, weight
    finally:
        ttnn.close_device(device)
