# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""The frees of a convolution that fails behind its halo, in the order that TT-NN 0.81.1 recorded on an n150, and what
its program leaves in the cache."""

from __future__ import annotations

from typing import Any

import pytest

import tilemeter as ttnn

CONVOLVED = [  # [1, 1, 4096, 64] in 64 HEIGHT_SHARDED shards, 64 filters of 3 x 3 and a bias
    ("allocate", "L1", 524288, 1204224), ("allocate", "DRAM", 73728, 1092416), ("allocate", "DRAM", 4096, 1098560),
    ("allocate", "L1", 574464, 916992),
]
TABLES = [("allocate", "L1", 144, 1499040), ("allocate", "L1", 144, 1498944), ("allocate", "L1", 232, 1498816),
          ("allocate", "L1", 208, 1498688)]
MOVED = [("deallocate", "L1", 524288, 1204224), ("deallocate", "L1", 574464, 916992), ("allocate", "L1", 574464, 1179136),
         ("allocate", "L1", 524288, 916992)]
REFUSED = [("deallocate", "L1", 524288, 916992), ("deallocate", "DRAM", 4096, 1098560), ("deallocate", "DRAM", 73728, 1092416),
           ("deallocate", "L1", 574464, 1179136)]
TABLE_OF_THE_PROGRAM = [("allocate", "L1", 272, 1498528), ("deallocate", "L1", 272, 1498528)]


def refused_buffers(device: Any, image: Any, weights: Any, bias: Any) -> list[tuple[str, str, int, int]]:
    config = ttnn.Conv2dConfig(weights_dtype=ttnn.bfloat16, shard_layout=ttnn.TensorMemoryLayout.HEIGHT_SHARDED,
                               act_block_h_override=2048)
    ttnn.graph.begin_graph_capture(ttnn.graph.RunMode.NORMAL)
    try:
        with pytest.raises(RuntimeError, match="circular buffers"):
            ttnn.conv2d(input_tensor=image, weight_tensor=weights, bias_tensor=bias, device=device, in_channels=64, out_channels=64,
                        batch_size=1, input_height=64, input_width=64, kernel_size=(3, 3), stride=(1, 1), padding=(1, 1),
                        conv_config=config, slice_config=ttnn.Conv2dL1FullSliceConfig)
    finally:
        nodes = ttnn.graph.end_graph_capture()
    return [(node["node_type"].removeprefix("buffer_"), node["params"]["type"], int(node["params"]["size"]),
             int(node["params"]["address"])) for node in nodes if node["node_type"].startswith("buffer_")]


def test_a_convolution_that_fails_frees_what_it_made_last_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEMETER_DEVICE", "n150")
    device = ttnn.open_device(device_id=0, l1_small_size=32768)
    image = ttnn.allocate_tensor_on_device(ttnn.Shape([1, 1, 4096, 64]), ttnn.bfloat16, ttnn.ROW_MAJOR_LAYOUT, device,
                                           ttnn.DRAM_MEMORY_CONFIG)
    weights, bias = (ttnn.zeros(shape, dtype=ttnn.bfloat16, layout=ttnn.ROW_MAJOR_LAYOUT) for shape in ([64, 64, 3, 3], [1, 1, 1, 64]))
    first = refused_buffers(device, image, weights, bias)
    entries = device.num_program_cache_entries()
    again = refused_buffers(device, image, weights, bias)
    ttnn.close_device(device)
    assert first == CONVOLVED + TABLES + MOVED + TABLE_OF_THE_PROGRAM + REFUSED
    assert again == CONVOLVED + MOVED + TABLE_OF_THE_PROGRAM + REFUSED
    assert entries == 3  # interleaved to shards, halo, move; not the refused convolution


def test_a_program_that_is_refused_is_built_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILEMETER_DEVICE", "n150")
    device = ttnn.open_device(device_id=0)
    left, right = (ttnn.allocate_tensor_on_device(ttnn.Shape([1, 1, rows, 2048]), ttnn.bfloat16, ttnn.TILE_LAYOUT, device,
                                                  ttnn.DRAM_MEMORY_CONFIG) for rows in (256, 2048))
    config = ttnn.MatmulMultiCoreReuseMultiCastProgramConfig(
        compute_with_storage_grid_size=(1, 1), in0_block_w=64, out_subblock_h=1, out_subblock_w=1, per_core_M=8, per_core_N=64,
        transpose_mcast=False, fused_activation=None)
    for _ in range(2):
        with pytest.raises(RuntimeError, match="grow to"):
            ttnn.matmul(left, right, program_config=config)
        assert device.num_program_cache_entries() == 0
    ttnn.close_device(device)
