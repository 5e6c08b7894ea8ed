# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Heads of Falcon-7B by split_query_key_value_and_split_heads, and what it refuses then."""

import sys

import ttnn

device = ttnn.open_device(device_id=0)
ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))
for batch, rows, memory_config in ((1, 64, None), (2, 64, ttnn.L1_MEMORY_CONFIG), (1, 50, None), (2, 33, None)):
    x = ttnn.ones([batch, rows, 73 * 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
    heads = ttnn.transformer.split_query_key_value_and_split_heads(
        x, num_heads=71, num_kv_heads=1, transpose_key=False, use_falcon7b_backend=True, memory_config=memory_config
    )
    assert [list(each.shape) for each in heads] == [[batch, 71, rows, 64], [batch, 1, rows, 64], [batch, 1, rows, 64]]
x = ttnn.ones([1, 64, 73 * 64], dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device)
for words, arguments in (
    ("Transpose is set to true", {"num_kv_heads": 1}),
    ("use_falcon7b_backend requires num_kv_heads to be set and no separate KV tensor", {"transpose_key": False}),
    ("use_falcon7b_backend requires num_kv_heads to be set", {"transpose_key": False, "num_kv_heads": 1, "kv_input_tensor": x}),
):
    try:
        ttnn.transformer.split_query_key_value_and_split_heads(x, num_heads=71, use_falcon7b_backend=True, **arguments)
    except RuntimeError as error:
        assert words in str(error), (words, error)
    else:
        raise AssertionError(words)
ttnn.graph.end_graph_capture_to_file(sys.argv[1])
ttnn.close_device(device)
