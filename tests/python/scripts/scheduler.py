# SPDX-FileCopyrightText: 2026 tilemeter contributors
# SPDX-License-Identifier: Apache-2.0
"""A diffusion scheduler: guidance, clipped predictions, embedded times."""

import sys

import torch
import ttnn

device = ttnn.open_device(device_id=0)


def tensor(*shape, dtype=ttnn.bfloat16, layout=ttnn.TILE_LAYOUT, memory_config=ttnn.DRAM_MEMORY_CONFIG):
    return ttnn.from_torch(torch.randn(*shape), dtype=dtype, layout=layout, device=device, memory_config=memory_config)


def begin():
    ttnn.graph.begin_graph_capture(getattr(ttnn.graph.RunMode, sys.argv[2]))


def end():
    ttnn.graph.end_graph_capture_to_file(sys.argv[1])


import math

lat = tensor(1, 4, 64, 64)
noise = tensor(2, 4, 64, 64)
begin()
for t in (0.9, 0.5):
    uncond = ttnn.slice(noise, [0, 0, 0, 0], [1, 4, 64, 64])
    cond = ttnn.slice(noise, [1, 0, 0, 0], [2, 4, 64, 64])
    eps = ttnn.add(uncond, ttnn.mul(ttnn.sub(cond, uncond), 7.5))
    x0 = ttnn.div(ttnn.sub(lat, ttnn.mul(eps, math.sqrt(1 - t))), math.sqrt(t))
    x0 = ttnn.clip(x0, -1.0, 1.0)
    lat = ttnn.add(ttnn.mul(x0, math.sqrt(t)), ttnn.mul(eps, math.sqrt(1 - t)))
    both = ttnn.concat([lat, lat], dim=0)
    noise = ttnn.mul(both, 0.1)
t = ttnn.arange(0, 128, 1, dtype=ttnn.bfloat16, device=device)
t = ttnn.to_layout(ttnn.reshape(t, (1, 1, 1, 128)), ttnn.TILE_LAYOUT)
f = ttnn.exp(ttnn.mul(t, -math.log(10000) / 64))
emb = ttnn.concat([ttnn.cos(f), ttnn.sin(f)], dim=-1)
emb = ttnn.repeat(emb, ttnn.Shape([2, 1, 1, 1]))
end()
ttnn.close_device(device)
