# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""Whisper: a decoder's attention across the encoder's output."""

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


d, h, se, sd = 128, 2, 192, 32
enc, dec = tensor(1, se, d), tensor(1, sd, d)
wq, wo, wkv = tensor(d, d), tensor(d, d), tensor(d, 2 * d)
bq, bo, bkv = tensor(1, d), tensor(1, d), tensor(1, 2 * d)
lw, lb = tensor(1, d), tensor(1, d)
begin()
dec = ttnn.layer_norm(dec, weight=lw, bias=lb)
q = ttnn.linear(dec, wq, bias=bq, memory_config=L1)
kv = ttnn.linear(enc, wkv, bias=bkv, memory_config=L1)
kv = ttnn.reshape(kv, (1, se, 2, h, d // h))
k, v = ttnn.squeeze(kv[:, :, 0:1, :, :], 2), ttnn.squeeze(kv[:, :, 1:2, :, :], 2)
k = ttnn.permute(k, (0, 2, 3, 1))
v = ttnn.permute(v, (0, 2, 1, 3))
q = ttnn.reshape(q, (1, sd, h, d // h))
q = ttnn.permute(q, (0, 2, 1, 3))
w = ttnn.matmul(q, k) * 0.125
w = ttnn.softmax(w, dim=-1, memory_config=L1)
c = ttnn.matmul(w, v)
c = ttnn.permute(c, (0, 2, 1, 3))
c = ttnn.reshape(c, (1, sd, d))
y = ttnn.linear(c, wo, bias=bo)
y = dec + y
end()
ttnn.close_device(device)
