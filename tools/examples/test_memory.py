# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A gate: the test fails where its operations need more L1 than the mark allows.

    pytest --memory-report reports test_memory.py
    tilemeter check reports --max-l1 80%
"""

import pytest

import tilemeter as ttnn


@pytest.fixture
def device():
    device = ttnn.open_device(device_id=0)
    yield device
    ttnn.close_device(device)


@pytest.mark.memory(max_l1="256 KiB")
def test_the_scores_of_attention_stay_small(device) -> None:
    query, key = (
        ttnn.ones([1, 12, 128, 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device) for _ in range(2)
    )
    scores = ttnn.matmul(query, ttnn.transpose(key, -2, -1), memory_config=ttnn.L1_MEMORY_CONFIG)
    weights = ttnn.softmax(scores, dim=-1)
    assert list(weights.shape) == [1, 12, 128, 128]
