# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Calls that are refused, and others after them."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)
L1 = ttnn.L1_MEMORY_CONFIG


def tensor(*shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, memory_config=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.from_torch(torch.randn(*shape), dtype=dtype, layout=layout, device=device, memory_config=memory_config)


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


x = tensor(1, 1, 64, 96)
y = tensor(1, 1, 64, 64)
said = []


def attempt(call):
    try:
        call()
    except (RuntimeError, TypeError, ValueError) as error:
        said.append(str(error).splitlines()[0])


begin()
z = ttnn.relu(x)
attempt(lambda: ttnn.matmul(z, y))
attempt(lambda: ttnn.linear(x, y))
attempt(lambda: ttnn.add(x, y))
attempt(lambda: ttnn.concat([x, y], dim=2))
attempt(lambda: ttnn.reshape(x, (7, 7)))
attempt(lambda: ttnn.layer_norm(x, weight=y))
attempt(lambda: ttnn.permute(x, (0, 1)))
attempt(lambda: ttnn.softmax(x, dim=7))
attempt(lambda: ttnn.cumsum(x, dim=5))
if sys.argv[2] == "NORMAL":  # without dispatch nothing is too large
    attempt(lambda: ttnn.ones((1, 1, 16384, 16384), dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, device=device, memory_config=L1))
w = ttnn.matmul(z, x, transpose_b=True)
w = ttnn.relu(w)
end()
assert len(said) == (10 if sys.argv[2] == "NORMAL" else 9)
ttnn.close_device(device)
